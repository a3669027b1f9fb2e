"""files_in_order: files read one after the other, where what is skipped is not read.

Failed   a file that cannot be read while elements are skipped raises when those before it have
         been passed: at the next call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.ops.interleave import InterleaveExec

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.exec import State

__all__ = ["FilesInOrderExec"]


class FilesInOrderExec(InterleaveExec):
    """One open file at a time. Passes a skip on to it."""

    # What skipping failed with, and the state before it.
    _late: Exception | None = None
    _before: State | None = None

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
        gone, before = 0, None
        try:
            while gone < count and (self._slots[0] is not None or not self._ended):
                before = self.state() if gone else None
                gone += self._skip_in_file(count - gone)
        except Exception as error:
            if not gone:
                raise
            self._late, self._before = error, before
        return gone

    def state(self) -> State:
        """Return the place: what has failed and was not raised yet is met again from there."""
        return super().state() if self._before is None else self._before

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
        error, self._late, self._before = self._late, None, None
        if error is not None:
            raise error
