"""elsewhere: whether a function may run in another process and nobody would notice.

It has to be small when it is pickled. And it must keep nothing: what it refers to looks the
same after it was called as it did before. Functions of modules are sent by name; what
they refer to in their module is looked at all the same.
"""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from feedline.parallel.pickling import pickled

__all__ = ["Elsewhere", "can_go_elsewhere"]

_MOST_BYTES = 16 << 20
_MOST_FUNCTIONS = 64


def can_go_elsewhere(fn: Callable[..., Any]) -> str | None:
    """Return why a function cannot be sent to another process, None if it can.

    Example:
        >>> can_go_elsewhere(lambda x: x + 1)
        >>> rows = (x for x in range(3))
        >>> can_go_elsewhere(lambda x: next(rows))
        "cannot pickle 'generator' object"
    """
    return Elsewhere(fn).why_not()


class Elsewhere:
    """What is known about one function; asked before it is called, and once more after that."""

    def __init__(self, fn: Callable[..., Any]) -> None:
        self._fn = fn
        self._before: bytes | None = None
        self._reason: str | None = None

    def why_not(self) -> str | None:
        """Return why it must stay; None if it may go, as far as can be told now."""
        if self._reason is None:
            self._reason = self._look()
        return self._reason

    def _look(self) -> str | None:
        try:
            size, print_now = _fingerprint(self._fn)
        except Exception as error:
            return str(error) or type(error).__name__
        if size > _MOST_BYTES:
            return f"it refers to {size >> 20} MB of data"
        if self._before is not None and self._before != print_now:
            return "it keeps something from one call to the next"
        self._before = print_now
        return None


def _fingerprint(fn: Callable[..., Any]) -> tuple[int, bytes]:
    """Return how large a function is when it is sent, and a digest of all it refers to."""
    sent = _Pickle()
    sent.add(fn)
    size = sent.size
    for function in _functions_of(fn):
        sent.add(_by_value(function))
    return size, sent.digest()


class _Pickle:
    """Counts and digests what is pickled, large arrays where they are."""

    def __init__(self) -> None:
        self._digest = hashlib.blake2b(digest_size=16)
        self.size = 0

    def add(self, value: Any) -> None:
        data = pickled(value, self._add_buffer)
        self._digest.update(data)
        self.size += len(data)

    def _add_buffer(self, buffer: Any) -> None:
        raw = buffer.raw()
        self.size += raw.nbytes
        if self.size <= _MOST_BYTES:
            self._digest.update(raw)

    def digest(self) -> bytes:
        return self._digest.digest()


def _by_value(function: FunctionType) -> FunctionType:
    """Return a function that is pickled with what it refers to, not by its name."""
    copy = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__module__ = "__main__"
    return copy


def _functions_of(fn: Callable[..., Any]) -> Iterator[FunctionType]:
    """Yield the functions of the user's own modules that a call may come to."""
    todo, seen = [fn], set[int]()
    while todo and len(seen) < _MOST_FUNCTIONS:
        function = _plain(todo.pop())
        if function is None or id(function) in seen or not _is_users(function):
            continue
        seen.add(id(function))
        yield function
        todo.extend(_callables_in(function))


def _plain(fn: Any) -> FunctionType | None:
    if isinstance(fn, MethodType):
        fn = fn.__func__
    if not isinstance(fn, FunctionType) and not isinstance(fn, type):
        fn = vars(type(fn)).get("__call__")  # an object that can be called
    return fn if isinstance(fn, FunctionType) else None


def _callables_in(function: FunctionType) -> Iterator[Any]:
    for name in _names_in(function.__code__):
        value = function.__globals__.get(name)
        if callable(value) and not isinstance(value, type | ModuleType):
            yield value
    for cell in function.__closure__ or ():
        try:
            value = cell.cell_contents
        except ValueError:  # still empty
            continue
        if callable(value) and not isinstance(value, type):
            yield value


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


def _is_users(function: FunctionType) -> bool:
    """Whether a function is neither of a library nor of this package."""
    module = sys.modules.get(function.__module__ or "__main__")
    if function.__module__.partition(".")[0] == "feedline":
        return False
    file = getattr(module, "__file__", None)
    return file is None or not file.startswith(_LIBRARIES)


_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})
