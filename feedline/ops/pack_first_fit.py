"""pack_first_fit: sequences kept whole, each in the first row that has room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Column, Dense
from feedline.ids import Ids, mix
from feedline.ops.packing import PACK_ID, Packer, Widths
from feedline.ops.sequences import Sequences

__all__ = ["FirstFit"]


@dataclass(slots=True)
class _Bin:
    """A row being filled: the pieces of sequences in it, for each leaf."""

    pieces: list[list[NDArray[Any]]]
    # For each piece the position of its sequence, and which piece of that it is.
    held: list[tuple[int, int]] = field(default_factory=list)
    first_id: int = 0


class FirstFit(Packer):
    """Puts each sequence in the first of ``num_bins`` rows that has room; the fullest gives way."""

    def __init__(self, widths: Widths, num_bins: int) -> None:
        super().__init__(widths)
        self._num_bins = num_bins
        self._bins: list[_Bin] = []
        # For each leaf, the room left in each bin.
        self._room: list[list[int]] = [[] for _ in widths.lengths]
        self._done: list[_Bin] = []
        self._has_ids = False

    def add(self, sequences: Sequences, start: int, stop: int, wanted: int) -> int:
        """Place one sequence after the other; one too long for a row, piece by piece."""
        lengths = self.widths.lengths
        self._has_ids = sequences.ids is not None
        for number, where in enumerate(_bounds(sequences, start, stop)):
            if len(self._done) >= wanted:
                return number
            count = max([-(-(b - a) // n) for (a, b), n in zip(where, lengths, strict=True)])
            for piece in range(count):
                self._place(sequences, start + number, piece, where)
        return stop - start

    def _place(
        self, sequences: Sequences, number: int, piece: int, where: tuple[tuple[int, int], ...]
    ) -> None:
        parts = [
            values[a + piece * n : min(a + piece * n + n, b)]
            for values, (a, b), n in zip(sequences.values, where, self.widths.lengths, strict=True)
        ]
        at = self._first_with_room([len(part) for part in parts])
        row = self._bins[at]
        if not row.held and sequences.ids is not None:
            row.first_id = mix(PACK_ID, int(sequences.ids[number]), piece)
        row.held.append((int(sequences.positions[number]), piece))
        is_full = True
        for part, pieces, room in zip(parts, row.pieces, self._room, strict=True):
            pieces.append(part)
            room[at] -= len(part)
            is_full = is_full and not room[at]
        if is_full:
            self._finish(at)

    def _first_with_room(self, sizes: list[int]) -> int:
        size, *others = sizes
        rooms, *other_rooms = self._room
        for at, room in enumerate(rooms):
            if room >= size:
                pairs = zip(others, other_rooms, strict=True)
                if not others or all(other[at] >= n for n, other in pairs):
                    return at
        if len(rooms) == self._num_bins:
            left = [sum(room) for room in zip(*self._room, strict=True)]
            self._finish(left.index(min(left)))
        self._open()
        return len(rooms) - 1

    def _open(self) -> None:
        self._bins.append(_Bin([[] for _ in self._room]))
        for room, length in zip(self._room, self.widths.lengths, strict=True):
            room.append(length)

    def _finish(self, at: int) -> None:
        self._done.append(self._bins.pop(at))
        for room in self._room:
            del room[at]

    def rows(self, *, rest: bool = False) -> tuple[list[Column], Ids | None] | None:
        """Return the rows that are done; at the end all, the oldest first."""
        while rest and self._bins:
            self._finish(0)
        done, self._done = self._done, []
        if not done:
            return None
        columns: list[Column] = []
        for leaf, (length, fill) in enumerate(
            zip(self.widths.lengths, self.widths.fills, strict=True)
        ):
            columns += _side_by_side([row.pieces[leaf] for row in done], length, fill)
        ids = np.array([row.first_id for row in done], np.uint64) if self._has_ids else None
        return columns, ids

    @property
    def oldest(self) -> int | None:
        """Pieces were put in a row in order."""
        return min((row.held[0][0] for row in self._bins), default=None)

    def held(self) -> list[Any]:
        """Return for each row its pieces."""
        return [row.held.copy() for row in self._bins]

    @staticmethod
    def positions_of(held: list[Any]) -> list[int]:
        """A sequence may have pieces in several rows."""
        return sorted({position for row in held for position, _ in row})

    def restore(self, held: list[Any], sequences: Sequences) -> None:
        """Fill the same rows."""
        bounds = list(_bounds(sequences, 0, len(sequences)))
        number_of = {position: n for n, position in enumerate(sequences.positions.tolist())}
        self._has_ids = sequences.ids is not None
        for saved in held:
            # Alone, so that everything goes into this row.
            others = self._bins, self._room
            self._bins, self._room = [], [[] for _ in self._room]
            for position, piece in saved:
                number = number_of[position]
                self._place(sequences, number, piece, bounds[number])
            self._bins = others[0] + self._bins
            self._room = [a + b for a, b in zip(others[1], self._room, strict=True)]


def _bounds(sequences: Sequences, start: int, stop: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield for each sequence where it starts and stops in the values of each leaf."""
    leaves = zip(sequences.starts, sequences.stops, strict=True)
    pairs = [zip(a[start:stop].tolist(), b[start:stop].tolist(), strict=True) for a, b in leaves]
    return zip(*pairs, strict=True)


def _side_by_side(rows: Sequence[list[NDArray[Any]]], length: int, fill: Any) -> list[Column]:
    """Return columns of values, segment numbers and positions."""
    dtype = rows[0][0].dtype
    values = np.full((len(rows), length), fill, dtype)
    segments = np.zeros((len(rows), length), np.int32)
    positions = np.zeros((len(rows), length), np.int32)
    ramp = np.arange(length, dtype=np.int32)
    for row, pieces in enumerate(rows):
        start = 0
        for segment, piece in enumerate(pieces, 1):
            stop = start + len(piece)
            values[row, start:stop] = piece
            segments[row, start:stop] = segment
            positions[row, start:stop] = ramp[: stop - start]
            start = stop
    return [Dense(values), Dense(segments), Dense(positions)]
