"""library_threads: how many threads libraries may use inside the functions of a pipeline.

OpenBLAS, which NumPy brings along, has one number for the whole process: it is lowered while
a pipeline runs that asks for it, to the lowest that any asks for, and restored after the
last one. OpenMP has one for every thread: it is set in the threads of the pipeline. Libraries
that are loaded later than the pipeline is started are not found. Other processes get
environment variables instead.
"""

from __future__ import annotations

import ctypes
import glob
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import product

import numpy as np

from feedline.errors import BuildError

__all__ = ["ThreadLimit", "limit_open_mp", "limited"]

_MAPS = "/proc/self/maps"
_BLAS = re.compile(r"openblas[^/]*$")
_OPEN_MP = re.compile(r"/lib(gomp|omp|iomp5)[^/]*$")


@dataclass(frozen=True, slots=True)
class _OpenBlas:
    """One copy of OpenBLAS in this process."""

    get: Callable[[], int]
    set: Callable[[int], None]


class ThreadLimit:
    """Holds until it is released. Several may hold at once."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def release(self) -> None:
        """Let libraries use as many threads as before; again is the same as once."""
        _HELD.remove(self)


def limited(threads: int) -> ThreadLimit:
    """Let libraries use no more than so many threads in each call, until that is released.

    Raises BuildError where there is no library that can be told so.
    """
    limit = ThreadLimit(threads)
    _HELD.add(limit)
    return limit


class _Held:
    """The limits that hold, and what was before them."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._limits: list[ThreadLimit] = []
        self._before: list[tuple[_OpenBlas, int]] = []

    def add(self, limit: ThreadLimit) -> None:
        with self._lock:
            if not self._limits:
                libraries = list(_open_blas())
                if not libraries:
                    raise BuildError(
                        "Options.threading.max_intra_op_parallelism: NumPy uses no OpenBLAS here "
                        "whose threads could be limited. Leave it unset, and set "
                        "OMP_NUM_THREADS or MKL_NUM_THREADS before Python starts."
                    )
                self._before = [(library, library.get()) for library in libraries]
            self._limits.append(limit)
            self._apply()

    def remove(self, limit: ThreadLimit) -> None:
        with self._lock:
            if limit in self._limits:
                self._limits.remove(limit)
                self._apply()

    def _apply(self) -> None:
        lowest = min((limit.threads for limit in self._limits), default=None)
        for library, before in self._before:
            library.set(before if lowest is None else min(lowest, before))


_HELD = _Held()


def _open_blas() -> Iterator[_OpenBlas]:
    numpy_libs = os.path.join(os.path.dirname(os.path.dirname(np.__file__)), "numpy.libs")
    bundled = glob.glob(os.path.join(numpy_libs, "*openblas*"))
    for path in {os.path.realpath(path) for path in (*_loaded(_BLAS), *bundled)}:
        with suppress(OSError):
            library = ctypes.CDLL(path)
            for prefix, suffix in product(("scipy_", ""), ("64_", "_64", "")):
                names = [f"{prefix}openblas_{verb}_num_threads{suffix}" for verb in ("get", "set")]
                if all(hasattr(library, name) for name in names):
                    get, put = (getattr(library, name) for name in names)
                    put.argtypes, put.restype, get.restype = [ctypes.c_int], None, ctypes.c_int
                    yield _OpenBlas(get, put)
                    break


def limit_open_mp(threads: int) -> None:
    """Let OpenMP use no more than so many threads for what the calling thread does."""
    for path in _loaded(_OPEN_MP):
        with suppress(OSError, AttributeError):
            ctypes.CDLL(path).omp_set_num_threads(ctypes.c_int(threads))


def _loaded(name: re.Pattern[str]) -> set[str]:
    """Return the libraries of this process with such a name, where the system tells them."""
    try:
        with open(_MAPS) as maps:
            paths = {line.split(maxsplit=5)[5].rstrip() for line in maps if "/" in line}
    except OSError:
        return set()
    return {path for path in paths if name.search(path)}
