"""Optional: a value that may be absent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from feedline.errors import NoValueError
from feedline.leaf import ingest
from feedline.leaf_spec import OptionalSpec
from feedline.spec import spec_of
from feedline.structure import structure_of
from feedline.values.tensor import as_tensor

__all__ = ["Optional"]

_ABSENT = object()


class Optional:
    """A value, or the knowledge that there is none.

    Made by :meth:`from_value`, :meth:`empty` and ``Iterator.get_next_as_optional()``.

    Example:
        >>> Optional.from_value(42).get_value()
        np.int32(42)
        >>> Optional.empty(None).has_value()
        np.False_
    """

    spec_type: ClassVar[type] = OptionalSpec

    __slots__ = ("_spec", "_value")

    def __init__(self, value: Any, spec: Callable[[], Any]) -> None:
        self._value = value
        # Called only if someone asks: to know it may take running a pipeline.
        self._spec = spec

    @staticmethod
    def empty(element_spec: Any) -> Optional:
        """Return an optional without a value; it would have had ``element_spec``."""
        return Optional(_ABSENT, lambda: element_spec)

    @staticmethod
    def from_value(value: Any) -> Optional:
        """Return an optional that has ``value``, which may be any element."""
        structure = structure_of(value)
        leaves = [as_tensor(ingest(leaf)) for leaf in structure.flatten(value)]
        element = structure.pack(leaves)
        return Optional(element, lambda: spec_of(element))

    @staticmethod
    def of_next(elements: Any) -> Optional:
        """Return the next of an iterator's elements, or an empty optional at its end."""
        return Optional(next(elements, _ABSENT), lambda: elements.element_spec)

    def has_value(self, name: str | None = None) -> Any:
        """Whether there is a value, as a tensor."""
        return as_tensor(np.bool_(self._value is not _ABSENT))

    def get_value(self, name: str | None = None) -> Any:
        """Return the value; raise NoValueError if there is none."""
        if self._value is _ABSENT:
            raise NoValueError("Optional.get_value(): there is no value. Ask has_value() first.")
        return self._value

    @property
    def element_spec(self) -> Any:
        """The spec of the value, or of the value that might have been."""
        return self._spec()

    def __repr__(self) -> str:
        return f"Optional({self._value!r})" if self.has_value() else "Optional.empty()"
