"""depth: how many steps may read from each other, and the recursion that takes.

A running plan is as deep a stack of calls as it has steps one below the other: every step pulls
the one it reads from. Python allows a thousand calls. So whoever holds a plan of many steps
holds the limit as high as the plan needs, in all threads, for as long as there is such a plan.

Python's own calls take no C stack, and what would nest in C is kept flat: see pickling plans in
node.py and states in engine/cut_state.py.
"""

from __future__ import annotations

import sys
import threading
import weakref
from contextlib import suppress
from typing import Any

from feedline.errors import BuildError

__all__ = ["MOST_STEPS", "SHALLOW", "Recursion", "recursion_for"]

SHALLOW = 50
"""So many steps run within what Python allows."""
MOST_STEPS = 10_000
"""More steps than this, one below the other, are refused."""

# Calls between the pull of one step and that of the next: most steps make three.
_CALLS_PER_STEP = 12
# Plans that differ by less than this share what they hold.
_ROUNDED = 250


class Recursion:
    """Calls beside those that the user's limit allows, as long as this is held."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        _HELD[id(self)] = steps * _CALLS_PER_STEP
        _settle()

    def __reduce__(self) -> tuple[Any, ...]:
        return recursion_for, (self._steps, "")

    def __del__(self) -> None:
        _HELD.pop(id(self), None)
        _settle()


def recursion_for(steps: int, place: str) -> Recursion | None:
    """Return what a plan must hold that is so many steps deep; ``place`` says where it ends.

    Example:
        >>> recursion_for(3, "here")
        >>> usual = sys.getrecursionlimit()
        >>> held = recursion_for(1000, "here")
        >>> sys.getrecursionlimit() > usual + 3000
        True
        >>> del held
        >>> sys.getrecursionlimit() == usual
        True
    """
    if steps <= SHALLOW:
        return None
    if steps > MOST_STEPS:
        raise BuildError(
            f"{place}: at most {MOST_STEPS} steps may read one from the other, and this is one "
            "more. Join many datasets with one flat_map() or sample_from_datasets(), and many "
            "functions in one map()."
        )
    rounded = -(-steps // _ROUNDED) * _ROUNDED
    with _LOCK:
        found = _SHARED.get(rounded)
        if found is None:
            found = _SHARED[rounded] = Recursion(rounded)
        return found


def _settle() -> None:
    """Have the limit that all need who hold something; the user's own if nobody does."""
    global _users, _ours
    with _LOCK:  # may be entered again, by garbage that is found inside: the last one is right
        now = sys.getrecursionlimit()
        if now != _ours:  # somebody else set it
            _users = now
        wanted = _users + max([*_HELD.values()], default=0)
        # The present thread may be deeper than that: the next to settle lowers the limit.
        with suppress(RecursionError):
            if wanted != now:
                sys.setrecursionlimit(wanted)
            _ours = wanted


_LOCK = threading.RLock()
_HELD: dict[int, int] = {}
_SHARED: weakref.WeakValueDictionary[int, Recursion] = weakref.WeakValueDictionary()
# The limit without us, and the one that was set here last.
_users = sys.getrecursionlimit()
_ours = _users
