"""crc32c: the Castagnoli checksum, as TFRecord files use it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native

__all__ = ["crc32c", "crc32c_twin", "masked"]

_POLYNOMIAL = 0x82F63B78  # its bits in reverse


def _table() -> list[int]:
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (_POLYNOMIAL if crc & 1 else 0)
        table.append(crc)
    return table


_TABLE = _table()


def crc32c_twin(data: NDArray[np.uint8]) -> int:
    """Return the checksum of bytes.

    Example:
        >>> hex(crc32c(np.frombuffer(b"123456789", np.uint8)))
        '0xe3069283'
    """
    crc = 0xFFFFFFFF
    for byte in data.tobytes():
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def masked(crc: int) -> int:
    """Return a checksum as it is stored beside what it is of.

    The checksum of data that holds checksums would say little.
    """
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


crc32c = crc32c_twin if native is None else native.crc32c
