"""outside: how a recorded function sees the modules and objects it refers to."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from feedline.graph.guard import MISSING
from feedline.graph.opaque import SPECIAL_NAMES
from feedline.graph.untraceable import refuse

if TYPE_CHECKING:
    from feedline.graph.sandbox import Sandbox

__all__ = ["ClassView", "ModuleView", "ObjectView"]


class ModuleView:
    """A module whose functions run in the sandbox."""

    __slots__ = ("_module", "_sandbox")

    def __init__(self, sandbox: Sandbox, module: types.ModuleType) -> None:
        if type(module) is not types.ModuleType:
            refuse(f"uses {module.__name__}, which is no ordinary module")
        self._sandbox = sandbox
        self._module = module

    def __getattr__(self, name: str) -> Any:
        names = vars(self._module)
        if name not in names and "__getattr__" in names:
            refuse(f"uses {self._module.__name__}.{name}, which is made when it is asked for")
        found = self._sandbox.enter(names, name, lambda: names.get(name, MISSING))
        if found is MISSING:
            raise AttributeError(f"module {self._module.__name__!r} has no attribute {name!r}")
        return found


# How attributes are looked up where nobody had other ideas.
_USUAL = (object.__getattribute__, types.SimpleNamespace.__getattribute__)


class ObjectView:
    """An object whose attributes can be read and whose methods run in the sandbox."""

    __slots__ = ("_sandbox", "target")

    def __init__(self, sandbox: Sandbox, target: Any) -> None:
        if _of_class(target, "__getattribute__") not in _USUAL:
            refuse(f"uses a {type(target).__name__}")
        self._sandbox = sandbox
        self.target = target

    def __getattr__(self, name: str) -> Any:
        sandbox, target = self._sandbox, self.target
        if name.startswith("__"):
            if _of_class(target, name) is MISSING:
                raise AttributeError(name)
            refuse(f"uses {name}")
        found = _of_class(target, name)
        if not _has_set(found):
            if _own(target, name) is not MISSING:
                # Should the class get a property of this name, it would come first.
                sandbox.guard(target, name, lambda: _of_class(target, name), found)
                return sandbox.enter(target, f"own {name}", lambda: _own(target, name))
            sandbox.guard(target, f"own {name}", lambda: _own(target, name), MISSING)
        if found is MISSING:
            self._check_missing(name)
        return self._bound(name, found)

    def _check_missing(self, name: str) -> None:
        kind = type(self.target)
        if _of_class(self.target, "__getattr__") is not MISSING:
            refuse(f"uses .{name} of a {kind.__name__}")
        self._sandbox.guard(self.target, name, lambda: _of_class(self.target, name), MISSING)
        raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")

    def _bound(self, name: str, found: Any) -> Any:
        """Return what an attribute of the class gives for the object."""
        sandbox, target = self._sandbox, self.target
        if isinstance(found, types.MemberDescriptorType):  # one of __slots__
            return sandbox.enter(target, name, lambda: getattr(target, name, MISSING))
        sandbox.guard(target, name, lambda: _of_class(target, name), found)
        if isinstance(found, types.FunctionType):
            return functools.partial(sandbox.view(found), self)
        if isinstance(found, staticmethod):
            return sandbox.view(found.__func__)
        if type(found) is property and isinstance(found.fget, types.FunctionType):
            return sandbox.view(found.fget)(self)
        if hasattr(type(found), "__get__"):
            refuse(f"uses .{name} of a {type(target).__name__}")
        return sandbox.view(found)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in ObjectView.__slots__:
            refuse(f"sets .{name} of a {type(self.target).__name__} outside itself")
        object.__setattr__(self, name, value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the object's own method in the sandbox."""
        return self._special("__call__")(*args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self._special("__getitem__")(key)

    def __len__(self) -> int:
        return int(self._special("__len__")())

    def __iter__(self) -> Any:
        return self._special("__iter__")()

    def __bool__(self) -> bool:
        for name in ("__bool__", "__len__"):
            if self._is_special(name):
                return bool(self._special(name)())
        return True

    def __eq__(self, other: object) -> bool:
        if self._is_special("__eq__"):
            refuse(f"compares a {type(self.target).__name__}")
        return self is other

    def __ne__(self, other: object) -> bool:
        if self._is_special("__ne__"):
            refuse(f"compares a {type(self.target).__name__}")
        return not self == other

    def __hash__(self) -> int:
        if self._is_special("__hash__"):
            refuse(f"looks a {type(self.target).__name__} up by its hash")
        return object.__hash__(self)

    def _is_special(self, name: str) -> bool:
        """Whether the object's class defines a method that all objects have, or do without."""
        target, default = self.target, getattr(object, name, MISSING)
        found = _of_class(target, name)
        self._sandbox.guard(target, name, lambda: _of_class(target, name), found)
        return found is not MISSING and found is not default

    def _special(self, name: str) -> Callable[..., Any]:
        target = self.target
        found = _of_class(target, name)
        if not isinstance(found, types.FunctionType):
            refuse(f"uses a {type(target).__name__}")
        self._sandbox.guard(target, name, lambda: _of_class(target, name), found)
        return functools.partial(self._sandbox.view(found), self)


class ClassView:
    """A class whose constants can be read and whose functions run in the sandbox."""

    __slots__ = ("_sandbox", "target")

    def __init__(self, sandbox: Sandbox, target: type) -> None:
        self._sandbox = sandbox
        self.target = target

    def __getattr__(self, name: str) -> Any:
        sandbox, target = self._sandbox, self.target
        found = _found_in(target, name)
        sandbox.guard(target, name, lambda: _found_in(target, name), found)
        if found is MISSING:
            raise AttributeError(f"type object {target.__name__!r} has no attribute {name!r}")
        if isinstance(found, types.FunctionType):
            return sandbox.view(found)
        if isinstance(found, staticmethod):
            return sandbox.view(found.__func__)
        if isinstance(found, classmethod):
            return functools.partial(sandbox.view(found.__func__), self)
        if hasattr(type(found), "__get__"):
            refuse(f"uses .{name} of the class {target.__qualname__}")
        return sandbox.view(found)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse to make an object."""
        refuse(f"makes a {self.target.__qualname__}")


def _refuses(self: ObjectView, *_args: Any, **_kwargs: Any) -> Any:
    refuse(f"uses a {type(self.target).__name__}")


def _refuses_too(*_args: Any, **_kwargs: Any) -> Any:
    refuse("looks at a module or a class")


for _name in SPECIAL_NAMES:
    if _name not in vars(ObjectView):
        setattr(ObjectView, _name, _refuses)
    if _name not in ("__eq__", "__ne__", "__hash__", "__bool__", "__call__"):
        setattr(ModuleView, _name, _refuses_too)
        setattr(ClassView, _name, _refuses_too)


def _of_class(target: Any, name: str) -> Any:
    """Return an attribute as an object's class has it."""
    return _found_in(type(target), name)


def _found_in(kind: type, name: str) -> Any:
    """Return an attribute of a class or its bases, without running any code."""
    for one in kind.__mro__:
        if name in vars(one):
            return vars(one)[name]
    return MISSING


def _own(target: Any, name: str) -> Any:
    """Return an attribute of the object itself, without running any code."""
    kept = _of_class(target, "__dict__")
    if not isinstance(kept, (types.GetSetDescriptorType, types.MemberDescriptorType)):
        return MISSING  # an object of __slots__
    return kept.__get__(target).get(name, MISSING)


def _has_set(found: Any) -> bool:
    """Whether an attribute of a class comes before one of the object with the same name."""
    return hasattr(type(found), "__set__") or hasattr(type(found), "__delete__")
