"""nested: the symbols in the arguments of a call, however deep in lists and dicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from feedline.graph.symbol import Symbol

__all__ = ["swapped", "symbols_in"]


def swapped(value: Any, change: Callable[[Symbol], Any]) -> Any:
    """Return an argument with every Symbol in it replaced."""
    if isinstance(value, Symbol):
        return change(value)
    kind = type(value)
    if kind is list or kind is tuple:
        return kind([swapped(item, change) for item in value])
    if kind is dict:
        return {key: swapped(item, change) for key, item in value.items()}
    if kind is slice and any(isinstance(v, Symbol) for v in (value.start, value.stop, value.step)):
        bounds = (value.start, value.stop, value.step)
        return slice(*(v.read() if isinstance(v, Symbol) else v for v in bounds))
    return value


def symbols_in(value: Any) -> list[Symbol]:
    """Return every Symbol in nested arguments."""
    found: list[Symbol] = []

    def note(symbol: Symbol) -> Symbol:
        found.append(symbol)
        return symbol

    swapped(value, note)
    return found
