"""tfrecord_records: records out of frames that were found before, checked or as they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native
from feedline.kernels.tfrecord_scan import FOOTER, FRAME, HEADER, tfrecord_scan

__all__ = [
    "tfrecord_check",
    "tfrecord_check_twin",
    "tfrecord_records",
    "tfrecord_records_twin",
]


def tfrecord_records_twin(
    data: NDArray[np.uint8], starts: NDArray[np.int64], stops: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return a copy of the records, one after the other, and where each begins and the last ends.

    Args:
        data: Frames, anywhere in it.
        starts: Where each frame begins.
        stops: Where each frame ends.

    Example:
        >>> from feedline.kernels.tfrecord_frame import tfrecord_frame
        >>> data = tfrecord_frame(np.frombuffer(b"onetwo", np.uint8), np.array([0, 3, 6]))
        >>> records, offsets = tfrecord_records(data, np.array([19, 0]), np.array([38, 19]))
        >>> records.tobytes(), offsets.tolist()
        (b'twoone', [0, 3, 6])
    """
    _check_bounds(data, starts, stops)
    pairs = zip(starts.tolist(), stops.tolist(), strict=True)
    parts = [data[start + HEADER : stop - FOOTER] for start, stop in pairs]
    offsets = np.zeros(len(starts) + 1, np.int64)
    np.cumsum(stops - starts - FRAME, out=offsets[1:])
    return np.concatenate([data[:0], *parts]), offsets


def tfrecord_check_twin(
    data: NDArray[np.uint8], starts: NDArray[np.int64], stops: NDArray[np.int64]
) -> int:
    """Return the first frame that is damaged or has another length, -1 if there is none.

    Example:
        >>> from feedline.kernels.tfrecord_frame import tfrecord_frame
        >>> data = tfrecord_frame(np.frombuffer(b"onetwo", np.uint8), np.array([0, 3, 6]))
        >>> data[30] ^= 1
        >>> tfrecord_check(data, np.array([0, 19]), np.array([19, 38]))
        1
    """
    _check_bounds(data, starts, stops)
    for number, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
        bounds, _, _ = tfrecord_scan(data[:stop], start, 1, True)
        if bounds.tolist() != [start, stop]:
            return number
    return -1


def _check_bounds(
    data: NDArray[np.uint8], starts: NDArray[np.int64], stops: NDArray[np.int64]
) -> None:
    if len(starts) != len(stops):
        raise ValueError("input and output differ in length")
    inside = (starts >= 0) & (stops >= starts) & (stops <= len(data))
    if not np.all(inside) or np.any(stops - starts < FRAME):
        raise ValueError("bounds must be those of frames inside the data")


tfrecord_records = tfrecord_records_twin if native is None else native.tfrecord_records
tfrecord_check = tfrecord_check_twin if native is None else native.tfrecord_check
