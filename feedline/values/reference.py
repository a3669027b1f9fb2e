"""reference: what may stand for one tensor in a set or as a key."""

from __future__ import annotations

from typing import Any

__all__ = ["Reference"]


class Reference:
    """What stands for a tensor in a set or as a key: two are equal if it is the same tensor."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor: Any) -> None:
        self._tensor = tensor

    def deref(self) -> Any:
        """Return the tensor."""
        return self._tensor

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and other._tensor is self._tensor

    def __hash__(self) -> int:
        return id(self._tensor)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._tensor!r}>"
