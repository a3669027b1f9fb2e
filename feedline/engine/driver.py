"""Driver: pulls a whole pipeline, block by block, and chooses how large a block is.

Size     starts at one element and grows while a block is cheap in time and small in
         memory: the first element comes at once, and the cost per block soon does not count.
State    is known after any element handed out, though blocks are pulled ahead of them.
Failed   an exception passes through; the next call goes on after the element that failed.
Stopped  after what is no Exception, such as Ctrl-C, operators may have lost what they held:
         the run is to be started again from state_before().
No element depends on any of this. If the code disagrees, the code is wrong.
"""

from __future__ import annotations

from time import perf_counter_ns
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.exec import State
    from feedline.engine.stream import Stream

__all__ = ["Driver"]

# What a block should take at most.
_BLOCK_NS = 1_000_000
_BLOCK_BYTES = 1 << 20
_MOST_ELEMENTS = 1 << 12


class Driver:
    """The consumer's end of a pipeline."""

    __slots__ = ("_attempted", "_before", "_size", "_stream")

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._size = 1
        # The state before the block handed out last; None if there was none since a failure.
        self._before: State | None = None
        # The state before the block pulled last, whatever became of it.
        self._attempted: State | None = None

    def next_block(self) -> Block | None:
        """Return the next elements, or None at the end."""
        self._before = self._attempted = None
        before = self._attempted = self._stream.state()
        started = perf_counter_ns()
        block = self._stream.pull(self._size)
        if block is not None:
            self._adapt(block, perf_counter_ns() - started)
            self._before = before
        return block

    def _adapt(self, block: Block, elapsed_ns: int) -> None:
        """Aim at blocks of the time and memory above, by what an element of this one took."""
        in_time = _BLOCK_NS * block.length // max(elapsed_ns, 1)
        in_memory = _BLOCK_BYTES * block.length // max(block.nbytes, 1)
        self._size = max(1, min(2 * self._size, in_time, in_memory, _MOST_ELEMENTS))

    def state(self, used: int) -> State:
        """Return the state after ``used`` elements of the block handed out last."""
        if self._before is None:
            return self._stream.state()
        before = self._before
        return {**before, "n": before["n"] + used, "skip": before.get("skip", 0) + used}

    def state_before(self) -> State:
        """Return the state before the last attempt: what to go back to if it was interrupted."""
        return self._stream.state() if self._attempted is None else self._attempted

    def close(self) -> None:
        """Free what is held."""
        self._before = None
        self._stream.close()
