"""jpeg_operations: decode and resize for peers that bring no operations on images of their own.

By simplejpeg, which is the decoder that Feedline calls, and OpenCV: the fastest that can be
installed for them.
"""

from __future__ import annotations

import random
from typing import Any

import cv2
import jpeg_files as j
import numpy as np
import simplejpeg
from numpy.typing import NDArray

__all__ = ["crop_flip", "decode_resize"]

# Peers have threads or processes of their own.
cv2.setNumThreads(1)


def decode_resize(jpeg: bytes) -> NDArray[np.float32]:
    """Return a JPEG as 224 x 224 float32."""
    image = simplejpeg.decode_jpeg(jpeg, "RGB", fastdct=True)
    return _resized(image)


def crop_flip(jpeg: bytes, draws: random.Random) -> NDArray[np.float32]:
    """Return a random part of a JPEG as 224 x 224 float32, one of two times mirrored."""
    image = simplejpeg.decode_jpeg(jpeg, "RGB", fastdct=True)
    top, left, tall, wide = j.random_box(*image.shape[:2], draws)
    part = image[top : top + tall, left : left + wide]
    # Mirrored while it is small and its numbers are bytes.
    made = cv2.resize(part, (j.SIZE, j.SIZE), interpolation=cv2.INTER_LINEAR)
    return (cv2.flip(made, 1) if draws.random() < 0.5 else made).astype(np.float32)


def _resized(image: NDArray[Any]) -> NDArray[np.float32]:
    made = cv2.resize(image, (j.SIZE, j.SIZE), interpolation=cv2.INTER_LINEAR)
    return made.astype(np.float32)
