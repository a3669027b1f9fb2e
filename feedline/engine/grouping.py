"""GroupingExec: operators that make one element out of each run of n."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.block import Block
from feedline.engine.exec import State, UnaryExec
from feedline.errors import SpecError

if TYPE_CHECKING:
    from feedline.engine.stream import Stream

__all__ = ["GroupingExec"]


class GroupingExec(UnaryExec):
    """Reads ``size`` elements per element it returns; many of these at once.

    Nothing is held between pulls, except after elements that do not fit together: then
    the batches of that read are made one by one, so that those before and after the bad
    one come out as if each had been read alone.
    """

    def __init__(self, stream: Stream, size: int, drop_remainder: bool) -> None:
        super().__init__(stream)
        self._size = size
        self._drop_remainder = drop_remainder
        # Elements read and not yet grouped, the state before them, and how many of them are done.
        self._rest: Block | None = None
        self._before: State = {}
        self._done = 0

    def group(self, block: Block, first: int) -> Block:
        """Return the groups of a block; ``first`` is its first element's position."""
        raise NotImplementedError

    def pull(self, limit: int) -> Block | None:
        """Return up to ``limit`` groups."""
        if self._rest is not None:
            return self._next_of_rest()
        before = self.input.state()
        block = self.input.read(limit * self._size)
        if block is None:
            return None
        remainder = block.length % self._size
        if remainder and self._drop_remainder:
            if block.length == remainder:
                return None
            block = block.slice(0, block.length - remainder)
        try:
            return self.group(block, self.input.position - block.length)
        except SpecError:
            if block.length <= self._size:
                raise
            self._rest, self._before, self._done = block, before, 0
            return self._next_of_rest()

    def _next_of_rest(self) -> Block:
        assert self._rest is not None
        block, start = self._rest, self._done
        first = self.input.position - block.length + start
        self._done = start + self._size
        if self._done >= block.length:
            self._rest = None
        return self.group(block.slice(start, start + self._size), first)

    def skip(self, count: int) -> int:
        """Go past whole groups of the input."""
        if self._rest is not None:
            return super().skip(count)
        gone = self.input.discard(count * self._size)
        whole, remainder = divmod(gone, self._size)
        return whole + (1 if remainder and not self._drop_remainder else 0)

    def state(self) -> State:
        """Point before the elements that are read and not yet grouped."""
        if self._rest is None:
            return {"in": [self.input.state()]}
        return {"in": [self._before], "done": self._done}

    def resume(self, counters: State) -> None:
        """Go past what was grouped already."""
        self.input.discard(int(counters.get("done", 0)))
