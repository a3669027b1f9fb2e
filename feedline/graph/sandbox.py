"""Sandbox: a function runs on symbols without touching, or reading unseen, anything outside.

The function gets copies of the lists, dicts and objects it refers to, symbols for its
arrays, NumPy behind a view, and only those built-in functions that have no effect. What it
reads is guarded; what it changes shows in the copies. So a function that counts, prints,
draws random numbers, opens files or asks the time is found out before it has done so.
"""

from __future__ import annotations

import builtins
import enum
import functools
import re
import types
from collections.abc import Callable
from contextlib import suppress
from dataclasses import is_dataclass
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, getattr_static
from typing import Any

import numpy as np

from feedline.graph.composed import Composed
from feedline.graph.guard import MISSING, ContentGuard, Guard, ItemsGuard, items_of
from feedline.graph.numpy_view import NumpyView, ScalarType, scalar_type
from feedline.graph.opaque import Opaque
from feedline.graph.symbol import Symbol
from feedline.graph.trace import Trace
from feedline.graph.untraceable import refuse

__all__ = ["Sandbox"]

_LARGEST_GUARDED = 1 << 20
_MOST_ITEMS = 10_000

_IMMUTABLE = (
    *(type(None), bool, int, float, complex, str, bytes, range, slice, type(Ellipsis)),
    *(type(NotImplemented), np.generic, np.dtype, enum.Enum, re.Pattern),
)
# Modules in C or without state, whose functions have no effect.
_PURE_MODULES = frozenset(
    ("math", "cmath", "operator", "_operator", "itertools", "functools", "_functools")
)
_PURE_BUILTINS = frozenset(
    """abs all any bool bytes callable chr complex dict divmod enumerate filter float format
    frozenset hasattr hex int iter len list map max min next oct ord pow range repr reversed
    round set slice sorted str sum tuple zip getattr issubclass Ellipsis NotImplemented""".split()
)


class Sandbox:
    """What one recording may see of the world."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.guards: list[Guard | ItemsGuard | ContentGuard] = []
        self._views: dict[int, Any] = {}
        self._kept: list[Any] = []  # so that no id in _views is given to another object
        self._copies: list[tuple[Any, list[Any]]] = []
        self._cells: list[tuple[Any, Any]] = []
        self._globals: list[_Globals] = []
        self._builtins = self._made_builtins()

    def enter(self, value: Any, read: Callable[[], Any]) -> Any:
        """Return what stands for an outside value, and guard it."""
        self.guards.append(Guard(read, value))
        return self.view(value)

    def check_unchanged(self) -> None:
        """Give up if the function changed anything outside itself."""
        for copy, items in self._copies:
            now = items_of(copy)
            if len(now) != len(items) or any(a is not b for a, b in zip(now, items, strict=True)):
                refuse(f"changes a {type(copy).__name__} outside itself")
        if any(cell.cell_contents is not value for cell, value in self._cells):
            refuse("changes a variable outside itself")
        if any(len(names) > 1 for names in self._globals):
            refuse("sets a global variable")

    def view(self, value: Any) -> Any:
        """Return what stands for a value whose identity is guarded."""
        if isinstance(value, _IMMUTABLE) or isinstance(value, (Symbol, Opaque)):
            return value
        known = self._views.get(id(value), MISSING)
        if known is MISSING:
            known = self._views[id(value)] = self._made_view(value)
            self._kept.append(value)
        return known

    def _made_view(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return self._array(value)
        kind = type(value)
        if kind in (list, dict, set, frozenset, tuple) or hasattr(kind, "_fields"):
            return self._container(value)
        if isinstance(value, types.FunctionType):
            return value if _is_ours(value.__module__) else self.function(value)
        if isinstance(value, types.MethodType):
            inner = self.view(value.__func__)
            return functools.partial(inner, self.view(value.__self__))
        if isinstance(value, functools.partial):
            args = [self.view(arg) for arg in value.args]
            keywords = {key: self.view(arg) for key, arg in value.keywords.items()}
            return functools.partial(self.view(value.func), *args, **keywords)
        if isinstance(value, types.ModuleType):
            return self._module(value)
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, np.ufunc):
            return value
        if callable(value) and str(getattr(value, "__module__", "")).startswith("numpy"):
            return NumpyView(self.trace, np).wrapped(value)
        if isinstance(value, types.BuiltinFunctionType):
            return self._builtin(value)
        if _is_ours(kind.__module__):
            return self._of_ours(value)
        return ObjectView(self, value)

    # ---- kinds of values ----------------------------------------------------------------

    def _array(self, array: np.ndarray[Any, Any]) -> Any:
        if type(array) is not np.ndarray or array.dtype.kind in "OSUV":
            refuse(f"uses an array of type {type(array).__name__} and dtype {array.dtype}")
        guarded = False

        def on_read() -> None:
            nonlocal guarded
            if guarded or _is_frozen(array):
                return
            if array.nbytes > _LARGEST_GUARDED:
                refuse(
                    f"computes with an array of {array.nbytes >> 20} MB outside itself, which "
                    "might change (make it read-only: array.flags.writeable = False)"
                )
            self.guards.append(ContentGuard(array))
            guarded = True

        return self.trace.constant(array, captured=True, on_read=on_read)

    def _container(self, value: Any) -> Any:
        if len(value) > _MOST_ITEMS:
            refuse(f"uses a {type(value).__name__} of {len(value)} items outside itself")
        kind = type(value)
        if isinstance(value, dict):
            copy: Any = {self.view(key): self.view(item) for key, item in value.items()}
        else:
            items = [self.view(item) for item in value]
            copy = kind(*items) if hasattr(kind, "_fields") else kind(items)
        if isinstance(value, (list, dict, set)):
            self.guards.append(ItemsGuard(value))
            self._copies.append((copy, items_of(copy)))
        return copy

    def function(self, fn: types.FunctionType) -> Callable[..., Any]:
        """Return a function with the same code that sees the sandbox instead of the world."""
        code = fn.__code__
        if code.co_flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR):
            refuse("is a generator or a coroutine")
        self.guards.append(Guard(lambda: fn.__code__, code))
        names = _Globals(self, fn.__globals__)
        names["__builtins__"] = self._builtins
        self._globals.append(names)
        # Known before its cells are looked at: a function may refer to itself.
        cells = tuple(types.CellType() for _ in fn.__closure__ or ())
        made = types.FunctionType(code, names, fn.__name__, None, cells)
        self._views[id(fn)] = made
        self._kept.append(fn)
        self.guards.append(Guard(lambda: fn.__defaults__, fn.__defaults__))
        self.guards.append(Guard(lambda: fn.__kwdefaults__, fn.__kwdefaults__))
        if fn.__defaults__:
            made.__defaults__ = tuple(self.view(value) for value in fn.__defaults__)
        if fn.__kwdefaults__:
            made.__kwdefaults__ = dict(self.view(fn.__kwdefaults__))
        for cell, original in zip(cells, fn.__closure__ or (), strict=True):
            with suppress(ValueError):  # an empty cell stays empty
                entered = self.enter(original.cell_contents, _cell_reader(original))
                cell.cell_contents = entered
                self._cells.append((cell, entered))
        return made

    def _module(self, module: types.ModuleType) -> Any:
        root = module.__name__.split(".")[0]
        if root == "numpy":
            return NumpyView(self.trace, module)
        if root in _PURE_MODULES or root == "feedline":
            return module
        return ModuleView(self, module)

    def _class(self, kind: type) -> Any:
        if issubclass(kind, np.generic):
            return scalar_type(self.trace, kind)
        if kind.__module__ == "builtins" and kind.__name__ in _PURE_BUILTINS:
            return kind
        if issubclass(kind, (BaseException, enum.Enum, np.dtype, np.ndarray)):
            return kind
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return kind
        if is_dataclass(kind) and not hasattr(kind, "__post_init__"):
            init = getattr_static(kind, "__init__")
            if getattr(getattr(init, "__code__", None), "co_filename", "") == "<string>":
                return kind
        if _is_ours(kind.__module__):
            return kind
        refuse(f"uses the class {kind.__qualname__}")

    def _builtin(self, value: Any) -> Any:
        owner = getattr(value, "__self__", None)
        module = getattr(value, "__module__", None) or ""
        if isinstance(owner, types.ModuleType) or owner is None:
            if module == "builtins":
                found = self._builtins.get(value.__name__)
                if found is not None:
                    return found
            if module in _PURE_MODULES:
                return value
        refuse(f"calls {module + '.' if module else ''}{value.__qualname__}()")

    def _of_ours(self, value: Any) -> Any:
        if isinstance(value, Composed):
            return value.with_functions([self.view(fn) for fn in value.functions])
        if getattr(value, "__feedline_traceable__", False) or getattr(
            type(value), "__feedline_leaf__", False
        ):
            return value
        refuse(f"uses a {type(value).__name__}")

    # ---- built-in functions -------------------------------------------------------------

    def _made_builtins(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in vars(builtins).items():
            if name in _PURE_BUILTINS or (
                isinstance(value, type) and issubclass(value, BaseException)
            ):
                found[name] = value
            elif callable(value) and not name.startswith("__"):
                found[name] = _refusing(name)
        found["isinstance"] = _isinstance
        found["type"] = _type
        found["__import__"] = self._import
        found["__name__"] = "builtins"
        return found

    def _import(self, name: str, globals: Any = None, locals: Any = None, *rest: Any) -> Any:  # noqa: A002
        fromlist = rest[0] if rest else ()
        root = name.split(".")[0]
        if root not in _PURE_MODULES | {"numpy", "feedline"}:
            refuse(f"imports {name}")
        return self.view(__import__(name, fromlist=fromlist or ()))


class _Globals(dict[str, Any]):
    """The global names of a function, looked up when they are read."""

    def __init__(self, sandbox: Sandbox, names: dict[str, Any]) -> None:
        super().__init__()
        self._sandbox = sandbox
        self._names = names

    def __missing__(self, name: str) -> Any:
        names = self._names
        value = names.get(name, MISSING)
        if value is MISSING:
            # A built-in name: it must not be hidden by a global one later.
            self._sandbox.guards.append(Guard(lambda: names.get(name, MISSING), MISSING))
            raise KeyError(name)
        return self._sandbox.enter(value, lambda: names.get(name, MISSING))


class ModuleView:
    """A module whose functions run in the sandbox."""

    def __init__(self, sandbox: Sandbox, module: types.ModuleType) -> None:
        self._sandbox = sandbox
        self._module = module

    def __getattr__(self, name: str) -> Any:
        module = self._module
        value = getattr(module, name)
        return self._sandbox.enter(value, lambda: getattr(module, name, MISSING))


class ObjectView:
    """An object whose attributes can be read and whose methods run in the sandbox."""

    __slots__ = ("_sandbox", "_target")

    def __init__(self, sandbox: Sandbox, target: Any) -> None:
        if type(target).__getattribute__ is not object.__getattribute__:
            refuse(f"uses a {type(target).__name__}")
        object.__setattr__(self, "_sandbox", sandbox)
        object.__setattr__(self, "_target", target)

    def __getattr__(self, name: str) -> Any:
        sandbox, target = self._sandbox, self._target
        found = getattr_static(target, name)
        if isinstance(found, types.FunctionType):
            return functools.partial(
                sandbox.enter(found, lambda: getattr_static(target, name)), self
            )
        if isinstance(found, staticmethod):
            return sandbox.view(found.__func__)
        if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
            return sandbox.view(found.fget)(self)
        is_slot = isinstance(found, types.MemberDescriptorType)
        if not is_slot and hasattr(type(found), "__get__"):
            refuse(f"uses .{name} of a {type(target).__name__}")
        value = getattr(target, name)
        return sandbox.enter(value, lambda: getattr(target, name, MISSING))

    def __setattr__(self, name: str, value: Any) -> None:
        refuse(f"sets .{name} of a {type(self._target).__name__} outside itself")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._special("__call__")(*args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self._special("__getitem__")(key)

    def __len__(self) -> int:
        return int(self._special("__len__")())

    def __iter__(self) -> Any:
        return self._special("__iter__")()

    def _special(self, name: str) -> Callable[..., Any]:
        found = getattr_static(type(self._target), name, None)
        if not isinstance(found, types.FunctionType):
            refuse(f"uses a {type(self._target).__name__}")
        return functools.partial(self._sandbox.view(found), self)


def _cell_reader(cell: Any) -> Callable[[], Any]:
    def read() -> Any:
        try:
            return cell.cell_contents
        except ValueError:
            return MISSING

    return read


def _is_ours(module: str | None) -> bool:
    return module is not None and (module == "feedline" or module.startswith("feedline."))


def _is_frozen(array: Any) -> bool:
    """Whether nobody can write into an array through NumPy."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return False
        array = array.base
    return array is None or isinstance(array, bytes)


def _refusing(name: str) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        refuse(f"calls {name}()")

    return call


def _isinstance(value: Any, kinds: Any) -> bool:
    kinds = _real_kinds(kinds)
    if isinstance(value, Opaque):
        refuse(f"uses {value.what}")
    if isinstance(value, Symbol):
        return issubclass(np.ndarray if value.ndim else value.dtype.type, kinds)
    if isinstance(value, ObjectView):
        return isinstance(value._target, kinds)  # noqa: SLF001  (a view has no public names)
    return isinstance(value, kinds)


def _real_kinds(kinds: Any) -> Any:
    if isinstance(kinds, tuple):
        return tuple(_real_kinds(kind) for kind in kinds)
    if kinds is _type:
        return type
    return kinds.kind if isinstance(kinds, ScalarType) else kinds


def _type(value: Any, *rest: Any) -> Any:
    if rest:
        refuse("makes a class")
    if isinstance(value, Symbol):
        return np.ndarray if value.ndim else value.dtype.type
    if isinstance(value, (Opaque, ObjectView)):
        refuse("asks for the type of a value")
    return type(value)
