"""initializers: where the pairs of a table come from: arrays, or a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.arrays.casting import convert_to_tensor
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.leaf import as_leaf
from feedline.lookup.table import as_key
from feedline.plan.node import node_of
from feedline.spec import TensorSpec
from feedline.values.dtype import DType, as_dtype
from feedline.values.publishing import as_plain_leaves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedline.dataset import Dataset

__all__ = ["DatasetInitializer", "Initializer", "KeyValueTensorInitializer", "Positions"]


class Initializer:
    """Gives the pairs a table begins with, and knows their dtypes."""

    _keys: np.dtype[Any]
    _values: np.dtype[Any]

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys."""
        return as_dtype(self._keys)

    @property
    def value_dtype(self) -> DType:
        """The dtype of the values."""
        return as_dtype(self._values)

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """Yield the keys and values."""
        raise NotImplementedError


class KeyValueTensorInitializer(Initializer):
    """Keys and values that are there already, to fill a table with.

    Args:
        keys: An array or list of strings or integers.
        values: As many values.
        key_dtype: The dtype of keys given as Python's values.
        value_dtype: The dtype of values given as Python's values.
        name: Has no effect.

    Example:
        >>> pairs = KeyValueTensorInitializer(["a", "b"], [10, 20])
        >>> pairs.key_dtype, pairs.value_dtype
        (tf.string, tf.int32)
    """

    def __init__(
        self,
        keys: Any,
        values: Any,
        key_dtype: Any = None,
        value_dtype: Any = None,
        name: str | None = None,
    ) -> None:
        call = "KeyValueTensorInitializer()"
        self._held_keys = _array(call, "keys", keys, key_dtype)
        self._held_values = _array(call, "values", values, value_dtype)
        self._keys, self._values = self._held_keys.dtype, self._held_values.dtype
        if self._keys.kind not in "iuO":
            raise BuildTypeError(f"{call}: keys must be integers or strings, got {self._keys}.")
        if self._held_keys.shape != self._held_values.shape:
            raise InvalidArgumentError(
                f"{call}: keys and values must be equally many, got {self._held_keys.shape} and "
                f"{self._held_values.shape}."
            )

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """Yield the keys and values."""
        keys = map(as_key, self._held_keys.ravel().tolist())
        yield from zip(keys, self._held_values.ravel().tolist(), strict=True)


def _array(call: str, name: str, given: Any, dtype: Any) -> Any:
    plain = as_plain_leaves(given)
    array = convert_to_tensor(list(plain) if isinstance(plain, tuple) else plain, dtype)
    if not isinstance(array, np.ndarray):
        raise BuildError(f"{call}: {name} must be a list or an array, got {given!r}.")
    return array


class DatasetInitializer(Initializer):
    """The (key, value) pairs of a dataset, to fill a StaticHashTable with.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.from_tensor_slices((["a", "b"], [10, 20]))
        >>> table = tf.lookup.StaticHashTable(DatasetInitializer(ds), default_value=-1)
        >>> table.lookup(["b", "z"]).tolist()
        [20, -1]
    """

    def __init__(self, dataset: Dataset[Any]) -> None:
        node_of(dataset, "DatasetInitializer()", "dataset")
        self.dataset = dataset
        self._keys, self._values = _dtypes_of_pairs(dataset.element_spec)

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """Yield the keys and values."""
        for key, value in self.dataset:
            yield as_key(key), as_leaf(value)


class Positions(DatasetInitializer):
    """The elements of a dataset as keys, their positions as values."""

    def __init__(self, dataset: Dataset[Any]) -> None:
        self.dataset = dataset
        positions = TensorSpec((), np.int64)
        self._keys, self._values = _dtypes_of_pairs((dataset.element_spec, positions))

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """Yield the elements and positions."""
        for position, key in enumerate(self.dataset):
            yield as_key(key), position


def _dtypes_of_pairs(spec: Any) -> tuple[np.dtype[Any], np.dtype[Any]]:
    pair = isinstance(spec, tuple) and len(spec) == 2
    if not pair or not all(isinstance(s, TensorSpec) and s.shape in ((), None) for s in spec):
        raise BuildError(
            f"a table is made of (key, value) pairs of scalars, got a dataset of {spec}."
        )
    if spec[0].dtype.kind not in "iuO":
        got = spec[0].dtype.name
        raise BuildTypeError(f"keys of a table must be integers or strings, got {got}.")
    return spec[0].dtype, spec[1].dtype
