"""distributions: random bits become numbers, for a whole block of elements at once.

Each function gives one value per row along a first axis, by TensorFlow's algorithms. A row
is the same alone and in any block: whatever is drawn again for one row is drawn again for
that row alone. A parameter is the same for all rows, or ``Rows`` with one for each.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, BuildTypeError
from feedline.graph.rows import Rows, aligned
from feedline.graph.streams import Keys, Streams, streams_of
from feedline.kernels.box_muller import box_muller_float32, box_muller_float64
from feedline.random.parameters import FLOATS, float_dtype, parameter, scaled

__all__ = [
    "categorical_rows",
    "normal_rows",
    "permutation_rows",
    "swapped_rows",
    "truncated_normal_rows",
    "uniform_rows",
]

_INTEGERS = tuple(map(np.dtype, (np.int32, np.int64)))
_UNSIGNED: dict[int, np.dtype[Any]] = {4: np.dtype(np.uint32), 8: np.dtype(np.uint64)}

Source = Keys | Streams


# ---- uniform -------------------------------------------------------------------------


def uniform_rows(
    source: Source,
    shape: tuple[int, ...],
    minval: Any,
    maxval: Any,
    dtype: Any,
    call: str = "random.uniform()",
) -> NDArray[Any]:
    """Return numbers in [minval, maxval), or integers of the whole range where both are None.

    As in TensorFlow, an integer is the remainder of random bits: where ``maxval - minval``
    is no power of two, some come a little more often, by ``maxval - minval`` in 2**32.

    Args:
        source: One key for each row.
        shape: Of one row's result.
        minval: The lowest number.
        maxval: What all numbers are below.
        dtype: float16, float32, float64, int32 or int64; for the whole range also uint32
            and uint64.
        call: What errors begin with.
    """
    wanted = np.dtype(dtype)
    streams = streams_of(source)
    if wanted in FLOATS:
        return _uniform_floats(streams, shape, minval, maxval, wanted, call)
    if wanted not in (*_INTEGERS, *_UNSIGNED.values()):
        raise BuildTypeError(
            f"{call}: dtype must be float16, float32, float64, int32 or int64, got {wanted}. "
            "Cast the result to get another one."
        )
    if (minval is None) != (maxval is None):
        raise BuildError(
            f"{call}: minval and maxval must both be given for {wanted}, or both be None for "
            f"its whole range, got minval={minval} and maxval={maxval}."
        )
    if minval is None:
        return _bits(streams, shape, wanted).view(wanted)
    if wanted not in _INTEGERS:
        raise BuildTypeError(
            f"{call}: dtype must be int32 or int64 where minval is given, got {wanted}. "
            f"For the whole range of {wanted} pass minval=None and maxval=None."
        )
    return _uniform_integers(streams, shape, minval, maxval, wanted, call)


def _uniform_floats(
    streams: Streams, shape: tuple[int, ...], minval: Any, maxval: Any, dtype: Any, call: str
) -> NDArray[Any]:
    if minval is None:
        raise BuildTypeError(f"{call}: minval must be a number for {dtype}, got None.")
    low = parameter(call, "minval", minval, dtype)
    high = parameter(call, "maxval", 1 if maxval is None else maxval, dtype)
    size = math.prod(shape)
    if dtype == np.float64:
        unit: NDArray[Any] = streams.doubles(size)
    elif dtype == np.float32:
        unit = (streams.words(size) & np.uint32(0x7FFFFF)).astype(np.float32)
        unit *= np.float32(2.0**-23)
    else:
        unit = (streams.words(size) & np.uint32(0x3FF)).astype(np.float16)
        unit *= np.float16(2.0**-10)
    rows = Rows(unit.reshape(len(streams), *shape))
    top, bottom = aligned(high, low)
    varies = isinstance(low, Rows) or isinstance(high, Rows)
    return scaled(rows, Rows(top - bottom) if varies else top - bottom, low)


def _uniform_integers(
    streams: Streams, shape: tuple[int, ...], minval: Any, maxval: Any, dtype: Any, call: str
) -> NDArray[Any]:
    bounds = []
    for name, given in (("minval", minval), ("maxval", maxval)):
        bound = parameter(call, name, given, dtype)
        if bound.ndim:
            raise BuildError(
                f"{call}: {name} must be a single number for {dtype}, got shape {bound.shape}. "
                "Draw floats, or one number at a time."
            )
        array = bound.array if isinstance(bound, Rows) else bound
        bounds.append(array.reshape(-1, *(1,) * len(shape)))
    low, high = bounds
    if math.prod(shape) and len(streams) and not (low < high).all():
        raise BuildError(
            f"{call}: minval must be below maxval, got {minval} and {maxval}. "
            "maxval itself is never drawn."
        )
    unsigned = _UNSIGNED[dtype.itemsize]
    span = high.view(unsigned) - low.view(unsigned)
    bits = _bits(streams, shape, unsigned)
    with np.errstate(divide="ignore"):  # of an empty result, whose bounds nobody reads
        made: NDArray[Any] = low.view(unsigned) + bits % span
    return made.view(dtype)


def _bits(streams: Streams, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    size = math.prod(shape)
    bits = streams.words(size) if dtype.itemsize == 4 else streams.longs(size)
    return bits.reshape(len(streams), *shape)


# ---- normal --------------------------------------------------------------------------


def normal_rows(
    source: Source,
    shape: tuple[int, ...],
    mean: Any,
    stddev: Any,
    dtype: Any,
    call: str = "random.normal()",
) -> NDArray[Any]:
    """Return normal numbers.

    Args:
        source: One key for each row.
        shape: Of one row's result.
        mean: Where the middle of the distribution is.
        stddev: How wide it is.
        dtype: float16, float32 or float64.
        call: What errors begin with.
    """
    wanted = float_dtype(call, dtype)
    streams = streams_of(source)
    made = _normals(streams, math.prod(shape), wanted).astype(wanted, copy=False)
    rows = Rows(made.reshape(len(streams), *shape))
    return scaled(
        rows, parameter(call, "stddev", stddev, wanted), parameter(call, "mean", mean, wanted)
    )


def truncated_normal_rows(
    source: Source,
    shape: tuple[int, ...],
    mean: Any,
    stddev: Any,
    dtype: Any,
    call: str = "random.truncated_normal()",
) -> NDArray[Any]:
    """Return normal numbers that are all less than two ``stddev`` away from ``mean``.

    Args:
        source: One key for each row.
        shape: Of one row's result.
        mean: Where the middle of the distribution is.
        stddev: How wide it is.
        dtype: float16, float32 or float64.
        call: What errors begin with.
    """
    wanted = float_dtype(call, dtype)
    streams = streams_of(source)
    size = math.prod(shape)
    # Each group of outputs has a part of the stream to itself, where it is drawn again.
    group, blocks = (2, 128) if wanted == np.float64 else (4, 256)
    groups, needed = -(-size // group), min(group, size)
    starts = streams.spread(groups, blocks)
    made = np.empty((len(starts), needed), wanted)
    left, count = np.arange(len(starts)), 2 * needed
    while len(left):
        tried = _normals(starts.take(left), count, wanted)
        inside = np.abs(tried) < 2
        ranks = np.cumsum(inside, axis=1)
        enough = ranks[:, -1] >= needed
        first = inside & (ranks <= needed) & enough[:, None]
        made[left[enough]] = tried[first].reshape(-1, needed)
        left, count = left[~enough], 2 * count
    flat = made.reshape(len(streams), groups * needed)[:, :size]
    rows = Rows(flat.reshape(len(streams), *shape))
    return scaled(
        rows, parameter(call, "stddev", stddev, wanted), parameter(call, "mean", mean, wanted)
    )


def _normals(streams: Streams, count: int, dtype: Any) -> NDArray[Any]:
    """Return standard normal numbers; in float32 for float16, as they are made."""
    even = count + count % 2
    if dtype == np.float64:
        made = box_muller_float64(streams.words(2 * even).reshape(-1))
    else:
        made = box_muller_float32(streams.words(even).reshape(-1))
    return made.reshape(len(streams), even)[:, :count]


# ---- choices -------------------------------------------------------------------------


def categorical_rows(
    source: Source,
    logits: Any,
    num_samples: int,
    dtype: Any,
    call: str = "random.categorical()",
) -> NDArray[Any]:
    """Return class numbers, drawn with the probabilities that ``logits`` stand for.

    Args:
        source: One key for each row.
        logits: Logarithms of weights, [series, classes]. One that is not finite is never
            drawn; without any other the result is the number of classes.
        num_samples: How many to draw for each series.
        dtype: int32 or int64.
        call: What errors begin with.
    """
    wanted = np.dtype(dtype)
    if wanted not in _INTEGERS:
        raise BuildTypeError(f"{call}: dtype must be int32 or int64, got {wanted}.")
    if num_samples < 0:
        raise BuildError(f"{call}: num_samples must be at least 0, got {num_samples}.")
    array = np.asarray(logits.array if isinstance(logits, Rows) else np.asarray(logits)[None])
    if array.dtype not in FLOATS:
        raise BuildTypeError(f"{call}: logits must be floats, got {array.dtype}.")
    if array.ndim != 3 or not array.shape[2]:
        raise BuildError(
            f"{call}: logits must have the shape [series, classes] with at least one class, "
            f"got {list(array.shape[1:])}."
        )
    streams = streams_of(source)
    finite = np.isfinite(array)
    highest = np.max(array, axis=2, keepdims=True, initial=-np.inf, where=finite)
    with np.errstate(invalid="ignore"):
        weights = np.exp(array.astype(np.float64) - highest.astype(np.float64))
    sums = np.cumsum(np.where(finite, weights, 0.0), axis=2)
    unit = streams.doubles(array.shape[1] * num_samples)
    wanted_sums = unit.reshape(len(streams), array.shape[1], num_samples) * sums[:, :, -1:]
    return _first_above(sums, wanted_sums).astype(wanted, copy=False)


def _first_above(tables: NDArray[Any], values: NDArray[Any]) -> NDArray[np.intp]:
    """Return where in its sorted table each value would stand, after all that equal it."""
    size = tables.shape[-1]
    tables = np.broadcast_to(tables, (*values.shape[:-1], size))
    low = np.zeros(values.shape, np.intp)
    high = np.full(values.shape, size, np.intp)
    for _ in range(size.bit_length()):
        middle = (low + high) // 2
        below = np.take_along_axis(tables, np.minimum(middle, size - 1), -1) <= values
        below &= low < high
        high = np.where(below, high, middle)
        low = np.where(below, middle + 1, low)
    return low


def permutation_rows(source: Source, length: int) -> NDArray[np.int64]:
    """Return the places 0 to ``length`` in random order, every order equally likely.

    Args:
        source: One key for each row.
        length: How many places there are.
    """
    # By sorting 64-bit numbers: two are equal less often than once in 2**64 / length**2.
    longs = streams_of(source).longs(length)
    return np.argsort(longs, axis=1, kind="stable").astype(np.int64, copy=False)


def swapped_rows(streams: Streams, size: int) -> NDArray[np.intp]:
    """Return places in the order TensorFlow swaps them to: each with a later one, or itself."""
    left = np.arange(size, 1, -1, dtype=np.uint32)
    others = (streams.words(len(left)) % left).astype(np.intp) + np.arange(len(left))
    if len(streams) == 1:
        places = list(range(size))
        for place, other in enumerate(others[0].tolist()):
            places[place], places[other] = places[other], places[place]
        return np.array([places], np.intp)
    order = np.tile(np.arange(size), (len(streams), 1))
    rows = np.arange(len(streams))
    for place, other in enumerate(others.T):
        order[rows, other], order[:, place] = order[:, place].copy(), order[rows, other]
    return order
