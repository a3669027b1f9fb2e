"""tracebacks: of an exception's lines those of the user, and one of ours in the place of many.

Whoever looks for a mistake in a function reads past thirty lines of the engine otherwise. Ours
stay where an exception was raised in them, one line for each stretch; those before the first line
of the user's code are gone. FEEDLINE_FULL_TRACEBACKS=1 keeps all of them. Notes, causes and
contexts stay.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import wraps
from types import TracebackType
from typing import ParamSpec, TypeVar

from feedline.site import is_inside

__all__ = ["folded", "folding"]

P = ParamSpec("P")
R = TypeVar("R")
E = TypeVar("E", bound=BaseException)

# What lies between our lines where we run threads.
_LIBRARY = os.path.dirname(str(threading.__file__))
_BETWEEN = (str(threading.__file__), os.path.join(_LIBRARY, "concurrent", "futures") + os.sep)


def folded(error: E) -> E:
    """Return an exception, to be raised again from here, without most of our own lines."""
    if os.environ.get("FEEDLINE_FULL_TRACEBACKS", "0") in ("", "0"):
        seen: set[int] = set()
        waiting: list[BaseException | None] = [error]
        while waiting:
            one = waiting.pop()
            if one is not None and id(one) not in seen:
                seen.add(id(one))
                one.__traceback__ = _folded(one.__traceback__)
                waiting += [one.__cause__, one.__context__]
    return error


def folding(function: Callable[P, R]) -> Callable[P, R]:
    """Let exceptions leave one of our functions with one line of ours before the user's."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            raise folded(error)  # noqa: B904  FEEDLINE_FULL_TRACEBACKS=1 shows the lines inside

    return call


def _folded(traceback: TracebackType | None) -> TracebackType | None:
    steps: list[TracebackType] = []
    while traceback is not None:
        steps.append(traceback)
        traceback = traceback.tb_next
    if not steps:
        return None
    ours = [_is_ours(step) for step in steps]
    first = ours.index(False) if False in ours else len(steps) - 1
    kept: TracebackType | None = None
    for number in range(len(steps) - 1, first - 1, -1):
        is_last_of_ours = number == len(steps) - 1 or not ours[number + 1]
        if not ours[number] or is_last_of_ours:
            step = steps[number]
            kept = TracebackType(kept, step.tb_frame, step.tb_lasti, step.tb_lineno)
    return kept


def _is_ours(step: TracebackType) -> bool:
    file = step.tb_frame.f_code.co_filename
    return is_inside(file) or file.startswith(_BETWEEN)
