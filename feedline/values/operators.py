"""operators: the dtypes of what operators between tensors and other values give.

As in TensorFlow, the dtype of a tensor wins over that of a NumPy array, a NumPy number or a
list beside it, and quotients of integers are floats: float32 of small integers, float64 of
others. Where TensorFlow refuses two operands, NumPy's rule holds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "as_one_kind",
    "beside",
    "compared",
    "divided",
    "holds_text",
    "joined",
    "quotient_dtype",
    "takes_dtype",
]


def takes_dtype(other: np.dtype[Any], dtype: np.dtype[Any]) -> bool:
    """Whether NumPy's values of one dtype get the dtype of the tensor beside them."""
    if dtype.kind == "f":
        return other.kind in "iuf"
    return dtype.kind in "iu" and other.kind in "iu"


def quotient_dtype(first: np.dtype[Any], second: np.dtype[Any] | None) -> np.dtype[Any] | None:
    """Return what integers are divided as; None where NumPy's rule holds."""
    dtypes = [first] if second is None else [first, second]
    if any(dtype.kind not in "iu" for dtype in dtypes):
        return None
    small = max(dtype.itemsize for dtype in dtypes) < 4
    return np.dtype(np.float32 if small else np.float64)


def beside(first: Any, second: Any) -> tuple[Any, Any]:
    """Return the operands of an operator, one of which is a tensor, as TensorFlow takes them."""
    if _is_tensor(first):
        return first, (second if _is_tensor(second) else _taken(second, first))
    return _taken(first, second), second


def _taken(value: Any, tensor: Any) -> Any:
    dtype: np.dtype[Any] = tensor.dtype.dtype
    if isinstance(value, (list, tuple)):
        if dtype.kind not in "iuf":
            return value
        try:
            array = np.asarray(value)
        except ValueError:  # lists of different lengths
            return value
        if array.dtype.kind not in "biufc":  # of strings: NumPy repeats lists
            return value
        value = array
    if not isinstance(value, (np.ndarray, np.generic)) or not takes_dtype(value.dtype, dtype):
        return value
    if value.dtype == dtype:
        return value
    taken = value.astype(dtype)
    # NumPy's rule keeps integers that would not fit.
    return value if dtype.kind in "iu" and not np.array_equal(taken, value) else taken


def divided(first: Any, second: Any) -> Any:
    """Return a quotient of which one operand is a tensor that holds no floats."""
    a, b = _plain(first), _plain(second)
    tensor, other = (a, b) if _is_tensor(first) else (b, a)
    if isinstance(other, (list, tuple)):
        other = np.asarray(other)
        a, b = (a, other) if _is_tensor(first) else (other, b)
    wanted = None
    if isinstance(other, (np.ndarray, np.generic)):
        both = _is_tensor(first) and _is_tensor(second)
        # What is no tensor takes the dtype of the tensor, if it is an integer too.
        second_dtype = other.dtype if both or other.dtype.kind not in "iu" else None
        wanted = quotient_dtype(tensor.dtype, second_dtype)
    elif isinstance(other, int) and not isinstance(other, bool):
        wanted = quotient_dtype(tensor.dtype, None)
    return a / b if wanted is None else np.true_divide(a, b, dtype=wanted)


def compared(first: Any, second: Any, is_equal: bool) -> Any:
    """Return whether strings are equal, or not, one by one: bytes and str of one text are."""
    if holds_text(first) and holds_text(second):
        operator = np.equal if is_equal else np.not_equal
        return np.asarray(operator(_as_bytes(first), _as_bytes(second)), np.bool_)[()]
    both = np.broadcast(np.asarray(first, object), np.asarray(second, object))
    return np.full(both.shape, not is_equal)[()]


def joined(first: Any, second: Any) -> Any:
    """Return strings joined one by one: str if both are, bytes otherwise."""
    a, b = _plain(first), _plain(second)
    kinds = {type(item) for part in (a, b) for item in np.asarray(part, object).ravel()}
    if not all(issubclass(kind, (str, bytes)) for kind in kinds):
        raise TypeError("strings are joined with strings alone: tf.strings.as_string() makes them")
    if any(issubclass(kind, bytes) for kind in kinds):
        a, b = _as_bytes(a), _as_bytes(b)
    return np.add(np.asarray(a, object), np.asarray(b, object))


def as_one_kind(array: NDArray[Any]) -> NDArray[Any]:
    """Return strings that can be ordered: the same array, or bytes where kinds are mixed."""
    kinds = {isinstance(item, str) for item in array.flat}
    return array if len(kinds) < 2 else _as_bytes(array)


def _is_tensor(value: Any) -> bool:
    return getattr(type(value), "is_tensor_type", False)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return np.asarray(value)
    return value._plain() if hasattr(value, "_plain") else value


def holds_text(value: Any) -> bool:
    """Whether a value is a string, or strings in an array or a list."""
    if isinstance(value, (str, bytes)):
        return True
    if isinstance(value, (list, tuple)):
        return bool(value) and all(map(holds_text, value))
    return isinstance(value, np.ndarray) and value.dtype.kind in "OSU"


def _as_bytes(value: Any) -> NDArray[Any]:
    array = np.asarray(value, object)
    made = np.empty(array.shape, object)
    for place, item in np.ndenumerate(array):
        made[place] = item.encode() if isinstance(item, str) else item
    return made
