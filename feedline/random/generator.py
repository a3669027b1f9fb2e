"""Generator: TensorFlow's random.Generator, a stream with a state that every draw moves on.

Its draws depend on what was drawn before, so a function that uses one gives other results
in another order of calls, and none after a resume that it gave before. Inside a pipeline
use the functions of feedline.random, which are keyed by element, or the stateless ones.
"""

from __future__ import annotations

import enum
import secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, BuildTypeError, check_at_least, check_integer
from feedline.graph.streams import Streams
from feedline.random.counts import binomial_rows
from feedline.random.distributions import normal_rows, truncated_normal_rows, uniform_rows
from feedline.random.seeds import check_algorithm, checked_shape
from feedline.values.publishing import published

__all__ = ["Algorithm", "Generator", "create_rng_state"]


class Algorithm(enum.Enum):
    """TensorFlow's algorithms. Feedline has Philox, which is what the last one chooses."""

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


def create_rng_state(seed: Any, alg: Any) -> NDArray[np.int64]:
    """Return the state of a Generator made from a seed.

    Args:
        seed: An integer of any size, or a list of integers.
        alg: "philox" or "auto_select", which is the same.

    Example:
        >>> import feedline as tf
        >>> tf.random.create_rng_state(1234, "philox")
        array([1234,    0,    0])
    """
    check_algorithm("random.create_rng_state()", alg)
    return np.array(_seed_words(seed), np.uint64).view(np.int64)


_WORD = 1 << 64
_Words = tuple[int, int, int]
# A draw of n numbers moves the counter on by this many times n, whatever they are.
_BLOCKS_PER_NUMBER = 256
# A binomial number counts as so many.
_BINOMIAL_NUMBERS = 200


class Generator:
    """A random stream with a state of three int64: the counter's halves, low first, and the key.

    Args:
        copy_from: A generator whose state and algorithm are taken.
        state: The three numbers.
        alg: "philox" or "auto_select", which is the same.

    Example:
        >>> import feedline as tf
        >>> generator = tf.random.Generator.from_seed(1234)
        >>> generator.uniform((2,))
        array([0.3581475 , 0.11322761], dtype=float32)
        >>> generator.state
        array([1746,    0,    0])
    """

    def __init__(
        self, copy_from: Generator | None = None, state: Any = None, alg: Any = None
    ) -> None:
        call = "random.Generator()"
        if copy_from is not None:
            if state is not None or alg is not None:
                raise BuildError(f"{call}: copy_from must be given alone, without state and alg.")
            state, alg = copy_from.state, copy_from.algorithm
        if state is None or alg is None:
            raise BuildError(
                f"{call}: state and alg must be given. "
                "To make one from a seed, call Generator.from_seed(seed)."
            )
        self._alg: int = check_algorithm(call, alg)
        self._words: _Words = _state_words(call, state)

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """Return a generator made from an integer of any size, or from a list of integers."""
        return cls(state=_seed_words(seed), alg="philox" if alg is None else alg)

    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """Return a generator with the state of another one."""
        return cls(state=state, alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """Return a generator with a state from the operating system."""
        state = [secrets.randbits(64) for _ in range(3)]
        return cls(state=state, alg="philox" if alg is None else alg)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """Return a generator with a key and the two halves of a counter."""
        return cls(state=_joined("random.Generator.from_key_counter()", key, counter), alg=alg)

    @property
    def state(self) -> NDArray[np.int64]:
        """The counter, low half first, and the key."""
        return np.array(self._words, np.uint64).view(np.int64)

    @property
    def key(self) -> np.int64:
        """The last number of the state."""
        return np.int64(self.state[2])

    @property
    def algorithm(self) -> int:
        """TensorFlow's number of the algorithm."""
        return self._alg

    def reset(self, state: Any) -> None:
        """Go on from another state."""
        self._words = _state_words("random.Generator.reset()", state)

    def reset_from_seed(self, seed: Any) -> None:
        """Go on as a new generator made from a seed would."""
        self._words = _seed_words(seed)

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Go on from a key and the two halves of a counter."""
        call = "random.Generator.reset_from_key_counter()"
        self._words = _state_words(call, _joined(call, key, counter))

    def skip(self, delta: Any) -> NDArray[np.int64]:
        """Move on as a draw of ``delta`` numbers does, and return the state before."""
        before = self.state
        low, high, key = self._words
        step = check_integer("random.Generator.skip()", "delta", delta) * _BLOCKS_PER_NUMBER
        counter = (high * _WORD + low + step % _WORD) % (_WORD * _WORD)
        self._words = (counter % _WORD, counter // _WORD, key)
        return before

    def uniform(
        self,
        shape: Any,
        minval: Any = 0,
        maxval: Any = None,
        dtype: Any = np.float32,
        name: str | None = None,
    ) -> Any:
        """Return numbers from ``minval`` up to, and without, ``maxval``.

        Args:
            shape: Of the result; () for one number.
            minval: The lowest number. None, with ``maxval=None``, for all integers of the dtype.
            maxval: What all numbers are below: 1 for floats if None; integers need it.
            dtype: float16, float32, float64, int32 or int64; uint32 and uint64 for all integers.
            name: No effect.
        """
        call = "random.Generator.uniform()"
        sizes = checked_shape(call, shape)
        return uniform_rows(self._stream(sizes), sizes, minval, maxval, dtype, call)[0]

    def uniform_full_int(self, shape: Any, dtype: Any = np.uint64, name: str | None = None) -> Any:
        """Return integers of the whole range of int32, int64, uint32 or uint64."""
        call = "random.Generator.uniform_full_int()"
        sizes = checked_shape(call, shape)
        if np.dtype(dtype).kind not in "iu":
            raise BuildTypeError(f"{call}: dtype must be an integer, got {np.dtype(dtype)}.")
        return uniform_rows(self._stream(sizes), sizes, None, None, dtype, call)[0]

    def normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = np.float32,
        name: str | None = None,
    ) -> Any:
        """Return numbers of a normal distribution."""
        call = "random.Generator.normal()"
        sizes = checked_shape(call, shape)
        return normal_rows(self._stream(sizes), sizes, mean, stddev, dtype, call)[0]

    def truncated_normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = np.float32,
        name: str | None = None,
    ) -> Any:
        """Return numbers of a normal distribution, less than two ``stddev`` from ``mean``."""
        call = "random.Generator.truncated_normal()"
        sizes = checked_shape(call, shape)
        return truncated_normal_rows(self._stream(sizes), sizes, mean, stddev, dtype, call)[0]

    def binomial(
        self,
        shape: Any,
        counts: Any,
        probs: Any,
        dtype: Any = np.int32,
        name: str | None = None,
    ) -> Any:
        """Return how many of ``counts`` trials succeed.

        Args:
            shape: Of the result. It must end with the shape that ``counts`` and ``probs`` have
                together.
            counts: How many trials.
            probs: The probability that one succeeds.
            dtype: float16, float32, float64, int32 or int64.
            name: No effect.
        """
        call = "random.Generator.binomial()"
        sizes = checked_shape(call, shape)
        stream = self._stream((*sizes, _BINOMIAL_NUMBERS))
        return binomial_rows(stream, sizes, counts, probs, dtype, call)[0]

    def make_seeds(self, count: Any = 1) -> NDArray[np.int64]:
        """Return ``count`` seeds for the stateless functions, one in each column."""
        check_at_least("random.Generator.make_seeds()", "count", count, 0)
        keys = self.uniform_full_int((count,), np.int64)
        return np.stack([keys, np.zeros_like(keys)])

    def split(self, count: Any = 1) -> list[Generator]:
        """Return ``count`` generators that have nothing to do with each other."""
        check_at_least("random.Generator.split()", "count", count, 0)
        keys = self.uniform_full_int((count,), np.int64)
        return [Generator(state=[0, 0, key], alg=self._alg) for key in keys]

    uniform, uniform_full_int = published(uniform), published(uniform_full_int)
    normal, truncated_normal = published(normal), published(truncated_normal)
    binomial, make_seeds = published(binomial), published(make_seeds)

    def _stream(self, shape: tuple[int, ...]) -> Streams:
        words = np.array(self._words, np.uint64)
        self.skip(int(np.prod(shape, dtype=np.int64)))
        return Streams(words[2:], words[:1], words[1:2])


def _state_words(call: str, state: Any) -> _Words:
    words = tuple(check_integer(call, "state", word) % _WORD for word in state)
    if len(words) != 3:
        raise BuildError(f"{call}: state must have 3 numbers, got {len(words)}.")
    return words


def _seed_words(seed: Any) -> _Words:
    """Return the state of a seed: a number from its low end, a list in the last places."""
    call = "random.Generator.from_seed()"
    if np.ndim(seed) == 0:
        number = check_integer(call, "seed", seed)
        return number % _WORD, (number >> 64) % _WORD, (number >> 128) % _WORD
    words = [check_integer(call, "seed", word) % _WORD for word in np.ravel(seed).tolist()[:3]]
    first, second, third = [0] * (3 - len(words)) + words
    return first, second, third


def _joined(call: str, key: Any, counter: Any) -> list[Any]:
    if np.shape(counter) != (2,):
        raise BuildError(f"{call}: counter must have 2 numbers, got shape {np.shape(counter)}.")
    return [*counter, key]
