"""Call: the arguments of a call of a ``@function``, taken apart.

Arrays are told apart by dtype and shape, Python values by type and value, other objects by
identity. Lists, tuples, dicts and dataclasses are structures of these.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, NamedTuple

import numpy as np

from feedline.graph.symbol import Symbol
from feedline.leaf import is_array_like
from feedline.leaf_spec import TensorSpec, string
from feedline.ragged import RaggedTensor
from feedline.shapes import Shape, shapes_agree
from feedline.sparse import SparseTensor

__all__ = ["ArrayForm", "Call", "Slot", "as_array", "filled"]

_LITERALS = (bool, int, str, type(None), complex, type, type(Ellipsis))


class ArrayForm(NamedTuple):
    """What is recorded for an array: a length of None fits any."""

    dtype: np.dtype[Any]
    shape: Shape

    def takes(self, other: ArrayForm) -> bool:
        """Whether an array of another form fits."""
        return self.dtype == other.dtype and shapes_agree(self.shape, other.shape)


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of an array among arguments."""

    number: int


class _Literal(NamedTuple):
    kind: type
    value: Any


class _Identity:
    """An object, told from others by identity, and not kept alive where that is possible."""

    __slots__ = ("_id", "_ref")

    def __init__(self, value: Any) -> None:
        self._id = id(value)
        try:
            self._ref: Any = weakref.ref(value)
        except TypeError:
            self._ref = lambda: value

    def __hash__(self) -> int:
        return self._id

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Identity)
            and self._id == other._id
            and self._ref() is not None
            and self._ref() is other._ref()
        )


@dataclass(slots=True)
class Call:
    """Arguments with their arrays taken out.

    ``key`` is hashable and says everything but the values of the arrays. ``forms`` are
    theirs, ``arrays`` the values: arrays, symbols, specs or slots that stand for them.
    ``given`` are the forms of slots.
    """

    arrays: list[Any] = field(default_factory=list)
    forms: list[ArrayForm] = field(default_factory=list)
    key: Any = None
    has_symbols: bool = False
    has_specs: bool = False
    unrecorded: str = ""
    given: Sequence[ArrayForm] = ()

    @staticmethod
    def of(args: Sequence[Any], kwargs: dict[str, Any], given: Sequence[ArrayForm] = ()) -> Call:
        """Take arguments apart."""
        call = Call(given=given)
        keys = [call.key_of(arg) for arg in args]
        if kwargs:
            keys.extend((name, call.key_of(kwargs[name])) for name in sorted(kwargs))
        call.key = tuple(keys)
        return call

    def key_of(self, value: Any) -> Any:
        """Return what tells an argument apart, and keep its arrays."""
        kind = type(value)
        if kind is np.ndarray or isinstance(value, np.generic):
            return self._array(value)
        if kind is float:
            return _Literal(float, value.hex())  # tells -0.0 from 0.0; NaN equals itself
        if kind in _LITERALS:
            return _Literal(kind, value)
        if isinstance(value, Symbol):
            self.has_symbols = True
            return self._slot(value, ArrayForm(value.dtype, value.shape))
        if kind is list or isinstance(value, tuple):
            return (kind, *[self.key_of(item) for item in value])
        if isinstance(value, dict):
            return (kind, *[(key, self.key_of(item)) for key, item in value.items()])
        return self._other(value, kind)

    def _other(self, value: Any, kind: type) -> Any:
        if isinstance(value, TensorSpec):
            self.has_specs = True
            if value.dtype == string:
                self.unrecorded = "a string"
            return self._slot(value, ArrayForm(value.dtype, value.shape))
        if isinstance(value, bytes):
            return self._strings(value, ())
        if isinstance(value, Slot):
            return self._slot(value, self.given[value.number])
        if isinstance(value, np.dtype):
            return value
        if isinstance(value, (RaggedTensor, SparseTensor)) or hasattr(value, "element_spec"):
            self.unrecorded = f"a {kind.__name__}"
            return kind, self._slot(value, ArrayForm(string, None))
        if is_dataclass(value) and not getattr(kind, "__feedline_leaf__", False):
            parts = [getattr(value, f.name) for f in fields(value) if f.init]
            return (kind, *[self.key_of(part) for part in parts])
        if is_array_like(value):
            return self.key_of(np.asarray(value))
        return _Identity(value)

    def _array(self, array: Any) -> Any:
        if array.dtype.kind in "OSUV":
            return self._strings(array, array.shape)
        # NumPy gives each dtype several names; equal ones must have one hash.
        return self._slot(array if array.ndim else array[()], ArrayForm(array.dtype, array.shape))

    def _strings(self, value: Any, shape: Shape) -> Any:
        self.unrecorded = "a string"
        return self._slot(value, ArrayForm(string, shape))

    def _slot(self, value: Any, form: ArrayForm) -> ArrayForm:
        self.arrays.append(value)
        self.forms.append(form)
        return form


def filled(value: Any, leaves: Any) -> Any:
    """Return arguments with arrays replaced, in the order in which a Call finds them."""
    kind = type(value)
    if kind is np.ndarray or isinstance(value, (np.generic, Symbol, TensorSpec, bytes, Slot)):
        return next(leaves)
    if kind is list or isinstance(value, tuple):
        items = [filled(item, leaves) for item in value]
        return kind(*items) if hasattr(kind, "_fields") else kind(items)
    if isinstance(value, dict):
        return kind((key, filled(item, leaves)) for key, item in value.items())
    if isinstance(value, (RaggedTensor, SparseTensor)) or hasattr(value, "element_spec"):
        return next(leaves)
    if is_dataclass(value) and not isinstance(value, type):
        if getattr(kind, "__feedline_leaf__", False):
            return value
        return kind(
            **{f.name: filled(getattr(value, f.name), leaves) for f in fields(value) if f.init}
        )
    if is_array_like(value):
        return next(leaves)
    return value


def as_array(value: Any) -> Any:
    """Return an array as a function's argument: without axes it is a scalar."""
    return value[()] if isinstance(value, np.ndarray) and not value.ndim else value
