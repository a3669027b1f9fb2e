"""sparse: SparseTensor, a value that stores only the places that are not zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError
from feedline.namespace import open_namespace
from feedline.narrow import array_of_data

__all__ = ["SparseTensor", "to_dense"]


@dataclass(frozen=True, slots=True, eq=False, init=False)
class SparseTensor:
    """An array in coordinate form: ``values[i]`` stands at ``indices[i]``, the rest is zero.

    Example:
        >>> t = SparseTensor(indices=[[0, 1]], values=[5], dense_shape=[2, 2])
        >>> to_dense(t).tolist()
        [[0, 5], [0, 0]]
    """

    __feedline_leaf__: ClassVar[bool] = True

    indices: NDArray[np.int64]
    values: NDArray[Any]
    dense_shape: NDArray[np.int64]

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        shape = np.asarray(dense_shape, np.int64)
        what = array_of_data(values)
        where = np.asarray(indices, np.int64)
        # A value without axes has indices without numbers.
        where = where.reshape(-1, len(shape)) if len(shape) else where.reshape(len(what), 0)
        if len(where) != len(what):
            raise BuildError(
                f"SparseTensor(): indices and values must be equally many, "
                f"got {len(where)} and {len(what)}."
            )
        object.__setattr__(self, "indices", where)
        object.__setattr__(self, "values", what)
        object.__setattr__(self, "dense_shape", shape)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the dense array."""
        return tuple(int(n) for n in self.dense_shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the values."""
        return self.values.dtype

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, SparseTensor)
            and self.dtype == other.dtype
            and np.array_equal(self.dense_shape, other.dense_shape)
            and np.array_equal(self.indices, other.indices)
            and np.array_equal(self.values, other.values)
        )

    __hash__ = None  # type: ignore[assignment]

    @staticmethod
    def stack(rows: Sequence[SparseTensor]) -> SparseTensor:
        """Return the sparse array whose row ``i`` is ``rows[i]``, as large as the largest."""
        largest = np.max([row.dense_shape for row in rows], axis=0)
        number = np.repeat(np.arange(len(rows)), [len(row.values) for row in rows])
        return SparseTensor(
            np.concatenate([number[:, None], np.concatenate([r.indices for r in rows])], axis=1),
            np.concatenate([row.values for row in rows]),
            np.concatenate([[len(rows)], largest]),
        )

    def row(self, number: int) -> SparseTensor:
        """Return one slice along the first axis."""
        here = self.indices[:, 0] == number
        return SparseTensor(self.indices[here, 1:], self.values[here], self.dense_shape[1:])


def to_dense(sparse: SparseTensor, default_value: Any = None) -> NDArray[Any]:
    """Return the dense array, with ``default_value`` (zero) where nothing is stored."""
    if default_value is None:
        default_value = b"" if sparse.dtype == object else np.zeros((), sparse.dtype)
    dense = np.full(sparse.shape, default_value, sparse.dtype)
    dense[tuple(sparse.indices.T)] = sparse.values
    return dense


open_namespace(globals())
