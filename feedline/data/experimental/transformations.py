"""transformations: methods of Dataset in their old form, as functions for ``Dataset.apply()``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from feedline.errors import BuildError, check_at_least
from feedline.options import AUTOTUNE

if TYPE_CHECKING:
    from feedline.dataset import Dataset

__all__ = [
    "Transformation",
    "bucket_by_sequence_length",
    "dense_to_sparse_batch",
    "enumerate_dataset",
    "group_by_window",
    "ignore_errors",
    "map_and_batch",
    "map_and_batch_with_legacy_function",
    "parallel_interleave",
    "rejection_resample",
    "scan",
    "shuffle_and_repeat",
    "take_while",
    "unbatch",
    "unique",
]

Transformation = Callable[["Dataset[Any]"], "Dataset[Any]"]


def bucket_by_sequence_length(
    element_length_func: Callable[..., Any],
    bucket_boundaries: Sequence[int],
    bucket_batch_sizes: Sequence[int],
    padded_shapes: Any = None,
    padding_values: Any = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
    drop_remainder: bool = False,
) -> Transformation:
    """Return a transformation that does Dataset.bucket_by_sequence_length().

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(1, 4).map(lambda n: tf.range(n))
        >>> bucket = tf.data.experimental.bucket_by_sequence_length
        >>> [b.tolist() for b in ds.apply(bucket(lambda x: tf.size(x), [3], [2, 1]))]
        [[[0, 0], [0, 1]], [[0, 1, 2]]]
    """
    return lambda dataset: dataset.bucket_by_sequence_length(
        element_length_func,
        bucket_boundaries,
        bucket_batch_sizes,
        padded_shapes,
        padding_values,
        pad_to_bucket_boundary,
        no_padding,
        drop_remainder,
    )


def dense_to_sparse_batch(batch_size: int, row_shape: Any) -> Transformation:
    """Return a transformation that does Dataset.sparse_batch().

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(1, 3).map(lambda n: tf.range(n))
        >>> batch = next(iter(ds.apply(tf.data.experimental.dense_to_sparse_batch(2, [4]))))
        >>> batch.dense_shape.tolist(), batch.values.tolist()
        ([2, 4], [0, 0, 1])
    """
    return lambda dataset: dataset.sparse_batch(batch_size, row_shape)


def enumerate_dataset(start: int = 0) -> Transformation:
    """Return a transformation that does Dataset.enumerate().

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.from_tensor_slices(["a", "b"])
        >>> [(int(n), s) for n, s in ds.apply(tf.data.experimental.enumerate_dataset(5))]
        [(5, 'a'), (6, 'b')]
    """
    return lambda dataset: dataset.enumerate(start)


def group_by_window(
    key_func: Callable[..., Any],
    reduce_func: Callable[[Any, Dataset[Any]], Dataset[Any]],
    window_size: int | None = None,
    window_size_func: Callable[[Any], Any] | None = None,
) -> Transformation:
    """Return a transformation that does Dataset.group_by_window().

    Example:
        >>> import feedline as tf
        >>> group = tf.data.experimental.group_by_window
        >>> by_parity = group(lambda x: x % 2, lambda key, window: window.batch(2), 2)
        >>> [b.tolist() for b in tf.data.Dataset.range(4).apply(by_parity)]
        [[0, 2], [1, 3]]
    """
    return lambda dataset: dataset.group_by_window(
        key_func, reduce_func, window_size, window_size_func
    )


def ignore_errors(log_warning: bool = False) -> Transformation:
    """Return a transformation that does Dataset.ignore_errors().

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.from_tensor_slices([1.0, 0.0, 4.0])
        >>> ds = ds.map(lambda x: tf.debugging.check_numerics(1 / x, "no number"))
        >>> [float(x) for x in ds.apply(tf.data.experimental.ignore_errors())]
        [1.0, 0.25]
    """
    return lambda dataset: dataset.ignore_errors(log_warning)


def map_and_batch(
    map_func: Callable[..., Any],
    batch_size: int,
    num_parallel_batches: int | None = None,
    drop_remainder: bool = False,
    num_parallel_calls: int | None = None,
) -> Transformation:
    """Return a transformation that does Dataset.map() and then Dataset.batch().

    Args:
        map_func: What is called with every element.
        batch_size: How many results make a batch.
        num_parallel_batches: How many batches may be computed at once.
        drop_remainder: Leave out a last batch that is not full.
        num_parallel_calls: How many elements may be computed at once, instead; by default
            as many as pay.

    Example:
        >>> import feedline as tf
        >>> double = tf.data.experimental.map_and_batch(lambda x: 2 * x, 2)
        >>> [b.tolist() for b in tf.data.Dataset.range(3).apply(double)]
        [[0, 2], [4]]
    """
    return _map_and_batch(
        "map_and_batch()",
        map_func,
        batch_size,
        num_parallel_batches,
        drop_remainder,
        num_parallel_calls,
    )


def map_and_batch_with_legacy_function(
    map_func: Callable[..., Any],
    batch_size: int,
    num_parallel_batches: int | None = None,
    drop_remainder: bool = False,
    num_parallel_calls: int | None = None,
) -> Transformation:
    """Return what map_and_batch() returns: there is one kind of function here.

    Example:
        >>> import feedline as tf
        >>> batch = map_and_batch_with_legacy_function(lambda x: x, 2)
        >>> [b.tolist() for b in tf.data.Dataset.range(3).apply(batch)]
        [[0, 1], [2]]
    """
    return _map_and_batch(
        "map_and_batch_with_legacy_function()",
        map_func,
        batch_size,
        num_parallel_batches,
        drop_remainder,
        num_parallel_calls,
    )


def _map_and_batch(
    call: str,
    map_func: Callable[..., Any],
    batch_size: int,
    num_parallel_batches: int | None,
    drop_remainder: bool,
    num_parallel_calls: int | None,
) -> Transformation:
    size = check_at_least(call, "batch_size", batch_size, 1)
    calls = AUTOTUNE if num_parallel_calls is None else num_parallel_calls
    if num_parallel_batches is not None:
        if num_parallel_calls is not None:
            raise BuildError(
                f"{call}: only one of num_parallel_batches and num_parallel_calls may be given, "
                f"got {num_parallel_batches!r} and {num_parallel_calls!r}. Leave the first out."
            )
        calls = size * check_at_least(call, "num_parallel_batches", num_parallel_batches, 1)
    return lambda dataset: dataset.map(map_func, calls).batch(size, drop_remainder)


def parallel_interleave(
    map_func: Callable[..., Dataset[Any]],
    cycle_length: int,
    block_length: int = 1,
    sloppy: bool = False,
    buffer_output_elements: int | None = None,
    prefetch_input_elements: int | None = None,
) -> Transformation:
    """Return a transformation that does Dataset.interleave() with parallel reads.

    Args:
        map_func: Makes a dataset of an element.
        cycle_length: How many datasets are open, and may be read, at once.
        block_length: How many elements are taken in a row.
        sloppy: Whether elements may come out of order, as they are ready.
        buffer_output_elements: At least 1. How much is read ahead is measured: the number
            has no effect.
        prefetch_input_elements: At least 0. Likewise.

    Example:
        >>> import feedline as tf
        >>> read = tf.data.experimental.parallel_interleave(
        ...     lambda x: tf.data.Dataset.from_tensors(x).repeat(2), cycle_length=2
        ... )
        >>> [int(x) for x in tf.data.Dataset.range(3).apply(read)]
        [0, 1, 0, 1, 2, 2]
    """
    call = "parallel_interleave()"
    cycle = check_at_least(call, "cycle_length", cycle_length, 1)
    if buffer_output_elements not in (None, AUTOTUNE):
        check_at_least(call, "buffer_output_elements", buffer_output_elements, 1)
    if prefetch_input_elements not in (None, AUTOTUNE):
        check_at_least(call, "prefetch_input_elements", prefetch_input_elements, 0)
    return lambda dataset: dataset.interleave(
        map_func,
        cycle,
        block_length,
        num_parallel_calls=cycle,
        deterministic=False if sloppy else None,
    )


def rejection_resample(
    class_func: Callable[..., Any],
    target_dist: Any,
    initial_dist: Any = None,
    seed: int | None = None,
) -> Transformation:
    """Return a transformation that does Dataset.rejection_resample().

    Example:
        >>> import feedline as tf
        >>> even = tf.data.experimental.rejection_resample(lambda x: x % 2, [1.0, 0.0])
        >>> pairs = tf.data.Dataset.range(100).apply(even)
        >>> {int(label) for label, _ in pairs}
        {0}
    """
    return lambda dataset: dataset.rejection_resample(class_func, target_dist, initial_dist, seed)


def scan(initial_state: Any, scan_func: Callable[..., Any]) -> Transformation:
    """Return a transformation that does Dataset.scan().

    Example:
        >>> import feedline as tf
        >>> sums = tf.data.experimental.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s + x))
        >>> [int(x) for x in tf.data.Dataset.range(4).apply(sums)]
        [0, 1, 3, 6]
    """
    return lambda dataset: dataset.scan(initial_state, scan_func)


def shuffle_and_repeat(
    buffer_size: int, count: int | None = None, seed: int | None = None
) -> Transformation:
    """Return a transformation that does Dataset.shuffle() and then Dataset.repeat().

    Every epoch has another order.

    Args:
        buffer_size: Elements to choose from at each draw.
        count: How many epochs; None or -1 for ever.
        seed: Same seed, same order, as in tf.data.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(3).apply(tf.data.experimental.shuffle_and_repeat(3, 2, 1))
        >>> sorted(int(x) for x in ds)
        [0, 0, 1, 1, 2, 2]
    """
    call = "shuffle_and_repeat()"
    size = check_at_least(call, "buffer_size", buffer_size, 1)
    epochs = AUTOTUNE if count is None else check_at_least(call, "count", count, -1)
    if epochs == 0:
        raise BuildError(f"{call}: count must be at least 1, or -1 for ever, got 0.")

    return lambda dataset: dataset.shuffle(size, seed).repeat(epochs)


def take_while(predicate: Callable[..., Any]) -> Transformation:
    """Return a transformation that does Dataset.take_while().

    Example:
        >>> import feedline as tf
        >>> small = tf.data.experimental.take_while(lambda x: x < 2)
        >>> [int(x) for x in tf.data.Dataset.range(5).apply(small)]
        [0, 1]
    """
    return lambda dataset: dataset.take_while(predicate)


def unbatch() -> Transformation:
    """Return a transformation that does Dataset.unbatch().

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(3).batch(2)
        >>> [int(x) for x in ds.apply(tf.data.experimental.unbatch())]
        [0, 1, 2]
    """
    return lambda dataset: dataset.unbatch()


def unique() -> Transformation:
    """Return a transformation that does Dataset.unique().

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.from_tensor_slices([1, 2, 1])
        >>> [int(x) for x in ds.apply(tf.data.experimental.unique())]
        [1, 2]
    """
    return lambda dataset: dataset.unique()
