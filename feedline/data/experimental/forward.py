"""forward: functions that say what a method of Dataset or Iterator also says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.dataset import Dataset
from feedline.errors import BuildTypeError, check_integer
from feedline.iterator import Iterator
from feedline.ops import from_list as _from_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from feedline.optional import Optional

__all__ = [
    "at",
    "cardinality",
    "dense_to_ragged_batch",
    "from_list",
    "get_next_as_optional",
    "get_single_element",
    "get_structure",
]


def at(dataset: Dataset[Any], index: int) -> Any:
    """Return the element at ``index``, counted from the front, without those before it.

    Example:
        >>> import feedline as tf
        >>> tf.data.experimental.at(tf.data.Dataset.range(10), 3)
        np.int64(3)
    """
    _check_dataset("at()", dataset)
    place = check_integer("at()", "index", index)
    if place < 0:
        raise IndexError(f"at(): index must be at least 0, got {place}. ds[-1] is the last one.")
    return dataset[place]


def cardinality(dataset: Dataset[Any]) -> Any:
    """Return the number of elements, INFINITE_CARDINALITY or UNKNOWN_CARDINALITY.

    Example:
        >>> import feedline as tf
        >>> int(tf.data.experimental.cardinality(tf.data.Dataset.range(3)))
        3
    """
    _check_dataset("cardinality()", dataset)
    return dataset.cardinality()


def dense_to_ragged_batch(
    batch_size: int, drop_remainder: bool = False, row_splits_dtype: Any = np.int64
) -> Callable[[Dataset[Any]], Dataset[Any]]:
    """Return a transformation that does Dataset.ragged_batch(), for ``Dataset.apply()``.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(2).map(lambda n: np.arange(n))
        >>> [b.to_list() for b in tf.data.experimental.dense_to_ragged_batch(2)(ds)]
        [[[], [0]]]
    """

    def apply(dataset: Dataset[Any]) -> Dataset[Any]:
        return dataset.ragged_batch(batch_size, drop_remainder, row_splits_dtype)

    return apply


def from_list(elements: list[Any], name: str | None = None) -> Dataset[Any]:
    """Return a dataset of the elements of a list, which have one structure.

    Example:
        >>> import feedline as tf
        >>> list(tf.data.experimental.from_list([(1, "a"), (2, "b")]))
        [(np.int32(1), 'a'), (np.int32(2), 'b')]
    """
    return _from_list.from_list(Dataset, elements, name)


def get_next_as_optional(iterator: Iterator[Any]) -> Optional:
    """Return an iterator's next element as an Optional, which is empty at the end.

    Example:
        >>> import feedline as tf
        >>> tf.data.experimental.get_next_as_optional(iter(tf.data.Dataset.range(0)))
        Optional.empty()
    """
    return iterator.get_next_as_optional()


def get_single_element(dataset: Dataset[Any]) -> Any:
    """Return the only element; raise CardinalityError if there is none, or a second one.

    Example:
        >>> import feedline as tf
        >>> int(tf.data.experimental.get_single_element(tf.data.Dataset.range(5, 6)))
        5
    """
    _check_dataset("get_single_element()", dataset)
    return dataset.get_single_element()


def get_structure(dataset_or_iterator: Dataset[Any] | Iterator[Any]) -> Any:
    """Return the spec of an element.

    Example:
        >>> import feedline as tf
        >>> tf.data.experimental.get_structure(tf.data.Dataset.range(3))
        TensorSpec(shape=(), dtype=tf.int64, name=None)
    """
    if not isinstance(dataset_or_iterator, (Dataset, Iterator)):
        raise BuildTypeError(
            "get_structure(): dataset_or_iterator must be a Dataset or Iterator, got "
            f"{dataset_or_iterator!r} of type {type(dataset_or_iterator).__name__}."
        )
    return dataset_or_iterator.element_spec


def _check_dataset(call: str, value: Any) -> None:
    if not isinstance(value, Dataset):
        raise BuildTypeError(
            f"{call}: dataset must be a Dataset, got {value!r} of type {type(value).__name__}."
        )
