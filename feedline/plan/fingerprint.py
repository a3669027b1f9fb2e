"""fingerprint: 64 bits that say which pipeline this is, the same in every process.

Nodes      by their class and their settings; not by name, nor by the line that built them.
Functions  by bytecode, constants, parameter names, defaults and closure values, and by the
           globals they read: those of functions in the same module in turn, functions of
           other modules by their own code alone.
Arrays     by dtype, shape and content; one of more than a megabyte by 64 evenly spaced
           parts of it, so a change between them is not seen.
Objects    by class and by what pickle would save of them; one that cannot be pickled by
           its class alone.

Bytecode differs between versions of Python, and so do the fingerprints of functions.
"""

from __future__ import annotations

import dataclasses
import dis
import enum
import functools
import hashlib
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from feedline.plan.node import Node, RandomNode
from feedline.plan.rewrite import walk

__all__ = ["fingerprint"]

_WHOLE_BYTES = 1 << 20
_NUM_PARTS = 64
_PART_ITEMS = 512
# What the elements do not depend on.
_IGNORED = {f.name for kind in (Node, RandomNode) for f in dataclasses.fields(kind)}


def fingerprint(root: Node) -> int:
    """Return a 64-bit hash of a plan: equal for equal plans."""
    hasher = _Hasher()
    for node in walk(root):  # inputs first, so that none is reached through what reads it
        digest = hasher.of(node)
    return int.from_bytes(digest[:8], "little")


class _Hasher:
    """Hashes values; remembers those it has seen, for plans and objects share parts."""

    def __init__(self) -> None:
        self._known: dict[int, bytes] = {}
        self._depth = 0
        # Values seen stay alive: an id that is used again would be taken for another's.
        self._seen: list[Any] = []

    def of(self, value: Any) -> bytes:
        """Return the digest of a value."""
        place = id(value)
        if place not in self._known:
            self._seen.append(value)
            # What is met again inside itself is told by how deep it began.
            self._known[place] = b"again %d" % self._depth
            self._depth += 1
            self._known[place] = _digest(self._parts(value))
            self._depth -= 1
        return self._known[place]

    def _parts(self, value: Any) -> Iterator[bytes]:
        """Yield what tells a value from all others, beginning with its kind."""
        for kinds, parts in self._BY_KIND:
            if isinstance(value, kinds):
                yield from parts(self, value)
                return
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            yield from self._dataclass(value)
        elif hasattr(value, "__qualname__") or isinstance(value, np.ufunc):
            # Classes, and functions that are not written in Python.
            module = getattr(value, "__module__", "")
            yield f"named {module}.{getattr(value, '__qualname__', value.__name__)}".encode()
        else:
            yield from self._object(value)

    def _plain(self, value: Any) -> Iterator[bytes]:
        yield f"{type(value).__name__} {value!r}".encode("utf-8", "surrogatepass")

    def _bytes(self, value: Any) -> Iterator[bytes]:
        yield b"bytes"
        yield bytes(value)

    def _scalar(self, value: np.generic) -> Iterator[bytes]:
        yield f"scalar {value.dtype!r}".encode()
        yield value.tobytes()

    def _array(self, value: np.ndarray[Any, Any]) -> Iterator[bytes]:
        yield f"array {value.dtype!r} {value.shape}".encode()
        for part in _samples(value):
            yield self.of(part.tolist()) if value.dtype == object else part.tobytes()

    def _sequence(self, value: Any) -> Iterator[bytes]:
        yield type(value).__name__.encode()
        yield from map(self.of, value)

    def _set(self, value: Any) -> Iterator[bytes]:
        yield b"set"
        yield from sorted(map(self.of, value))

    def _dict(self, value: dict[Any, Any]) -> Iterator[bytes]:
        yield b"dict"
        yield from sorted(self.of(key) + self.of(item) for key, item in value.items())

    def _enum(self, value: enum.Enum) -> Iterator[bytes]:
        yield f"enum {type(value).__qualname__}.{value.name}".encode()

    def _module(self, value: types.ModuleType) -> Iterator[bytes]:
        yield f"module {value.__name__}".encode()

    def _node(self, value: Node) -> Iterator[bytes]:
        yield f"node {value.operator}".encode()
        yield from self._fields(value, _IGNORED)

    def _dataclass(self, value: Any) -> Iterator[bytes]:
        yield f"dataclass {type(value).__qualname__}".encode()
        yield from self._fields(value, ())

    def _fields(self, value: Any, ignored: Iterable[str]) -> Iterator[bytes]:
        for field in dataclasses.fields(value):
            if field.name not in ignored:
                yield field.name.encode()
                yield self.of(getattr(value, field.name))

    def _function(self, value: types.FunctionType) -> Iterator[bytes]:
        yield b"function"
        yield self.of(value.__code__)
        yield self.of(value.__defaults__)
        yield self.of(value.__kwdefaults__)
        for cell in value.__closure__ or ():
            yield self.of(_cell_value(cell))
        known = value.__globals__
        for name in sorted(_globals_read(value.__code__)):
            if name in known:
                yield name.encode()
                yield self._global(known[name], value.__module__)

    def _global(self, value: Any, module: str) -> bytes:
        if isinstance(value, types.FunctionType) and value.__module__ != module:
            # Its own code alone: through globals of other modules one soon meets everything.
            return self.of(value.__code__)
        return self.of(value)

    def _code(self, value: types.CodeType) -> Iterator[bytes]:
        num_parameters = value.co_argcount + value.co_kwonlyargcount
        yield b"code"
        yield value.co_code
        yield self.of(value.co_consts)
        yield self.of(value.co_names)
        yield self.of(value.co_varnames[:num_parameters])
        yield self.of((value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount))
        yield str(value.co_flags).encode()

    def _method(self, value: types.MethodType) -> Iterator[bytes]:
        yield b"method"
        yield self.of(value.__func__)
        yield self.of(value.__self__)

    def _partial(self, value: functools.partial[Any]) -> Iterator[bytes]:
        yield b"partial"
        yield self.of((value.func, value.args, value.keywords))

    def _object(self, value: Any) -> Iterator[bytes]:
        kind = type(value)
        yield f"object {kind.__module__}.{kind.__qualname__}".encode()
        call = getattr(kind, "__call__", None)  # noqa: B004  (the function itself is wanted)
        if isinstance(call, types.FunctionType):
            yield self.of(call)
        try:
            make, *saved = value.__reduce_ex__(4)
        except Exception:  # whatever a class raises that cannot be pickled
            return
        yield self.of(make)
        for part in saved:
            yield self.of(list(part) if isinstance(part, Iterator) else part)

    _BY_KIND: tuple[tuple[Any, Callable[[Any, Any], Iterator[bytes]]], ...] = (
        (enum.Enum, _enum),
        (np.ndarray, _array),
        (np.generic, _scalar),
        ((type(None), type(...), bool, int, float, complex, str, slice, np.dtype), _plain),
        ((bytes, bytearray), _bytes),
        ((tuple, list), _sequence),
        ((set, frozenset), _set),
        (dict, _dict),
        (Node, _node),
        (types.FunctionType, _function),
        (types.CodeType, _code),
        (types.MethodType, _method),
        (types.ModuleType, _module),
        (functools.partial, _partial),
    )


def _digest(parts: Iterable[bytes]) -> bytes:
    state = hashlib.blake2b(digest_size=16)
    for part in parts:
        # With its length: parts that are cut elsewhere are other parts.
        state.update(len(part).to_bytes(8, "little"))
        state.update(part)
    return state.digest()


def _samples(array: np.ndarray[Any, Any]) -> Iterator[np.ndarray[Any, Any]]:
    flat = array.reshape(-1) if array.flags.c_contiguous else array.flat
    if array.nbytes <= _WHOLE_BYTES:
        yield flat[:]
        return
    last = array.size - _PART_ITEMS
    for number in range(_NUM_PARTS):
        start = max(last, 0) * number // (_NUM_PARTS - 1)
        yield flat[start : start + _PART_ITEMS]


def _globals_read(code: types.CodeType) -> set[str]:
    found = {
        str(step.argval)
        for step in dis.get_instructions(code)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= _globals_read(constant)
    return found


def _cell_value(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # a variable that is not assigned yet
        return None
