"""texts_in_turns: the texts of several columns, a few of each at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.byte_rows import Empty
from feedline.kernels.native import native

__all__ = ["texts_in_turns", "texts_in_turns_twin"]

Texts = tuple[NDArray[np.uint8], NDArray[np.int64]]


def texts_in_turns_twin(parts: Sequence[Texts], length: int, empty: Empty = np.empty) -> Texts:
    """Return ``length`` texts of every part, then the next of every part, and so on.

    Text ``i`` of a part is ``data[offsets[i]:offsets[i + 1]]``. All parts have equally many.
    ``empty`` returns memory for so many bytes.

    Example:
        >>> letters = np.frombuffer(b"abcd", np.uint8), np.array([0, 1, 2, 3, 4])
        >>> numbers = np.frombuffer(b"one234", np.uint8), np.array([0, 3, 4, 5, 6])
        >>> data, offsets = texts_in_turns([letters, numbers], 2)
        >>> data.tobytes(), offsets.tolist()
        (b'abone2cd34', [0, 1, 2, 5, 6, 7, 8, 9, 10])
    """
    if not parts or length < 1:
        raise ValueError("there must be parts, and turns of at least one text")
    if not all(len(offsets) for _, offsets in parts):
        raise ValueError("offsets must hold at least one number")
    if len({len(offsets) for _, offsets in parts}) > 1:
        raise ValueError("the parts must have equally many texts")
    if (len(parts[0][1]) - 1) % length:
        raise ValueError("the texts of a part must be whole turns")
    texts = []
    for data, offsets in parts:
        starts, stops = offsets[:-1], offsets[1:]
        if np.any((starts < 0) | (stops < starts) | (stops > len(data))):
            raise ValueError("offsets must rise from 0 to at most the number of bytes")
        texts.append([data[a:b] for a, b in zip(starts.tolist(), stops.tolist(), strict=True)])
    turns = range(0, len(texts[0]), length)
    ordered = [text for turn in turns for part in texts for text in part[turn : turn + length]]
    out_offsets = np.cumsum([0, *map(len, ordered)])
    out = empty(out_offsets.item(-1), "u1")
    if ordered:
        np.concatenate(ordered, out=out)
    return out, out_offsets


def _texts_in_turns(parts: Sequence[Texts], length: int, empty: Empty = np.empty) -> Texts:
    data = [np.ascontiguousarray(data) for data, _ in parts]
    offsets = [offsets for _, offsets in parts]
    found, out_offsets = native.texts_in_turns(data, offsets, length, empty)
    return found, out_offsets


texts_in_turns = texts_in_turns_twin if native is None else _texts_in_turns
