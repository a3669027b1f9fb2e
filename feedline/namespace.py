"""namespace: modules that load names when they are asked for, and explain those they lack."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from inspect import getattr_static
from typing import TYPE_CHECKING, Any, TypeVar

__all__ = [
    "AbsentError",
    "ExplainedClass",
    "NotInstalledError",
    "explains_missing",
    "missing",
    "open_namespace",
]

C = TypeVar("C", bound=type)


class AbsentError(AttributeError):
    """There is no such name here. What is known about it is looked up when it is shown.

    Args:
        owner: What lacks the name, in words.
        place: The same as TensorFlow's users know it, such as "tf.io".
        name: The name.
    """

    def __init__(self, owner: str, place: str, name: str) -> None:
        super().__init__(owner, place, name)

    @property
    def reason(self) -> str:
        """Why it is not here and what to use instead; nothing if that is not known."""
        _, place, name = self.args
        return str(_answer().reason(place, name))

    def __str__(self) -> str:
        owner, place, name = self.args
        reason = self.reason
        more = f": {reason}" if reason else _answer().suggestion(place, name)
        return f"{owner} has no attribute {name!r}{more}"


class NotInstalledError(AbsentError):
    """What a name needs is not installed."""

    @property
    def reason(self) -> str:
        """What to install."""
        owner, _, name = self.args
        return f"{name} needs {owner}, which is not installed: pip install {owner}."

    def __str__(self) -> str:
        return self.reason


def _answer() -> Any:
    return import_module("feedline.names.answer")


def open_namespace(
    names: dict[str, Any],
    rooms: Mapping[str, str] | None = None,
    *,
    modules: Iterable[str] = (),
    made_public: Callable[[Any], Any] | None = None,
) -> None:
    """Let a module load names when they are asked for, list them, and explain those it lacks.

    Args:
        names: The ``globals()`` of the module. ``__all__`` says what is public.
        rooms: The names that each module inside the package "feedline" has, separated by
            spaces. A trailing underscore, which keeps those modules clear of Python's own
            names, is left out here.
        modules: Modules below this one that are loaded when they are asked for.
        made_public: What becomes of a name that was loaded.
    """
    module: str = names["__name__"]
    room_of = {name: room for room, some in (rooms or {}).items() for name in some.split()}
    below = frozenset(modules)

    def __getattr__(name: str) -> Any:  # noqa: N807
        if name in below:
            return import_module(f"{module}.{name}")
        if name not in room_of:
            raise missing(f"module {module!r}", module.replace("feedline", "tf", 1), name)
        try:
            room = import_module(f"feedline.{room_of[name]}")
        except ModuleNotFoundError as error:
            if error.name is None or error.name.startswith("feedline"):
                raise
            raise NotInstalledError(error.name, module, name) from error
        found = getattr(room, f"{name}_", None) or getattr(room, name)
        names[name] = found = made_public(found) if made_public else found
        return found

    def __dir__() -> list[str]:  # noqa: N807
        return sorted({*names["__all__"], *below})

    # Not seen by type checkers, which find names that do not exist by themselves.
    names["__getattr__"], names["__dir__"] = __getattr__, __dir__


def explains_missing(place: str) -> Callable[[C], C]:
    """Let the objects of a class explain the attributes they lack.

    Args:
        place: The class as TensorFlow's users know it, such as "tf.data.Dataset".
    """

    def decorate(kind: C) -> C:
        def __getattr__(self: Any, name: str) -> Any:  # noqa: N807
            known = getattr_static(type(self), name, None)
            if isinstance(known, property) and known.fget is not None:
                # It is there, and raised an AttributeError of its own, which Python forgot.
                return known.fget(self)
            raise missing(f"{type(self).__name__!r} object", place, name)

        kind.__explained_as__ = place  # type: ignore[attr-defined]
        kind.__getattr__ = __getattr__  # type: ignore[attr-defined]
        return kind

    return decorate


class ExplainedClass(type):
    """The type of classes that explain which class methods they lack, as ``Dataset.load``."""

    __explained_as__ = ""

    if not TYPE_CHECKING:  # which finds names that do not exist by itself

        def __getattr__(cls, name: str) -> Any:
            raise missing(f"type object {cls.__name__!r}", cls.__explained_as__, name)


def missing(owner: str, place: str, name: str) -> AttributeError:
    """Return the error for a name that is not there."""
    if name.startswith("_"):  # Python and libraries ask for these to see what something is
        return AttributeError(f"{owner} has no attribute {name!r}")
    return AbsentError(owner, place, name)


class _Explaining:
    """Says why ``from feedline import Variable`` and ``import feedline.keras`` cannot be."""

    @staticmethod
    def find_spec(fullname: str, path: object = None, target: object = None) -> None:  # noqa: ARG004
        """Raise ImportError for what it is known about; nothing is found here."""
        parent, _, name = fullname.rpartition(".")
        if not parent.startswith("feedline") or parent not in sys.modules:
            return
        try:
            getattr(sys.modules[parent], name)
        except AbsentError as error:
            if error.reason:
                raise ImportError(str(error), name=fullname) from None
        except AttributeError:
            return


# Last, so that it is asked only about what nobody else finds.
sys.meta_path.append(_Explaining)
