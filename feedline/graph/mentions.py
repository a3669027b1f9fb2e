"""mentions: whether a function may draw random numbers by element, or call a py_function.

Ids are carried along a pipeline only if somebody reads them, so this must be known before
the function runs. It looks at the names in its code, and in all code that can be reached from
it: through variables, objects, their classes, and what lists and dicts hold. What is too much
to look through may draw, and so may code that looks up by its text what it calls.
"""

from __future__ import annotations

import functools
import sys
import types
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

import numpy as np

__all__ = ["may_call_python", "may_draw"]

_ROOMS = ("feedline.random", "feedline.image")
_OLDER = "feedline.compat"  # other names of the same functions
_NAMES = {"random", "image"}
_PYTHON = "feedline.functions.py_function"
_PYTHON_NAMES = {"py_function", "numpy_function"}
# Code with one of these finds by its text what it calls.
_BY_TEXT = {"__import__", "eval", "getattr", "globals", "import_module"}
_MOST_VISITED = 2_000
# Of a list or a dict: where there are more, the others are like the first ones.
_MOST_ITEMS = 100

_PLAIN = (int, float, complex, str, bytes, bytearray, np.ndarray, np.generic, np.dtype, type(None))
_CONTAINERS = (list, tuple, set, frozenset)
_WRAPPERS = (staticmethod, classmethod)
# Code that calls nobody's functions but those that it is given.
_FOREIGN = frozenset((*sys.stdlib_module_names, "numpy", "feedline"))


def may_draw(fn: Any) -> bool:
    """Whether a function, or one it refers to, names what draws random numbers."""
    return _reaches(fn, _draws, beyond=True)


def may_call_python(fn: Any) -> bool:
    """Whether a function, or one it refers to, names py_function or numpy_function."""
    return _reaches(fn, _is_python_call, beyond=False)


def _is_python_call(value: Any) -> bool:
    return getattr(value, "__module__", None) == _PYTHON


def _reaches(fn: Any, is_sought: Callable[[Any], bool], *, beyond: bool) -> bool:
    """Whether something is reached from a function; ``beyond`` if there is too much to say."""
    todo = deque([fn])  # what is near comes first: most of what is far is not called
    seen: dict[int, Any] = {}  # which also keeps what was made on the way
    while todo:
        value = todo.popleft()
        if isinstance(value, _PLAIN) or id(value) in seen:
            continue
        if is_sought(value):
            return True
        if len(seen) >= _MOST_VISITED:
            return beyond
        seen[id(value)] = value
        if not _is_python_call(value):
            todo.extend(_reached_from(value))
    return False


def _draws(value: Any) -> bool:
    if isinstance(value, types.FunctionType) and _may_get_at_what_draws(value):
        return True
    is_module = isinstance(value, types.ModuleType)
    name = value.__name__ if is_module else getattr(value, "__module__", None)
    return isinstance(name, str) and name.startswith(_ROOMS)


def _may_get_at_what_draws(fn: types.FunctionType) -> bool:
    """Whether a function imports what draws, or calls what only its text says."""
    names = set(_names_in(fn.__code__))
    return (
        any(name.startswith(_ROOMS) for name in names)
        or ("feedline" in names and not names.isdisjoint(_NAMES))
        or (not names.isdisjoint(_BY_TEXT) and not _is_foreign(fn.__module__))
    )


def _reached_from(value: Any) -> Iterable[Any]:
    """Yield what code that has a value can call through it."""
    if isinstance(value, types.FunctionType):
        return _reached_from_function(value)
    if isinstance(value, types.MethodType):
        return (value.__func__, value.__self__)
    if isinstance(value, functools.partial):
        return (value.func, *value.args, *value.keywords.values())
    if isinstance(value, _WRAPPERS):
        return (value.__func__,)
    if isinstance(value, property):
        return (value.fget,)
    if isinstance(value, _CONTAINERS):
        return islice(value, _MOST_ITEMS)
    if isinstance(value, dict):
        return islice(value.values(), _MOST_ITEMS)
    if isinstance(value, type):
        return _reached_from_class(value)
    if isinstance(value, (types.ModuleType, types.CodeType)):
        return ()
    return _reached_from_object(value)


def _reached_from_function(fn: types.FunctionType) -> Iterator[Any]:
    names = set(_names_in(fn.__code__))
    for part in _parts_of(fn, names):
        yield from _inside(part, names)
    yield from vars(fn).values()


def _reached_from_class(kind: type) -> Iterator[Any]:
    for part in kind.__mro__:
        if not _is_foreign(part.__module__):
            yield from vars(part).values()


def _reached_from_object(value: Any) -> Iterator[Any]:
    kind = type(value)
    is_ours = kind.__module__.partition(".")[0] == "feedline"
    if is_ours and not callable(value):
        return  # a dataset calls its own functions by itself
    yield kind
    yield from getattr(value, "__dict__", {}).values()
    for part in kind.__mro__:
        slots = vars(part).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            with suppress(AttributeError):
                yield getattr(value, name)


def _parts_of(fn: types.FunctionType, names: set[str]) -> Iterator[Any]:
    """Yield the globals, cells and defaults of a function."""
    known = fn.__globals__
    yield from (known[name] for name in names if name in known)
    for cell in fn.__closure__ or ():
        with suppress(ValueError):  # an empty cell
            yield cell.cell_contents
    yield from fn.__defaults__ or ()
    yield from (fn.__kwdefaults__ or {}).values()


def _inside(value: Any, names: set[str]) -> Iterator[Any]:
    """Yield a value, or what code with these names can reach through it if it is a module."""
    if not isinstance(value, types.ModuleType):
        yield value
    elif value.__name__ == "feedline":
        yield from (getattr(value, name) for name in (_NAMES | _PYTHON_NAMES) & names)
        if "compat" in names:
            yield from _inside(value.compat, names)
    elif value.__name__.startswith(_ROOMS):
        yield value
    elif value.__name__.startswith(_OLDER):
        for name in names:
            yield from _inside(getattr(value, name, None), names - {name})
    elif not _is_foreign(value.__name__):
        for name in names:
            found = vars(value).get(name)
            if found is not None:
                # Modules may refer to each other: a path goes through each name once.
                yield from _inside(found, names - {name})


def _is_foreign(module: str | None) -> bool:
    return (module or "").partition(".")[0] in _FOREIGN


def _names_in(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_in(constant)
