"""linear: products and lengths of vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.arrays.given import axes_of, given, pair, scalar
from feedline.errors import BuildError

__all__ = ["einsum", "matmul", "matvec", "norm", "tensordot", "trace"]


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Any:
    """Return matrix products; the axes before the last two are batches.

    ``a_is_sparse``, ``b_is_sparse``, ``grad_a`` and ``grad_b`` have no effect;
    ``output_type`` must be None.
    """
    if output_type is not None:
        raise BuildError("matmul(): output_type is not there. Use cast().")
    x, y = pair(a, b)
    if x.ndim < 2 or y.ndim < 2:
        raise BuildError("matmul(): a and b must be matrices. Use matvec() or tensordot().")
    first, second = _turned(x, transpose_a, adjoint_a), _turned(y, transpose_b, adjoint_b)
    try:
        return np.matmul(first, second)
    except ValueError as error:
        shapes = f"{list(first.shape)} and {list(second.shape)}"
        raise BuildError(f"matmul(): matrices of shapes {shapes} do not fit.") from error


def matvec(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """Return products of matrices and vectors."""
    x, y = pair(a, b)
    made = np.matmul(_turned(x, transpose_a, adjoint_a), np.expand_dims(y, -1))
    return np.squeeze(made, -1)


def _turned(array: Any, transpose: bool, adjoint: bool) -> Any:
    if adjoint:
        array = np.conjugate(array)
    return np.swapaxes(array, -1, -2) if transpose or adjoint else array


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Any:
    """Return sums of products over axes of two arrays."""
    x, y = pair(a, b)
    if isinstance(axes, (list, tuple)) or np.ndim(axes):
        return np.tensordot(x, y, tuple(axes_of(one) for one in axes))
    return np.tensordot(x, y, axes_of(axes))


def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Any:
    """Return sums of products, written with indices.

    Args:
        equation: Such as "ij,jk->ik".
        *inputs: The arrays.
        **kwargs: ``optimize`` and ``name`` have no effect.

    Example:
        >>> einsum("i,i->", [1.0, 2.0], [3.0, 4.0])
        np.float32(11.0)
    """
    unknown = set(kwargs) - {"optimize", "name"}
    if unknown:
        raise BuildError(f"einsum(): unknown arguments {sorted(unknown)}.")
    return scalar(np.einsum(equation, *(given(array) for array in inputs)))


def norm(
    tensor: Any,
    ord: Any = "euclidean",
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
) -> Any:
    """Return lengths of vectors: of all numbers, or along axes.

    Args:
        tensor: The numbers.
        ord: "euclidean", 1, 2, another number, or infinity.
        axis: Along which; two axes only for "euclidean".
        keepdims: Whether axes stay, with the length 1.
        name: No effect.
    """
    array, along = given(tensor), axes_of(axis)
    keeps = bool(keepdims)
    if isinstance(along, tuple) and len(along) == 2 and ord not in ("euclidean", "fro"):
        raise BuildError("norm(): of matrices only the euclidean norm is there.")
    size = np.abs(array)
    if ord in ("euclidean", "fro", 2):
        return np.sqrt(np.sum(size * size, axis=along, keepdims=keeps))
    if ord == 1:
        return np.sum(size, axis=along, keepdims=keeps)
    if ord == np.inf:
        return np.max(size, axis=along, keepdims=keeps)
    if not isinstance(ord, (int, float)) or ord <= 0:
        raise BuildError(f"norm(): ord must be euclidean or above 0, got {ord!r}.")
    return np.power(np.sum(np.power(size, ord), axis=along, keepdims=keeps), 1 / ord)


def trace(x: Any, name: str | None = None) -> Any:
    """Return sums of the diagonals of matrices."""
    array = given(x)
    return np.trace(array, axis1=-2, axis2=-1, dtype=array.dtype)
