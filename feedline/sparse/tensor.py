"""tensor: SparseTensor, a value that stores only the places that are not zero."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, InvalidArgumentError
from feedline.narrow import array_of_data
from feedline.values.dtype import DType, as_dtype
from feedline.values.tensor import as_plain, as_tensor
from feedline.values.tensor_shape import TensorShape

__all__ = ["SparseTensor", "to_dense"]


class SparseTensor:
    """An array in coordinate form: ``values[i]`` stands at ``indices[i]``, the rest is zero.

    Example:
        >>> t = SparseTensor(indices=[[0, 1]], values=[5], dense_shape=[2, 2])
        >>> to_dense(t).tolist()
        [[0, 5], [0, 0]]
    """

    __feedline_leaf__: ClassVar[bool] = True
    __slots__ = ("plain_indices", "plain_shape", "plain_values")

    plain_indices: NDArray[np.int64]
    plain_values: NDArray[Any]
    plain_shape: NDArray[np.int64]

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        shape = np.asarray(dense_shape, np.int64)
        what = array_of_data(as_plain(values))
        where = np.asarray(indices, np.int64)
        # A value without axes has indices without numbers.
        where = where.reshape(-1, len(shape)) if len(shape) else where.reshape(len(what), 0)
        if len(where) != len(what):
            raise BuildError(
                f"SparseTensor(): indices and values must be equally many, "
                f"got {len(where)} and {len(what)}."
            )
        self.plain_indices = where
        self.plain_values = what
        self.plain_shape = shape

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """Return a SparseTensor of anything that has indices, values and dense_shape."""
        value = sparse_tensor_value
        return cls(value.indices, value.values, value.dense_shape)

    @property
    def indices(self) -> Any:
        """Where the values stand: a row of numbers for each."""
        return as_tensor(self.plain_indices)

    @property
    def values(self) -> Any:
        """The values that are stored."""
        return as_tensor(self.plain_values)

    @property
    def dense_shape(self) -> Any:
        """The shape of the dense array, as an array."""
        return as_tensor(self.plain_shape)

    @property
    def shape(self) -> TensorShape:
        """The shape of the dense array."""
        return TensorShape(self.plain_shape.tolist())

    def get_shape(self) -> TensorShape:
        """Return the shape of the dense array."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Check the shape, which may leave lengths open; ValueError if it is another."""
        if not self.shape.is_compatible_with(shape):
            raise ValueError(
                f"set_shape(): the value has shape {self.shape}, not {TensorShape(shape)}."
            )

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return as_dtype(self.plain_values.dtype)

    def with_values(self, new_values: Any) -> SparseTensor:
        """Return other values at the same places."""
        return SparseTensor(self.plain_indices, new_values, self.plain_shape)

    @staticmethod
    def stack(rows: Sequence[SparseTensor]) -> SparseTensor:
        """Return the sparse array whose row ``i`` is ``rows[i]``, as large as the largest."""
        largest = np.max([row.plain_shape for row in rows], axis=0)
        number = np.repeat(np.arange(len(rows)), [len(row.plain_values) for row in rows])
        below = np.concatenate([row.plain_indices for row in rows])
        return SparseTensor(
            np.concatenate([number[:, None], below], axis=1),
            np.concatenate([row.plain_values for row in rows]),
            np.concatenate([[len(rows)], largest]),
        )

    def row(self, number: int) -> SparseTensor:
        """Return one slice along the first axis."""
        here = self.plain_indices[:, 0] == number
        return SparseTensor(
            self.plain_indices[here, 1:], self.plain_values[here], self.plain_shape[1:]
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, SparseTensor)
            and self.dtype == other.dtype
            and np.array_equal(self.plain_shape, other.plain_shape)
            and np.array_equal(self.plain_indices, other.plain_indices)
            and np.array_equal(self.plain_values, other.plain_values)
        )

    __hash__ = None  # type: ignore[assignment]

    def __mul__(self, other: Any) -> SparseTensor:
        return self._with(operator.mul, other)

    def __truediv__(self, other: Any) -> SparseTensor:
        return self._with(operator.truediv, other)

    def _with(self, function: Any, other: Any) -> SparseTensor:
        """Return values that met those of an array, or a number, at their places."""
        wide = np.broadcast_to(np.asarray(other), tuple(self.plain_shape.tolist()))
        met = other if np.ndim(other) == 0 else as_tensor(wide[tuple(self.plain_indices.T)])
        return self.with_values(function(self.values, met))

    def __reduce__(self) -> Any:
        return SparseTensor, (self.plain_indices, self.plain_values, self.plain_shape)

    def __repr__(self) -> str:
        return (
            f"SparseTensor(indices={self.plain_indices.tolist()}, "
            f"values={self.plain_values.tolist()}, dense_shape={self.plain_shape.tolist()})"
        )


def to_dense(
    sp_input: SparseTensor,
    default_value: Any = None,
    validate_indices: bool = True,
    name: str | None = None,
) -> NDArray[Any]:
    """Return the dense array, with ``default_value`` (zero) where nothing is stored.

    Args:
        sp_input: The sparse value.
        default_value: What stands at all other places.
        validate_indices: Whether places must be in order, none of them twice.
        name: Has no effect.
    """
    values, indices = sp_input.plain_values, sp_input.plain_indices
    if default_value is None:
        default_value = b"" if values.dtype == object else np.zeros((), values.dtype)
    dense = np.full(tuple(sp_input.plain_shape.tolist()), as_plain(default_value), values.dtype)
    if (indices < 0).any() or (indices >= sp_input.plain_shape).any():
        raise InvalidArgumentError(
            f"sparse.to_dense(): indices must lie in the shape {sp_input.plain_shape.tolist()}, "
            f"got {indices.tolist()}."
        )
    if validate_indices and len(values) > 1 and indices.shape[1]:
        order = _order(indices)
        if (order[1:] <= order[:-1]).any():
            raise InvalidArgumentError(
                "sparse.to_dense(): indices must be in order and different. sparse.reorder() "
                "sorts them; validate_indices=False takes them as they are."
            )
    if indices.shape[1]:
        dense[tuple(indices.T)] = values
    elif len(values):
        dense[()] = values[-1]
    return dense


def _order(indices: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the position of each of some rows among them, sorted by the first number first."""
    _, order = np.unique(indices, axis=0, return_inverse=True)
    return order.reshape(-1)
