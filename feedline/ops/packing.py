"""packing: sequences put side by side in rows of fixed length.

Every strategy takes sequences in order and hands out rows; what it still holds it can
tell as positions of sequences, and take back from those sequences read again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from feedline.column import Column
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.ids import Ids
from feedline.ops.sequences import Sequences
from feedline.spec import TensorSpec, array_spec
from feedline.structure import LEAF, Structure, structure_of

__all__ = ["PACK_ID", "Packer", "Widths", "check_leaf", "packed", "per_leaf"]

PACK_ID = 0x9AC4
_CALL = "pack()"
_PARTS = ("values", "segment_ids", "positions")


@dataclass(frozen=True, slots=True)
class Widths:
    """How long a row is and what fills it up, for each leaf."""

    lengths: tuple[int, ...]
    fills: tuple[Any, ...]


class Packer(ABC):
    """A strategy: takes sequences, gives columns of rows."""

    def __init__(self, widths: Widths) -> None:
        self.widths = widths

    @abstractmethod
    def add(self, sequences: Sequences, start: int, stop: int, wanted: int) -> int:
        """Take sequences from ``start`` on until ``wanted`` rows are done; return how many."""

    @abstractmethod
    def rows(self, *, rest: bool = False) -> tuple[list[Column], Ids | None] | None:
        """Return the rows that are done, and ``rest``: also those that are not; None if none."""

    @property
    @abstractmethod
    def oldest(self) -> int | None:
        """The first position of a sequence that is held."""

    @abstractmethod
    def held(self) -> list[Any]:
        """Return what is held of which sequences, in a form restore() understands."""

    @staticmethod
    @abstractmethod
    def positions_of(held: list[Any]) -> list[int]:
        """Return the positions of the sequences that ``held`` needs."""

    @abstractmethod
    def restore(self, held: list[Any], sequences: Sequences) -> None:
        """Take back what was held, from the sequences at those positions."""


def check_leaf(leaf: Any, path: str) -> None:
    """Raise unless leaves with this spec are sequences."""
    leaf = array_spec(leaf)
    if isinstance(leaf, TensorSpec) and leaf.dtype != object and leaf.rank in (None, 1):
        return
    where = f" at {path}" if path else ""
    raise BuildTypeError(
        f"{_CALL}: elements must be arrays of one axis, or structures of them, got {leaf}"
        f"{where}. Choose leaves with keys=, or change the element in a map() before."
    )


def per_leaf(what: str, value: Any, structure: Structure) -> list[Any]:
    """Return what was given for each leaf: one for all, or a structure of them."""
    if structure_of(value).is_leaf:
        return [value] * structure.num_leaves
    try:
        return structure.flatten(value)
    except SpecError:
        raise BuildError(
            f"{_CALL}: {what} must be one value, or one for each leaf of {structure}, "
            f"got {value!r}."
        ) from None


def packed(structure: Structure) -> Structure:
    """Return the structure of rows made of elements of ``structure``."""
    if structure.type is None:
        return Structure(dict, _PARTS, (LEAF, LEAF, LEAF))
    if not issubclass(structure.type, dict):
        return Structure(structure.type, structure.keys, tuple(map(packed, structure.children)))
    keys: list[Any] = []
    children: list[Structure] = []
    for key, child in zip(structure.keys, structure.children, strict=True):
        keys += [key, f"{key}_segment_ids", f"{key}_positions"] if child.is_leaf else [key]
        children += [LEAF, LEAF, LEAF] if child.is_leaf else [packed(child)]
    if len(set(keys)) < len(keys):
        raise BuildError(f"{_CALL}: keys would be there twice: {keys}.")
    return Structure(structure.type, tuple(keys), tuple(children))
