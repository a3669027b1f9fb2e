"""framing: overlapping parts of signals, and signals put together of such parts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import axes_of, given, static_ints
from feedline.errors import BuildError
from feedline.graph.operation import operation
from feedline.graph.rows import Rows
from feedline.graph.rule import batched

__all__ = ["frame", "length_given", "overlap_and_add"]


def length_given(call: str, name: str, value: Any) -> int:
    """Return a length that must be known and positive."""
    found = None if value is None else static_ints(value)
    if found is None or len(found) != 1:
        raise BuildError(f"{call}: {name} must be an integer that is known, got {value!r}.")
    if found[0] < 1:
        raise BuildError(f"{call}: {name} must be at least 1, got {found[0]}.")
    return found[0]


def frame(
    signal: Any,
    frame_length: Any,
    frame_step: Any,
    pad_end: bool = False,
    pad_value: Any = 0,
    axis: int = -1,
    name: str | None = None,
) -> Any:
    """Return parts of a signal, each beginning some steps after the one before it.

    Args:
        signal: Any array with an axis.
        frame_length: How long a part is.
        frame_step: How far apart they begin.
        pad_end: Whether parts that begin inside the signal and end outside are there, filled.
        pad_value: What they are filled with.
        axis: The axis of the signal; in its place are two, the parts and their length.
        name: No effect.

    Example:
        >>> frame([1, 2, 3, 4, 5], 3, 2)
        array([[1, 2, 3],
               [3, 4, 5]], dtype=int32)
    """
    array = given(signal)
    length = length_given("frame()", "frame_length", frame_length)
    step = length_given("frame()", "frame_step", frame_step)
    if not array.ndim:
        raise BuildError("frame(): signal must have an axis, got a single number.")
    from_last = axes_of(axis) % array.ndim - array.ndim
    return _frames(array, length, step, bool(pad_end), given(pad_value, array.dtype), from_last)


@operation
def _frames(array: Any, length: int, step: int, pads: bool, fill: Any, axis: int) -> NDArray[Any]:
    samples = array.shape[axis]
    count = -(-samples // step) if pads else max(0, 1 + (samples - length) // step)
    missing = length + step * (count - 1) - samples
    if pads and missing > 0:
        widths = [(0, 0)] * array.ndim
        widths[axis] = (0, missing)
        array = np.pad(array, widths, constant_values=fill)
    places = np.arange(count)[:, None] * step + np.arange(length)
    return np.take(array, places, axis)


@batched(_frames, fresh=True)
def _frames_of_rows(
    array: Any, length: int, step: int, pads: bool, fill: Any, axis: int
) -> NDArray[Any]:
    if not isinstance(array, Rows) or isinstance(fill, Rows):
        raise NotImplementedError
    return _frames(array.array, length, step, pads, fill, axis)


def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Any:
    """Return signals put together of parts that overlap, which are added up.

    Args:
        signal: The parts of each along the last axis but one.
        frame_step: How far apart they begin.
        name: No effect.

    Example:
        >>> overlap_and_add([[1, 1, 1], [2, 2, 2]], 2)
        array([1, 1, 3, 2, 2], dtype=int32)
    """
    array = given(signal)
    if array.ndim < 2:
        raise BuildError(f"overlap_and_add(): two axes are needed, got the shape {array.shape}.")
    return _added(array, length_given("overlap_and_add()", "frame_step", frame_step))


@operation
def _added(array: Any, step: int) -> NDArray[Any]:
    count, length = array.shape[-2:]
    parts = -(-length // step)
    widths = [(0, 0)] * (array.ndim - 1) + [(0, parts * step - length)]
    cut = np.pad(array, widths).reshape(*array.shape[:-1], parts, step)
    made = np.zeros((*array.shape[:-2], count + parts, step), array.dtype)
    # The order in which TensorFlow adds: the latest part first.
    for part in range(parts):
        made[..., part : part + count, :] += cut[..., part, :]
    flat = made.reshape(*array.shape[:-2], (count + parts) * step)
    return np.ascontiguousarray(flat[..., : length + step * (count - 1) if count else 0])


@batched(_added, fresh=True)
def _added_rows(array: Any, step: int) -> NDArray[Any]:
    return _added(array.array, step)
