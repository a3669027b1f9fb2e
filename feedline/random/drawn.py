"""drawn: random numbers that depend on the element they are drawn for.

Outside of pipelines they are TensorFlow's for the same seeds, call by call; normal numbers and
those made of them differ from it in the last bits now and then.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, BuildTypeError
from feedline.graph.drawing import draw
from feedline.graph.streams import Keys, Streams
from feedline.graph.symbol import Symbol
from feedline.narrow import array_of_data
from feedline.random.counts import poisson_rows
from feedline.random.distributions import (
    categorical_rows,
    normal_rows,
    permutation_rows,
    swapped_rows,
    truncated_normal_rows,
    uniform_rows,
)
from feedline.random.gammas import gamma_rows
from feedline.random.rejection import BLOCKS_PER_NUMBER

__all__ = [
    "categorical",
    "gamma",
    "normal",
    "poisson",
    "shuffle",
    "truncated_normal",
    "uniform",
]


def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = np.float32,
    seed: int | None = None,
    name: str | None = None,  # noqa: ARG001
) -> Any:
    """Return numbers from ``minval`` up to, and without, ``maxval``, all equally likely.

    Inside a transformation the numbers depend on the seed of the pipeline and the element:
    the same on any number of workers, in any order, and after a resume.

    Args:
        shape: Of the result; () for one number.
        minval: The lowest number.
        maxval: What all numbers are below: 1 for floats if None; integers need it.
        dtype: float16, float32, float64, int32 or int64.
        seed: Makes the draws the same in every iteration, whatever the pipeline's seed.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(100).map(lambda x: tf.random.uniform((), 5, 8, tf.int32))
        >>> sorted({int(x) for x in ds})
        [5, 6, 7]
    """
    wanted = _dtype("uniform()", dtype, "iuf")
    if wanted.kind != "f" and maxval is None:
        raise BuildError(
            f"random.uniform(): maxval must be given for {wanted}. Only floats default to 1."
        )
    top = 1 if maxval is None else maxval
    sizes = _shape("uniform()", shape)
    return _drawn(uniform_rows, sizes, (sizes, minval, top, wanted), seed)


def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = np.float32,
    seed: int | None = None,
    name: str | None = None,  # noqa: ARG001
) -> Any:
    """Return numbers of a normal distribution, keyed by element as in :func:`uniform`.

    Args:
        shape: Of the result; () for one number.
        mean: Where its middle is.
        stddev: How wide it is.
        dtype: float16, float32 or float64.
        seed: Makes the draws the same in every iteration.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> tf.random.normal((2, 3)).shape
        TensorShape([2, 3])
    """
    sizes = _shape("normal()", shape)
    return _drawn(normal_rows, sizes, (sizes, mean, stddev, _dtype("normal()", dtype, "f")), seed)


def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = np.float32,
    seed: int | None = None,
    name: str | None = None,  # noqa: ARG001
) -> Any:
    """Return numbers of a normal distribution, none further than two ``stddev`` from ``mean``.

    Args:
        shape: Of the result; () for one number.
        mean: Where its middle is.
        stddev: How wide it is.
        dtype: float16, float32 or float64.
        seed: Makes the draws the same in every iteration.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> bool(abs(tf.random.truncated_normal((1000,))).max() <= 2)
        True
    """
    sizes = _shape("truncated_normal()", shape)
    wanted = _dtype("truncated_normal()", dtype, "f")
    return _drawn(truncated_normal_rows, sizes, (sizes, mean, stddev, wanted), seed)


def shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Any:  # noqa: ARG001
    """Return an array with the parts along its first axis in random order.

    Args:
        value: An array with at least one axis, or a list.
        seed: Makes the order the same in every iteration.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> sorted(tf.random.shuffle([3, 1, 2]).tolist())
        [1, 2, 3]
    """
    array = value if isinstance(value, Symbol) else np.asarray(value)
    if not array.ndim:
        raise BuildError(f"random.shuffle(): value must have a first axis, got {value!r}.")
    size = len(array)
    order = draw(
        _order_rows,
        (size,),
        _seed("shuffle()", seed),
        kernel=(_order_rows, array.dtype),
        blocks=-(-max(size - 1, 0) // 4),
    )
    return array[order]


def _order_rows(source: Keys | Streams, length: int) -> NDArray[Any]:
    if isinstance(source, Streams):
        return swapped_rows(source, length)
    return permutation_rows(source, length)


def categorical(
    logits: Any,
    num_samples: int,
    dtype: Any = None,
    seed: int | None = None,
    name: str | None = None,  # noqa: ARG001
) -> Any:
    """Return class numbers, drawn with the probabilities that ``logits`` stand for.

    Args:
        logits: Logarithms of probabilities, unscaled: one row per draw series, [rows, classes].
        num_samples: How many numbers to draw for each row.
        dtype: int32 or int64, which is the default.
        seed: Makes the draws the same in every iteration.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> tf.random.categorical([[0.0, -1000.0]], 3)
        array([[0, 0, 0]])
    """
    wanted = _dtype("categorical()", np.int64 if dtype is None else dtype, "i")
    given = logits if isinstance(logits, Symbol) else np.asarray(logits)
    if given.ndim != 2:
        raise BuildError(
            f"random.categorical(): logits must have two axes, got shape {given.shape}."
        )
    series = 0 if isinstance(given, Symbol) else len(given)
    return draw(
        categorical_rows,
        (given, num_samples, wanted),
        _seed("categorical()", seed),
        kernel=(categorical_rows, given.dtype, wanted),
        blocks=series * 2 * 4 * -(-num_samples // 4) * BLOCKS_PER_NUMBER,
    )


def gamma(
    shape: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = np.float32,
    seed: int | None = None,
    name: str | None = None,  # noqa: ARG001
) -> Any:
    """Return numbers of a gamma distribution, keyed by element as in :func:`uniform`.

    Args:
        shape: How many for each alpha and beta: their shape comes behind it.
        alpha: The concentration.
        beta: The inverse scale, 1 if not given.
        dtype: float16, float32 or float64.
        seed: Makes the draws the same in every iteration.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> tf.random.gamma((4,), alpha=[0.5, 2.0]).shape
        TensorShape([4, 2])
    """
    wanted = _dtype("gamma()", dtype, "f")
    parts = _parameter(alpha), 1 if beta is None else _parameter(beta)
    try:
        each = np.broadcast_shapes(*map(np.shape, parts))
    except ValueError:
        raise BuildError(
            f"random.gamma(): alpha and beta must go together, got the shapes "
            f"{list(np.shape(parts[0]))} and {list(np.shape(parts[1]))}."
        ) from None
    sizes = (*_shape("gamma()", shape), *each)
    return _drawn(gamma_rows, sizes, (sizes, *parts, wanted), seed)


def poisson(
    shape: Any,
    lam: Any,
    dtype: Any = np.float32,
    seed: int | None = None,
    name: str | None = None,  # noqa: ARG001
) -> Any:
    """Return counts of a Poisson distribution, keyed by element as in :func:`uniform`.

    Args:
        shape: How many for each rate: the shape of ``lam`` comes behind it.
        lam: The rate, which is the mean.
        dtype: float16, float32, float64, int32 or int64.
        seed: Makes the draws the same in every iteration.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> tf.random.poisson((4,), lam=[0.5, 30.0]).shape
        TensorShape([4, 2])
    """
    wanted = _dtype("poisson()", dtype, "if")
    rates = _parameter(lam)
    sizes = (*_shape("poisson()", shape), *np.shape(rates))
    return _drawn(poisson_rows, sizes, (sizes, rates, wanted), seed)


def _drawn(
    distribution: Callable[..., Any], sizes: tuple[int, ...], args: tuple[Any, ...], seed: Any
) -> Any:
    """Return a draw whose last argument is its dtype; errors name the call as the rows do."""
    return draw(
        distribution,
        args,
        _seed(f"{distribution.__name__.removesuffix('_rows')}()", seed),
        kernel=(distribution, args[-1]),
        blocks=math.prod(sizes) * BLOCKS_PER_NUMBER,
    )


def _parameter(value: Any) -> Any:
    return value if isinstance(value, Symbol) else array_of_data(value)


def _shape(call: str, shape: Any) -> tuple[int, ...]:
    try:
        sizes = np.asarray(shape, np.int64).reshape(-1) if np.size(shape) else np.empty(0, np.int64)
    except (TypeError, ValueError):
        raise BuildTypeError(
            f"random.{call}: shape must be a list of lengths, got {shape!r}."
        ) from None
    if (sizes < 0).any():
        raise BuildError(f"random.{call}: shape must have lengths of at least 0, got {shape!r}.")
    return tuple(sizes.tolist())


def _dtype(call: str, dtype: Any, kinds: str) -> np.dtype[Any]:
    wanted: np.dtype[Any] = np.dtype(dtype)
    if wanted.kind in kinds:
        return wanted
    allowed = "floats" if kinds == "f" else "integers" if kinds == "i" else "numbers"
    raise BuildTypeError(f"random.{call}: dtype must be one of the {allowed}, got {wanted}.")


def _seed(call: str, seed: Any) -> int | None:
    if seed is None or (isinstance(seed, (int, np.integer)) and not isinstance(seed, bool)):
        return None if seed is None else int(seed)
    raise BuildTypeError(f"random.{call}: seed must be an integer or None, got {seed!r}.")
