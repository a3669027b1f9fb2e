"""tfrecord_scan: finding records in the frames that TensorFlow puts around them.

A frame is a length (8 bytes, little-endian), the checksum of the length (4), the record, and
the checksum of the record (4). No length is believed before its checksum was seen to fit, and
then only as far as there are bytes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.crc32c import crc32c, masked
from feedline.kernels.native import native

__all__ = [
    "BAD_DATA",
    "BAD_LENGTH",
    "FOOTER",
    "FRAME",
    "HEADER",
    "NO_DAMAGE",
    "tfrecord_scan",
    "tfrecord_scan_twin",
]

HEADER, FOOTER = 12, 4
FRAME = HEADER + FOOTER

NO_DAMAGE = 0
BAD_LENGTH = 1
"""The length has another checksum: where the next record begins is not known."""
BAD_DATA = 2
"""The record has another checksum: the next one begins after it."""

_LONGEST = 2**63 - 1 - FRAME


def tfrecord_scan_twin(
    data: NDArray[np.uint8], start: int, most: int, checks_data: bool
) -> tuple[NDArray[np.int64], int, int]:
    """Return where frames that are whole and not damaged begin, and what stands after them.

    Args:
        data: Frames, the last of which may go on elsewhere.
        start: Where the first one begins.
        most: How many are sought.
        checks_data: Whether the checksums of the records are looked at.

    Returns:
        Where each frame begins and the last one ends; the damage there; and how long the frame
        there is, which is 12 as long as its length is not known.

    Example:
        >>> from feedline.kernels.tfrecord_frame import tfrecord_frame
        >>> data = tfrecord_frame(np.frombuffer(b"onetwo", np.uint8), np.array([0, 3, 6]))
        >>> tfrecord_scan(data, 0, 10, True)
        (array([ 0, 19, 38]), 0, 12)
        >>> tfrecord_scan(data[:-1], 0, 10, True)
        (array([ 0, 19]), 0, 19)
    """
    if not 0 <= start <= len(data):
        raise ValueError("start must be inside the data")
    bounds, at, damage, needed = [start], start, NO_DAMAGE, HEADER
    while len(bounds) <= most and len(data) - at >= HEADER:
        if not _fits(data[at : at + 8], data[at + 8 : at + HEADER]):
            damage = BAD_LENGTH
            break
        length = int.from_bytes(data[at : at + 8].tobytes(), "little")
        needed = min(length, _LONGEST) + FRAME
        stop = at + length + FRAME
        if stop > len(data):
            break
        if checks_data and not _fits(data[at + HEADER : stop - FOOTER], data[stop - FOOTER : stop]):
            damage = BAD_DATA
            break
        at = stop
        bounds.append(at)
        needed = HEADER
    return np.array(bounds, np.int64), damage, needed


def _fits(data: NDArray[np.uint8], stored: NDArray[np.uint8]) -> bool:
    return masked(crc32c(data)) == int.from_bytes(stored.tobytes(), "little")


tfrecord_scan = tfrecord_scan_twin if native is None else native.tfrecord_scan
