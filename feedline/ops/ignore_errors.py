"""ignore_errors: drop the elements whose computation failed."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from feedline.engine.exec import UnaryExec
from feedline.errors import CheckpointError
from feedline.plan.node import Traits, UnaryNode
from feedline.site import raised_by_us

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["IgnoreErrors", "ignore_errors"]

_LOG = logging.getLogger("feedline")

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def ignore_errors(
    self: Dataset[T], log_warning: bool = False, name: str | None = None
) -> Dataset[T]:
    """Return the elements whose computation does not raise; the others are dropped.

    Everything before it in the chain is covered. KeyboardInterrupt and its like pass
    through, and so does a state that does not fit.

    Args:
        log_warning: Log each error, with the place where it happened, as a warning of the
            logger "feedline".
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(4).map(lambda x: 6 // int(x))
        >>> [int(x) for x in ds.ignore_errors()]
        [6, 3, 2]
    """
    return self.then(IgnoreErrors(self.node, bool(log_warning), name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class IgnoreErrors(UnaryNode):
    """The elements whose computation does not raise."""

    log_warning: bool = field(default=False)

    traits: ClassVar[Traits] = Traits(rows="fewer", keeps_order=True, keeps_values=True)

    @property
    def signature(self) -> str:
        """Logging changes nothing in the elements."""
        return "ignore_errors()"

    def lower(self, run: Run) -> IgnoreErrorsExec:
        """Ask again after an exception."""
        return IgnoreErrorsExec(run.open(self.input), self.log_warning)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]


# ---- what runs -------------------------------------------------------------


class IgnoreErrorsExec(UnaryExec):
    """Pulls until no exception comes: operators go on after the element that failed.

    Elements cannot be skipped unseen: which of them fail is known only when they are
    computed.
    """

    def __init__(self, stream: Stream, log_warning: bool) -> None:
        super().__init__(stream)
        self._log_warning = log_warning

    def pull(self, limit: int) -> Block | None:
        """Return the next elements that could be computed."""
        while True:
            try:
                return self.input.pull(limit)
            except CheckpointError:
                raise
            except Exception as error:
                if isinstance(error, AssertionError) and raised_by_us(error):
                    raise
                if self._log_warning:
                    _LOG.warning("ignore_errors() dropped an element: %s", _text(error))


def _text(error: Exception) -> str:
    notes = "; ".join(getattr(error, "__notes__", ()))
    text = f"{type(error).__name__}: {error}"
    return f"{text} ({notes})" if notes else text
