"""gammas: numbers of a gamma distribution, by the rejection TensorFlow uses.

Every number has a part of its row's stream to itself. What is rejected is drawn again from
there, so no number depends on how often another one was rejected.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError
from feedline.graph.operation import operation
from feedline.graph.rows import Rows, aligned, length_of
from feedline.graph.rule import batched
from feedline.graph.streams import Keys, Streams, streams_of
from feedline.random.parameters import float_dtype, parameter
from feedline.random.rejection import BLOCKS_PER_NUMBER, Draws
from feedline.random.seeds import checked_shape, one_seed, seed_streams

__all__ = ["gamma_rows", "stateless_gamma"]

_Doubles = NDArray[np.float64]


@operation
def stateless_gamma(
    shape: Any,
    seed: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = np.float32,
    name: str | None = None,
) -> Any:
    """Return numbers of a gamma distribution: the same for the same seed.

    Args:
        shape: Of the result. It must end with the shape that ``alpha`` and ``beta`` have
            together.
        seed: Two integers.
        alpha: The concentration.
        beta: The inverse scale, 1 if not given.
        dtype: float16, float32 or float64.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> tf.random.stateless_gamma((2,), seed=(1, 2), alpha=2.5)
        array([3.4498653, 2.4584897], dtype=float32)
    """
    return _stateless_gamma(shape, one_seed(seed), alpha, beta, dtype, name)[0]


@batched(stateless_gamma, fresh=True)
def _stateless_gamma(
    shape: Any,
    seed: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = np.float32,
    name: Any = None,  # noqa: ARG001
) -> NDArray[Any]:
    call = "random.stateless_gamma()"
    streams = seed_streams(call, seed, length_of((seed, alpha, beta)))
    return gamma_rows(streams, checked_shape(call, shape), alpha, beta, dtype, call)


def gamma_rows(
    source: Keys | Streams,
    shape: tuple[int, ...],
    alpha: Any,
    beta: Any,
    dtype: Any,
    call: str = "random.gamma()",
) -> NDArray[Any]:
    """Return numbers of a gamma distribution.

    Args:
        source: One key for each row.
        shape: Of one row's result; it ends with the shape of ``alpha`` and ``beta`` together.
        alpha: The concentration: the same for all rows, or Rows.
        beta: The inverse scale, None for 1.
        dtype: float16, float32 or float64.
        call: What errors begin with.
    """
    wanted = float_dtype(call, dtype)
    streams = streams_of(source)
    alphas = parameter(call, "alpha", alpha, wanted)
    betas = parameter(call, "beta", 1 if beta is None else beta, wanted)
    try:
        together = np.broadcast_shapes(alphas.shape, betas.shape)
    except ValueError:
        together = None
    if together is None or shape[len(shape) - len(together) :] != together:
        raise BuildError(
            f"{call}: shape must end with the shape of alpha and beta together, got "
            f"{list(shape)} for alpha {list(alphas.shape)} and beta {list(betas.shape)}."
        )
    inner, outer = math.prod(together), math.prod(shape[: len(shape) - len(together)])
    # TensorFlow draws all numbers of one alpha before those of the next.
    spread = streams.spread(inner * outer, BLOCKS_PER_NUMBER)
    each = _per_row(alphas, len(streams), together).reshape(len(streams), inner)
    if not (each > 0).all():
        raise BuildError(f"{call}: alpha must be above 0, got {alpha!r}.")
    made: NDArray[Any] = _gammas(spread, np.repeat(each, outer)).astype(wanted)
    made = made.reshape(len(streams), inner, outer)
    rows = Rows(np.moveaxis(made, 1, 2).reshape(len(streams), *shape))
    made = np.divide(*aligned(rows, betas))
    # TensorFlow gives no zeros, of which a logarithm might be taken.
    result: NDArray[Any] = np.maximum(made, np.finfo(wanted).tiny)
    return result


def _per_row(values: Any, length: int, shape: tuple[int, ...]) -> _Doubles:
    array = values.padded(len(shape)) if isinstance(values, Rows) else values
    return np.broadcast_to(array, (length, *shape)).astype(np.float64)


def _gammas(streams: Streams, alpha: _Doubles) -> _Doubles:
    """Return one number for each stream and alpha, in the manner of Marsaglia and Tsang."""
    made = np.empty(len(streams))
    plain = alpha == 1
    made[plain] = -np.log1p(-streams.take(plain).doubles(2)[:, 1])
    left = np.flatnonzero(~plain)
    small = alpha < 1
    d = alpha + np.where(small, 2 / 3, -1 / 3)
    with np.errstate(all="ignore"):
        c = 1 / 3 / np.sqrt(d)
        draws = Draws(streams)
        while len(left):
            x = draws.normals(left)
            v = 1 + c[left] * x
            positive = v > 0
            tried, x, v = left[positive], x[positive], v[positive]
            v = v * v * v
            u = draws.uniforms(tried)
            squeezed = u < 1 - 0.0331 * (x * x) * (x * x)
            inside = np.log(u) < 0.5 * x * x + d[tried] * (1 - v + np.log(v))
            taken = squeezed | inside
            done = tried[taken]
            made[done] = d[done] * v[taken]
            boosted = done[small[done]]
            made[boosted] *= draws.uniforms(boosted) ** (1 / alpha[boosted])
            left = np.setdiff1d(left, done, assume_unique=True)
    return made
