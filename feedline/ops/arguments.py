"""arguments: checks that several transformations make of what they are given."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.errors import BuildError, BuildTypeError, check_integer
from feedline.options import AUTOTUNE

__all__ = ["check_count", "check_flag", "check_parallel"]


def check_parallel(call: str, num_parallel_calls: Any, deterministic: Any = None) -> None:
    """Raise unless the arguments say how many calls may run at once, and in which order."""
    if num_parallel_calls is not None:
        number = check_integer(call, "num_parallel_calls", num_parallel_calls)
        if number != AUTOTUNE and number < 1:
            raise BuildError(
                f"{call}: num_parallel_calls must be at least 1, AUTOTUNE or None, got {number}."
            )
    if deterministic is not None and not isinstance(deterministic, bool):
        raise BuildTypeError(
            f"{call}: deterministic must be True, False or None, got {deterministic!r}."
        )


def check_flag(call: str, name: str, value: Any) -> bool:
    """Return a value that must be True or False: a number in its place is a slip."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise BuildTypeError(
        f"{call}: {name} must be True or False, got {value!r} of type {type(value).__name__}."
    )


def check_count(call: str, name: str, value: Any) -> int:
    """Return a count of at least 0, or -1 for None and every negative number: no limit."""
    if value is None:
        return -1
    return max(-1, check_integer(call, name, value))
