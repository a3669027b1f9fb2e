"""Driver: pulls a whole pipeline, block by block.

State    is known after any element handed out, though blocks are pulled ahead of them.
Failed   an exception passes through; the next call goes on after the element that failed.
Stopped  after what is no Exception, such as Ctrl-C, operators may have lost what they held:
         the run is to be started again from state(), which is that before the block.
No element depends on any of this. If the code disagrees, the code is wrong.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from feedline.engine.block_size import BlockSize
from feedline.engine.exec import after
from feedline.parallel.finalising import close_elsewhere
from feedline.plan.depth import recursion_for

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.exec import State
    from feedline.engine.stream import Stream
    from feedline.parallel.workers import Workers

__all__ = ["Driver"]


class Driver:
    """The consumer's end of a pipeline, which is ``depth`` steps deep."""

    __slots__ = ("_attempted", "_before", "_depth", "_size", "_stream", "_workers")

    def __init__(self, stream: Stream, workers: Workers, depth: int = 1) -> None:
        self._stream = stream
        self._depth = depth
        self._workers = workers
        self._size = BlockSize()
        # The state before the block handed out last; None if there was none since a failure.
        self._before: State | None = None
        # The state before the block that is being pulled: until it comes, nothing of it counts.
        self._attempted: State | None = None

    def begin_block(self) -> None:
        """Go on to the next block: all of the one before was handed out."""
        self._attempted = self._stream.state()

    def next_block(self) -> Block | None:
        """Return the next elements, or None at the end."""
        if self._attempted is None:
            self.begin_block()
        started = perf_counter_ns()
        self._workers.asked(started)
        try:
            with self._workers.computing():
                block = self._stream.pull(self._size.now)
        except Exception:
            self._before = self._attempted = None
            raise
        ended = perf_counter_ns()
        if block is None:
            self._workers.rest()
        else:
            self._size.adapt(block, ended - started)
        self._before = None if block is None else self._attempted
        self._attempted = None
        self._workers.served(0 if block is None else block.length, ended)
        return block

    @property
    def is_pulling(self) -> bool:
        """Whether a block is being pulled, or was when it was stopped."""
        return self._attempted is not None

    def state(self, used: int) -> State:
        """Return the state after ``used`` elements of the block handed out last.

        It may be asked for at any moment, by a signal handler or another thread: while a block is
        pulled, it is that before the block.
        """
        attempted, before = self._attempted, self._before
        if attempted is not None:
            return attempted
        return self._stream.state() if before is None else after(before, used)

    def use_up(self, used: int) -> None:
        """Count ``used`` elements of the block handed out last as those of one before it."""
        assert self._before is not None
        self._before = after(self._before, used)

    @property
    def is_in_thread(self) -> bool:
        """Whether one of the pipeline's own threads asks, which others may be waiting for."""
        return self._workers.is_in_thread

    @property
    def is_stuck(self) -> bool:
        """Whether closing would wait for a thread that does not end."""
        return self._workers.is_stuck

    def hurried(self) -> AbstractContextManager[Any]:
        """Have processes end that do not soon finish what they do."""
        return self._workers.hurried()

    def close(self) -> None:
        """Free what is held."""
        if self._workers.is_in_thread:
            close_elsewhere(self.close)  # our own thread cannot wait for itself
            return
        # The plan may be garbage together with this, and have let go of its own.
        held = recursion_for(self._depth, "close()")
        with self._workers.hurried():
            try:
                self._stream.close()
            finally:
                self._workers.close()
                del held
