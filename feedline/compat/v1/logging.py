"""logging: messages through Python's logging, under the names of ``tf.logging``.

The logger is "feedline". If nobody has set up logging, messages go to stderr.
"""

from __future__ import annotations

import logging
from typing import Any

from feedline.namespace import open_namespace

__all__ = [
    "DEBUG",
    "ERROR",
    "FATAL",
    "INFO",
    "WARN",
    "debug",
    "error",
    "fatal",
    "flush",
    "get_verbosity",
    "info",
    "log",
    "log_every_n",
    "log_first_n",
    "log_if",
    "set_verbosity",
    "vlog",
    "warn",
    "warning",
]

DEBUG, INFO, WARN = logging.DEBUG, logging.INFO, logging.WARNING
ERROR, FATAL = logging.ERROR, logging.CRITICAL

_LOG = logging.getLogger("feedline")
# How often a message was to be logged, for those that are not logged every time.
_COUNTS: dict[str, int] = {}


def set_verbosity(v: Any) -> None:
    """Log what is at least this important.

    Example:
        >>> import feedline as tf
        >>> tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
        >>> tf.compat.v1.logging.get_verbosity()
        40
    """
    _LOG.setLevel(v)


def get_verbosity() -> int:
    """Return how important a message must be to be logged."""
    return _LOG.getEffectiveLevel()


def log(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log a message."""
    if not _LOG.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter(logging.BASIC_FORMAT))
        _LOG.addHandler(handler)
    _LOG.log(level, msg, *args, **kwargs)


def debug(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log what helps to find mistakes."""
    log(DEBUG, msg, *args, **kwargs)


def info(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log what is good to know."""
    log(INFO, msg, *args, **kwargs)


def warning(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log what may be a mistake."""
    log(WARN, msg, *args, **kwargs)


def error(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log what went wrong."""
    log(ERROR, msg, *args, **kwargs)


def fatal(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log what nothing can go on after."""
    log(FATAL, msg, *args, **kwargs)


warn, vlog = warning, log


def log_if(level: int, msg: Any, condition: Any, *args: Any) -> None:
    """Log a message if a condition holds."""
    if condition:
        log(level, msg, *args)


def log_every_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Log a message the first time, and every n-th time after it."""
    log_if(level, msg, not _count(msg) % n, *args)


def log_first_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Log a message the first n times."""
    log_if(level, msg, _count(msg) < n, *args)


def flush() -> None:
    """Write what waits to be written."""
    for handler in _LOG.handlers:
        handler.flush()


def _count(msg: Any) -> int:
    """Return how often a message was counted before."""
    count = _COUNTS[str(msg)] = _COUNTS.get(str(msg), -1) + 1
    return count


open_namespace(globals())
