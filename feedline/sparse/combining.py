"""combining: sparse values that meet others, and numbers made of many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, InvalidArgumentError
from feedline.narrow import array_of_data
from feedline.sparse.places import in_order, numbers_of, places_of
from feedline.sparse.tensor import SparseTensor, to_dense
from feedline.values.tensor import as_plain, as_tensor

__all__ = [
    "add",
    "map_values",
    "maximum",
    "minimum",
    "reduce_max",
    "reduce_sum",
    "sparse_dense_matmul",
]


def add(a: Any, b: Any, threshold: Any = 0) -> Any:
    """Return the sum of two sparse values, or of a sparse one and an array, which is an array.

    Args:
        a: A SparseTensor or an array.
        b: Another.
        threshold: Sums of two values that are smaller than it are left out.

    Example:
        >>> a, b = SparseTensor([[0]], [1], [3]), SparseTensor([[0], [2]], [5, 6], [3])
        >>> add(a, b).values.tolist(), add(a, [1, 1, 1]).tolist()
        ([6, 6], [2, 1, 1])
    """
    if not isinstance(a, SparseTensor) or not isinstance(b, SparseTensor):
        sparse, dense = (a, b) if isinstance(a, SparseTensor) else (b, a)
        if not isinstance(sparse, SparseTensor):
            raise BuildError("sparse.add(): at least one of a and b must be a SparseTensor.")
        made = array_of_data(as_plain(dense)).copy()
        np.add.at(made, tuple(sparse.plain_indices.T), sparse.plain_values)
        return as_tensor(made)
    summed = _met("sparse.add()", np.add, a, b)
    if not threshold:
        return summed
    shape = a.plain_shape.tolist()
    numbers = [numbers_of(one.plain_indices, shape) for one in (summed, a, b)]
    # What only one of them holds stays, however small it is.
    both = np.isin(numbers[0], numbers[1]) & np.isin(numbers[0], numbers[2])
    kept = ~both | (np.abs(summed.plain_values) >= as_plain(threshold))
    return SparseTensor(summed.plain_indices[kept], summed.plain_values[kept], summed.plain_shape)


def maximum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """Return the larger value wherever one of two is stored; what is not stored is 0."""
    return _met("sparse.maximum()", np.maximum, sp_a, sp_b)


def minimum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """Return the smaller value wherever one of two is stored; what is not stored is 0."""
    return _met("sparse.minimum()", np.minimum, sp_a, sp_b)


def _met(call: str, function: np.ufunc, a: SparseTensor, b: SparseTensor) -> SparseTensor:
    shape = a.plain_shape.tolist()
    if shape != b.plain_shape.tolist():
        raise InvalidArgumentError(
            f"{call}: shapes must be equal, got {shape} and {b.plain_shape.tolist()}."
        )
    numbers = [numbers_of(one.plain_indices, shape) for one in (a, b)]
    places, where = np.unique(np.concatenate(numbers), return_inverse=True)
    wide = np.zeros((2, len(places)), np.result_type(a.plain_values, b.plain_values))
    count = len(numbers[0])
    wide[0, where[:count]], wide[1, where[count:]] = a.plain_values, b.plain_values
    return SparseTensor(places_of(places, shape), function(wide[0], wide[1]), shape)


def map_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> SparseTensor:
    """Return what a function makes of the values, at the same places.

    Example:
        >>> map_values(lambda x: x * 2, SparseTensor([[0]], [3], [2])).values.tolist()
        [6]
    """
    found = [arg for arg in (*args, *kwargs.values()) if isinstance(arg, SparseTensor)]
    if not found:
        raise BuildError("sparse.map_values(): one of the arguments must be a SparseTensor.")
    if any(not np.array_equal(one.plain_indices, found[0].plain_indices) for one in found):
        raise InvalidArgumentError("sparse.map_values(): all values must be at the same places.")

    def values_of(arg: Any) -> Any:
        return arg.values if isinstance(arg, SparseTensor) else arg

    named = {key: values_of(arg) for key, arg in kwargs.items()}
    return found[0].with_values(op(*map(values_of, args), **named))


def reduce_sum(
    sp_input: SparseTensor,
    axis: Any = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """Return sums along axes, or of everything.

    Args:
        sp_input: The sparse value.
        axis: An axis, several, or None for all.
        keepdims: Whether axes of length 1 stay.
        output_is_sparse: Whether a SparseTensor is returned.
        name: Has no effect.
    """
    return _reduced(np.add, sp_input, axis, bool(keepdims), output_is_sparse)


def reduce_max(
    sp_input: SparseTensor,
    axis: Any = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """Return the largest of the values that are stored along axes; 0 where there are none."""
    return _reduced(np.maximum, sp_input, axis, bool(keepdims), output_is_sparse)


def _reduced(
    function: np.ufunc, value: SparseTensor, axis: Any, keepdims: bool, is_sparse: bool
) -> Any:
    rank = len(value.plain_shape)
    axes = range(rank) if axis is None else [int(one) % rank for one in np.ravel(axis)]
    kept = [one for one in range(rank) if one not in axes]
    shape = value.plain_shape[kept].tolist()
    places, where = np.unique(numbers_of(value.plain_indices[:, kept], shape), return_inverse=True)
    firsts = np.zeros(len(places), np.int64)
    firsts[where[::-1]] = np.arange(len(where))[::-1]
    made: NDArray[Any] = value.plain_values[firsts]
    others = np.ones(len(where), np.bool_)
    others[firsts] = False
    function.at(made, where[others], value.plain_values[others])
    small = SparseTensor(places_of(places, shape), made, shape)
    if keepdims:
        wide = np.zeros((len(places), rank), np.int64)
        wide[:, kept] = small.plain_indices
        whole = [length if one in kept else 1 for one, length in enumerate(value.plain_shape)]
        small = in_order(wide, made, whole)
    return small if is_sparse else as_tensor(to_dense(small)[()])


def sparse_dense_matmul(
    sp_a: SparseTensor,
    b: Any,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> Any:
    """Return the product of a sparse matrix and an array."""
    rows, columns = sp_a.plain_indices.T[::-1] if adjoint_a else sp_a.plain_indices.T
    values = sp_a.plain_values.conj() if adjoint_a else sp_a.plain_values
    height, width = sp_a.plain_shape[::-1] if adjoint_a else sp_a.plain_shape
    dense = array_of_data(as_plain(b))
    dense = dense.conj().T if adjoint_b else dense
    if dense.ndim != 2 or len(dense) != width:
        raise InvalidArgumentError(
            f"sparse.sparse_dense_matmul(): b must have {width} rows, got {dense.shape}."
        )
    made = np.zeros((int(height), dense.shape[1]), dense.dtype)
    np.add.at(made, rows, values[:, None] * dense[columns])
    return as_tensor(made)
