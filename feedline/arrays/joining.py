"""joining: arrays put together, taken apart and repeated."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.arrays.given import axes_of, boxed, given, given_all, static_ints, varying
from feedline.errors import BuildError
from feedline.graph.symbol import Symbol
from feedline.graph.trace import symbols_in

__all__ = ["concat", "pad", "repeat", "split", "stack", "tile", "unstack"]


def stack(values: Any, axis: int = 0, name: str = "stack") -> Any:
    """Return arrays of one shape along a new axis.

    Example:
        >>> stack([[1, 2], [3, 4]], axis=1)
        array([[1, 3],
               [2, 4]], dtype=int32)
    """
    return np.stack([boxed(value) for value in given_all(values)], axes_of(axis))


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Any]:
    """Return the slices of an array along an axis, as a list."""
    array = given(value)
    axis = axes_of(axis) % array.ndim
    length = array.shape[axis]
    if length is None:
        length = num if num is not None else len(np.moveaxis(array, axis, 0))
    if num is not None and num != length:
        raise BuildError(f"unstack(): num must be {length}, the length of the axis, got {num}.")
    return [array[(slice(None),) * axis + (place,)] for place in range(length)]


def concat(values: Any, axis: Any, name: str = "concat") -> Any:
    """Return arrays one after the other along an axis they have.

    Example:
        >>> concat([[1, 2], [3]], 0)
        array([1, 2, 3], dtype=int32)
    """
    if not isinstance(values, (list, tuple)):
        return given(values)
    if any(isinstance(value, (bool, int, float, str, bytes)) for value in values):
        raise BuildError("concat(): scalars have no axis to join along. Use stack().")
    return np.concatenate(given_all(values), axes_of(axis))


def split(
    value: Any,
    num_or_size_splits: Any,
    axis: Any = 0,
    num: int | None = None,
    name: str = "split",
) -> list[Any]:
    """Return the parts of an array along an axis: equal ones, or of given lengths.

    Example:
        >>> [part.tolist() for part in split([1, 2, 3, 4], [1, -1])]
        [[1], [2, 3, 4]]
    """
    array = given(value)
    axis = axes_of(axis) % array.ndim
    length = array.shape[axis]
    sizes = static_ints(num_or_size_splits)
    if sizes is None or length is None:
        raise BuildError("split(): the lengths must be known while recording.")
    if np.ndim(num_or_size_splits) == 0:
        if sizes[0] < 1 or length % sizes[0]:
            raise BuildError(f"split(): {length} must divide into {sizes[0]} equal parts.")
        sizes = (length // sizes[0],) * sizes[0]
    elif -1 in sizes:
        rest = length - sum(sizes) - 1
        sizes = tuple(rest if one == -1 else one for one in sizes)
    if sum(sizes) != length or min(sizes, default=0) < 0:
        raise BuildError(f"split(): the parts {list(sizes)} must have {length} together.")
    ends = np.cumsum(sizes).tolist()
    before = (slice(None),) * axis
    return [array[(*before, slice(e - s, e))] for s, e in zip(sizes, ends, strict=True)]


def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    """Return an array repeated as a whole, so many times along each axis."""
    array, times = given(input), static_ints(multiples)
    if times is None:
        return varying(_tiled, [array, given(multiples)], "tile()")[0]
    if len(times) != array.ndim:
        raise BuildError(f"tile(): multiples must have {array.ndim} numbers, got {list(times)}.")
    return np.tile(array, times)


def _tiled(array: Any, multiples: Any) -> list[Any]:
    return [np.tile(array, tuple(int(times) for times in multiples))]


def repeat(input: Any, repeats: Any, axis: Any = None, name: str | None = None) -> Any:
    """Return an array with every slice along an axis repeated."""
    array = given(input)
    if symbols_in(repeats) and static_ints(repeats) is None:
        return varying(_repeated, [array, given(repeats), axis], "repeat()")[0]
    times = given(repeats)
    return np.repeat(
        array, times.read() if isinstance(times, Symbol) else times, axis=axes_of(axis)
    )


def _repeated(array: Any, repeats: Any, axis: Any) -> list[Any]:
    return [np.repeat(array, repeats, axis)]


_MODES: dict[str, Any] = {"CONSTANT": "constant", "REFLECT": "reflect", "SYMMETRIC": "symmetric"}


def pad(
    tensor: Any,
    paddings: Any,
    mode: str = "CONSTANT",
    constant_values: Any = 0,
    name: str | None = None,
) -> Any:
    """Return an array with more before and after it along each axis.

    Args:
        tensor: The array.
        paddings: How many before and after, for each axis.
        mode: CONSTANT, REFLECT or SYMMETRIC.
        constant_values: What CONSTANT fills with.
        name: No effect.

    Example:
        >>> pad([1, 2], [[1, 2]])
        array([0, 1, 2, 0, 0], dtype=int32)
    """
    found = _MODES.get(mode.upper())
    if found is None:
        raise BuildError(f"pad(): mode must be one of {', '.join(_MODES)}, got {mode!r}.")
    array = given(tensor)
    if found == "constant" and getattr(array, "dtype", None) == object:
        constant_values = boxed(constant_values or b"")  # the 0 of strings is the empty one
    if symbols_in(paddings) and any(not s.is_constant for s in symbols_in(paddings)):
        return varying(_padded, [array, given(paddings), found, constant_values], "pad()")[0]
    widths: Any = [tuple(static_ints(one) or ()) for one in _rows(paddings)]
    if len(widths) != array.ndim or any(len(one) != 2 for one in widths):
        raise BuildError(f"pad(): paddings must be {array.ndim} pairs, got {paddings!r}.")
    if found == "constant":
        return np.pad(array, widths, found, constant_values=constant_values)
    return np.pad(array, widths, found)


def _rows(paddings: Any) -> Any:
    return paddings.read() if isinstance(paddings, Symbol) else paddings


def _padded(array: Any, paddings: Any, mode: Any, fill: Any) -> list[Any]:
    more = {"constant_values": fill} if mode == "constant" else {}
    return [np.pad(array, np.asarray(paddings).tolist(), mode, **more)]
