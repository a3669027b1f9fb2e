"""symbol_operators: the operators of symbols, which give the dtypes that those of tensors give.

The rules are those of feedline.values.operators. Beside a symbol that stands for an array of
NumPy's own they are NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from feedline.values.operators import quotient_dtype, takes_dtype

__all__ = ["SymbolOperators", "power"]


def power(base: Any, exponent: Any) -> Any:
    """``base ** exponent``, which NumPy does in other ways than ``np.power``."""
    return base**exponent


def _operator(ufunc: np.ufunc) -> Any:
    return lambda self, other: ufunc(*_operands(self, other))


def _reflected(ufunc: np.ufunc) -> Any:
    return lambda self, other: ufunc(*_operands(other, self))


def _in_place(ufunc: np.ufunc, operator: Callable[[Any, Any], Any]) -> Any:
    def change(self: Any, other: Any) -> Any:
        # A number cannot be changed, nor an array by what it cannot hold: ``x /= 2`` gives
        # integers x another array.
        if self.is_scalar or not np.can_cast(
            _dtype_of(ufunc, self, other), self.dtype, "same_kind"
        ):
            return operator(self, other)
        return ufunc(self, other, out=(self,))

    return change


class SymbolOperators(NDArrayOperatorsMixin):
    """What a symbol answers to ``+``, ``==`` and the other operators of arrays."""

    __slots__ = ()

    def __truediv__(self: Any, other: Any) -> Any:
        return _divided(self, other)

    def __rtruediv__(self: Any, other: Any) -> Any:
        return _divided(other, self)

    def __pow__(self: Any, other: Any) -> Any:
        return self.trace.record(power, _operands(self, other), {})

    def __rpow__(self: Any, other: Any) -> Any:
        return self.trace.record(power, _operands(other, self), {})

    def __ipow__(self: Any, other: Any) -> Any:
        raised = self.trace.record(power, (self, other), {})
        return raised if self.is_scalar else self.become(raised)


def _operands(first: Any, second: Any) -> tuple[Any, Any]:
    """Return the operands of an operator as TensorFlow takes them."""
    if _is_tensor(first):
        return first, (second if _is_tensor(second) else _taken(second, first))
    if _is_tensor(second) and not _answers_first(first, second):
        return _taken(first, second), second
    return first, second


def _answers_first(first: Any, second: Any) -> bool:
    """Whether Python asks NumPy's value on the left before the tensor on the right."""
    if not _has_dtype(first):
        return False
    if not _is_symbol(first):
        return True
    return bool(first.is_scalar or (_is_symbol(second) and second.is_scalar))


def _is_symbol(value: Any) -> bool:
    return isinstance(value, SymbolOperators)


def _has_dtype(value: Any) -> bool:
    return isinstance(value, (SymbolOperators, np.ndarray, np.generic))


def _is_tensor(value: Any) -> bool:
    if _is_symbol(value):
        return bool(value.is_tensor)
    return bool(getattr(type(value), "is_tensor_type", False))


def _taken(value: Any, tensor: Any) -> Any:
    dtype = np.dtype(tensor.dtype)
    if isinstance(value, (list, tuple)) and dtype.kind in "iuf":
        try:
            array = np.asarray(value)
        except (TypeError, ValueError):  # lists of different lengths, or with symbols in them
            return value
        if array.dtype.kind not in "biufc":
            return value
        value = array
    if not _has_dtype(value):
        return value
    if value.dtype == dtype or not takes_dtype(value.dtype, dtype):
        return value
    taken = value.astype(dtype)
    if dtype.kind in "iu":
        # NumPy's rule keeps integers that would not fit.
        numbers = value.read() if _is_symbol(value) else value
        return taken if np.array_equal(numbers.astype(dtype), numbers) else value
    return taken


def _divided(first: Any, second: Any) -> Any:
    wanted = None
    tensor, other = (first, second) if _is_tensor(first) else (second, first)
    if _is_tensor(first) or (_is_tensor(second) and not _answers_first(first, second)):
        if isinstance(other, (list, tuple)):
            first, second = _operands(first, second)
            other = second if tensor is first else first
        if _has_dtype(other):
            both = _is_tensor(other) or other.dtype.kind not in "iu"
            wanted = quotient_dtype(np.dtype(tensor.dtype), other.dtype if both else None)
        elif isinstance(other, int) and not isinstance(other, bool):
            wanted = quotient_dtype(np.dtype(tensor.dtype), None)
    if wanted is None:
        return np.true_divide(*_operands(first, second))
    return np.true_divide(_as_dividend(first, wanted), _as_dividend(second, wanted))


def _as_dividend(value: Any, dtype: np.dtype[Any]) -> Any:
    return value.astype(dtype) if hasattr(value, "astype") else value


def _dtype_of(ufunc: np.ufunc, symbol: Any, other: Any) -> np.dtype[Any]:
    example = other.example if _is_symbol(other) else other
    with np.errstate(all="ignore"):
        made: np.dtype[Any] = np.asarray(ufunc(symbol.example, example)).dtype
    return made


_OPERATORS = {
    **{"add": np.add, "sub": np.subtract, "mul": np.multiply, "matmul": np.matmul},
    **{"floordiv": np.floor_divide, "mod": np.remainder},
    **{"lshift": np.left_shift, "rshift": np.right_shift},
    **{"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor},
}
for _name, _ufunc in _OPERATORS.items():
    setattr(SymbolOperators, f"__{_name}__", _operator(_ufunc))
    setattr(SymbolOperators, f"__r{_name}__", _reflected(_ufunc))
for _name, _ufunc in {**_OPERATORS, "truediv": np.true_divide}.items():
    _change = _in_place(_ufunc, getattr(SymbolOperators, f"__{_name}__"))
    setattr(SymbolOperators, f"__i{_name}__", _change)
for _name, _ufunc in {
    **{"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal},
    **{"eq": np.equal, "ne": np.not_equal},
}.items():
    setattr(SymbolOperators, f"__{_name}__", _operator(_ufunc))
