"""tracing: running a function on symbols, and what becomes of its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from feedline import nest
from feedline.functions.call import ArrayForm, as_array
from feedline.functions.concrete import ConcreteFunction, Recorded
from feedline.functions.function_trace import FunctionTrace, real_values
from feedline.functions.replay import private, without_sharing
from feedline.functions.traces import Traces
from feedline.graph.active import recording
from feedline.graph.op import LeafForm, Op, Ref, resolved
from feedline.graph.program import Program
from feedline.graph.symbol import Symbol
from feedline.graph.untraceable import Untraceable, refuse
from feedline.leaf import as_leaf
from feedline.narrow import narrowed
from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor
from feedline.structure import structure_of

__all__ = ["finished", "is_closed", "numbers_of", "program_of", "traced", "traced_without_values"]


def traced(concrete: ConcreteFunction, arrays: Sequence[Any], traces: Traces) -> Any:
    """Return the result of a call that is recorded while it runs."""
    if concrete.refusal:
        return concrete.call_plainly(arrays)
    trace = FunctionTrace(is_real=True)
    symbols = [
        trace.argument(*_real_and_invented(array, form))
        for array, form in zip(arrays, concrete.forms, strict=True)
    ]
    numbers = numbers_of(symbols)
    try:
        result = _called(concrete, trace, symbols)
    except Untraceable as refusal:
        # It did not get far enough to go on with values: it starts again.
        _refuse(concrete, refusal, traces)
        return concrete.call_plainly(arrays)
    leaves = nest.flatten(result)
    if trace.given_up is not None:
        _refuse(concrete, trace.given_up, traces)
    else:
        concrete.recorded = Recorded(program_of(trace.ops, numbers, leaves), result)
        if trace.lost:  # nothing is known about other lengths than these
            concrete.forms = tuple(
                ArrayForm(f.dtype, np.shape(a)) for f, a in zip(concrete.forms, arrays, strict=True)
            )
    return nest.pack_sequence_as(result, without_sharing(real_values(leaves), ()))


def traced_without_values(concrete: ConcreteFunction, traces: Traces) -> None:
    """Record a function for its signature alone."""
    if concrete.refusal:
        return
    trace = FunctionTrace(is_real=False)
    symbols = []
    for form in concrete.forms:
        one = _made_up(form, 2)
        symbols.append(trace.argument(one, one if _is_known(form) else _made_up(form, 3)))
    numbers = numbers_of(symbols)
    try:
        with np.errstate(all="ignore"):
            result = _called(concrete, trace, symbols)
    except Untraceable as refusal:
        # A call has values to go on with.
        concrete.refusal = str(refusal)
        concrete.on_first = lambda arrays: _traced_at_last(concrete, arrays, traces)
        return
    concrete.recorded = Recorded(program_of(trace.ops, numbers, nest.flatten(result)), result)


def _traced_at_last(concrete: ConcreteFunction, arrays: Sequence[Any], traces: Traces) -> Any:
    with traces.lock:
        concrete.on_first = None
        concrete.refusal = ""
        return traced(concrete, arrays, traces)


def _called(concrete: ConcreteFunction, trace: FunctionTrace, symbols: list[Symbol]) -> Any:
    args, kwargs = concrete.arguments.filled(symbols)
    numbers = numbers_of(symbols)
    with recording(trace):
        result = concrete.plain(*args, **kwargs)
        leaves = nest.flatten(result)
        for leaf in leaves:
            if isinstance(leaf, (RaggedTensor, SparseTensor)):
                trace.give_up(f"returns a {type(leaf).__name__}")
            elif trace.given_up is None and not _is_plain(leaf):
                refuse(f"returns a {type(leaf).__name__}")
        if trace.given_up is None and not is_closed(trace.ops, numbers, leaves):
            refuse("uses outside of a branch what was made inside it")
    return result


def _is_plain(leaf: Any) -> bool:
    return leaf is None or isinstance(leaf, (Symbol, np.ndarray, np.generic, str, bytes))


def _refuse(concrete: ConcreteFunction, refusal: Untraceable, traces: Traces) -> None:
    concrete.refusal = str(refusal)
    traces.note(concrete.name, refusal)


def numbers_of(symbols: Sequence[Symbol]) -> list[int]:
    """Return the numbers of arguments; a symbol that is changed in place takes another."""
    return [symbol.number for symbol in symbols if symbol.number is not None]


def program_of(
    ops: Sequence[Op],
    inputs: Sequence[int],
    leaves: Sequence[Any],
    ranks: Mapping[int, int] = MappingProxyType({}),
) -> Program:
    """Return the program from the values with the numbers ``inputs`` to the leaves of a result."""
    outputs: list[Any] = []
    forms: list[LeafForm | None] = []
    for leaf in leaves:
        if isinstance(leaf, Symbol) and leaf.number is not None:
            outputs.append(Ref(leaf.number))
            forms.append(LeafForm(leaf.shape, leaf.dtype))
            continue
        constant = leaf.value if isinstance(leaf, Symbol) else leaf
        if isinstance(constant, np.ndarray):
            constant = constant.copy()
            constant.flags.writeable = False
        outputs.append(constant)
        forms.append(None)
    structure = structure_of(tuple(range(len(outputs))))
    return Program(inputs, ops, structure, outputs, forms, ranks)


def is_closed(ops: Sequence[Op], inputs: Sequence[int], leaves: Sequence[Any]) -> bool:
    """Whether operations and a result use nothing but what comes in."""
    made = set(inputs)
    used: list[int] = []
    for op in ops:
        resolved((op.args, op.kwargs), used.append)
        if not made.issuperset(used):
            return False
        made.update(op.outs)
    numbers = [leaf.number for leaf in leaves if isinstance(leaf, Symbol)]
    return made.issuperset(number for number in numbers if number is not None)


def finished(result: Any) -> Any:
    """Return a function's result with NumPy values for its Python numbers, as TensorFlow's."""
    return nest.map_structure(_finished_leaf, result)


def _finished_leaf(leaf: Any) -> Any:
    if isinstance(leaf, (bool, int, float, complex)) and not isinstance(leaf, np.generic):
        return narrowed(np.asarray(as_leaf(leaf)))[()]
    return as_array(leaf)


def _real_and_invented(array: Any, form: ArrayForm) -> tuple[Any, Any]:
    real = private(array)
    if _is_known(form) or form.shape is None:
        return real, real
    longer = [(0, 1 if length is None else 0) for length in form.shape]
    if not np.size(real):
        shape = [length + more for length, (_, more) in zip(np.shape(real), longer, strict=True)]
        return real, np.zeros(shape, form.dtype)
    return real, np.pad(real, longer, mode="edge")


def _is_known(form: ArrayForm) -> bool:
    return form.shape is not None and None not in form.shape


def _made_up(form: ArrayForm, length: int) -> Any:
    if form.shape is None:
        refuse("is recorded for an array of unknown rank")
    return np.ones([length if n is None else n for n in form.shape], form.dtype)[()]
