"""split_lines: the lines of a chunk of text, side by side in one buffer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = ["split_lines", "split_lines_twin"]

_NEWLINE, _RETURN = 10, 13


def split_lines_twin(
    data: NDArray[np.uint8], is_final: bool
) -> tuple[NDArray[np.uint8], NDArray[np.int64], int]:
    r"""Return the lines of ``data`` without their ends, their offsets, and how much was used.

    Carriage returns are left out wherever they stand, and a last line without an end is none
    if nothing is left of it: this is what TensorFlow does. What comes after the last end of a
    line is used only if ``is_final``. The buffer may be longer than the lines.

    Example:
        >>> lines, offsets, used = split_lines(np.frombuffer(b"ab\r\nc\nd", np.uint8), False)
        >>> lines[: offsets[-1]].tobytes(), offsets.tolist(), used
        (b'abc', [0, 2, 3], 6)
    """
    ends = np.flatnonzero(data == _NEWLINE)
    used = int(ends[-1]) + 1 if len(ends) else 0
    if is_final and used < len(data):
        ends, used = np.append(ends, len(data)), len(data)
    keep = (data[:used] != _NEWLINE) & (data[:used] != _RETURN)
    places = np.concatenate([[0], np.cumsum(keep, dtype=np.int64)])
    offsets = np.concatenate([[0], places[np.minimum(ends, used)]])
    # The end of what is final is no end of a line, and there may be no line before it.
    if used and data[used - 1] != _NEWLINE and offsets[-1] == offsets[-2]:
        offsets = offsets[:-1]
    return data[:used][keep], offsets, used


split_lines = split_lines_twin if native is None else native.split_lines
