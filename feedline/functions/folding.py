"""folding: a function that hands a state on, called on every slice of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from feedline import nest
from feedline.errors import BuildError, BuildTypeError
from feedline.graph.symbol import Symbol
from feedline.graph.trace import symbols_in
from feedline.leaf import ingest

__all__ = ["foldl", "foldr", "scan"]

# Every call becomes part of a recording: more than these make plain Python the better choice.
_MOST_RECORDED = 256


def foldl(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Return the last state that a function makes of the slices of arrays, from first to last.

    Args:
        fn: Called with the state and a slice; returns the next state.
        elems: An array, or a structure of arrays of one length.
        initializer: The first state; the first slice by default.
        parallel_iterations: No effect, as the next two: they never change results.
        back_prop: No effect.
        swap_memory: No effect.
        name: No effect.

    Example:
        >>> foldl(lambda total, x: total + x, np.array([1, 2, 3]))
        np.int64(6)
    """
    return _states("foldl()", fn, elems, initializer, backwards=False)[-1]


def foldr(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Return the last state that a function makes of the slices of arrays, from last to first.

    See :func:`foldl` for the arguments.
    """
    return _states("foldr()", fn, elems, initializer, backwards=True)[-1]


def scan(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """Return all states that a function makes of the slices of arrays, stacked.

    Args:
        fn: Called with the state and a slice; returns the next state.
        elems: An array, or a structure of arrays of one length.
        initializer: The state before the first slice, which is not returned; by default the
            first slice is the first state, which is.
        parallel_iterations: No effect, as the next three: they never change results.
        back_prop: No effect.
        swap_memory: No effect.
        infer_shape: No effect.
        reverse: Whether to go from last to first; states stay where their slices are.
        name: No effect.

    Example:
        >>> scan(lambda total, x: total + x, np.array([1, 2, 3]))
        array([1, 3, 6])
    """
    states = _states("scan()", fn, elems, initializer, backwards=reverse)
    if initializer is not None:
        states = states[1:]
    if not states:
        raise BuildError("scan(): elems must not be empty.")
    if reverse:
        states.reverse()
    parts = zip(*map(nest.flatten, states), strict=True)
    return nest.pack_sequence_as(states[0], [np.stack(part) for part in parts])


def _states(call: str, fn: Any, elems: Any, initializer: Any, *, backwards: bool) -> list[Any]:
    """Return the state before the first slice, and after each."""
    if not callable(fn):
        raise BuildTypeError(f"{call}: fn must be callable, got {fn!r}.")
    given = nest.map_structure(_given, elems)
    leaves = nest.flatten(given)
    if not leaves or any(not np.ndim(leaf) for leaf in leaves):
        raise BuildError(f"{call}: elems must be arrays with at least one axis.")
    lengths = {len(leaf) for leaf in leaves}
    if len(lengths) > 1:
        raise BuildError(f"{call}: elems must have one length, got {sorted(lengths)}.")
    places = list(range(lengths.pop()))
    found = symbols_in(leaves)
    if found and len(places) > _MOST_RECORDED:
        found[0].trace.give_up(f"calls {call} on {len(places)} slices")
    if backwards:
        places.reverse()
    slices = [nest.map_structure(lambda leaf, n=n: leaf[n], given) for n in places]
    if initializer is None:
        if not slices:
            raise BuildError(f"{call}: elems must not be empty where there is no initializer.")
        states, slices = [slices[0]], slices[1:]
    else:
        states = [nest.map_structure(_given, initializer)]
    for part in slices:
        states.append(nest.map_structure(_given, fn(states[-1], part)))
    return states


def _given(leaf: Any) -> Any:
    return leaf if isinstance(leaf, Symbol) else ingest(leaf)
