"""casting: making arrays of values, and of one dtype another."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.arrays.given import boxed, dtype_of, given, given_dtype, pair, scalar
from feedline.errors import BuildError, BuildTypeError
from feedline.graph.operation import operation
from feedline.graph.rows import aligned
from feedline.graph.rule import batched
from feedline.graph.symbol import Symbol
from feedline.graph.trace import symbols_in
from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor

__all__ = [
    "cast",
    "complex_",
    "constant",
    "convert_to_tensor",
    "identity",
    "identity_n",
    "is_tensor",
    "saturate_cast",
    "stop_gradient",
]


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Any:
    """Return a value as an array: Python numbers become int32 and float32.

    Args:
        value: A number, a string, nested lists of them, or an array, which is copied.
        dtype: What to make of it.
        shape: A shape to fill with one number, or to put as many numbers in.
        name: No effect.

    Example:
        >>> constant([[1.0, 2.0]]).dtype, constant(7, shape=[2, 2]).tolist()
        (dtype('float32'), [[7, 7], [7, 7]])
    """
    made = convert_to_tensor(value, dtype)
    if shape is not None:
        sizes = tuple(int(length) for length in shape)
        if np.size(made) == 1:
            made = np.full(sizes, boxed(made), getattr(made, "dtype", object))
        elif np.size(made) != np.prod(sizes):
            raise BuildTypeError(
                f"constant(): shape {list(sizes)} must have {np.size(made)} numbers in it."
            )
        else:
            made = np.reshape(made, sizes)
    return scalar(made.copy() if made is value and isinstance(made, np.ndarray) else made)


def convert_to_tensor(
    value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None
) -> Any:
    """Return a value as an array; an array stays what it is.

    Example:
        >>> convert_to_tensor([1, 2], dtype="float32")
        array([1., 2.], dtype=float32)
    """
    if dtype is None:
        hinted = dtype_hint is not None and given_dtype(value) is None
        return _hinted(value, dtype_of(dtype_hint)) if hinted else given(value)
    wanted = dtype_of(dtype)
    if symbols_in(value):
        made = given(value)
        return made if made.dtype == wanted else made.astype(wanted)
    if wanted == object:
        made = given(value)
        if isinstance(value, (list, tuple)) and not np.size(made):
            return np.empty(np.shape(made), object)  # without items, a list has any dtype
        if not isinstance(made, (str, bytes)) and getattr(made, "dtype", None) != object:
            raise BuildTypeError(f"a string is needed, got {value!r}.")
        return made
    if isinstance(value, (np.ndarray, np.generic)):
        return scalar(value.astype(wanted, copy=False))
    return _of_python(value, wanted)


def _hinted(value: Any, hint: np.dtype[Any]) -> Any:
    try:
        return _of_python(value, hint)
    except (TypeError, ValueError, OverflowError):
        return given(value)


def _of_python(value: Any, wanted: np.dtype[Any]) -> Any:
    """Return Python numbers as a dtype that can hold them."""
    found = np.asarray(value)
    if found.dtype == object or found.dtype.kind in "SUV":
        raise BuildTypeError(f"{value!r} does not become {wanted}.")
    if found.size and not np.can_cast(found.dtype, wanted, "same_kind"):
        integers = found.dtype.kind in "iu" and wanted.kind in "iu"
        if not (integers or (wanted.kind == "c" and found.dtype.kind in "biuf")):
            raise BuildTypeError(f"{value!r} does not become {wanted}. Use cast().")
    try:
        return scalar(np.asarray(value, wanted))
    except OverflowError as error:
        raise BuildError(f"{value!r} does not fit {wanted}.") from error


def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """Return numbers as another dtype; fractions are cut off.

    Example:
        >>> cast([1.8, -1.8], "int32")
        array([ 1, -1], dtype=int32)
    """
    wanted = dtype_of(dtype)
    if isinstance(x, RaggedTensor):
        return x.with_flat_values(cast(x.plain_flat_values, wanted))
    if isinstance(x, SparseTensor):
        return x.with_values(cast(x.plain_values, wanted))
    array = given(x)
    if not isinstance(array, (np.ndarray, np.generic, Symbol)):
        if wanted == object:
            return array
        raise BuildTypeError(f"cast(): a string does not become {wanted}: {array!r}.")
    if array.dtype == wanted:
        return array
    if array.dtype.kind == "c" and wanted.kind in "biuf":
        array = array.real
    return array.astype(wanted, copy=False)


def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Any:
    """Return numbers as another dtype; what does not fit becomes the nearest that does.

    Example:
        >>> saturate_cast([-5.0, 300.0], "uint8")
        array([  0, 255], dtype=uint8)
    """
    wanted = dtype_of(dtype)
    array = given(value)
    if wanted.kind in "iu":
        found, limits = array.dtype, np.iinfo(wanted)
        low, high = limits.min, limits.max
        if found.kind in "iu":
            low = max(low, np.iinfo(found).min)
            high = min(high, np.iinfo(found).max)
        elif found.kind == "f":
            # The largest float of this dtype that is not above the limit.
            top = found.type(high)
            high = top if int(top) <= high else np.nextafter(top, found.type(0))
        array = np.clip(array, found.type(low), found.type(high))
    elif wanted.kind == "f" and array.dtype.kind == "f":
        limit = np.finfo(wanted).max
        if np.finfo(array.dtype).max > limit:
            array = np.clip(array, -array.dtype.type(limit), array.dtype.type(limit))
    return cast(array, wanted)


def identity(input: Any, name: str | None = None) -> Any:
    """Return an array with the same numbers, in memory of its own."""
    array = given(input)
    return array.copy() if isinstance(array, (np.ndarray, Symbol)) else array


def identity_n(input: Any, name: str | None = None) -> list[Any]:
    """Return several arrays, each with memory of its own."""
    return [identity(array) for array in input]


def complex_(real: Any, imag: Any, name: str | None = None) -> Any:
    """Return complex numbers of their real and imaginary parts.

    Example:
        >>> complex_([1.0], [2.0])
        array([1.+2.j], dtype=complex64)
    """
    first, second = pair(real, imag)
    for one in (first, second):
        dtype = given_dtype(one)
        if dtype is not None and dtype not in (np.float32, np.float64):
            raise BuildTypeError(f"complex(): float32 or float64 is needed, got {dtype}.")
    wide = np.float64 in (given_dtype(first), given_dtype(second))
    return _of_parts(first, second, np.dtype(np.complex128 if wide else np.complex64))


@operation
def _of_parts(real: Any, imag: Any, dtype: np.dtype[Any]) -> Any:
    first, second = np.broadcast_arrays(real, imag)
    made = np.empty(first.shape, dtype)
    made.real, made.imag = first, second
    return made[()]


@batched(_of_parts, fresh=True)
def _of_parts_rows(real: Any, imag: Any, dtype: np.dtype[Any]) -> Any:
    first, second = aligned(real, imag)
    return _of_parts(first, second, dtype)


def stop_gradient(input: Any, name: str | None = None) -> Any:
    """Return the array: there are no gradients here."""
    return given(input)


def is_tensor(x: Any) -> bool:
    """Whether a value is an array, a NumPy scalar, ragged or sparse."""
    return isinstance(x, (np.ndarray, np.generic, Symbol, RaggedTensor, SparseTensor))
