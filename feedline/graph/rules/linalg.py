"""``np.linalg``: what NumPy itself does matrix by matrix for a stack of them, and norms."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.graph.rows import Rows, shifted
from feedline.graph.rule import batched, loops
from feedline.graph.rules.linear import dot_of_rows
from feedline.graph.rules.reductions import is_flat, opened

__all__ = []


def _of_stacks(function: Any) -> None:
    @batched(function, fresh=True, exact=False)
    def run(a: Any, /, *args: Any, **kwargs: Any) -> Any:
        if a.ndim < 2 or any(isinstance(value, Rows) for value in (*args, *kwargs.values())):
            raise NotImplementedError
        return function(a.array, *args, **kwargs)


for _function in (np.linalg.cholesky, np.linalg.det, np.linalg.eigh, np.linalg.eigvalsh):
    _of_stacks(_function)
for _function in (np.linalg.inv, np.linalg.qr, np.linalg.slogdet, np.linalg.svd):
    _of_stacks(_function)
_of_stacks(np.linalg.svdvals)


@batched(np.linalg.solve, fresh=True, exact=False)
def _solve(a: Any, b: Any) -> Any:
    ranks = (a.ndim if isinstance(a, Rows) else np.ndim(a)), getattr(b, "ndim", np.ndim(b))
    if ranks[0] < 2 or ranks[1] < 1:
        raise NotImplementedError
    matrices = a.array if isinstance(a, Rows) else np.asarray(a)
    values = b.array if isinstance(b, Rows) else np.asarray(b)
    if ranks[1] > 1:
        return np.linalg.solve(matrices, values)
    if ranks[0] > 2:
        raise NotImplementedError
    # A vector is a matrix with one column, which a stack of vectors would not be.
    return np.linalg.solve(matrices, values[..., None])[..., 0]


@batched(np.linalg.norm, fresh=True, exact=False)
def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:  # noqa: A002
    rank = x.ndim
    if ord in (-1, -2) and (isinstance(axis, int) or rank == 1):
        raise NotImplementedError
    if ord not in (None, "f", "fro", "nuc", 0, 1, 2, -1, -2, np.inf, -np.inf):
        # The last step is a power, which NumPy computes in several ways.
        raise NotImplementedError
    if axis is not None:
        return np.linalg.norm(x.array, ord, shifted(axis, rank), keepdims)
    by_dot = ord is None or (ord in ("f", "fro") and rank == 2) or (ord == 2 and rank == 1)
    if not by_dot or x.array.dtype.kind == "c" or not rank:
        if ord is None or rank not in (1, 2):
            raise NotImplementedError
        axes = shifted(None, rank)
        return np.linalg.norm(x.array, ord, axes[0] if rank == 1 else axes, keepdims)
    if not is_flat(x) and (rank > 1 or x.array.strides[1] < 0):
        raise NotImplementedError  # NumPy goes through such an array in the order of memory
    flat = np.ascontiguousarray(x.flat())
    if flat.dtype.kind != "f":
        flat = flat.astype(np.float64)
    found = np.sqrt(dot_of_rows(flat, flat))
    return opened(found, rank) if keepdims else found


# A stack goes through sums, powers or products that one matrix does not go through alike.
loops(
    np.linalg.cond,
    np.linalg.matrix_norm,
    np.linalg.matrix_rank,
    np.linalg.pinv,
    fresh=True,
    exact=False,
)
loops(np.linalg.tensorinv, np.linalg.tensorsolve, np.linalg.vector_norm, fresh=True, exact=False)
loops(np.linalg.matrix_power, exact=False)
