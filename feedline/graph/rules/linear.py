"""Products of vectors and matrices.

A rule is right only where NumPy makes the very same call of BLAS for each element of a
stack as it makes for one element by itself. What has another form runs element by element.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.exactness import is_settled, kinds_of
from feedline.graph.rows import Rows, aligned, length_of, stacked
from feedline.graph.rule import batched, loops

__all__ = ["dot_of_rows"]

Array = NDArray[Any]


def _rank(operand: Any) -> int:
    return operand.ndim if isinstance(operand, Rows) else np.ndim(operand)


def dot_of_rows(first: Array, second: Array) -> Array:
    """Return the dot product of each row with the row of the same number."""
    if first.shape[1] == 1:
        raise NotImplementedError  # NumPy multiplies, without adding to a zero as BLAS does
    if first.strides[1] < 0 or second.strides[1] < 0:
        raise NotImplementedError  # np.dot copies what lies backwards, np.matmul does not
    product: Array = np.matmul(first[:, None, :], second[:, :, None])
    return product[:, 0, 0]


def _in_order(matrices: Array) -> bool:
    """Whether each matrix lies in memory row by row or column by column, without gaps."""
    rows, columns = matrices.shape[-2:]
    size = matrices.itemsize
    return matrices.strides[-2:] in ((columns * size, size), (size, rows * size))


def _product(first: Array, second: Array) -> Array:
    """Return the products of stacks of matrices as np.dot makes each of them."""
    # For a matrix that is a vector, or has gaps, np.dot calls another function of BLAS.
    for one in (first, second):
        if 1 in one.shape[1:] or (one.ndim == 3 and not _in_order(one)):
            raise NotImplementedError
    product: Array = _matmul(Rows(first), Rows(second))
    return product


@batched(np.matmul, fresh=True, exact=False)
def _matmul(first: Any, second: Any, **kwargs: Any) -> Any:
    ranks = _rank(first), _rank(second)
    if 0 in ranks or kwargs:
        raise NotImplementedError
    if ranks == (1, 1):
        length = length_of((first, second))
        return dot_of_rows(stacked(first, length), stacked(second, length))
    if ranks[1] == 1:
        return np.matmul(*aligned(first, _opened(second, -1)))[..., 0]
    if ranks[0] == 1:
        return np.matmul(*aligned(_opened(first, -2), second))[..., 0, :]
    return np.matmul(*aligned(first, second))


def _opened(vector: Any, axis: int) -> Any:
    """Return vectors as matrices with one column or one row."""
    if isinstance(vector, Rows):
        return Rows(np.expand_dims(vector.array, axis))
    return np.expand_dims(vector, axis)


@batched(np.linalg.matmul, fresh=True, exact=False)
def _linalg_matmul(first: Any, second: Any, /) -> Any:
    return _matmul(first, second)


@batched(np.dot, fresh=True, exact=False)
def _dot(a: Any, b: Any) -> Any:
    ranks = _rank(a), _rank(b)
    if 0 in ranks:
        raise NotImplementedError  # NumPy adds the products to zeros, or does not
    length = length_of((a, b))
    first, second = stacked(a, length), stacked(b, length)
    if ranks == (1, 1):
        return dot_of_rows(first, second)
    if max(ranks) > 2:
        raise NotImplementedError
    return _product(first, second)


@batched(np.inner, fresh=True, exact=False)
def _inner(a: Any, b: Any, /) -> Any:
    ranks = _rank(a), _rank(b)
    if ranks not in ((1, 1), (2, 2)):
        raise NotImplementedError
    if ranks == (1, 1):
        return _dot(a, b)
    length = length_of((a, b))
    return _product(stacked(a, length), np.swapaxes(stacked(b, length), 1, 2))


@batched(np.vdot, fresh=True, exact=False)
def _vdot(a: Any, b: Any, /) -> Any:
    length = length_of((a, b))
    first, second = Rows(stacked(a, length)), Rows(stacked(b, length))
    if "c" in (first.array.dtype.kind, second.array.dtype.kind):
        raise NotImplementedError  # infinite numbers are conjugated in another way
    return np.vecdot(first.flat(), second.flat())


def _of_vectors(function: Any, depths: tuple[int, int]) -> None:
    """Products over the last axes, of which the two operands have as many as ``depths``."""

    @batched(function, fresh=True, exact=False)
    def run(first: Any, second: Any, /, **kwargs: Any) -> Any:
        rest = max(_rank(first) - depths[0], _rank(second) - depths[1])
        if kwargs or min(_rank(first) - depths[0], _rank(second) - depths[1]) < 0:
            raise NotImplementedError
        operands = zip((first, second), depths, strict=True)
        padded = (x.padded(rest + n) if isinstance(x, Rows) else x for x, n in operands)
        return function(*padded)


_of_vectors(np.vecdot, (1, 1))
_of_vectors(np.linalg.vecdot, (1, 1))
if hasattr(np, "matvec"):
    _of_vectors(np.matvec, (2, 1))
    _of_vectors(np.vecmat, (1, 2))


def _check_products(*operands: Any) -> None:
    """Raise for complex numbers, of which NumPy rounds products in more than one way."""
    if not is_settled(np.multiply, kinds_of(operands)):
        raise NotImplementedError


@batched(np.outer, fresh=True)
def _outer(a: Any, b: Any) -> Any:
    _check_products(a, b)
    length = length_of((a, b))
    first, second = Rows(stacked(a, length)).flat(), Rows(stacked(b, length)).flat()
    return np.multiply(first[:, :, None], second[:, None, :])


@batched(np.linalg.outer, fresh=True)
def _linalg_outer(x1: Any, x2: Any, /) -> Any:
    return _outer(x1, x2)


@batched(np.kron, fresh=True)
def _kron(a: Any, b: Any) -> Any:
    _check_products(a, b)
    rank = max(_rank(a), _rank(b))
    if not rank:
        raise NotImplementedError
    length = length_of((a, b))
    first, second = (Rows(stacked(operand, length)).padded(rank) for operand in (a, b))
    # Each number of the first is an axis of its own beside the same axis of the second.
    outer = [size for n in first.shape[1:] for size in (n, 1)]
    inner = [size for n in second.shape[1:] for size in (1, n)]
    made = np.multiply(first.reshape(length, *outer), second.reshape(length, *inner))
    sizes = [n * m for n, m in zip(first.shape[1:], second.shape[1:], strict=True)]
    return made.reshape(length, *sizes)


def _cross(function: Any) -> None:
    @batched(function, fresh=True)
    def run(a: Any, b: Any, *args: Any, **kwargs: Any) -> Any:
        if args or kwargs.keys() - {"axis"} or kwargs.get("axis", -1) != -1:
            raise NotImplementedError
        if not (_rank(a) and _rank(b)):
            raise NotImplementedError
        _check_products(a, b)
        return function(*aligned(a, b))


_cross(np.cross)
_cross(np.linalg.cross)


@batched(np.tensordot, fresh=True, exact=False)
def _tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    length = length_of((a, b))
    first, second = stacked(a, length), stacked(b, length)
    left, right = _contracted(axes, first.ndim - 1, second.ndim - 1)
    kept = [axis for axis in range(1, first.ndim) if axis not in left]
    others = [axis for axis in range(1, second.ndim) if axis not in right]
    shape = [*(first.shape[axis] for axis in kept), *(second.shape[axis] for axis in others)]
    if not kept or not others or not left:
        raise NotImplementedError
    sizes = [math.prod(first.shape[axis] for axis in axes) for axes in (kept, left)]
    last = math.prod(second.shape[axis] for axis in others)
    first = first.transpose(0, *kept, *left).reshape(length, *sizes)
    second = second.transpose(0, *right, *others).reshape(length, sizes[1], last)
    return _product(first, second).reshape(length, *shape)


def _contracted(axes: Any, first: int, second: int) -> tuple[list[int], list[int]]:
    if isinstance(axes, int):
        axes = range(-axes, 0), range(axes)
    left, right = ([one] if isinstance(one, int) else list(one) for one in axes)
    return [axis % first + 1 for axis in left], [axis % second + 1 for axis in right]


@batched(np.linalg.tensordot, fresh=True, exact=False)
def _linalg_tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    return _tensordot(x1, x2, axes)


@batched(np.einsum, exact=False)
def _einsum(subscripts: Any, /, *operands: Any, **kwargs: Any) -> Any:
    if not isinstance(subscripts, str) or "." in subscripts or kwargs:
        raise NotImplementedError
    terms, arrow, result = subscripts.replace(" ", "").partition("->")
    if not arrow:
        letters = terms.replace(",", "")
        result = "".join(sorted(x for x in set(letters) if letters.count(x) == 1))
    arrays = [np.asarray(o.array if isinstance(o, Rows) else o) for o in operands]
    kinds = kinds_of(arrays)
    if "c" in kinds or ("f" in kinds and set(terms) - set(result) - {","}):
        # The order in which a sum is taken depends on the shape of the whole block.
        raise NotImplementedError
    label = next(x for x in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if x not in subscripts)
    parts = [
        label + term if isinstance(operand, Rows) else term
        for term, operand in zip(terms.split(","), operands, strict=True)
    ]
    return np.einsum(f"{','.join(parts)}->{label}{result}", *arrays)


loops(np.linalg.multi_dot, fresh=True, exact=False)
