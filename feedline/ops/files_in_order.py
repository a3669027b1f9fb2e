"""files_in_order: files read one after the other, where what is skipped is not read.

Failed   a file that cannot be read while elements are skipped raises when those before it have
         been passed: at the next call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.ops.interleave import InterleaveExec

if TYPE_CHECKING:
    from feedline.block import Block

__all__ = ["FilesInOrderExec"]


class FilesInOrderExec(InterleaveExec):
    """One open file at a time. Passes a skip on to it."""

    _late: Exception | None = None

    @classmethod
    def of(cls, plain: InterleaveExec) -> FilesInOrderExec:
        """Return the same with a way to skip; ``plain`` has one turn, and is not used any more."""
        made = cls.__new__(cls)
        made.__dict__.update(plain.__dict__)
        return made

    def pull(self, limit: int) -> Block | None:
        """Return the next elements."""
        self._raise_late()
        return super().pull(limit)

    def skip(self, count: int) -> int:
        """Let files pass elements over, as cheaply as each of them can."""
        self._raise_late()
        gone = 0
        try:
            while gone < count and (self._slots[0] is not None or not self._ended):
                gone += self._skip_in_file(count - gone)
        except Exception as error:
            if not gone:
                raise
            self._late = error
        return gone

    def _skip_in_file(self, count: int) -> int:
        slot = self._slots[0]
        if slot is None:
            self._slots[0] = self._open_next()
            return 0
        gone = slot.stream.discard(count)
        self._taken += gone
        if gone < count:
            slot.stream.close()
            self._slots[0] = None
            self._advance()
        return gone

    def _raise_late(self) -> None:
        error, self._late = self._late, None
        if error is not None:
            raise error
