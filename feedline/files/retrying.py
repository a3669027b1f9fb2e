"""retrying: trying again what may succeed a moment later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from feedline.errors import FileError
from feedline.files.attended import attended, patience, rest

__all__ = ["DELAYS", "passes_by", "reason", "retried"]

T = TypeVar("T")

# Seconds to wait before each new attempt, the last before all further ones: half a minute in all.
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


def retried(
    attempt: Callable[[], T],
    what: str,
    sleep: Callable[[float], None] = rest,
    num_bytes: int | None = None,
) -> T:
    """Return what ``attempt`` returns, trying again after failures that pass by.

    Args:
        attempt: Is given up if it takes too long, which is such a failure.
        what: The file, as errors call it.
        sleep: Waits between two attempts.
        num_bytes: How much an attempt brings; None for one that may take as long as it does.
    """
    tries = patience().attempts
    for number in range(tries):
        if number:
            sleep(DELAYS[min(number, len(DELAYS)) - 1] if DELAYS else 0.0)
        try:
            return attended(attempt, num_bytes)
        except Exception as error:
            if not passes_by(error):
                raise
            last = error
    found = reason(last)
    try:
        raise FileError(
            f"{what}: failed {tries} times, at last with {type(found).__name__}: {found}. Check "
            "the connection and the credentials. Options.remote_attempts says how often it is "
            "tried, Options.remote_timeout_s how long an answer may take."
        ) from last
    finally:
        del last, found  # their tracebacks hold this frame
