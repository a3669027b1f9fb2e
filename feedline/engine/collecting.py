"""CollectingExec: operators that make their elements step by step, and may fail at any.

With elements in hand, an exception waits: they come out first, and a state saved in
between points before the step that failed, so that a resume meets the exception again.
"""

from __future__ import annotations

from feedline.block import Block
from feedline.engine.exec import State, UnaryExec

__all__ = ["CollectingExec"]


class CollectingExec(UnaryExec):
    """Collects the elements of several steps."""

    _late: Exception | None = None
    _before_late: State | None = None

    def step(self, wanted: int) -> Block | None:
        """Return some elements, if possible ``wanted``; None at the end."""
        raise NotImplementedError

    def state_now(self) -> State:
        """Return the state after everything that step() returned."""
        raise NotImplementedError

    def pull(self, limit: int) -> Block | None:
        """Take steps until ``limit`` elements are there."""
        if self._late is not None:
            error, self._late = self._late, None
            raise error
        blocks: list[Block] = []
        wanted = limit
        while wanted > 0:
            before = self.state_now() if blocks else None
            try:
                block = self.step(wanted)
            except Exception as error:
                if not blocks:
                    raise
                self._late, self._before_late = error, before
                break
            if block is None:
                break
            blocks.append(block)
            wanted -= block.length
        return Block.concat(blocks) if blocks else None

    def state(self) -> State:
        """Return the state after everything that pull() returned."""
        if self._late is not None and self._before_late is not None:
            return dict(self._before_late)
        return self.state_now()
