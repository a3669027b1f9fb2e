"""pickling: what other processes get, as cloudpickle does it, and functions that cache as well.

Bound functions of modules go by name where they can. A function of a script with
``functools.cache`` around it has a name that no other process knows.
"""

from __future__ import annotations

import functools
import io
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import cloudpickle

from feedline.binding.sending import named

__all__ = ["pickled"]

_CachedFunction = type(functools.cache(lambda: None))


def pickled(value: Any, buffer_callback: Callable[[Any], Any] | None = None) -> bytes:
    """Return the pickle of a value; large arrays are shown to ``buffer_callback`` instead.

    Example:
        >>> import pickle
        >>> pickle.loads(pickled(functools.cache(lambda x: x + 1)))(1)
        2
    """
    file = io.BytesIO()
    _Pickler(file, protocol=5, buffer_callback=buffer_callback).dump(value)
    return file.getvalue()


class _Pickler(cloudpickle.Pickler):  # type: ignore[misc]  # it has no types
    def reducer_override(self, obj: Any) -> Any:
        if type(obj) is FunctionType and (stand_in := named(obj)) is not None:
            return stand_in.__reduce__()
        if isinstance(obj, _CachedFunction) and not _has_name(obj):
            return _cached, (obj.__wrapped__, obj.cache_parameters())
        return super().reducer_override(obj)


def _has_name(obj: Any) -> bool:
    """Whether another process finds it under its name."""
    if obj.__module__ == "__main__":
        return False
    found: Any = sys.modules.get(obj.__module__)
    for name in obj.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is obj


def _cached(fn: Callable[..., Any], parameters: dict[str, Any]) -> Any:
    return functools.lru_cache(**parameters)(fn)
