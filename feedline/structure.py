"""structure: the nested shape of an element, apart from its leaves.

Tuples, dicts, namedtuples and dataclasses are branches; everything else is a leaf. A
list is a leaf too: it becomes an array, as in tf.data. A class whose attribute
``__feedline_leaf__`` is true is a leaf even if it is a dataclass.
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Any, NoReturn

from feedline.errors import SpecError

__all__ = ["LEAF", "Structure", "split_values", "structure_of"]


@dataclass(frozen=True, slots=True)
class Structure:
    """A leaf (``type`` is None), or a branch with one child per key."""

    type: type | None = None
    keys: tuple[Hashable, ...] = ()
    children: tuple[Structure, ...] = ()

    @property
    def is_leaf(self) -> bool:
        """Whether this is a single leaf."""
        return self.type is None

    @property
    def is_tuple(self) -> bool:
        """Whether elements are plain tuples, which functions get as separate arguments."""
        return self.type is tuple

    @property
    def num_leaves(self) -> int:
        """How many leaves there are below."""
        return 1 if self.is_leaf else sum(child.num_leaves for child in self.children)

    def paths(self, prefix: str = "") -> Iterator[str]:
        """Yield where each leaf is, as it would be written: ``[0]['image']``, ``.label``."""
        if self.type is None:
            yield prefix
        for key, child in zip(self.keys, self.children, strict=True):
            step = f".{key}" if _by_attribute(self.type) else f"[{key!r}]"
            yield from child.paths(prefix + step)

    def places_by_key(self, first: int = 0) -> list[int]:
        """Return the places of the leaves, with those below a dict ordered by its keys.

        Example:
            >>> structure_of({"b": 0, "a": (0, 0)}).places_by_key()
            [1, 2, 0]
        """
        if self.type is None:
            return [first]
        parts = []
        for child in self.children:
            parts.append(child.places_by_key(first))
            first += child.num_leaves
        if issubclass(self.type, dict):
            with suppress(TypeError):  # keys of different kinds have no order
                parts = [part for _, part in sorted(zip(self.keys, parts, strict=True))]
        return [place for part in parts for place in part]

    def flatten(self, value: Any) -> list[Any]:
        """Return the leaves of ``value``, which must have this structure."""
        found = structure_of(value)
        if found != self and found.aligned(self) is None:
            raise SpecError(f"expected the structure {self}, got {found}.")
        return list(self.leaves_of(value))

    def leaves_of(self, value: Any) -> Iterator[Any]:
        """Yield the leaves of ``value``, which has this structure."""
        if self.type is None:
            yield value
        for key, child in zip(self.keys, self.children, strict=True):
            part = getattr(value, str(key)) if _by_attribute(self.type) else value[key]
            yield from child.leaves_of(part)

    def aligned(self, other: Structure) -> Structure | None:
        """Return self with its dict keys in the order of ``other``, or None if they differ."""
        if self.type is not other.type or set(self.keys) != set(other.keys):
            return None
        mine = dict(zip(self.keys, self.children, strict=True))
        children = []
        for key, theirs in zip(other.keys, other.children, strict=True):
            child = mine[key].aligned(theirs)
            if child is None:
                return None
            children.append(child)
        return Structure(self.type, other.keys, tuple(children))

    def pack(self, leaves: Sequence[Any]) -> Any:
        """Return the element that has these leaves."""
        return self.pack_rows([[leaf] for leaf in leaves], 1)[0]

    def pack_rows(self, columns: Sequence[list[Any]], length: int) -> list[Any]:
        """Return ``length`` elements, given each leaf's values as a list."""
        return self.pack_next(iter(columns), length)

    def pack_next(self, columns: Iterator[list[Any]], length: int) -> list[Any]:
        """Return the same; takes as many columns as there are leaves."""
        if self.type is None:
            return next(columns)
        parts = [
            next(columns) if child.type is None else child.pack_next(columns, length)
            for child in self.children
        ]
        rows: list[Any] = list(zip(*parts, strict=True)) if parts else [()] * length
        if self.type is tuple:
            return rows
        if issubclass(self.type, dict):
            return [self.type(zip(self.keys, row, strict=True)) for row in rows]
        if issubclass(self.type, tuple):
            return [self.type(*row) for row in rows]
        names = [str(key) for key in self.keys]
        return [self.type(**dict(zip(names, row, strict=True))) for row in rows]

    def __str__(self) -> str:
        if self.type is None:
            return "*"
        inner = [str(child) for child in self.children]
        if self.type is tuple:
            return f"({', '.join(inner)})"
        pairs = [f"{key!r}: {text}" for key, text in zip(self.keys, inner, strict=True)]
        braces = "{" + ", ".join(pairs) + "}"
        return braces if self.type is dict else f"{self.type.__name__}{braces}"


LEAF = Structure()


def structure_of(value: Any) -> Structure:
    """Return the structure of an element.

    Example:
        >>> str(structure_of((1, {"a": 2})))
        "(*, {'a': *})"
    """
    kind = type(value)
    if kind is tuple:
        return Structure(tuple, tuple(range(len(value))), tuple(map(structure_of, value)))
    if isinstance(value, dict):
        kept = OrderedDict if isinstance(value, OrderedDict) else dict
        return Structure(kept, tuple(value), tuple(map(structure_of, value.values())))
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return Structure(kind, tuple(range(len(value))), tuple(map(structure_of, value)))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        if getattr(kind, "__feedline_leaf__", False):
            return LEAF
        names = tuple(field.name for field in dataclasses.fields(value) if field.init)
        return Structure(kind, names, tuple(structure_of(getattr(value, n)) for n in names))
    return LEAF


def split_values(values: list[Any], structure: Structure) -> list[list[Any]]:
    """Return each leaf's values over a list of elements that all have ``structure``.

    Everything inside is done by C loops over the whole list: a user's function that is
    called per element must not pay for the structure of its result per element.
    """
    if structure.type is None:
        if any(_is_branch(kind) for kind in set(map(type, values))):
            _raise_mismatch(values, structure)
        return [values]
    parts = _split_branch(values, structure)
    split = []
    for part, child in zip(parts, structure.children, strict=True):
        split.extend(split_values(list(part), child))
    return split


def _split_branch(values: list[Any], structure: Structure) -> Any:
    kind = structure.type
    assert kind is not None
    if issubclass(kind, tuple):
        if set(map(type, values)) == {kind} and set(map(len, values)) == {len(structure.keys)}:
            return zip(*values, strict=True)
    elif issubclass(kind, dict):
        allowed = all(isinstance(value, dict) for value in values)
        if allowed and set(map(len, values)) == {len(structure.keys)}:
            try:
                return [list(map(itemgetter(key), values)) for key in structure.keys]
            except KeyError:
                pass
    elif set(map(type, values)) == {kind}:
        return [list(map(attrgetter(str(key)), values)) for key in structure.keys]
    _raise_mismatch(values, structure)


def _raise_mismatch(values: list[Any], structure: Structure) -> NoReturn:
    for index, value in enumerate(values):
        found = structure_of(value)
        if found.type is not structure.type or set(found.keys) != set(structure.keys):
            raise SpecError(
                f"elements must all have one structure: {structure} was seen first, "
                f"then {found} (element {index} of this run)."
            )
    raise AssertionError("the fast and the slow check of a structure disagree")


def _is_branch(kind: type) -> bool:
    if issubclass(kind, tuple):
        return kind is tuple or hasattr(kind, "_fields")
    if issubclass(kind, dict):
        return True
    return dataclasses.is_dataclass(kind) and not getattr(kind, "__feedline_leaf__", False)


def _by_attribute(kind: type | None) -> bool:
    return kind is not None and not issubclass(kind, (dict, tuple))
