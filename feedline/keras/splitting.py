"""splitting: a dataset that fits into memory as two, such as one to train and one to test."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from feedline.dataset import Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.ops.batch import Batch
from feedline.ops.from_list import from_list
from feedline.ops.padded_batch import PaddedBatch
from feedline.options import AUTOTUNE

__all__ = ["split_dataset"]

_CALL = "split_dataset()"


def split_dataset(
    dataset: Any,
    left_size: float | None = None,
    right_size: float | None = None,
    shuffle: bool = False,
    seed: int | None = None,
    preferred_backend: str | None = None,
) -> tuple[Dataset[Any], Dataset[Any]]:
    """Return the first and the last elements of a dataset as two, as ``keras.utils`` does.

    All elements are computed and kept in memory. Of a dataset that ends in ``batch()``, single
    elements are divided and batched again. For large data, use ``take()`` and ``skip()``.

    Args:
        dataset: A dataset, an array, or a list or tuple of arrays of one length.
        left_size: How many elements the first part has, or which share of all; what
            ``right_size`` leaves by default.
        right_size: The same for the second part.
        shuffle: Whether elements are put in random order before.
        seed: Of the order, which is that of Keras.
        preferred_backend: "tensorflow" or None: the parts are Feedline's datasets.

    Example:
        >>> import feedline as tf
        >>> left, right = tf.keras.utils.split_dataset(tf.data.Dataset.range(5), left_size=0.6)
        >>> [int(x) for x in left], [int(x) for x in right]
        ([0, 1, 2], [3, 4])
    """
    if preferred_backend not in (None, "tensorflow"):
        raise BuildError(
            f"{_CALL}: preferred_backend must be None or 'tensorflow', got {preferred_backend!r}: "
            "datasets are Feedline's. Use keras.utils.split_dataset for those of torch."
        )
    elements = _elements(dataset)
    left, right = _sizes(left_size, right_size, len(elements))
    if shuffle:
        random.Random(random.randint(0, int(1e6)) if seed is None else seed).shuffle(elements)
    size = _batch_size(dataset)
    return _part(elements[:left], size), _part(elements[-right:], size)


def _part(elements: list[Any], batch_size: int | None) -> Dataset[Any]:
    ds: Dataset[Any] = from_list(Dataset, elements)
    return (ds if batch_size is None else ds.batch(batch_size)).prefetch(AUTOTUNE)


def _batch_size(dataset: Any) -> int | None:
    node = getattr(dataset, "node", None)
    return node.batch_size if isinstance(node, Batch | PaddedBatch) else None


def _elements(dataset: Any) -> list[Any]:
    if isinstance(dataset, Dataset):
        elements = list(dataset if _batch_size(dataset) is None else dataset.unbatch())
    elif isinstance(dataset, np.ndarray):
        elements = list(dataset)
    elif isinstance(dataset, list | tuple):
        elements = _rows(dataset)
    else:
        raise BuildTypeError(
            f"{_CALL}: dataset must be a Dataset, an array, or a list or tuple of arrays, got "
            f"{dataset!r} of type {type(dataset).__name__}."
        )
    if not elements:
        raise BuildError(f"{_CALL}: dataset must have elements, it has none.")
    return elements


def _rows(arrays: list[Any] | tuple[Any, ...]) -> list[Any]:
    for number, array in enumerate(arrays):
        if not isinstance(array, np.ndarray):
            raise BuildTypeError(
                f"{_CALL}: dataset must be a list or tuple of arrays, got a "
                f"{type(array).__name__} at {number}. Use np.asarray()."
            )
    if len({len(array) for array in arrays}) > 1:
        lengths = [len(array) for array in arrays]
        raise BuildError(f"{_CALL}: the arrays of dataset must have one length, got {lengths}.")
    return list(zip(*arrays, strict=True))


def _sizes(left: Any, right: Any, count: int) -> tuple[int, int]:
    """Return how many elements the parts have."""
    if left is None and right is None:
        raise BuildError(f"{_CALL}: at least one of left_size and right_size must be given.")
    first, last = _size("left_size", left, count), _size("right_size", right, count)
    if left is None:
        first = count - last
    if right is None:
        last = count - first
    if first + last > count:
        raise BuildError(
            f"{_CALL}: left_size and right_size must leave nothing out twice: {left!r} and "
            f"{right!r} of {count} are {first} and {last} elements."
        )
    if not first or not last:
        raise BuildError(
            f"{_CALL}: neither part may be empty: {left!r} and {right!r} of {count} are {first} "
            f"and {last} elements."
        )
    return first, last


def _size(name: str, size: Any, count: int) -> int:
    if size is None:
        return 0
    if type(size) not in (int, float):
        raise BuildTypeError(f"{_CALL}: {name} must be an int, a float or None, got {size!r}.")
    if not 0 < size < (1 if type(size) is float else count):
        raise BuildError(
            f"{_CALL}: {name} must be a number of elements below {count}, or a share between 0 "
            f"and 1, got {size!r}."
        )
    return round(size * count) if type(size) is float else int(size)
