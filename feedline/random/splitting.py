"""splitting: seeds made out of seeds, the same as TensorFlow's."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, BuildTypeError, check_at_least
from feedline.graph.operation import operation
from feedline.graph.rows import Rows, length_of, stacked
from feedline.graph.rule import batched
from feedline.graph.streams import Streams
from feedline.narrow import array_of_data
from feedline.random.distributions import uniform_rows
from feedline.random.seeds import check_algorithm, given_seed, one_seed, seed_streams

__all__ = ["fold_in", "split"]

_WHOLE_RANGE = tuple(map(np.dtype, (np.int32, np.int64, np.uint32, np.uint64)))


@operation
def split(seed: Any, num: Any = 2, alg: Any = "auto_select") -> Any:
    """Return ``num`` seeds made from one, [num, 2], in the dtype of the seed.

    Args:
        seed: Two integers.
        num: How many.
        alg: "philox" or "auto_select", which is the same.

    Example:
        >>> import feedline as tf
        >>> tf.random.split((1, 2), num=2)
        array([[1105988140, 1738052849],
               [-335576002,  370444179]], dtype=int32)
    """
    return _split(one_seed(seed), num, alg)[0]


@batched(split, fresh=True)
def _split(seed: Any, num: Any = 2, alg: Any = "auto_select") -> NDArray[Any]:
    call = "random.split()"
    check_algorithm(call, alg)
    rows = given_seed(seed)
    shape = (check_at_least(call, "num", num, 0), 2)
    return _whole_range(seed_streams(call, rows, rows.length), shape, rows.array.dtype, call)


@operation
def fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Any:
    """Return a seed made from a seed and a number, in the dtype of the number.

    Args:
        seed: Two integers.
        data: The number.
        alg: "philox" or "auto_select", which is the same.

    Example:
        >>> import feedline as tf
        >>> tf.random.fold_in((1, 2), 3)
        array([1105988140,          3], dtype=int32)
    """
    return _fold_in(one_seed(seed), Rows(array_of_data(data)[None]), alg)[0]


@batched(fold_in, fresh=True)
def _fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> NDArray[Any]:
    call = "random.fold_in()"
    check_algorithm(call, alg)
    length = length_of((seed, data))
    numbers = data.array if isinstance(data, Rows) else stacked(array_of_data(data), length)
    if numbers.ndim != 1:
        raise BuildError(
            f"{call}: data must be a single number, got shape {list(numbers.shape[1:])}."
        )
    firsts = _whole_range(seed_streams(call, seed, length), (), numbers.dtype, call)
    return np.stack([firsts, numbers], axis=1)


def _whole_range(
    streams: Streams, shape: tuple[int, ...], dtype: np.dtype[Any], call: str
) -> NDArray[Any]:
    if dtype not in _WHOLE_RANGE:
        raise BuildTypeError(f"{call}: the dtype must be int32 or int64, got {dtype}.")
    return uniform_rows(streams, shape, None, None, dtype, call)
