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
from feedline.engine.exec import count_in
from feedline.errors import CheckpointError

if TYPE_CHECKING:
    from feedline.engine.exec import State
    from feedline.engine.stream import Stream

__all__ = ["Recall"]


class Recall:
    """A stream with a memory of where its recent elements came from."""

    __slots__ = ("_anchors", "_failures", "_gap", "stream")

    def __init__(self, stream: Stream, gap: int = 1) -> None:
        self.stream = stream
        self._gap = gap
        self._anchors: deque[tuple[int, State]] = deque()
        # Positions at which reading failed: a resume that passes there fails again.
        self._failures: list[int] = []

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
        try:
            return self.stream.pull(limit)
        except Exception:
            self._failures.append(self.stream.position)
            raise

    def give_back(self, count: int) -> None:
        """Undo the handing out of the last ``count`` elements of the last pull."""
        self.stream.give_back(count)

    def discard(self, count: int) -> int:
        """Go past up to ``count`` elements; return how many there were."""
        self.note()
        try:
            return self.stream.discard(count)
        except Exception:
            self._failures.append(self.stream.position)
            raise

    def forget_before(self, position: int) -> None:
        """Drop what is needed only for elements before ``position``."""
        while len(self._anchors) > 1 and self._anchors[1][0] <= position:
            self._anchors.popleft()

    def state(self, oldest: int, fails_again: bool = False) -> State:
        """Return what is needed to read everything from position ``oldest`` again.

        With ``fails_again`` the last reading failed, and is to fail once more after a resume.
        """
        if oldest >= self.position and not fails_again:
            self._anchors.clear()
            self._failures.clear()
            return {"n": self.position, "from": self.stream.state()}
        self.forget_before(oldest)
        start, anchor = self._anchors[0]
        state = {"n": self.position, "from": anchor}
        self._failures = [position for position in self._failures if position >= start]
        passed = len(self._failures) - fails_again
        if passed:
            state["failed"] = passed
        return state

    def restore(
        self,
        state: State,
        held: NDArray[np.int64],
        met: list[tuple[int, Exception]] | None = None,
    ) -> Block | None:
        """Continue after ``state``; return the elements at the positions ``held``, which rise.

        Failures that were met before the state was saved are passed over again, and added
        to ``met`` with their positions.
        """
        self.begin(state)
        return self.read_again(state, held, met)

    def begin(self, state: State) -> None:
        """Go where reading again starts: the first half of restore()."""
        self.stream.restore(state["from"])
        self._anchors.append((self.stream.position, state["from"]))

    def read_again(
        self,
        state: State,
        held: NDArray[np.int64],
        met: list[tuple[int, Exception]] | None = None,
    ) -> Block | None:
        """Return the elements at the positions ``held``: the second half of restore()."""
        stream = self.stream
        failed = failures = int(state.get("failed", 0))
        blocks = []
        end = count_in(state, "n")
        for first, last in [*_runs(held), (end, end)]:
            while stream.position < last:
                try:
                    if stream.position < first and not failed:
                        passed = stream.discard(first - stream.position)
                    elif stream.position < first:
                        # Only computing tells which elements failed and have no position.
                        block = stream.pull(first - stream.position)
                        passed = 0 if block is None else block.length
                    else:
                        block = stream.pull(last - stream.position)
                        passed = 0 if block is None else block.length
                        blocks += [] if block is None else [block]
                    if not passed:
                        raise CheckpointError(
                            f"the input ends after {stream.position} elements, but "
                            f"{end} were read when the state was saved."
                        )
                except CheckpointError:
                    raise
                except Exception as error:
                    if not failures:
                        raise
                    failures -= 1
                    self._meet(error, met)
        self._pass_failures(failures, met)
        return Block.concat(blocks) if blocks else None

    def _pass_failures(self, count: int, met: list[tuple[int, Exception]] | None) -> None:
        """Pass over the failures that came after the last element read."""
        for _ in range(count):
            try:
                block = self.stream.pull(1)
            except Exception as error:
                self._meet(error, met)
            else:
                self.stream.give_back(0 if block is None else block.length)
                return

    def _meet(self, error: Exception, met: list[tuple[int, Exception]] | None) -> None:
        self._failures.append(self.stream.position)
        if met is not None:
            met.append((self.stream.position, error))


def _runs(positions: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return the runs of consecutive numbers in a rising array, as (first, last + 1)."""
    if not len(positions):
        return []
    breaks = np.flatnonzero(np.diff(positions) != 1) + 1
    firsts = positions[np.concatenate([[0], breaks])]
    lasts = positions[np.concatenate([breaks - 1, [len(positions) - 1]])] + 1
    return list(zip(firsts.tolist(), lasts.tolist(), strict=True))
