"""looping: ``while_loop`` inside a recorded function.

The condition and the body are recorded once. Over a block the body runs on the rows whose
condition still holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from feedline import nest
from feedline.column import Dense
from feedline.functions.branch import Branch, all_captured, record_branch
from feedline.functions.function_trace import FunctionTrace, is_one, real_values
from feedline.graph.rows import Rows, length_of
from feedline.graph.rule import batched
from feedline.graph.symbol import Symbol
from feedline.graph.trace import Trace
from feedline.graph.untraceable import refuse

__all__ = ["Loop", "loop_symbols"]

_CHANGES = "has a loop whose variables change their structure, dtype or shape"


class Loop:
    """A condition, a body, and where each finds what it refers to."""

    def __init__(
        self, condition: Branch, body: Branch, places: list[list[int]], most: int | None
    ) -> None:
        self.condition = condition
        self.body = body
        self.places = places
        self.most = most

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Loop) and (self.condition, self.body, self.places, self.most) == (
            other.condition,
            other.body,
            other.places,
            other.most,
        )

    def __hash__(self) -> int:
        return id(self)

    def run(self, values: list[Any], captured: Sequence[Any], done: int = 0) -> list[Any]:
        """Return the variables of one element after the loop."""
        outside, inside = ([captured[place] for place in places] for places in self.places)
        while self.most is None or done < self.most:
            if not self.condition.once([*values, *outside])[0]:
                break
            values = self.body.once([*values, *inside])
            done += 1
        return values


def _looped(loop: Loop, values: Sequence[Any], captured: Sequence[Any]) -> list[Any]:
    return loop.run(list(values), captured)


@batched(_looped, fresh=True)
def _looped_rows(loop: Loop, values: Sequence[Any], captured: Sequence[Any]) -> Any:
    length = length_of([list(values), list(captured)])
    state = [_rows_of(value, length) for value in values]
    outside, inside = ([captured[place].array for place in places] for places in loop.places)
    active, done = np.arange(length), 0
    while active.size and (loop.most is None or done < loop.most):
        arrays = [part[active] for part in state]
        holds = loop.condition.rows([*arrays, *(o[active] for o in outside)], len(active))[0]
        active = active[holds.astype(bool)]
        if not active.size:
            break
        arrays = [part[active] for part in state]
        made = loop.body.rows([*arrays, *(i[active] for i in inside)], len(active))
        for part, new in zip(state, made, strict=True):
            part[active] = new
        done += 1
    return state


def _rows_of(value: Any, length: int) -> Any:
    if isinstance(value, Rows):
        return value.array.copy()
    array = np.asarray(value)
    return np.repeat(array[None], length, axis=0)


# ---- recording ------------------------------------------------------------------


def loop_symbols(
    trace: Trace, cond: Callable[..., Any], body: Callable[..., Any], given: Any, most: int | None
) -> Any:
    """Return the loop variables after a loop that is part of a recording."""
    leaves = nest.flatten(given)
    parameters = [_parameter(trace, leaf) for leaf in leaves]
    packed = nest.pack_sequence_as(given, parameters)
    if isinstance(trace, FunctionTrace):
        return _loop_of_call(trace, cond, _as_list(body), given, parameters, most)
    condition, _ = record_branch(trace, cond, parameters, packed)
    inner, made = record_branch(trace, _as_list(body), parameters, packed)
    if _changes(parameters, nest.flatten(made)):
        refuse(_CHANGES)
    captured, places = all_captured(trace, [condition, inner])
    loop = Loop(condition, inner, places, most)
    return nest.pack_sequence_as(given, trace.record(_looped, (loop, leaves, captured), {}))


def _as_list(body: Callable[..., Any]) -> Callable[..., Any]:
    def call(*variables: Any) -> list[Any]:
        made = body(*variables)
        return list(made) if isinstance(made, (list, tuple)) else [made]

    return call


def _parameter(trace: Trace, leaf: Any) -> Symbol:
    """Return the symbol that stands for a variable inside the loop."""
    value = leaf.value if isinstance(leaf, Symbol) else leaf
    samples = leaf.samples if isinstance(leaf, Symbol) else None
    if isinstance(trace, FunctionTrace):
        return trace.new_symbol(leaf.shape, leaf.dtype, list(samples or [value, value]))
    if samples is not None:
        if not isinstance(leaf.block, np.ndarray):
            refuse("loops over values of different lengths")
        return trace.input(Dense(leaf.block), leaf.shape, samples)
    block = np.repeat(np.asarray(value)[None], trace.count, axis=0)
    return trace.input(Dense(block), leaf.shape, list(block))


def _changes(parameters: Sequence[Symbol], made: Sequence[Any]) -> bool:
    return len(parameters) != len(made) or any(
        one.dtype != new.dtype or one.shape != new.shape
        for one, new in zip(parameters, made, strict=True)
    )


def _loop_of_call(
    trace: FunctionTrace,
    cond: Callable[..., Any],
    body: Callable[..., Any],
    given: Any,
    parameters: list[Symbol],
    most: int | None,
) -> Any:
    """Run the loop on the values of a call; its first round is the one that is recorded."""
    packed = nest.pack_sequence_as(given, parameters)
    condition, holds = record_branch(trace, cond, parameters, packed)
    rounds, start = 0, real_values(parameters)
    if trace.given_up is None:
        rounds = int(trace.runs and most != 0 and bool(real_values(holds)))
        inner, made = _recorded_body(trace, body, parameters, packed, dry=not rounds)
        if rounds:
            start = real_values(nest.flatten(made))
        if trace.given_up is None and _changes(parameters, nest.flatten(made)):
            trace.give_up(_CHANGES)
    if trace.given_up is not None:
        return _go_on(cond, body, given, start, None if most is None else most - rounds)
    captured, places = all_captured(trace, [condition, inner])
    loop = Loop(condition, inner, places, most)
    final = loop.run(start, real_values(captured), rounds) if trace.runs else start
    if any(not is_one(symbol) for symbol in [*parameters, *captured]):
        trace.lost.add(1)  # what becomes of other lengths is not known
    symbols = [
        trace.new_symbol(np.shape(value), one.dtype, [value, value])
        for one, value in zip(parameters, final, strict=True)
    ]
    trace.write(_looped, (loop, nest.flatten(given), captured), symbols)
    return nest.pack_sequence_as(given, symbols)


def _recorded_body(
    trace: FunctionTrace, body: Any, parameters: list[Symbol], packed: Any, *, dry: bool
) -> tuple[Branch, Any]:
    if not dry:
        return record_branch(trace, body, parameters, packed)
    with trace.dry():
        return record_branch(trace, body, parameters, packed)


def _go_on(cond: Any, body: Any, given: Any, leaves: Any, most: int | None) -> Any:
    """Finish a loop as plain Python."""
    values, done = nest.pack_sequence_as(given, list(leaves)), 0
    while (most is None or done < most) and cond(*values):
        values = nest.pack_sequence_as(given, nest.flatten(body(*values)))
        done += 1
    return values
