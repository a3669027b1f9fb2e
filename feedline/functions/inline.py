"""inline: a ``@function`` called while another function is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from feedline import nest
from feedline.functions.call import Call
from feedline.functions.concrete import ConcreteFunction, Recorded
from feedline.functions.function_trace import FunctionTrace
from feedline.functions.tracing import finished, is_closed, numbers_of, program_of
from feedline.graph.active import recording
from feedline.graph.op import Op
from feedline.graph.rule import RULES
from feedline.graph.symbol import Symbol
from feedline.graph.trace import Trace

if TYPE_CHECKING:
    from feedline.functions.function import Function

__all__ = ["inline"]


def inline(fn: Function[..., Any], trace: Trace | None, call: Call, args: Any, kwargs: Any) -> Any:
    """Return the result as part of the recording that is being made.

    Its Python runs once per signature, as that of any function: the second time the same
    operations are recorded again.
    """
    # The symbols know best: plain code inside a recording may be recorded by itself.
    trace = next((array.trace for array in call.arrays if isinstance(array, Symbol)), trace)
    assert trace is not None
    with recording(trace):
        if not isinstance(trace, FunctionTrace) or not _is_symbolic(trace, call):
            return fn.plain(*args, **kwargs)
        return _once(fn, trace, call, args, kwargs)


def _is_symbolic(trace: FunctionTrace, call: Call) -> bool:
    return trace.given_up is None and all(
        isinstance(array, Symbol) and not array.is_constant for array in call.arrays
    )


def _once(fn: Function[..., Any], trace: FunctionTrace, call: Call, args: Any, kwargs: Any) -> Any:
    arguments = fn.arguments_of(call, args, kwargs)
    symbols = [call.arrays[number] for number in arguments.order]
    known = fn.traces.find(arguments.frame, arguments.forms)
    if known is not None and known.recorded is not None:
        return known.inlined(_recorder(trace), symbols)
    # Under numbers of their own: the function may also refer to what it is given.
    own = [trace.new_symbol(symbol.shape, symbol.dtype, symbol.samples) for symbol in symbols]
    trace.write(_handed_over, tuple(symbols), own)
    start, inputs = len(trace.ops), numbers_of(own)
    args, kwargs = arguments.filled(own)
    result = finished(fn.python_function(*args, **kwargs))
    ops = trace.ops[start:]
    is_whole = trace.given_up is None and inputs == numbers_of(own)
    if known is None and is_whole and is_closed(ops, inputs, nest.flatten(result)):
        concrete = ConcreteFunction(fn.name, arguments, arguments.forms, fn.plain)
        leaves = nest.flatten(result)
        concrete.recorded = Recorded(program_of(ops, inputs, leaves), result)
        fn.traces.keep(arguments.frame, concrete)
    return result


def _handed_over(*values: Any) -> tuple[Any, ...]:
    return values


def _record_again(trace: FunctionTrace, args: Any) -> Any:
    own = [trace.new_symbol(symbol.shape, symbol.dtype, symbol.samples) for symbol in args]
    trace.write(_handed_over, tuple(args), own)
    return own


_handed_over.record_again = _record_again  # type: ignore[attr-defined]


def _recorder(trace: FunctionTrace) -> Any:
    def record(op: Op, args: Any, kwargs: Any) -> Any:
        again = getattr(op.fn, "record_again", None)
        if again is not None:
            return again(trace, args)
        if not op.single and op.fn not in RULES:
            return trace.record_call(op.fn, args)
        return trace.record(op.fn, args, kwargs)

    return record
