"""from_datasets: tables of the elements of a dataset, as tf.data.experimental has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from feedline.errors import BuildError, BuildTypeError, check_at_least
from feedline.lookup.initializers import DatasetInitializer, Positions
from feedline.lookup.static import StaticHashTable, StaticVocabularyTable
from feedline.ops.assert_cardinality import assert_cardinality
from feedline.plan.node import node_of
from feedline.spec import TensorSpec, string

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.lookup.initializers import Initializer

__all__ = ["FastHashSpec", "index_table_from_dataset", "table_from_dataset"]

FastHashSpec = "fasthash"
"""The one way to put unknown keys into buckets: by FarmHash, as TensorFlow does."""


def table_from_dataset(  # noqa: PLR0913  (tf.data's signature)
    dataset: Dataset[Any] | None = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: Any = None,
    hasher_spec: Any = FastHashSpec,
    key_dtype: Any = string,
    name: str | None = None,
) -> StaticHashTable | StaticVocabularyTable:
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
        if initializer.value_dtype.dtype.kind not in "iuf":
            raise BuildError(
                f"{call}: default_value must be given for values of {initializer.value_dtype}."
            )
        default_value = -1
    return _table(call, initializer, default_value, buckets, name)


def index_table_from_dataset(  # noqa: PLR0913  (tf.data's signature)
    dataset: Dataset[Any] | None = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    hasher_spec: Any = FastHashSpec,
    key_dtype: Any = string,
    name: str | None = None,
) -> StaticHashTable | StaticVocabularyTable:
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
    return _table(call, Positions(keys), default_value, buckets, name)


def _table(
    call: str, initializer: Initializer, default_value: Any, buckets: int, name: str | None
) -> StaticHashTable | StaticVocabularyTable:
    if not buckets:
        return StaticHashTable(initializer, default_value, name)
    if initializer.value_dtype != "int64":
        raise BuildTypeError(
            f"{call}: with num_oov_buckets, values must be int64, "
            f"got {initializer.value_dtype.name}."
        )
    return StaticVocabularyTable(initializer, buckets, name=name)


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
