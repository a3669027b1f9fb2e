"""stateless: random numbers that are functions of a seed, the same as TensorFlow's.

Integers and uniform floats are TensorFlow's bit for bit. Normal numbers differ from it in
the last bits now and then: see feedline/kernels/box_muller.py. Each function stands beside
its batching rule, so that a function that draws with a seed made from its element runs on
whole blocks.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, check_at_least
from feedline.graph.operation import operation
from feedline.graph.rows import Rows, length_of, stacked
from feedline.graph.rule import batched
from feedline.narrow import array_of_data
from feedline.random.distributions import (
    categorical_rows,
    normal_rows,
    swapped_rows,
    truncated_normal_rows,
    uniform_rows,
)
from feedline.random.seeds import check_algorithm, checked_shape, one_seed, seed_streams

__all__ = [
    "stateless_categorical",
    "stateless_normal",
    "stateless_shuffle",
    "stateless_truncated_normal",
    "stateless_uniform",
]


@operation
def stateless_uniform(  # noqa: PLR0913 - TensorFlow's signature
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = np.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Return numbers from ``minval`` up to, and without, ``maxval``: the same for the same seed.

    Args:
        shape: Of the result; () for one number.
        seed: Two integers.
        minval: The lowest number. None, with ``maxval=None``, for all integers of the dtype.
        maxval: What all numbers are below: 1 for floats if None; integers need it.
        dtype: float16, float32, float64, int32 or int64; uint32 and uint64 for all integers.
        name: No effect.
        alg: "philox" or "auto_select", which is the same.

    Example:
        >>> import feedline as tf
        >>> tf.random.stateless_uniform((2,), seed=(1, 2))
        array([0.8440604 , 0.19204533], dtype=float32)
    """
    return _uniform(shape, one_seed(seed), minval, maxval, dtype, name, alg)[0]


@batched(stateless_uniform, fresh=True)
def _uniform(  # noqa: PLR0913
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = np.float32,
    name: Any = None,  # noqa: ARG001
    alg: Any = "auto_select",
) -> NDArray[Any]:
    call = "random.stateless_uniform()"
    check_algorithm(call, alg)
    streams = seed_streams(call, seed, length_of((seed, minval, maxval)))
    return uniform_rows(streams, checked_shape(call, shape), minval, maxval, dtype, call)


@operation
def stateless_normal(  # noqa: PLR0913 - TensorFlow's signature
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = np.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Return numbers of a normal distribution: the same for the same seed.

    Args:
        shape: Of the result; () for one number.
        seed: Two integers.
        mean: Where the middle of the distribution is.
        stddev: How wide it is.
        dtype: float16, float32 or float64.
        name: No effect.
        alg: "philox" or "auto_select", which is the same.

    Example:
        >>> import feedline as tf
        >>> tf.random.stateless_normal((2,), seed=(1, 2)).round(3)
        array([0.544, 0.207], dtype=float32)
    """
    return _normal(shape, one_seed(seed), mean, stddev, dtype, name, alg)[0]


@batched(stateless_normal, fresh=True)
def _normal(  # noqa: PLR0913
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = np.float32,
    name: Any = None,  # noqa: ARG001
    alg: Any = "auto_select",
) -> NDArray[Any]:
    call = "random.stateless_normal()"
    check_algorithm(call, alg)
    streams = seed_streams(call, seed, length_of((seed, mean, stddev)))
    return normal_rows(streams, checked_shape(call, shape), mean, stddev, dtype, call)


@operation
def stateless_truncated_normal(  # noqa: PLR0913 - TensorFlow's signature
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = np.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Return normal numbers less than two ``stddev`` from ``mean``: the same for the same seed.

    Args:
        shape: Of the result; () for one number.
        seed: Two integers.
        mean: Where the middle of the distribution is.
        stddev: How wide it is.
        dtype: float16, float32 or float64.
        name: No effect.
        alg: "philox" or "auto_select", which is the same.

    Example:
        >>> import feedline as tf
        >>> tf.random.stateless_truncated_normal((2,), seed=(1, 2)).round(3)
        array([0.544, 0.207], dtype=float32)
    """
    return _truncated_normal(shape, one_seed(seed), mean, stddev, dtype, name, alg)[0]


@batched(stateless_truncated_normal, fresh=True)
def _truncated_normal(  # noqa: PLR0913
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = np.float32,
    name: Any = None,  # noqa: ARG001
    alg: Any = "auto_select",
) -> NDArray[Any]:
    call = "random.stateless_truncated_normal()"
    check_algorithm(call, alg)
    streams = seed_streams(call, seed, length_of((seed, mean, stddev)))
    return truncated_normal_rows(streams, checked_shape(call, shape), mean, stddev, dtype, call)


@operation
def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = np.int64, name: str | None = None
) -> Any:
    """Return class numbers drawn by weight, [series, num_samples]: the same for the same seed.

    Args:
        logits: Logarithms of weights, [series, classes].
        num_samples: How many to draw for each series.
        seed: Two integers.
        dtype: int32 or int64.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> tf.random.stateless_categorical([[1.0, 2.0]], 3, seed=(1, 2))
        array([[1, 1, 0]])
    """
    return _categorical(array_of_data(logits), num_samples, one_seed(seed), dtype, name)[0]


@batched(stateless_categorical, fresh=True)
def _categorical(
    logits: Any,
    num_samples: Any,
    seed: Any,
    dtype: Any = np.int64,
    name: Any = None,  # noqa: ARG001
) -> NDArray[Any]:
    call = "random.stateless_categorical()"
    streams = seed_streams(call, seed, length_of((logits, seed)))
    count = check_at_least(call, "num_samples", num_samples, 0)
    given = logits if isinstance(logits, Rows) else array_of_data(logits)
    return categorical_rows(streams, given, count, dtype or np.int64, call)


@operation
def stateless_shuffle(
    value: Any, seed: Any, alg: Any = "auto_select", name: str | None = None
) -> Any:
    """Return an array with its parts along the first axis in random order: the same for a seed.

    Args:
        value: An array with at least one axis, or a list.
        seed: Two integers.
        alg: "philox" or "auto_select", which is the same.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> tf.random.experimental.stateless_shuffle([1, 2, 3, 4], seed=(1, 2))
        array([1, 4, 3, 2], dtype=int32)
    """
    return _shuffle(Rows(array_of_data(value)[None]), seed, alg, name)[0]


@batched(stateless_shuffle, fresh=True)
def _shuffle(
    value: Any,
    seed: Any,
    alg: Any = "auto_select",
    name: Any = None,  # noqa: ARG001
) -> NDArray[Any]:
    call = "random.experimental.stateless_shuffle()"
    check_algorithm(call, alg)
    length = length_of((value, seed))
    rows = value.array if isinstance(value, Rows) else stacked(array_of_data(value), length)
    if rows.ndim < 2:
        raise BuildError(f"{call}: value must have a first axis to shuffle, got a single value.")
    order = swapped_rows(seed_streams(call, seed, length), rows.shape[1])
    return np.take_along_axis(rows, order.reshape(*order.shape, *(1,) * (rows.ndim - 2)), 1)
