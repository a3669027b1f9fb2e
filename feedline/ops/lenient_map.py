"""lenient_map: a map whose failures are answered by a policy.

Where a failure changes how many elements come out, or is counted, elements that are skipped
must be computed: which of them fail is known only then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from feedline.engine.exec import Exec
from feedline.engine.failures import Answers, Failed
from feedline.errors import SpecError
from feedline.ops.map_exec import MapExec

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.exec import State
    from feedline.engine.mapped import Mapper
    from feedline.engine.stream import Stream
    from feedline.ops.map_stage import MapStage
    from feedline.parallel.workers import Workers

__all__ = ["CountingMapExec", "LenientMapExec"]


class LenientMapExec(MapExec):
    """Asks what comes in the place of elements that fail."""

    asks_first: ClassVar[bool] = True

    def __init__(
        self,
        stream: Stream,
        mapper: Mapper,
        workers: Workers,
        parallel: MapStage,
        answers: Answers,
    ) -> None:
        self._answers = _FittingAnswers(answers, self)
        super().__init__(stream, mapper, workers, parallel, self._answers)

    @property
    def _seen(self) -> int:
        return self.input.position if self._morsels.is_empty else self._morsels.handed_on

    def pull(self, limit: int) -> Block | None:
        """Map the next elements; at the end, see whether too many failed."""
        block = super().pull(limit)
        if block is None:
            self._answers.failures.end(self._seen)
        return block

    def _pull_here(self, limit: int) -> Block | None:
        while True:
            while self.failed is not None:
                if (replaced := self._answered()) is not None:
                    return replaced
            block = super()._pull_here(limit)
            if block is None or block.length:
                return block

    def _answered(self) -> Block | None:
        """Go past the next element, which failed; return what comes in its place."""
        error, source = self.failed, self.input
        assert error is not None
        before, position = source.state(), source.position
        element = source.pull(1)
        assert element is not None
        self.forget(1)
        failed = Failed(error, position, position + 1, lambda: before)
        try:
            return self._answers.to(failed, element)
        finally:
            del error, failed  # tracebacks hold this frame

    def fitting(self, block: Block, position: int) -> Block:
        """Return a replacement as an element like those before it."""
        (piece,) = self._fit(block, position)
        if isinstance(piece, Exception):
            raise SpecError(f"ErrorPolicy(replacement=...): {piece}") from None
        return piece

    def state(self) -> State:
        """Return the state with how many failed."""
        return {**super().state(), **self._answers.failures.state()}

    def restore(self, state: State) -> None:
        """Continue from it."""
        self._answers.failures.restore(state)
        super().restore(state)

    def close(self) -> None:
        """Close the list of failures, too."""
        super().close()
        self._answers.failures.close()


class CountingMapExec(LenientMapExec):
    """The same where elements cannot be skipped unseen."""

    skip = Exec.skip


class _FittingAnswers(Answers):
    """Answers that fit the elements around them."""

    def __init__(self, answers: Answers, step: LenientMapExec) -> None:
        super().__init__(answers.policy, answers.failures)
        self._step = step

    def to(self, failed: Failed, element: Block) -> Block | None:
        """Return what comes in the place of an element, None for nothing."""
        block = super().to(failed, element)
        return None if block is None else self._step.fitting(block, failed.position)
