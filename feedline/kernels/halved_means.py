"""halved_means: the means of the channels of images, added up by halves.

The first half of the pixels and the second one are added, then the halves of that, until
one pixel is left. These are TensorFlow's roundings, and the same for one image and for many.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = ["halved_means", "halved_means_twin"]

Means = NDArray[np.float32]


def halved_means_twin(images: NDArray[Any]) -> Means:
    """Return the means [n, channels] of images [n, count, channels]; bytes stand for 0 to 1.

    Example:
        >>> halved_means(np.array([[[0], [255]]], np.uint8))
        array([[0.5]], dtype=float32)
    """
    count, size, channels = images.shape
    if not size or not channels:
        raise ValueError("an image must have pixels")
    flat = images.reshape(count, size * channels).astype(np.float32)
    if images.dtype == np.uint8:
        flat *= np.float32(1.0 / 255.0)
    left = size
    while left > 1:
        right = left // 2 * channels
        upper = left * channels - right
        flat[:, :right] += flat[:, upper : left * channels]
        left -= left // 2
    means: Means = flat[:, :channels] * (np.float32(1) / np.float32(size))
    return means


def _halved_means(images: NDArray[Any]) -> Means:
    if images.dtype != np.uint8 or not images.size:
        return halved_means_twin(images)
    count, _, channels = images.shape
    means: Means = native.halved_means(images.reshape(-1), count, channels)
    return means.reshape(count, channels)


halved_means = halved_means_twin if native is None else _halved_means
