"""retrying: trying again what may succeed a moment later."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from feedline.errors import FileError

__all__ = ["DELAYS", "passes_by", "reason", "retried"]

T = TypeVar("T")

# Seconds to wait before each new attempt: half a minute in all.
DELAYS: Sequence[float] = (0.1, 0.3, 1.0, 3.0, 8.0, 16.0)

# What will be no different in a minute.
_LASTING = (
    FileNotFoundError,
    PermissionError,
    IsADirectoryError,
    NotADirectoryError,
    NotImplementedError,
    ImportError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
)
_ASKS_TO_WAIT = (408, 425, 429)


def reason(error: BaseException) -> BaseException:
    """Return what a failure comes from.

    fsspec says of whatever a web server fails with that there is no such file.
    """
    if isinstance(error, FileNotFoundError) and error.__cause__ is not None:
        return reason(error.__cause__)
    return error


def passes_by(error: BaseException) -> bool:
    """Tell whether a failure of a remote file may be over in a moment."""
    error = reason(error)
    status = getattr(error, "status", None)
    if isinstance(status, int) and 400 <= status < 500:
        return status in _ASKS_TO_WAIT
    return not isinstance(error, _LASTING)


def retried(attempt: Callable[[], T], what: str, sleep: Callable[[float], None] = time.sleep) -> T:
    """Return what ``attempt`` returns, trying again after failures that pass by."""
    for delay in DELAYS:
        try:
            return attempt()
        except Exception as error:
            if not passes_by(error):
                raise
        sleep(delay)
    try:
        return attempt()
    except Exception as error:
        if not passes_by(error):
            raise
        found = reason(error)
        raise FileError(
            f"{what}: failed {len(DELAYS) + 1} times, at last with {type(found).__name__}: "
            f"{found}. Check the connection and the credentials."
        ) from error
