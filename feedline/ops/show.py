"""show: a sheet with small pictures of the first images, and their labels."""

from __future__ import annotations

import os
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.errors import BuildError, check_at_least
from feedline.structure import structure_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from feedline.dataset import Dataset

__all__ = ["show"]

_CALL = "show()"


# ---- what the user calls ---------------------------------------------------


def show(
    self: Dataset[Any],
    n: int = 16,
    path: str | os.PathLike[str] | None = None,
    *,
    class_names: Sequence[str] | None = None,
) -> Any:
    """Return a sheet with the first images, which a notebook displays.

    The image of an element is its first array with height, width and 1, 3 or 4 channels, or a
    batch of these; the next leaf is its label. Floats are taken to lie between 0 and 1 if they
    do, between 0 and 255 if none is below 0, and are stretched to what can be seen otherwise.

    Args:
        n: How many images to show.
        path: A file to write: PNG, or HTML if it ends in ".html".
        class_names: What to write for the labels 0, 1, 2...; by default those that
            image_dataset_from_directory() found.

    Example:
        >>> import feedline as tf
        >>> images = np.zeros((10, 8, 8, 3), np.uint8)
        >>> tf.data.Dataset.from_tensor_slices((images, np.arange(10))).batch(4).show(6)
        <ContactSheet of 6 images>
    """
    count = check_at_least(_CALL, "n", n, 1)
    names = getattr(self, "class_names", None) if class_names is None else class_names
    found = list(islice(_images(self), count))
    if not found:
        raise BuildError(f"{_CALL}: the dataset has no elements to show.")
    drawing = import_module("feedline.image.contact_sheet")
    sheet = drawing.ContactSheet([(image, _text(label, names)) for image, label in found])
    if path is not None:
        sheet.save(path)
    return sheet


# ---- what is shown ---------------------------------------------------------


def _images(dataset: Dataset[Any]) -> Iterator[tuple[Any, Any]]:
    for element in dataset:
        leaves = list(structure_of(element).leaves_of(element))
        place = next((number for number, leaf in enumerate(leaves) if _is_image(leaf)), None)
        if place is None:
            shapes = [tuple(np.shape(leaf)) for leaf in leaves]
            raise BuildError(
                f"{_CALL}: an element must have an array with height, width and 1, 3 or 4 "
                f"channels, or a batch of them; got leaves of shapes {shapes}."
            )
        image = leaves[place]
        label = leaves[place + 1] if place + 1 < len(leaves) else None
        if image.ndim == 3:
            yield image, label
        else:
            labels = [None] * len(image) if label is None else label
            yield from zip(image, labels, strict=True)


def _is_image(leaf: Any) -> bool:
    return (
        isinstance(leaf, np.ndarray)
        and leaf.ndim in (3, 4)
        and leaf.shape[-1] in (1, 3, 4)
        and leaf.dtype.kind in "biuf"
        and leaf.size > 0
    )


def _text(label: Any, names: Sequence[str] | None) -> str:
    if label is None:
        return ""
    if isinstance(label, bytes):
        return label.decode(errors="replace")
    number = np.asarray(label)
    if number.dtype.kind not in "biuf" or number.ndim > 1 or not number.size:
        return str(label) if number.ndim == 0 else f"shape {number.shape}"
    if number.size > 1:  # one of several, as a vector with a 1 in its place
        number = np.asarray(number.argmax())
    value = number.reshape(())[()]
    is_name = names is not None and value == int(value) and 0 <= value < len(names)
    return str(names[int(value)]) if names is not None and is_name else str(value)
