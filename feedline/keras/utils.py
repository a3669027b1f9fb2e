"""utils: the functions of keras.utils that make datasets and their labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.namespace import open_namespace

if TYPE_CHECKING:
    from feedline.data.image_folder import image_dataset_from_directory
    from feedline.keras.audio_folder import audio_dataset_from_directory
    from feedline.keras.numerical import normalize, pad_sequences, to_categorical
    from feedline.keras.seeding import set_random_seed
    from feedline.keras.splitting import split_dataset
    from feedline.keras.text_folder import text_dataset_from_directory
    from feedline.keras.timeseries import timeseries_dataset_from_array

__all__ = [
    "audio_dataset_from_directory",
    "image_dataset_from_directory",
    "normalize",
    "pad_sequences",
    "set_random_seed",
    "split_dataset",
    "text_dataset_from_directory",
    "timeseries_dataset_from_array",
    "to_categorical",
]

_ROOMS = {
    "data.image_folder": "image_dataset_from_directory",
    "keras.audio_folder": "audio_dataset_from_directory",
    "keras.numerical": "normalize pad_sequences to_categorical",
    "keras.seeding": "set_random_seed",
    "keras.splitting": "split_dataset",
    "keras.text_folder": "text_dataset_from_directory",
    "keras.timeseries": "timeseries_dataset_from_array",
}

open_namespace(globals(), _ROOMS)
