"""through_tables: every byte of images exchanged for another one, by tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = ["through_tables", "through_tables_twin"]

Bytes = NDArray[np.uint8]


def through_tables_twin(images: Bytes, tables: Bytes) -> Bytes:
    """Return images [n, count, channels] with every byte looked up in ``tables[n, channel]``.

    Example:
        >>> tables = 255 - np.arange(256, dtype=np.uint8).reshape(1, 1, 256)
        >>> through_tables(np.array([[[0], [5]]], np.uint8), tables).tolist()
        [[[255], [250]]]
    """
    if tables.shape != (len(images), images.shape[2], 256):
        raise ValueError("there must be a table for each channel")
    made = np.empty_like(images, order="C")
    for image, its, out in zip(images, tables, made, strict=True):
        for channel, table in enumerate(its):
            out[:, channel] = table[image[:, channel]]
    return made


def _through_tables(images: Bytes, tables: Bytes) -> Bytes:
    if tables.shape != (len(images), images.shape[2], 256) or not images.size:
        return through_tables_twin(images, tables)
    made: Bytes = native.through_tables(images.reshape(-1), tables.reshape(-1), images.shape[2])
    return made.reshape(images.shape)


through_tables = through_tables_twin if native is None else _through_tables
