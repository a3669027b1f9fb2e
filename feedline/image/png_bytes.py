"""png_bytes: pixels to PNG. Pillow writes no colours of 16 bits, and there is little to it."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

__all__ = ["png_bytes"]

_COLORS = {1: 0, 2: 4, 3: 2, 4: 6}


def png_bytes(
    image: NDArray[np.uint8] | NDArray[np.uint16], level: int = zlib.Z_DEFAULT_COMPRESSION
) -> bytes:
    """Return the bytes of an image with 1 to 4 channels of 8 or 16 bits."""
    height, width, channels = image.shape
    stored = np.ascontiguousarray(image.astype(image.dtype.newbyteorder(">"), copy=False))
    rows = stored.reshape(height, -1).view(np.uint8)
    header = struct.pack(
        ">IIBBBBB", width, height, 8 * image.dtype.itemsize, _COLORS[channels], 0, 0, 0
    )
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(
                b"IDAT", zlib.compress(_filtered(rows, channels * image.dtype.itemsize).data, level)
            ),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(content, zlib.crc32(kind))
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)


def _filtered(rows: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    """Write each row as what remains of it after the guess that leaves least.

    The guesses are those of the format: nothing, the pixel to the left, the one above, their
    mean, and whichever of left, above and above-left is nearest to left + above - above-left.
    """
    left = np.zeros_like(rows)
    left[:, step:] = rows[:, :-step]
    above = np.zeros_like(rows)
    above[1:] = rows[:-1]
    corner = np.zeros_like(rows)
    corner[1:, step:] = rows[:-1, :-step]
    mean = ((left.astype(np.uint16) + above) >> 1).astype(np.uint8)
    a, b, c = (one.astype(np.int16) for one in (left, above, corner))
    to_a, to_b, to_c = np.abs(b - c), np.abs(a - c), np.abs(a + b - 2 * c)
    nearest = np.where((to_a <= to_b) & (to_a <= to_c), left, np.where(to_b <= to_c, above, corner))
    rests = [rows, rows - left, rows - above, rows - mean, rows - nearest]
    sums = [
        np.abs(rest.view(np.int8).astype(np.int16)).sum(axis=1, dtype=np.int64) for rest in rests
    ]
    best = np.argmin(sums, axis=0)
    made = np.empty((len(rows), rows.shape[1] + 1), np.uint8)
    made[:, 0] = best
    for number, rest in enumerate(rests):
        chosen = best == number
        made[chosen, 1:] = rest[chosen]
    return made
