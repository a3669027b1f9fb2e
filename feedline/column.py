"""column: one leaf's values over a run of elements.

Dense    one array (n, *shape)
Ragged   values and row splits, for arrays that differ in their first axis alone
Bytes    one buffer and offsets, for byte strings
Strings  the same with row splits, for arrays of byte strings with one axis
Objects  a list, for everything else

A writable array inside a column belongs to that column's block alone. What is shared
with a user's array, a cache or an overlapping window is marked read-only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.byte_rows import Empty
from feedline.kernels.ragged_take import ragged_take
from feedline.kernels.stack_rows import stack_rows
from feedline.kernels.text_rows import bytes_rows
from feedline.leaf import as_leaf, in_native_order, stack_leaves
from feedline.splits import cut_rows, joined_rows
from feedline.values.tensor import as_plain, numbers_of, tensor_rows

__all__ = [
    "Bytes",
    "Column",
    "Dense",
    "Objects",
    "Ragged",
    "Strings",
    "column_of",
    "column_of_slices",
    "concat_columns",
]


class Column(ABC):
    """The values of one leaf, one per element."""

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int: ...

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """About how much memory the values take; views of what others hold take none."""

    @abstractmethod
    def slice(self, start: int, stop: int) -> Column:
        """Return a view of some consecutive values."""

    @abstractmethod
    def take(self, index: NDArray[Any]) -> Column:
        """Return the values at ``index``, in that order, in memory of their own."""

    @abstractmethod
    def rows(self) -> list[Any]:
        """Return the values as a list of leaves."""

    def elements(self) -> list[Any]:
        """Return the values as users see them: tensors."""
        return tensor_rows(self.rows())

    def private_elements(self) -> list[Any]:
        """Return the same in memory that a user's function may change."""
        return [
            row.copy() if isinstance(row, np.ndarray) and not row.flags.writeable else row
            for row in self.elements()
        ]

    def read_only(self) -> Column:
        """Return the same values, protected from changes in place."""
        return self

    def owned(self) -> Column:
        """Return the same values in memory that a user's function does not hold as well."""
        return self

    def joined(self, columns: Sequence[Column]) -> Column | None:
        """Return one column with the values of all, the first of which is this one.

        None if their rows must be looked at for that.
        """
        return None

    def group(self, size: int) -> Column:
        """Return the column of batches of ``size`` values; the last may have fewer."""
        rows = self.rows()
        starts = range(0, len(rows), size)
        return column_of([stack_leaves(rows[start : start + size], start) for start in starts])

    def ungroup(self) -> tuple[Column, NDArray[np.int64]]:
        """Return the column of what the values contain, and how many each contained."""
        parts = [column_of_slices(row) for row in self.rows()]
        return concat_columns(parts), np.array([len(part) for part in parts], np.int64)


@dataclass(slots=True)
class Dense(Column):
    """One array with the elements along its first axis."""

    array: NDArray[Any]

    def __len__(self) -> int:
        return len(self.array)

    @property
    def nbytes(self) -> int:
        """The bytes of the array, if it is not shared."""
        return self.array.nbytes if self.array.flags.writeable else 0

    def slice(self, start: int, stop: int) -> Dense:
        """Return a view."""
        return Dense(self.array[start:stop])

    def take(self, index: NDArray[Any]) -> Dense:
        """Return a gathered copy."""
        return Dense(self.array.take(index, axis=0))

    def rows(self) -> list[Any]:
        """Return scalars, or views of the array."""
        return list(self.array)

    def elements(self) -> list[Any]:
        """Return tensors: views of the array, or numbers."""
        array = self.array
        return tensor_rows(array) if array.ndim > 1 else numbers_of(array)

    def private_elements(self) -> list[Any]:
        """Copy the array once if it is not ours to change."""
        array = self.array
        if array.ndim > 1 and not array.flags.writeable:
            return tensor_rows(array.copy())
        return self.elements()

    def read_only(self) -> Dense:
        """Return a view that refuses changes."""
        view = self.array.view()
        view.flags.writeable = False
        return Dense(view)

    def group(self, size: int) -> Column:
        """Split the first axis: a view, also if the last batch is short."""
        length, *shape = self.array.shape
        if length % size:
            return Ragged(self.array, np.append(np.arange(0, length, size), length))
        return Dense(self.array.reshape(length // size, size, *shape))

    def ungroup(self) -> tuple[Column, NDArray[np.int64]]:
        """Join the first two axes."""
        shape = self.array.shape
        counts = np.full(shape[0], shape[1], np.int64)
        return _of_array(self.array.reshape(shape[0] * shape[1], *shape[2:])), counts


@dataclass(slots=True)
class Ragged(Column):
    """Arrays of one dtype that differ only in the length of their first axis."""

    values: NDArray[Any]
    splits: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.splits) - 1

    def __reduce__(self) -> Any:  # a view of some values is sent without the others
        first, last = int(self.splits[0]), int(self.splits[-1])
        return Ragged, (self.values[first:last], self.splits - first)

    @property
    def nbytes(self) -> int:
        """The bytes of the part of the values in use."""
        values, splits = self.values, self.splits
        used = splits.item(-1) - splits.item(0)
        if used == len(values):
            return values.nbytes + splits.nbytes
        return used * (values.nbytes // max(len(values), 1)) + splits.nbytes

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How long each value is."""
        return np.diff(self.splits)

    def slice(self, start: int, stop: int) -> Ragged:
        """Return a view: the values are shared whole."""
        return Ragged(self.values, self.splits[start : stop + 1])

    def take(self, index: NDArray[Any]) -> Ragged:
        """Return a gathered copy."""
        return Ragged(*ragged_take(self.values, self.splits, index))

    def rows(self) -> list[Any]:
        """Return views of the values."""
        return cut_rows(self.values, self.splits)

    def elements(self) -> list[Any]:
        """Return the same as tensors."""
        return tensor_rows(cut_rows(self.values, self.splits))

    def read_only(self) -> Ragged:
        """Return a view that refuses changes."""
        view = self.values.view()
        view.flags.writeable = False
        return Ragged(view, self.splits)

    def group(self, size: int) -> Column:
        """Values that happen to have one length are stacked as they lie: a view."""
        lengths = self.lengths
        if not len(lengths) or not lengths[0] or np.any(lengths != lengths[0]):
            return Column.group(self, size)
        used = self.values[self.splits[0] : self.splits[-1]]
        stacked = used.reshape(len(lengths), int(lengths[0]), *used.shape[1:])
        return Dense(stacked).group(size)

    def ungroup(self) -> tuple[Column, NDArray[np.int64]]:
        """The values are the column of what is inside."""
        return _of_array(self.values[self.splits[0] : self.splits[-1]]), self.lengths


@dataclass(slots=True)
class Bytes(Column):
    """Byte strings in one buffer: a run of records without an object for each."""

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __reduce__(self) -> Any:
        first, last = int(self.offsets[0]), int(self.offsets[-1])
        return Bytes, (self.data[first:last], self.offsets - first)

    @property
    def nbytes(self) -> int:
        """The bytes in use."""
        return int(self.offsets[-1] - self.offsets[0]) + self.offsets.nbytes

    def slice(self, start: int, stop: int) -> Bytes:
        """Return a view: the buffer is shared whole."""
        return Bytes(self.data, self.offsets[start : stop + 1])

    def take(self, index: NDArray[Any]) -> Bytes:
        """Return a gathered copy."""
        return Bytes(*ragged_take(self.data, self.offsets, index))

    def rows(self) -> list[Any]:
        """Return ``bytes`` objects."""
        rows: list[Any] = bytes_rows(np.ascontiguousarray(self.data), self.offsets)
        return rows

    def elements(self) -> list[Any]:
        """Return tensors, each made from the buffer at once."""
        return tensor_rows(bytes_rows(np.ascontiguousarray(self.data), self.offsets))

    def group(self, size: int) -> Column:
        """Say where arrays end: a view."""
        splits = np.append(np.arange(0, len(self), size, dtype=np.int64), len(self))
        return Strings(self, splits)


@dataclass(slots=True)
class Strings(Column):
    """Arrays of byte strings, of any lengths: batches of records without an object for each."""

    inner: Bytes
    splits: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.splits) - 1

    def __reduce__(self) -> Any:
        return Strings, self.used()

    @property
    def nbytes(self) -> int:
        """The bytes in use."""
        offsets = self.inner.offsets
        used = int(offsets[self.splits[-1]] - offsets[self.splits[0]])
        return used + 8 * int(self.splits[-1] - self.splits[0]) + self.splits.nbytes

    def slice(self, start: int, stop: int) -> Strings:
        """Return a view: the strings are shared whole."""
        return Strings(self.inner, self.splits[start : stop + 1])

    def take(self, index: NDArray[Any]) -> Strings:
        """Return a gathered copy."""
        places, splits = ragged_take(np.arange(len(self.inner)), self.splits, index)
        return Strings(self.inner.take(places), splits)

    def rows(self) -> list[Any]:
        """Return arrays of ``bytes`` objects."""
        return self.as_ragged().rows()

    def as_ragged(self) -> Ragged:
        """Return the same arrays with the strings as objects."""
        strings, splits = self.used()
        return Ragged(_of_strings(strings.rows()).array, splits)

    def used(self) -> tuple[Bytes, NDArray[np.int64]]:
        """Return the strings of these arrays alone, and the splits that belong to them."""
        first, last = int(self.splits[0]), int(self.splits[-1])
        return self.inner.slice(first, last), self.splits - first

    def joined(self, columns: Sequence[Column]) -> Column | None:
        """Join the strings."""
        parts = [column.used() for column in columns if isinstance(column, Strings)]
        if len(parts) < len(columns):
            return None
        inner = concat_columns([strings for strings, _ in parts])
        lengths = np.concatenate([np.diff(splits) for _, splits in parts])
        splits = np.concatenate([[0], np.cumsum(lengths)])
        return Strings(inner, splits) if isinstance(inner, Bytes) else None

    def ungroup(self) -> tuple[Column, NDArray[np.int64]]:
        """The strings are the column of what is inside."""
        strings, splits = self.used()
        return strings, np.diff(splits)


@dataclass(slots=True)
class Objects(Column):
    """Any values at all."""

    items: list[Any]

    def __len__(self) -> int:
        return len(self.items)

    @property
    def nbytes(self) -> int:
        """The bytes of the arrays and strings among the values."""
        return sum(_size_of(item) for item in self.items)

    def slice(self, start: int, stop: int) -> Objects:
        """Return some consecutive values."""
        return Objects(self.items[start:stop])

    def take(self, index: NDArray[Any]) -> Objects:
        """Return the values at ``index``; arrays among them are shared."""
        items = self.items
        return Objects([items[i] for i in index.tolist()])

    def rows(self) -> list[Any]:
        """Return the values."""
        return self.items

    def read_only(self) -> Objects:
        """Return the values with every array among them protected."""
        items = list(self.items)
        for number, item in enumerate(items):
            if isinstance(item, np.ndarray) and item.flags.writeable:
                items[number] = item.view()
                items[number].flags.writeable = False
        return Objects(items)

    def group(self, size: int) -> Column:
        """Make arrays of strings at once."""
        if self.items and set(map(type, self.items)) <= {str, bytes}:
            return _of_strings(self.items).group(size)
        return Column.group(self, size)

    def owned(self) -> Objects:
        """Copy every array: the other kinds of column are made by copying."""
        items = self.items
        return Objects([i.copy() if isinstance(i, np.ndarray) else i for i in items])


def _of_strings(values: list[Any]) -> Dense:
    """Return an array of strings, which NumPy does not look inside."""
    return Dense(np.fromiter(values, object, len(values)))


def column_of(values: list[Any]) -> Column:
    """Return the best column for the leaves a user's function or a source gave.

    Which kind is chosen depends on the run, and no user can see it: the rows are the
    same values with the same dtypes whichever it is.
    """
    kinds = set(map(type, values))
    if any(getattr(kind, "is_tensor_type", False) for kind in kinds):
        values = list(map(as_plain, values))
        kinds = set(map(type, values))
    if len(kinds) == 1:
        kind = kinds.pop()
        if kind in _PYTHON_NUMBERS:
            try:
                with np.errstate(over="ignore"):  # infinity, as in TensorFlow
                    return Dense(np.array(values, _PYTHON_NUMBERS[kind]))
            except OverflowError:
                pass
        elif kind is np.ndarray:
            return _column_of_arrays(values)
        elif kind in (str, bytes):
            return Objects(values)
        elif issubclass(kind, np.generic) and kind not in _UNSTABLE_SCALARS:
            return Dense(np.array(values, kind))
    leaves = [as_leaf(value) for value in values]
    leaf_kinds = set(map(type, leaves))
    if leaf_kinds and leaf_kinds != kinds and len(leaf_kinds) == 1:
        kind = leaf_kinds.pop()
        if kind is np.ndarray or (issubclass(kind, np.generic) and kind not in _UNSTABLE_SCALARS):
            return column_of(leaves)
    return Objects(leaves)


_PYTHON_NUMBERS: dict[type, type] = {
    int: np.int32,
    float: np.float32,
    bool: np.bool_,
    complex: np.complex128,
}
# Scalars whose dtype is not told by their class alone (units, lengths).
_UNSTABLE_SCALARS = {np.datetime64, np.timedelta64, np.str_, np.bytes_, np.void, np.object_}


def _column_of_arrays(arrays: list[NDArray[Any]]) -> Column:
    dtype = arrays[0].dtype
    if dtype.kind not in "SU":
        stacked = stack_rows(arrays)
        if stacked is not None:
            return Dense(stacked) if stacked.ndim > 1 else _of_array(stacked)
        shapes = {array.shape for array in arrays}
        same_dtype = len({array.dtype for array in arrays}) == 1
        if same_dtype and () not in shapes and len({shape[1:] for shape in shapes}) == 1:
            splits = np.zeros(len(arrays) + 1, np.int64)
            np.cumsum([len(array) for array in arrays], out=splits[1:])
            return Ragged(np.concatenate(arrays, dtype=dtype), splits)
    return Objects([as_leaf(array) for array in arrays])


def _of_array(array: NDArray[Any]) -> Column:
    """Return the column whose values lie along the first axis of an array."""
    if array.dtype.kind in "OSU":
        if array.ndim == 1:
            return Objects([as_leaf(item) for item in array.tolist()])
        return Dense(array.astype(object))
    return Dense(in_native_order(array) if array.ndim == 1 else array)


def column_of_slices(value: Any) -> Column:
    """Return the column of the slices of one leaf along its first axis."""
    leaf = as_leaf(value)
    if isinstance(leaf, np.ndarray) and leaf.ndim:
        return _of_array(leaf)
    if hasattr(leaf, "row") and hasattr(leaf, "plain_shape") and len(leaf.shape) > 1:
        return Objects([leaf.row(i) for i in range(leaf.shape[0])])
    if hasattr(leaf, "plain_splits"):
        if isinstance(leaf.plain_values, np.ndarray) and leaf.plain_values.dtype.kind not in "OSU":
            return Ragged(leaf.plain_values, leaf.plain_splits.astype(np.int64))
        return Objects([as_plain(row) for row in leaf])
    raise TypeError(f"{type(leaf).__name__} has no first axis to slice")


def concat_columns(columns: Sequence[Column], empty: Empty = np.empty) -> Column:
    """Return one column with the values of all, in order.

    ``empty`` returns memory for byte strings, as np.empty() does.
    """
    if len(columns) == 1:
        return columns[0]
    if not columns:
        return Objects([])
    first = columns[0]
    if isinstance(first, Dense):
        arrays = [c.array for c in columns if isinstance(c, Dense)]
        same = {(a.dtype, a.shape[1:]) for a in arrays}
        if len(arrays) == len(columns) and len(same) == 1:
            return Dense(np.concatenate(arrays, dtype=arrays[0].dtype))
    if isinstance(first, Bytes) and all(isinstance(c, Bytes) for c in columns):
        texts = [(c.data, c.offsets) for c in columns if isinstance(c, Bytes)]
        return Bytes(*joined_rows(texts, empty))
    if isinstance(first, Ragged):
        parts = [(c.values, c.splits) for c in columns if isinstance(c, Ragged)]
        same = {(values.dtype, values.shape[1:]) for values, _ in parts}
        if len(parts) == len(columns) and len(same) == 1:
            return Ragged(*joined_rows(parts, np.empty))
    joined = first.joined(columns)
    if joined is not None:
        return joined
    rows = list(chain.from_iterable(column.rows() for column in columns))
    if rows and type(rows[0]) in (str, bytes):
        return Objects(rows)  # as column_of() would find out by looking at each of them
    return column_of(rows)


def _size_of(item: Any) -> int:
    if isinstance(item, (str, bytes)):
        return len(item) + 49
    return int(getattr(item, "nbytes", 64))
