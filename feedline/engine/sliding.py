"""sliding: operators that make one element out of each window of neighbours.

A window begins every ``shift`` elements and holds ``size`` of them, ``stride`` apart. What
windows share is read once and held between pulls, as positions in a saved state.
An element that cannot be read has its place among the others, and every window it would
be in fails as it did.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.engine.access import Access, CursorExec
from feedline.engine.exec import State, UnaryExec, count_in
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
        # The place where the next window begins, and the elements held from there on. Places
        # count elements and failures: _lost of the latter. Those held are by distance from start.
        self._start = 0
        self._held: Block | None = None
        self._holes: list[tuple[int, Exception]] = []
        self._lost = 0
        self._ended = False

    def pull(self, limit: int) -> Block | None:
        """Cut the windows that are complete; at the end, those that are not."""
        length = self._fill(limit)
        count = min(limit, self._sliding.full(length) or self._sliding.count(length))
        if not count:
            return None
        if self._holes:
            return self._next_among_holes(length)
        block, start = self._held, self._start
        assert block is not None
        self._advance(count)
        try:
            return self._cut(block, count)
        except SpecError:
            if count == 1:
                raise
        # Elements that do not fit together: each window comes or fails on its own.
        self._held, self._start = block, start
        self._advance(1)
        return self._cut(block, 1)

    def _next_among_holes(self, length: int) -> Block:
        """Cut one window, or raise what a failed element in it raised."""
        length = min(length, self._sliding.span)
        error = next((e for at, e in self._holes if self._takes(at, length)), None)
        window = None if error is not None else self._spread(length)
        self._advance(1)
        if error is not None:
            raise error
        assert window is not None
        return self._cut(window, 1)

    def _takes(self, at: int, length: int) -> bool:
        """Whether the next window has an element at a distance from its start."""
        return at < length and at % self._sliding.stride == 0

    def _spread(self, length: int) -> Block:
        """Return the next ``length`` elements, with any other in the place of one that failed."""
        assert self._held is not None
        places = np.arange(length)
        before = np.searchsorted([at for at, _ in self._holes], places)
        return self._held.take(np.minimum(places - before, self._held.length - 1))

    @property
    def _length(self) -> int:
        return len(self._holes) + (0 if self._held is None else self._held.length)

    def _fill(self, limit: int) -> int:
        """Read until a window is complete or the input ends; return how many places are held."""
        sliding, recall = self._sliding, self._recall
        while not self._ended and not sliding.full(self._length):
            gap = self._start - recall.position - self._lost
            # Elements between windows are passed over, so those windows are read one by one.
            more = 0 if sliding.shift > sliding.span else (limit - 1) * sliding.shift
            try:
                if gap > 0:
                    self._ended = not recall.discard(gap)
                    continue
                block = recall.pull(sliding.span + more - self._length)
            except Exception as error:
                self._lost += 1
                if gap <= 0:
                    self._holes.append((self._length, error))
                continue
            if block is None:
                self._ended = True
            else:
                block = block.read_only()
                self._held = block if self._held is None else _joined(self._held, block)
        return self._length

    def _advance(self, count: int) -> None:
        step = count * self._sliding.shift
        self._start += step
        gone = step - sum(at < step for at, _ in self._holes)
        self._holes = [(at - step, error) for at, error in self._holes if at >= step]
        if self._held is not None:
            length = self._held.length
            self._held = self._held.slice(gone, length) if gone < length else None

    def state(self) -> State:
        """Return where the next window begins, and where to read again what is held of it."""
        held = 0 if self._held is None else self._held.length
        first = self._recall.position - held
        # A failure has no position: it is met on the way from the element before it.
        oldest = first - 1 if self._holes else first
        return {
            "start": self._start,
            "first": first,
            "lost": self._lost,
            "holes": len(self._holes),
            "held": self._recall.state(oldest),
        }

    def restore(self, state: State) -> None:
        """Read what was held."""
        self._start, self._lost = count_in(state, "start"), count_in(state, "lost")
        first = count_in(state, "first")
        met: list[tuple[int, Exception]] = []
        block = self._recall.restore(state["held"], np.arange(first, int(state["held"]["n"])), met)
        self._held = None if block is None else block.read_only()
        holes = met[len(met) - count_in(state, "holes") :]
        self._holes = [(at - first + number, e) for number, (at, e) in enumerate(holes)]


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
