"""composed: the functions of several steps as one.

Between two of them a value changes as it does between two steps of a pipeline: numbers and
lists become arrays, and nobody shares memory with what the function before kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from feedline.binding import HoldsFunctions
from feedline.graph.active import active_trace
from feedline.graph.numpy_view import array_of_list
from feedline.graph.opaque import Opaque
from feedline.graph.symbol import Symbol
from feedline.graph.untraceable import refuse
from feedline.leaf import as_leaf
from feedline.structure import structure_of

__all__ = ["Composed", "Conjunction", "MapThenFilter", "Several", "place_of_failure"]

Condition = Callable[[Any], bool]


@dataclass(frozen=True)
class Several(HoldsFunctions):
    """Functions that are called as one; ``places`` are those of their steps."""

    functions: tuple[Callable[..., Any], ...]
    places: tuple[str, ...]

    @property
    def __name__(self) -> str:
        names = (getattr(fn, "__name__", type(fn).__name__) for fn in self.functions)
        return " then ".join(names)

    def with_functions(self, functions: Sequence[Callable[..., Any]]) -> Self:
        """Return the same with others in the place of the functions."""
        return replace(self, functions=tuple(functions))

    def call(self, number: int, args: tuple[Any, ...]) -> Any:
        """Call one of the functions; what it raises says which step it was."""
        with _marked(self.places[number]):
            return self.functions[number](*args)


class Composed(Several):
    """Each function is called on the result of the one before: maps of maps."""

    def __call__(self, *args: Any) -> Any:
        """Return what the last function returns."""
        result = self.call(0, args)
        for number in range(1, len(self.functions)):
            result = self.call(number, _handed_on(result))
        return result


@dataclass(frozen=True)
class Conjunction(Several):
    """Every function is a predicate, called if those before said True: filters of filters.

    ``condition`` makes a bool of what a predicate returned.
    """

    condition: Condition

    def __call__(self, *args: Any) -> Any:
        """Return whether all of them say True."""
        wanted: Any = True
        for number, place in enumerate(self.places):
            said = self.call(number, args)
            with _marked(place):
                said = _as_bool(said, self.condition)
            if isinstance(said, Symbol):
                wanted = np.logical_and(wanted, said)
            elif not said:
                return False
        return wanted


@dataclass(frozen=True)
class MapThenFilter(Several):
    """A function's result, and whether a predicate wants it: a filter of a map.

    ``condition`` makes a bool of what the predicate returned.
    """

    condition: Condition

    def __call__(self, *args: Any) -> tuple[Any, Any]:
        """Return both."""
        result = self.call(0, args)
        if isinstance(result, list):
            result = tuple(result)
        said = self.call(1, _handed_on(result))
        with _marked(self.places[1]):
            return result, _as_bool(said, self.condition)


def place_of_failure(error: Exception, otherwise: str) -> str:
    """Return the step whose function raised."""
    place: str = getattr(error, "__feedline_place__", otherwise)
    return place


@contextmanager
def _marked(place: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        error.__feedline_place__ = place  # type: ignore[attr-defined]
        raise


def _as_bool(said: Any, condition: Condition) -> Any:
    if not isinstance(said, Symbol):
        return condition(said)
    if said.shape != () or said.dtype != np.bool_:
        refuse("is a predicate that does not return a single bool")
    return said


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
        leaf = array_of_list(trace, leaf)
    if isinstance(leaf, Symbol):
        return leaf.detached()
    leaf = as_leaf(leaf)
    return trace.constant(leaf.copy()) if isinstance(leaf, np.ndarray) else leaf
