"""answer: what is said about a name of TensorFlow that is not here."""

from __future__ import annotations

import difflib
import sys
from importlib import import_module
from typing import Any

from feedline.names.absent import ABSENT
from feedline.names.older import OLDER

__all__ = ["reason", "suggestion"]

# Where a name may live that is asked for in another place, the most likely first.
_HOMES = """
    tf tf.io tf.math tf.image tf.strings tf.random tf.nn tf.linalg tf.data tf.data.experimental
    tf.sparse tf.ragged tf.nest tf.train tf.signal tf.lookup tf.debugging tf.dtypes tf.io.gfile
"""


def reason(place: str, name: str) -> str:
    """Return why a name is not here and what to use instead; nothing if that is not known.

    Args:
        place: A namespace or class, such as "tf.io" or "tf.data.Dataset".
        name: What it lacks.

    Example:
        >>> reason("tf", "parse_single_example")
        'use tf.io.parse_single_example'
    """
    for table in (ABSENT, OLDER):
        for names, why in table.get(place, {}).items():
            if name in names.split():
                return why
    if "*" in ABSENT.get(f"{place}.{name}", {}):
        return ABSENT[f"{place}.{name}"]["*"]
    homes = [home for home in _HOMES.split() if home != place and _has(home, name)]
    return f"use {homes[0]}.{name}" if homes and _is_namespace(place) else ""


def suggestion(place: str, name: str) -> str:
    """Return what was probably meant, and what is known of all that is not in a place."""
    rest = ABSENT.get(place, {}).get("*", "")
    known = {one.lower(): one for one in _names(place)}
    # A name that is only somewhat like another may be one of the rest.
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.82 if rest else 0.75)
    if close:
        return f". Did you mean {place}.{known[close[0]]}?"
    return f": {rest}, see docs/names.md" if rest else ""


def _names(place: str) -> list[str]:
    found = _named(place)
    return [name for name in dir(found) if not name.startswith("_")]


def _has(place: str, name: str) -> bool:
    return name in getattr(_named(place), "__all__", ())


def _is_namespace(place: str) -> bool:
    return place.replace("tf", "feedline", 1) in sys.modules


def _named(place: str) -> Any:
    """Return a namespace or class, None if it is not here."""
    found: Any = import_module("feedline")
    for part in place.split(".")[1:]:
        # Asking for what is not there would bring us here again.
        found = getattr(found, part) if part in dir(found) else None
    return found
