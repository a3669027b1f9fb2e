"""contexts: the with-statements of TensorFlow, and its questions about where code runs.

Operations are done where they are written, in their order, by the processor. So there is
nothing for most of these to change, and code that has them gives what it gives without.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Any

import numpy as np

from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.graph.symbol import Symbol
from feedline.values.tensor import as_numpy

__all__ = [
    "control_dependencies",
    "device",
    "executing_eagerly",
    "get_current_name_scope",
    "get_logger",
    "get_static_value",
    "init_scope",
    "inside_function",
    "name_scope",
]

_SCOPE: ContextVar[str] = ContextVar("name_scope", default="")


class name_scope:  # noqa: N801
    """``with name_scope("decode") as scope:`` groups operations under a name, for readers.

    Args:
        name: Added to the name around it; one that ends with "/" takes its place.

    Example:
        >>> with name_scope("input"), name_scope("decode") as scope:
        ...     print(scope, get_current_name_scope())
        input/decode/ input/decode
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise BuildError(f"name_scope(): name must be a string, got {name!r}.")
        self._name = name
        self._before: list[Token[str]] = []

    @property
    def name(self) -> str:
        """The name that was given."""
        return self._name

    def __enter__(self) -> str:
        around, name = _SCOPE.get(), self._name
        scope = name.removesuffix("/")
        if name and not name.endswith("/") and around:
            scope = f"{around}/{name}"
        self._before.append(_SCOPE.set(scope))
        return f"{scope}/" if scope else ""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _SCOPE.reset(self._before.pop())


def get_current_name_scope() -> str:
    """Return the names of the name_scope()s around, with "/" between them.

    Example:
        >>> get_current_name_scope()
        ''
    """
    return _SCOPE.get()


def control_dependencies(control_inputs: Iterable[Any] | None) -> AbstractContextManager[None]:
    """Return a context that changes nothing: what is written before is done before.

    Args:
        control_inputs: What must have been done. Recorded checks are kept as they are.

    Example:
        >>> import feedline as tf
        >>> with control_dependencies([tf.debugging.assert_positive([1, 2])]):
        ...     doubled = tf.constant([1, 2]) * 2
    """
    if control_inputs is not None and not isinstance(control_inputs, Iterable):
        raise BuildTypeError(
            f"control_dependencies(): control_inputs must be a list, got {control_inputs!r}."
        )
    return nullcontext()


_PART = re.compile(
    r"(?P<key>job|replica|task):(?P<value>\w+)|(CPU|GPU|TPU|XPU|device:[A-Za-z_]+)(:(\d+|\*))?",
    re.IGNORECASE,
)


def device(device_name: str | None) -> AbstractContextManager[None]:
    """Return a context that the processor works in, as TensorFlow's where no GPU is.

    Args:
        device_name: Such as "/cpu:0"; None for whatever device.

    Example:
        >>> import feedline as tf
        >>> with device("/cpu:0"):
        ...     x = tf.constant([1, 2])
    """
    if callable(device_name):
        raise RuntimeError("device(): device_name must be a string: functions are not supported.")
    if device_name is not None and not isinstance(device_name, str):
        raise BuildError(f"device(): device_name must be a string, got {device_name!r}.")
    for part in filter(None, (device_name or "").split("/")):
        found = _PART.fullmatch(part)
        if found is None:
            raise BuildError(f"device(): {part!r} in {device_name!r} names no device.")
        here = {"job": "localhost", "replica": "0", "task": "0"}
        if found["key"] and here[found["key"].lower()] != found["value"]:
            raise InvalidArgumentError(f"device(): {device_name!r} is on another machine.")
    return nullcontext()


def init_scope() -> AbstractContextManager[None]:
    """Return a context that changes nothing: everything runs as it is written.

    Example:
        >>> with init_scope():
        ...     executing_eagerly()
        True
    """
    return nullcontext()


def executing_eagerly() -> bool:
    """Return True, also inside functions: values are there at once.

    Example:
        >>> executing_eagerly()
        True
    """
    return True


def inside_function() -> bool:
    """Return False, also inside functions: each is the Python that it is.

    Example:
        >>> inside_function()
        False
    """
    return False


def get_logger() -> logging.Logger:
    """Return the logger that warnings of pipelines go to.

    Example:
        >>> get_logger().name
        'feedline'
    """
    return logging.getLogger("feedline")


def get_static_value(tensor: Any, partial: bool = False) -> Any:  # noqa: ARG001
    """Return the value of a tensor as NumPy's, None where it is not known yet.

    Args:
        tensor: Anything; what is no tensor is returned as it is.
        partial: Has no effect: a value is known or not.

    Example:
        >>> import feedline as tf
        >>> get_static_value(tf.constant([1, 2]))
        array([1, 2], dtype=int32)
    """
    if isinstance(tensor, Symbol) or hasattr(tensor, "row_splits") or hasattr(tensor, "indices"):
        return None
    is_tensor = isinstance(tensor, (np.ndarray, np.generic, bytes, str))
    return as_numpy(tensor) if is_tensor else tensor
