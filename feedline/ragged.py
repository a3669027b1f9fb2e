"""ragged: RaggedTensor, a value whose rows differ in length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError
from feedline.namespace import open_namespace
from feedline.narrow import array_of_data

__all__ = ["RaggedTensor", "constant", "stack"]


@dataclass(frozen=True, slots=True, eq=False)
class RaggedTensor:
    """Rows of different lengths: row ``i`` is ``values[row_splits[i]:row_splits[i + 1]]``.

    ``values`` is an array, or another RaggedTensor if rows are ragged themselves.

    Example:
        >>> t = RaggedTensor.from_row_lengths([1, 2, 3], [2, 0, 1])
        >>> t.to_list()
        [[1, 2], [], [3]]
    """

    __feedline_leaf__: ClassVar[bool] = True

    values: NDArray[Any] | RaggedTensor
    row_splits: NDArray[Any]

    @staticmethod
    def from_row_splits(values: Any, row_splits: Any) -> RaggedTensor:
        """Return rows cut out of ``values`` at ``row_splits``."""
        inner = values if isinstance(values, RaggedTensor) else array_of_data(values)
        splits = np.asarray(row_splits)
        if splits.dtype.kind not in "iu":
            splits = splits.astype(np.int64)
        if len(splits) == 0 or splits[0] != 0 or splits[-1] != len(inner):
            raise BuildError(
                "RaggedTensor: row_splits must begin with 0 and end with "
                f"len(values) = {len(inner)}, got {splits.tolist()}."
            )
        if (np.diff(splits) < 0).any():
            raise BuildError(f"RaggedTensor: row_splits must not fall, got {splits.tolist()}.")
        return RaggedTensor(inner, splits)

    @staticmethod
    def from_row_lengths(values: Any, row_lengths: Any) -> RaggedTensor:
        """Return rows of the given lengths cut out of ``values``."""
        lengths = np.asarray(row_lengths, np.int64)
        return RaggedTensor.from_row_splits(values, np.concatenate([[0], np.cumsum(lengths)]))

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the innermost values."""
        return self.values.dtype

    @property
    def flat_values(self) -> NDArray[Any]:
        """The innermost values as one array."""
        inner = self.values
        return inner.flat_values if isinstance(inner, RaggedTensor) else inner

    @property
    def nested_row_splits(self) -> tuple[NDArray[Any], ...]:
        """The row splits, outermost first."""
        inner = self.values
        rest = inner.nested_row_splits if isinstance(inner, RaggedTensor) else ()
        return (self.row_splits, *rest)

    @property
    def ragged_rank(self) -> int:
        """How many axes have rows of different lengths."""
        return len(self.nested_row_splits)

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The shape, with None where lengths differ."""
        inner = self.values.shape[1:]
        return (len(self), None, *inner)

    def row_lengths(self) -> NDArray[Any]:
        """Return the length of each row."""
        return np.diff(self.row_splits)

    def nrows(self) -> int:
        """Return the number of rows."""
        return len(self)

    def __len__(self) -> int:
        return len(self.row_splits) - 1

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                raise BuildError(f"RaggedTensor: a slice must have step 1, got {step}.")
            stop = max(start, stop)
            splits = self.row_splits[start : stop + 1]
            inner = self.values[int(splits[0]) : int(splits[-1])]
            return RaggedTensor(inner, splits - splits[0])
        row = range(len(self))[index]
        return self.values[int(self.row_splits[row]) : int(self.row_splits[row + 1])]

    def __iter__(self) -> Iterator[Any]:
        return (self[row] for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RaggedTensor)
            and self.dtype == other.dtype
            and len(self.nested_row_splits) == len(other.nested_row_splits)
            and all(map(np.array_equal, self.nested_row_splits, other.nested_row_splits))
            and np.array_equal(self.flat_values, other.flat_values)
        )

    __hash__ = None  # type: ignore[assignment]

    def to_list(self) -> list[Any]:
        """Return nested Python lists."""
        return [row.to_list() if isinstance(row, RaggedTensor) else row.tolist() for row in self]

    def to_tensor(self, default_value: Any = None) -> NDArray[Any]:
        """Return a dense array, rows filled up with ``default_value`` (zero)."""
        rows = [r.to_tensor(default_value) if isinstance(r, RaggedTensor) else r for r in self]
        inner = [max((row.shape[i] for row in rows), default=0) for i in range(_rank(self) - 1)]
        if default_value is None:
            default_value = b"" if self.dtype == object else np.zeros((), self.dtype)
        dense = np.full((len(rows), *inner), default_value, self.dtype)
        for number, row in enumerate(rows):
            where: tuple[Any, ...] = (number, *(slice(n) for n in row.shape))
            dense[where] = row
        return dense


def _rank(value: RaggedTensor) -> int:
    return len(value.nested_row_splits) + value.flat_values.ndim


def stack(rows: Sequence[Any], splits_dtype: Any = np.int64) -> RaggedTensor:
    """Return the ragged value whose rows are these arrays or ragged values."""
    lengths = [len(row) for row in rows]
    return RaggedTensor(_concat(rows, splits_dtype), _splits_of(lengths, splits_dtype))


def _concat(parts: Sequence[Any], splits_dtype: Any) -> Any:
    if not any(isinstance(part, RaggedTensor) for part in parts):
        return np.concatenate(parts)
    rows = [part if isinstance(part, RaggedTensor) else _rows_of(part) for part in parts]
    lengths = np.concatenate([row.row_lengths() for row in rows])
    inner = _concat([row.values for row in rows], splits_dtype)
    return RaggedTensor(inner, _splits_of(lengths, splits_dtype))


def _rows_of(array: NDArray[Any]) -> RaggedTensor:
    """Return an array as rows that happen to be equally long."""
    length, width, *rest = array.shape
    return RaggedTensor(array.reshape(length * width, *rest), np.arange(length + 1) * width)


def _splits_of(lengths: Any, splits_dtype: Any) -> NDArray[Any]:
    splits = np.zeros(len(lengths) + 1, splits_dtype)
    np.cumsum(lengths, out=splits[1:])
    return splits


def constant(pylist: Any, dtype: Any = None, row_splits_dtype: Any = np.int64) -> Any:
    """Return nested lists as a RaggedTensor, or as an array if they are only one deep.

    Python integers become int32 and floats float32, as everywhere data enters.

    Example:
        >>> constant([[1, 2], [3]]).row_lengths().tolist()
        [2, 1]
    """
    flat: list[Any] = list(pylist)
    all_splits = []
    while any(isinstance(item, (list, tuple, np.ndarray)) for item in flat):
        all_splits.append(_splits_of([len(item) for item in flat], row_splits_dtype))
        flat = [leaf for item in flat for leaf in item]
    value: Any = array_of_data(flat, dtype)
    for splits in reversed(all_splits):
        value = RaggedTensor(value, splits)
    return value


open_namespace(globals())
