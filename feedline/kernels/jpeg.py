"""jpeg: the pixels of JPEGs of the most frequent kind, as libjpeg-turbo has them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = ["decode_jpeg", "decode_jpeg_part", "decode_jpeg_part_twin", "decode_jpeg_twin"]


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


def decode_jpeg_part_twin(data: Any, top: int, left: int, out: NDArray[np.uint8]) -> bool:  # noqa: ARG001
    """Write the pixels of a part of a JPEG into ``out``, and return whether that was possible.

    The values are those of libjpeg-turbo where it decodes a part alone: colours at half the width
    are smoothed without what lies beside the part. The twin knows no JPEG here either.

    Args:
        data: The bytes of the JPEG.
        top: The first row of the part.
        left: Its first column.
        out: ``(height, width, channels)`` of the part, contiguous.

    Example:
        >>> decode_jpeg_part(b"not a JPEG", 0, 0, np.empty((1, 1, 3), np.uint8))
        False
    """
    return False


decode_jpeg_part = decode_jpeg_part_twin if native is None else native.decode_jpeg_part
