"""mapping: ``map_fn`` inside a recorded function.

The function is recorded once, for one slice. Over a block it runs on the slices of all
elements at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from feedline import nest
from feedline.column import Dense
from feedline.functions.branch import Branch, all_captured, record_branch
from feedline.functions.function_trace import FunctionTrace, is_one, real_values
from feedline.graph.rows import Rows
from feedline.graph.rule import batched
from feedline.graph.symbol import Symbol
from feedline.graph.trace import Trace
from feedline.graph.untraceable import refuse
from feedline.leaf_spec import TensorSpec

__all__ = ["map_symbols"]


def _mapped(branch: Branch, arrays: Sequence[Any], captured: Sequence[Any]) -> list[Any]:
    rows = zip(*arrays, strict=True)
    results = [branch.once([*row, *captured]) for row in rows]
    return [np.stack(parts) for parts in zip(*results, strict=True)]


@batched(_mapped, fresh=True)
def _mapped_rows(branch: Branch, arrays: Sequence[Any], captured: Sequence[Any]) -> Any:
    if any(not isinstance(array, Rows) for array in arrays):
        raise NotImplementedError
    count, length = arrays[0].array.shape[:2]
    flat = [a.array.reshape(count * length, *a.array.shape[2:]) for a in arrays]
    repeated = [np.repeat(value.array, length, axis=0) for value in captured]
    made = branch.rows([*flat, *repeated], count * length)
    return [part.reshape(count, length, *part.shape[1:]) for part in made]


def map_symbols(trace: Trace, fn: Callable[..., Any], elems: Any, wanted: Any) -> Any:
    """Return ``fn`` of every slice, stacked, as part of a recording."""
    leaves = nest.flatten(elems)

    def cast(element: Any) -> Any:
        return _cast(fn(element), wanted)

    length = leaves[0].shape[0]
    if not length or any(leaf.shape[0] != length for leaf in leaves):
        trace.give_up("maps over an axis of unknown length, or of none")
        return _plainly(cast, elems, real_values(leaves), [])
    parameters = [_slice(trace, leaf) for leaf in leaves]
    packed = nest.pack_sequence_as(elems, parameters)
    branch, made = record_branch(trace, cast, parameters, [packed])
    if isinstance(trace, FunctionTrace) and trace.given_up is not None:
        first = nest.map_structure(real_values, made)
        return _plainly(cast, elems, real_values(leaves), [first])
    captured, _ = all_captured(trace, [branch])
    args = (branch, leaves, captured)
    if isinstance(trace, FunctionTrace):
        return nest.pack_sequence_as(made, _of_call(trace, args, nest.flatten(made), length))
    return nest.pack_sequence_as(made, trace.record(_mapped, args, {}))


def _of_call(trace: FunctionTrace, args: Any, first: list[Any], length: int) -> list[Symbol]:
    """Run the function on the other slices of a call: the first was recorded."""
    branch, leaves, captured = args
    rows = [real_values(first)]
    if trace.runs:
        outside = real_values(captured)
        rest = zip(*(real_values(leaf)[1:] for leaf in leaves), strict=True)
        rows.extend(branch.once([*row, *outside]) for row in rest)
    else:
        rows *= length
    values = [np.stack(parts) for parts in zip(*rows, strict=True)]
    symbols_in = [leaf for leaf in leaves if isinstance(leaf, Symbol)]
    if any(not is_one(symbol) for symbol in [*captured, *symbols_in]):
        trace.lost.add(1)  # what becomes of other lengths is not known
    symbols = [trace.new_symbol(value.shape, value.dtype, [value, value]) for value in values]
    trace.write(_mapped, args, symbols)
    return symbols


def _slice(trace: Trace, leaf: Any) -> Symbol:
    if isinstance(trace, FunctionTrace):
        samples = [leaf[0], leaf[0]]
        if isinstance(leaf, Symbol):
            given = leaf.samples if leaf.samples else [leaf.value, leaf.value]
            samples = [None if sample is None else sample[0] for sample in given]
        return trace.new_symbol(leaf.shape[1:], leaf.dtype, samples)
    if not isinstance(leaf, Symbol) or not isinstance(leaf.block, np.ndarray):
        refuse("maps over what is not an array of each element")
    block = leaf.block[:, 0]
    return trace.input(Dense(block), leaf.shape[1:], list(block))  # type: ignore[index]


def _cast(result: Any, wanted: Any) -> Any:
    if wanted is None:
        return result
    dtypes = [one.dtype if isinstance(one, TensorSpec) else one for one in nest.flatten(wanted)]
    leaves = [
        leaf if dtype == object or leaf.dtype == dtype else leaf.astype(dtype)
        for leaf, dtype in zip(map(_array, nest.flatten(result)), dtypes, strict=True)
    ]
    return nest.pack_sequence_as(result, leaves)


def _array(leaf: Any) -> Any:
    return leaf if isinstance(leaf, Symbol) else np.asarray(leaf)[()]


def _plainly(fn: Any, elems: Any, values: Any, done: list[Any]) -> Any:
    """Finish as plain Python, with what is done already."""
    rows = list(zip(*map(list, values), strict=True))[len(done) :]
    made = [*done, *(fn(nest.pack_sequence_as(elems, list(row))) for row in rows)]
    if not made:
        return nest.map_structure(lambda leaf: np.zeros((0,), leaf.dtype), elems)
    stacked = [np.stack(parts) for parts in zip(*map(nest.flatten, made), strict=True)]
    return nest.pack_sequence_as(made[0], stacked)
