"""EachExec: operators that call a user's function once per element."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from feedline.engine.exec import UnaryExec

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.function import Function
    from feedline.engine.stream import Stream

__all__ = ["EachExec", "Source"]


class Source(Protocol):
    """What elements are read from: a Stream, or a Recall around one."""

    @property
    def position(self) -> int: ...
    def pull(self, limit: int) -> Block | None: ...
    def give_back(self, count: int) -> None: ...
    def discard(self, count: int) -> int: ...


class EachExec(UnaryExec):
    """Calls a function on every element of the input, exactly once and in order.

    When a call fails, the elements before it are handed on first; the exception is
    raised where the failing element would have come, and the next pull goes on after it.
    """

    def __init__(self, stream: Stream, function: Function, key: int = 0) -> None:
        super().__init__(stream)
        # Operators that hold elements put a Recall here.
        self.source: Source = stream
        self._function = function
        self._key = key
        self._failed: Exception | None = None

    def call(self, limit: int) -> tuple[Block, list[Any]] | None:
        """Return the next 1 to ``limit`` elements and the function's results for them."""
        source = self.source
        if self._failed is not None:
            error, self._failed = self._failed, None
            source.discard(1)
            raise error
        block = source.pull(limit)
        if block is None:
            return None
        calls = self._function.each(block, source.position - block.length, self._key)
        if calls.error is not None:
            done = len(calls.results)
            self._stop_at(calls.error, block, done)
            block = block.slice(0, done)
        return block, calls.results

    def fail(self, error: Exception, block: Block, number: int) -> None:
        """Treat element ``number`` of the block returned by call() last as failed."""
        self._function.note(error, self.source.position - block.length + number)
        self._stop_at(error, block, number)

    def _stop_at(self, error: Exception, block: Block, number: int) -> None:
        if number == 0:
            self.source.give_back(block.length - 1)
            raise error
        self.source.give_back(block.length - number)
        self._failed = error
