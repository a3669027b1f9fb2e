"""sliding: operators that make one element out of each window of neighbours.

A window begins every ``shift`` elements and holds ``size`` of them, ``stride`` apart. What
windows share is read once and held between pulls, as positions in a saved state.
A window is cut as soon as its last element is there, so that an exception from the input
comes after every window that was complete before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.engine.access import Access, CursorExec
from feedline.engine.exec import State, UnaryExec
from feedline.engine.recall import Recall
from feedline.errors import SpecError

if TYPE_CHECKING:
    from feedline.engine.stream import Stream

__all__ = ["Cut", "Sliding", "SlidingAccess", "SlidingCursorExec", "SlidingExec"]

# Makes an element of each of the first ``count`` windows of a block nobody may change. Only
# where the input ends may the block be too short for them.
Cut = Callable[[Block, int], Block]


@dataclass(frozen=True, slots=True)
class Sliding:
    """Where windows lie."""

    size: int
    shift: int
    stride: int
    drop_remainder: bool

    @property
    def span(self) -> int:
        """From a window's first element to its last."""
        return (self.size - 1) * self.stride + 1

    def full(self, length: int) -> int:
        """Return how many windows are complete within ``length`` elements."""
        return 0 if length < self.span else (length - self.span) // self.shift + 1

    def count(self, length: int) -> int:
        """Return how many windows there are if the input has ``length`` elements."""
        return self.full(length) if self.drop_remainder else -(-length // self.shift)


class SlidingExec(UnaryExec):
    """Reads a stream and holds what the next window needs again."""

    def __init__(self, stream: Stream, sliding: Sliding, cut: Cut) -> None:
        super().__init__(stream)
        self._recall = Recall(stream, gap=max(1, sliding.span // 4))
        self._sliding = sliding
        self._cut = cut
        # The position where the next window begins, and the elements held from there on.
        self._start = 0
        self._held: Block | None = None
        self._ended = False

    def pull(self, limit: int) -> Block | None:
        """Cut the windows that are complete; at the end, those that are not."""
        sliding = self._sliding
        length = self._fill(limit)
        count = sliding.full(length) or sliding.count(length)
        if not count:
            return None
        assert self._held is not None
        block = self._held
        try:
            return self._go(block, min(limit, count))
        except SpecError:
            self._start, self._held = self._recall.position - length, block
            if min(limit, count) == 1:
                self._advance(1)
                raise
        # Elements that do not fit together: each window comes or fails on its own.
        return self._go(block, 1)

    def _fill(self, limit: int) -> int:
        """Read until a window is complete or the input ends; return how many elements are held."""
        sliding, recall = self._sliding, self._recall
        while not self._ended:
            length = 0 if self._held is None else self._held.length
            if sliding.full(length):
                return length
            if recall.position < self._start:
                self._ended = not recall.discard(self._start - recall.position)
                continue
            # Elements between windows are passed over, so those windows are read one by one.
            more = 0 if sliding.shift > sliding.span else (limit - 1) * sliding.shift
            block = recall.pull(sliding.span + more - length)
            if block is None:
                self._ended = True
            else:
                block = block.read_only()
                self._held = block if self._held is None else _joined(self._held, block)
        return 0 if self._held is None else self._held.length

    def _go(self, block: Block, count: int) -> Block:
        self._advance(count)
        return self._cut(block, count)

    def _advance(self, count: int) -> None:
        assert self._held is not None
        step = count * self._sliding.shift
        self._start += step
        length = self._held.length
        self._held = self._held.slice(step, length) if step < length else None

    def state(self) -> State:
        """Return where the next window begins, and where to read again what is held of it."""
        oldest = min(self._start, self._recall.position)
        return {"start": self._start, "held": self._recall.state(oldest)}

    def restore(self, state: State) -> None:
        """Read what was held."""
        self._start = int(state["start"])
        held = np.arange(self._start, int(state["held"]["n"]))
        block = self._recall.restore(state["held"], held)
        self._held = None if block is None else block.read_only()


def _joined(held: Block, block: Block) -> Block:
    return Block.concat([held, block]).read_only()


class SlidingAccess(Access):
    """Any window, from the elements that belong to it."""

    def __init__(self, inner: Access, sliding: Sliding, cut: Cut) -> None:
        self._inner = inner
        self._sliding = sliding
        self._cut = cut
        self._length = sliding.count(len(inner))
        self.calls_user = inner.calls_user

    def __len__(self) -> int:
        return self._length

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return the windows at ``index``."""
        return Block.concat([self.run(i, i + 1) for i in index.tolist()])

    def run(self, start: int, stop: int) -> Block:
        """Return consecutive windows: views of one run of elements."""
        sliding = self._sliding
        if stop - start > 1 and sliding.shift > 2 * sliding.span:
            return self.gather(np.arange(start, stop))  # do not read what lies between
        first = start * sliding.shift
        last = min(first + (stop - start - 1) * sliding.shift + sliding.span, len(self._inner))
        return self._cut(self._inner.run(first, last).read_only(), stop - start)


class SlidingCursorExec(CursorExec):
    """Reads windows by index; where elements do not fit together, one by one."""

    def pull(self, limit: int) -> Block | None:
        """Return the next windows."""
        at = self._at
        try:
            return super().pull(limit)
        except SpecError:
            if self._at == at + 1:
                raise
            self._at = at
        return super().pull(1)
