"""choose: one of several functions, by the value of an index, as part of a recording.

On one element only the function that is chosen runs. Over a block each runs on the rows
that choose it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from feedline import nest
from feedline.functions.branch import Branch, all_captured, record_branch
from feedline.functions.function_trace import FunctionTrace, real_values
from feedline.graph.rule import batched
from feedline.graph.symbol import Symbol
from feedline.graph.trace import Trace
from feedline.graph.untraceable import Untraceable, refuse
from feedline.shapes import merge_shapes
from feedline.site import caller_site

__all__ = ["Choice", "choose"]


class Choice:
    """Branches, where in the list of what they refer to each finds its own, and their keys.

    An index that is no key chooses the last.
    """

    def __init__(
        self, branches: Sequence[Branch], places: list[list[int]], keys: list[int]
    ) -> None:
        self.branches = tuple(branches)
        self.places = places
        self.keys = keys

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Choice)
            and self.branches == other.branches
            and self.places == other.places
            and self.keys == other.keys
        )

    def __hash__(self) -> int:
        return id(self)


def choose(index: Symbol, keys: list[int], fns: Sequence[Callable[[], Any]]) -> Any:
    """Return what the function that an index chooses returns.

    Args:
        index: An integer that is not known while recording.
        keys: Those of the functions; any other chooses the last.
        fns: Functions without arguments; they must return the same structure and dtypes.
    """
    trace = index.trace
    if isinstance(trace, FunctionTrace):
        return _chosen(trace, index, keys, fns)
    made = [record_branch(trace, fn, [], []) for fn in fns]
    results = [result for _, result in made]
    if _mismatch(results) or len({_shapes(result) for result in results}) > 1:
        refuse("has branches that return different structures, dtypes or shapes")
    captured, places = all_captured(trace, [branch for branch, _ in made])
    choice = Choice([branch for branch, _ in made], places, keys)
    leaves = trace.record(_choose, (index, choice, captured), {})
    return nest.pack_sequence_as(results[0], leaves)


def _place(index: Any, keys: list[int]) -> int:
    number = int(index)
    return keys.index(number) if number in keys else len(keys) - 1


def _choose(index: Any, choice: Choice, captured: Sequence[Any]) -> list[Any]:
    number = _place(index, choice.keys)
    return choice.branches[number].once([captured[place] for place in choice.places[number]])


@batched(_choose, fresh=True)
def _choose_rows(index: Any, choice: Choice, captured: Sequence[Any]) -> Any:
    which = np.full(index.length, len(choice.keys) - 1)
    for number, key in enumerate(choice.keys[:-1]):
        which[index.array == key] = number
    which[index.array == choice.keys[-1]] = len(choice.keys) - 1
    results: list[Any] = []
    for number, branch in enumerate(choice.branches):
        rows = np.flatnonzero(which == number)
        if not rows.size:
            continue
        values = [captured[place].array[rows] for place in choice.places[number]]
        made = branch.rows(values, len(rows))
        if not results:
            results = [np.empty((len(which), *part.shape[1:]), part.dtype) for part in made]
        for result, part in zip(results, made, strict=True):
            result[rows] = part
    return results


# ---- inside a @function -----------------------------------------------------------


def _chosen(
    trace: FunctionTrace, index: Symbol, keys: list[int], fns: Sequence[Callable[[], Any]]
) -> Any:
    """Run the function that is chosen; record the others without running them for real."""
    taken = _place(real_values(index), keys)
    if trace.given_up is not None:
        return fns[taken]()
    record = record_branch(trace, fns[taken], [], []) if trace.runs else _dry(trace, fns[taken])
    branch, result = record
    if trace.given_up is not None:
        return result
    made: dict[int, tuple[Branch, Any]] = {taken: (branch, result)}
    try:
        for number, fn in enumerate(fns):
            if number != taken:
                made[number] = _dry(trace, fn)
        wrong = _mismatch([made[number][1] for number in range(len(fns))])
        if wrong:
            refuse(wrong)
    except (Untraceable, Exception) as error:
        return _without(trace, result, error)
    branches = [made[number][0] for number in range(len(fns))]
    captured, places = all_captured(trace, branches)
    results = [nest.flatten(made[number][1]) for number in range(len(fns))]
    symbols = [
        _symbol(trace, leaf, [other[place] for other in results])
        for place, leaf in enumerate(results[taken])
    ]
    trace.write(_choose, (index, Choice(branches, places, keys), captured), symbols)
    return nest.pack_sequence_as(result, symbols)


def _without(trace: FunctionTrace, result: Any, error: BaseException) -> Any:
    """Go on as plain Python with the result there is, if it is that of a real call."""
    refusal = error if isinstance(error, Untraceable) else None
    if refusal is None:
        text = f"has a branch that fails while it is recorded: {error}"
        refusal = Untraceable(text, caller_site())
    if not trace.runs:
        raise refusal
    trace.given_up = refusal
    return nest.map_structure(real_values, result)


def _dry(trace: FunctionTrace, fn: Callable[[], Any]) -> tuple[Branch, Any]:
    with trace.dry():
        return record_branch(trace, fn, [], [])


def _symbol(trace: FunctionTrace, leaf: Any, others: list[Any]) -> Symbol:
    shape = reduce(merge_shapes, [other.shape for other in others])
    samples: list[Any] = [leaf, leaf]
    if isinstance(leaf, Symbol):
        samples = list(leaf.samples) if leaf.samples else [leaf.value, leaf.value]
    return trace.new_symbol(shape, leaf.dtype, samples)


def _mismatch(results: list[Any]) -> str:
    for other in results[1:]:
        try:
            nest.assert_same_structure(results[0], other)
        except ValueError:
            return "has branches that return different structures"
        pairs = zip(nest.flatten(results[0]), nest.flatten(other), strict=True)
        if any(one.dtype != two.dtype for one, two in pairs):
            return "has branches that return different dtypes"
    return ""


def _shapes(result: Any) -> tuple[Any, ...]:
    return tuple(leaf.shape for leaf in nest.flatten(result))


def _record_again(trace: Trace, args: Sequence[Any]) -> Any:
    assert isinstance(trace, FunctionTrace)
    return trace.record_call(_choose, args)


_choose.record_again = _record_again  # type: ignore[attr-defined]
