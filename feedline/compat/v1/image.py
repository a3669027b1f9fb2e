"""image: functions on images, as ``tf.image`` had them in TensorFlow 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.compat.v1.namespaces import open_old_namespace

if TYPE_CHECKING:
    from feedline.compat.v1.resizing import (
        ResizeMethod,
        resize,
        resize_area,
        resize_bicubic,
        resize_bilinear,
        resize_images,
        resize_nearest_neighbor,
    )

__all__ = [
    "ResizeMethod",
    "resize",
    "resize_area",
    "resize_bicubic",
    "resize_bilinear",
    "resize_images",
    "resize_nearest_neighbor",
]

_ROOMS = {
    "compat.v1.resizing": (
        "ResizeMethod resize resize_area resize_bicubic resize_bilinear resize_images "
        "resize_nearest_neighbor"
    ),
}

open_old_namespace(globals(), "feedline.image", _ROOMS)
