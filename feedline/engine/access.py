"""Access: elements by index, where a plan allows it; and a stream over them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from feedline.engine.exec import Exec, State
from feedline.errors import CheckpointError, check_integer

if TYPE_CHECKING:
    from feedline.block import Block

__all__ = ["Access", "CursorExec", "as_index"]


class Access(ABC):
    """Elements by index. ``calls_user`` says whether getting one runs a user's function."""

    calls_user: bool = False

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return the elements at ``index``; every index is valid."""

    def run(self, start: int, stop: int) -> Block:
        """Return the elements from ``start`` to ``stop``: a view where possible."""
        return self.gather(np.arange(start, stop, dtype=np.int64))


class CursorExec(Exec):
    """Reads an Access from the front to the end. Seeks for free."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._at = 0
        self._length = len(access)

    def pull(self, limit: int) -> Block | None:
        """Return the next run."""
        if self._access.calls_user:
            limit = 1  # so that an exception belongs to exactly one element
        start, stop = self._at, min(self._at + limit, self._length)
        if start == stop:
            return None
        self._at = stop
        return self._access.run(start, stop)

    def skip(self, count: int) -> int:
        """Move the cursor."""
        start, self._at = self._at, min(self._at + count, self._length)
        return self._at - start

    def counters(self) -> State:
        """Return the cursor."""
        return {"at": self._at}

    def resume(self, counters: State) -> None:
        """Set the cursor."""
        at = counters["at"]
        if type(at) is not int or not 0 <= at <= self._length:
            raise CheckpointError(
                f"the state is damaged: a place among {self._length} elements is {at!r}."
            )
        self._at = at


def as_index(value: Any, length: int) -> int:
    """Return ``value`` as an index from the front, or raise IndexError or TypeError."""
    if isinstance(value, slice):
        raise TypeError("a dataset is read by one index at a time. Use skip() and take().")
    index = check_integer("ds[i]", "i", value)
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of range for a dataset of {length} elements")
    return index % length
