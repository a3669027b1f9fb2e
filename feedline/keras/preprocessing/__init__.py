"""feedline.keras.preprocessing: the older names of functions of keras.utils."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.namespace import open_namespace

if TYPE_CHECKING:
    from feedline.data.image_folder import image_dataset_from_directory
    from feedline.keras.preprocessing import sequence
    from feedline.keras.text_folder import text_dataset_from_directory
    from feedline.keras.timeseries import timeseries_dataset_from_array

__all__ = [
    "image_dataset_from_directory",
    "sequence",
    "text_dataset_from_directory",
    "timeseries_dataset_from_array",
]

_ROOMS = {
    "data.image_folder": "image_dataset_from_directory",
    "keras.text_folder": "text_dataset_from_directory",
    "keras.timeseries": "timeseries_dataset_from_array",
}

open_namespace(globals(), _ROOMS, modules=["sequence"])
