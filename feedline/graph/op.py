"""Op: one recorded operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from feedline.graph.layout import Layout
    from feedline.shapes import Shape

__all__ = ["LeafForm", "Op", "Ref", "resolved"]


class Ref:
    """The place in a recorded argument of a value that differs between elements."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ref) and other.number == self.number

    def __hash__(self) -> int:
        return hash(self.number)

    def __repr__(self) -> str:
        return f"%{self.number}"


@dataclass(frozen=True, slots=True)
class LeafForm:
    """Shape and dtype of a value of one element, and how it lies in a block if that is known.

    ``packs``: values that differ in length lie in a row each, and may lie side by side.
    """

    shape: Shape
    dtype: np.dtype[Any]
    layout: Layout | None = None
    packs: bool = True

    @property
    def is_dense(self) -> bool:
        """Whether all elements have the same shape."""
        return self.shape is not None and None not in self.shape


@dataclass(frozen=True, slots=True)
class Op:
    """A function, its arguments, and where its results go.

    ``run`` is the batching rule, or None to call ``fn`` element by element.
    """

    fn: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    outs: tuple[int, ...]
    forms: tuple[LeafForm, ...]
    single: bool
    run: Callable[..., Any] | None
    fresh: bool
    exact: bool


def resolved(argument: Any, value_of: Callable[[int], Any]) -> Any:
    """Return a recorded argument with values in the places of its Refs."""
    kind = type(argument)
    if kind is Ref:
        return value_of(argument.number)
    if kind is tuple or kind is list:
        return kind([resolved(item, value_of) for item in argument])
    if kind is dict:
        return {key: resolved(item, value_of) for key, item in argument.items()}
    return argument
