"""kernel_threads: how many threads a kernel may use for one call.

All processors where one thread does the work of a pipeline; one where many do, for then every
processor has enough to do. Options may say less.
"""

from __future__ import annotations

import threading

from feedline.machine import available_cpus

__all__ = ["allow_kernel_threads", "kernel_threads"]


class _Here(threading.local):
    allowed: int | None = None


_HERE = _Here()


def kernel_threads() -> int:
    """Return how many threads a kernel may use that the calling thread calls."""
    allowed = _HERE.allowed
    return available_cpus() if allowed is None else min(allowed, available_cpus())


def allow_kernel_threads(most: int | None) -> int | None:
    """Set that, None for no limit; return what it was.

    Example:
        >>> before = allow_kernel_threads(1)
        >>> kernel_threads()
        1
        >>> allow_kernel_threads(before)
        1
    """
    before, _HERE.allowed = _HERE.allowed, most
    return before
