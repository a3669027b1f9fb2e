"""Opaque: stands for a leaf that is no array of numbers, such as a string.

A recorded function may hand it on, and ask whether it is None. Anything else is done
element by element, in plain Python.
"""

from __future__ import annotations

from typing import Any

from feedline.graph.untraceable import refuse

__all__ = ["Opaque"]


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


def _refuses(self: Opaque, *args: Any, **kwargs: Any) -> Any:
    refuse(f"uses {self.what}")


for _name in (
    *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv", "mod"),
    *("rmod", "pow", "and", "or", "xor", "invert", "neg", "pos", "abs", "eq", "ne", "lt", "le"),
    *("gt", "ge", "bool", "int", "float", "index", "len", "iter", "getitem", "setitem"),
    *("contains", "call", "hash", "str", "repr", "format", "array", "fspath", "bytes"),
):
    setattr(Opaque, f"__{_name}__", _refuses)
