"""heap: memory that was freed goes back to the system.

The C library keeps what is freed for the next one who asks, in a part for every thread: that
can be as much as is in use.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

__all__ = ["give_back_freed", "return_large_at_once"]

# What mallopt() calls the size from which memory is had from the system piece by piece.
_MMAP_THRESHOLD = -3
_LARGE = 1 << 18


def give_back_freed() -> None:
    """Give back what is free, where the C library can do that."""
    trim = _of_library("malloc_trim", ctypes.c_size_t)
    if trim is not None:
        trim(0)


def return_large_at_once() -> None:
    """From now on have large pieces of memory go back to the system as soon as they are freed.

    Otherwise the C library keeps them, once it has seen some of their size freed.
    """
    set_option = _of_library("mallopt", ctypes.c_int, ctypes.c_int)
    if set_option is not None:
        set_option(_MMAP_THRESHOLD, _LARGE)


@cache
def _of_library(name: str, *arguments: Any) -> Callable[..., int] | None:
    try:
        found = ctypes.CDLL(None)[name]
        is_glibc = hasattr(ctypes.CDLL(None), "gnu_get_libc_version")
    except (OSError, AttributeError, TypeError):
        return None
    if not is_glibc:  # others have the name, for something else
        return None
    found.argtypes, found.restype = arguments, ctypes.c_int
    return found
