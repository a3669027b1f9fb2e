"""leaf_operation: our own functions on leaves that are no arrays, such as strings and records.

A recorded function may give a string to such a function and nothing else. What comes out
is told beforehand by a spec, for neither dtype nor shape can be read off a few strings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from feedline.column import Column, Dense, Objects, Ragged, column_of
from feedline.graph.op import LeafForm, Op, Ref
from feedline.graph.opaque import Opaque
from feedline.graph.rows import Rows
from feedline.graph.same import same_leaves
from feedline.graph.symbol import Symbol
from feedline.graph.trace import Trace
from feedline.graph.untraceable import refuse
from feedline.graph.varied import is_varied, made_up_shape, stretched_last
from feedline.spec import TensorSpec, zeros_of
from feedline.structure import Structure, structure_of

__all__ = ["leaf_operation"]

P = ParamSpec("P")
R = TypeVar("R")

_OBJECT = LeafForm(None, np.dtype(object))


def leaf_operation(
    spec: Callable[..., Any], columns: Callable[..., Sequence[Column]] | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function on single leaves be recorded as one operation.

    Args:
        spec: Gets the function's arguments and returns the spec of its result: a structure
            of TensorSpecs. Lengths that depend on values must be None in it.
        columns: Gets the function's arguments with a Column in place of every leaf that
            differs between elements, Rows for those that are dense numbers, and returns
            one column for each leaf of the result. Whatever it raises, or returns with
            other values than the elements one by one, makes the function run on each.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def recorded(*args: P.args, **kwargs: P.kwargs) -> R:
            found = _varying_in((args, kwargs))
            if not found:
                return function(*args, **kwargs)
            trace = found[0].trace
            if not trace.sealed:
                # A recorded @function holds numbers alone: it goes on with what it was given.
                trace.give_up(f"calls {function.__name__}(), which is about strings")
                return function(*_swap(args, _of_sample(0)), **_swap(kwargs, _of_sample(0)))
            result: R = _record(trace, function, spec, columns, args, kwargs)
            return result

        return recorded

    return decorate


def _record(
    trace: Trace,
    function: Callable[..., Any],
    spec: Callable[..., Any],
    columns: Callable[..., Sequence[Column]] | None,
    args: Any,
    kwargs: Any,
) -> Any:
    specs = spec(*args, **kwargs)
    structure = structure_of(specs)
    forms = tuple(map(_form_of, structure.leaves_of(specs)))
    flat = _Flat(function, structure)
    samples: list[list[Any]] = []
    replaced = False
    for number in range(trace.count):
        pick = _of_sample(number)
        try:
            samples.append(flat(*_swap(args, pick), **_swap(kwargs, pick)))
        except Exception as error:
            if not trace.made_up:
                trace.lose(number, function, error)
            # Not every string is a record: what comes of real ones is told by the spec.
            replaced = True
            samples.append([_made_up(leaf, number) for leaf in structure.leaves_of(specs)])
    parts = [list(part) for part in zip(*samples, strict=True)]
    whole = parts
    if trace.invented:
        # The same size in all samples would be taken for that of all elements.
        parts = [
            stretched_last(part, form.shape) if is_varied(form.shape) else part
            for part, form in zip(parts, forms, strict=True)
        ]
    run = None if columns is None else _Columns(columns, forms)
    blocks: list[Any] = [_block_of(part, form) for part, form in zip(parts, forms, strict=True)]
    if run is not None and not replaced and not _agrees(run, args, kwargs, whole):
        run = None
    results = [
        _result(trace, form, part, block)
        for form, part, block in zip(forms, parts, blocks, strict=True)
    ]
    for result, leaf in zip(results, structure.leaves_of(specs), strict=True):
        if isinstance(result, Opaque):
            trace.declare(result.number, leaf)
    trace.ops.append(
        Op(
            flat,
            tuple(_swap(args, _recorded)),
            dict(_swap(kwargs, _recorded)),
            tuple(result.number for result in results if result.number is not None),
            forms,
            single=False,
            run=run,
            fresh=run is not None,
            exact=True,
        )
    )
    return structure.pack(results)


class _Flat:
    """A function whose result is taken apart."""

    def __init__(self, function: Callable[..., Any], structure: Structure) -> None:
        self.function = function
        self._structure = structure
        self.__name__ = function.__name__

    def __call__(self, *args: Any, **kwargs: Any) -> list[Any]:
        return self._structure.flatten(self.function(*args, **kwargs))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flat) and other.function is self.function

    def __hash__(self) -> int:
        return hash(self.function)


class _Columns:
    """The rule of a function: arrays in place of dense columns."""

    def __init__(self, run: Callable[..., Sequence[Column]], forms: Sequence[LeafForm]) -> None:
        self._run = run
        self._dense = [form.is_dense for form in forms]

    def __call__(self, *args: Any, **kwargs: Any) -> list[Any]:
        made = self._run(*args, **kwargs)
        return [
            column.array if is_dense and isinstance(column, Dense) else column
            for column, is_dense in zip(made, self._dense, strict=True)
        ]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Columns) and other._run is self._run

    def __hash__(self) -> int:
        return hash(self._run)


def _agrees(run: _Columns, args: Any, kwargs: Any, parts: list[list[Any]]) -> bool:
    """Whether the rule gives what the samples one by one gave."""
    try:
        made = run(*_swap(args, _as_column), **_swap(kwargs, _as_column))
    except Exception:
        return False
    rows = [list(one) if isinstance(one, np.ndarray) else one.rows() for one in made]
    return len(rows) == len(parts) and all(
        len(ours) == len(theirs) and all(map(same_leaves, ours, theirs))
        for ours, theirs in zip(rows, parts, strict=True)
    )


def _form_of(leaf: Any) -> LeafForm:
    if not isinstance(leaf, TensorSpec) or leaf.dtype.kind in "OSUV":
        return _OBJECT
    if leaf.shape is None:
        return _OBJECT
    return LeafForm(leaf.shape, leaf.dtype)


def _made_up(leaf: Any, number: int) -> Any:
    """Return a value that has a spec, with other lengths for every number."""
    if isinstance(leaf, TensorSpec) and leaf.shape is not None:
        return zeros_of(TensorSpec(made_up_shape(leaf.shape, number), leaf.dtype))
    return zeros_of(leaf)


def _block_of(part: list[Any], form: LeafForm) -> Any:
    if is_varied(form.shape):
        return Objects(part)
    column = column_of(part)
    if form.is_dense:
        if not isinstance(column, Dense) or column.array.shape[1:] != form.shape:
            refuse("gets something else out of a string than was declared")
        return column.array
    if isinstance(column, Dense) and form.dtype != object:
        array = column.array
        splits = np.arange(len(array) + 1) * array.shape[1]
        return Ragged(array.reshape(-1, *array.shape[2:]), splits)
    return column


def _result(trace: Trace, form: LeafForm, part: list[Any], block: Any) -> Symbol | Opaque:
    if form.dtype == object:
        kinds = " or ".join(sorted({type(value).__name__ for value in part}))
        return trace.opaque(f"a leaf of type {kinds}", part, block)
    return trace.made(form, part, block)


def _varying_in(value: Any) -> list[Any]:
    found: list[Any] = []

    def note(one: Any) -> Any:
        if isinstance(one, Opaque) or not one.is_constant:
            found.append(one)
        return one

    _swap(value, note)
    return found


def _swap(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return an argument with everything that differs between elements replaced."""
    if isinstance(value, (Symbol, Opaque)):
        return change(value)
    kind = type(value)
    if kind is list or kind is tuple:
        return kind([_swap(item, change) for item in value])
    if kind is dict:
        return {key: _swap(item, change) for key, item in value.items()}
    return value


def _of_sample(number: int) -> Callable[[Any], Any]:
    def pick(one: Any) -> Any:
        if isinstance(one, Symbol) and one.samples is None:
            return one.read()
        return one.samples[number]

    return pick


def _recorded(one: Any) -> Any:
    return one.read() if isinstance(one, Symbol) and one.is_constant else Ref(one.number)


def _as_column(one: Any) -> Any:
    if isinstance(one, Symbol) and one.is_constant:
        return one.read()
    return Rows(one.block) if isinstance(one.block, np.ndarray) else one.block
