"""jpeg: the pixels of JPEGs of the most frequent kind, as libjpeg-turbo has them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = ["decode_jpeg", "decode_jpeg_twin"]


def decode_jpeg_twin(data: Any, out: NDArray[np.uint8]) -> bool:  # noqa: ARG001
    """Write the pixels of a JPEG into ``out``, and return whether that was possible.

    Known are baseline JPEGs, in grey or in YCbCr with colours at full size, half the width or half
    of both. False stands for any other kind, for another size than that of ``out``, for damage
    of any sort: another decoder has to have a look. So does the twin, which knows none.

    Args:
        data: The bytes of the JPEG.
        out: ``(height, width, channels)``, contiguous; one channel for the brightness alone.

    Example:
        >>> decode_jpeg(b"not a JPEG", np.empty((1, 1, 3), np.uint8))
        False
    """
    return False


decode_jpeg = decode_jpeg_twin if native is None else native.decode_jpeg
