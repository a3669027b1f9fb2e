"""py_function: Python code that is never recorded, but called every time.

Eager           the function is called, and what it returns gets the declared dtypes.
In a @function  it is one opaque operation, carried out at every call.
In Dataset.map  the function around it runs element by element, as plain Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from feedline.errors import BuildTypeError, SpecError
from feedline.functions.function_trace import FunctionTrace
from feedline.graph.active import active_trace
from feedline.graph.symbol import Symbol
from feedline.graph.trace import symbols_in
from feedline.graph.untraceable import refuse
from feedline.leaf import as_leaf, describe_leaf, ingest
from feedline.leaf_spec import TensorSpec

__all__ = ["numpy_function", "py_function"]


def py_function(
    func: Any = None, inp: Any = None, Tout: Any = None, name: str | None = None
) -> Any:
    """Return what a Python function returns, with the dtypes that are declared.

    The function gets NumPy values, so there is no ``.numpy()`` to call. Inside a
    ``@function`` it runs at every call, where other Python code runs only once.

    Args:
        func: Any Python function.
        inp: A list of its arguments.
        Tout: A dtype, or a list of them for a function that returns several values; an
            empty list for one that returns nothing. What it returns is cast.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> tf.py_function(lambda x: x + 0.5, [tf.constant([1, 2])], tf.float32)
        array([1.5, 2.5], dtype=float32)
    """
    return _called("py_function()", func, inp, Tout, strict=False)


def numpy_function(
    func: Any = None,
    inp: Any = None,
    Tout: Any = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Return what a Python function returns, which must have the dtypes that are declared.

    As :func:`py_function`, but arrays of another dtype are an error.

    Args:
        func: Any Python function.
        inp: A list of its arguments.
        Tout: A dtype, or a list of them.
        stateful: No effect: the function is called every time.
        name: No effect.

    Example:
        >>> import numpy as np
        >>> import feedline as tf
        >>> tf.numpy_function(np.sort, [tf.constant([3.0, 1.0])], tf.float32)
        array([1., 3.], dtype=float32)
    """
    return _called("numpy_function()", func, inp, Tout, strict=True)


def _called(call: str, func: Any, inp: Any, wanted: Any, *, strict: bool) -> Any:
    if not callable(func):
        raise BuildTypeError(f"{call}: func must be callable, got {func!r}.")
    if not isinstance(inp, (list, tuple)):
        raise BuildTypeError(f"{call}: inp must be a list of arguments, got {inp!r}.")
    is_list = isinstance(wanted, (list, tuple))
    dtypes = [_dtype_of(call, one) for one in (wanted if is_list else [wanted])]
    opaque = _Opaque(call, func, dtypes, is_list, strict)
    args = [arg if symbols_in(arg) else ingest(arg) for arg in inp]
    found = symbols_in(args)
    trace = found[0].trace if found else active_trace()
    if trace is None:
        results: Any = opaque(*args)
    else:
        if not isinstance(trace, FunctionTrace):
            refuse(f"calls {call.removesuffix('()')}, which runs element by element")
        if any(dtype == object for dtype in dtypes):
            trace.give_up(f"calls a {call.removesuffix('()')} that returns strings")
        results = opaque.record_again(trace, args)
    return results if is_list else results[0]


def _dtype_of(call: str, wanted: Any) -> np.dtype[Any]:
    try:
        dtype = wanted.dtype if isinstance(wanted, TensorSpec) else wanted
        return TensorSpec((), dtype).dtype
    except TypeError as error:
        raise BuildTypeError(
            f"{call}: Tout must be a dtype or a list of them, got {wanted!r}."
        ) from error


class _Opaque:
    """A function and the dtypes its results must have."""

    def __init__(
        self,
        call: str,
        func: Callable[..., Any],
        dtypes: list[np.dtype[Any]],
        is_list: bool,
        strict: bool,
    ) -> None:
        self._call = call
        self._func = func
        self._dtypes = dtypes
        self._is_list = is_list
        self._strict = strict

    def record_again(self, trace: FunctionTrace, args: Sequence[Any]) -> list[Any]:
        """Carry it out inside a recording, and write it down."""
        return trace.record_call(self, args)

    def __call__(self, *args: Any) -> list[Any]:
        try:
            returned = self._func(*args)
        except AttributeError as error:
            if error.name == "numpy" and isinstance(
                error.obj, (np.ndarray, np.generic, str, bytes)
            ):
                error.add_note(f"{self._call} gives NumPy values to its function: drop .numpy()")
            raise
        parts = self._parts(returned)
        if len(parts) != len(self._dtypes):
            raise SpecError(
                f"{self._call}: func must return {len(self._dtypes)} values as Tout declares, "
                f"got {len(parts)}."
            )
        return [self._cast(part, dtype) for part, dtype in zip(parts, self._dtypes, strict=True)]

    def _parts(self, returned: Any) -> list[Any]:
        if returned is None:
            return []
        several = isinstance(returned, (list, tuple))
        if self._is_list:
            return (
                list(returned)
                if several and len(self._dtypes) != 1
                else [returned[0] if several and len(returned) == 1 else returned]
            )
        return [returned]

    def _cast(self, value: Any, dtype: np.dtype[Any]) -> Any:
        is_ours = isinstance(value, (np.ndarray, np.generic))
        leaf = as_leaf(value)
        if isinstance(leaf, Symbol):
            return leaf
        if dtype == object:
            if not isinstance(leaf, (str, bytes)) and getattr(leaf, "dtype", None) != object:
                self._fail(leaf, dtype)
            return leaf
        if not isinstance(leaf, (np.ndarray, np.generic)) or leaf.dtype == object:
            self._fail(leaf, dtype)
        fits = (is_ours and not self._strict) or np.can_cast(leaf.dtype, dtype, "same_kind")
        if leaf.dtype != dtype and (not fits or (is_ours and self._strict)):
            self._fail(leaf, dtype)
        return leaf.astype(dtype, copy=False)

    def _fail(self, leaf: Any, dtype: np.dtype[Any]) -> None:
        wanted = "string" if dtype == object else dtype
        raise SpecError(
            f"{self._call}: func must return {wanted} as Tout declares, got {describe_leaf(leaf)}."
        )
