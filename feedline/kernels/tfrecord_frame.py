"""tfrecord_frame: records in the frames that TensorFlow puts around them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.crc32c import crc32c, masked
from feedline.kernels.native import native

__all__ = ["tfrecord_frame", "tfrecord_frame_twin"]


def tfrecord_frame_twin(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return records as they are written to a TFRecord file.

    Args:
        data: The records, one after the other.
        offsets: Where each begins and the last one ends.

    Example:
        >>> tfrecord_frame(np.frombuffer(b"one", np.uint8), np.array([0, 3])).tobytes().hex(" ", -4)
        '03000000 00000000 b099490e 6f6e6501 405508'
    """
    if not len(offsets):
        raise ValueError("offsets must hold at least one number")
    if offsets[0] < 0 or not -1 < offsets[-1] <= len(data):
        raise ValueError("offsets must be inside the data")
    if np.any(offsets[1:] < offsets[:-1]):
        raise ValueError("offsets must rise")
    parts = []
    for start, stop in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        length = (stop - start).to_bytes(8, "little")
        parts += [length, _checksum(np.frombuffer(length, np.uint8))]
        parts += [data[start:stop].tobytes(), _checksum(data[start:stop])]
    return np.frombuffer(bytearray(b"".join(parts)), np.uint8)


def _checksum(data: NDArray[np.uint8]) -> bytes:
    return masked(crc32c(data)).to_bytes(4, "little")


tfrecord_frame = tfrecord_frame_twin if native is None else native.tfrecord_frame
