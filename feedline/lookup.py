"""lookup: tables from keys to values, filled from a dataset.

Strings are compared by their UTF-8 bytes: a vocabulary of ``str`` finds ``bytes`` keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.errors import BuildError, BuildTypeError, SpecError, check_at_least
from feedline.kernels.fingerprint64 import fingerprint64
from feedline.leaf import as_leaf, describe_leaf
from feedline.namespace import open_namespace
from feedline.ops.assert_cardinality import assert_cardinality
from feedline.plan.node import node_of
from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor
from feedline.spec import TensorSpec, string

if TYPE_CHECKING:
    from collections.abc import Iterator

    from feedline.dataset import Dataset

__all__ = [
    "DatasetInitializer",
    "FastHashSpec",
    "StaticHashTable",
    "index_table_from_dataset",
    "table_from_dataset",
]

FastHashSpec = "fasthash"
"""The one way to put unknown keys into buckets: by FarmHash, as TensorFlow does."""


class DatasetInitializer:
    """The (key, value) pairs of a dataset, to fill a StaticHashTable with.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.from_tensor_slices((["a", "b"], [10, 20]))
        >>> table = StaticHashTable(DatasetInitializer(ds), default_value=-1)
        >>> table.lookup(["b", "z"]).tolist()
        [20, -1]
    """

    def __init__(self, dataset: Dataset[Any]) -> None:
        node_of(dataset, "DatasetInitializer()", "dataset")
        self.dataset = dataset
        self.key_dtype, self.value_dtype = _dtypes_of_pairs(dataset.element_spec)

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """Yield the keys and values."""
        yield from self.dataset


class _Positions(DatasetInitializer):
    """The elements of a dataset as keys, their positions as values."""

    def __init__(self, dataset: Dataset[Any]) -> None:
        self.dataset = dataset
        positions = TensorSpec((), np.int64)
        self.key_dtype, self.value_dtype = _dtypes_of_pairs((dataset.element_spec, positions))

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """Yield the elements and positions."""
        for position, key in enumerate(self.dataset):
            yield key, np.int64(position)


class StaticHashTable:
    """A table that does not change after it was made.

    Args:
        initializer: The pairs it holds.
        default_value: What unknown keys give.
        num_oov_buckets: If not 0, unknown keys give one of as many numbers after the
            last, chosen by their hash, instead of ``default_value``.
        name: Shown in errors.
    """

    def __init__(
        self,
        initializer: DatasetInitializer,
        default_value: Any,
        name: str | None = None,
        *,
        num_oov_buckets: int = 0,
    ) -> None:
        self.name = name or "table"
        self.key_dtype = initializer.key_dtype
        self.value_dtype = initializer.value_dtype
        self.default_value = _as_value(default_value, self.value_dtype)
        if num_oov_buckets and self.value_dtype != np.int64:
            raise BuildTypeError(
                f"{self.name}: with num_oov_buckets, values must be int64, got {self.value_dtype}."
            )
        self._num_buckets = num_oov_buckets
        self._pairs: dict[Any, Any] = {}
        for key, value in initializer.pairs():
            self._add(_as_key(key), value)

    def _add(self, key: Any, value: Any) -> None:
        before = self._pairs.setdefault(key, value)
        if before != value:
            raise BuildError(
                f"{self.name}: key {key!r} has the value {before} and again {value}. "
                "Keys must be unique."
            )

    def size(self) -> int:
        """Return the number of keys, and of buckets for unknown ones."""
        return len(self._pairs) + self._num_buckets

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Return the values of ``keys``, in their shape.

        Args:
            keys: An array, scalar, string or list, a RaggedTensor or a SparseTensor.
            name: Not used; tf.lookup has it.
        """
        leaf = as_leaf(keys)
        if isinstance(leaf, RaggedTensor):
            return RaggedTensor(self.lookup(leaf.values), leaf.row_splits)
        if isinstance(leaf, SparseTensor):
            return SparseTensor(leaf.indices, self.lookup(leaf.values), leaf.dense_shape)
        if isinstance(leaf, (str, bytes)):
            return self._of_all([leaf])[0]
        self._check_keys(leaf)
        found = self._of_all(leaf.reshape(-1).tolist()).reshape(leaf.shape)
        return found if leaf.ndim else found[()]

    __getitem__ = lookup

    def export(self) -> tuple[Any, Any]:
        """Return all keys and all values, as two arrays."""
        keys, values = list(self._pairs), list(self._pairs.values())
        return _array(keys, self.key_dtype), _array(values, self.value_dtype)

    def _check_keys(self, leaf: Any) -> None:
        found = getattr(leaf, "dtype", None)
        if found is not None and found.kind in ("O" if self.key_dtype == string else "iu"):
            return
        if getattr(leaf, "size", None) == 0:
            return
        kind = "strings" if self.key_dtype == string else "integers"
        raise SpecError(f"{self.name}: keys must be {kind}, got {describe_leaf(leaf)}.")

    def _of_all(self, keys: list[Any]) -> Any:
        return _array([self._of(_as_key(key)) for key in keys], self.value_dtype)

    def _of(self, key: Any) -> Any:
        if key in self._pairs:
            return self._pairs[key]
        if not self._num_buckets:
            return self.default_value
        text = key if isinstance(key, bytes) else str(key).encode()
        return len(self._pairs) + fingerprint64(text) % self._num_buckets


def table_from_dataset(  # noqa: PLR0913  (tf.data's signature)
    dataset: Dataset[Any] | None = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: Any = None,
    hasher_spec: Any = FastHashSpec,
    key_dtype: Any = string,
    name: str | None = None,
) -> StaticHashTable:
    """Return a table of the (key, value) pairs of a dataset.

    Args:
        dataset: Yields pairs of scalars; read once, now.
        num_oov_buckets: How many numbers after the last there are for unknown keys.
        vocab_size: How many pairs to take; the dataset must have as many.
        default_value: What unknown keys give without buckets; -1 if values are numbers.
        hasher_spec: FastHashSpec.
        key_dtype: An integer dtype, or string; the dataset's own dtype is used.
        name: Shown in errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.from_tensor_slices((["a", "b"], ["x", "y"]))
        >>> table = tf.data.experimental.table_from_dataset(ds, default_value="?")
        >>> table.lookup(["b", "z"]).tolist()
        ['y', '?']
    """
    call = "table_from_dataset()"
    pairs = _first(call, dataset, vocab_size)
    _check_hashing(call, hasher_spec, key_dtype)
    buckets = check_at_least(call, "num_oov_buckets", num_oov_buckets, 0)
    initializer = DatasetInitializer(pairs)
    if default_value is None:
        if initializer.value_dtype.kind not in "iuf":
            raise BuildError(
                f"{call}: default_value must be given for values of {initializer.value_dtype}."
            )
        default_value = -1
    return StaticHashTable(initializer, default_value, name, num_oov_buckets=buckets)


def index_table_from_dataset(  # noqa: PLR0913  (tf.data's signature)
    dataset: Dataset[Any] | None = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    hasher_spec: Any = FastHashSpec,
    key_dtype: Any = string,
    name: str | None = None,
) -> StaticHashTable:
    """Return a table from each element of a dataset to its position.

    Args:
        dataset: Yields scalars, all different; read once, now.
        num_oov_buckets: How many numbers after the last there are for unknown keys.
        vocab_size: How many elements to take; the dataset must have as many.
        default_value: What unknown keys give without buckets.
        hasher_spec: FastHashSpec.
        key_dtype: An integer dtype, or string; the dataset's own dtype is used.
        name: Shown in errors.

    Example:
        >>> import feedline as tf
        >>> words = tf.data.Dataset.from_tensor_slices(["emerson", "lake", "palmer"])
        >>> table = tf.data.experimental.index_table_from_dataset(words, num_oov_buckets=1)
        >>> table.lookup(["lake", "palmer", "and"]).tolist()
        [1, 2, 3]
    """
    call = "index_table_from_dataset()"
    keys = _first(call, dataset, vocab_size)
    _check_hashing(call, hasher_spec, key_dtype)
    buckets = check_at_least(call, "num_oov_buckets", num_oov_buckets, 0)
    return StaticHashTable(_Positions(keys), default_value, name, num_oov_buckets=buckets)


def _first(call: str, dataset: Dataset[Any] | None, vocab_size: int | None) -> Dataset[Any]:
    node_of(dataset, call, "dataset")
    assert dataset is not None
    if vocab_size is None:
        return dataset
    size = check_at_least(call, "vocab_size", vocab_size, 1)
    return assert_cardinality(size)(dataset.take(size))


def _check_hashing(call: str, hasher_spec: Any, key_dtype: Any) -> None:
    if hasher_spec != FastHashSpec:
        raise BuildError(f"{call}: hasher_spec must be FastHashSpec, got {hasher_spec!r}.")
    kind = TensorSpec((), key_dtype).dtype
    if kind.kind not in "iuO":
        raise BuildTypeError(f"{call}: key_dtype must be an integer or string, got {kind}.")


def _dtypes_of_pairs(spec: Any) -> tuple[np.dtype[Any], np.dtype[Any]]:
    pair = isinstance(spec, tuple) and len(spec) == 2
    if not pair or not all(isinstance(s, TensorSpec) and s.shape in ((), None) for s in spec):
        raise BuildError(
            f"a table is made of (key, value) pairs of scalars, got a dataset of {spec}."
        )
    if spec[0].dtype.kind not in "iuO":
        raise BuildTypeError(f"keys of a table must be integers or strings, got {spec[0].dtype}.")
    return spec[0].dtype, spec[1].dtype


def _as_value(value: Any, dtype: np.dtype[Any]) -> Any:
    is_string = isinstance(value, (str, bytes))
    if is_string != (dtype == string):
        raise BuildTypeError(f"default_value must be of the values' dtype {dtype}, got {value!r}.")
    return value if is_string else dtype.type(value)


def _as_key(key: Any) -> Any:
    if isinstance(key, str):
        return key.encode()
    return key if isinstance(key, bytes) else int(key)


def _array(values: list[Any], dtype: np.dtype[Any]) -> Any:
    array = np.empty(len(values), dtype)
    array[:] = values
    return array


open_namespace(globals())
