"""heap: memory that was freed goes back to the system.

The C library keeps what is freed for the next one who asks, in a part for every thread: that
can be as much as is in use.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

__all__ = ["give_back_freed"]


def give_back_freed() -> None:
    """Give back what is free, where the C library can do that."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):  # it is one of glibc's
        return None
    trim.argtypes, trim.restype = [ctypes.c_size_t], ctypes.c_int
    found: Callable[[int], int] = trim
    return found
