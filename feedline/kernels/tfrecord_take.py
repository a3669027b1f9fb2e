"""tfrecord_take: records copied out of their frames, checked, one run of frames after the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native
from feedline.kernels.tfrecord_scan import FOOTER, HEADER, tfrecord_scan

__all__ = ["tfrecord_take", "tfrecord_take_twin"]


def tfrecord_take_twin(
    data: NDArray[np.uint8],
    start: int,
    out: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    count: int,
) -> tuple[int, int, int, int]:
    """Copy records to ``out``, after those that are there, until it or ``offsets`` is full.

    Args:
        data: Frames, the last of which may go on elsewhere.
        start: Where the first one begins.
        out: Where the records go. It may be the memory of ``data`` itself, if the records that
            are there end before ``start``.
        offsets: Where each record in ``out`` begins and the last one ends; written to.
        count: How many records are in ``out``.

    Returns:
        How many are there now; where the next frame begins; the damage there; and how long that
        frame is, which is 12 as long as its length is not known. See tfrecord_scan().

    Example:
        >>> from feedline.kernels.tfrecord_frame import tfrecord_frame
        >>> data = tfrecord_frame(np.frombuffer(b"onetwo", np.uint8), np.array([0, 3, 6]))
        >>> out, offsets = np.zeros(6, np.uint8), np.zeros(3, np.int64)
        >>> tfrecord_take(data, 0, out, offsets, 0)
        (2, 38, 0, 12)
        >>> out.tobytes(), offsets.tolist()
        (b'onetwo', [0, 3, 6])
    """
    if not 0 <= start <= len(data):
        raise ValueError("start must be inside the data")
    if not 0 <= count < len(offsets):
        raise ValueError("there must be one more offset than records")
    if not 0 <= offsets[count] <= len(out):
        raise ValueError("offsets must be inside the output")
    at = start
    while True:
        most = min(1, len(offsets) - 1 - count)
        bounds, damage, needed = tfrecord_scan(data, at, most, False)
        if len(bounds) < 2:
            return count, at, damage, needed
        stop = int(bounds[1])
        first, last = int(offsets[count]), int(offsets[count]) + stop - at - HEADER - FOOTER
        if last > len(out):
            return count, at, damage, stop - at
        bounds, damage, needed = tfrecord_scan(data, at, most, True)
        if len(bounds) < 2:
            return count, at, damage, needed
        out[first:last] = data[at + HEADER : stop - FOOTER]
        count += 1
        offsets[count] = last
        at = stop


tfrecord_take = tfrecord_take_twin if native is None else native.tfrecord_take
