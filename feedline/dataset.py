"""Dataset: the fluent face of a plan. Its body is the table of contents of ops/."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

import numpy as np

from feedline import explaining as _explaining
from feedline import pipeline
from feedline.engine.access import as_index
from feedline.errors import BuildTypeError
from feedline.iterator import Iterator, NumpyIterator
from feedline.leaf_spec import with_face
from feedline.namespace import ExplainedClass, explains_missing
from feedline.ops import apply as _apply
from feedline.ops import batch as _batch
from feedline.ops import bucket_by_sequence_length as _bucket_by_sequence_length
from feedline.ops import cache as _cache
from feedline.ops import choose_from_datasets as _choose_from_datasets
from feedline.ops import concatenate as _concatenate
from feedline.ops import counter as _counter
from feedline.ops import enumerate as _enumerate
from feedline.ops import filter as _filter
from feedline.ops import flat_map as _flat_map
from feedline.ops import from_generator as _from_generator
from feedline.ops import from_tensor_slices as _from_tensor_slices
from feedline.ops import from_tensors as _from_tensors
from feedline.ops import get_single_element as _get_single_element
from feedline.ops import group_by_window as _group_by_window
from feedline.ops import ignore_errors as _ignore_errors
from feedline.ops import interleave as _interleave
from feedline.ops import list_files as _list_files
from feedline.ops import map as _map
from feedline.ops import pack as _pack
from feedline.ops import padded_batch as _padded_batch
from feedline.ops import prefetch as _prefetch
from feedline.ops import ragged_batch as _ragged_batch
from feedline.ops import random as _random
from feedline.ops import range as _range
from feedline.ops import rebatch as _rebatch
from feedline.ops import reduce as _reduce
from feedline.ops import rejection_resample as _rejection_resample
from feedline.ops import repeat as _repeat
from feedline.ops import sample_from_datasets as _sample_from_datasets
from feedline.ops import save_tfrecord as _save_tfrecord
from feedline.ops import scan as _scan
from feedline.ops import shard as _shard
from feedline.ops import show as _show
from feedline.ops import shuffle as _shuffle
from feedline.ops import skip as _skip
from feedline.ops import sparse_batch as _sparse_batch
from feedline.ops import take as _take
from feedline.ops import take_while as _take_while
from feedline.ops import unbatch as _unbatch
from feedline.ops import unique as _unique
from feedline.ops import window as _window
from feedline.ops import with_options as _with_options
from feedline.ops import zip as _zip
from feedline.options import INFINITE_CARDINALITY
from feedline.plan.declared import recorded_spec
from feedline.plan.fingerprint import fingerprint
from feedline.plan.verify import cardinality_of
from feedline.replaying import replayed
from feedline.spec import DatasetSpec
from feedline.tracebacks import folding
from feedline.values.tensor import as_tensor

if TYPE_CHECKING:
    from feedline.engine.access import Access
    from feedline.options import Options
    from feedline.plan.node import Node
    from feedline.quarantine import QuarantineEntry

__all__ = ["Dataset"]

T = TypeVar("T")


@explains_missing("tf.data.Dataset")
class Dataset(Generic[T], metaclass=ExplainedClass):
    """A lazy sequence of elements. Nothing runs before it is iterated over."""

    __feedline_leaf__ = True

    def __init__(self, node: Node) -> None:
        self.node = node
        self._spec: Any = None
        self._access: Access | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.node,)

    @classmethod
    def of_node(cls, node: Node) -> Dataset[Any]:
        """Return a dataset that ends with ``node``: what steps and sources of this class make.

        A class with a constructor of its own says here what its transformations are.
        """
        return cls(node)

    def then(self, node: Node) -> Dataset[Any]:
        """Return a dataset that ends with ``node``."""
        return self.of_node(node)

    # One line per file in ops/: sources, then transformations, in the order of the docs.
    range = classmethod(_range.range_)
    counter = classmethod(_counter.counter)
    random = classmethod(_random.random)
    from_tensors = classmethod(_from_tensors.from_tensors)
    from_tensor_slices = classmethod(_from_tensor_slices.from_tensor_slices)
    from_generator = classmethod(_from_generator.from_generator)
    list_files = classmethod(_list_files.list_files)
    zip = classmethod(_zip.zip_)
    choose_from_datasets = classmethod(_choose_from_datasets.choose_from_datasets)
    sample_from_datasets = classmethod(_sample_from_datasets.sample_from_datasets)
    concatenate = _concatenate.concatenate
    map = _map.map_
    filter = _filter.filter_
    interleave = _interleave.interleave
    scan = _scan.scan
    batch = _batch.batch
    unbatch = _unbatch.unbatch
    rebatch = _rebatch.rebatch
    take = _take.take
    skip = _skip.skip
    take_while = _take_while.take_while
    shard = _shard.shard
    enumerate = _enumerate.enumerate_
    unique = _unique.unique
    repeat = _repeat.repeat
    shuffle = _shuffle.shuffle
    cache = _cache.cache
    prefetch = _prefetch.prefetch
    ignore_errors = _ignore_errors.ignore_errors
    apply = _apply.apply
    reduce = _reduce.reduce
    save_tfrecord = _save_tfrecord.save_tfrecord
    show = _show.show
    get_single_element = _get_single_element.get_single_element
    padded_batch = _padded_batch.padded_batch
    window = _window.window
    ragged_batch = _ragged_batch.ragged_batch
    sparse_batch = _sparse_batch.sparse_batch
    group_by_window = _group_by_window.group_by_window
    bucket_by_sequence_length = _bucket_by_sequence_length.bucket_by_sequence_length
    flat_map = _flat_map.flat_map
    rejection_resample = _rejection_resample.rejection_resample
    pack = _pack.pack
    with_options = _with_options.with_options
    explain = _explaining.explain

    def options(self) -> Options:
        """Return the settings of the whole pipeline; with_options() changes them."""
        return _with_options.options_of(self.node).protected()

    def __iter__(self) -> Iterator[T]:
        return Iterator(self.node)

    def as_numpy_iterator(self) -> NumpyIterator[T]:
        """Return an iterator over NumPy's own values that has save() and restore() as well.

        Elements that are datasets themselves, as those of window(), are refused.

        Example:
            >>> import feedline as tf
            >>> tf.data.Dataset.range(3).as_numpy_iterator().next()
            np.int64(0)
        """
        return NumpyIterator(self)

    def fingerprint(self) -> np.uint64:
        """Return a hash of the pipeline: equal for equal pipelines, in every process.

        It covers settings, data and functions; see feedline.plan.fingerprint for how.

        Example:
            >>> import feedline as tf
            >>> a, b = tf.data.Dataset.range(3), tf.data.Dataset.range(4)
            >>> bool(a.take(3).fingerprint() == b.take(3).fingerprint())
            False
        """
        return np.uint64(fingerprint(self.node))

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        count = cardinality_of(self.node)
        if count >= 0:
            return count
        kind = "infinite" if count == INFINITE_CARDINALITY else "unknown"
        raise TypeError(f"len(): the number of elements is {kind}. See cardinality().")

    @folding
    def __getitem__(self, index: int) -> T:
        if self._access is None:
            rounds = pipeline.first_rounds(self.node)
            self._access = pipeline.open_access(self.node, None, rounds)
        if self._access is None:
            raise TypeError(
                f"{self.node.place}: elements cannot be read by index here. Iterate, or "
                "cache() the dataset first."
            )
        place = as_index(index, len(self._access))
        return self._access.run(place, place + 1).elements()[0]  # type: ignore[no-any-return]

    def replay(self, element: int | QuarantineEntry) -> T:
        """Run one element again, alone, in the calling thread: for a debugger.

        Args:
            element: The number of an element, as one iteration would count what it yields,
                exceptions included; or an entry of a quarantine, for exactly that element
                of that step.

        Example:
            >>> import feedline as tf
            >>> int(tf.data.Dataset.range(9).map(lambda x: x * x).replay(5))
            25
        """
        return replayed(self.node, element)  # type: ignore[no-any-return]

    @property
    @folding
    def element_spec(self) -> Any:
        """The structure, dtypes and shapes of an element.

        Where a function decides them, the first elements are computed to see.
        """
        if self._spec is None:
            self._spec = with_face(pipeline.element_spec(self.node))
        return self._spec

    @property
    def known_spec(self) -> Any:
        """The element_spec if it was asked for, or no function must run to know it, else None."""
        return recorded_spec(self.node) if self._spec is None else self._spec

    def cardinality(self) -> Any:
        """Return the number of elements, INFINITE_CARDINALITY or UNKNOWN_CARDINALITY, as int64.

        Example:
            >>> import feedline as tf
            >>> ds = tf.data.Dataset.range(6)
            >>> ds.cardinality(), bool(ds.repeat().cardinality() == tf.data.INFINITE_CARDINALITY)
            (np.int64(6), True)
        """
        return as_tensor(np.int64(cardinality_of(self.node)))

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse what libraries do who take everything for an array: Keras, among others."""
        raise BuildTypeError(
            "a Dataset is not an array, and Keras does not know it: iterate over it. To train, "
            "write model.fit((batch for batch in ds.repeat()), steps_per_epoch=..., epochs=...), "
            "and likewise validation_data with validation_steps, evaluate(steps=...) "
            "and predict(steps=...). All elements as one array: "
            "np.stack(list(ds.as_numpy_iterator()))."
        )

    def __repr__(self) -> str:
        return _explaining.described(self)


DatasetSpec.value_type = Dataset
