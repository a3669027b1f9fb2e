"""mentions: whether a function may draw random numbers by element.

Ids are carried along a pipeline only if somebody reads them, so this must be known before
the function runs. It looks at the names in its code, and in the code it refers to.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

__all__ = ["may_draw"]

_ROOMS = ("feedline.random", "feedline.image")
_NAMES = {"random", "image"}
_MOST_VISITED = 2_000


def may_draw(fn: Any) -> bool:
    """Whether a function, or one it refers to, names what draws random numbers."""
    todo: list[Any] = [fn]
    seen: set[int] = set()
    while todo and len(seen) < _MOST_VISITED:
        value = todo.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if _draws(value):
            return True
        todo.extend(_reached_from(value))
    return False


def _draws(value: Any) -> bool:
    is_module = isinstance(value, types.ModuleType)
    name = value.__name__ if is_module else getattr(value, "__module__", None)
    return isinstance(name, str) and name.startswith(_ROOMS)


def _reached_from(value: Any) -> Iterator[Any]:
    """Yield the functions, modules and objects that a function's code refers to."""
    if isinstance(value, types.FunctionType):
        names = set(_names_in(value.__code__))
        for part in _parts_of(value, names):
            yield from _relevant(part, names)
    elif isinstance(value, types.MethodType):
        yield value.__func__
        yield from _relevant(value.__self__, None)
    elif isinstance(value, functools.partial):
        for part in (value.func, *value.args, *value.keywords.values()):
            yield from _relevant(part, None)
    elif not isinstance(value, (type, types.ModuleType, types.BuiltinFunctionType)):
        yield from (f for f in vars(type(value)).values() if isinstance(f, types.FunctionType))
        for part in getattr(value, "__dict__", {}).values():
            yield from _relevant(part, None)


def _parts_of(fn: types.FunctionType, names: set[str]) -> Iterator[Any]:
    """Yield the globals, cells and defaults of a function."""
    known = fn.__globals__
    yield from (known[name] for name in names if name in known)
    for cell in fn.__closure__ or ():
        with suppress(ValueError):  # an empty cell
            yield cell.cell_contents
    yield from fn.__defaults__ or ()
    yield from (fn.__kwdefaults__ or {}).values()


def _relevant(value: Any, names: set[str] | None) -> Iterator[Any]:
    """Yield a value, or what code with these names can reach through it, if it may be called."""
    if isinstance(value, types.ModuleType):
        if value.__name__ == "feedline":
            yield from (getattr(value, name) for name in _NAMES & (names or set()))
        elif value.__name__.startswith(_ROOMS):
            yield value
        else:
            for name in names or ():
                found = vars(value).get(name)
                if isinstance(found, (types.FunctionType, types.ModuleType)):
                    # Modules may refer to each other: a path goes through each name once.
                    yield from _relevant(found, (names or set()) - {name})
    elif callable(value):
        yield value


def _names_in(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_in(constant)
