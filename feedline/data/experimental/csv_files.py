"""csv_files: make_csv_dataset, batches of the columns of comma-separated files by name."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from feedline.data.experimental.csv_guess import Guess
from feedline.dataset import Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.files import compression_named, matching, paths_of
from feedline.ops.csv_dataset import csv_dataset
from feedline.ops.file_source import check_parallel_reads
from feedline.options import AUTOTUNE, Options

__all__ = ["make_csv_dataset"]

_CALL = "make_csv_dataset()"


def make_csv_dataset(
    file_pattern: Any,
    batch_size: int,
    column_names: Sequence[str] | None = None,
    column_defaults: Sequence[Any] | None = None,
    label_name: str | None = None,
    select_columns: Sequence[str | int] | None = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None,
    prefetch_buffer_size: int | None = None,
    num_parallel_reads: int | None = None,
    sloppy: bool = False,
    num_rows_for_inference: int | None = 100,
    compression_type: str | None = None,
    ignore_errors: bool = False,
    encoding: str | None = "utf-8",
) -> Dataset[Any]:
    r"""Return batches of the records of comma-separated files: a dict with an array per column.

    With a label, pairs of that dict and the label's array. By default the dtypes of columns are
    guessed, files and records are shuffled, and the data is repeated for ever.

    Args:
        file_pattern: A pattern, a name, or a list of them.
        batch_size: How many records make a batch.
        column_names: The names of all columns; by default, what the header says.
        column_defaults: For every column that is read, what stands for a field that is missing,
            or a dtype if none may be; by default guessed from the first records.
        label_name: The column that becomes the second part of every element.
        select_columns: The names or numbers of the columns that are read; all by default.
        field_delim: What stands between fields, one character.
        use_quote_delim: Whether quotes have a meaning.
        na_value: The text of a field that is missing, besides an empty one.
        header: Whether the first record of every file holds the names of the columns.
        num_epochs: How often the data is repeated; None for ever. Then all batches are full.
        shuffle: Whether files and records come in random order.
        shuffle_buffer_size: How many records are held to choose from.
        shuffle_seed: Of the order.
        prefetch_buffer_size: How many batches are made ahead; None for AUTOTUNE.
        num_parallel_reads: How many files are read in turn, a record of each; 1 by default.
        sloppy: Whether the order may depend on which file is faster.
        num_rows_for_inference: From how many records dtypes are guessed; None for all.
        compression_type: "GZIP", "ZLIB", or None for none.
        ignore_errors: Whether records that cannot be read are passed over.
        encoding: How the files were written; None for strings as bytes.

    Example:
        >>> import tempfile
        >>> import feedline as tf
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     _ = file.write(b"size,name\n1,a\n2,b\n")
        ...     file.flush()
        ...     ds = tf.data.experimental.make_csv_dataset(file.name, 2, shuffle=False)
        ...     features = next(iter(ds))
        >>> features["size"], features["name"]
        (array([1, 2], dtype=int32), array(['a', 'b'], dtype=object))
    """
    files = _files(file_pattern)
    packed = compression_named(compression_type, _CALL)
    guess = Guess(_CALL, files, packed, encoding, field_delim, use_quote_delim)
    names = _checked_names(_names(guess, header) if column_names is None else column_names)
    selected = None if select_columns is None else _selected(select_columns, names)
    if column_defaults is None:
        column_defaults = guess.defaults(
            selected or range(len(names)), len(names), na_value, header, num_rows_for_inference
        )
    if selected is not None:
        names = [names[number] for number in selected]
        if len(column_defaults) != len(selected):
            raise BuildError(
                f"{_CALL}: column_defaults must have an entry for every one of the "
                f"{len(selected)} select_columns, it has {len(column_defaults)}."
            )
    if label_name is not None and label_name not in names:
        raise BuildError(f"{_CALL}: label_name must be one of {names}, got {label_name!r}.")
    sources: Dataset[Any] = Dataset.from_tensor_slices(files)
    node = csv_dataset(
        sources.shuffle(len(files), shuffle_seed) if shuffle else sources,
        column_defaults,
        compression_type,
        header=header,
        field_delim=field_delim,
        use_quote_delim=use_quote_delim,
        na_value=na_value,
        select_cols=selected,
        encoding=encoding,
    )
    reads = check_parallel_reads(_CALL, 1 if num_parallel_reads is None else num_parallel_reads)
    ds: Dataset[Any] = Dataset(replace(node, cycle_length=reads))
    ds = ds.with_options(Options(deterministic=False)) if sloppy else ds
    ds = ds.ignore_errors() if ignore_errors else ds
    ds = ds.shuffle(shuffle_buffer_size, shuffle_seed) if shuffle else ds
    ds = ds.repeat(num_epochs).batch(batch_size, drop_remainder=num_epochs is None)
    ahead = AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size
    return ds.map(_named(names, label_name)).prefetch(ahead)


def _names(guess: Guess, header: bool) -> list[str]:
    if header:
        return guess.names()
    raise BuildError(
        f"{_CALL}: the columns must have names. Give column_names, or header=True if the first "
        "record of every file holds them."
    )


def _named(names: list[str], label_name: str | None) -> Callable[..., Any]:
    """Return what gives the columns of a batch their names."""

    def name_columns(*columns: Any) -> Any:
        features = OrderedDict(zip(names, columns, strict=True))
        if label_name is None:
            return features
        label = features.pop(label_name)
        return features, label

    return name_columns


def _files(file_pattern: Any) -> list[str]:
    patterns = paths_of(file_pattern, _CALL)
    found = sorted(path for pattern in patterns for path in matching(pattern))
    if not found:
        raise BuildError(f"{_CALL}: no files match {', '.join(map(repr, patterns[:5]))}.")
    return found


def _checked_names(column_names: Any) -> list[str]:
    if isinstance(column_names, (str, bytes)):
        raise BuildTypeError(f"{_CALL}: column_names must be a list, got {column_names!r}.")
    names = [str(name) for name in column_names]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BuildError(
            f"{_CALL}: the names of columns must differ, {twice} stand several times in "
            "column_names or in the header."
        )
    return names


def _selected(select_columns: Sequence[str | int], names: list[str]) -> list[int]:
    """Return the numbers of the columns asked for, rising."""
    numbers = []
    for column in select_columns:
        if isinstance(column, int):
            if not 0 <= column < len(names):
                raise BuildError(
                    f"{_CALL}: a number in select_columns must be from 0 to {len(names) - 1}, "
                    f"got {column}."
                )
            numbers.append(column)
        elif column in names:
            numbers.append(names.index(column))
        else:
            raise BuildError(
                f"{_CALL}: select_columns must be some of the columns {names}, got {column!r}."
            )
    if len(set(numbers)) < len(numbers):
        raise BuildError(f"{_CALL}: select_columns names a column twice: {list(select_columns)}.")
    return sorted(numbers)
