"""NumpyView: NumPy as a recorded function sees it.

Arrays that NumPy makes inside the function are constants of the recording, so that they
can be indexed by, joined with and written from what differs between elements.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.graph.fitting import as_number_of
from feedline.graph.frombuffer import frombuffer
from feedline.graph.guard import MISSING
from feedline.graph.nested import swapped
from feedline.graph.opaque import Opaque
from feedline.graph.symbol import Symbol
from feedline.graph.trace import Trace, symbols_in
from feedline.graph.untraceable import refuse
from feedline.narrow import dtypes_in, of_list, takes_numbers

if TYPE_CHECKING:
    from feedline.graph.sandbox import Sandbox

__all__ = [
    "NumpyView",
    "ScalarType",
    "array_of",
    "array_of_list",
    "is_numpy_function",
    "scalar_type",
    "wrapped",
]

_PARTS = {"numpy", "numpy.linalg", "numpy.fft", "numpy.lib.stride_tricks", "numpy.lib"}
# These have effects, call functions back, or look at how an array lies in memory.
_DENIED = frozenset(
    (
        *("load", "save", "savez", "savez_compressed", "savetxt", "loadtxt", "genfromtxt"),
        *("fromfile", "fromregex", "memmap", "seterr", "seterrcall", "setbufsize"),
        *("set_printoptions", "printoptions", "errstate", "info", "show_config", "nditer"),
        *("nested_iters", "vectorize", "frompyfunc", "apply_along_axis", "apply_over_axes"),
        *("fromfunction", "fromiter", "piecewise", "shares_memory", "may_share_memory"),
        *("as_strided", "byte_bounds", "array_repr", "array_str", "array2string"),
        *("format_float_positional", "format_float_scientific", "DataSource"),
        *("open_memmap", "busday_count", "test"),
    )
)


class NumpyView:
    """NumPy, or one of its parts."""

    __slots__ = ("_module", "_sandbox")

    def __init__(self, sandbox: Sandbox, module: types.ModuleType) -> None:
        self._sandbox = sandbox
        self._module = module

    def __getattr__(self, name: str) -> Any:
        module = self._module
        found = getattr(module, name)
        if isinstance(found, types.ModuleType):
            if found.__name__ == "numpy.random":
                refuse("draws from np.random")
            if found.__name__ not in _PARTS:
                refuse(f"uses {found.__name__}")
        elif name in _DENIED:
            refuse(f"calls np.{name}()")
        return self._sandbox.enter(module, name, lambda: getattr(module, name, MISSING))


_Dispatched: type = type(np.sum)


def is_numpy_function(value: Any) -> bool:
    """Whether a value is one of NumPy's functions, written in C or in Python."""
    if type(value) is types.FunctionType:
        module = value.__globals__.get("__name__")
    elif type(value) in (_Dispatched, types.BuiltinFunctionType):
        module = getattr(value, "__module__", None)
    else:
        return False
    return isinstance(module, str) and module.split(".")[0] == "numpy"


def wrapped(trace: Trace, function: Any) -> Callable[..., Any]:
    """Return a function of NumPy whose new arrays are constants of the recording."""
    name = getattr(function, "__name__", "")
    if name in _DENIED:
        refuse(f"calls np.{name}()")
    if function in _ANSWERED:
        answer = _ANSWERED[function]
        return lambda *args, **kwargs: answer(trace, *args, **kwargs)
    takes_symbols = isinstance(function, _Dispatched)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not takes_symbols and not all(s.is_constant for s in symbols_in((args, kwargs))):
            refuse(f"calls np.{name}()")
        return _as_constants(trace, function(*args, **kwargs))

    return call


def _as_constants(trace: Trace, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return trace.constant(value)
    if type(value) in (list, tuple):
        return type(value)([_as_constants(trace, item) for item in value])
    return value


class ScalarType:
    """``np.float32`` and its like: a dtype, and a cast when it is called."""

    def __init__(self, trace: Trace, kind: type) -> None:
        self._trace = trace
        self.kind = kind
        self.dtype = np.dtype(kind)

    def __call__(self, value: Any = 0, *rest: Any) -> Any:
        """Return a value as a number, or an array of numbers, of this type."""
        if isinstance(value, Symbol) and value.ndim and value.dtype == self.dtype and not rest:
            return value  # NumPy hands out the very array
        if isinstance(value, Symbol) and not value.is_constant:
            if self.dtype.kind in "mM" or (value.dtype.kind == "c" and self.dtype.kind != "c"):
                refuse(f"makes np.{self.kind.__name__} of a value")
            made = value.astype(self.dtype)
            if made.ndim:
                return made
            number = made if made.is_scalar else made[()]
            return number.as_tensor(False)  # one of NumPy's own, whatever it is made of
        return _as_constants(self._trace, self.kind(value, *rest))

    def __eq__(self, other: object) -> bool:
        return other is self.kind or (isinstance(other, ScalarType) and other.kind is self.kind)

    def __hash__(self) -> int:
        return hash(self.kind)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kind, name)


def scalar_type(trace: Trace, kind: type) -> Any:
    """Return what stands for one of NumPy's scalar types."""
    if kind in np.sctypeDict.values() and kind not in (np.str_, np.bytes_, np.void, np.object_):
        return ScalarType(trace, kind)
    return kind


# ---- functions that make an array of anything, which NumPy does not let symbols answer ----


def array_of(
    trace: Trace, value: Any, dtype: Any = None, *, copy: bool | None = True, ndmin: int = 0
) -> Any:
    """Return ``np.array(value)`` where symbols may be anywhere inside ``value``."""
    made: Any
    if all(symbol.is_constant for symbol in symbols_in(value)):
        made = value if isinstance(value, Symbol) else trace.constant(np.array(value, dtype))
    elif isinstance(value, Symbol):
        # NumPy makes an array even of a single number, which can then be changed in place.
        made = np.copy(value) if value.is_scalar else value
    else:
        made = np.stack([_item_of(trace, item, dtype) for item in value])
    if dtype is not None and np.dtype(dtype) != made.dtype:
        made = made.astype(dtype)
    elif copy and made is value:
        made = np.copy(made)
    while made.ndim < ndmin:
        made = made[None]
    return made


def array_of_list(trace: Trace, values: list[Any]) -> Any:
    """Return a list that a function returned as an array, with the dtype it has as a leaf."""
    symbols = symbols_in(values)
    dtypes = set(dtypes_in(values))
    if not symbols or len(dtypes) > 1:
        return array_of(trace, of_list(np.asarray(values), values) if not symbols else values)
    dtype = next(iter(dtypes))
    others = swapped(values, lambda symbol: symbol.dtype.type(0))
    fits = takes_numbers(dtype, np.asarray(others))
    return array_of(trace, values, dtype if fits else None)


def _item_of(trace: Trace, item: Any, dtype: Any) -> Any:
    """Return what an item of a list becomes in an array, which has a dtype if one was given."""
    if isinstance(item, np.generic):
        item = trace.constant(item)
    elif not isinstance(item, Symbol):
        item = array_of(trace, item, dtype, copy=None)
    # Every item is cast by itself: what all have in common may not hold each of them.
    if dtype is None or item.dtype == np.dtype(dtype):
        return item
    if item.is_scalar or (item.is_tensor and not item.ndim):  # NumPy asks it for its number
        return trace.record(as_number_of, (item, np.dtype(dtype)), {})
    return item.astype(dtype)


def _array(trace: Trace, value: Any, dtype: Any = None, **kwargs: Any) -> Any:
    for name in ("order", "subok", "like"):
        asked = kwargs.pop(name, None)
        if isinstance(asked, np.ndarray) or asked not in (None, "K", "C", False):
            refuse(f"gives {name}= to np.array()")
    return _as_plain(array_of(trace, value, dtype, **kwargs))


def _asarray(trace: Trace, value: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
    if args or any(given is not None for given in kwargs.values()):
        refuse("gives more than a dtype to np.asarray()")
    return _as_plain(array_of(trace, value, dtype, copy=None))


def _as_plain(value: Any) -> Any:
    """Return an array of NumPy's own, which np.array() makes even of a tensor."""
    return value.as_tensor(False) if isinstance(value, Symbol) else value


def _contiguous(trace: Trace, value: Any, dtype: Any = None) -> Any:
    made = _as_plain(array_of(trace, value, dtype, copy=None))
    if not made.ndim:
        return made.reshape(1)
    return made if made.example.flags.c_contiguous else np.copy(made, order="C")


def _full(trace: Trace, shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    if any(not symbol.is_constant for symbol in symbols_in(shape)):
        refuse("gives np.full a value as shape=")
    if not symbols_in(fill_value):
        return trace.constant(np.full(shape, fill_value, dtype))
    filled = array_of(trace, fill_value)
    filled = filled if dtype is None else filled.astype(dtype)
    return _as_plain(np.copy(np.broadcast_to(filled, shape)))


def _empty(trace: Trace, shape: Any, dtype: Any = float) -> Any:
    # What is not written first is not defined: nothing may depend on it.
    return trace.constant(np.zeros(shape, dtype))


def _isscalar(_: Trace, element: Any) -> bool:
    return element.is_scalar if isinstance(element, Symbol) else np.isscalar(element)


def _iterable(_: Trace, y: Any) -> bool:
    return bool(y.ndim) if isinstance(y, Symbol) else np.iterable(y)


def _frombuffer(
    trace: Trace, buffer: Any, dtype: Any = float, count: int = -1, offset: int = 0
) -> Any:
    if isinstance(buffer, Opaque):
        return frombuffer(buffer, np.dtype(dtype), count, offset)
    return trace.constant(np.frombuffer(buffer, dtype, count, offset))


_ANSWERED: dict[Any, Callable[..., Any]] = {
    np.frombuffer: _frombuffer,
    np.array: _array,
    np.asarray: _asarray,
    np.asanyarray: _asarray,
    np.ascontiguousarray: _contiguous,
    np.full: _full,
    np.empty: _empty,
    np.isscalar: _isscalar,
    np.iterable: _iterable,
}
