"""examples: datasets of serialized tf.train.Examples become datasets of batches of features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from feedline.data.experimental.transformations import Transformation, parallel_interleave
from feedline.data.files import TFRecordDataset
from feedline.dataset import Dataset
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.ops.arguments import check_parallel
from feedline.options import AUTOTUNE, Options
from feedline.parsing.parse_example import parse_example
from feedline.spec import TensorSpec, specs_agree, string

__all__ = ["make_batched_features_dataset", "parse_example_dataset"]

_RECORDS, _BATCHES = TensorSpec((), string), TensorSpec((None,), string)


def parse_example_dataset(
    features: dict[str, Any], num_parallel_calls: int | None = 1, deterministic: bool | None = None
) -> Transformation:
    """Return a transformation that parses batches of serialized Examples.

    Args:
        features: What to look for, by name; see io.parse_example().
        num_parallel_calls: How many batches may be parsed at once, or AUTOTUNE.
        deterministic: False allows batches to come out of order.

    Example:
        >>> import feedline as tf
        >>> record = tf.train.Example(features={"feature": {"x": {"int64_list": {"value": [3]}}}})
        >>> ds = tf.data.Dataset.from_tensors(record.SerializeToString()).repeat(2).batch(2)
        >>> features = {"x": tf.io.FixedLenFeature([], "int64")}
        >>> parse = tf.data.experimental.parse_example_dataset(features)
        >>> next(iter(ds.apply(parse)))
        {'x': array([3, 3])}
    """
    call = "parse_example_dataset()"
    if not features:
        raise BuildError(f"{call}: features must name at least one feature, got {features!r}.")
    check_parallel(call, num_parallel_calls, deterministic)

    def apply(dataset: Dataset[Any]) -> Dataset[Any]:
        if not specs_agree(_BATCHES, dataset.element_spec):
            raise BuildTypeError(
                f"{call}: elements must be vectors of serialized Examples, they are "
                f"{dataset.element_spec}. Use batch() before."
            )
        parse = partial(parse_example, features=features)
        return dataset.map(parse, num_parallel_calls, deterministic)

    return apply


def make_batched_features_dataset(
    file_pattern: Any,
    batch_size: int,
    features: dict[str, Any],
    reader: Callable[..., Dataset[Any]] | None = None,
    label_key: str | None = None,
    reader_args: Sequence[Any] | None = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None,
    prefetch_buffer_size: int | None = None,
    reader_num_threads: int | None = None,
    parser_num_threads: int | None = None,
    sloppy_ordering: bool = False,
    drop_final_batch: bool = False,
) -> Dataset[Any]:
    """Return batches of the features of the Examples in files: a dict with a value per feature.

    With a label, pairs of that dict and the label. By default files and records are shuffled,
    and the data is repeated for ever. For a seed, the order is that of tf.data.

    Args:
        file_pattern: A pattern, a name, or a list of them.
        batch_size: How many Examples make a batch.
        features: What to look for, by name; see io.parse_example().
        reader: Makes a dataset of serialized Examples, or of pairs of a key and one, from the
            name of a file; TFRecordDataset by default.
        label_key: The feature that becomes the second part of every element.
        reader_args: What ``reader`` is called with besides.
        num_epochs: How often the data is repeated; None for ever. Then all batches are full.
        shuffle: Whether files and records come in random order.
        shuffle_buffer_size: How many records are held to choose from.
        shuffle_seed: Of the order.
        prefetch_buffer_size: How many batches are made ahead; None for AUTOTUNE.
        reader_num_threads: How many files are read in turn, a record of each; 1 by default.
        parser_num_threads: How many batches may be parsed at once; 2 by default.
        sloppy_ordering: Whether the order may depend on which file is faster.
        drop_final_batch: Leave out a last batch that is not full.

    Example:
        >>> import tempfile
        >>> import feedline as tf
        >>> record = tf.train.Example(features={"feature": {"x": {"int64_list": {"value": [3]}}}})
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     with tf.io.TFRecordWriter(file.name) as writer:
        ...         writer.write(record.SerializeToString())
        ...     ds = tf.data.experimental.make_batched_features_dataset(
        ...         file.name, 2, {"x": tf.io.FixedLenFeature([], "int64")}
        ...     )
        ...     next(iter(ds))
        {'x': array([3, 3])}
    """
    call = "make_batched_features_dataset()"
    if label_key and label_key not in features:
        raise BuildError(
            f"{call}: label_key must be one of the features {sorted(features)}, got {label_key!r}."
        )
    ds: Dataset[Any] = Dataset.list_files(file_pattern, shuffle, shuffle_seed)
    read = _reading(reader or TFRecordDataset, tuple(reader_args or ()))
    if reader_num_threads == AUTOTUNE:
        ds = ds.interleave(read, num_parallel_calls=AUTOTUNE)
        ds = ds.with_options(Options(deterministic=not sloppy_ordering))
    else:
        ds = parallel_interleave(read, reader_num_threads or 1, sloppy=sloppy_ordering)(ds)
    if reader is not None:
        ds = _serialized(call, ds)
    ds = ds.shuffle(shuffle_buffer_size, shuffle_seed) if shuffle else ds
    ds = ds if num_epochs == 1 else ds.repeat(num_epochs)
    ds = ds.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    ds = parse_example_dataset(features, parser_num_threads or 2)(ds)
    if label_key:
        ds = ds.map(partial(_with_label, label_key))
    return ds.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def _reading(reader: Callable[..., Dataset[Any]], arguments: tuple[Any, ...]) -> Any:
    return lambda path: reader(path, *arguments)


def _serialized(call: str, ds: Dataset[Any]) -> Dataset[Any]:
    """Return the Examples of a dataset that may have keys beside them."""
    spec = ds.element_spec
    if specs_agree((_RECORDS, _RECORDS), spec):
        return ds.map(_value)
    if not specs_agree(_RECORDS, spec):
        raise SpecError(
            f"{call}: the datasets that reader makes must have serialized Examples as elements, "
            f"or pairs of a key and one, they have {spec}."
        )
    return ds


def _value(_: Any, value: Any) -> Any:
    return value


def _with_label(label_key: str, found: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    features = dict(found)
    label = features.pop(label_key)
    return features, label
