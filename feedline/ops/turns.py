"""turns: the order in which elements of several files come when files are read in turn.

Between the ends of files the turns repeat themselves, so a few numbers for every stretch between
them say where any element is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["Turns"]

Numbers = NDArray[np.int64]


class Turns:
    """Files of known lengths, ``cycle_length`` of them read in turn, an element of each.

    As interleave() has it: a file that is found to have ended loses its turn, and the next
    file takes its place when that turn comes again.

    Example:
        >>> files, elements = Turns([2, 1, 2], 2).places(np.arange(5))
        >>> files.tolist(), elements.tolist()
        ([0, 1, 0, 2, 2], [0, 0, 1, 0, 1])
    """

    def __init__(self, lengths: Sequence[int], cycle_length: int) -> None:
        self._lengths = lengths
        stretches = _stretches(lengths, max(cycle_length, 1))
        widths = [len(files) for _, files, _ in stretches]
        sizes = [rounds * width for (rounds, _, _), width in zip(stretches, widths, strict=True)]
        # Where every stretch begins among the elements, and where its row is in the lists below.
        self._starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)
        self._rows = np.concatenate([[0], np.cumsum(widths, dtype=np.int64)]).astype(np.int64)
        self._files = np.array([n for _, files, _ in stretches for n in files], np.int64)
        self._firsts = np.array([n for *_, firsts in stretches for n in firsts], np.int64)

    def __len__(self) -> int:
        return int(self._starts[-1])

    def places(self, index: Numbers) -> tuple[Numbers, Numbers]:
        """Return for elements of the whole which files they are in, and which they are there."""
        stretch = np.searchsorted(self._starts, index, side="right") - 1
        inside = index - self._starts[stretch]
        rows, widths = self._rows[stretch], np.diff(self._rows)[stretch]
        slot = rows + inside % widths
        return self._files[slot], self._firsts[slot] + inside // widths


def _stretches(lengths: Sequence[int], cycle_length: int) -> list[tuple[int, list[int], list[int]]]:
    """Return (rounds, the files that have a turn, the first element of each) one by one."""
    if cycle_length == 1:
        return [(length, [number], [0]) for number, length in enumerate(lengths) if length]
    found: list[tuple[int, list[int], list[int]]] = []
    slots: list[tuple[int, int] | None] = [None] * cycle_length  # the file, and how far it is
    coming = iter(range(len(lengths)))
    is_over = False
    while not is_over or any(slots):
        # One round, as it happens to be; then as many like it as no file ends in.
        files, firsts = [], []
        for turn, slot in enumerate(slots):
            if slot is None and not is_over:
                number = next(coming, None)
                is_over = number is None
                slot = None if number is None else (number, 0)
            if slot is not None and slot[1] < lengths[slot[0]]:
                files.append(slot[0])
                firsts.append(slot[1])
                slots[turn] = (slot[0], slot[1] + 1)
            else:
                slots[turn] = None
        if not files:
            continue
        more = min(lengths[slot[0]] - slot[1] for slot in slots if slot is not None)
        if not is_over and any(slot is None for slot in slots):
            more = 0
        found.append((1 + more, files, firsts))
        slots = [slot and (slot[0], slot[1] + more) for slot in slots]
    return found
