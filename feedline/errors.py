"""Every error Feedline raises on purpose.

FeedlineError
├── BuildError             the pipeline asked for cannot exist; raised by the line that builds it
│   ├── BuildTypeError     ... because a value has the wrong type
│   └── NotSendableError   ... because a function cannot be sent to another process
├── SpecError              an element does not have the structure, dtype or shape it must have
├── CardinalityError       a dataset has more or fewer elements than was asserted
├── CheckpointError        a saved state does not belong to this pipeline
├── DataLossError          a file is damaged: what it should hold cannot be read
├── FileError              a file cannot be opened, read or written
│   ├── AlreadyExistsError ... because it is there already
│   └── NotFoundError      ... because it is not there
├── InvalidArgumentError   a value is not what a function can work with, found out while it runs
│   └── DecodeError        ... bytes that are not in the format they should be in
├── NoValueError           Optional.get_value() was called where there is no value
├── RemoteError            an exception or a result that cannot go from process to process
│   └── WorkerError        ... because the process ended, killed or by itself
├── TooManyFailuresError   more elements failed than an error policy allows
└── OutOfRangeError        Iterator.get_next() was called after the last element

An exception raised inside a user's function keeps its own type: Feedline adds a
note saying where in the pipeline it happened, and never wraps it. The one exception
is StopIteration, which Python itself turns into RuntimeError inside iterators.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

from feedline.namespace import open_namespace

__all__ = [
    "AlreadyExistsError",
    "BuildError",
    "BuildTypeError",
    "CardinalityError",
    "CheckpointError",
    "DataLossError",
    "DecodeError",
    "FeedlineError",
    "FileError",
    "InvalidArgumentError",
    "NoValueError",
    "NotFoundError",
    "NotSendableError",
    "OutOfRangeError",
    "RemoteError",
    "SpecError",
    "TooManyFailuresError",
    "WorkerError",
    "check_at_least",
    "check_integer",
]


class FeedlineError(Exception):
    """Base of all errors raised by Feedline."""


class BuildError(FeedlineError, ValueError):
    """The pipeline asked for cannot exist."""


class BuildTypeError(BuildError, TypeError):
    """The pipeline asked for cannot exist: a value has the wrong type."""


class NotSendableError(BuildError):
    """What is to run in another process cannot be sent to it."""


class SpecError(FeedlineError, ValueError):
    """An element does not have the structure, dtype or shape it must have."""


class CardinalityError(FeedlineError, ValueError):
    """A dataset has more or fewer elements than was asserted."""


class CheckpointError(FeedlineError, ValueError):
    """A saved state does not belong to this pipeline."""


class InvalidArgumentError(FeedlineError, ValueError):
    """A value is not what a function can work with."""


class DecodeError(InvalidArgumentError):
    """Bytes are not in the format they should be in."""


class DataLossError(FeedlineError, ValueError):
    """A file is damaged: what it should hold cannot be read."""


class FileError(FeedlineError, OSError):
    """A file cannot be opened, read or written."""


class AlreadyExistsError(FileError, FileExistsError):
    """A file is there already."""


class NotFoundError(FileError, FileNotFoundError):
    """A file is not there."""


class NoValueError(FeedlineError, ValueError):
    """An optional has no value."""


class RemoteError(FeedlineError, RuntimeError):
    """An exception of another process, or an element, cannot be sent as it is."""


class WorkerError(RemoteError):
    """A process that worked on elements has ended."""


class TooManyFailuresError(FeedlineError, RuntimeError):
    """More elements failed than an error policy allows. ignore_errors() lets it through."""


class OutOfRangeError(FeedlineError, EOFError):
    """The iterator has no more elements."""


def check_integer(call: str, name: str, value: Any) -> int:
    """Return ``value`` as an int, or raise BuildTypeError."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    shape = getattr(value, "shape", None)
    if shape == () and getattr(value, "dtype", None) is not None and value.dtype.kind in "iu":
        return int(value)
    raise BuildTypeError(
        f"{call}: {name} must be an integer, got {value!r} of type {type(value).__name__}."
    )


def check_at_least(call: str, name: str, value: Any, least: int, hint: str = "") -> int:
    """Return ``value`` as an int if it is at least ``least``: the text is made from the check."""
    number = check_integer(call, name, value)
    if number < least:
        message = f"{call}: {name} must be at least {least}, got {number}."
        raise BuildError(f"{message} {hint}".rstrip())
    return number


open_namespace(globals())
