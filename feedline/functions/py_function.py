"""py_function: Python code that is never recorded, but called every time.

Eager           the function is called, and what it returns has the declared dtypes.
In a @function  it is one opaque operation, carried out at every call.
In Dataset.map  the function around it runs element by element, as plain Python.
In element_spec it is not called: Tout says the dtypes, set_shape() and the like the shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from feedline.errors import BuildTypeError, InvalidArgumentError
from feedline.functions.function_trace import FunctionTrace
from feedline.graph.active import active_trace
from feedline.graph.spec_trace import SpecTrace
from feedline.graph.symbol import Symbol
from feedline.graph.trace import symbols_in
from feedline.graph.untraceable import refuse
from feedline.leaf import as_leaf, describe_leaf, ingest
from feedline.leaf_spec import LeafSpec, TensorSpec, leaf_spec
from feedline.values.publishing import published
from feedline.values.tensor import as_numpy, as_tensors

__all__ = ["numpy_function", "py_function"]


def py_function(
    func: Any = None, inp: Any = None, Tout: Any = None, name: str | None = None
) -> Any:
    """Return what a Python function returns, with the dtypes that are declared.

    Inside a ``@function`` it runs at every call, where other Python code runs only once.
    Without ``func`` this is a decorator: what it makes takes ``inp`` as its arguments.

    Args:
        func: Any Python function. It gets tensors.
        inp: A list of its arguments.
        Tout: A dtype, or a list of them for a function that returns several values; an
            empty list for one that returns nothing. NumPy's arrays are cast, tensors only from
            float to float, and Python's numbers must be of its kind.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> tf.py_function(lambda x: x.numpy() + 0.5, [tf.constant([1, 2])], tf.float32)
        array([1.5, 2.5], dtype=float32)
    """
    if func is None:
        return _decorator("py_function()", Tout, is_numpy=False)
    return _called("py_function()", func, inp, Tout, is_numpy=False)


def numpy_function(
    func: Any = None,
    inp: Any = None,
    Tout: Any = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Return what a Python function returns, which must have the dtypes that are declared.

    As :func:`py_function`, but the function gets NumPy's arrays and numbers, and bytes for
    strings, and nothing it returns is cast: a Python float is a float64, an int an int64.

    Args:
        func: Any Python function.
        inp: A list of its arguments.
        Tout: A dtype, or a list of them.
        stateful: Whether the function must be called every time; it is in any case.
        name: No effect.

    Example:
        >>> import numpy as np
        >>> import feedline as tf
        >>> tf.numpy_function(np.sort, [tf.constant([3.0, 1.0])], tf.float32)
        array([1., 3.], dtype=float32)
    """
    if func is None:
        return _decorator("numpy_function()", Tout, is_numpy=True)
    return _called("numpy_function()", func, inp, Tout, is_numpy=True)


def _decorator(call: str, wanted: Any, *, is_numpy: bool) -> Callable[..., Any]:
    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(func)
        def called(*inp: Any) -> Any:
            return _called(call, func, inp, wanted, is_numpy=is_numpy)

        return published(called)

    return decorate


def _called(call: str, func: Any, inp: Any, wanted: Any, *, is_numpy: bool) -> Any:
    if not callable(func):
        raise BuildTypeError(f"{call}: func must be callable, got {func!r}.")
    if not isinstance(inp, (list, tuple)):
        raise BuildTypeError(f"{call}: inp must be a list of arguments, got {inp!r}.")
    is_list = isinstance(wanted, (list, tuple))
    specs = [_spec_of(call, one) for one in (wanted if is_list else [wanted])]
    if isinstance(active := active_trace(), SpecTrace):
        declared = [active.declared(spec) for spec in specs]
        return declared if is_list else declared[0]
    opaque = _Opaque(call, func, specs, is_numpy)
    args = [arg if symbols_in(arg) else ingest(arg) for arg in inp]
    found = symbols_in(args)
    trace = found[0].trace if found else active
    if trace is None:
        results: Any = opaque(*args)
    else:
        if not isinstance(trace, FunctionTrace):
            refuse(f"calls {call.removesuffix('()')}, which runs element by element")
        if any(spec.dtype == object or type(spec) is not TensorSpec for spec in specs):
            trace.give_up(f"calls a {call.removesuffix('()')} that returns strings")
        results = opaque.record_again(trace, args)
    return results if is_list else results[0]


def _spec_of(call: str, wanted: Any) -> Any:
    """Return what Tout says of one result. A TensorSpec declares a dtype, and no shape."""
    if isinstance(wanted, LeafSpec) and not isinstance(wanted, TensorSpec):
        return wanted
    try:
        return TensorSpec(None, wanted.dtype if isinstance(wanted, TensorSpec) else wanted)
    except TypeError as error:
        raise BuildTypeError(
            f"{call}: Tout must be a dtype or a list of them, got {wanted!r}."
        ) from error


class _Opaque:
    """A function and what its results must be."""

    def __init__(
        self, call: str, func: Callable[..., Any], specs: list[Any], is_numpy: bool
    ) -> None:
        self._call = call
        self._func = func
        self._specs = specs
        self._is_numpy = is_numpy

    def record_again(self, trace: FunctionTrace, args: Sequence[Any]) -> list[Any]:
        """Carry it out inside a recording, and write it down."""
        return trace.record_call(self, args)

    def __call__(self, *args: Any) -> list[Any]:
        given = as_tensors(list(args))
        returned = self._func(*(map(as_numpy, given) if self._is_numpy else given))
        parts = self._parts(returned)
        if len(parts) != len(self._specs):
            raise InvalidArgumentError(
                f"{self._call}: func must return {len(self._specs)} values as Tout declares, "
                f"got {len(parts)}."
            )
        as_declared = self._same if self._is_numpy else self._cast
        return [as_declared(part, spec) for part, spec in zip(parts, self._specs, strict=True)]

    def _parts(self, returned: Any) -> list[Any]:
        """Return the results one by one: a list is several, whatever Tout is."""
        if returned is None:
            return []
        if not isinstance(returned, (list, tuple)):
            return [returned]
        # As in TensorFlow, which looks at as many as were declared.
        return list(returned if self._is_numpy else returned[: len(self._specs)])

    def _same(self, value: Any, spec: Any) -> Any:
        """Return a result as NumPy has it, if that has the dtype."""
        if isinstance(value, Symbol):
            return value
        is_plain = isinstance(value, (bool, int, float, complex, list, tuple))
        leaf = as_leaf(np.asarray(value) if is_plain else value)
        if _dtype_of(leaf) != spec.dtype:
            self._fail(leaf, spec)
        return leaf

    def _cast(self, value: Any, spec: Any) -> Any:
        """Return a result with the dtype, if it may be made that."""
        if type(spec) is not TensorSpec:
            found = leaf_spec(as_leaf(value))
            if type(found) is not type(spec) or found.dtype != spec.dtype:
                self._fail(value, spec)
            return value
        is_tensor = getattr(type(value), "is_tensor_type", False)
        is_array = isinstance(value, (np.ndarray, np.generic))
        leaf = as_leaf(value)
        if isinstance(leaf, Symbol):
            return leaf
        found, dtype = _dtype_of(leaf), spec.dtype
        if found == dtype:
            return leaf
        if found is None or object in (found, dtype):
            self._fail(leaf, spec)
        # Of tensors TensorFlow casts none. But data of NumPy is float64, and stays that in them.
        floats = found.kind == dtype.kind == "f"
        if not (floats if is_tensor else is_array or _fits(found, dtype)):
            self._fail(leaf, spec)
        return leaf.astype(dtype)

    def _fail(self, leaf: Any, spec: Any) -> None:
        wanted = "string" if spec.dtype == object else spec.dtype
        if type(spec) is not TensorSpec:
            wanted = spec
        raise InvalidArgumentError(
            f"{self._call}: func must return {wanted} as Tout declares, got {describe_leaf(leaf)}."
        )


def _dtype_of(leaf: Any) -> np.dtype[Any] | None:
    if isinstance(leaf, (str, bytes)):
        return np.dtype(object)
    return leaf.dtype if isinstance(leaf, (np.ndarray, np.generic)) else None


def _fits(number: np.dtype[Any], dtype: np.dtype[Any]) -> bool:
    """Whether a Python number may be given for a dtype: integers for all but bools."""
    both_integer = number.kind in "iu" and dtype.kind in "iu"
    return both_integer or np.can_cast(number, dtype, "same_kind")
