"""Branch: a function that is part of a recorded one, recorded by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from feedline import nest
from feedline.column import Dense
from feedline.functions.function_trace import FunctionTrace
from feedline.functions.replay import run_checked
from feedline.functions.tracing import finished, program_of
from feedline.graph.op import resolved
from feedline.graph.program import Program
from feedline.graph.symbol import Symbol
from feedline.graph.trace import Trace
from feedline.graph.untraceable import refuse

__all__ = ["Branch", "all_captured", "record_branch"]


class Branch:
    """A program whose inputs are its parameters, then what it refers to outside itself.

    ``captured`` are the numbers of the latter in the recording around it.
    """

    def __init__(self, program: Program, captured: Sequence[int]) -> None:
        self.program = program
        self.captured = tuple(captured)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Branch) and self.program.same_as(other.program)

    def __hash__(self) -> int:
        return id(self)

    def once(self, values: Sequence[Any]) -> list[Any]:
        """Return the results for one element."""
        return run_checked(self.program, values)

    def rows(self, values: Sequence[Any], length: int) -> list[Any]:
        """Return the results for the rows of a block: arrays."""
        columns = [_column(value, length) for value in values]
        made = self.program.run(columns, length)
        arrays = [column.array for column in made if isinstance(column, Dense)]
        if len(arrays) != len(made):
            raise NotImplementedError
        return arrays


def _column(value: Any, length: int) -> Dense:
    if isinstance(value, np.ndarray) and len(value) == length:
        return Dense(value)
    raise NotImplementedError


def record_branch(
    trace: Trace, fn: Callable[..., Any], parameters: Sequence[Symbol], args: Sequence[Any]
) -> tuple[Branch, Any]:
    """Call a function that belongs to a recording; return it as a branch, and its result.

    Args:
        trace: The recording around it.
        fn: The function.
        parameters: The symbols that stand for its arguments.
        args: The arguments, made of them.
    """
    start = len(trace.ops)
    alive = dict(trace.symbols)
    numbers = [symbol.number for symbol in parameters if symbol.number is not None]
    result = finished(fn(*args))
    ops, ranks = trace.ops[start:], trace.ranks()
    del trace.ops[start:]
    if any(symbol.number != number for number, symbol in alive.items()):
        refuse("changes an array inside a branch")
    leaves = nest.flatten(result)
    gave_up = isinstance(trace, FunctionTrace) and trace.given_up is not None
    if not gave_up and any(not _is_array(leaf) for leaf in leaves):
        refuse("returns something else than arrays from a branch")
    made = set(numbers)
    captured: list[int] = []

    def note(number: int) -> None:
        if number not in made:
            made.add(number)
            captured.append(number)

    for op in ops:
        resolved((op.args, op.kwargs), note)
        made.update(op.outs)
    for leaf in leaves:
        if isinstance(leaf, Symbol) and leaf.number is not None:
            note(leaf.number)
    return Branch(program_of(ops, [*numbers, *captured], leaves, ranks), captured), result


def _is_array(leaf: Any) -> bool:
    return isinstance(leaf, (Symbol, np.ndarray, np.generic))


def _outer(trace: Trace, number: int) -> Symbol:
    """Return the symbol a branch refers to."""
    found = trace.symbols.get(number)
    if found is None or found.number != number:
        refuse("uses in a branch what is no longer there")
    return found


def all_captured(trace: Trace, branches: Sequence[Branch]) -> tuple[list[Symbol], list[list[int]]]:
    """Return what branches refer to, each once, and where in that list each finds its own."""
    numbers: list[int] = []
    for branch in branches:
        numbers.extend(n for n in branch.captured if n not in numbers)
    places = [[numbers.index(n) for n in branch.captured] for branch in branches]
    return [_outer(trace, number) for number in numbers], places
