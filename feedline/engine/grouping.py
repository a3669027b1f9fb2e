"""grouping: operators that make one element out of each run of n."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.buffers import Buffers
from feedline.engine.access import Access
from feedline.engine.exec import State, UnaryExec, count_in
from feedline.engine.parts import Parts
from feedline.errors import SpecError
from feedline.places import Places

if TYPE_CHECKING:
    from feedline.engine.stream import Stream

__all__ = ["GroupAccess", "GroupingExec", "batch_memory"]

# What is not copied to have it in one piece with more.
_MUCH = 1 << 20
# Memory of batches that are larger goes back to the system each time.
_LARGEST_KEPT = 1 << 27
# Batches that are being filled, those that are ready, and those in hand.
_MOST_KEPT = 8
# What is kept for the next iteration.
_KEPT_BYTES = 1 << 27


def batch_memory() -> Buffers:
    """Return memory for batches that is used again."""
    return Buffers(_LARGEST_KEPT, _MOST_KEPT)


class GroupingExec(UnaryExec):
    """Reads ``size`` elements per element it returns; many of these at once.

    Nothing is held between pulls, except after a failure, so that everything comes out
    as if each group had been read alone. If elements do not fit together, the groups of
    that read are made one by one. If an element cannot be read, the whole groups before
    it come out first, and those read of its own group are dropped with it.

    ``keeps_places``: a failing element still takes up its place, so that its whole group
    is dropped and all others are the same as without the failure.

    ``memory``: used again for large groups; that of an iteration before.
    """

    def __init__(
        self,
        stream: Stream,
        size: int,
        drop_remainder: bool,
        keeps_places: bool = False,
        memory: Buffers | None = None,
    ) -> None:
        super().__init__(stream)
        self._keeps_places = keeps_places
        self._size = size
        self._drop_remainder = drop_remainder
        # After a failure: elements read and not yet grouped, the exception to raise after
        # them, the state before the whole read, and how many elements of it are grouped.
        self._rest: Block | None = None
        self._error: Exception | None = None
        self._before: State = {}
        self._done = 0
        self._buffers = batch_memory() if memory is None else memory
        self._places = Places(size, self._buffers)
        stream.offer_places(self._places)
        stream.group_by(size)

    def group(self, block: Block, first: int) -> Block:
        """Return the groups of a block; ``first`` is its first element's position."""
        raise NotImplementedError

    def pull(self, limit: int) -> Block | None:
        """Return up to ``limit`` groups."""
        if self._rest is not None:
            return self._next_of_rest()
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        self._before, self._done = self.input.state(), 0
        block = self._read(limit * self._size)
        if block is None:
            return None
        remainder = block.length % self._size
        if remainder and self._drop_remainder:
            if block.length == remainder:
                return None
            block = block.slice(0, block.length - remainder)
        try:
            grouped = self.group(block, self._first())
        except SpecError:
            if block.length <= self._size:
                self._done = block.length
                raise
            self._rest = block
            return self._next_of_rest()
        self._done = block.length
        return grouped

    def _first(self) -> int:
        return int(self._before["n"]) + self._done

    def _read(self, count: int) -> Block | None:
        batch, row = divmod(int(self._before["n"]), self._size)
        is_one = count == self._size and not row
        parts = Parts(
            count, self._buffers, partial(self._places.whole_of, batch) if is_one else None
        )
        try:
            while parts.length < count and (block := self._next_part(parts, count)):
                parts.add(block)
        except Exception as error:
            begun = parts.length % self._size
            if self._keeps_places:
                self._drop(self._size - begun - 1)
            whole = parts.length - begun
            if not whole:
                raise
            self._error = error
            read = parts.joined()
            return None if read is None else read.slice(0, whole)
        self._places.let_go(batch)
        return parts.joined()

    def _next_part(self, parts: Parts, count: int) -> Block | None:
        """Return more elements of ``count``; None if there are none, or those before are enough.

        Joining many whole groups to others would copy them: they come as they lie.
        """
        wanted = count - parts.length
        if begun := parts.length % self._size:
            return self.input.pull(self._size - begun, wanted)
        if parts.length and _is_much(parts, parts.length, count):
            return None
        self.input.fill(wanted)
        whole = min(self.input.buffered // self._size * self._size, wanted)
        if parts.length and _is_much(parts, whole, count):
            return None
        return self.input.pull(whole or wanted)

    def _drop(self, places: int) -> None:
        while places > 0:
            try:
                block = self.input.pull(places)
            except Exception:
                places -= 1
                continue
            if block is None:
                break
            places -= block.length

    def _next_of_rest(self) -> Block:
        block, first = self._rest, self._first()
        assert block is not None
        self._done += self._size
        self._rest = block.slice(self._size, block.length) if block.length > self._size else None
        return self.group(block.slice(0, self._size), first)

    def skip(self, count: int) -> int:
        """Go past whole groups of the input."""
        if self._rest is not None or self._error is not None:
            return super().skip(count)
        gone = self.input.discard(count * self._size)
        whole, remainder = divmod(gone, self._size)
        return whole + (1 if remainder and not self._drop_remainder else 0)

    def close(self) -> None:
        """Keep some memory for the next iteration."""
        super().close()
        self._rest = None
        self._buffers.trim(_KEPT_BYTES)

    def state(self) -> State:
        """Point before what was read and is not yet out."""
        if self._rest is None and self._error is None:
            return {"in": [self.input.state()]}
        return {"in": [self._before], "done": self._done}

    def resume(self, counters: State) -> None:
        """Go past what was grouped already."""
        if done := count_in(counters, "done", missing=0):
            self.input.discard(done)


def _is_much(parts: Parts, length: int, count: int) -> bool:
    """Whether so many elements are better not joined with others, by the size of those there."""
    return 2 * length >= count or parts.nbytes * length >= _MUCH * parts.length


class GroupAccess(Access):
    """Any group, from the elements that belong to it."""

    def __init__(
        self,
        inner: Access,
        size: int,
        drop_remainder: bool,
        group: Callable[[Block, int], Block],
    ) -> None:
        self._inner = inner
        self._size = size
        self._group = group
        self._length = len(inner) // size if drop_remainder else -(-len(inner) // size)
        self.calls_user = inner.calls_user

    def __len__(self) -> int:
        return self._length

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return the groups at ``index``; a short last one may stand among them."""
        return Block.concat([self.run(i, i + 1) for i in index.tolist()])

    def run(self, start: int, stop: int) -> Block:
        """Return consecutive groups."""
        first = start * self._size
        return self._group(self._inner.run(first, min(stop * self._size, len(self._inner))), first)
