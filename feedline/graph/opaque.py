"""Opaque: stands for a leaf that is no array of numbers, such as a string.

A recorded function may hand it on, ask whether it is None, and give it to functions of ours
that know about such leaves. Anything else is done element by element, in plain Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from feedline.graph.untraceable import refuse
from feedline.values.tensor_shape import TensorShape

if TYPE_CHECKING:
    from feedline.column import Column
    from feedline.graph.trace import Trace

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

    __slots__ = ("block", "number", "samples", "trace", "what")

    def __init__(
        self, trace: Trace, number: int, what: str, samples: list[Any], block: Column
    ) -> None:
        self.trace = trace
        self.number = number
        self.what = what
        self.samples = samples
        self.block = block

    def set_shape(self, shape: Any) -> None:
        """Know the shape from now on, where that need not be checked."""
        self.trace.assume(self, TensorShape(shape))

    def __getitem__(self, key: Any) -> Any:
        return self.trace.part_of(self, key)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__array"):  # NumPy asks every object for these
            raise AttributeError(name)
        refuse(f"uses {self.what}")


def _refuses(self: Opaque, *_args: Any, **_kwargs: Any) -> Any:
    refuse(f"uses {self.what}")


for _name in SPECIAL_NAMES:
    if _name not in vars(Opaque) or _name == "__hash__":
        setattr(Opaque, _name, _refuses)
