"""mentioned: which variables outside itself a function's code reads and writes."""

from __future__ import annotations

import dis
import functools
import os
import weakref
from types import CodeType
from typing import Any, Literal

__all__ = ["Mentioned", "mentioned"]

_READS = frozenset(("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"))
_WRITES = frozenset(("STORE_GLOBAL", "DELETE_GLOBAL"))
_CELL_WRITES = frozenset(("STORE_DEREF", "DELETE_DEREF"))
# These look at which object something is.
_COMPARES = frozenset(("BINARY_SUBSCR", "STORE_SUBSCR", "IS_OP", "COMPARE_OP", "CONTAINS_OP"))

# What reads or writes global variables under names that are not in the code.
_LOOKS_AROUND = frozenset(("globals", "exec", "eval"))
_LOOKS_BEHIND = frozenset(("__globals__", "f_globals"))
# Where a person may ask for any name.
_STOPS = frozenset(("breakpoint", "set_trace"))
# What sends functions to other processes by their names alone.
_SENDS = frozenset(
    (
        *("multiprocessing", "Pool", "Process", "ProcessPoolExecutor", "submit", "joblib"),
        *("imap", "imap_unordered", "map_async", "starmap_async", "apply_async", "pickle"),
    )
)

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_STDLIB = (os.path.dirname(os.path.abspath(os.__file__)) + os.sep, "<frozen ")
_SITES = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


class Mentioned:
    """What a code object, and those inside it, say about variables outside.

    Attributes:
        origin: Whose code it is: the user's, that of an installed package, or Python's and ours.
        names: The global names it reads, attributes aside.
        stored: The global names it sets or deletes.
        written: The variables of functions around it that it sets or deletes.
        looks_around: Whether it may read or set any global name.
        stops: Whether it calls a debugger.
        is_simple: Whether it is the user's, reads what it mentions, and does nothing else with it.
        as_they_are: Global names whose values are compared, or sent by name.
    """

    __slots__ = (
        "as_they_are",
        "code",
        "is_simple",
        "looks_around",
        "names",
        "origin",
        "stops",
        "stored",
        "written",
    )

    def __init__(self, code: CodeType) -> None:
        self.code = weakref.ref(code, functools.partial(_forget, _KNOWN, id(code)))
        self.origin = _origin(code.co_filename)
        names: dict[str, None] = {}
        stored, written, same = set[str](), set[str](), set[str]()
        used = set(code.co_names)
        self.stops = not used.isdisjoint(_STOPS)
        self.looks_around = not used.isdisjoint(_LOOKS_BEHIND) or (
            "builtins" in used and not used.isdisjoint(_LOOKS_AROUND)
        )
        sends = not used.isdisjoint(_SENDS)
        steps = list(dis.get_instructions(code)) if used or code.co_freevars else []
        for number, step in enumerate(steps):
            name = step.argval
            if step.opname in _READS:
                names[name] = None
                is_called = step.opname == "LOAD_GLOBAL" and (step.arg or 0) & 1
                after = {later.opname for later in steps[number + 1 : number + 3]}
                if not is_called and (sends or not after.isdisjoint(_COMPARES)):
                    same.add(name)
            elif step.opname in _WRITES:
                names[name] = None
                stored.add(name)
            elif step.opname in _CELL_WRITES and name in code.co_freevars:
                written.add(name)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                inner = mentioned(constant)
                names.update(dict.fromkeys(inner.names))
                stored |= inner.stored
                written |= inner.written & set(code.co_freevars)
                same |= inner.as_they_are
                self.looks_around |= inner.looks_around
                self.stops |= inner.stops
        self.looks_around |= not names.keys().isdisjoint(_LOOKS_AROUND)
        self.names: tuple[str, ...] = tuple(names)
        self.stored: frozenset[str] = frozenset(stored)
        self.written: frozenset[str] = frozenset(written)
        self.as_they_are: frozenset[str] = frozenset(same)
        special = self.looks_around or self.stops or bool(stored or written)
        self.is_simple = self.origin == "user" and not special


def mentioned(code: CodeType) -> Mentioned:
    """Return what a code object mentions.

    Example:
        >>> scale = 2
        >>> said = mentioned((lambda x: round(x.real * scale)).__code__)
        >>> said.names, said.stored
        (('round', 'scale'), frozenset())
    """
    known = _KNOWN.get(id(code))
    if known is None:
        known = _KNOWN[id(code)] = Mentioned(code)
    return known


# By identity: comparing code objects takes longer than what is saved. An entry goes with its code.
_KNOWN: dict[int, Mentioned] = {}


def _forget(known: dict[int, Mentioned], place: int, _: Any) -> None:
    known.pop(place, None)  # not a global name: code may outlive those at the end of a program


def _origin(file: str) -> Literal["user", "package", "python", "ours"]:
    if file.startswith(_PACKAGE):
        return "ours"
    if any(site in file for site in _SITES):
        return "package"
    return "python" if file.startswith(_STDLIB) else "user"
