"""bits: integers bit by bit, and the bytes of numbers as other numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import dtype_of, given, pair
from feedline.errors import BuildError
from feedline.graph.operation import operation
from feedline.graph.rule import batched

__all__ = [
    "bitcast",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "invert",
    "left_shift",
    "right_shift",
]


def bitcast(input: Any, type: Any, name: str | None = None) -> Any:
    """Return the bytes of numbers as numbers of another dtype.

    Larger numbers become several along a new last axis; a last axis of smaller ones becomes one.

    Example:
        >>> hex(bitcast(1.0, "uint32")), bitcast([1, 256], "uint8").tolist()
        ('0x3f800000', [[1, 0, 0, 0], [0, 1, 0, 0]])
    """
    array, wanted = given(input), dtype_of(type)
    for dtype in (getattr(array, "dtype", np.dtype(object)), wanted):
        if dtype.kind not in "iufc":
            raise BuildError(f"bitcast(): numbers are needed, not {dtype}.")
    times = wanted.itemsize // array.dtype.itemsize
    if times > 1 and (not array.ndim or array.shape[-1] != times):
        raise BuildError(
            f"bitcast(): the last axis must have {times} numbers of {array.dtype} for one of "
            f"{wanted}, got the shape {array.shape}."
        )
    return _cast(array, wanted)


@operation
def _cast(array: Any, dtype: np.dtype[Any]) -> Any:
    rank = array.ndim
    if dtype.itemsize == array.dtype.itemsize:
        return array.view(dtype)
    if dtype.itemsize < array.dtype.itemsize:
        return np.ascontiguousarray(np.expand_dims(array, -1)).view(dtype)
    made: NDArray[Any] = np.ascontiguousarray(array).view(dtype)[..., 0]
    return made if rank > 1 else made[()]


@batched(_cast)
def _cast_rows(array: Any, dtype: np.dtype[Any]) -> Any:
    return _cast(np.ascontiguousarray(array.array), dtype)


def _made(name: str, function: Callable[[Any, Any], Any], doc: str) -> Callable[..., Any]:
    def call(x: Any, y: Any, name: str | None = None) -> Any:
        first, second = pair(x, y)
        for one in (first, second):
            kind = "i" if isinstance(one, int) else one.dtype.kind
            if isinstance(one, bool) or kind not in "iu":
                raise BuildError(f"{title}(): integers are needed, got {one!r}.")
        return function(first, second)

    title = call.__name__ = call.__qualname__ = name
    call.__doc__ = doc
    return call


bitwise_and = _made("bitwise_and", np.bitwise_and, "Return the bits that both have.")
bitwise_or = _made("bitwise_or", np.bitwise_or, "Return the bits that one of two has.")
bitwise_xor = _made("bitwise_xor", np.bitwise_xor, "Return the bits that exactly one has.")
left_shift = _made("left_shift", np.left_shift, "Return x * 2**y, as far as it fits.")
right_shift = _made("right_shift", np.right_shift, "Return x / 2**y, rounded down.")


def invert(x: Any, name: str | None = None) -> Any:
    """Return integers with every bit the other way."""
    array = given(x)
    if array.dtype.kind not in "iu":
        raise BuildError(f"invert(): integers are needed, got {array.dtype}.")
    return np.invert(array)
