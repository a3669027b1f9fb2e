"""matrices: diagonals, bands, inverses and decompositions of stacks of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from feedline.arrays.given import given, pair, scalar, static_ints
from feedline.errors import BuildError, SpecError

__all__ = [
    "adjoint",
    "band_part",
    "cholesky",
    "det",
    "diag",
    "diag_part",
    "eigh",
    "eigvalsh",
    "inv",
    "logdet",
    "lstsq",
    "matrix_rank",
    "matrix_transpose",
    "pinv",
    "qr",
    "set_diag",
    "slogdet",
    "solve",
    "svd",
    "tensor_diag",
    "tensor_diag_part",
    "triangular_solve",
]


# ---- diagonals and bands: copies of numbers ------------------------------------------------


def diag(
    diagonal: Any,
    name: str = "diag",
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Any:
    """Return matrices with vectors as one of their diagonals.

    Args:
        diagonal: The vectors, along the last axis.
        name: No effect.
        k: Which diagonal: 0 is the main one, more is above it. Bands of several are not there.
        num_rows: How many rows; as many as are needed by default.
        num_cols: How many columns.
        padding_value: What is beside the diagonal.
        align: No effect: it speaks of bands.

    Example:
        >>> diag([1, 2])
        array([[1, 0],
               [0, 2]], dtype=int32)
    """
    array, place = given(diagonal), _one_diagonal("diag()", k)
    length = array.shape[-1]
    rows, columns = int(num_rows), int(num_cols)
    above, below = max(place, 0), max(-place, 0)
    if rows == columns == -1:
        rows = columns = length + above + below
    rows = length + below if rows == -1 else rows
    columns = length + above if columns == -1 else columns
    if length != max(min(rows - below, columns - above), 0):
        raise BuildError(
            f"diag(): {length} numbers are not the diagonal {place} of {rows} x {columns}."
        )
    kind = array.dtype.type
    # Each place takes the number of its diagonal; those beside it are painted over.
    at = np.clip(np.arange(rows) - below, 0, max(length - 1, 0))
    spread = np.expand_dims(np.take(array, at, axis=-1), -1)
    return np.where(_on_diagonal(rows, columns, place), spread, kind(padding_value))


def diag_part(
    input: Any,
    name: str = "diag_part",
    k: Any = 0,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Any:
    """Return one of the diagonals of matrices.

    Args:
        input: The matrices.
        name: No effect.
        k: Which diagonal. Bands of several are not there.
        padding_value: No effect, as the next: they speak of bands.
        align: No effect.
    """
    array, place = given(input), _one_diagonal("diag_part()", k)
    if array.ndim < 2:
        raise BuildError(f"diag_part(): matrices are needed, got the shape {array.shape}.")
    return np.diagonal(array, place, -2, -1)


def set_diag(
    input: Any, diagonal: Any, name: str = "set_diag", k: Any = 0, align: str = "RIGHT_LEFT"
) -> Any:
    """Return matrices with one diagonal replaced.

    Args:
        input: The matrices.
        diagonal: The new diagonals, along the last axis.
        name: No effect.
        k: Which diagonal. Bands of several are not there.
        align: No effect: it speaks of bands.
    """
    array, place = given(input), _one_diagonal("set_diag()", k)
    rows, columns = array.shape[-2:]
    new = diag(given(diagonal, array.dtype), k=place, num_rows=rows, num_cols=columns)
    return np.where(_on_diagonal(rows, columns, place), new, array)


def _one_diagonal(call: str, k: Any) -> int:
    found = static_ints(k)
    if found is None or len(set(found)) != 1:
        raise BuildError(f"{call}: k must be one integer that is known, got {k!r}.")
    return found[0]


def _on_diagonal(rows: int, columns: int, place: int) -> Any:
    return np.eye(rows, columns, place, dtype=bool)


def band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Any:
    """Return matrices with zeros everywhere but in a band around the main diagonal.

    Args:
        input: The matrices.
        num_lower: How many diagonals below it to keep; all if negative.
        num_upper: How many above it.
        name: No effect.

    Example:
        >>> band_part([[1, 2], [3, 4]], 0, -1)
        array([[1, 2],
               [0, 4]], dtype=int32)
    """
    array = given(input)
    rows, columns = array.shape[-2:]
    below = np.arange(rows)[:, None] - np.arange(columns)
    kept = np.logical_or(num_lower < 0, below <= num_lower)
    kept = np.logical_and(kept, np.logical_or(num_upper < 0, -below <= num_upper))
    return np.where(kept, array, array.dtype.type(0))


def tensor_diag(diagonal: Any, name: str | None = None) -> Any:
    """Return an array with twice the axes, and numbers where both halves of an index agree."""
    array = given(diagonal)
    flat = np.reshape(array, (-1,))
    return np.reshape(diag(flat), (*array.shape, *array.shape))


def tensor_diag_part(input: Any, name: str | None = None) -> Any:
    """Return the numbers where both halves of an index agree."""
    array = given(input)
    half = array.ndim // 2
    if array.ndim % 2 or array.shape[:half] != array.shape[half:]:
        raise BuildError(f"tensor_diag_part(): the two halves of {array.shape} must be equal.")
    count = int(np.prod(array.shape[:half]))
    return np.reshape(np.diagonal(np.reshape(array, (count, count))), array.shape[:half])


def matrix_transpose(a: Any, name: str = "matrix_transpose", conjugate: bool = False) -> Any:
    """Return matrices with rows and columns exchanged."""
    array = given(a)
    if array.ndim < 2:
        raise BuildError(f"matrix_transpose(): matrices are needed, got the shape {array.shape}.")
    return np.swapaxes(np.conjugate(array) if conjugate else array, -1, -2)


def adjoint(matrix: Any, name: str | None = None) -> Any:
    """Return matrices transposed, with conjugate numbers."""
    return matrix_transpose(matrix, conjugate=True)


# ---- computed by LAPACK, as NumPy calls it ---------------------------------------------------


def _computed(call: str, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    try:
        return function(*args, **kwargs)
    except np.linalg.LinAlgError as error:
        raise SpecError(f"{call}: {error}.") from error


def _floats(call: str, value: Any) -> Any:
    array = given(value)
    if array.dtype.kind not in "fc" or array.dtype == np.float16:
        raise BuildError(f"{call}: float32, float64 or complex is needed, got {array.dtype}.")
    if array.ndim < 2:
        raise BuildError(f"{call}: matrices are needed, got the shape {array.shape}.")
    return array


def det(input: Any, name: str | None = None) -> Any:
    """Return determinants."""
    return _computed("det()", np.linalg.det, _floats("det()", input))


def slogdet(input: Any, name: str | None = None) -> tuple[Any, Any]:
    """Return signs of determinants and logarithms of their sizes."""
    sign, size = _computed("slogdet()", np.linalg.slogdet, _floats("slogdet()", input))
    return sign, size


def logdet(matrix: Any, name: str | None = None) -> Any:
    """Return logarithms of the determinants of positive definite matrices."""
    factor = cholesky(matrix)
    return 2 * np.sum(np.log(np.real(np.diagonal(factor, 0, -2, -1))), axis=-1)


def inv(input: Any, adjoint: bool = False, name: str | None = None) -> Any:
    """Return inverse matrices; of the conjugate transposes, if asked for.

    Example:
        >>> inv([[2.0, 0.0], [0.0, 4.0]])
        array([[0.5 , 0.  ],
               [0.  , 0.25]], dtype=float32)
    """
    array = _floats("inv()", input)
    return _computed(
        "inv()", np.linalg.inv, matrix_transpose(array, "", True) if adjoint else array
    )


def pinv(a: Any, rcond: Any = None, validate_args: bool = False, name: str | None = None) -> Any:
    """Return pseudo-inverses of matrices.

    Args:
        a: The matrices.
        rcond: Singular values below this part of the largest count as zero.
        validate_args: No effect: what is wrong is always an error.
        name: No effect.
    """
    array = _floats("pinv()", a)
    if rcond is None:
        rcond = 10.0 * max(array.shape[-2:]) * float(np.finfo(array.dtype).eps)
    return _computed("pinv()", np.linalg.pinv, array, rcond=rcond)


def cholesky(input: Any, name: str | None = None) -> Any:
    """Return the lower triangular factors of positive definite matrices."""
    return _computed("cholesky()", np.linalg.cholesky, _floats("cholesky()", input))


def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Any:
    """Return ``x`` with ``matrix @ x == rhs``; both are stacks of matrices."""
    left, right = pair(matrix, rhs)
    left, right = _floats("solve()", left), _floats("solve()", right)
    left = matrix_transpose(left, conjugate=True) if adjoint else left
    return _computed("solve()", np.linalg.solve, left, right)


def triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Any:
    """Return ``x`` with ``matrix @ x == rhs``, of which only one triangle counts."""
    left = _floats("triangular_solve()", matrix)
    left = band_part(left, -1, 0) if lower else band_part(left, 0, -1)
    return solve(left, rhs, adjoint)


def lstsq(
    matrix: Any,
    rhs: Any,
    l2_regularizer: float = 0.0,
    fast: bool = True,
    name: str | None = None,
) -> Any:
    """Return ``x`` for which ``matrix @ x`` is nearest to ``rhs``.

    Args:
        matrix: Stacks of matrices with at least as many rows as columns, or more columns.
        rhs: Stacks of matrices with as many rows.
        l2_regularizer: How much the size of ``x`` counts as well.
        fast: No effect.
        name: No effect.
    """
    left, right = pair(matrix, rhs)
    left, right = _floats("lstsq()", left), _floats("lstsq()", right)
    turned = adjoint(left)
    rows, columns = left.shape[-2:]
    small = min(rows, columns)
    ridge = left.dtype.type(l2_regularizer) * np.eye(small, dtype=left.dtype)
    if rows >= columns:
        return solve(np.matmul(turned, left) + ridge, np.matmul(turned, right))
    return np.matmul(turned, solve(np.matmul(left, turned) + ridge, right))


def qr(input: Any, full_matrices: bool = False, name: str | None = None) -> tuple[Any, Any]:
    """Return orthogonal and upper triangular factors."""
    mode = "complete" if full_matrices else "reduced"
    q, r = _computed("qr()", np.linalg.qr, _floats("qr()", input), mode)
    return q, r


def svd(
    tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None
) -> Any:
    """Return singular values, left and right singular vectors: ``a == u @ diag(s) @ adjoint(v)``.

    Args:
        tensor: The matrices.
        full_matrices: Whether to return all singular vectors.
        compute_uv: Whether to return any: the singular values alone if not.
        name: No effect.

    Signs of singular vectors may be others than TensorFlow's.
    """
    array = _floats("svd()", tensor)
    if not compute_uv:
        return _computed("svd()", np.linalg.svd, array, compute_uv=False)
    u, s, turned = _computed("svd()", np.linalg.svd, array, full_matrices)
    return s, u, matrix_transpose(turned, conjugate=True)


def eigh(tensor: Any, name: str | None = None) -> tuple[Any, Any]:
    """Return eigenvalues and eigenvectors of self-adjoint matrices.

    Signs of eigenvectors may be others than TensorFlow's.
    """
    values, vectors = _computed("eigh()", np.linalg.eigh, _floats("eigh()", tensor))
    return values, vectors


def eigvalsh(tensor: Any, name: str | None = None) -> Any:
    """Return eigenvalues of self-adjoint matrices."""
    return _computed("eigvalsh()", np.linalg.eigvalsh, _floats("eigvalsh()", tensor))


def matrix_rank(
    a: Any, tol: Any = None, validate_args: bool = False, name: str | None = None
) -> Any:
    """Return how many singular values are not zero, as int32.

    Args:
        a: The matrices.
        tol: What counts as zero.
        validate_args: No effect: what is wrong is always an error.
        name: No effect.
    """
    array = _floats("matrix_rank()", a)
    found = _computed("matrix_rank()", np.linalg.svd, array, compute_uv=False)
    if tol is None:
        part = max(array.shape[-2:]) * np.finfo(array.dtype).eps
        tol = array.dtype.type(part) * np.max(found, axis=-1, keepdims=True)
    return scalar(np.sum(found > tol, axis=-1, dtype=np.int32))
