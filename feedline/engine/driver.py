"""Driver: pulls a whole pipeline, block by block.

State    is known after any element handed out, though blocks are pulled ahead of them.
Failed   an exception passes through; the next call goes on after the element that failed.
Stopped  after what is no Exception, such as Ctrl-C, operators may have lost what they held:
         the run is to be started again from state_before().
No element depends on any of this. If the code disagrees, the code is wrong.
"""

from __future__ import annotations

from time import perf_counter_ns
from typing import TYPE_CHECKING

from feedline.engine.block_size import BlockSize
from feedline.engine.exec import after
from feedline.parallel.finalising import close_elsewhere

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.exec import State
    from feedline.engine.stream import Stream
    from feedline.parallel.workers import Workers

__all__ = ["Driver"]


class Driver:
    """The consumer's end of a pipeline."""

    __slots__ = ("_attempted", "_before", "_size", "_stream", "_workers")

    def __init__(self, stream: Stream, workers: Workers) -> None:
        self._stream = stream
        self._workers = workers
        self._size = BlockSize()
        # The state before the block handed out last; None if there was none since a failure.
        self._before: State | None = None
        # The state before the block pulled last, whatever became of it.
        self._attempted: State | None = None

    def next_block(self) -> Block | None:
        """Return the next elements, or None at the end."""
        self._before = self._attempted = None
        before = self._attempted = self._stream.state()
        started = perf_counter_ns()
        self._workers.asked(started)
        with self._workers.computing():
            block = self._stream.pull(self._size.now)
        ended = perf_counter_ns()
        if block is None:
            self._workers.rest()
        else:
            self._size.adapt(block, ended - started)
            self._before = before
        self._workers.served(0 if block is None else block.length, ended)
        return block

    def state(self, used: int) -> State:
        """Return the state after ``used`` elements of the block handed out last."""
        return self._stream.state() if self._before is None else after(self._before, used)

    def state_before(self) -> State:
        """Return the state before the last attempt: what to go back to if it was interrupted."""
        return self._stream.state() if self._attempted is None else self._attempted

    def close(self) -> None:
        """Free what is held."""
        self._before = None
        if self._workers.is_in_thread:
            close_elsewhere(self.close)  # our own thread cannot wait for itself
            return
        with self._workers.hurried():
            try:
                self._stream.close()
            finally:
                self._workers.close()
