"""carried: the state that scan() and reduce() hand from one call to the next.

Its structure and dtypes are those of the initial state for ever; shapes may change, as
in tf.data. A Python number that a function returns takes the dtype of its place.
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from feedline.errors import BuildTypeError, SpecError
from feedline.leaf import as_leaf, describe_leaf, ingest
from feedline.structure import Structure, structure_of
from feedline.values.tensor import as_tensor

__all__ = ["Carried"]

# A state whose bytes are more than this is not saved but computed again.
_MOST_BYTES = 1400


class Carried:
    """The kind of a carried state: makes, checks, copies and writes its values."""

    __slots__ = ("_call", "_dtypes", "_structure", "initial")

    def __init__(self, call: str, initial: Any) -> None:
        self._call = call
        self._structure: Structure = structure_of(initial)
        leaves = [ingest(leaf) for leaf in self._structure.flatten(initial)]
        self._dtypes = [_dtype(leaf) for leaf in leaves]
        self.initial = self._pack(leaves) if leaves else initial

    def copy(self, state: Any) -> Any:
        """Return a state in memory of its own."""
        if isinstance(state, np.generic):
            return state
        leaves = self._structure.leaves_of(state)
        return self._pack(
            [leaf.copy() if isinstance(leaf, np.ndarray) else leaf for leaf in leaves]
        )

    def checked(self, state: Any, before: Any) -> Any:
        """Return what a function gave as the next state, if it is of the right kind."""
        if type(state) is type(before) and isinstance(state, (np.number, np.bool_)):
            return state  # a tensor, as the state before
        if isinstance(state, list) and self._structure.is_tuple:
            state = tuple(state)
        try:
            leaves = self._structure.flatten(state)
        except SpecError:
            raise BuildTypeError(
                f"{self._call}: the new state must have the structure of the initial state, "
                f"{self._structure}, got {structure_of(state)}."
            ) from None
        paths = self._structure.paths()
        parts = zip(leaves, self._dtypes, paths, strict=True)
        return self._pack([self._leaf(*part) for part in parts])

    def _leaf(self, value: Any, dtype: Any, path: str) -> Any:
        if isinstance(dtype, np.dtype) and isinstance(value, (bool, int, float)):
            value = _of_dtype(value, dtype)
        leaf = as_leaf(value)
        if _dtype(leaf) != dtype:
            where = f" at {path}" if path else ""
            wanted = "string" if dtype == np.dtype(object) else dtype
            raise BuildTypeError(
                f"{self._call}: the new state must have the dtypes of the initial state: "
                f"{wanted} is expected{where}, got {describe_leaf(leaf)}. Convert the result, or "
                "begin with a state of that dtype."
            )
        return leaf

    def _pack(self, leaves: list[Any]) -> Any:
        leaves = [as_tensor(leaf) for leaf in leaves]
        return leaves[0] if self._structure.is_leaf else self._structure.pack(leaves)

    def written(self, state: Any) -> list[Any] | None:
        """Return a state as JSON that gives back exactly the same, None if it is too large."""
        leaves = [state] if self._structure.is_leaf else list(self._structure.leaves_of(state))
        left = _MOST_BYTES
        for leaf in leaves:
            left -= _num_bytes(leaf)
            if left < 0:
                return None
        return [_written(leaf) for leaf in leaves]

    def read(self, written: list[Any]) -> Any:
        """Return what written() was given."""
        return self._pack([_read(*entry) for entry in written])


def _dtype(leaf: Any) -> Any:
    """Return what must not change: the dtype, or the class of what has none."""
    if isinstance(leaf, (str, bytes)):
        return np.dtype(object)
    return getattr(leaf, "dtype", type(leaf))


def _of_dtype(value: Any, dtype: np.dtype[Any]) -> Any:
    if dtype.kind == "b":
        fits = isinstance(value, bool)
    elif dtype.kind in "iu":
        fits = isinstance(value, int) and not isinstance(value, bool)
    else:
        fits = dtype.kind in "fc" and not isinstance(value, bool)
    return dtype.type(value) if fits else value


def _num_bytes(leaf: Any) -> int:
    overhead = 64
    if isinstance(leaf, str):
        return overhead + 4 * len(leaf)
    if isinstance(leaf, bytes):
        return overhead + len(leaf)
    if isinstance(leaf, (np.ndarray, np.generic)) and not leaf.dtype.hasobject:
        return overhead + leaf.nbytes
    return _MOST_BYTES + 1


def _written(leaf: Any) -> list[Any]:
    if isinstance(leaf, str):
        return ["str", leaf]
    if isinstance(leaf, bytes):
        return ["bytes", base64.b64encode(leaf).decode()]
    return [leaf.dtype.str, base64.b64encode(leaf.tobytes()).decode(), list(leaf.shape)]


def _read(kind: str, text: str, shape: list[int] | None = None) -> Any:
    if kind == "str":
        return text
    data = base64.b64decode(text)
    if kind == "bytes":
        return data
    return np.frombuffer(data, kind).reshape(shape or ()).copy()[()]
