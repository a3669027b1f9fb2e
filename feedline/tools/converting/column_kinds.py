"""column_kinds: which kind of number, or text, every column of a table holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from feedline.errors import InvalidArgumentError
from feedline.tools.example_bytes import FLOAT, INT, TEXT, Values

__all__ = ["ColumnKinds"]

_WHOLE = re.compile(r"[ \t]*[+-]?[0-9]{1,19}[ \t]*")
_NUMBER = re.compile(
    r"[ \t]*[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|inf|nan|infinity)[ \t]*",
    re.IGNORECASE,
)
_NAMES = {INT: "int64", FLOAT: "float32", TEXT: "bytes"}
_WHOLE_LIMITS = -(2**63), 2**63 - 1


class ColumnKinds:
    """The kind of each column: whole numbers, numbers or text, the first that holds them all."""

    def __init__(self) -> None:
        self.kinds: dict[str, int] = {}

    def names(self) -> dict[str, str]:
        """Return the kinds in words."""
        return {name: _NAMES[kind] for name, kind in self.kinds.items()}

    # ---- fields of text --------------------------------------------------------

    def see_text(self, name: str, field: str) -> None:
        """Count in a field of a CSV file; an empty one says nothing."""
        kind = self.kinds.get(name)
        if kind == TEXT or not field:
            return
        if kind != FLOAT and _WHOLE.fullmatch(field) and _fits(int(field)):
            self.kinds[name] = INT
        elif _NUMBER.fullmatch(field):
            self.kinds[name] = FLOAT
        else:
            self.kinds[name] = TEXT

    def of_text(self, name: str, field: str) -> Values | None:
        """Return a field as the feature it becomes, None for one that is missing."""
        kind = self.kinds.get(name, TEXT)
        if kind == TEXT:
            return TEXT, [field.encode("utf-8", "surrogateescape")]
        if not field:
            return None
        return kind, [int(field) if kind == INT else _single(float(field))]

    # ---- values of Python ------------------------------------------------------

    def see(self, name: str, value: Any) -> None:
        """Count in a value: a number, text, or a list of them; None says nothing."""
        for item in _items(value, name):
            found = _kind_of(item, name)
            kind = self.kinds.get(name, found)
            if kind != found and TEXT in (kind, found):
                raise InvalidArgumentError(
                    f"column {name!r} holds text and numbers, such as {str(item)[:40]!r}. "
                    "Make it one of them first."
                )
            self.kinds[name] = FLOAT if kind != found else kind

    def of(self, name: str, value: Any) -> Values | None:
        """Return a value as the feature it becomes, None for one that is missing."""
        if value is None:
            return None
        kind = self.kinds.get(name, TEXT)
        items = _items(value, name)
        if kind == TEXT:
            return TEXT, [_as_bytes(item) for item in items]
        if kind == INT:
            return INT, [int(item) for item in items]
        return FLOAT, [_single(float(item)) for item in items]

    def record(self, values: Mapping[str, Any]) -> dict[str, Values]:
        """Return a row of values as features."""
        made = {name: self.of(name, value) for name, value in values.items()}
        return {name: feature for name, feature in made.items() if feature is not None}


def _items(value: Any, name: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        return [value]
    if any(isinstance(item, (list, dict)) or item is None for item in value):
        raise InvalidArgumentError(
            f"column {name!r} holds lists in lists, which an Example cannot: {str(value)[:60]}. "
            "Flatten it first."
        )
    return value


def _kind_of(item: Any, name: str) -> int:
    if isinstance(item, (str, bytes)):
        return TEXT
    if isinstance(item, bool) or (isinstance(item, int) and _fits(item)):
        return INT
    if isinstance(item, (int, float)):
        return FLOAT
    raise InvalidArgumentError(
        f"column {name!r} holds a {type(item).__name__}, {str(item)[:40]}, which an Example "
        "cannot. Make it a number or text first."
    )


def _fits(number: int) -> bool:
    return _WHOLE_LIMITS[0] <= number <= _WHOLE_LIMITS[1]


def _single(number: float) -> float:
    """Return a number that float32 can hold: what is too large is infinite, as in NumPy."""
    if number - number == 0 and abs(number) > _LARGEST:
        return float("inf") if number > 0 else float("-inf")
    return number


# What rounds to the largest float32 and not to infinity.
_LARGEST = float.fromhex("0x1.fffffefffffffp127")


def _as_bytes(item: Any) -> bytes:
    return item if isinstance(item, bytes) else str(item).encode("utf-8", "surrogateescape")
