"""Failures: what becomes of the elements that fail in a step, asked in the order they come.

Raised     the exception is handed on.
Skipped    the element is left out.
Replaced   another value comes in its place.
Too many   an error says so, then and at every later failure; and once at the end, if the
           share of failures is too large by then.
How many failed is part of the step's state; what failed last is not. If the code disagrees,
the code is wrong.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from feedline.block import Block
from feedline.errors import TooManyFailuresError
from feedline.quarantine import Origin, Quarantine, QuarantineFile, entry_of

if TYPE_CHECKING:
    from feedline.engine.exec import State
    from feedline.error_policy import ErrorPolicy, FailureBudget

__all__ = ["Answers", "Failed", "Failures", "Identify"]

# How many failures an error tells of.
_TOLD = 3

Identify = Callable[["State"], tuple[Origin | None, dict[str, Any]]]
"""Tells, of the input's state before an element, where it began and how to run it again."""


@dataclass(frozen=True, slots=True)
class Failed:
    """An element that failed.

    Args:
        error: What with.
        position: How many elements of the input came before it.
        seen: How many elements there were, it included.
        before: Returns the state of the input before it.
    """

    error: Exception
    position: int
    seen: int
    before: Callable[[], State]


class Failures:
    """The failures of one pass over one step.

    Args:
        step: What errors and entries call it.
        budget: How many may fail.
        quarantine: Where to list them, if anywhere.
        identify: Makes entries of the list complete.
    """

    def __init__(
        self,
        step: str,
        budget: FailureBudget,
        quarantine: Quarantine | str | None,
        identify: Identify,
    ) -> None:
        self._step = step
        self._budget = budget
        self._identify = identify
        self._list: Quarantine | QuarantineFile | None
        self._list = QuarantineFile(quarantine) if isinstance(quarantine, str) else quarantine
        self._last: deque[str] = deque(maxlen=_TOLD)
        self._is_over = False
        self.count = 0

    @property
    def is_listed(self) -> bool:
        """Whether failures are written down anywhere."""
        return self._list is not None

    def note(self, failed: Failed) -> None:
        """Count a failure and write it down; raise if it is one too many."""
        self.count += 1
        error, place = failed.error, failed.position
        self._last.append(f"element {place}: {type(error).__name__}: {error}")
        if self._list is not None:
            origin, state = self._identify(failed.before())
            self._list.add(entry_of(error, self._step, place, origin, state))
        self._check(self._budget.exceeded(self.count, failed.seen), failed.seen, error)

    def end(self, seen: int) -> None:
        """Note that there are no more elements; raise, once, if too many of them failed."""
        if not self._is_over:
            self._is_over = True
            self._check(self._budget.exceeded(self.count, seen, is_over=True), seen, None)

    def _check(self, limit: str | None, seen: int, cause: Exception | None) -> None:
        if limit is not None:
            last = "; ".join(self._last) or "failed before the state was saved"
            raise TooManyFailuresError(
                f"{self._step}: {self.count} of {seen} elements failed, more than {limit} allows. "
                f"The last: {last}."
            ) from cause

    def state(self) -> State:
        """Return what must be remembered."""
        return {"failed": self.count} if self._budget.is_limited else {}

    def restore(self, state: State) -> None:
        """Take back what :meth:`state` returned; nothing failed if there is nothing."""
        self.count = int(state.get("failed", 0))

    def close(self) -> None:
        """Have everything on disk."""
        if self._list is not None:
            self._list.close()


class Answers:
    """What a policy makes of failures: an exception, nothing, or a block of one element."""

    def __init__(self, policy: ErrorPolicy, failures: Failures) -> None:
        self.policy = policy
        self.failures = failures

    def to(self, failed: Failed, element: Block) -> Block | None:
        """Return what comes in the place of an element, None for nothing."""
        self.failures.note(failed)
        action = self.policy.action
        if action == "raise":
            try:
                raise failed.error
            finally:
                del failed  # its traceback holds this frame
        if action == "skip":
            return None
        value = self.policy.replacement
        if callable(value):
            value = value(element.private_elements()[0], failed.error)
        return Block.of([tuple(value) if isinstance(value, list) else value], element.ids)
