"""Opaque: stands for a leaf that is no array of numbers, such as a string.

A recorded function may hand it on, and ask whether it is None. Anything else is done
element by element, in plain Python.
"""

from __future__ import annotations

from typing import Any

from feedline.graph.untraceable import refuse

__all__ = ["SPECIAL_NAMES", "Opaque"]

SPECIAL_NAMES = tuple(
    f"__{name}__"
    for name in (
        *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv"),
        *("rfloordiv", "mod", "rmod", "pow", "rpow", "matmul", "rmatmul", "divmod"),
        *("rdivmod", "and", "rand", "or", "ror", "xor", "rxor", "lshift", "rlshift"),
        *("rshift", "rrshift", "invert", "neg", "pos", "abs", "round", "trunc", "floor"),
        *("ceil", "eq", "ne", "lt", "le", "gt", "ge", "bool", "int", "float", "complex"),
        *("index", "len", "length_hint", "iter", "next", "reversed", "getitem", "setitem"),
        *("delitem", "contains", "call", "hash", "str", "repr", "format", "bytes", "array"),
        *("fspath", "enter", "exit", "delattr"),
    )
)
"""What Python may ask of a value besides its attributes."""


class Opaque:
    """A leaf that can only be handed on."""

    __slots__ = ("number", "what")

    def __init__(self, number: int, what: str) -> None:
        self.number = number
        self.what = what

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__array"):  # NumPy asks every object for these
            raise AttributeError(name)
        refuse(f"uses {self.what}")


def _refuses(self: Opaque, *_args: Any, **_kwargs: Any) -> Any:
    refuse(f"uses {self.what}")


for _name in SPECIAL_NAMES:
    setattr(Opaque, _name, _refuses)
