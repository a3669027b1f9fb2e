"""publishing: our functions as users call them: what they return are tensors.

Inside, functions take and return NumPy's own arrays, numbers and strings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar

from feedline.values.tensor import as_plain, as_tensors

__all__ = ["as_plain_leaves", "holds_tensor", "publish", "published"]

F = TypeVar("F")


def publish(names: dict[str, Any], wanted: Iterable[str]) -> None:
    """Let functions among the names of a module return tensors."""
    for name in wanted:
        if name in names:
            names[name] = published(names[name])


def published(value: F) -> F:
    """Return a function that takes and returns tensors; anything else as it is."""
    if not isinstance(value, FunctionType) or hasattr(value, "__published__"):
        return value
    function: Callable[..., Any] = value
    if "__published_as__" in vars(function):  # under another name of it
        return function.__published_as__  # type: ignore[attr-defined,no-any-return]

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        plain = [as_plain_leaves(arg) for arg in args]
        if kwargs:
            kwargs = {key: as_plain_leaves(arg) for key, arg in kwargs.items()}
        return as_tensors(function(*plain, **kwargs))

    call.__published__ = True  # type: ignore[attr-defined]
    function.__published_as__ = call  # type: ignore[attr-defined]
    return call  # type: ignore[return-value]


def holds_tensor(value: Any) -> bool:
    """Whether there is a tensor in an argument."""
    kind = type(value)
    if kind is list or kind is tuple:
        return any(map(holds_tensor, value))
    if kind is dict:
        return any(map(holds_tensor, value.values()))
    return getattr(kind, "is_tensor_type", False)


def as_plain_leaves(value: Any) -> Any:
    """Return an argument with every tensor in it as the NumPy value that it is."""
    kind = type(value)
    if kind is list or kind is tuple:
        return kind([as_plain_leaves(item) for item in value])
    if kind is dict:
        return {key: as_plain_leaves(item) for key, item in value.items()}
    return as_plain(value)
