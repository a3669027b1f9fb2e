"""static: tables that do not change after they were made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildTypeError, FailedPreconditionError, check_at_least
from feedline.kernels.hash_strings import hash_strings
from feedline.lookup.initializers import Initializer
from feedline.lookup.table import Table, array_of_values, as_value, keys_of
from feedline.spec import TensorSpec, string
from feedline.strings.texts import packed
from feedline.values.tensor import as_tensor

__all__ = ["StaticHashTable", "StaticVocabularyTable"]


class StaticHashTable(Table):
    """A table that does not change after it was made.

    Args:
        initializer: The pairs it holds.
        default_value: What unknown keys give.
        name: Shown in errors.
        experimental_is_anonymous: Has no effect: tables are objects of Python.

    Example:
        >>> import feedline as tf
        >>> pairs = tf.lookup.KeyValueTensorInitializer(["a", "b"], [10, 20])
        >>> table = StaticHashTable(pairs, default_value=-1)
        >>> table.lookup(["b", "z"]).tolist(), table["a"].numpy()
        ([20, -1], np.int32(10))
    """

    # A recorded function may hold it, for it stays what it is.
    __feedline_traceable__: ClassVar[bool] = True

    def __init__(
        self,
        initializer: Initializer,
        default_value: Any,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        self.name = name
        self._keys = initializer.key_dtype.dtype
        self._values = initializer.value_dtype.dtype
        self._default = as_value("StaticHashTable()", "default_value", default_value, self._values)
        self._pairs: dict[Any, Any] = {}
        for key, value in initializer.pairs():
            before = self._pairs.setdefault(key, value)
            if before != value:
                raise FailedPreconditionError(
                    f"{name or 'StaticHashTable()'}: key {key!r} has the value {before} and again "
                    f"{value}. Keys must be unique."
                )

    @property
    def default_value(self) -> Any:
        """What unknown keys give."""
        return as_tensor(self._default)

    def size(self, name: str | None = None) -> Any:
        """Return the number of keys."""
        return as_tensor(np.int64(len(self._pairs)))

    def export(self, name: str | None = None) -> tuple[Any, Any]:
        """Return all keys and all values, as two arrays."""
        keys = array_of_values(list(self._pairs), self._keys)
        values = array_of_values(list(self._pairs.values()), self._values)
        return as_tensor(keys), as_tensor(values)

    def values_of(self, items: Sequence[Any]) -> NDArray[Any]:
        """Return the values of a list of keys."""
        return array_of_values(self.found(items, self._default), self._values)

    def found(self, items: Sequence[Any], default: Any) -> list[Any]:
        """Return the values of a list of keys, ``default`` for those that are unknown."""
        get = self._pairs.get
        return [get(key, default) for key in keys_of(items)]


class StaticVocabularyTable(Table):
    """A table that gives unknown keys one of some numbers after the last, by their hash.

    Args:
        initializer: The pairs it holds, whose values are int64; None for no pairs at all.
        num_oov_buckets: How many numbers there are for unknown keys.
        lookup_key_dtype: The dtype of the keys given to lookup(): by default that of the pairs.
        name: Shown in errors.
        experimental_is_anonymous: Has no effect: tables are objects of Python.

    Example:
        >>> import feedline as tf
        >>> ids = np.arange(2, dtype=np.int64)
        >>> pairs = tf.lookup.KeyValueTensorInitializer(["emerson", "lake"], ids)
        >>> table = StaticVocabularyTable(pairs, num_oov_buckets=3)
        >>> table.lookup(["lake", "x", "yy"]).tolist(), int(table.size())
        ([1, 4, 3], 5)
    """

    __feedline_traceable__: ClassVar[bool] = True

    def __init__(
        self,
        initializer: Initializer | None,
        num_oov_buckets: int,
        lookup_key_dtype: Any = None,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        call = "StaticVocabularyTable()"
        self._buckets = np.uint64(check_at_least(call, "num_oov_buckets", num_oov_buckets, 1))
        wanted = None if lookup_key_dtype is None else TensorSpec((), lookup_key_dtype).dtype
        self.name = name
        self._table: StaticHashTable | None = None
        self._keys, self._values = string if wanted is None else wanted, np.dtype(np.int64)
        if initializer is not None:
            if initializer.value_dtype != np.int64:
                raise BuildTypeError(
                    f"{call}: values must be int64, got {initializer.value_dtype.name}."
                )
            self._table = StaticHashTable(initializer, _UNKNOWN, name)
            found = initializer.key_dtype.dtype
            self._keys = found if wanted is None else wanted
            if (self._keys == string) != (found == string):
                raise BuildTypeError(
                    f"{call}: lookup_key_dtype must be of the kind of the keys {found}, "
                    f"got {self._keys}."
                )

    def size(self, name: str | None = None) -> Any:
        """Return the number of keys, and of buckets for unknown ones."""
        return as_tensor(np.int64(self._known() + int(self._buckets)))

    def values_of(self, items: Sequence[Any]) -> NDArray[Any]:
        """Return the values of a list of keys."""
        keys = keys_of(items)
        if self._table is None:
            return self._hashed(keys)
        found = self._table.found(keys, None)
        unknown = [place for place, value in enumerate(found) if value is None]
        for place, bucket in zip(unknown, self._hashed([keys[p] for p in unknown]), strict=True):
            found[place] = bucket
        return np.asarray(found, np.int64)

    def _hashed(self, keys: Sequence[Any]) -> NDArray[np.int64]:
        if not keys:
            return np.empty(0, np.int64)
        texts = packed([key if isinstance(key, bytes) else str(key) for key in keys])
        hashes = hash_strings(
            np.ascontiguousarray(texts.data), texts.offsets, "fingerprint", (0, 0)
        )
        return (hashes % self._buckets).astype(np.int64) + self._known()

    def _known(self) -> int:
        return 0 if self._table is None else int(self._table.size())


_UNKNOWN = np.int64(-1)
