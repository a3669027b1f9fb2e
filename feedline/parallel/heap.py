"""heap: whether memory that was freed goes back to the system.

The C library keeps some of what is freed for the next one who asks, in a part for every thread.
Where memory is rationed that is too much: it can be as much as is in use. Elsewhere it is too
little: temporary arrays of some 100 KB go back and are had again, page by page, and threads wait
for each other over it.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache
from typing import Any

from feedline.machine import available_cpus

__all__ = ["give_back_freed", "keep_freed", "return_large_at_once"]

# What mallopt() calls the size from which memory is had from the system piece by piece, how much
# that is free at the end of a part is kept, and how many parts there are; and where a user says so.
_MMAP_THRESHOLD, _TRIM_THRESHOLD, _MOST_PARTS = -3, -1, -8
_SAID = {
    _MMAP_THRESHOLD: "MALLOC_MMAP_THRESHOLD_",
    _TRIM_THRESHOLD: "MALLOC_TRIM_THRESHOLD_",
    _MOST_PARTS: "MALLOC_ARENA_MAX",
}
_LARGE = 1 << 18
# More than that the library treats so in no case.
_LARGEST = 1 << 25


def give_back_freed() -> None:
    """Give back what is free, where the C library can do that."""
    trim = _of_library("malloc_trim", ctypes.c_size_t)
    if trim is not None:
        trim(0)


def return_large_at_once() -> None:
    """From now on have large pieces of memory go back to the system as soon as they are freed.

    Otherwise the C library keeps them, once it has seen some of their size freed.
    """
    _set(_MMAP_THRESHOLD, _LARGE)
    _set(_TRIM_THRESHOLD, _LARGE)


def keep_freed() -> None:
    """From now on have what is freed kept for the next one who asks, up to 32 MB.

    Arrays that a function makes and drops are made again at the next call: half of a NumPy-bound
    function's time can go into having their memory again. Threads come and go, and each would
    leave a part behind: there are only some more of them than can be in use at once, so that a
    thread finds its own memory again. What the user's environment says about it stays.
    """
    values = {
        _MMAP_THRESHOLD: _LARGEST,
        _TRIM_THRESHOLD: _LARGEST,
        _MOST_PARTS: 2 * available_cpus() + 2,
    }
    for option, value in values.items():
        if _SAID[option] not in os.environ:
            _set(option, value)


def _set(option: int, value: int) -> None:
    set_option = _of_library("mallopt", ctypes.c_int, ctypes.c_int)
    if set_option is not None:
        set_option(option, value)


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
