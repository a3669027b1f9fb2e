"""list_files: the names of files that match a pattern."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from feedline.errors import InvalidArgumentError, check_integer
from feedline.files import matching, paths_of
from feedline.ops.arguments import check_flag
from feedline.ops.from_tensor_slices import naming_files

if TYPE_CHECKING:
    from feedline.dataset import Dataset

__all__ = ["list_files"]


# ---- what the user calls ---------------------------------------------------


def list_files(
    cls: type[Dataset[Any]],
    file_pattern: Any,
    shuffle: bool | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Dataset[str]:
    """Return the names of the files that match, in random order unless ``shuffle`` is False.

    The files are looked for once, when the dataset is made, and sorted: for a seed, the order
    is that of TensorFlow, another one in every iteration.

    Args:
        file_pattern: A pattern, or a list of them: ``*``, ``?`` and ``[...]`` stand for parts of
            a name, not for ``/``. Local paths, and URLs that fsspec knows.
        shuffle: Whether the order is random; True by default.
        seed: Of the order.
        name: Shown in plans and errors.

    Example:
        >>> import tempfile
        >>> import feedline as tf
        >>> with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        ...     ds = tf.data.Dataset.list_files(file.name[:-6] + "*.txt", shuffle=False)
        ...     file.name in list(ds)
        True
    """
    patterns = paths_of(file_pattern, "list_files()")
    shuffles = True if shuffle is None else check_flag("list_files()", "shuffle", shuffle)
    if seed is not None:
        check_integer("list_files()", "seed", seed)
    found = [path for pattern in patterns for path in matching(pattern)]
    found.sort(key=os.fsencode)
    if not found:
        shown = ", ".join(map(repr, patterns[:5])) + (", ..." if len(patterns) > 5 else "")
        raise InvalidArgumentError(
            f"list_files(): no files match {shown or 'an empty list of patterns'}. Check the path; "
            "* does not match /, and there is no **."
        )
    ds = cls.of_node(naming_files(cls.from_tensor_slices(found, name=name).node))
    return ds.shuffle(len(found), seed=seed, name=name) if shuffles else ds


# ---- what the optimizer sees and what runs: slices in memory, and a shuffle of them ---------
