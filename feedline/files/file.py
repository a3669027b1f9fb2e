"""file: what can be read of an open file, wherever it lies.

Positions are given with every call and none is kept, so several threads may read one File.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from types import TracebackType
from typing import Self

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

    def mapped(self) -> memoryview | None:
        """Return the whole file as memory, or None where that is not possible.

        The view may outlive the File. Whoever shortens the file meanwhile ends this process.
        """
        return None

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
