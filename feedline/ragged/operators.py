"""operators: ``+``, ``==`` and their like on ragged values, number by number."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from feedline.errors import BuildTypeError
from feedline.ragged import calls
from feedline.ragged.elementwise import aligned, check_same_rows
from feedline.values.tensor import as_plain, as_tensor

__all__ = ["Operators"]


class Operators:
    """What ragged values answer Python's operators and NumPy's functions.

    A class derived from this has ``parts()`` and ``of_parts()``.
    """

    __slots__ = ()

    parts: Any
    of_parts: Any

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Answer NumPy: functions of each number by itself."""
        if method != "__call__" or "out" in kwargs:
            return NotImplemented
        return _of_each(ufunc, inputs, kwargs, as_plain)

    def __array_function__(self, function: Any, _: Any, args: Any, kwargs: Any) -> Any:
        """Answer NumPy's other functions, as far as there are ragged ones."""
        if function in calls.SINGLE:
            made = calls.SINGLE[function](calls.parts_of(args[0]), *args[1:], **kwargs)
        elif function in calls.JOINING:
            many = [calls.parts_of(one) for one in args[0]]
            made = calls.JOINING[function](many, *args[1:], **kwargs)
        elif function in calls.OF_EACH:
            return _of_each(function, args, kwargs, as_plain)
        elif function in calls.ABOUT:
            return calls.ABOUT[function](args[0])
        else:
            raise BuildTypeError(
                f"{function.__name__}() has no form for a RaggedTensor. "
                "Give it ragged.flat_values, or ragged.to_tensor()."
            )
        value = self.of_parts(made)
        return value if isinstance(value, Operators) else value[()]

    def __eq__(self, other: object) -> Any:
        return _of_each(operator.eq, (self, other))

    def __ne__(self, other: object) -> Any:
        return _of_each(operator.ne, (self, other))

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise BuildTypeError(
            "a RaggedTensor is neither true nor false: len(), or ragged.flat_values, may be."
        )


def _of_each(
    function: Any, args: Any, kwargs: Any = None, change: Callable[[Any], Any] = as_tensor
) -> Any:
    """Return what a function makes of the flat values, which meet each other's."""
    guide = next(arg for arg in args if isinstance(arg, Operators))
    rows, flat = guide.parts()
    flats = []
    for arg in args:
        if isinstance(arg, Operators):
            others, values = arg.parts()
            check_same_rows(rows, others)
            flats.append(change(values))
        else:
            flats.append(aligned(rows, flat, arg))
    made = function(*flats, **(kwargs or {}))
    return guide.of_parts((rows, np.asarray(as_plain(made))))


def _both_ways(function: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    return (
        lambda self, other: _of_each(function, (self, other)),
        lambda self, other: _of_each(function, (other, self)),
    )


def _single(function: Any) -> Callable[..., Any]:
    return lambda self: _of_each(function, (self,))


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor"):
    _forward, _backward = _both_ways(getattr(operator, f"__{_name}__"))
    setattr(Operators, f"__{_name}__", _forward)
    setattr(Operators, f"__r{_name}__", _backward)
for _name in ("lt", "le", "gt", "ge"):
    setattr(Operators, f"__{_name}__", _both_ways(getattr(operator, _name))[0])
for _name in ("neg", "abs", "invert", "pos"):
    setattr(Operators, f"__{_name}__", _single(getattr(operator, f"__{_name}__")))
