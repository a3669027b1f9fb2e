"""error_policy: what becomes of elements whose computation failed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from os import PathLike
from typing import Any, Literal

from feedline.binding import HoldsFunctions
from feedline.errors import BuildError, BuildTypeError, check_at_least
from feedline.quarantine import Quarantine, check_quarantine

__all__ = ["ErrorPolicy", "FailureBudget", "check_budget", "check_policy"]

Action = Literal["raise", "skip", "replace"]
_ACTIONS = ("raise", "skip", "replace")
# A share of fewer elements than this says little.
_FEWEST_SEEN = 100


@dataclass(frozen=True)
class ErrorPolicy(HoldsFunctions):
    """What ``map(on_error=...)`` does with an element on which its function fails.

    Failures of other steps are none of its business: they pass through.

    Args:
        action: "raise" hands the exception on, "skip" leaves the element out, "replace" puts
            ``replacement`` in its place.
        replacement: A value like those that the function returns, or a function that makes
            one of the element and the exception. Python numbers become int32 and float32, as
            if the function had returned them.
        retries: How many more times the function is called before it counts as failed. It
            gets the element as it was, and the same random numbers.
        wait: How many seconds to wait before the first of them; twice as long before each
            that follows.
        max_failures: If more elements fail than this, a TooManyFailuresError is raised.
        max_share: The same for a share of the elements seen, from 0 to 1. It is looked at
            whenever an element fails, from the 100th element on, and at the end. Both count
            the elements of one pass: an epoch of ``repeat()`` begins anew.
        quarantine: Where failures are listed: a Quarantine, or the path of a file, to which
            lines of JSON are appended.

    Example:
        >>> import feedline as tf
        >>> policy = tf.data.ErrorPolicy("replace", replacement=-1, max_failures=10)
        >>> ds = tf.data.Dataset.range(4).map(lambda x: 6 // int(x), on_error=policy)
        >>> [int(x) for x in ds]
        [-1, 6, 3, 2]
    """

    action: Action = "raise"
    replacement: Any = None
    retries: int = 0
    wait: float = 0.0
    max_failures: int | None = None
    max_share: float | None = None
    quarantine: Quarantine | str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        call = "ErrorPolicy()"
        if self.action not in _ACTIONS:
            raise BuildError(
                f'{call}: action must be "raise", "skip" or "replace", got {self.action!r}.'
            )
        if (self.replacement is not None) != (self.action == "replace"):
            raise BuildError(
                f'{call}: a replacement goes with action="replace" and no other, got action='
                f"{self.action!r} and replacement={self.replacement!r}."
            )
        check_at_least(call, "retries", self.retries, 0)
        if not 0 <= _check_number(call, "wait", self.wait) < math.inf:
            raise BuildError(f"{call}: wait must be at least 0 seconds, got {self.wait!r}.")
        budget = check_budget(call, self.max_failures, self.max_share)
        if self.action == "raise" and budget.is_limited:
            raise BuildError(
                f'{call}: max_failures and max_share have no meaning with action="raise", which '
                'stops at the first failure. Set action to "skip" or "replace".'
            )
        object.__setattr__(self, "quarantine", check_quarantine(call, self.quarantine))

    @property
    def budget(self) -> FailureBudget:
        """How many may fail."""
        return FailureBudget(self.max_failures, self.max_share)


@dataclass(frozen=True, slots=True)
class FailureBudget:
    """How many elements may fail: a number of them, and a share of all that were seen."""

    max_failures: int | None = None
    max_share: float | None = None

    @property
    def is_limited(self) -> bool:
        """Whether there is a limit."""
        return self.max_failures is not None or self.max_share is not None

    def exceeded(self, failures: int, seen: int, is_over: bool = False) -> str | None:
        """Return the limit that so many failures break, None if there is none.

        Args:
            failures: How many elements failed.
            seen: How many there were, those included.
            is_over: Whether there are no more.
        """
        if self.max_failures is not None and failures > self.max_failures and not is_over:
            return f"max_failures={self.max_failures}"
        if self.max_share is not None and failures and (seen >= _FEWEST_SEEN or is_over):
            return f"max_share={self.max_share}" if failures / seen > self.max_share else None
        return None


def check_budget(call: str, max_failures: Any, max_share: Any) -> FailureBudget:
    """Return how many elements may fail."""
    if max_failures is not None:
        max_failures = check_at_least(call, "max_failures", max_failures, 0)
    if max_share is not None:
        max_share = _check_number(call, "max_share", max_share)
        if not 0 <= max_share <= 1:
            raise BuildError(f"{call}: max_share must be from 0 to 1, got {max_share!r}.")
    return FailureBudget(max_failures, max_share)


def _check_number(call: str, name: str, value: Any) -> float:
    if isinstance(value, Real) and not isinstance(value, bool):
        return float(value)
    raise BuildTypeError(
        f"{call}: {name} must be a number, got {value!r} of type {type(value).__name__}."
    )


def check_policy(call: str, on_error: Any) -> ErrorPolicy | None:
    """Return what a user gave as on_error; None stands for handing exceptions on."""
    if isinstance(on_error, ErrorPolicy):
        return None if on_error == ErrorPolicy() else on_error
    if isinstance(on_error, str) and on_error in ("raise", "skip"):
        return None if on_error == "raise" else ErrorPolicy("skip")
    kind = BuildError if isinstance(on_error, str) else BuildTypeError
    raise kind(
        f'{call}: on_error must be "raise", "skip" or a feedline.data.ErrorPolicy, got '
        f"{on_error!r}."
    )
