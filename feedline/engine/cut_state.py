"""cut_state: states that are nested deep, as a list of parts that are not.

The state of a step holds those of its inputs. JSON and pickle nest as deep as what they write,
and give up, or crash, where that is too deep. A part ends with the numbers of others, in the
place of what they hold; every part is named by exactly one of those before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from feedline.errors import CheckpointError

__all__ = ["check_nesting", "cut", "joined"]

# Dicts and lists inside one another, in one part.
_DEEPEST = 60
# More is no state that cut() made.
_MOST = 4 * _DEEPEST
_PART = "part"


def cut(state: dict[str, Any]) -> list[Any]:
    """Return the parts of a state: the state itself, if it is not nested deep.

    Example:
        >>> cut({"n": 3, "in": [{"n": 4}]})
        [{'n': 3, 'in': [{'n': 4}]}]
    """
    waiting: list[Any] = [state]
    return [_cut(value, 0, waiting) for value in _growing(waiting)]


def _growing(values: list[Any]) -> Iterator[Any]:
    yield from values


def _cut(value: Any, depth: int, waiting: list[Any]) -> Any:
    if isinstance(value, dict):
        if depth >= _DEEPEST:
            waiting.append(value)
            return {_PART: len(waiting) - 1}
        return {key: _cut(inner, depth + 1, waiting) for key, inner in value.items()}
    if isinstance(value, list):
        return [_cut(inner, depth + 1, waiting) for inner in value]
    return value


def joined(parts: list[Any]) -> Any:
    """Return the state that was cut into parts.

    Raises CheckpointError if they are not what cut() returned.
    """
    whole: dict[int, Any] = {}
    for number in range(len(parts) - 1, -1, -1):
        whole[number] = _joined(parts[number], number, whole)
    state = whole.pop(0)
    if whole:
        raise CheckpointError("the state is damaged: it has parts that belong to nothing.")
    return state


def _joined(value: Any, number: int, whole: dict[int, Any]) -> Any:
    if isinstance(value, dict):
        if value.keys() == {_PART}:
            place = value[_PART]
            # Once each: otherwise a few of them could stand for more than any memory holds.
            if type(place) is not int or place <= number or place not in whole:
                raise CheckpointError(f"the state is damaged: it has no part {place!r:.40}.")
            return whole.pop(place)
        return {key: _joined(inner, number, whole) for key, inner in value.items()}
    if isinstance(value, list):
        return [_joined(inner, number, whole) for inner in value]
    return value


def check_nesting(value: Any) -> None:
    """Raise CheckpointError if a value is nested deeper than any part of a state."""
    waiting = [(value, 0)]
    while waiting:
        inner, depth = waiting.pop()
        if depth > _MOST:
            raise CheckpointError("the state is damaged: it is nested deeper than any state is.")
        if isinstance(inner, dict):
            waiting.extend((one, depth + 1) for one in inner.values())
        elif isinstance(inner, (list, tuple)):
            waiting.extend((one, depth + 1) for one in inner)
