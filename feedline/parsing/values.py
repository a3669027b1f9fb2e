"""values: the values of a feature as arrays, byte strings among them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes
from feedline.kernels.example import FeatureValues

__all__ = ["array_of", "filled", "strings_of"]


def strings_of(found: FeatureValues) -> Bytes:
    """Return byte strings as a column of all of them."""
    assert found.offsets is not None
    return Bytes(found.values, found.offsets)


def array_of(found: FeatureValues) -> NDArray[Any]:
    """Return all values in one array; byte strings in an array of objects."""
    if found.offsets is None:
        return found.values
    array = np.empty(len(found.offsets) - 1, object)
    array[:] = strings_of(found).rows()
    return array


def filled(found: FeatureValues, default: list[bytes]) -> Bytes:
    """Return byte strings, as many for each record, with a default where they are missing."""
    strings = strings_of(found)
    if not len(found.missing):
        return strings
    assert found.splits is not None
    size = len(default)
    index = found.splits[:-1, None] + np.arange(size)
    index[found.missing] = len(strings) + np.arange(size)
    lengths = [len(text) for text in default]
    data = np.concatenate([strings.data, np.frombuffer(b"".join(default), np.uint8)])
    ends = strings.offsets[-1] + np.cumsum(lengths, dtype=np.int64)
    return Bytes(data, np.concatenate([strings.offsets, ends])).take(index.reshape(-1))
