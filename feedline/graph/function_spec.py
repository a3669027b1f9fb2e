"""function_spec: what a function makes of elements, known without an element."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.block import Block
from feedline.column import Column, Dense, Objects, Ragged
from feedline.graph.op import Ref
from feedline.graph.recorder import declared_results, record
from feedline.graph.untraceable import Untraceable
from feedline.graph.varied import is_varied, made_up_shape
from feedline.spec import RaggedTensorSpec, TensorSpec, array_spec, spec_of, zeros_of
from feedline.structure import structure_of

if TYPE_CHECKING:
    from feedline.graph.program import Program
    from feedline.graph.record import Recording

__all__ = ["recorded_for", "spec_of_result"]


def spec_of_result(fn: Callable[..., Any], spec: Any) -> Any:
    """Return the spec of ``fn(element)`` for elements of a spec, or raise Untraceable."""
    try:
        program = recorded_for(fn, spec).program
    except Untraceable:
        program = _declared_results(fn, spec)
    leaves = structure_of(spec).flatten(spec)
    results = []
    for output, form in zip(program.outputs, program.forms, strict=True):
        if form is not None:
            results.append(TensorSpec(form.shape, form.dtype))
        elif isinstance(output, Ref) and output.number in program.specs:
            results.append(program.specs[output.number])
        elif isinstance(output, Ref):
            # A row of a ragged tensor is an array, once a function has had it in hand.
            results.append(array_spec(leaves[program.inputs.index(output.number)]))
        else:
            results.append(spec_of(output))
    return program.structure.pack(results)


def recorded_for(fn: Callable[..., Any], spec: Any, *, may_change: bool = True) -> Recording:
    """Return the recording of a function for elements of a spec, or raise Untraceable."""
    examples = _examples(spec)
    try:
        return record(fn, examples, may_change=may_change, made_up=True)
    except Untraceable:
        numbered = tuple(map(_saying_zero, examples.columns))
        if all(map(operator.is_, numbered, examples.columns)):
            raise
        # Strings are empty in examples, which is no number: that may be all that was wrong.
        block = Block(examples.structure, numbered, _EXAMPLES)
        return record(fn, block, may_change=may_change, made_up=True)


_EXAMPLES = 2


def _declared_results(fn: Callable[..., Any], spec: Any) -> Program:
    structure = structure_of(spec)
    leaves = structure.flatten(spec)
    unknown = {number: leaf for number, leaf in enumerate(leaves) if _has_no_rank(leaf)}
    known = [TensorSpec((), one.dtype) if _has_no_rank(one) else one for one in leaves]
    return declared_results(fn, _examples(structure.pack(known)), unknown)


def _has_no_rank(leaf: Any) -> bool:
    return isinstance(leaf, TensorSpec) and leaf.shape is None


def _examples(spec: Any) -> Block:
    structure = structure_of(spec)
    columns = tuple(_example(leaf) for leaf in structure.flatten(spec))
    return Block(structure, columns, _EXAMPLES)


def _example(leaf: Any) -> Column:
    """Return a column of examples of one leaf, which differ in length where elements may."""
    if not isinstance(leaf, TensorSpec) or leaf.dtype.kind in "OSUV":
        try:
            return Objects([zeros_of(leaf), zeros_of(_with_longer_rows(leaf))])
        except Exception as error:
            raise Untraceable(f"gets elements of {leaf}") from error
    if is_varied(leaf.shape):
        shapes = [made_up_shape(leaf.shape, number) for number in range(_EXAMPLES)]
        return Objects([np.zeros(shape, leaf.dtype) for shape in shapes])
    if leaf.shape is None:
        raise Untraceable(f"gets elements of {leaf}, whose shapes differ")
    shape = tuple(length for length in leaf.shape if length is not None)
    if len(shape) < len(leaf.shape):
        return Ragged(np.zeros((5, *shape), leaf.dtype), np.array([0, 2, 5]))
    return Dense(np.zeros((_EXAMPLES, *shape), leaf.dtype))


def _with_longer_rows(leaf: Any) -> Any:
    """Return a spec of strings or ragged rows with 2 for an unknown number of them."""
    kind = type(leaf)
    if kind not in (TensorSpec, RaggedTensorSpec) or not leaf.shape:
        return leaf
    if kind is TensorSpec:
        return TensorSpec([2 if length is None else length for length in leaf.shape], leaf.dtype)
    length, *inner = leaf.shape
    shape = [2 if length is None else length, *inner]
    return RaggedTensorSpec(shape, leaf.dtype, leaf.ragged_rank, leaf.row_splits_dtype)


def _saying_zero(column: Column) -> Column:
    """Return examples with "0" in place of empty strings."""
    if not isinstance(column, Objects):
        return column
    items = [_zero_text(item) for item in column.items]
    return column if all(map(operator.is_, items, column.items)) else Objects(items)


def _zero_text(item: Any) -> Any:
    if isinstance(item, bytes) and not item:
        return b"0"
    if isinstance(item, np.ndarray) and item.dtype == object:
        return np.where(item == b"", b"0", item)
    return item
