"""data: tf.data with the methods that datasets had in TensorFlow 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from feedline.compat.v1.namespaces import open_old_namespace
from feedline.data import files
from feedline.dataset import Dataset as CurrentDataset
from feedline.errors import BuildTypeError
from feedline.iterator import Iterator
from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor
from feedline.spec import RaggedTensorSpec, SparseTensorSpec, map_spec
from feedline.values.tensor import Tensor
from feedline.values.tensor_shape import TensorShape

if TYPE_CHECKING:
    from feedline.compat.v1.data import experimental
    from feedline.plan.node import Node

__all__ = [
    "Dataset",
    "FixedLengthRecordDataset",
    "TFRecordDataset",
    "TextLineDataset",
    "experimental",
    "get_output_classes",
    "get_output_shapes",
    "get_output_types",
    "make_initializable_iterator",
    "make_one_shot_iterator",
]


class Dataset(CurrentDataset[Any]):
    """A dataset that also has the methods it had in TensorFlow 1.

    Example:
        >>> import feedline as tf
        >>> ds = tf.compat.v1.data.Dataset.range(3).batch(2)
        >>> iterator = ds.make_one_shot_iterator()
        >>> iterator.get_next().tolist(), ds.output_types
        ([0, 1], tf.int64)
    """

    def make_one_shot_iterator(self) -> Iterator[Any]:
        """Return an iterator, whose get_next() gives one element after the other."""
        return iter(self)

    def make_initializable_iterator(self, shared_name: str | None = None) -> NoReturn:
        """Raise: there are no graphs."""
        make_initializable_iterator(self)

    def map_with_legacy_function(self, map_func: Any, *args: Any, **kwargs: Any) -> Any:
        """Return what map() returns: there is one kind of function here."""
        return self.map(map_func, *args, **kwargs)

    def filter_with_legacy_function(self, predicate: Any) -> Any:
        """Return what filter() returns: there is one kind of function here."""
        return self.filter(predicate)

    @property
    def output_types(self) -> Any:
        """The dtypes of an element."""
        return get_output_types(self)

    @property
    def output_shapes(self) -> Any:
        """The shapes of an element."""
        return get_output_shapes(self)

    @property
    def output_classes(self) -> Any:
        """The classes of an element's leaves."""
        return get_output_classes(self)


class TextLineDataset(files.TextLineDataset, Dataset):
    """tf.data.TextLineDataset with the methods that datasets had in TensorFlow 1."""

    @classmethod
    def of_node(cls, node: Node) -> Dataset:
        """Return a dataset that ends with ``node``."""
        return Dataset(node)


class FixedLengthRecordDataset(files.FixedLengthRecordDataset, Dataset):
    """tf.data.FixedLengthRecordDataset with the methods that datasets had in TensorFlow 1."""

    @classmethod
    def of_node(cls, node: Node) -> Dataset:
        """Return a dataset that ends with ``node``."""
        return Dataset(node)


class TFRecordDataset(files.TFRecordDataset, Dataset):
    """tf.data.TFRecordDataset with the methods that datasets had in TensorFlow 1."""

    @classmethod
    def of_node(cls, node: Node) -> Dataset:
        """Return a dataset that ends with ``node``."""
        return Dataset(node)


def make_one_shot_iterator(dataset: CurrentDataset[Any]) -> Iterator[Any]:
    """Return an iterator, whose get_next() gives one element after the other.

    Example:
        >>> import feedline as tf
        >>> iterator = tf.compat.v1.data.make_one_shot_iterator(tf.data.Dataset.range(3))
        >>> int(iterator.get_next()), int(iterator.get_next())
        (0, 1)
    """
    if not isinstance(dataset, CurrentDataset):
        raise BuildTypeError(
            f"make_one_shot_iterator(): dataset must be a Dataset, got {dataset!r} of type "
            f"{type(dataset).__name__}."
        )
    iterator: Iterator[Any] = iter(dataset)
    return iterator


def make_initializable_iterator(
    dataset: CurrentDataset[Any], shared_name: str | None = None
) -> NoReturn:
    """Raise: there are no graphs in which an iterator could be initialized."""
    raise RuntimeError(
        "make_initializable_iterator(): there are no graphs and no sessions, as in TensorFlow's "
        "eager mode. Use a for loop over the dataset, or iter(dataset) and next()."
    )


def get_output_types(dataset_or_iterator: Any) -> Any:
    """Return the dtypes of an element.

    Example:
        >>> import feedline as tf
        >>> tf.compat.v1.data.get_output_types(tf.data.Dataset.range(3).enumerate())
        (tf.int64, tf.int64)
    """
    return map_spec(lambda leaf: getattr(leaf, "dtype", None), dataset_or_iterator.element_spec)


def get_output_shapes(dataset_or_iterator: Any) -> Any:
    """Return the shapes of an element.

    Example:
        >>> import feedline as tf
        >>> tf.compat.v1.data.get_output_shapes(tf.data.Dataset.range(3).batch(2))
        TensorShape([None])
    """
    spec = dataset_or_iterator.element_spec
    return map_spec(lambda leaf: TensorShape(getattr(leaf, "shape", ())), spec)


def get_output_classes(dataset_or_iterator: Any) -> Any:
    """Return the classes of an element's leaves.

    Example:
        >>> import feedline as tf
        >>> tf.compat.v1.data.get_output_classes(tf.data.Dataset.range(3)).__name__
        'Tensor'
    """
    return map_spec(_class_of, dataset_or_iterator.element_spec)


def _class_of(leaf: Any) -> Any:
    if isinstance(leaf, RaggedTensorSpec):
        return RaggedTensor
    if isinstance(leaf, SparseTensorSpec):
        return SparseTensor
    return getattr(leaf, "value_type", Tensor)


open_old_namespace(globals(), "feedline.data", modules=["experimental"])
