"""tensor: RaggedTensor, a value whose rows differ in length."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError
from feedline.narrow import array_of_data
from feedline.ragged import making
from feedline.ragged.calls import parts_of
from feedline.ragged.dense import bounding_shape, filled_up, of_dense, of_sparse, sparse_parts
from feedline.ragged.joining import stacked
from feedline.ragged.making import ints_of
from feedline.ragged.operators import Operators
from feedline.ragged.rows import Parts, Rows
from feedline.ragged.slicing import sliced
from feedline.sparse import SparseTensor
from feedline.values.dtype import DType, as_dtype
from feedline.values.tensor import as_numpy, as_plain, as_tensor
from feedline.values.tensor_shape import TensorShape

__all__ = ["RaggedTensor", "stack_rows"]


class RaggedTensor(Operators):
    """Rows of different lengths: row ``i`` is ``values[row_splits[i]:row_splits[i + 1]]``.

    ``values`` is an array, or another RaggedTensor if rows are ragged themselves. Made by
    ``tf.ragged.constant()`` and the methods that begin with ``from_``.

    Args:
        plain_values: The values, as NumPy's array or a RaggedTensor.
        plain_splits: Where rows begin and end.
        uniform: The length of all rows where it is known to be the same.

    Example:
        >>> t = RaggedTensor.from_row_lengths([1, 2, 3], [2, 0, 1])
        >>> t.to_list(), t[:, :1].to_list(), (t * 2).to_tensor().tolist()
        ([[1, 2], [], [3]], [[1], [], [3]], [[2, 4], [0, 0], [6, 0]])
    """

    __feedline_leaf__: ClassVar[bool] = True
    __slots__ = ("plain_splits", "plain_values", "uniform")

    plain_values: NDArray[Any] | RaggedTensor
    plain_splits: NDArray[Any]
    uniform: int | None

    def __init__(self, plain_values: Any, plain_splits: Any, uniform: int | None = None) -> None:
        self.plain_values = plain_values
        self.plain_splits = plain_splits
        self.uniform = uniform

    # ---- made of arrays --------------------------------------------------------------

    @staticmethod
    def from_row_splits(
        values: Any, row_splits: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Return rows cut out of ``values`` at ``row_splits``."""
        return _made("from_row_splits()", values, Rows(ints_of(row_splits)))

    @staticmethod
    def from_row_lengths(
        values: Any, row_lengths: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Return rows of the given lengths cut out of ``values``."""
        lengths = ints_of(row_lengths)
        return _made("from_row_lengths()", values, Rows.of_lengths(lengths, lengths.dtype))

    @staticmethod
    def from_row_starts(
        values: Any, row_starts: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Return rows of ``values`` that begin at the given places."""
        inner = _values_of(values)
        starts = ints_of(row_starts)
        splits = np.append(starts, starts.dtype.type(len(inner)))
        return _made("from_row_starts()", inner, Rows(splits))

    @staticmethod
    def from_row_limits(
        values: Any, row_limits: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Return rows of ``values`` that end before the given places."""
        limits = ints_of(row_limits)
        return _made("from_row_limits()", values, Rows(np.insert(limits, 0, 0)))

    @staticmethod
    def from_value_rowids(
        values: Any,
        value_rowids: Any,
        nrows: int | None = None,
        name: str | None = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Return rows of ``values``, given the row that each is in; ``nrows`` may be more."""
        rows = making.of_ids(ints_of(value_rowids), nrows)
        return _made("from_value_rowids()", values, rows)

    @staticmethod
    def from_uniform_row_length(
        values: Any,
        uniform_row_length: int,
        nrows: int | None = None,
        validate: bool = True,
        name: str | None = None,
    ) -> RaggedTensor:
        """Return rows of one length; ``nrows`` must be given if it is 0."""
        inner = _values_of(values)
        rows = making.of_one_length(len(inner), operator.index(uniform_row_length), nrows)
        return _made("from_uniform_row_length()", inner, rows)

    @staticmethod
    def from_nested_row_splits(
        flat_values: Any,
        nested_row_splits: Sequence[Any],
        name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """Return rows of rows, given the splits of each axis, outermost first."""
        return _nested(RaggedTensor.from_row_splits, flat_values, nested_row_splits)

    @staticmethod
    def from_nested_row_lengths(
        flat_values: Any,
        nested_row_lengths: Sequence[Any],
        name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """Return rows of rows, given the lengths of each axis, outermost first."""
        return _nested(RaggedTensor.from_row_lengths, flat_values, nested_row_lengths)

    @staticmethod
    def from_nested_value_rowids(
        flat_values: Any,
        nested_value_rowids: Sequence[Any],
        nested_nrows: Sequence[int] | None = None,
        name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """Return rows of rows, given the row of each item of each axis, outermost first."""
        counts: Sequence[int | None] = nested_nrows or [None] * len(nested_value_rowids)
        value = flat_values
        for ids, nrows in zip(reversed(nested_value_rowids), reversed(counts), strict=True):
            value = RaggedTensor.from_value_rowids(value, ids, nrows)
        return value

    @staticmethod
    def from_tensor(
        tensor: Any,
        lengths: Any = None,
        padding: Any = None,
        ragged_rank: int = 1,
        name: str | None = None,
        row_splits_dtype: Any = np.int64,
    ) -> RaggedTensor:
        """Return the rows of an array, without what fills them up.

        Args:
            tensor: The array.
            lengths: How much of each row to keep; a tuple of such, for rows of rows.
            padding: What stands at the ends of rows that is not to be kept.
            ragged_rank: How many axes become ragged.
            name: Has no effect.
            row_splits_dtype: int64 or int32.

        Example:
            >>> RaggedTensor.from_tensor([[1, 2, 0], [0, 0, 0]], padding=0).to_list()
            [[1, 2], []]
        """
        if isinstance(tensor, RaggedTensor):
            return tensor
        array = array_of_data(as_plain(tensor))
        dtype = as_dtype(row_splits_dtype).dtype
        found: RaggedTensor = RaggedTensor.of_parts(
            of_dense(array, lengths, as_plain(padding), ragged_rank, dtype)
        )
        return found

    @staticmethod
    def from_sparse(
        st_input: SparseTensor, name: str | None = None, row_splits_dtype: Any = np.int64
    ) -> RaggedTensor:
        """Return the rows of a SparseTensor of two axes that are filled from their beginnings."""
        if not isinstance(st_input, SparseTensor):
            raise BuildError(f"from_sparse(): st_input must be a SparseTensor, got {st_input!r}.")
        found: RaggedTensor = RaggedTensor.of_parts(
            of_sparse(
                st_input.plain_indices,
                st_input.plain_values,
                st_input.plain_shape,
                as_dtype(row_splits_dtype).dtype,
            )
        )
        return found

    @staticmethod
    def of_parts(parts: Parts) -> Any:
        """Return rows above flat values as a RaggedTensor; without rows, the array."""
        rows, value = parts
        for head in reversed(rows):
            value = RaggedTensor(value, head.splits, head.uniform)  # type: ignore[assignment]
        return value

    # ---- what it is made of ----------------------------------------------------------

    def parts(self) -> Parts:
        """Return the rows of every ragged axis, outermost first, and the flat values."""
        rows, value = [], self
        while isinstance(value, RaggedTensor):
            rows.append(Rows(value.plain_splits, value.uniform))
            value = value.plain_values  # type: ignore[assignment]
        return rows, value

    @property
    def plain_flat_values(self) -> NDArray[Any]:
        """The innermost values as NumPy's array."""
        inner = self.plain_values
        return inner.plain_flat_values if isinstance(inner, RaggedTensor) else inner

    @property
    def plain_nested_splits(self) -> tuple[NDArray[Any], ...]:
        """The row splits as NumPy's arrays, outermost first."""
        return tuple(head.splits for head in self.parts()[0])

    @property
    def values(self) -> Any:
        """The rows one after the other."""
        return as_tensor(self.plain_values)

    @property
    def flat_values(self) -> Any:
        """The innermost values as one array."""
        return as_tensor(self.plain_flat_values)

    @property
    def row_splits(self) -> Any:
        """Where rows begin and end in ``values``."""
        return as_tensor(self.plain_splits)

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The row splits, outermost first."""
        return tuple(map(as_tensor, self.plain_nested_splits))

    @property
    def dtype(self) -> DType:
        """The dtype of the innermost values."""
        return as_dtype(self.plain_flat_values.dtype)

    @property
    def ragged_rank(self) -> int:
        """How many axes have rows of different lengths."""
        inner = self.plain_values
        return 1 + (inner.ragged_rank if isinstance(inner, RaggedTensor) else 0)

    @property
    def ndim(self) -> int:
        """How many axes there are."""
        return self.ragged_rank + self.plain_flat_values.ndim

    @property
    def shape(self) -> TensorShape:
        """The shape, with None where lengths differ."""
        return TensorShape((len(self), self.uniform, *self.plain_values.shape[1:]))

    def get_shape(self) -> TensorShape:
        """Return the shape, with None where lengths differ."""
        return self.shape

    @property
    def uniform_row_length(self) -> Any:
        """The length of all rows where it is known to be the same, None otherwise."""
        return (
            None if self.uniform is None else as_tensor(self.plain_splits.dtype.type(self.uniform))
        )

    @property
    def _rows(self) -> Rows:
        return Rows(self.plain_splits, self.uniform)

    def nrows(self, out_type: Any = None, name: str | None = None) -> Any:
        """Return the number of rows."""
        dtype = self.plain_splits.dtype if out_type is None else as_dtype(out_type).dtype
        return as_tensor(dtype.type(len(self)))

    def row_lengths(self, axis: int = 1, name: str | None = None) -> Any:
        """Return the length of each row, or of the rows along another axis."""
        if axis == 1:
            return as_tensor(self._rows.lengths)
        inner = self.plain_values
        if not isinstance(inner, RaggedTensor) or not 0 < axis <= self.ragged_rank:
            raise BuildError(f"row_lengths(): axis must be 1 to {self.ragged_rank}, got {axis}.")
        return self.with_values(inner.row_lengths(axis - 1))

    def row_starts(self, name: str | None = None) -> Any:
        """Return where rows begin in ``values``."""
        return as_tensor(self._rows.starts)

    def row_limits(self, name: str | None = None) -> Any:
        """Return where rows end in ``values``."""
        return as_tensor(self.plain_splits[1:])

    def value_rowids(self, name: str | None = None) -> Any:
        """Return the row that each of ``values`` is in."""
        return as_tensor(self._rows.ids)

    def nested_row_lengths(self, name: str | None = None) -> tuple[Any, ...]:
        """Return the lengths of rows along every ragged axis, outermost first."""
        return tuple(as_tensor(head.lengths) for head in self.parts()[0])

    def nested_value_rowids(self, name: str | None = None) -> tuple[Any, ...]:
        """Return the row of each item along every ragged axis, outermost first."""
        return tuple(as_tensor(head.ids) for head in self.parts()[0])

    def bounding_shape(
        self, axis: Any = None, name: str | None = None, out_type: Any = None
    ) -> Any:
        """Return the shape of the smallest array that all values fit in, or some lengths of it."""
        dtype = self.plain_splits.dtype if out_type is None else as_dtype(out_type).dtype
        whole = np.asarray(bounding_shape(self.parts()), dtype)
        return as_tensor(whole if axis is None else whole[np.asarray(axis)])

    # ---- the same with other values --------------------------------------------------

    def with_values(self, new_values: Any) -> RaggedTensor:
        """Return rows of the same lengths with other values."""
        return _made("with_values()", new_values, self._rows)

    def with_flat_values(self, new_values: Any) -> RaggedTensor:
        """Return rows of the same lengths with other innermost values."""
        inner = self.plain_values
        if isinstance(inner, RaggedTensor):
            return self.with_values(inner.with_flat_values(new_values))
        return self.with_values(new_values)

    def with_row_splits_dtype(self, dtype: Any) -> RaggedTensor:
        """Return the same rows with splits of int32 or int64."""
        rows, flat = self.parts()
        kind = as_dtype(dtype).dtype
        cast = [Rows(head.splits.astype(kind, copy=False), head.uniform) for head in rows]
        found: RaggedTensor = RaggedTensor.of_parts((cast, flat))
        return found

    def merge_dims(self, outer_axis: int, inner_axis: int) -> Any:
        """Return the value with the axes from one to another as a single one."""
        return as_tensor(RaggedTensor.of_parts(making.merged(self.parts(), outer_axis, inner_axis)))

    # ---- as something else -----------------------------------------------------------

    def to_list(self) -> list[Any]:
        """Return nested Python lists, strings as bytes."""
        rows, flat = self.parts()
        items: list[Any] = as_numpy(flat).tolist()
        for head in reversed(rows):
            bounds = head.splits.tolist()
            items = [items[a:b] for a, b in pairwise(bounds)]
        return items

    def to_tensor(
        self, default_value: Any = None, name: str | None = None, shape: Any = None
    ) -> Any:
        """Return an array, rows filled up with ``default_value`` (zero).

        Args:
            default_value: What stands where there is no value.
            name: Has no effect.
            shape: The shape of the array: rows are cut or filled up to it. None in it stands
                for the longest.
        """
        return as_tensor(filled_up(self.parts(), as_plain(default_value), shape))

    def to_sparse(self, name: str | None = None) -> SparseTensor:
        """Return the values at their places in a SparseTensor."""
        return SparseTensor(*sparse_parts(self.parts()))

    def numpy(self) -> NDArray[Any]:
        """Return an array of the rows; of objects if they differ in length."""
        inner = self.plain_values
        whole: Any = inner.numpy() if isinstance(inner, RaggedTensor) else as_tensor(inner).numpy()
        rows = np.split(whole, self.plain_splits[1:-1])
        if len(self) and len(set(map(len, rows))) == 1 and whole.dtype != object:
            return np.array(rows)
        made = np.empty(len(self), object)
        for place in range(len(self)):
            made[place] = rows[place]
        return made

    def __len__(self) -> int:
        return len(self.plain_splits) - 1

    def __getitem__(self, key: Any) -> Any:
        return as_tensor(RaggedTensor.of_parts(sliced(self.parts(), key)))

    def __iter__(self) -> Iterator[Any]:
        inner = self.plain_values
        bounds = self.plain_splits.tolist()
        for start, stop in pairwise(bounds):
            yield (
                inner[start:stop]
                if isinstance(inner, RaggedTensor)
                else as_tensor(inner[start:stop])
            )

    def __reduce__(self) -> Any:
        return RaggedTensor, (self.plain_values, self.plain_splits, self.uniform)

    def __repr__(self) -> str:
        return f"<tf.RaggedTensor {self.to_list()}>"

    # ---- together with others --------------------------------------------------------

    def astype(self, dtype: Any, copy: bool = True) -> RaggedTensor:
        """Return the same rows with numbers of another dtype."""
        return self.with_flat_values(self.plain_flat_values.astype(dtype, copy=copy))


def _values_of(values: Any) -> Any:
    return values if isinstance(values, RaggedTensor) else array_of_data(as_plain(values))


def _made(call: str, values: Any, rows: Rows) -> RaggedTensor:
    inner = _values_of(values)
    rows.checked(f"RaggedTensor.{call}", len(inner))
    return RaggedTensor(inner, rows.splits, rows.uniform)


def _nested(make: Callable[..., Any], flat_values: Any, levels: Sequence[Any]) -> Any:
    value = flat_values
    for level in reversed(levels):
        value = make(value, level)
    return value


def stack_rows(rows: Sequence[Any], splits_dtype: Any = np.int64) -> RaggedTensor:
    """Return the ragged value whose rows are these arrays or ragged values."""
    made, flat = stacked([parts_of(row) for row in rows], 0)
    heads = [Rows(head.splits.astype(splits_dtype, copy=False), head.uniform) for head in made]
    found: RaggedTensor = RaggedTensor.of_parts((heads, flat))
    return found
