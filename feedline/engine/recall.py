"""Recall: reading a stream so that what is held of it can be read again after a resume.

An operator that holds elements back (a shuffle buffer, an open window) saves their
positions, never the elements. Recall remembers the state of its stream at some earlier
positions; a resume starts from the last of them before the oldest element held, reads
the elements that were held and goes past the others.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block

if TYPE_CHECKING:
    from feedline.engine.exec import State
    from feedline.engine.stream import Stream

__all__ = ["Recall"]


class Recall:
    """A stream with a memory of where its recent elements came from."""

    __slots__ = ("_anchors", "_gap", "stream")

    def __init__(self, stream: Stream, gap: int = 1) -> None:
        self.stream = stream
        self._gap = gap
        self._anchors: deque[tuple[int, State]] = deque()

    @property
    def position(self) -> int:
        """How many elements were read."""
        return self.stream.position

    def note(self) -> None:
        """Remember where the stream stands, unless that was done shortly before."""
        position = self.stream.position
        if not self._anchors or position - self._anchors[-1][0] >= self._gap:
            self._anchors.append((position, self.stream.state()))

    def pull(self, limit: int) -> Block | None:
        """Return the next 1 to ``limit`` elements, or None at the end."""
        self.note()
        return self.stream.pull(limit)

    def forget_before(self, position: int) -> None:
        """Drop what is needed only for elements before ``position``."""
        while len(self._anchors) > 1 and self._anchors[1][0] <= position:
            self._anchors.popleft()

    def state(self, oldest: int) -> State:
        """Return what is needed to read everything from position ``oldest`` again."""
        if oldest >= self.position:
            return {"n": self.position, "from": self.stream.state()}
        self.forget_before(oldest)
        return {"n": self.position, "from": self._anchors[0][1]}

    def restore(self, state: State, held: NDArray[np.int64]) -> Block | None:
        """Continue after ``state``; return the elements at the positions ``held``, which rise."""
        stream = self.stream
        stream.restore(state["from"])
        self._anchors.append((stream.position, state["from"]))
        blocks = []
        for first, last in _runs(held):
            self._go_to(first)
            while stream.position < last:
                block = stream.pull(last - stream.position)
                assert block is not None, "a source has fewer elements than when it was saved"
                blocks.append(block)
        self._go_to(int(state["n"]))
        return Block.concat(blocks) if blocks else None

    def _go_to(self, position: int) -> None:
        while self.stream.position < position:
            if not self.stream.discard(position - self.stream.position):
                break


def _runs(positions: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return the runs of consecutive numbers in a rising array, as (first, last + 1)."""
    if not len(positions):
        return []
    breaks = np.flatnonzero(np.diff(positions) != 1) + 1
    firsts = positions[np.concatenate([[0], breaks])]
    lasts = positions[np.concatenate([breaks - 1, [len(positions) - 1]])] + 1
    return list(zip(firsts.tolist(), lasts.tolist(), strict=True))
