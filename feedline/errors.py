"""Every error Feedline raises on purpose.

FeedlineError
├── CheckpointError        a saved state does not belong to this pipeline
├── OpError                something went wrong while it ran: TensorFlow's errors, by its codes
│   ├── AbortedError, CancelledError, DeadlineExceededError, InternalError,
│   │   PermissionDeniedError, ResourceExhaustedError, UnauthenticatedError,
│   │   UnavailableError, UnimplementedError, UnknownError
│   ├── DataLossError      a file is damaged: what it should hold cannot be read
│   ├── FailedPreconditionError  something is not in the state it must be in
│   │   └── CardinalityError     ... a dataset has more or fewer elements than was asserted
│   ├── FileError          a file cannot be opened, read or written
│   │   ├── AlreadyExistsError   ... because it is there already
│   │   └── NotFoundError  ... because it is not there
│   ├── InvalidArgumentError     a value is not what a function can work with
│   │   ├── BuildError     the pipeline asked for cannot exist; raised by the line that builds it
│   │   │   ├── BuildTypeError    ... because a value has the wrong type
│   │   │   └── NotSendableError  ... because a function cannot be sent to another process
│   │   ├── DecodeError    ... bytes that are not in the format they should be in
│   │   ├── NoValueError   Optional.get_value() was called where there is no value
│   │   └── SpecError      ... an element without the structure, dtype or shape it must have
│   │       ├── SpecTypeError  ... because of its dtype
│   │       └── TooLongError   ... because there is no room for it; a DataLossError as well
│   └── OutOfRangeError    Iterator.get_next() was called after the last element
├── RemoteError            an exception or a result that cannot go from process to process
│   └── WorkerError        ... because the process ended, killed or by itself
└── TooManyFailuresError   more elements failed than an error policy allows

An exception raised inside a user's function keeps its own type: Feedline adds a
note saying where in the pipeline it happened, and never wraps it. The one exception
is StopIteration, which Python itself turns into RuntimeError inside iterators.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

from feedline.namespace import open_namespace

__all__ = [
    "ABORTED",
    "ALREADY_EXISTS",
    "CANCELLED",
    "DATA_LOSS",
    "DEADLINE_EXCEEDED",
    "FAILED_PRECONDITION",
    "INTERNAL",
    "INVALID_ARGUMENT",
    "NOT_FOUND",
    "OK",
    "OUT_OF_RANGE",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "UNAUTHENTICATED",
    "UNAVAILABLE",
    "UNIMPLEMENTED",
    "UNKNOWN",
    "AbortedError",
    "AlreadyExistsError",
    "BuildError",
    "BuildTypeError",
    "CancelledError",
    "CardinalityError",
    "CheckpointError",
    "DataLossError",
    "DeadlineExceededError",
    "DecodeError",
    "FailedPreconditionError",
    "FeedlineError",
    "FileError",
    "InternalError",
    "InvalidArgumentError",
    "NoValueError",
    "NotFoundError",
    "NotSendableError",
    "OpError",
    "OutOfRangeError",
    "PermissionDeniedError",
    "RemoteError",
    "ResourceExhaustedError",
    "SpecError",
    "SpecTypeError",
    "TooLongError",
    "TooManyFailuresError",
    "UnauthenticatedError",
    "UnavailableError",
    "UnimplementedError",
    "UnknownError",
    "WorkerError",
]

# TensorFlow's codes, which are those of gRPC.
OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND = range(6)
ALREADY_EXISTS, PERMISSION_DENIED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION = range(6, 10)
ABORTED, OUT_OF_RANGE, UNIMPLEMENTED, INTERNAL, UNAVAILABLE = range(10, 15)
DATA_LOSS, UNAUTHENTICATED = 15, 16


class FeedlineError(Exception):
    """Base of all errors raised by Feedline."""


class CheckpointError(FeedlineError, ValueError):
    """A saved state does not belong to this pipeline."""


# ---- what goes wrong while it runs ----------------------------------------------------------


class OpError(FeedlineError):
    """Base of what goes wrong while something runs, as in TensorFlow.

    Args:
        node_def: What TensorFlow's form has first, usually None; or the text, alone.
        op: What TensorFlow's form has next, usually None.
        message: The text.
        *args: Nothing is made of them.

    Example:
        >>> InvalidArgumentError(None, None, "no such label").message
        'no such label'
        >>> InvalidArgumentError("no such label").error_code
        3
    """

    error_code = UNKNOWN

    def __init__(self, node_def: Any = None, op: Any = None, message: Any = None, *args: Any):
        if message is None:
            node_def, message = None, node_def
        super().__init__(*(() if message is None else (message,)))
        self.node_def = node_def
        self.op = op

    @property
    def message(self) -> str:
        """What is wrong, in words."""
        return str(self.args[0]) if self.args else ""


class AbortedError(OpError):
    """It was given up, because something else came between."""

    error_code = ABORTED


class CancelledError(OpError):
    """It was cancelled."""

    error_code = CANCELLED


class DataLossError(OpError, ValueError):
    """A file is damaged: what it should hold cannot be read."""

    error_code = DATA_LOSS


class DeadlineExceededError(OpError):
    """It took longer than it may."""

    error_code = DEADLINE_EXCEEDED


class FailedPreconditionError(OpError, ValueError):
    """Something is not in the state it must be in."""

    error_code = FAILED_PRECONDITION


class CardinalityError(FailedPreconditionError):
    """A dataset has more or fewer elements than was asserted."""


class FileError(OpError, OSError):
    """A file cannot be opened, read or written."""


class AlreadyExistsError(FileError, FileExistsError):
    """A file is there already."""

    error_code = ALREADY_EXISTS


class NotFoundError(FileError, FileNotFoundError):
    """A file is not there."""

    error_code = NOT_FOUND


class InternalError(OpError):
    """What must always hold does not."""

    error_code = INTERNAL


class InvalidArgumentError(OpError, ValueError):
    """A value is not what a function can work with."""

    error_code = INVALID_ARGUMENT


class BuildError(InvalidArgumentError):
    """The pipeline asked for cannot exist."""


class BuildTypeError(BuildError, TypeError):
    """The pipeline asked for cannot exist: a value has the wrong type."""


class NotSendableError(BuildError):
    """What is to run in another process cannot be sent to it."""


class DecodeError(InvalidArgumentError):
    """Bytes are not in the format they should be in."""


class NoValueError(InvalidArgumentError):
    """An optional has no value."""


class SpecError(InvalidArgumentError):
    """An element does not have the structure, dtype or shape it must have."""


class SpecTypeError(SpecError, TypeError):
    """An element has another dtype than it must have."""


class TooLongError(DataLossError, SpecError):
    """There is no room for an element in the shape that was given."""


class OutOfRangeError(OpError, EOFError):
    """The iterator has no more elements."""

    error_code = OUT_OF_RANGE


class PermissionDeniedError(OpError):
    """The caller may not do it."""

    error_code = PERMISSION_DENIED


class ResourceExhaustedError(OpError):
    """There is no memory, or no room, left."""

    error_code = RESOURCE_EXHAUSTED


class UnauthenticatedError(OpError):
    """The caller did not say who they are."""

    error_code = UNAUTHENTICATED


class UnavailableError(OpError):
    """It is not there now, and may be later."""

    error_code = UNAVAILABLE


class UnimplementedError(OpError):
    """It cannot be done with such values."""

    error_code = UNIMPLEMENTED


class UnknownError(OpError):
    """Something went wrong of which no more is known."""


# ---- what TensorFlow has no error for -------------------------------------------------------


class RemoteError(FeedlineError, RuntimeError):
    """An exception of another process, or an element, cannot be sent as it is."""


class WorkerError(RemoteError):
    """A process that worked on elements has ended."""


class TooManyFailuresError(FeedlineError, RuntimeError):
    """More elements failed than an error policy allows. ignore_errors() lets it through."""


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
