"""parameters: what a distribution is given besides its bits, and how it is applied."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, BuildTypeError
from feedline.graph.rows import Rows, aligned

__all__ = ["FLOATS", "float_dtype", "parameter", "scaled"]

FLOATS = tuple(map(np.dtype, (np.float16, np.float32, np.float64)))


def float_dtype(call: str, dtype: Any) -> np.dtype[Any]:
    """Return the dtype of a result that must be a float."""
    wanted: np.dtype[Any] = np.dtype(dtype)
    if wanted not in FLOATS:
        raise BuildTypeError(f"{call}: dtype must be float16, float32 or float64, got {wanted}.")
    return wanted


def parameter(call: str, name: str, given: Any, dtype: np.dtype[Any]) -> Any:
    """Return a parameter in the dtype of the result, as an array or as Rows."""
    array = given.array if isinstance(given, Rows) else np.asarray(given)
    if array.dtype.kind not in ("iuf" if dtype.kind == "f" else "iu"):
        kind = "a number" if dtype.kind == "f" else "an integer"
        shown = given if not isinstance(given, Rows) else array.dtype
        raise BuildTypeError(f"{call}: {name} must be {kind} for {dtype}, got {shown!r}.")
    if dtype.kind == "i" and array.size:
        limits = np.iinfo(dtype)
        if array.min() < limits.min or array.max() > limits.max:
            raise BuildError(f"{call}: {name} must fit into {dtype}, got {given!r}.")
    cast = array.astype(dtype, copy=False)
    return Rows(cast) if isinstance(given, Rows) else cast


def scaled(rows: Rows, factor: Any, offset: Any) -> NDArray[Any]:
    """Return ``rows * factor + offset``, each operand the same for all rows or Rows."""
    # Rounded after each step, as TensorFlow's two operations do.
    product, shift = aligned(Rows(np.multiply(*aligned(rows, factor))), offset)
    made: NDArray[Any] = product + shift
    return made
