"""Composed: the functions of several maps as one.

Between two of them a value changes as it does between two steps of a pipeline: numbers and
lists become arrays, and nobody shares memory with what the function before kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from feedline.graph.active import active_trace
from feedline.graph.numpy_view import array_of
from feedline.graph.opaque import Opaque
from feedline.graph.symbol import Symbol
from feedline.leaf import as_leaf
from feedline.structure import structure_of

__all__ = ["Composed", "place_of_failure"]


@dataclass(frozen=True)
class Composed:
    """Functions, called one on the result of the other; ``places`` are those of their steps."""

    functions: tuple[Callable[..., Any], ...]
    places: tuple[str, ...]

    @property
    def __name__(self) -> str:
        names = (getattr(fn, "__name__", type(fn).__name__) for fn in self.functions)
        return " then ".join(names)

    def with_functions(self, functions: Sequence[Callable[..., Any]]) -> Composed:
        """Return the same with others in the place of the functions."""
        return replace(self, functions=tuple(functions))

    def __call__(self, *args: Any) -> Any:
        result: Any = None
        for number, (fn, place) in enumerate(zip(self.functions, self.places, strict=True)):
            if number:
                args = _handed_on(result)
            try:
                result = fn(*args)
            except Exception as error:
                error.__feedline_place__ = place  # type: ignore[attr-defined]
                raise
        return result


def place_of_failure(error: Exception, otherwise: str) -> str:
    """Return the step whose function raised."""
    place: str = getattr(error, "__feedline_place__", otherwise)
    return place


def _handed_on(result: Any) -> tuple[Any, ...]:
    """Return what a function returned as the arguments of the next."""
    if isinstance(result, list):
        result = tuple(result)
    structure = structure_of(result)
    element = structure.pack([_leaf_handed_on(leaf) for leaf in structure.leaves_of(result)])
    return element if structure.is_tuple else (element,)


def _leaf_handed_on(leaf: Any) -> Any:
    trace = active_trace()
    if isinstance(leaf, Opaque):
        return leaf
    if trace is None:
        leaf = as_leaf(leaf)
        return leaf.copy() if isinstance(leaf, np.ndarray) else leaf
    if isinstance(leaf, list):
        leaf = array_of(trace, leaf)
    if isinstance(leaf, Symbol):
        return leaf.detached()
    leaf = as_leaf(leaf)
    return trace.constant(leaf.copy()) if isinstance(leaf, np.ndarray) else leaf
