"""operation: our own functions on arrays, recorded like NumPy's when they get a symbol."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from feedline.graph.trace import symbols_in

__all__ = ["operation"]

P = ParamSpec("P")
R = TypeVar("R")


def operation(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function on NumPy arrays be recorded as one operation.

    Its shape must follow from shapes alone. Its batching rule is registered for what this
    returns: ``@batched(name)``, or ``loops(name)`` to call it element by element.
    """

    @wraps(function)
    def recorded(*args: P.args, **kwargs: P.kwargs) -> R:
        symbols = symbols_in((args, kwargs))
        if symbols:
            result: R = symbols[0].trace.record(recorded, args, kwargs)
            return result
        return function(*args, **kwargs)

    return recorded
