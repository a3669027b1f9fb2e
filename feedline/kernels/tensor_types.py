"""tensor_types: from what tensors are derived, and how numbers and arrays become tensors."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from feedline.kernels.native import native

__all__ = [
    "array_base",
    "as_tensor",
    "number_base",
    "number_rows",
    "set_tensor_types",
    "tensor_rows",
]

_OURS: dict[type, type] = {}
_OTHERS: dict[str, Any] = {}
_UNARY = ("__neg__", "__pos__", "__abs__", "__invert__")
_BINARY = tuple(
    f"__{side}{name}__"
    for name in (
        *("sub", "mul", "mod", "floordiv", "pow", "matmul"),
        *("lshift", "rshift", "and", "or", "xor"),
    )
    for side in ("", "r")
)
_ORDER = ("__lt__", "__le__", "__gt__", "__ge__")


def set_tensor_types_twin(
    numbers: dict[type, type], dtypes: dict[type, np.dtype[Any]], others: dict[str, Any]
) -> None:
    """Say which classes of tensors belong to which of NumPy's, and what tensors call."""
    _OURS.update(numbers)
    _OTHERS.update(others)


def as_tensor_twin(value: Any) -> Any:
    """Return an array, a NumPy number, bytes or str as a tensor; anything else as it is."""
    kind = type(value)
    if kind is np.ndarray:
        return value.view(_OTHERS["tensor"])
    if kind is np.bool_:
        return _truth(value)
    if kind in _OURS:
        return _OURS[kind](value)
    if kind is bytes or kind is str:
        return _OTHERS["bytes" if kind is bytes else "text"](value)
    return value


def _truth(value: Any) -> Any:
    # Python cannot derive from NumPy's truth values: an array without axes stands for one.
    return np.array(value).view(_OTHERS["tensor"])


def _as_tensors(value: Any) -> Any:
    if type(value) in (tuple, list):
        return type(value)([_as_tensors(item) for item in value])
    return value if type(value) in (str, bytes) else as_tensor_twin(value)


def number_rows_twin(array: Any, kind: type) -> list[Any]:
    """Return the numbers along the only axis of an array as tensors of a class."""
    return list(map(_truth if kind is _OURS[np.bool_] else kind, array))


def tensor_rows_twin(values: Any) -> list[Any]:
    """Return what a list, an array or any other iterable holds, as tensors."""
    return list(map(as_tensor_twin, values))


def array_base_twin(array: Any) -> type:
    """Return a class of arrays whose items and results are tensors."""
    body: dict[str, Any] = {"__slots__": (), "__module__": "feedline._native"}
    for name in _UNARY:
        body[name] = _passed_on(getattr(array, name))
    body["__getitem__"] = lambda self, key: as_tensor_twin(
        array.__getitem__(self, tuple(key) if _is_list_of_slices(key) else key)
    )
    for name in (*_BINARY, *_ORDER):
        body[name] = _beside(getattr(array, name))
    for name in ("__truediv__", "__rtruediv__"):
        body[name] = _divided(getattr(array, name), name)
    for name in ("__add__", "__radd__"):
        body[name] = _joined(getattr(array, name), name)
    for name in ("__eq__", "__ne__"):
        body[name] = _compared(getattr(array, name), name)
    for name in ("add", "sub", "mul", "truediv"):
        body[f"__i{name}__"] = _in_place(getattr(array, f"__i{name}__"), body[f"__{name}__"])

    def wrap(self: Any, made: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return as_tensor_twin(np.asarray(made)[()] if return_scalar else np.asarray(made))

    body["__array_wrap__"] = wrap
    body["__iter__"] = lambda self: (as_tensor_twin(item) for item in np.asarray(self))
    body["__array_function__"] = _array_function
    body["__hash__"] = _hash_of_array
    return type("ArrayBase", (array,), body)


def number_base_twin(number: type) -> type:
    """Return a class of numbers whose results are tensors."""
    body: dict[str, Any] = {"__slots__": (), "__module__": "feedline._native"}
    if number is np.bool_:
        return type("NumberBase", (_NoTruth,), body)
    plain = _plain(number)
    for name in (*_UNARY, "__divmod__", "__rdivmod__"):
        if hasattr(number, name):
            body[name] = _passed_on(getattr(number, name))
    for name in (*_BINARY, *_ORDER, "__eq__", "__ne__", "__add__", "__radd__"):
        if hasattr(number, name):
            body[name] = _beside(getattr(number, name))
    for name in ("__truediv__", "__rtruediv__"):
        body[name] = _divided(getattr(number, name), name)
    body["_plain"] = plain
    body["__hash__"] = lambda self: hash(plain(self))
    body["__repr__"] = lambda self: repr(plain(self))
    body["__str__"] = lambda self: str(plain(self))
    body["__array_function__"] = _array_function
    body["__getitem__"] = lambda self, key: as_tensor_twin(plain(self)[key])
    body["__iter__"] = _no_iterator  # NumPy takes what has items for a sequence

    def ufunc(self: Any, function: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        numbers = [one._plain() if hasattr(one, "_plain") else one for one in inputs]
        return _as_tensors(getattr(function, method)(*numbers, **kwargs))

    body["__array_ufunc__"] = ufunc
    return type("NumberBase", (number,), body)


def _is_list_of_slices(key: Any) -> bool:
    """Whether a list says what to do with one axis after the other, as TensorFlow takes it."""
    return type(key) is list and any(
        isinstance(item, slice) or item is None or item is Ellipsis for item in key
    )


class _NoTruth:
    """Stands where the class of truth values would."""

    __slots__ = ()


def _plain(number: Any) -> Callable[[Any], Any]:
    return lambda self: np.asarray(self).astype(number)[()]


def _no_iterator(self: Any) -> Any:
    raise TypeError("a tensor without axes cannot be iterated over")


def _hash_of_array(self: Any) -> int:
    if self.ndim:
        raise TypeError("a tensor with axes is unhashable: use tensor.ref() as the key")
    return hash(self.item())


def _passed_on(method: Any) -> Any:
    return lambda *args: _as_tensors(method(*args))


def _as_number(value: Any) -> Any:
    return value._plain() if hasattr(value, "_plain") else value


def _beside(method: Any) -> Any:
    def call(self: Any, other: Any) -> Any:
        if other is None and method.__name__ in ("__eq__", "__ne__"):
            return method.__name__ == "__ne__"
        first, second = _OTHERS["beside"](self, other)
        made = method(first, _as_number(second))
        if made is NotImplemented and isinstance(self, np.generic):  # NumPy's numbers give way
            made = _by_operator(method.__name__, _as_number(first), _as_number(second))
        return _as_tensors(made)

    return call


def _by_operator(name: str, first: Any, second: Any) -> Any:
    if hasattr(operator, name):
        return getattr(operator, name)(first, second)
    return getattr(operator, f"__{name[3:]}")(second, first)  # of "__rsub__" and its like


def _divided(method: Any, name: str) -> Any:
    keeps = _beside(method)

    def call(self: Any, other: Any) -> Any:
        plain = np.asarray(self).dtype
        if plain in _OTHERS["floats"]:
            return keeps(self, other)
        a, b = (self, other) if name == "__truediv__" else (other, self)
        return as_tensor_twin(_OTHERS["divided"](a, b))

    return call


def _joined(method: Any, name: str) -> Any:
    numbers = _beside(method)

    def call(self: Any, other: Any) -> Any:
        if np.asarray(self).dtype == object:
            a, b = (self, other) if name == "__add__" else (other, self)
            return as_tensor_twin(_OTHERS["joined"](a, b))
        return numbers(self, other)

    return call


def _compared(method: Any, name: str) -> Any:
    numbers = _beside(method)

    def call(self: Any, other: Any) -> Any:
        if isinstance(other, (str, bytes)) or np.asarray(self).dtype == object:
            if other is None:
                return name == "__ne__"
            return as_tensor_twin(_OTHERS["compared"](self, other, name == "__eq__"))
        return numbers(self, other)

    return call


def _in_place(method: Any, plain: Any) -> Any:
    def call(self: Any, other: Any) -> Any:
        try:
            return method(self, other)
        except (TypeError, ValueError):
            return plain(self, other)

    return call


def _array_function(self: Any, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
    known = (_OTHERS["tensor"], *_OURS.values())
    if not all(kind is np.ndarray or issubclass(kind, known) for kind in types):
        return NotImplemented
    named = {name: _without_tensors(value) for name, value in kwargs.items()}
    return _as_tensors(function._implementation(*_without_tensors(args), **named))


def _without_tensors(value: Any) -> Any:
    if type(value) in (tuple, list):
        return type(value)([_without_tensors(item) for item in value])
    return value.view(np.ndarray) if isinstance(value, _OTHERS["tensor"]) else _as_number(value)


if native is None:
    array_base, number_base = array_base_twin, number_base_twin
    set_tensor_types, as_tensor = set_tensor_types_twin, as_tensor_twin
    number_rows, tensor_rows = number_rows_twin, tensor_rows_twin
else:
    array_base, number_base = native.array_base, native.number_base
    set_tensor_types, as_tensor = native.set_tensor_types, native.as_tensor
    number_rows, tensor_rows = native.number_rows, native.tensor_rows
