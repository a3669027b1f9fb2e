"""packing: sequences put side by side in rows of fixed length.

Every strategy takes sequences in order and hands out rows; what it still holds it can
tell as positions of sequences, and take back from those sequences read again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Column, Dense
from feedline.ids import Ids, mix
from feedline.ops.sequences import Sequences

__all__ = ["Concat", "FirstFit", "Packer", "Widths"]

_PACK = 0x9AC4


@dataclass(frozen=True, slots=True)
class Widths:
    """How long a row is and what fills it up, for each leaf."""

    lengths: tuple[int, ...]
    fills: tuple[Any, ...]


class Packer(ABC):
    """A strategy: takes sequences, gives columns of rows."""

    def __init__(self, widths: Widths) -> None:
        self.widths = widths

    @abstractmethod
    def add(self, sequences: Sequences, start: int, stop: int, wanted: int) -> int:
        """Take sequences from ``start`` on until ``wanted`` rows are done; return how many."""

    @abstractmethod
    def rows(self, *, rest: bool = False) -> tuple[list[Column], Ids | None] | None:
        """Return the rows that are done, and ``rest``: also those that are not; None if none."""

    @property
    @abstractmethod
    def oldest(self) -> int | None:
        """The first position of a sequence that is held."""

    @abstractmethod
    def held(self) -> list[Any]:
        """Return what is held of which sequences, in a form restore() understands."""

    @staticmethod
    @abstractmethod
    def positions_of(held: list[Any]) -> list[int]:
        """Return the positions of the sequences that ``held`` needs."""

    @abstractmethod
    def restore(self, held: list[Any], sequences: Sequences) -> None:
        """Take back what was held, from the sequences at those positions."""


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
            row.first_id = mix(_PACK, int(sequences.ids[number]), piece)
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


class Concat(Packer):
    """Joins all sequences and cuts them into rows wherever a row is full."""

    def __init__(self, widths: Widths) -> None:
        super().__init__(widths)
        self._width = widths.lengths[0]
        # What is not yet in a row: the joined values of each leaf, and of each sequence among
        # them the length, position, number of values already in rows, and id.
        self._values: list[list[NDArray[Any]]] = [[] for _ in widths.lengths]
        self._lengths = np.empty(0, np.int64)
        self._positions = np.empty(0, np.int64)
        self._offset = 0
        self._ids: Ids | None = None

    def add(self, sequences: Sequences, start: int, stop: int, wanted: int) -> int:
        """Take all: rows are cut when they are handed out."""
        del wanted
        lengths = (sequences.stops[0] - sequences.starts[0])[start:stop]
        some = lengths > 0
        leaves = zip(sequences.values, sequences.starts, sequences.stops, strict=True)
        for held, (values, starts, stops) in zip(self._values, leaves, strict=True):
            held.append(values[starts[start] : stops[stop - 1]])
        self._lengths = np.concatenate([self._lengths, lengths[some]])
        self._positions = np.concatenate([self._positions, sequences.positions[start:stop][some]])
        if sequences.ids is not None:
            before = np.empty(0, np.uint64) if self._ids is None else self._ids
            self._ids = np.concatenate([before, sequences.ids[start:stop][some]])
        return stop - start

    def rows(self, *, rest: bool = False) -> tuple[list[Column], Ids | None] | None:
        """Cut the joined values."""
        width = self._width
        total = int(self._lengths.sum())
        count = -(-total // width) if rest else total // width
        if not count:
            return None
        used = min(count * width, total)
        ends = np.cumsum(self._lengths)
        token = np.arange(used)
        number = np.searchsorted(ends, token, side="right")
        row_start = token - token % width
        start = np.maximum((ends - self._lengths)[number], row_start)
        segments = number - number[row_start] + 1
        columns: list[Column] = []
        for held, fill in zip(self._values, self.widths.fills, strict=True):
            values = np.concatenate(held)
            held[:] = [values[used:]]
            columns += [
                Dense(_filled(values[:used], count, width, fill)),
                Dense(_filled(segments.astype(np.int32), count, width, 0)),
                Dense(_filled((token - start).astype(np.int32), count, width, 0)),
            ]
        heads = number[::width]
        ids = self._row_ids(heads, token[::width] - (ends - self._lengths)[heads])
        self._drop(used, ends)
        return columns, ids

    def _row_ids(self, number: NDArray[np.int64], offset: NDArray[np.int64]) -> Ids | None:
        if self._ids is None:
            return None
        offset = offset + np.where(number == 0, self._offset, 0)
        pairs = zip(self._ids[number].tolist(), offset.tolist(), strict=True)
        return np.array([mix(_PACK, first, at) for first, at in pairs], np.uint64)

    def _drop(self, used: int, ends: NDArray[np.int64]) -> None:
        gone = int(np.searchsorted(ends, used, side="right"))
        begun = used - int(ends[gone - 1] if gone else 0)
        self._offset = begun if gone else self._offset + begun
        self._lengths = self._lengths[gone:].copy()
        if len(self._lengths):
            self._lengths[0] -= begun
        self._positions = self._positions[gone:]
        if self._ids is not None:
            self._ids = self._ids[gone:]

    @property
    def oldest(self) -> int | None:
        """The first."""
        return int(self._positions[0]) if len(self._positions) else None

    def held(self) -> list[Any]:
        """Return the positions, and how much of the first is in rows already."""
        return [self._offset, self._positions.tolist()] if len(self._positions) else []

    @staticmethod
    def positions_of(held: list[Any]) -> list[int]:
        """Those that were saved."""
        return list(held[1]) if held else []

    def restore(self, held: list[Any], sequences: Sequences) -> None:
        """Join them again."""
        self.add(sequences, 0, len(sequences), 0)
        self._offset = int(held[0])
        for values in self._values:
            values[0] = values[0][self._offset :]
        self._lengths[0] -= self._offset


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


def _filled(flat: NDArray[Any], count: int, width: int, fill: Any) -> NDArray[Any]:
    if len(flat) == count * width:
        return flat.reshape(count, width)
    full = np.full(count * width, fill, flat.dtype)
    full[: len(flat)] = flat
    return full.reshape(count, width)
