"""pooling: what the parts of an image around each place add up to, or the largest of it.

Arrays have the shape ``(batch, ..., channels)``, with one to three axes between.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given, pair
from feedline.errors import BuildError
from feedline.graph.operation import operation
from feedline.graph.rows import Rows
from feedline.graph.rule import batched, loops

__all__ = [
    "avg_pool",
    "avg_pool1d",
    "avg_pool2d",
    "conv1d",
    "conv2d",
    "depthwise_conv2d",
    "max_pool",
    "max_pool1d",
    "max_pool2d",
]


class _Steps(NamedTuple):
    """Along each axis between batch and channels: the window, and how it moves."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    rates: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]


def _steps(
    call: str, array: Any, sizes: Any, strides: Any, rates: Any, padding: Any, data_format: Any
) -> _Steps:
    rank = array.ndim - 2
    if data_format not in (None, "NWC", "NHWC", "NDHWC"):
        raise BuildError(
            f"{call}: channels must be the last axis, got the data_format {data_format!r}."
        )
    size = _along(call, "the size of the window", sizes, rank)
    stride = _along(call, "strides", strides, rank)
    rate = _along(call, "dilations", 1 if rates is None else rates, rank)
    lengths = array.shape[1:-1]
    reach = [(n - 1) * r + 1 for n, r in zip(size, rate, strict=True)]
    if isinstance(padding, str):
        same = {"SAME": True, "VALID": False}.get(padding.upper())
        if same is None:
            raise BuildError(f"{call}: padding must be SAME, VALID or pairs, got {padding!r}.")
        total = [0] * rank
        if same:
            counts = [-(-n // s) for n, s in zip(lengths, stride, strict=True)]
            needed = zip(counts, stride, reach, lengths, strict=True)
            total = [max((count - 1) * s + r - n, 0) for count, s, r, n in needed]
        before = [n // 2 for n in total]
        after = [n - b for n, b in zip(total, before, strict=True)]
    else:
        pairs = [tuple(map(operator.index, one)) for one in padding]
        if len(pairs) != rank + 2 or pairs[0] != (0, 0) or pairs[-1] != (0, 0):
            raise BuildError(f"{call}: padding must be {rank + 2} pairs, got {padding!r}.")
        before, after = ([one[side] for one in pairs[1:-1]] for side in (0, 1))
    return _Steps(size, stride, rate, tuple(before), tuple(after))


def _along(call: str, what: str, value: Any, rank: int) -> tuple[int, ...]:
    """Return one number for each axis between: given once, for those axes, or for all."""
    numbers = [value] if np.ndim(value) == 0 else list(value)
    found = [operator.index(one) for one in numbers]
    if len(found) == 1:
        found = found * rank
    if len(found) == rank + 2:
        if (found[0], found[-1]) != (1, 1):
            raise BuildError(f"{call}: {what} must be 1 along batch and channels, got {found}.")
        found = found[1:-1]
    if len(found) != rank or min(found) < 1:
        raise BuildError(f"{call}: {what} must be {rank} numbers from 1 on, got {value!r}.")
    return tuple(found)


def _image(call: str, value: Any, rank: int | None = None) -> Any:
    array = given(value)
    if not 3 <= array.ndim <= 5 or (rank is not None and array.ndim != rank):
        raise BuildError(
            f"{call}: an array of {rank or '3 to 5'} axes is needed, batch first and channels "
            f"last, got the shape {array.shape}."
        )
    return array


def _taps(array: Any, steps: _Steps, fill: Any) -> Iterator[tuple[tuple[int, ...], NDArray[Any]]]:
    """Yield every place of the window, and the numbers that it meets, one for each result."""
    rank = len(steps.sizes)
    first = array.ndim - 1 - rank
    if any(steps.before) or any(steps.after):
        widths = [(0, 0)] * first + list(zip(steps.before, steps.after, strict=True)) + [(0, 0)]
        array = np.pad(array, widths, constant_values=fill)
    lengths = array.shape[first:-1]
    reach = [(n - 1) * r + 1 for n, r in zip(steps.sizes, steps.rates, strict=True)]
    counts = [
        max(0, (n - w) // s + 1) for n, w, s in zip(lengths, reach, steps.strides, strict=True)
    ]
    for place in np.ndindex(*steps.sizes):
        cuts = []
        for at, rate, stride, count in zip(place, steps.rates, steps.strides, counts, strict=True):
            start = at * rate
            cuts.append(slice(start, start + max(0, (count - 1) * stride + 1), stride))
            if not count:
                cuts[-1] = slice(0, 0)
        yield place, array[(..., *cuts, slice(None))]


# ---- the largest, and means ------------------------------------------------------------------


def max_pool(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Any:
    """Return the largest number of each window.

    Args:
        input: Of the shape ``(batch, ..., channels)``, with one to three axes between.
        ksize: How large the window is: a number, or one for each axis.
        strides: How far apart windows are.
        padding: SAME, so that all numbers are in a window; VALID, so that all windows are
            inside; or pairs of numbers for each axis.
        data_format: None, or one with the channels last.
        name: No effect.

    Example:
        >>> max_pool([[[1.0], [3.0], [2.0], [0.0]]], 2, 2, "VALID").tolist()
        [[[3.0], [2.0]]]
    """
    array = _image("max_pool()", input)
    return _largest(array, _steps("max_pool()", array, ksize, strides, None, padding, data_format))


@operation
def _largest(array: Any, steps: _Steps) -> Any:
    least = -np.inf if array.dtype.kind == "f" else np.iinfo(array.dtype).min
    made: Any = None
    for _, met in _taps(array, steps, least):
        made = met.copy() if made is None else np.maximum(made, met, out=made)
    return made


def avg_pool(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Any:
    """Return the mean of each window; what was put around the array does not count.

    See :func:`max_pool` for the arguments.
    """
    array = _image("avg_pool()", input)
    if array.dtype.kind != "f":
        raise BuildError(f"avg_pool(): floats are needed, got {array.dtype}.")
    return _mean(array, _steps("avg_pool()", array, ksize, strides, None, padding, data_format))


@operation
def _mean(array: Any, steps: _Steps) -> Any:
    first = array.ndim - 1 - len(steps.sizes)
    inside = np.ones((*array.shape[first:-1], 1), array.dtype)
    made: Any = 0
    count: Any = 0
    for (_, met), (_, counted) in zip(_taps(array, steps, 0), _taps(inside, steps, 0), strict=True):
        made, count = made + met, count + counted
    return made / count


@batched(_largest, fresh=True)
def _largest_rows(array: Any, steps: _Steps) -> Any:
    return _largest(array.array, steps)


@batched(_mean, fresh=True)
def _mean_rows(array: Any, steps: _Steps) -> Any:
    return _mean(array.array, steps)


def max_pool1d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NWC",
    name: str | None = None,
) -> Any:
    """Return the largest number of each window of sequences; see :func:`max_pool`."""
    return max_pool(_image("max_pool1d()", input, 3), ksize, strides, padding, data_format)


def max_pool2d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    name: str | None = None,
) -> Any:
    """Return the largest number of each window of images; see :func:`max_pool`."""
    return max_pool(_image("max_pool2d()", input, 4), ksize, strides, padding, data_format)


def avg_pool1d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NWC",
    name: str | None = None,
) -> Any:
    """Return the mean of each window of sequences; see :func:`avg_pool`."""
    return avg_pool(_image("avg_pool1d()", input, 3), ksize, strides, padding, data_format)


def avg_pool2d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    name: str | None = None,
) -> Any:
    """Return the mean of each window of images; see :func:`avg_pool`."""
    return avg_pool(_image("avg_pool2d()", input, 4), ksize, strides, padding, data_format)


# ---- weighted sums ---------------------------------------------------------------------------


def conv2d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Return weighted sums of the numbers in each window, over all channels.

    Args:
        input: Of the shape ``(batch, height, width, channels)``.
        filters: Weights ``(height, width, channels, new channels)``.
        strides: How far apart windows are.
        padding: SAME, VALID or pairs for each axis, see :func:`max_pool`.
        data_format: Must have the channels last.
        dilations: How far apart the numbers are that a window meets.
        name: No effect.
    """
    return _convolved("conv2d()", input, filters, strides, padding, data_format, dilations, 4)


def conv1d(
    input: Any,
    filters: Any,
    stride: Any,
    padding: Any,
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Return weighted sums of the numbers in each window of sequences; see :func:`conv2d`."""
    return _convolved("conv1d()", input, filters, stride, padding, data_format, dilations, 3)


def _convolved(
    call: str,
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any,
    rank: int,
) -> Any:
    array, weights = pair(input, filters)
    array = _image(call, array, rank)
    if weights.ndim != rank or weights.shape[-2] != array.shape[-1]:
        raise BuildError(
            f"{call}: filters {weights.shape} do not fit {array.shape[-1]} channels: the axis "
            "before the last must be as long."
        )
    sizes = weights.shape[:-2]
    steps = _steps(call, array, sizes, strides, dilations, padding, data_format)
    return _summed(array, weights, steps)


@operation
def _summed(array: Any, weights: Any, steps: _Steps) -> Any:
    made: Any = None
    for place, met in _taps(array, steps, 0):
        part = np.matmul(met, weights[place])
        made = part if made is None else np.add(made, part, out=made)
    return made


# NumPy may round a product of matrices in other ways for other sizes.
loops(_summed, fresh=True, exact=False)


def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Return weighted sums of the numbers in each window, channel by channel.

    Args:
        input: Of the shape ``(batch, height, width, channels)``.
        filter: Weights ``(height, width, channels, how many for each channel)``.
        strides: How far apart windows are.
        padding: SAME, VALID or pairs for each axis, see :func:`max_pool`.
        data_format: Must have the channels last.
        dilations: How far apart the numbers are that a window meets.
        name: No effect.
    """
    call = "depthwise_conv2d()"
    array, weights = pair(input, filter)
    array = _image(call, array, 4)
    if weights.ndim != 4 or weights.shape[2] != array.shape[-1]:
        raise BuildError(
            f"{call}: filter {weights.shape} does not fit {array.shape[-1]} channels: the axis "
            "before the last must be as long."
        )
    steps = _steps(call, array, weights.shape[:2], strides, dilations, padding, data_format)
    return _summed_by_channel(array, weights, steps)


@operation
def _summed_by_channel(array: Any, weights: Any, steps: _Steps) -> Any:
    # Each product is added before it is rounded, as processors do that multiply and add at once.
    exact = np.float64 if array.dtype == np.float32 else array.dtype
    made: Any = 0
    for place, met in _taps(array, steps, 0):
        product = met[..., None].astype(exact) * weights[place].astype(exact)
        made = (made + product).astype(array.dtype)
    return made.reshape(*made.shape[:-2], made.shape[-2] * made.shape[-1])


@batched(_summed_by_channel, fresh=True)
def _summed_by_channel_rows(array: Any, weights: Any, steps: _Steps) -> Any:
    if not isinstance(array, Rows) or isinstance(weights, Rows):
        raise NotImplementedError
    return _summed_by_channel(array.array, weights, steps)
