"""harmless: which values, classes and code a recorded function may get as they are."""

from __future__ import annotations

import abc
import dataclasses
import dis
import enum
import re
import types
from typing import Any

import numpy as np

from feedline.dtypes import float32, string
from feedline.graph.untraceable import refuse
from feedline.values.tensor import TensorBytes, TensorStr
from feedline.values.tensor_shape import TensorShape

__all__ = ["check_code", "is_frozen", "is_immutable", "is_plain_class", "is_plain_instance"]

_IMMUTABLE = frozenset(
    (
        *(type(None), bool, int, float, complex, str, bytes, range, slice),
        *(type(Ellipsis), type(NotImplemented), re.Pattern),
        *(type(float32), type(string), TensorBytes, TensorShape, TensorStr),
    )
)


def is_immutable(value: Any) -> bool:
    """Whether a value can neither change nor run code that was written in Python."""
    kind = type(value)
    if kind in _IMMUTABLE:
        return True
    if not issubclass(kind, (np.generic, np.dtype)) or issubclass(kind, (np.void, np.object_)):
        return False
    return kind.__module__ in ("numpy", "numpy.dtypes")


def is_frozen(array: Any) -> bool:
    """Whether nobody can write into an array through it or what it is a view of."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return False
        array = array.base
    return array is None or isinstance(array, bytes)


# ---- code ---------------------------------------------------------------------------

_REFUSED = {
    dis.opmap[name]: text
    for name, text in (
        ("STORE_ATTR", "sets an attribute"),
        ("DELETE_ATTR", "deletes an attribute"),
        ("STORE_GLOBAL", "sets a global variable"),
        ("DELETE_GLOBAL", "deletes a global variable"),
        ("MATCH_CLASS", "matches a class"),
    )
}
_IS = dis.opmap["IS_OP"]
# Names with two underscores that tell nothing about what a value really is.
_KNOWN = frozenset(("__name__", "__file__", "__doc__", "__debug__"))


def check_code(code: types.CodeType) -> None:
    """Give up on code that changes, or looks behind, what stands for things outside."""
    used = set(code.co_code[::2])
    for found in used & _REFUSED.keys():
        refuse(_REFUSED[found])
    for name in code.co_names:
        if name.startswith("__") and name.endswith("__") and name not in _KNOWN:
            refuse(f"uses {name}")
    if _IS in used and "type" in code.co_names and _reads(code, "type"):
        refuse("asks whether .type is a certain type")
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            check_code(constant)


def _reads(code: types.CodeType, attribute: str) -> bool:
    return any(
        step.argval == attribute and step.opname in ("LOAD_ATTR", "LOAD_METHOD")
        for step in dis.get_instructions(code)
    )


# ---- classes ------------------------------------------------------------------------

_TRUSTED = ("builtins", "collections", "dataclasses", "enum", "typing", "abc", "numpy")
_FACTORIES = (dataclasses.MISSING, list, dict, set, tuple)
# Where descriptors in C are from.
_DESCRIBED = ("builtins", "collections", "_collections", "enum", "types")
# What Python itself keeps in a member of an enum.
_MEMBERS = ("_value_", "_name_", "__objclass__", "_sort_order_")
_BOOKKEEPING = ("_fields", "_field_defaults")


def is_plain_class(kind: type) -> bool:
    """Whether a class only holds values: nobody wrote a method of it by hand."""
    if type(kind) not in (type, enum.EnumMeta, abc.ABCMeta):
        return False
    if dataclasses.is_dataclass(kind) and not all(
        field.default_factory in _FACTORIES for field in dataclasses.fields(kind)
    ):
        return False
    if issubclass(kind, enum.Enum) and not all(is_immutable(one.value) for one in kind):
        return False
    return all(map(_is_plain, kind.__mro__))


def is_plain_instance(value: Any) -> bool:
    """Whether an enum member or namedtuple has no attributes that need more than a guard.

    A member is given to the function as it is, of a namedtuple a copy without attributes.
    """
    own = getattr(value, "__dict__", {})
    if not isinstance(value, enum.Enum):
        return not own
    return all(name in _MEMBERS or is_immutable(item) for name, item in own.items())


def _is_plain(kind: type) -> bool:
    if kind.__module__.split(".")[0] in _TRUSTED:
        return True
    return all(_is_given(kind, name, value) for name, value in vars(kind).items())


def _is_given(kind: type, name: str, value: Any) -> bool:
    """Whether an attribute of a class is a constant, or was put there by Python itself."""
    if isinstance(value, (classmethod, staticmethod)):
        value = value.__func__
    getter = getattr(value, "fget", None)
    value = value if getter is None else getter
    if isinstance(value, types.FunctionType):
        room = value.__globals__.get("__name__", "")
        guarded = getattr(value, "__wrapped__", None)
        if room == "reprlib" and isinstance(guarded, types.FunctionType):
            value = guarded  # the __repr__ of a dataclass
        made = value.__code__.co_qualname.startswith("__create_fn__.<locals>")
        return made or room in _TRUSTED or "_tuple_new" in value.__globals__
    if hasattr(type(value), "__get__"):
        return type(value).__module__ in _DESCRIBED
    is_ours = name in _BOOKKEEPING or (name.startswith("_") and name.endswith("_"))
    return is_ours or isinstance(value, kind) or is_immutable(value)
