"""function: ``@feedline.function``, tf.function's face.

The first call with a signature runs the Python function on symbols that stand for its
arrays, and is the call: its result is returned. Later calls with the same signature repeat
the recorded operations; Python does not run again. What cannot be recorded runs as plain
Python from then on, and says so once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, update_wrapper
from types import MethodType
from typing import Any, Generic, ParamSpec, TypeVar, overload

from feedline.binding import bindable
from feedline.debug_mode import functions_run_plainly
from feedline.errors import BuildError, BuildTypeError
from feedline.functions.arguments import Arguments, signature_of
from feedline.functions.call import Call
from feedline.functions.concrete import ConcreteFunction
from feedline.functions.declared import conformed, declared_forms, declared_signature
from feedline.functions.inline import inline
from feedline.functions.traces import Traces
from feedline.functions.tracing import finished, traced, traced_without_values
from feedline.graph import rules
from feedline.graph.active import active_trace
from feedline.values.publishing import as_plain_leaves
from feedline.values.tensor import as_tensors

__all__ = ["Function", "function"]

assert rules.__all__  # importing them is what registers them

P = ParamSpec("P")
R = TypeVar("R")


class Function(Generic[P, R]):
    """A Python function that is recorded once per signature; see :func:`function`."""

    # A function that is given to Dataset.map() may call this with symbols.
    __feedline_traceable__ = True

    def __init__(
        self,
        python_function: Callable[P, R],
        *,
        input_signature: Any = None,
        reduce_retracing: bool = False,
        traces: Traces | None = None,
    ) -> None:
        update_wrapper(self, python_function)
        self.python_function = python_function
        self.name = getattr(python_function, "__name__", type(python_function).__name__)
        self._signature = signature_of(python_function)
        self._declared = declared_signature(self.name, self._signature, input_signature)
        self._reduces = reduce_retracing
        self._traces = Traces() if traces is None else traces
        self._bound: dict[int, tuple[Any, Traces]] = {}

    # ---- calling ---------------------------------------------------------------------

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function: recorded the first time, repeated afterwards."""
        given: Any = as_plain_leaves(args)
        kwargs = as_plain_leaves(kwargs)
        if self._declared is not None:
            given, kwargs = conformed(self.name, self._signature, self._declared, args, kwargs)  # type: ignore[assignment]
        call = Call.of(given, kwargs)
        trace = active_trace()
        result: Any
        if call.has_symbols or trace is not None:
            return inline(self, trace, call, given, kwargs)  # type: ignore[no-any-return]
        if functions_run_plainly():
            return as_tensors(self.plain(*as_tensors(given), **as_tensors(kwargs)))  # type: ignore[no-any-return]
        known = self._traces.known.get(call.key)
        if known is None:
            result = self._first_call(call, given, kwargs)
        else:
            self._traces.history.append(False)
            concrete, order = known
            arrays = call.arrays
            result = concrete.run([arrays[number] for number in order])
        return as_tensors(result)  # type: ignore[no-any-return]

    def _first_call(self, call: Call, args: Any, kwargs: Any) -> Any:
        """Call with arguments that were not written like this before."""
        arguments = self.arguments_of(call, args, kwargs)
        arrays = [call.arrays[number] for number in arguments.order]
        traces = self._traces
        with traces.lock:
            concrete = traces.find(arguments.frame, arguments.forms)
            if concrete is None:
                if call.has_specs:
                    raise BuildTypeError(f"{self.name}(): a TensorSpec is no value to call with.")
                concrete = self._new(arguments)
                concrete.refusal = f"gets {call.unrecorded}" if call.unrecorded else ""
                result = traced(concrete, arrays, traces)
                traces.keep(arguments.frame, concrete)
                traces.remember(call, concrete, arguments)
                traces.called_with_tracing(self.name)
                return result
            traces.remember(call, concrete, arguments)
        return concrete.run(arrays)

    def arguments_of(self, call: Call, args: Any, kwargs: Any) -> Arguments:
        """Return the arguments in one order; raise BuildTypeError if they do not fit."""
        try:
            return Arguments(self._signature, call, args, kwargs)
        except TypeError as error:
            raise BuildTypeError(f"{self.name}(): {error}.") from error

    def _new(self, arguments: Arguments) -> ConcreteFunction:
        forms = arguments.forms
        if self._declared is not None:
            forms = declared_forms(self._declared, forms)
        elif self._reduces:
            forms = self._traces.relaxed(arguments.frame, forms)
        return ConcreteFunction(self.name, arguments, forms, self.plain)

    def plain(self, *args: Any, **kwargs: Any) -> Any:
        """Call the Python function, as the recorded one would return its result."""
        return finished(self.python_function(*as_tensors(args), **as_tensors(kwargs)))

    # ---- what is recorded ---------------------------------------------------------------

    @property
    def traces(self) -> Traces:
        """What was recorded so far."""
        return self._traces

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """Return the function recorded for arrays of one dtype and shape, without calling it.

        Args:
            *args: Arrays, or a TensorSpec for each; Python values become part of it.
            **kwargs: The same, by name.

        Example:
            >>> import feedline as tf
            >>> add = tf.function(lambda x, y: x + y)
            >>> spec = tf.TensorSpec([2], tf.int32)
            >>> add.get_concrete_function(spec, y=10)(tf.constant([1, 2]))
            array([11, 12], dtype=int32)
        """
        if self._declared is not None and not args and not kwargs:
            args = self._declared
        call = Call.of(args, kwargs)
        arguments = self.arguments_of(call, args, kwargs)
        traces = self._traces
        with traces.lock:
            concrete = traces.find(arguments.frame, arguments.forms)
            if concrete is None or concrete.forms != tuple(arguments.forms):
                concrete = ConcreteFunction(self.name, arguments, arguments.forms, self.plain)
                concrete.refusal = f"gets {call.unrecorded}" if call.unrecorded else ""
                traced_without_values(concrete, traces)
                traces.keep(arguments.frame, concrete)
        return concrete

    def experimental_get_tracing_count(self) -> int:
        """Return how often the function was recorded."""
        return self._traces.count

    def pretty_printed_concrete_signatures(self) -> str:
        """Return the signatures that were recorded, as text."""
        return "\n\n".join(one.pretty_printed_signature() for one in self._traces.all)

    @property
    def input_signature(self) -> tuple[Any, ...] | None:
        """The declared specs, None if there are none."""
        return self._declared

    # ---- as a method -----------------------------------------------------------------

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Return the function bound to an object, with recordings of its own."""
        if instance is None:
            return self
        traces = self._traces_of(instance)
        if traces.bound is None:
            method = MethodType(self.python_function, instance)
            bound = Function(method, reduce_retracing=self._reduces, traces=traces)
            bound._declared = self._declared
            traces.bound = bound
        return traces.bound

    def _traces_of(self, instance: Any) -> Traces:
        # Kept in the object, so that they live and die with it.
        place = f"_feedline_traces_{self.name}"
        held = getattr(instance, "__dict__", None)
        if not isinstance(held, dict):
            return self._bound.setdefault(id(instance), (instance, Traces(instance)))[1]
        found = held.get(place)
        if not isinstance(found, Traces) or found.owner != id(instance):
            found = held[place] = Traces(id(instance))
        return found

    def __reduce__(self) -> Any:
        settings = {"input_signature": self._declared, "reduce_retracing": self._reduces}
        return partial(_restored, **settings), (self.python_function,)

    def __repr__(self) -> str:
        return f"<feedline.function {self.name}>"


def _bound(fn: Function[..., Any], of: Callable[[Any], Any]) -> Function[..., Any]:
    """Return a function that is recorded with other variables; what was recorded, both have."""
    python_function = of(fn.python_function)
    if python_function is fn.python_function:
        return fn
    made = object.__new__(Function)
    made.__dict__.update(fn.__dict__)
    made.python_function = python_function
    return made


bindable(Function, lambda fn: (fn.python_function,), _bound)


def _restored(python_function: Any, **settings: Any) -> Function[..., Any]:
    return Function(python_function, **settings)


@overload
def function(
    func: None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Callable[[Callable[P, R]], Function[P, R]]: ...


@overload
def function(
    func: Callable[P, R],
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Function[P, R]: ...


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Any:
    """Return a function that is recorded once per signature and then repeated, as tf.function.

    Arrays are told apart by dtype and shape, Python values by value. Python itself, with its
    side effects, runs only while recording. A function that branches on the value of an
    array cannot be recorded: it runs as plain Python, and says so once.

    Args:
        func: The function; left out where this is used as ``@function(...)``.
        input_signature: A TensorSpec for each argument: one recording for all calls.
        autograph: No effect: Python's ``if`` and ``for`` are never rewritten.
        jit_compile: No effect on results: there is no XLA, functions run as without it.
        reduce_retracing: Record for unknown lengths when a second shape is seen.
        experimental_implements: No effect: it is a name for those who rewrite graphs.
        experimental_autograph_options: No effect, as ``autograph``.
        experimental_attributes: No effect, as ``experimental_implements``.
        experimental_relax_shapes: The old name of ``reduce_retracing``.
        experimental_compile: The old name of ``jit_compile``.
        experimental_follow_type_hints: Must not be True: hints are not followed.

    Example:
        >>> import feedline as tf
        >>> @tf.function
        ... def scaled(x, weight):
        ...     return x * weight
        >>> scaled(tf.constant([1.0, 2.0]), 2.0)
        array([2., 4.], dtype=float32)
    """
    if experimental_follow_type_hints:
        raise BuildError(
            "function(): experimental_follow_type_hints must be left out: type hints are not "
            "followed. Give input_signature instead."
        )
    settings = {
        "input_signature": input_signature,
        "reduce_retracing": bool(reduce_retracing or experimental_relax_shapes),
    }

    def decorated(python_function: Callable[..., Any]) -> Function[..., Any]:
        if isinstance(python_function, Function):
            python_function = python_function.python_function
        if not callable(python_function):
            raise BuildTypeError(f"function(): func must be callable, got {python_function!r}.")
        return Function(python_function, **settings)

    return decorated if func is None else decorated(func)
