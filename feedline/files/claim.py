"""claim: a file or folder that one process at a time may work on.

A claim ends when it is released and when the process ends, however it ends: nothing is left
behind that the next one would have to doubt.
"""

from __future__ import annotations

import os
from types import TracebackType
from typing import Self

try:
    import fcntl
except ImportError:  # no POSIX system: nobody is kept away
    fcntl = None  # type: ignore[assignment]

__all__ = ["Claim"]


class Claim:
    """The right to work on a path, which must be there.

    Attributes:
        is_certain: Whether others are kept away; some file systems cannot do that.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder, Claim.of(folder) as mine:
        ...     Claim.of(folder) is None
        True
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self.is_certain = False

    @classmethod
    def of(cls, path: str) -> Claim | None:
        """Return the claim, or None if somebody else holds it."""
        return cls._got(path, getattr(fcntl, "LOCK_NB", 0))

    @classmethod
    def awaited(cls, path: str) -> Claim:
        """Return the claim when whoever holds it has released it."""
        claim = cls._got(path, 0)
        assert claim is not None
        return claim

    @classmethod
    def _got(cls, path: str, flags: int) -> Claim | None:
        claim = cls(os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0)))
        if fcntl is not None:
            try:
                fcntl.flock(claim._number, fcntl.LOCK_EX | flags)
                claim.is_certain = True
            except BlockingIOError:
                claim.release()
                return None
            except OSError:
                pass  # a file system without locks: nobody is kept away
        return claim

    def release(self) -> None:
        """Let others have it; a second call does nothing."""
        number, self._number = self._number, -1
        if number >= 0:
            os.close(number)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()

    def __del__(self) -> None:
        self.release()
