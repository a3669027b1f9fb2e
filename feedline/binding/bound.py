"""bound: a function with the variables it has now.

A bound function has the same code, but cells and global names of its own, with what the
function's own hold at this moment. So have the functions that it refers to and that are the
user's: those in its variables, in partials, and behind methods. Values are not copied: what is
inside a list, a dict, an array or any other object is shared and may change.

Live, as they were before:

- variables that one of these functions sets (``nonlocal``, ``global``), for all of them
- names that do not exist yet
- all names of a function that asks for ``globals()``, ``exec`` or ``eval``
- functions of libraries and their global names, classes, and objects that can be called
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from types import CellType, FunctionType, MethodType
from typing import Any, NamedTuple, cast

from feedline.binding.mentioned import Mentioned, mentioned

__all__ = [
    "EMPTY",
    "KINDS",
    "Binding",
    "Names",
    "bindable",
    "bound",
    "bound_together",
    "contents_of",
    "finished",
    "has_own_names",
    "parts_of",
]

_MARK = "__feedline_bound__"
EMPTY = object()
"""What is in a cell that is not filled yet."""


def bound(fn: Any) -> Any:
    """Return a function with the variables it has now, or itself if it has none.

    Example:
        >>> number = 1
        >>> fn = bound(lambda: number)
        >>> number = 2
        >>> fn()
        1
    """
    if type(fn) is FunctionType:
        return _bound_alone(fn) or Binding().of_all([fn])[0]
    return Binding().of_all([fn])[0] if type(fn) in KINDS else fn


def bound_together(*fns: Any) -> tuple[Any, ...]:
    """Return functions with the variables they have now: what one of them sets, all see."""
    others = [fn for fn in fns if type(fn) in KINDS]
    return tuple(Binding().of_all(fns)) if len(others) > 1 else tuple(map(bound, fns))


# ---- kinds of values with functions in them ------------------------------------------


class _Kind(NamedTuple):
    parts: Callable[[Any], Iterable[Any]]
    rebuilt: Callable[[Any, Callable[[Any], Any]], Any]


def bindable(
    kind: type,
    parts: Callable[[Any], Iterable[Any]],
    rebuilt: Callable[[Any, Callable[[Any], Any]], Any],
) -> None:
    """Have functions bound that are inside values of a type.

    Args:
        kind: The type; subclasses do not count.
        parts: Yields what may be a function.
        rebuilt: Returns the value with ``of(part)`` in the place of each, or itself if all
            are the same.
    """
    KINDS[kind] = _Kind(parts, rebuilt)


def _parts_of_partial(value: functools.partial[Any]) -> Iterable[Any]:
    return (value.func, *value.args, *value.keywords.values())


def _partial_of(value: functools.partial[Any], of: Callable[[Any], Any]) -> Any:
    func, args = of(value.func), tuple(map(of, value.args))
    keywords = {name: of(item) for name, item in value.keywords.items()}
    if all(item is value.keywords[name] for name, item in keywords.items()):
        keywords = value.keywords  # a dict that anybody may change
        if func is value.func and all(a is b for a, b in zip(args, value.args, strict=True)):
            return value
    made = functools.partial(func)
    made.__setstate__((func, args, keywords, value.__dict__))  # type: ignore[attr-defined]
    return made


def _method_of(value: MethodType, of: Callable[[Any], Any]) -> Any:
    func = of(value.__func__)
    return value if func is value.__func__ else MethodType(func, value.__self__)


KINDS: dict[type, _Kind] = {}
bindable(FunctionType, lambda fn: parts_of(fn), lambda fn, _: fn)
bindable(functools.partial, _parts_of_partial, _partial_of)
bindable(MethodType, lambda method: (method.__func__,), _method_of)


# ---- the parts of functions ----------------------------------------------------------


class Names(dict[str, Any]):
    """Global names of a bound function, some of which did not exist when it was given."""

    __slots__ = ("_live", "_missing")

    def __init__(self, known: dict[str, Any], live: dict[str, Any], missing: set[str]) -> None:
        super().__init__(known)
        self._live = live
        self._missing = missing

    def __missing__(self, name: str) -> Any:
        if name in self._missing:
            return self._live[name]
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (name in self._missing and name in self._live)

    def get(self, name: str, default: Any = None) -> Any:
        """Return what a name stands for now."""
        try:
            return self[name]
        except KeyError:
            return default


def has_own_names(fn: FunctionType) -> bool:
    """Whether the global names of a function are those it was bound to."""
    return _MARK in fn.__globals__


def contents_of(cell: CellType) -> Any:
    """Return what is in a cell, EMPTY if there is nothing yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return EMPTY


def parts_of(fn: FunctionType) -> list[Any]:
    """Return what is in the variables and the defaults of a function."""
    names = fn.__globals__
    parts = [names[name] for name in mentioned(fn.__code__).names if name in names]
    parts += map(contents_of, fn.__closure__ or ())
    parts += _defaults_of(fn)
    return parts


def _defaults_of(fn: FunctionType) -> tuple[Any, ...]:
    defaults, kwdefaults = fn.__defaults__ or (), fn.__kwdefaults__
    return (*defaults, *kwdefaults.values()) if kwdefaults else defaults


def finished(made: FunctionType, fn: FunctionType) -> FunctionType:
    """Give a new function what else the old one has."""
    made.__dict__ = fn.__dict__
    if fn.__kwdefaults__ is not None:
        made.__kwdefaults__ = fn.__kwdefaults__
    if fn.__annotations__:
        made.__annotations__ = fn.__annotations__
    # functools.wraps() sets these.
    made.__qualname__ = fn.__qualname__
    made.__module__ = fn.__module__
    made.__doc__ = fn.__doc__
    if _HAS_TYPE_PARAMS and fn.__type_params__:  # type: ignore[attr-defined]
        made.__type_params__ = fn.__type_params__  # type: ignore[attr-defined]
    return made


_HAS_TYPE_PARAMS = hasattr(FunctionType, "__type_params__")


# ---- a function that refers to no other ----------------------------------------------


def _bound_alone(fn: FunctionType) -> FunctionType | None:
    """Return a function bound that refers to no other functions, None if it does."""
    said = mentioned(fn.__code__)
    defaults, cells = fn.__defaults__, fn.__closure__
    if not said.is_simple or fn.__kwdefaults__ is not None:
        return None
    if defaults is not None and not KINDS.keys().isdisjoint(map(type, defaults)):
        return None
    if cells is not None:
        try:
            contents = [cell.cell_contents for cell in cells]
        except ValueError:  # one is empty
            return None
        if not KINDS.keys().isdisjoint(map(type, contents)):
            return None
        cells = tuple(map(CellType, contents))
    names = live = fn.__globals__
    if said.names and _MARK not in live:
        known = {name: live[name] for name in said.names if name in live}
        if not KINDS.keys().isdisjoint(map(type, known.values())):
            return None
        names = _new_names(fn, said, live)
        names.update(known)
    elif cells is None:
        return fn
    return finished(FunctionType(fn.__code__, names, fn.__name__, defaults, cells), fn)


def _new_names(fn: FunctionType, said: Mentioned, live: dict[str, Any]) -> dict[str, Any]:
    """Return the global names of a bound function, as yet without those that it mentions."""
    known: dict[str, Any] = cast("Any", fn).__builtins__
    get = live.get
    # What Python itself looks up there, as imports and tracebacks do.
    names = {
        _MARK: True,
        "__builtins__": known,
        "__name__": get("__name__"),
        "__package__": get("__package__"),
        "__spec__": get("__spec__"),
        "__loader__": get("__loader__"),
    }
    if names["__name__"] is None:
        del names["__name__"]  # no warning is shown for a module of that name
    if "__warningregistry__" in live:  # so that what was shown is not shown again
        names["__warningregistry__"] = live["__warningregistry__"]
    if said.stops:
        names = {**live, **names}
    for name in said.names:
        if name not in live and name not in known:
            missing = {name for name in said.names if name not in live and name not in known}
            return Names(names, live, missing)
    return names


# ---- functions that refer to each other ----------------------------------------------


class Binding:
    """The functions that are bound at one moment.

    Args:
        instead: By the id of a dict of global names, what some of them stand for instead.
    """

    def __init__(self, instead: Mapping[int, Mapping[str, Any]] | None = None) -> None:
        self._instead = instead or {}
        self._roots: set[int] = set()
        self._made: dict[int, Any] = {}
        self._cells: dict[int, CellType] = {}
        # What any of the functions sets: cells, and global names by the id of their dict.
        self._written: set[int] = set()
        self._stored: dict[int, set[str]] = {}
        # Functions that are made, and whose variables are not filled in yet.
        self._todo: list[tuple[FunctionType, FunctionType, Mentioned]] = []
        self._empty: list[tuple[CellType, CellType]] = []

    def of_all(self, values: Iterable[Any]) -> list[Any]:
        """Return the values as they are now, with all functions they refer to."""
        values = list(values)
        self._roots.update(map(id, values))
        self._look(values)
        made = [self.of(value) for value in values]
        while self._todo or self._empty:
            while self._empty:
                old, new = self._empty.pop()
                new.cell_contents = self.of(old.cell_contents)
            if self._todo:
                self._fill(*self._todo.pop())
        return made

    def _look(self, values: list[Any]) -> None:
        """Find what any of the functions sets."""
        todo, seen = list(values), set[int]()
        while todo:
            value = todo.pop()
            kind = KINDS.get(type(value))
            if kind is None or id(value) in seen:
                continue
            seen.add(id(value))
            if type(value) is FunctionType:
                said = mentioned(value.__code__)
                cells = value.__closure__ or ()
                if said.written:
                    names = value.__code__.co_freevars
                    pairs = zip(cells, names, strict=True)
                    self._written.update(id(cell) for cell, name in pairs if name in said.written)
                if not self._is_own(value, said):
                    todo.extend(map(contents_of, cells))
                    continue
                if said.stored:
                    self._stored.setdefault(id(value.__globals__), set()).update(said.stored)
            todo.extend(kind.parts(value))

    def _is_own(self, fn: FunctionType, said: Mentioned) -> bool:
        """Whether a function is the user's; a local one that was given is, wherever it is from."""
        if said.origin == "package":
            return id(fn) in self._roots and "<" in fn.__qualname__
        return said.origin == "user"

    def of(self, value: Any) -> Any:
        """Return a value with bound functions in it."""
        kind = KINDS.get(type(value))
        if kind is None:
            return value
        if id(value) not in self._made:
            made = self._function(value) if type(value) is FunctionType else None
            self._made[id(value)] = made or kind.rebuilt(value, self.of)
        return self._made[id(value)]

    def _function(self, fn: FunctionType) -> FunctionType:
        said = mentioned(fn.__code__)
        names, closure = fn.__globals__, fn.__closure__
        is_own = self._is_own(fn, said)
        if is_own and self._has_own_names(fn, said):
            names = _new_names(fn, said, names)
        if closure is not None and (is_own or self._leads_to_own(fn)):
            closure = tuple(map(self._cell, closure))
        deep = is_own and not KINDS.keys().isdisjoint(map(type, _defaults_of(fn)))
        if names is fn.__globals__ and closure is fn.__closure__ and not deep:
            return fn
        made = FunctionType(fn.__code__, names, fn.__name__, fn.__defaults__, closure)
        self._todo.append((fn, finished(made, fn), said))
        return made

    def _has_own_names(self, fn: FunctionType, said: Mentioned) -> bool:
        live = fn.__globals__
        if not said.names or said.looks_around or _MARK in live:
            return False
        return self._stored.get(id(live), _NONE).isdisjoint(said.names)

    def _leads_to_own(self, fn: FunctionType) -> bool:
        """Whether a function of a library is a wrapper around one of the user's."""
        todo, seen = [fn], {id(fn)}
        while todo:
            for cell in todo.pop().__closure__ or ():
                value = contents_of(cell)
                if type(value) not in KINDS or id(value) in seen:
                    continue
                if type(value) is not FunctionType or self._is_own(
                    value, mentioned(value.__code__)
                ):
                    return True
                seen.add(id(value))
                todo.append(value)
        return False

    def _cell(self, cell: CellType) -> CellType:
        if id(cell) in self._written or contents_of(cell) is EMPTY:
            return cell
        if id(cell) not in self._cells:
            self._cells[id(cell)] = CellType()
            self._empty.append((cell, self._cells[id(cell)]))
        return self._cells[id(cell)]

    def _fill(self, fn: FunctionType, made: FunctionType, said: Mentioned) -> None:
        live, names = fn.__globals__, made.__globals__
        if names is not live:
            instead = self._instead.get(id(live), {})
            for name in said.names:
                if name in live:
                    value = instead.get(name, live[name])
                    names[name] = value if name in said.as_they_are else self.of(value)
        if fn.__defaults__ is not None:
            defaults = tuple(map(self.of, fn.__defaults__))
            if any(a is not b for a, b in zip(defaults, fn.__defaults__, strict=True)):
                made.__defaults__ = defaults
        if fn.__kwdefaults__ is not None:
            kwdefaults = {name: self.of(value) for name, value in fn.__kwdefaults__.items()}
            if any(value is not fn.__kwdefaults__[name] for name, value in kwdefaults.items()):
                made.__kwdefaults__ = kwdefaults


_NONE: frozenset[str] = frozenset()
