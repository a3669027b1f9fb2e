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
import operator
import types
from collections.abc import Callable
from dataclasses import is_dataclass
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from typing import Any

import numpy as np

from feedline.graph.composed import Several
from feedline.graph.guard import MISSING, ContentGuard, Guard, ItemsGuard, items_of
from feedline.graph.harmless import (
    check_code,
    is_frozen,
    is_immutable,
    is_plain_class,
    is_plain_instance,
)
from feedline.graph.numpy_view import NumpyView, ScalarType, is_numpy_function, scalar_type, wrapped
from feedline.graph.opaque import Opaque
from feedline.graph.outside import ClassView, ModuleView, ObjectView
from feedline.graph.symbol import Symbol
from feedline.graph.trace import Trace
from feedline.graph.untraceable import refuse
from feedline.structure import Structure
from feedline.values.tensor import Tensor, as_plain, tensor_type

__all__ = ["Sandbox"]

_LARGEST_GUARDED = 1 << 20
_MOST_ITEMS = 10_000

# Modules in C or without state, whose functions have no effect.
_PURE_MODULES = frozenset(
    ("math", "cmath", "operator", "_operator", "itertools", "functools", "_functools")
)
_PURE_BUILTINS = frozenset(
    (
        *("abs", "all", "any", "bool", "bytes", "chr", "complex", "dict", "divmod"),
        *("enumerate", "filter", "float", "format", "frozenset", "hex", "int", "iter"),
        *("len", "list", "map", "max", "min", "next", "oct", "ord", "pow", "range", "repr"),
        *("reversed", "round", "set", "slice", "sorted", "str", "sum", "tuple", "zip"),
        *("Ellipsis", "NotImplemented"),
    )
)
# These look behind what stands for an array.
_PRYING = (operator.attrgetter, operator.methodcaller)
# Objects of NumPy that are indexed to make arrays.
_MAKERS = (np.c_, np.index_exp, np.mgrid, np.ogrid, np.r_, np.s_)


class Sandbox:
    """What one recording may see of the world."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.guards: list[Guard | ItemsGuard | ContentGuard] = []
        self._guarded: set[tuple[int, str]] = set()
        self._views: dict[int, Any] = {}
        self._kept: list[Any] = []  # so that no id in _views is given to another object
        self._copies: list[tuple[Any, list[Any]]] = []
        self._cells: dict[int, types.CellType] = {}
        self._contents: list[tuple[types.CellType, Any]] = []
        self._builtins = {**_BUILTINS, "type": self._type, "__import__": self._import}

    def guard(self, owner: Any, name: str, read: Callable[[], Any], value: Any) -> None:
        """Let the recording hold only as long as ``read()`` gives this value."""
        key = id(owner), name
        if key not in self._guarded:
            self._guarded.add(key)
            self._kept.append(owner)
            self.guards.append(Guard(read, value))

    def enter(self, owner: Any, name: str, read: Callable[[], Any]) -> Any:
        """Return what stands for an outside value that can be read again, and guard it."""
        value = read()
        self.guard(owner, name, read, value)
        return value if value is MISSING else self.view(value)

    def check_unchanged(self) -> None:
        """Give up if the function changed anything outside itself."""
        for copy, items in self._copies:
            now = items_of(copy)
            if len(now) != len(items) or any(a is not b for a, b in zip(now, items, strict=True)):
                refuse(f"changes a {type(copy).__name__} outside itself")
        if any(_contents_of(cell) is not value for cell, value in self._contents):
            refuse("changes a variable outside itself")

    def check_structure(self, structure: Structure) -> None:
        """Give up if making elements of a structure, or using them, runs code of the user's."""
        if structure.type not in (None, tuple) and not issubclass(structure.type, dict):
            self.view(structure.type)
        for child in structure.children:
            self.check_structure(child)

    def view(self, value: Any) -> Any:
        """Return what stands for a value whose identity is guarded."""
        if is_immutable(value) or issubclass(type(value), (Symbol, Opaque)):
            return value
        known = self._views.get(id(value), MISSING)
        if known is MISSING:
            known = self._views[id(value)] = self._made_view(value)
            self._kept.append(value)
        return known

    def _made_view(self, value: Any) -> Any:
        kind = type(value)  # isinstance() would ask the object for its class
        if issubclass(kind, np.ndarray):
            return self._array(value)
        if kind in (list, dict, set, frozenset, tuple):
            return self._container(value)
        if issubclass(kind, type):
            return self._class(value)
        if issubclass(kind, enum.Enum) or (issubclass(kind, tuple) and hasattr(kind, "_fields")):
            return self._instance(value)
        if issubclass(kind, types.ModuleType):
            return self._module(value)
        if callable(value):
            return self._callable(value)
        if any(value is maker for maker in _MAKERS):
            return value
        return self._of_ours(value) if _is_ours(kind.__module__) else ObjectView(self, value)

    def _callable(self, value: Any) -> Any:
        kind = type(value)
        if kind is np.ufunc:
            if all("O" in types for types in value.types):
                refuse(f"calls a function through {value.__name__}")
            return value
        if is_numpy_function(value):
            return wrapped(self.trace, value)
        if kind is types.FunctionType:
            return value if _is_ours(value.__globals__.get("__name__")) else self.function(value)
        if kind is types.MethodType:
            inner = self.view(value.__func__)
            return functools.partial(inner, self.view(value.__self__))
        if kind is functools.partial:
            self.guards.append(ItemsGuard(value.keywords))
            args = [self.view(arg) for arg in value.args]
            keywords = {key: self.view(arg) for key, arg in value.keywords.items()}
            return functools.partial(self.view(value.func), *args, **keywords)
        if kind is types.BuiltinFunctionType:
            return self._builtin(value)
        return self._of_ours(value) if _is_ours(kind.__module__) else ObjectView(self, value)

    # ---- kinds of values ----------------------------------------------------------------

    def _array(self, array: np.ndarray[Any, Any]) -> Any:
        is_tensor = isinstance(array, Tensor)
        array = as_plain(array)
        if type(array) is not np.ndarray or array.dtype.kind in "OSUV":
            refuse(f"uses an array of type {type(array).__name__} and dtype {array.dtype}")
        # Its numbers may change, for they are used as they are then; its form may not.
        form = array.shape, array.strides, array.dtype, array.ctypes.data
        self.guards.append(
            Guard(
                lambda: (array.shape, array.strides, array.dtype, array.ctypes.data) == form, True
            )
        )

        read: set[Any] = set()

        def on_read(part: np.ndarray[Any, Any]) -> None:
            place = part.ctypes.data, part.shape, part.strides, part.dtype
            if place in read:
                return
            if part.nbytes > _LARGEST_GUARDED and not is_frozen(part):
                refuse(
                    f"computes with an array of {part.nbytes >> 20} MB outside itself, which "
                    "might change (make it read-only: array.flags.writeable = False)"
                )
            # Even one that is read-only may be written through a view made before, or be made
            # writable again.
            self.guards.append(ContentGuard(part))
            read.add(place)

        return self.trace.constant(array, captured=True, on_read=on_read, is_tensor=is_tensor)

    def _container(self, value: Any) -> Any:
        if len(value) > _MOST_ITEMS:
            refuse(f"uses a {type(value).__name__} of {len(value)} items outside itself")
        if isinstance(value, dict):
            copy: Any = {self.view(key): self.view(item) for key, item in value.items()}
        else:
            items = [self.view(item) for item in value]
            copy = type(value)(items)
            if any(a is not b for a, b in zip(copy, items, strict=True)):
                refuse(f"uses a {type(value).__name__} whose order would be lost")
        if isinstance(value, (list, dict, set)):
            self.guards.append(ItemsGuard(value))
            self._copies.append((copy, items_of(copy)))
        return copy

    def _instance(self, value: Any) -> Any:
        """Return an enum member, or a namedtuple with views in it."""
        self.view(type(value))
        self._guard_own(value)
        if isinstance(value, tuple):
            made: Any = tuple.__new__(type(value), [self.view(item) for item in value])
            return made
        return value

    def _guard_own(self, value: Any) -> None:
        """Guard the attributes of an enum member or namedtuple, which anyone may set."""
        if not is_plain_instance(value):
            refuse(f"uses a {type(value).__name__} with attributes of its own")
        if hasattr(value, "__dict__"):
            self.guards.append(ItemsGuard(vars(value)))

    def function(self, fn: types.FunctionType) -> Callable[..., Any]:
        """Return a function with the same code that sees the sandbox instead of the world."""
        code = fn.__code__
        if code.co_flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR):
            refuse("is a generator or a coroutine")
        check_code(code)
        names = _Globals(self, fn.__globals__)
        names["__builtins__"] = self._builtins
        originals = fn.__closure__ or ()
        unknown = [cell for cell in originals if id(cell) not in self._cells]
        self._kept.extend(unknown)
        self._cells.update((id(cell), types.CellType()) for cell in unknown)
        cells = tuple(self._cells[id(cell)] for cell in originals)
        # Known before its cells are looked at: a function may refer to itself.
        made = types.FunctionType(code, names, fn.__name__, None, cells)
        self._views[id(fn)] = made
        self._kept.append(fn)
        self.guard(fn, "code", lambda: fn.__code__, code)
        self.guard(fn, "defaults", lambda: fn.__defaults__, fn.__defaults__)
        self.guard(fn, "kwdefaults", lambda: fn.__kwdefaults__, fn.__kwdefaults__)
        if fn.__defaults__:
            made.__defaults__ = tuple(self.view(value) for value in fn.__defaults__)
        if fn.__kwdefaults__:
            made.__kwdefaults__ = dict(self.view(fn.__kwdefaults__))
        self.guard(fn, "attributes", lambda: fn.__dict__, fn.__dict__)
        self.guards.append(ItemsGuard(fn.__dict__))
        for name, value in fn.__dict__.items():
            if not name.startswith("__"):
                made.__dict__[name] = self.view(value)
        for original in unknown:
            self._fill(self._cells[id(original)], original)
        return made

    def _fill(self, cell: types.CellType, original: types.CellType) -> None:
        value = _contents_of(original)
        self.guard(original, "", lambda: _contents_of(original), value)
        if value is not MISSING:
            value = cell.cell_contents = self.view(value)
        self._contents.append((cell, value))

    def _module(self, module: types.ModuleType) -> Any:
        root = module.__name__.split(".")[0]
        if root == "numpy":
            return NumpyView(self, module)
        return module if root == "feedline" else ModuleView(self, module)

    def _class(self, kind: type) -> Any:
        maker = type(kind).__module__
        if maker not in ("builtins", "abc", "enum", "numpy") and not _is_ours(maker):
            refuse(f"uses a class of type {type(kind).__name__}")
        room = kind.__module__
        if issubclass(kind, np.generic) and room == "numpy":
            return scalar_type(self.trace, kind)
        if kind in (np.ndarray, np.dtype, tensor_type(np.ndarray)):
            return kind
        if room == "builtins" and (
            kind.__name__ in _PURE_BUILTINS or issubclass(kind, BaseException)
        ):
            return kind
        if room in _PURE_MODULES and kind not in _PRYING:
            return kind
        holds_values = issubclass(kind, (BaseException, enum.Enum)) or (
            is_dataclass(kind) or (issubclass(kind, tuple) and hasattr(kind, "_fields"))
        )
        if holds_values and is_plain_class(kind):
            self.guards.extend(ItemsGuard(vars(one)) for one in kind.__mro__[:-1])
            for member in kind.__members__.values() if issubclass(kind, enum.Enum) else ():
                self._guard_own(member)
            return kind
        if _is_ours(room):
            return kind
        if type(kind) is type and not holds_values and kind not in _PRYING and room != "builtins":
            return ClassView(self, kind)
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
        if isinstance(value, Several):
            return value.with_functions([self.view(fn) for fn in value.functions])
        if getattr(value, "__feedline_traceable__", False) or getattr(
            type(value), "__feedline_leaf__", False
        ):
            return value
        refuse(f"uses a {type(value).__name__}")

    # ---- built-in functions -------------------------------------------------------------

    def _type(self, value: Any, *rest: Any) -> Any:
        if rest:
            refuse("makes a class")
        if isinstance(value, Symbol):
            return self.view(_kind_of(value))
        if isinstance(value, (Opaque, ObjectView)):
            refuse("asks for the type of a value")
        return self.view(type(value))

    def _import(self, name: str, globals: Any = None, locals: Any = None, *rest: Any) -> Any:  # noqa: A002
        fromlist = rest[0] if rest else ()
        if isinstance(fromlist, list):  # Python itself asks: it is about to warn
            return __import__(name, fromlist=fromlist)
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
        found = self._sandbox.enter(names, name, lambda: names.get(name, MISSING))
        if found is MISSING:
            # A built-in name: it must stay what it is, and not be hidden by a global one.
            known, value = vars(builtins), _ORIGINALS.get(name, MISSING)
            if known.get(name, MISSING) is not value:
                refuse(f"uses {name}, which was replaced")
            self._sandbox.guard(known, name, lambda: known.get(name, MISSING), value)
            raise KeyError(name)
        return found


def _contents_of(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return MISSING


def _is_ours(module: str | None) -> bool:
    return module is not None and (module == "feedline" or module.startswith("feedline."))


def _refusing(name: str) -> Callable[..., Any]:
    def call(*_args: Any, **_kwargs: Any) -> Any:
        refuse(f"calls {name}()")

    return call


# What a symbol has and an array has not.
_INTERNAL = frozenset(dir(Symbol)) - frozenset(dir(np.ndarray)) | {"trace"}


def _getattr(value: Any, name: str, *default: Any) -> Any:
    if name.startswith("__") or (isinstance(value, Symbol) and name in _INTERNAL):
        refuse(f"uses {name}")
    return getattr(value, name, *default)


def _hasattr(value: Any, name: str) -> bool:
    return _getattr(value, name, MISSING) is not MISSING


def _callable(value: Any) -> bool:
    return callable(value.target if isinstance(value, ObjectView) else value)


def _isinstance(value: Any, kinds: Any) -> bool:
    kinds = _real_kinds(kinds)
    if isinstance(value, Opaque):
        refuse(f"uses {value.what}")
    if isinstance(value, Symbol):
        return issubclass(_kind_of(value), kinds)
    return isinstance(value.target if isinstance(value, ObjectView) else value, kinds)


def _kind_of(symbol: Symbol) -> type:
    kind: type = symbol.dtype.type if symbol.is_scalar else np.ndarray
    return tensor_type(kind) if symbol.is_tensor else kind


def _issubclass(kind: Any, kinds: Any) -> bool:
    return issubclass(_real_kinds(kind), _real_kinds(kinds))


def _real_kinds(kinds: Any) -> Any:
    if isinstance(kinds, tuple):
        return tuple(_real_kinds(kind) for kind in kinds)
    if isinstance(kinds, types.MethodType) and isinstance(kinds.__self__, Sandbox):
        return type
    if isinstance(kinds, ClassView):
        return kinds.target
    return kinds.kind if isinstance(kinds, ScalarType) else kinds


# ---- built-in functions -----------------------------------------------------------------

_ORIGINALS = dict(vars(builtins))


def _made_builtins() -> dict[str, Any]:
    found: dict[str, Any] = {"__name__": "builtins", "__build_class__": _refusing("class")}
    for name, value in _ORIGINALS.items():
        is_exception = isinstance(value, type) and issubclass(value, BaseException)
        if is_exception or name in _PURE_BUILTINS:
            found[name] = value
        elif callable(value) and not name.startswith("__"):
            found[name] = _refusing(name)
    found["callable"] = _callable
    found["getattr"] = _getattr
    found["hasattr"] = _hasattr
    found["isinstance"] = _isinstance
    found["issubclass"] = _issubclass
    return found


_BUILTINS = _made_builtins()
