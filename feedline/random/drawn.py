"""drawn: random numbers that depend on the element they are drawn for."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.errors import BuildError, BuildTypeError
from feedline.graph.drawing import draw
from feedline.graph.symbol import Symbol
from feedline.random import distributions

__all__ = ["categorical", "normal", "shuffle", "truncated_normal", "uniform"]


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
    args = (_shape("uniform()", shape), minval, top, wanted)
    return draw(distributions.uniform_rows, args, _seed("uniform()", seed))


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
    args = (_shape("normal()", shape), mean, stddev, _dtype("normal()", dtype, "f"))
    return draw(distributions.normal_rows, args, _seed("normal()", seed))


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
    wanted = _dtype("truncated_normal()", dtype, "f")
    args = (_shape("truncated_normal()", shape), mean, stddev, wanted)
    return draw(distributions.truncated_normal_rows, args, _seed("truncated_normal()", seed))


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
    order = draw(distributions.permutation_rows, (len(array),), _seed("shuffle()", seed))
    return array[order]


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
    args = (given, num_samples, wanted)
    return draw(distributions.categorical_rows, args, _seed("categorical()", seed))


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
