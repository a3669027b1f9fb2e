"""own_results: telling whether a function keeps what it returns, to write into it again.

A function may fill one buffer for every call and return it. Results of a block are put
in columns after all calls, so such results have to be copied as they come. Whether that
is needed is seen from the first: an array that only the list of results refers to is
nobody's buffer. What shares memory with the arguments is not either, for these are given
anew for every call.
"""

from __future__ import annotations

from collections.abc import Iterable
from sys import getrefcount
from typing import Any

import numpy as np

__all__ = ["copied", "is_kept"]


def is_kept(results: list[Any], arguments: Iterable[Any]) -> bool:
    """Whether somebody else refers to the only result in a list, or to its memory.

    Args:
        results: A list with one result, to which the caller holds no other reference.
        arguments: The leaves the function was called with.
    """
    given = [leaf for leaf in arguments if isinstance(leaf, np.ndarray)]
    return _any_kept(results, given)


def copied(result: Any) -> Any:
    """Return a result with every array and container in it made anew."""
    if isinstance(result, np.ndarray):
        return result.copy()
    if isinstance(result, dict):
        return type(result)((key, copied(value)) for key, value in result.items())
    if isinstance(result, list):
        return [copied(value) for value in result]
    if isinstance(result, tuple):
        parts = [copied(value) for value in result]
        return type(result)(*parts) if hasattr(result, "_fields") else tuple(parts)
    return result


def _any_kept(values: Iterable[Any], given: list[Any]) -> bool:
    # The container, the loop's variable and the call itself refer to each value.
    for value in values:
        if isinstance(value, np.ndarray):
            if _count(value) > _OURS and not any(np.may_share_memory(value, a) for a in given):
                return True
        elif isinstance(value, dict):
            if getrefcount(value) > _OURS or _any_kept(value.values(), given):
                return True
        elif isinstance(value, list):
            if getrefcount(value) > _OURS:
                return True
        elif isinstance(value, tuple) and _any_kept(value, given):
            return True
    return False


def _count(array: np.ndarray[Any, Any]) -> int:
    """Return how many references there are to an array, or to what it is a view of."""
    # One more for the array, which a parameter of this function refers to.
    count = getrefcount(array) - 1
    base = array.base
    while base is not None:  # a tensor may be a view of a view
        count = max(count, getrefcount(base))
        base = base.base if isinstance(base, np.ndarray) else None
    return count


def _ours() -> int:
    """Return how many references the code above makes itself."""
    for value in [np.empty(0)]:
        return _count(value)
    raise AssertionError


_OURS = _ours()
