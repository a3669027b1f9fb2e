"""EachExec: operators that call a user's function once per element."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from feedline.engine.exec import UnaryExec

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.function import Function
    from feedline.engine.stream import Stream

__all__ = ["EachExec", "Source"]


class Source(Protocol):
    """What elements are read from: a Stream, or a Recall around one."""

    @property
    def position(self) -> int:
        """How many elements were read."""

    def pull(self, limit: int) -> Block | None:
        """Return the next 1 to ``limit`` elements, or None at the end."""

    def give_back(self, count: int) -> None:
        """Undo the handing out of the last ``count`` elements of the last pull."""

    def discard(self, count: int) -> int:
        """Go past up to ``count`` elements; return how many there were."""


class EachExec(UnaryExec):
    """Calls a function on every element of the input, exactly once and in order.

    When a call fails, the elements before it are handed on first; the exception is
    raised where the failing element would have come, and the next pull goes on after it.
    One that ``asks_first`` is not raised at once: it stays in ``failed``, before its element.
    """

    asks_first: ClassVar[bool] = False

    def __init__(self, stream: Stream, function: Function, key: int = 0) -> None:
        super().__init__(stream)
        # Operators that hold elements put a Recall here.
        self.source: Source = stream
        self._function = function
        self._key = key
        # What the next element of the source failed with, if it was called already.
        self.failed: Exception | None = None
        # Results of the elements after that one, then what the one after them failed with:
        # a function may have changed its arguments, so it is not called on them again.
        self._known: list[Any] = []
        self._later: Exception | None = None
        # The results that call() returned last.
        self._last: list[Any] = []

    @property
    def has_called_ahead(self) -> bool:
        """Whether results of the next elements are known already."""
        return self.failed is not None or bool(self._known)

    def call(self, limit: int) -> tuple[Block, list[Any]] | None:
        """Return the next 1 to ``limit`` elements and the function's results for them."""
        called = self.call_at_once(limit)
        if called is None:
            return None
        block, results = called
        return block, self.one_by_one(results)

    def one_by_one(self, results: list[Any] | Block) -> list[Any]:
        """Return results as a list."""
        if not isinstance(results, list):
            self._last = results = results.rows()
        return results

    def call_at_once(self, limit: int) -> tuple[Block, list[Any] | Block] | None:
        """Return the same; the results are a block if the function ran on all of them at once."""
        source = self.source
        if self.failed is not None:
            error = self.failed
            source.discard(1)
            self.forget(1)
            try:
                raise error
            finally:
                del error  # its traceback holds this frame
        if self._known:
            block = source.pull(min(limit, len(self._known)))
            assert block is not None
            self._last = self._known[: block.length]
            self.forget(block.length)
            return block, self._last
        block = source.pull(limit)
        if block is None:
            return None
        made = self._function.at_once(block, self._key)
        if made is not None:
            return block, made
        calls = self._function.each(block, source.position - block.length, self._key)
        results = self._last = calls.results
        try:
            if calls.error is not None:
                self._stop_at(calls.error, block, len(results))
                block = block.slice(0, len(results))
        finally:
            del calls
        return block, results

    def fail(self, error: Exception, block: Block, number: int) -> None:
        """Treat element ``number`` of the block returned by call() last as failed."""
        self._function.note(error, self.source.position - block.length + number)
        self._known = self._last[number + 1 :] + self._known
        self._later = self.failed or self._later
        self._stop_at(error, block, number)

    def _stop_at(self, error: Exception, block: Block, number: int) -> None:
        self.failed = error
        if number or self.asks_first:
            self.source.give_back(block.length - number)
            return
        self.source.give_back(block.length - 1)
        self.forget(1)
        try:
            raise error
        finally:
            del error

    def pass_over(self, count: int) -> int:
        """Go past up to ``count`` elements without a call; return how many there were."""
        gone = self.source.discard(count)
        self.forget(gone)
        return gone

    def forget(self, count: int) -> None:
        """Drop what is known about the next ``count`` elements of the source."""
        while count and (self.failed is not None or self._known):
            if self.failed is not None:
                self.failed = None
                count -= 1
            else:
                gone = min(count, len(self._known))
                self._known = self._known[gone:]
                count -= gone
            if not self._known:
                self.failed, self._later = self._later, None
