"""sending: bound functions in pickles.

A function of a module is sent by its name, as pickle does it, if what it was bound to is what
its module holds when it is sent. Numbers, texts and the like go with it, for the module may hold
others where it arrives. Otherwise it is sent as cloudpickle sends a local function: with all it
was bound to.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable
from itertools import zip_longest
from types import CellType, FunctionType, MethodType
from typing import Any

from feedline.binding.bound import (
    EMPTY,
    KINDS,
    Binding,
    Names,
    bindable,
    contents_of,
    finished,
    has_own_names,
    parts_of,
)
from feedline.binding.mentioned import mentioned

__all__ = ["HoldsFunctions", "Named", "named", "sent"]

_MISSING = object()
_SIMPLE = frozenset((type(None), bool, int, float, complex, str, bytes))

Values = dict[str, dict[str, Any]]
"""By module, what some of its names stand for."""


class HoldsFunctions:
    """An object that is pickled with the functions it holds, as they are bound."""

    __slots__ = ()

    def __getstate__(self) -> dict[str, Any]:
        return {name: _sent_item(value) for name, value in self.__dict__.items()}


def _sent_item(value: Any) -> Any:
    if type(value) is tuple:
        return tuple(map(sent, value))
    if type(value) is dict:
        return {name: sent(item) for name, item in value.items()}
    return sent(value)


class Named:
    """Stands in a pickle for a bound function of a module."""

    def __init__(self, original: FunctionType, values: Values) -> None:
        self.__name__ = original.__name__
        self._parts = original, values

    def __reduce__(self) -> Any:
        return arrived, self._parts

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Is never called: partials and methods want something that could be."""
        raise TypeError(f"{self.__name__} is about to be pickled")


bindable(Named, lambda _: (), lambda value, _: value)


def arrived(original: Any, values: Values) -> Any:
    """Return a function of a module as it was bound where it comes from."""
    modules = {id(vars(sys.modules[name])): values[name] for name in values if name in sys.modules}
    return Binding(modules).of_all([original])[0]


def named(fn: FunctionType) -> Named | None:
    """Return what to send in the place of a bound function; None to send it as any other.

    Example:
        >>> named(lambda x: x)
    """
    original = _original(fn)
    if original is None or original is fn:
        return None
    values: Values = {}
    return Named(original, values) if _Comparison(values).same(fn, original) else None


def _original(fn: FunctionType) -> FunctionType | None:
    """Return the function of a module that has the name of this one."""
    room = fn.__module__
    if not room or room == "__main__" or "<" in fn.__qualname__ or _goes_by_value(room):
        return None
    found: Any = sys.modules.get(room)
    for name in fn.__qualname__.split("."):
        found = getattr(found, name, None)
    return found if type(found) is FunctionType else None


def _goes_by_value(room: str) -> bool:
    """Whether cloudpickle was told to send what is in a module with everything else."""
    listed = getattr(sys.modules.get("cloudpickle.cloudpickle"), "_PICKLE_BY_VALUE_MODULES", ())
    return any(room == name or room.startswith(f"{name}.") for name in listed)


class _Comparison:
    """Whether functions are bound to what the functions of their modules see now.

    Args:
        values: Is filled with the numbers and texts that they see.
    """

    def __init__(self, values: Values) -> None:
        self._values = values
        self._seen: set[tuple[int, int]] = set()

    def same(self, a: Any, b: Any) -> bool:
        """Compare two values; functions by what they refer to."""
        if a is b or (id(a), id(b)) in self._seen:
            return True
        self._seen.add((id(a), id(b)))
        if type(a) is not type(b):
            return False
        if type(a) is FunctionType:
            return self._same_functions(a, b)
        if type(a) is MethodType:
            return a.__self__ is b.__self__ and self.same(a.__func__, b.__func__)
        if type(a) is functools.partial:
            return self._all_same((a.func, *a.args), (b.func, *b.args)) and self._same_dicts(
                a.keywords, b.keywords
            )
        return False

    def _same_functions(self, a: FunctionType, b: FunctionType) -> bool:
        if a.__code__ is not b.__code__:
            return False
        if a.__globals__ is not b.__globals__:
            room = b.__globals__.get("__name__")
            is_module = getattr(sys.modules.get(room or ""), "__dict__", None) is b.__globals__
            for name in mentioned(a.__code__).names:
                ours, theirs = (one.__globals__.get(name, _MISSING) for one in (a, b))
                if not self.same(ours, theirs):
                    return False
                if is_module and type(ours) in _SIMPLE and not name.startswith("__"):
                    self._values.setdefault(str(room), {})[name] = ours
        return (
            self._all_same(*(map(contents_of, one.__closure__ or ()) for one in (a, b)))
            and self._all_same(a.__defaults__ or (), b.__defaults__ or ())
            and self._same_dicts(a.__kwdefaults__ or {}, b.__kwdefaults__ or {})
        )

    def _all_same(self, a: Iterable[Any], b: Iterable[Any]) -> bool:
        pairs = list(zip_longest(a, b, fillvalue=_MISSING))
        return all(self.same(ours, theirs) for ours, theirs in pairs)

    def _same_dicts(self, a: dict[str, Any], b: dict[str, Any]) -> bool:
        return a.keys() == b.keys() and all(self.same(a[name], b[name]) for name in a)


# ---- for picklers that ask no functions ----------------------------------------------


def sent(value: Any) -> Any:
    """Return a function as any pickler may get it, and other values as they are."""
    if type(value) not in KINDS:
        return value
    stand_ins: dict[int, Named] = {}
    todo, seen, has_missing = [value], set[int](), False
    while todo:
        part = todo.pop()
        kind = KINDS.get(type(part))
        if kind is None or id(part) in seen:
            continue
        seen.add(id(part))
        if type(part) is not FunctionType:
            todo.extend(kind.parts(part))
        elif (stand_in := named(part)) is not None:
            stand_ins[id(part)] = stand_in
        elif has_own_names(part):
            has_missing |= isinstance(part.__globals__, Names)
            todo.extend(parts_of(part))
        else:
            todo.extend(map(contents_of, part.__closure__ or ()))
    return _Sending(stand_ins).of(value) if stand_ins or has_missing else value


class _Sending:
    """Copies of functions with others in the place of some they refer to."""

    def __init__(self, made: dict[int, Any]) -> None:
        self._made = made
        self._cells: dict[int, CellType] = {}

    def of(self, value: Any) -> Any:
        """Return a value as it is sent."""
        kind = KINDS.get(type(value))
        if kind is None:
            return value
        if id(value) not in self._made:
            made = self._function(value) if type(value) is FunctionType else None
            self._made[id(value)] = made or kind.rebuilt(value, self.of)
        return self._made[id(value)]

    def _function(self, fn: FunctionType) -> FunctionType:
        own = has_own_names(fn)
        if not own and fn.__closure__ is None:
            return fn
        names: dict[str, Any] = {} if own else fn.__globals__
        closure = fn.__closure__ and tuple(map(self._cell, fn.__closure__))
        made = FunctionType(fn.__code__, names, fn.__name__, fn.__defaults__, closure)
        self._made[id(fn)] = finished(made, fn)
        if own:
            known = fn.__globals__
            for name in (*known, *mentioned(fn.__code__).names):
                if name in known:
                    names[name] = self.of(known[name])
        if fn.__defaults__ is not None:
            made.__defaults__ = tuple(map(self.of, fn.__defaults__))
        if fn.__kwdefaults__ is not None:
            made.__kwdefaults__ = {n: self.of(item) for n, item in fn.__kwdefaults__.items()}
        for old, new in zip(fn.__closure__ or (), closure or (), strict=True):
            value = contents_of(old)
            if new is not old and contents_of(new) is EMPTY:
                new.cell_contents = self.of(value)
        return made

    def _cell(self, cell: CellType) -> CellType:
        if type(contents_of(cell)) not in KINDS:
            return cell
        return self._cells.setdefault(id(cell), CellType())
