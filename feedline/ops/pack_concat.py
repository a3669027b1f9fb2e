"""pack_concat: sequences joined, and cut wherever a row is full."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Column, Dense
from feedline.ids import Ids, mix
from feedline.ops.packing import PACK_ID, Packer, Widths
from feedline.ops.sequences import Sequences

__all__ = ["Concat"]


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
        return np.array([mix(PACK_ID, first, at) for first, at in pairs], np.uint64)

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


def _filled(flat: NDArray[Any], count: int, width: int, fill: Any) -> NDArray[Any]:
    if len(flat) == count * width:
        return flat.reshape(count, width)
    full = np.full(count * width, fill, flat.dtype)
    full[: len(flat)] = flat
    return full.reshape(count, width)
