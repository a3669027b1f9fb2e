"""philox_rows: one random stream per key, for a whole block of keys at once.

A row's numbers depend on its own key and counter alone, whatever other rows there are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native
from feedline.kernels.philox import philox_rounds

__all__ = ["philox_rows", "philox_rows_twin"]

_LOW = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)

_Words = NDArray[np.uint64]


def philox_rows_twin(
    keys: _Words, count: int, low: _Words | None = None, high: _Words | None = None
) -> NDArray[np.uint32]:
    """Return the first ``count`` numbers of each key's stream, a row for each key.

    Args:
        keys: One for each row; its low half is the first word of Philox's key.
        count: How many numbers of each.
        low: The low 64 bits of the counter at which a row's stream begins, 0 if not given.
        high: The high 64 bits.

    Example:
        >>> philox_rows(np.array([1, 2], np.uint64), count=2)
        array([[3823634032, 3842641596],
               [1827282629, 2135801855]], dtype=uint32)
    """
    if not 0 <= count < 1 << 60:
        raise ValueError("count must be at least 0, and below 2**60")
    if any(words is not None and len(words) != len(keys) for words in (low, high)):
        raise ValueError("low and high must be as long as keys")
    block = np.arange(-(-count // 4), dtype=np.uint64)
    shape = (len(keys), len(block))
    number = np.broadcast_to(block if low is None else low[:, None] + block, shape)
    top = np.broadcast_to(np.uint64(0) if high is None else high[:, None], shape)
    top = top + (number < block)
    counter = (number & _LOW, number >> _SHIFT, top & _LOW, top >> _SHIFT)
    key = keys[:, None]
    rows = np.stack(philox_rounds(counter, (key & _LOW, key >> _SHIFT)), axis=-1)
    return rows.astype(np.uint32).reshape(len(keys), 4 * len(block))[:, :count]


philox_rows = philox_rows_twin if native is None else native.philox_rows
