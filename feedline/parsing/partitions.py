"""partitions: values of records made into rows, as other features of the records say.

Every number in those is checked: rows must be made of all values of their record, in order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.example import INTS, Wanted
from feedline.parsing.failures import Where

__all__ = ["Partition"]

# Rows that one record may have: an id of a row, which empty ones may come before, is no reason
# to believe in any number of them.
_MOST_ROWS = 1 << 24

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Partition:
    """How values are made into rows: by another feature, or by ``length``."""

    how: str
    key: bytes = b""
    length: int = 0

    def wanted(self) -> list[Wanted]:
        """Return what is needed of a record."""
        return [Wanted(self.key, INTS, -1, False)] if self.key else []

    def rows(
        self, numbers: Numbers, splits: Numbers, counts: Numbers, where: Where
    ) -> tuple[Numbers, Numbers]:
        """Return the lengths of all rows, and how many each record has.

        Args:
            numbers: Those of the other feature, of all records.
            splits: Where records begin and end among the numbers.
            counts: How many values each record has.
            where: What errors say.
        """
        if self.how == "UniformRowLength":
            where.check_each(
                counts % self.length == 0,
                self.key or b"UniformRowLength",
                f"rows of {self.length} must be made of a multiple of as many values.",
            )
            rows = counts // self.length
            return np.full(int(rows.sum()), self.length, np.int64), rows
        made: dict[str, Any] = {
            "RowLengths": _of_lengths,
            "RowSplits": _of_splits,
            "RowStarts": _of_starts,
            "RowLimits": _of_limits,
            "ValueRowIds": self._of_ids,
        }
        lengths, rows = made[self.how](numbers, splits, counts, where)
        self._check(lengths, rows, counts, where)
        return lengths, rows

    def _check(self, lengths: Numbers, rows: Numbers, counts: Numbers, where: Where) -> None:
        splits = _splits_of(rows)
        # Numbers that overflow when they are added up are none of these.
        sound = (lengths >= 0) & (lengths <= counts.max(initial=0))
        total = np.concatenate([[0], np.cumsum(np.where(sound, lengths, 0))])
        bad = np.concatenate([[0], np.cumsum(~sound)])
        holds = (total[splits[1:]] - total[splits[:-1]] == counts) & (
            bad[splits[1:]] == bad[splits[:-1]]
        )
        where.check_each(
            holds, self.key, f"as {self.how}, it does not make rows of all values of the record."
        )

    def _of_ids(
        self, numbers: Numbers, splits: Numbers, counts: Numbers, where: Where
    ) -> tuple[Numbers, Numbers]:
        per_record = np.diff(splits)
        inside = np.ones(len(numbers), bool)
        inside[splits[:-1][per_record > 0]] = False
        falls = np.zeros(len(numbers), bool)
        falls[1:] = (numbers[1:] < numbers[:-1]) & inside[1:]
        bad = falls | (numbers < 0) | (numbers >= _MOST_ROWS)
        seen = np.concatenate([[0], np.cumsum(bad)])
        where.check_each(
            (seen[splits[1:]] == seen[splits[:-1]]) & (per_record == counts),
            self.key,
            "as ValueRowIds, it must say of each value in which row it is, and never fall.",
        )
        rows = np.zeros(len(counts), np.int64)
        has = per_record > 0
        rows[has] = numbers[splits[1:][has] - 1] + 1
        ids = numbers + np.repeat(_splits_of(rows)[:-1], per_record)
        return np.bincount(ids, minlength=int(rows.sum())).astype(np.int64), rows


def _of_lengths(
    numbers: Numbers, splits: Numbers, _counts: Numbers, _where: Where
) -> tuple[Numbers, Numbers]:
    return numbers, np.diff(splits)


def _of_splits(
    numbers: Numbers, splits: Numbers, _counts: Numbers, _where: Where
) -> tuple[Numbers, Numbers]:
    per_record = np.diff(splits)
    rows = np.maximum(per_record - 1, 0)
    first = splits[:-1][per_record > 0]
    # Where they do not begin with 0, the rows would not hold all values.
    lengths = _less(numbers, np.concatenate([[0], numbers])[:-1])
    lengths = np.delete(lengths, first)
    if np.any(numbers[first] != 0):
        lengths = np.full_like(lengths, -1)
    return lengths, rows


def _of_starts(
    numbers: Numbers, splits: Numbers, counts: Numbers, _where: Where
) -> tuple[Numbers, Numbers]:
    per_record = np.diff(splits)
    has = per_record > 0
    after = np.concatenate([numbers, [0]])[1:]
    after[splits[1:][has] - 1] = counts[has]
    lengths = _less(after, numbers)
    first = splits[:-1][has]
    lengths[first] = np.where(numbers[first] == 0, lengths[first], -1)
    return lengths, per_record


def _of_limits(
    numbers: Numbers, splits: Numbers, _counts: Numbers, _where: Where
) -> tuple[Numbers, Numbers]:
    per_record = np.diff(splits)
    before = np.concatenate([[0], numbers])[:-1]
    before[splits[:-1][per_record > 0]] = 0
    return _less(numbers, before), per_record


def _less(first: Numbers, second: Numbers) -> Numbers:
    """Return differences, -1 in place of all that are no lengths."""
    sound = (first >= second) & (second >= 0)
    return np.where(sound, first - np.where(sound, second, 0), -1)


def _splits_of(lengths: Numbers) -> Numbers:
    splits = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=splits[1:])
    return splits
