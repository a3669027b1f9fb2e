"""counts: numbers of Poisson and binomial distributions, by the rejections TensorFlow uses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, BuildTypeError
from feedline.graph.operation import operation
from feedline.graph.rows import Rows, length_of
from feedline.graph.rule import batched
from feedline.graph.streams import Keys, Streams, streams_of
from feedline.random.parameters import FLOATS
from feedline.random.rejection import BLOCKS_PER_NUMBER, Draws
from feedline.random.seeds import checked_shape, one_seed, seed_streams

__all__ = ["binomial_rows", "poisson_rows", "stateless_binomial", "stateless_poisson"]

_DTYPES = (*FLOATS, *map(np.dtype, (np.int32, np.int64)))
# From this mean on, numbers are drawn by Hoermann's transformed rejection.
_LARGE_MEAN = 10
# How many blocks of the stream TensorFlow leaves to a small binomial number.
_BLOCKS_FOR_WAITS = 42

_Doubles = NDArray[np.float64]
_log_gamma = np.frompyfunc(math.lgamma, 1, 1)


@operation
def stateless_poisson(
    shape: Any, seed: Any, lam: Any, dtype: Any = np.int32, name: str | None = None
) -> Any:
    """Return counts of a Poisson distribution: the same for the same seed.

    Args:
        shape: Of the result. It must end with the shape of ``lam``.
        seed: Two integers.
        lam: The rate, which is the mean.
        dtype: float16, float32, float64, int32 or int64.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> tf.random.stateless_poisson((2, 3), seed=(1, 2), lam=[0.5, 2.0, 30.0])
        array([[ 3,  3, 25],
               [ 2,  3, 35]], dtype=int32)
    """
    return _stateless_poisson(shape, one_seed(seed), lam, dtype, name)[0]


@batched(stateless_poisson, fresh=True)
def _stateless_poisson(
    shape: Any,
    seed: Any,
    lam: Any,
    dtype: Any = np.int32,
    name: Any = None,  # noqa: ARG001
) -> NDArray[Any]:
    call = "random.stateless_poisson()"
    streams = seed_streams(call, seed, length_of((seed, lam)))
    return poisson_rows(streams, checked_shape(call, shape), lam, dtype, call)


@operation
def stateless_binomial(
    shape: Any,
    seed: Any,
    counts: Any,
    probs: Any,
    output_dtype: Any = np.int32,
    name: str | None = None,
) -> Any:
    """Return how many of ``counts`` trials succeed: the same for the same seed.

    Args:
        shape: Of the result. It must end with the shape that ``counts`` and ``probs`` have
            together.
        seed: Two integers.
        counts: How many trials.
        probs: The probability that one succeeds.
        output_dtype: float16, float32, float64, int32 or int64.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> tf.random.stateless_binomial((3,), seed=(1, 2), counts=50.0, probs=0.1)
        array([7, 7, 9], dtype=int32)
    """
    return _stateless_binomial(shape, one_seed(seed), counts, probs, output_dtype, name)[0]


@batched(stateless_binomial, fresh=True)
def _stateless_binomial(
    shape: Any,
    seed: Any,
    counts: Any,
    probs: Any,
    output_dtype: Any = np.int32,
    name: Any = None,  # noqa: ARG001
) -> NDArray[Any]:
    call = "random.stateless_binomial()"
    streams = seed_streams(call, seed, length_of((seed, counts, probs)))
    sizes = checked_shape(call, shape)
    return binomial_rows(streams, sizes, counts, probs, output_dtype, call)


# ---- for each row --------------------------------------------------------------------


def poisson_rows(
    source: Keys | Streams,
    shape: tuple[int, ...],
    lam: Any,
    dtype: Any,
    call: str = "random.poisson()",
) -> NDArray[Any]:
    """Return counts of a Poisson distribution.

    Args:
        source: One key for each row.
        shape: Of one row's result; it ends with the shape of ``lam``.
        lam: The rate: the same for all rows, or Rows.
        dtype: float16, float32, float64, int32 or int64.
        call: What errors begin with.
    """
    wanted = _count_dtype(call, dtype)
    streams = streams_of(source)
    (rates,), inner, outer = _each(call, shape, len(streams), lam=lam)
    if not (rates >= 0).all():
        raise BuildError(f"{call}: lam must be at least 0, got {lam!r}.")
    # TensorFlow draws all numbers of one rate before those of the next.
    spread = streams.spread(inner * outer, BLOCKS_PER_NUMBER)
    made = _poissons(spread, np.repeat(rates, outer), _highest(wanted))
    made = np.swapaxes(made.reshape(len(streams), inner, outer), 1, 2)
    return made.reshape(len(streams), *shape).astype(wanted)


def binomial_rows(
    source: Keys | Streams,
    shape: tuple[int, ...],
    counts: Any,
    probs: Any,
    dtype: Any,
    call: str = "random.binomial()",
) -> NDArray[Any]:
    """Return how many of ``counts`` trials succeed.

    Args:
        source: One key for each row.
        shape: Of one row's result; it ends with the shape of ``counts`` and ``probs`` together.
        counts: How many trials: the same for all rows, or Rows.
        probs: The probability that one succeeds.
        dtype: float16, float32, float64, int32 or int64.
        call: What errors begin with.
    """
    wanted = _count_dtype(call, dtype)
    streams = streams_of(source)
    parts, inner, outer = _each(call, shape, len(streams), counts=counts, probs=probs)
    waits = Draws(streams.spread(inner * outer, _BLOCKS_FOR_WAITS))
    draws = Draws(streams.spread(inner * outer, BLOCKS_PER_NUMBER))
    made = _binomials(waits, draws, *(np.repeat(part, outer) for part in parts))
    made = np.swapaxes(made.reshape(len(streams), inner, outer), 1, 2)
    return made.reshape(len(streams), *shape).astype(wanted)


def _each(
    call: str, shape: tuple[int, ...], length: int, **given: Any
) -> tuple[list[_Doubles], int, int]:
    """Return one parameter of each for every row and place, how many places, and draws of each."""
    arrays = {
        name: value.array if isinstance(value, Rows) else np.asarray(value)[None]
        for name, value in given.items()
    }
    for name, array in arrays.items():
        if array.dtype.kind not in "iuf":
            raise BuildTypeError(f"{call}: {name} must be numbers, got {array.dtype}.")
    try:
        together = np.broadcast_shapes(*(array.shape[1:] for array in arrays.values()))
    except ValueError:
        together = None
    if together is None or shape[len(shape) - len(together) :] != together:
        shapes = ", ".join(f"{name} {list(array.shape[1:])}" for name, array in arrays.items())
        raise BuildError(
            f"{call}: shape must end with the shape of its parameters together, got {list(shape)} "
            f"for {shapes}."
        )
    padded = (
        array.reshape(len(array), *(1,) * (len(together) + 1 - array.ndim), *array.shape[1:])
        for array in arrays.values()
    )
    rows = [np.broadcast_to(array, (length, *together)).astype(np.float64) for array in padded]
    outer = math.prod(shape[: len(shape) - len(together)])
    return [row.reshape(-1) for row in rows], math.prod(together), outer


def _count_dtype(call: str, dtype: Any) -> np.dtype[Any]:
    wanted: np.dtype[Any] = np.dtype(dtype)
    if wanted not in _DTYPES:
        raise BuildTypeError(
            f"{call}: dtype must be float16, float32, float64, int32 or int64, got {wanted}."
        )
    return wanted


def _highest(dtype: np.dtype[Any]) -> float:
    return float(np.iinfo(dtype).max if dtype.kind == "i" else np.finfo(dtype).max)


# ---- Poisson -------------------------------------------------------------------------


def _poissons(streams: Streams, rate: _Doubles, highest: float) -> _Doubles:
    """Return one count for each stream and rate."""
    made = np.zeros(len(streams))
    draws = Draws(streams)
    small = rate < _LARGE_MEAN
    _multiply_until_small(draws, np.flatnonzero(small), rate, made)
    _transformed(draws, np.flatnonzero(~small), rate, made, highest)
    return made


def _multiply_until_small(draws: Draws, left: NDArray[Any], rate: _Doubles, made: _Doubles) -> None:
    """Count events until their waiting times, which are logarithms of draws, add up to 1."""
    product = np.ones(len(rate))
    least = np.exp(-rate)
    while len(left):
        product[left] *= draws.uniforms(left)
        left = left[product[left] > least[left]]
        made[left] += 1


def _transformed(
    draws: Draws, left: NDArray[Any], rate: _Doubles, made: _Doubles, highest: float
) -> None:
    while len(left):
        mean = rate[left]
        b = 0.931 + 2.53 * np.sqrt(mean)
        a = -0.059 + 0.02483 * b
        u = draws.uniforms(left) - 0.5
        v = draws.uniforms(left)
        edge = 0.5 - np.abs(u)
        with np.errstate(all="ignore"):
            count = np.floor((2 * a / edge + b) * u + mean + 0.43)
            inside = (edge >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
            outside = (count < 0) | ((edge < 0.013) & (v > edge))
            density = np.log(v * (1.1239 + 1.1328 / (b - 3.4)) / (a / (edge * edge) + b))
            terms = _log_gamma(np.where(outside, 0, count) + 1).astype(np.float64)
            below = density <= -mean + count * np.log(mean) - terms
        taken = (count <= highest) & (inside | (~outside & below))
        made[left[taken]] = count[taken]
        left = left[~taken]


# ---- binomial ------------------------------------------------------------------------


def _binomials(waits: Draws, draws: Draws, count: _Doubles, prob: _Doubles) -> _Doubles:
    """Return one number of successes for each count and probability."""
    made = np.where(prob >= 1, count, 0.0)
    made[(count <= 0) | (prob <= 0)] = 0
    made[np.isnan(prob)] = np.nan
    varies = (count > 0) & (prob > 0) & (prob < 1)
    # The rarer outcome is counted.
    rare = np.where(prob <= 0.5, prob, 1 - prob)
    large = varies & (count * rare >= _LARGE_MEAN)
    _add_waits(waits, np.flatnonzero(varies & ~large), count, rare, made)
    _transformed_binomial(draws, np.flatnonzero(large), count, rare, made)
    frequent = varies & (prob > 0.5)
    made[frequent] = count[frequent] - made[frequent]
    return made


def _add_waits(
    draws: Draws, left: NDArray[Any], count: _Doubles, prob: _Doubles, made: _Doubles
) -> None:
    """Count successes until the trials between them, which are geometric, are used up."""
    trials = np.zeros(len(count))
    with np.errstate(divide="ignore"):
        while len(left):
            trials[left] += np.ceil(np.log(draws.uniforms(left)) / np.log1p(-prob[left]))
            left = left[trials[left] <= count[left]]
            made[left] += 1


def _transformed_binomial(
    draws: Draws, left: NDArray[Any], count: _Doubles, prob: _Doubles, made: _Doubles
) -> None:
    while len(left):
        n, p = count[left], prob[left]
        spread = np.sqrt(n * p * (1 - p))
        b = 1.15 + 2.53 * spread
        a = -0.0873 + 0.0248 * b + 0.01 * p
        odds = p / (1 - p)
        mode = np.floor((n + 1) * p)
        u = draws.uniforms(left) - 0.5
        v = draws.uniforms(left)
        edge = 0.5 - np.abs(u)
        with np.errstate(all="ignore"):
            k = np.floor((2 * a / edge + b) * u + n * p + 0.5)
            inside = (edge >= 0.07) & (v <= 0.92 - 4.2 / b)
            outside = (k < 0) | (k > n)
            density = np.log(v * (2.83 + 5.1 / b) * spread / (a / (edge * edge) + b))
            safe = np.where(outside, mode, k)
            bound = (
                (mode + 0.5) * np.log((mode + 1) / (odds * (n - mode + 1)))
                + (n + 1) * np.log((n - mode + 1) / (n - safe + 1))
                + (safe + 0.5) * np.log(odds * (n - safe + 1) / (safe + 1))
                + _stirling_rest(mode)
                + _stirling_rest(n - mode)
                - _stirling_rest(safe)
                - _stirling_rest(n - safe)
            )
        taken = inside | (~outside & (density <= bound))
        made[left[taken]] = k[taken]
        left = left[~taken]


def _stirling_rest(k: _Doubles) -> _Doubles:
    """Return what Stirling's formula leaves out of the logarithm of k!."""
    square = (k + 1) * (k + 1)
    rest: _Doubles = (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)
    exact = np.minimum(k, len(_SMALL_RESTS) - 1).astype(np.intp)
    return np.where(k < len(_SMALL_RESTS), _SMALL_RESTS[np.maximum(exact, 0)], rest)


_SMALL_RESTS = np.array(
    [
        math.lgamma(k + 1) - (0.5 * math.log(2 * math.pi) + (k + 0.5) * math.log(k + 1) - (k + 1))
        for k in range(10)
    ]
)
