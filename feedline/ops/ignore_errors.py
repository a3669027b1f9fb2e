"""ignore_errors: drop the elements whose computation failed."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from feedline.engine.exec import UnaryExec
from feedline.engine.failures import Failed, Failures
from feedline.error_policy import FailureBudget, check_budget
from feedline.errors import CheckpointError, NotSendableError, TooManyFailuresError
from feedline.ops.watched import WatchedNode, failures_of
from feedline.plan.node import Traits, UnaryNode
from feedline.quarantine import Quarantine, check_quarantine
from feedline.site import raised_by_us

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.dataset import Dataset
    from feedline.engine.exec import State
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["IgnoreErrors", "ignore_errors"]

_LOG = logging.getLogger("feedline")

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def ignore_errors(
    self: Dataset[T],
    log_warning: bool = False,
    name: str | None = None,
    *,
    max_failures: int | None = None,
    max_share: float | None = None,
    quarantine: Quarantine | str | PathLike[str] | None = None,
) -> Dataset[T]:
    """Return the elements whose computation does not raise; the others are dropped.

    Everything before it in the chain is covered. KeyboardInterrupt and its like pass
    through, and so do a state that does not fit, a function that cannot be sent to the
    processes it is to run in, and a TooManyFailuresError.

    Args:
        log_warning: Log each error, with the place where it happened, as a warning of the
            logger "feedline".
        name: Shown in plans and errors.
        max_failures: If more elements fail than this, a TooManyFailuresError is raised.
        max_share: The same for a share of the elements seen; see ErrorPolicy.
        quarantine: Where failures are listed: a Quarantine, or the path of a file.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(4).map(lambda x: 6 // int(x))
        >>> [int(x) for x in ds.ignore_errors()]
        [6, 3, 2]
    """
    call = "ignore_errors()"
    return self.then(
        IgnoreErrors(
            self.node,
            bool(log_warning),
            check_budget(call, max_failures, max_share),
            check_quarantine(call, quarantine),
            name=name,
        )
    )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class IgnoreErrors(UnaryNode, WatchedNode):
    """The elements whose computation does not raise."""

    log_warning: bool = field(default=False)
    budget: FailureBudget = field(default=FailureBudget(), repr=False)
    quarantine: Quarantine | str | None = field(default=None, repr=False, compare=False)

    traits: ClassVar[Traits] = Traits(rows="fewer", keeps_order=True, keeps_values=True)

    @property
    def signature(self) -> str:
        """Logging changes nothing in the elements."""
        return "ignore_errors()"

    def lower(self, run: Run) -> IgnoreErrorsExec:
        """Ask again after an exception."""
        failures = failures_of(self, run, self.budget, self.quarantine)
        return IgnoreErrorsExec(run.open(self.input), self.log_warning, failures)

    @property
    def listed_in(self) -> Quarantine | str | None:
        """What the user gave."""
        return self.quarantine

    def open_before(self, before: State, run: Run) -> Stream:
        """The input itself."""
        stream = run.open(self.input)
        stream.restore(before)
        return stream

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]


# ---- what runs -------------------------------------------------------------


class IgnoreErrorsExec(UnaryExec):
    """Pulls until no exception comes: operators go on after the element that failed.

    Elements cannot be skipped unseen: which of them fail is known only when they are
    computed.
    """

    def __init__(self, stream: Stream, log_warning: bool, failures: Failures) -> None:
        super().__init__(stream)
        self._log_warning = log_warning
        self._failures = failures

    def pull(self, limit: int) -> Block | None:
        """Return the next elements that could be computed."""
        while True:
            before = self.input.state() if self._failures.is_listed else {}
            try:
                block = self.input.pull(limit)
            except (CheckpointError, NotSendableError, TooManyFailuresError):
                raise
            except Exception as error:
                if isinstance(error, AssertionError) and raised_by_us(error):
                    raise
                self._note(error, before)
                continue
            if block is None:
                self._failures.end(self.input.position + self._failures.count)
            return block

    def _note(self, error: Exception, before: State) -> None:
        if self._log_warning:
            _LOG.warning("ignore_errors() dropped an element: %s", _text(error))
        position = self.input.position
        seen = position + self._failures.count + 1
        self._failures.note(Failed(error, position, seen, lambda: before))

    def counters(self) -> State:
        """Return how many failed."""
        return self._failures.state()

    def resume(self, counters: State) -> None:
        """Go on counting."""
        self._failures.restore(counters)

    def close(self) -> None:
        """Close the list of failures, too."""
        super().close()
        self._failures.close()


def _text(error: Exception) -> str:
    notes = "; ".join(getattr(error, "__notes__", ()))
    text = f"{type(error).__name__}: {error}"
    return f"{text} ({notes})" if notes else text
