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
from feedline.graph.branch import Branch, all_captured, record_branch
from feedline.graph.function_trace import FunctionTrace, real_values
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
    length = leaves[0].shape[0]
    if length is None or length == 0 or any(leaf.shape[0] != length for leaf in leaves):
        trace.give_up("maps over an axis of unknown length")
        return _plainly(fn, elems, real_values(leaves), wanted, 0, [])
    parameters = [_slice(trace, leaf) for leaf in leaves]
    packed = nest.pack_sequence_as(elems, parameters)

    def cast(element: Any) -> Any:
        return _cast(fn(element), wanted)

    branch, made = record_branch(trace, cast, parameters, [packed])
    if isinstance(trace, FunctionTrace) and trace.given_up is not None:
        first = [real_values(leaf) for leaf in nest.flatten(made)]
        return _plainly(
            cast, elems, real_values(leaves), None, 1, [nest.pack_sequence_as(made, first)]
        )
    captured, places = all_captured(trace, [branch])
    args = (branch, leaves, [captured[place] for place in places[0]])
    if not isinstance(trace, FunctionTrace):
        return nest.pack_sequence_as(made, trace.record(_mapped, args, {}))
    return nest.pack_sequence_as(made, _of_call(trace, args, nest.flatten(made), length))


def _of_call(trace: FunctionTrace, args: Any, first: list[Any], length: int) -> list[Symbol]:
    """Run the function on the other slices of a call: the first was recorded."""
    branch, leaves, captured = args
    real = [real_values(leaf) for leaf in first]
    if trace.is_real and not trace.is_dry:
        rest = [real_values(leaf)[1:] for leaf in leaves]
        rows = [
            real,
            *(
                branch.once([*row, *real_values(captured)])
                for row in zip(*rows_of(rest), strict=True)
            ),
        ]
    else:
        rows = [real] * length
    values = [np.stack(parts) for parts in zip(*rows, strict=True)]
    if any(
        s.samples is not None and s.samples[0] is not s.samples[1]
        for s in [*captured, *_symbols(leaves)]
    ):
        trace.lost.add(1)
    symbols = [trace.new_symbol(value.shape, value.dtype, [value, value]) for value in values]
    trace.write(_mapped, args, symbols)
    return symbols


def rows_of(arrays: list[Any]) -> list[Any]:
    """Return the slices of each array along its first axis."""
    return [list(array) for array in arrays]


def _symbols(leaves: Sequence[Any]) -> list[Symbol]:
    return [leaf for leaf in leaves if isinstance(leaf, Symbol)]


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


def _plainly(fn: Any, elems: Any, values: Any, wanted: Any, done: int, results: list[Any]) -> Any:
    rows = list(zip(*map(list, values), strict=True))[done:]
    made = [*results, *(_cast(fn(nest.pack_sequence_as(elems, list(row))), wanted) for row in rows)]
    stacked = [np.stack(parts) for parts in zip(*map(nest.flatten, made), strict=True)]
    return nest.pack_sequence_as(made[0], stacked)
