"""file: what can be read of an open file, wherever it lies.

Positions are given with every call and none is kept, so several threads may read one File.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import pairwise
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from feedline.errors import DataLossError

__all__ = ["CHUNK", "File"]

CHUNK = 1 << 20


class File(ABC):
    """An open file.

    Attributes:
        path: As the user wrote it.
    """

    path: str

    @abstractmethod
    def size(self) -> int:
        """Return the number of bytes, as of now."""

    @abstractmethod
    def read(self, offset: int, count: int) -> bytes:
        """Return ``count`` bytes from ``offset`` on: fewer only at the end of the file."""

    def read_into(self, offset: int, memory: memoryview) -> int:
        """Fill memory with what follows ``offset``; return how much: less only at the end."""
        found = self.read(offset, len(memory))
        memory[: len(found)] = found
        return len(found)

    @property
    def is_seekable(self) -> bool:
        """Whether any part can be read at the cost of that part."""
        return True

    @property
    def number(self) -> int | None:
        """The number that the operating system reads any part of the file by, if it can."""
        return None

    @abstractmethod
    def chunks(self, start: int = 0, size: int = CHUNK) -> Iterator[bytes]:
        """Yield what follows ``start``, in pieces of at most ``size`` bytes, none of them empty."""

    def read_rows(self, starts: NDArray[np.int64], row_bytes: int) -> NDArray[np.uint8]:
        """Return ``row_bytes`` from each of some places, one after the other.

        Raises DataLossError if the file ends before: it is read, and never mapped, for whoever
        shortened a file that is mapped would end this process.
        """
        rows = np.empty(len(starts) * row_bytes, np.uint8)
        if len(rows) and self._read_rows(starts, row_bytes, rows) < len(starts):
            raise DataLossError(f"{self.path}: the file became shorter while it was read.")
        return rows

    def _read_rows(self, starts: NDArray[np.int64], row_bytes: int, out: NDArray[np.uint8]) -> int:
        """Fill ``out``; return how many rows are whole."""
        memory = out.data
        for first, last in _runs(starts, row_bytes):
            part = memory[first * row_bytes : last * row_bytes]
            if (count := self.read_into(int(starts[first]), part)) < len(part):
                return first + count // row_bytes
        return len(starts)

    @abstractmethod
    def close(self) -> None:
        """Let go of the file; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _runs(starts: NDArray[np.int64], step: int) -> list[tuple[int, int]]:
    """Return which places follow upon each other, as (first, last + 1) of their numbers."""
    bounds = [0, *(np.flatnonzero(np.diff(starts) != step) + 1).tolist(), len(starts)]
    return [(first, last) for first, last in pairwise(bounds) if first < last]
