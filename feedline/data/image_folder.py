"""image_folder: a folder with a sub-folder of images for every class, as a dataset."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.shaping import transpose
from feedline.data.labelled_files import FileKind
from feedline.data.labelled_folder import FolderSettings, batches
from feedline.errors import BuildError, check_at_least
from feedline.image.decoding import decode_image
from feedline.image.resizing import resize, resize_with_pad
from feedline.io.whole_files import read_file
from feedline.options import AUTOTUNE

__all__ = ["image_dataset_from_directory"]

_IMAGES = FileKind("images", (".bmp", ".gif", ".jpeg", ".jpg", ".png"))
_CHANNELS = {"grayscale": 1, "rgb": 3, "rgba": 4}
_METHODS = (
    *("bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian"),
    "mitchellcubic",
)
_CALL = "image_dataset_from_directory()"


def image_dataset_from_directory(
    directory: str | os.PathLike[str],
    labels: str | Sequence[int] | None = "inferred",
    label_mode: str | None = "int",
    class_names: Sequence[str] | None = None,
    color_mode: str = "rgb",
    batch_size: int | None = 32,
    image_size: int | tuple[int, int] = (256, 256),
    shuffle: bool = True,
    seed: int | None = None,
    validation_split: float | None = None,
    subset: str | None = None,
    interpolation: str = "bilinear",
    follow_links: bool = False,
    crop_to_aspect_ratio: bool = False,
    pad_to_aspect_ratio: bool = False,
    data_format: str | None = None,
    format: str = "tf",
    verbose: bool = True,
) -> Any:
    """Return batches of images from a folder, with labels: ``keras.utils`` has the same.

    With the same seed the images come in the order of Keras. The result has ``class_names`` and
    ``file_paths``. JPEG, PNG, GIF (the first frame) and BMP files are read.

    Args:
        directory: A folder; with labels "inferred", one that has a sub-folder for every class.
        labels: "inferred" from the names of sub-folders, a list with a label for every file in
            sorted order, or None for images alone.
        label_mode: "int" for int32, "binary" for float32 of 0 and 1, "categorical" for vectors
            with a 1, None for no labels.
        class_names: The sub-folders to read, in the order of their labels.
        color_mode: "grayscale", "rgb" or "rgba".
        batch_size: How many images make a batch; None for single images.
        image_size: Height and width of the results.
        shuffle: Whether the order is random; otherwise it is sorted.
        seed: Of the order.
        validation_split: The share of files, at the end, that is kept for validation.
        subset: Which part is wanted: "training", "validation" or "both", which gives two.
        interpolation: How images are resized.
        follow_links: Whether links to folders are followed.
        crop_to_aspect_ratio: Whether an image is cut instead of distorted.
        pad_to_aspect_ratio: Whether an image gets a black border instead of being distorted.
        data_format: "channels_last", which None means, or "channels_first".
        format: "tf".
        verbose: Whether to print how many files were found.
    """
    if format != "tf":
        raise BuildError(f"{_CALL}: format must be 'tf', got {format!r}: datasets are Feedline's.")
    load = _loading(
        color_mode,
        image_size,
        interpolation,
        crop_to_aspect_ratio,
        pad_to_aspect_ratio,
        data_format,
    )
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
    parts = settings.parts(_CALL, _IMAGES)
    made = [part.known(batches(part.loaded(load), batch_size).prefetch(AUTOTUNE)) for part in parts]
    return made if subset == "both" else made[0]


# ---- one image ------------------------------------------------------------------------


def _loading(
    color_mode: str, size: Any, interpolation: str, crop: bool, pad: bool, data_format: str | None
) -> Any:
    """Return the function that loads an image."""
    if color_mode not in _CHANNELS:
        raise BuildError(
            f"{_CALL}: color_mode must be 'grayscale', 'rgb' or 'rgba', got {color_mode!r}."
        )
    sides = (size, size) if isinstance(size, int) else tuple(size)
    if len(sides) != 2:
        raise BuildError(f"{_CALL}: image_size must be a height and a width, got {size!r}.")
    height, width = (check_at_least(_CALL, "image_size", side, 1) for side in sides)
    method = str(interpolation).lower()
    if method not in _METHODS:
        raise BuildError(
            f"{_CALL}: interpolation must be one of {', '.join(_METHODS)}, got {interpolation!r}."
        )
    if crop and pad:
        raise BuildError(
            f"{_CALL}: only one of crop_to_aspect_ratio and pad_to_aspect_ratio can be True."
        )
    if data_format not in (None, "channels_last", "channels_first"):
        raise BuildError(
            f"{_CALL}: data_format must be 'channels_last' or 'channels_first', "
            f"got {data_format!r}."
        )
    fitted = _cropped if crop else _padded if pad else _resized
    first = data_format == "channels_first"
    return partial(_load, _CHANNELS[color_mode], fitted, (height, width), method, first)


def _load(
    channels: int, fitted: Any, size: tuple[int, int], method: str, first: bool, path: Any
) -> Any:
    image = decode_image(read_file(path), channels=channels, expand_animations=False)
    made = fitted(image, size, method)
    return transpose(made, (2, 0, 1)) if first else made


def _resized(image: Any, size: tuple[int, int], method: str) -> Any:
    return resize(image, size, method=method)


def _padded(image: Any, size: tuple[int, int], method: str) -> Any:
    return resize_with_pad(image, *size, method=method)


def _cropped(image: NDArray[Any], size: tuple[int, int], method: str) -> Any:
    """Take the largest part of the middle that has the shape wanted."""
    rows, columns = image.shape[:2]
    height = max(min(rows, int(np.float32(columns * size[0]) / np.float32(size[1]))), 1)
    width = max(min(columns, int(np.float32(rows * size[1]) / np.float32(size[0]))), 1)
    top, left = (rows - height) // 2, (columns - width) // 2
    part = image[top : top + height, left : left + width]
    return resize(part, size, method=method)
