"""mutable: tables that pairs can be put into and taken out of at any time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.casting import convert_to_tensor
from feedline.arrays.given import dtype_of
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.lookup.table import Table, array_of_values, as_key, as_value, check_keys, keys_of
from feedline.values.publishing import as_plain_leaves
from feedline.values.tensor import as_tensor

__all__ = ["DenseHashTable", "MutableHashTable"]


class MutableHashTable(Table):
    """A table that can be changed, and is seen as it is at that moment.

    A function given to a dataset that uses one runs element by element. In other processes
    there are copies, which do not follow changes made later or elsewhere.

    Args:
        key_dtype: An integer dtype, or string.
        value_dtype: A dtype.
        default_value: What unknown keys give: a number, string or array, as all values.
        name: Shown in errors.
        checkpoint: Has no effect.
        experimental_is_anonymous: Has no effect: tables are objects of Python.

    Example:
        >>> import feedline as tf
        >>> table = MutableHashTable(tf.string, tf.int64, default_value=-1)
        >>> table.insert(["a", "b"], [10, 20])
        >>> table.remove(["a"])
        >>> table.lookup(["a", "b"]).tolist()
        [-1, 20]
    """

    def __init__(
        self,
        key_dtype: Any,
        value_dtype: Any,
        default_value: Any,
        name: str | None = None,
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:
        call = f"{type(self).__name__}()"
        self.name = name
        self._keys, self._values = dtype_of(key_dtype), dtype_of(value_dtype)
        if self._keys.kind not in "iuO":
            raise BuildTypeError(f"{call}: key_dtype must be integer or string, got {self._keys}.")
        plain = as_plain_leaves(default_value)
        self._default = as_value(call, "default_value", plain, self._values)
        self._shape = np.shape(self._default)
        self._pairs: dict[Any, Any] = {}

    def size(self, name: str | None = None) -> Any:
        """Return the number of keys."""
        return as_tensor(np.int64(len(self._pairs)))

    def insert(self, keys: Any, values: Any, name: str | None = None) -> None:
        """Put pairs into the table, instead of those with the same keys."""
        found_keys = self._given(keys)
        found_values = np.asarray(convert_to_tensor(as_plain_leaves(values), self._values))
        wanted = (*np.shape(found_keys), *self._shape)
        if found_values.shape != wanted:
            raise InvalidArgumentError(
                f"{self._shown}.insert(): values must have the shape {wanted}, "
                f"got {found_values.shape}."
            )
        rows = found_values.reshape(-1, *self._shape)
        items = list(rows) if self._shape else rows.tolist()
        self._pairs.update(zip(keys_of(np.ravel(found_keys).tolist()), items, strict=True))

    def remove(self, keys: Any, name: str | None = None) -> None:
        """Take keys out of the table; those that are not in it are left alone."""
        for key in keys_of(np.ravel(self._given(keys)).tolist()):
            self._pairs.pop(key, None)

    def lookup(  # type: ignore[override]  # TensorFlow's signature
        self, keys: Any, dynamic_default_values: Any = None, name: str | None = None
    ) -> Any:
        """Return the values of ``keys``, in their shape.

        Args:
            keys: An array, scalar, string or list, a RaggedTensor or a SparseTensor.
            dynamic_default_values: What the keys give if they are unknown: one value for each.
            name: Has no effect.
        """
        if dynamic_default_values is None:
            return super().lookup(keys)
        given = self._given(keys)
        wanted = (*np.shape(given), *self._shape)
        others = np.asarray(
            convert_to_tensor(as_plain_leaves(dynamic_default_values), self._values)
        )
        if others.shape != wanted:
            raise InvalidArgumentError(
                f"{self._shown}.lookup(): dynamic_default_values must have the shape {wanted}, "
                f"got {others.shape}."
            )
        found = [
            self._pairs.get(key, other)
            for key, other in zip(
                keys_of(np.ravel(given).tolist()), others.reshape(-1, *self._shape), strict=True
            )
        ]
        return as_tensor(array_of_values(found, self._values, self._shape).reshape(wanted)[()])

    def export(self, name: str | None = None) -> tuple[Any, Any]:
        """Return all keys and all values, as two arrays."""
        values = array_of_values(list(self._pairs.values()), self._values, self._shape)
        return as_tensor(array_of_values(list(self._pairs), self._keys)), as_tensor(values)

    def values_of(self, items: Sequence[Any]) -> NDArray[Any]:
        """Return the values of a list of keys."""
        get, default = self._pairs.get, self._default
        found = [get(key, default) for key in keys_of(items)]
        return array_of_values(found, self._values, self._shape)

    def _given(self, keys: Any) -> Any:
        array = convert_to_tensor(as_plain_leaves(keys), self._keys)
        if not isinstance(array, (str, bytes)):
            check_keys(self, array)
        return array

    @property
    def _shown(self) -> str:
        return self.name or type(self).__name__


class DenseHashTable(MutableHashTable):
    """A MutableHashTable in which two keys may not occur.

    Args:
        key_dtype: An integer dtype, or string.
        value_dtype: A dtype.
        default_value: What unknown keys give.
        empty_key: A key that is refused.
        deleted_key: Another one.
        initial_num_buckets: Has no effect on results: there is nothing to set.
        name: Shown in errors.
        checkpoint: Has no effect.
        experimental_is_anonymous: Has no effect: tables are objects of Python.

    Example:
        >>> import feedline as tf
        >>> table = DenseHashTable(tf.int64, tf.int64, -1, empty_key=0, deleted_key=-1)
        >>> table.insert([1, 2], [10, 20])
        >>> table.lookup(np.array([2, 3])).tolist()
        [20, -1]
    """

    def __init__(  # noqa: PLR0913  (TensorFlow's signature)
        self,
        key_dtype: Any,
        value_dtype: Any,
        default_value: Any,
        empty_key: Any,
        deleted_key: Any,
        initial_num_buckets: int | None = None,
        name: str = "MutableDenseHashTable",
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:
        super().__init__(key_dtype, value_dtype, default_value, name)
        self._refused = tuple(
            as_key(convert_to_tensor(as_plain_leaves(key), self._keys))
            for key in (empty_key, deleted_key)
        )
        if self._refused[0] == self._refused[1]:
            raise BuildError(
                f"DenseHashTable(): empty_key and deleted_key must differ, got {empty_key!r}."
            )

    def insert_or_assign(self, keys: Any, values: Any, name: str | None = None) -> None:
        """Put pairs into the table, as insert() does."""
        self.insert(keys, values)

    def erase(self, keys: Any, name: str | None = None) -> None:
        """Take keys out of the table, as remove() does."""
        self.remove(keys)

    def values_of(self, items: Sequence[Any]) -> NDArray[Any]:
        """Return the values of a list of keys."""
        self._check(items)
        return super().values_of(items)

    def _given(self, keys: Any) -> Any:
        array = super()._given(keys)
        self._check([array] if isinstance(array, (str, bytes)) else np.ravel(array).tolist())
        return array

    def _check(self, items: Sequence[Any]) -> None:
        for refused in set(self._refused).intersection(keys_of(items)):
            which = "empty_key" if refused == self._refused[0] else "deleted_key"
            raise InvalidArgumentError(
                f"{self._shown}: keys must not be the {which}, got {refused!r}."
            )
