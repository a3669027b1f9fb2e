"""audio_folder: a folder with a sub-folder of WAV files for every class, as a dataset."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

from feedline.audio.decoding import decode_wav
from feedline.data.labelled_files import FileKind
from feedline.data.labelled_folder import FolderSettings, batches
from feedline.dataset import Dataset
from feedline.errors import BuildError, check_at_least
from feedline.io.whole_files import read_file
from feedline.options import AUTOTUNE
from feedline.ragged import RaggedTensor

__all__ = ["audio_dataset_from_directory"]

_CALL = "audio_dataset_from_directory()"
_SOUNDS = FileKind("audio files", (".wav",))


def audio_dataset_from_directory(
    directory: str | os.PathLike[str],
    labels: str | Sequence[int] | None = "inferred",
    label_mode: str | None = "int",
    class_names: Sequence[str] | None = None,
    batch_size: int | None = 32,
    sampling_rate: int | None = None,
    output_sequence_length: int | None = None,
    ragged: bool = False,
    shuffle: bool = True,
    seed: int | None = None,
    validation_split: float | None = None,
    subset: str | None = None,
    follow_links: bool = False,
    verbose: bool = True,
) -> Any:
    """Return batches of the sounds of a folder, with labels, as ``keras.utils`` does.

    With the same seed the sounds come in the order of Keras. The result has ``class_names`` and
    ``file_paths``. A sound is a float32 array with a row per sample and a column per channel,
    from -1 to 1, read from a 16-bit WAV file.

    Args:
        directory: A folder; with labels "inferred", one that has a sub-folder for every class.
        labels: "inferred" from the names of sub-folders, a list with a label for every file in
            sorted order, or None for sounds alone.
        label_mode: "int" for int32, "binary" for float32 of 0 and 1, "categorical" for vectors
            with a 1, None for no labels.
        class_names: The sub-folders to read, in the order of their labels.
        batch_size: How many sounds make a batch; None for single sounds.
        sampling_rate: None: sounds are not resampled.
        output_sequence_length: How many samples a sound has: others are cut off, or zeros put
            there. By default, those of a batch are as long as its longest.
        ragged: Whether sounds are RaggedTensors, of the length that they have.
        shuffle: Whether the order is random; otherwise it is sorted.
        seed: Of the order.
        validation_split: The share of files, at the end, that is kept for validation.
        subset: Which part is wanted: "training", "validation" or "both", which gives two.
        follow_links: Whether links to folders are followed.
        verbose: Whether to print how many files were found.

    Example:
        >>> import tempfile
        >>> import feedline as tf
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     for name in ("cat", "dog"):
        ...         sound = tf.audio.encode_wav([[0.5], [-0.5]], sample_rate=8000)
        ...         tf.io.write_file(f"{folder}/{name}/1.wav", sound)
        ...     ds = tf.keras.utils.audio_dataset_from_directory(
        ...         folder, shuffle=False, verbose=False
        ...     )
        ...     sounds, labels = next(iter(ds))
        >>> sounds.tolist(), labels.tolist()
        ([[[0.5], [-0.5]], [[0.5], [-0.5]]], [0, 1])
    """
    if sampling_rate is not None:
        raise BuildError(
            f"{_CALL}: sampling_rate must be None, got {sampling_rate!r}: sounds are not resampled "
            "here, and in Keras only where tensorflow_io is. Use map() and a numpy_function with "
            "scipy.signal.resample_poly."
        )
    if ragged and output_sequence_length is not None:
        raise BuildError(f"{_CALL}: only one of ragged and output_sequence_length can be given.")
    length = -1
    if output_sequence_length is not None:
        length = check_at_least(_CALL, "output_sequence_length", output_sequence_length, -1)
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
    pads = output_sequence_length is None and not ragged
    load = partial(_ragged_sound if ragged else _sound, length)
    made = [
        part.known(_batched(part.loaded(load).prefetch(AUTOTUNE), batch_size, pads))
        for part in settings.parts(_CALL, _SOUNDS)
    ]
    return tuple(made) if subset == "both" else made[0]


def _batched(sounds: Dataset[Any], batch_size: int | None, pads: bool) -> Dataset[Any]:
    if batch_size is not None and pads:
        return sounds.padded_batch(batch_size)
    return batches(sounds, batch_size)


def _sound(length: int, path: Any) -> Any:
    return decode_wav(read_file(path), desired_samples=length).audio


def _ragged_sound(length: int, path: Any) -> Any:
    return RaggedTensor.from_tensor(_sound(length, path))
