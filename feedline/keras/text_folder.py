"""text_folder: a folder with a sub-folder of text files for every class, as a dataset."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

from feedline.data.labelled_files import FileKind
from feedline.data.labelled_folder import FolderSettings, batches
from feedline.errors import BuildError, check_at_least
from feedline.io.whole_files import read_file
from feedline.options import AUTOTUNE
from feedline.strings.measuring import substr

__all__ = ["text_dataset_from_directory"]

_CALL = "text_dataset_from_directory()"
_TEXTS = FileKind("text files", (".txt",))


def text_dataset_from_directory(
    directory: str | os.PathLike[str],
    labels: str | Sequence[int] | None = "inferred",
    label_mode: str | None = "int",
    class_names: Sequence[str] | None = None,
    batch_size: int | None = 32,
    max_length: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    validation_split: float | None = None,
    subset: str | None = None,
    follow_links: bool = False,
    format: str = "tf",
    verbose: bool = True,
) -> Any:
    """Return batches of the texts of a folder, with labels, as ``keras.utils`` does.

    With the same seed the texts come in the order of Keras. The result has ``class_names`` and
    ``file_paths``. A text is ``bytes``: all of a file whose name ends in ``.txt``.

    Args:
        directory: A folder; with labels "inferred", one that has a sub-folder for every class.
        labels: "inferred" from the names of sub-folders, a list with a label for every file in
            sorted order, or None for texts alone.
        label_mode: "int" for int32, "binary" for float32 of 0 and 1, "categorical" for vectors
            with a 1, None for no labels.
        class_names: The sub-folders to read, in the order of their labels.
        batch_size: How many texts make a batch; None for single texts.
        max_length: How many bytes of a text are kept, from its beginning; None for all.
        shuffle: Whether the order is random; otherwise it is sorted.
        seed: Of the order.
        validation_split: The share of files, at the end, that is kept for validation.
        subset: Which part is wanted: "training", "validation" or "both", which gives two.
        follow_links: Whether links to folders are followed.
        format: "tf".
        verbose: Whether to print how many files were found.

    Example:
        >>> import pathlib, tempfile
        >>> import feedline as tf
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     for name in ("bad", "good"):
        ...         pathlib.Path(folder, name).mkdir()
        ...         _ = pathlib.Path(folder, name, "1.txt").write_text(f"so {name}")
        ...     ds = tf.keras.utils.text_dataset_from_directory(
        ...         folder, shuffle=False, verbose=False
        ...     )
        ...     texts, labels = next(iter(ds))
        >>> texts.tolist(), labels.tolist(), ds.class_names
        ([b'so bad', b'so good'], [0, 1], ['bad', 'good'])
    """
    if format != "tf":
        raise BuildError(f"{_CALL}: format must be 'tf', got {format!r}: datasets are Feedline's.")
    if max_length is not None:
        check_at_least(_CALL, "max_length", max_length, 0)
    settings = FolderSettings(
        directory,
        labels,
        label_mode,
        class_names,
        batch_size,
        shuffle,
        seed,
        validation_split,
        subset,
        follow_links,
        verbose,
    )
    load = read_file if max_length is None else partial(_beginning, max_length)
    parts = settings.parts(_CALL, _TEXTS)
    made = [part.known(batches(part.loaded(load), batch_size).prefetch(AUTOTUNE)) for part in parts]
    return made if subset == "both" else made[0]


def _beginning(length: int, path: Any) -> Any:
    return substr(read_file(path), 0, length)
