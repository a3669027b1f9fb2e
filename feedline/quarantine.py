"""quarantine: which elements failed, why, where they came from, and how to see it again."""

from __future__ import annotations

import json
import os
import threading
import traceback
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, overload

from feedline.errors import BuildTypeError, DecodeError

__all__ = [
    "Origin",
    "Quarantine",
    "QuarantineEntry",
    "QuarantineFile",
    "check_quarantine",
    "entry_of",
]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where in a file an element began: ``record`` counts from 0, ``offset`` in bytes."""

    path: str
    record: int
    offset: int | None = None

    def __str__(self) -> str:
        at = "" if self.offset is None else f", byte {self.offset}"
        return f"{self.path}, record {self.record}{at}"


@dataclass(frozen=True, slots=True)
class QuarantineEntry:
    """An element that failed.

    Args:
        step: The step, and the line that built it.
        position: How many elements of the step's input came before it.
        kind: The type of the exception.
        message: Its text.
        traceback: How Python would show it.
        origin: Where in a file the element began, if it came straight from one.
        state: What ``Dataset.replay()`` needs to run the element again.
    """

    step: str
    position: int
    kind: str
    message: str
    traceback: str
    origin: Origin | None
    state: dict[str, Any] = field(repr=False)

    def to_json(self) -> str:
        """Return the entry as one line of JSON."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(line: str) -> QuarantineEntry:
        """Return the entry that :meth:`to_json` wrote."""
        try:
            fields = json.loads(line)
            origin = fields.pop("origin")
            entry = QuarantineEntry(**fields, origin=None if origin is None else Origin(**origin))
            hash(entry.identity)
            return entry
        except (RecursionError, ValueError, TypeError, LookupError, AttributeError) as error:
            raise DecodeError(
                f"QuarantineEntry.from_json(): the line is no entry: {error}. Give it a line of a "
                "file that a quarantine was written to."
            ) from error

    @property
    def identity(self) -> tuple[Any, ...]:
        """What is the same if the same element fails again, after a resume."""
        run = self.state
        rounds, scope = tuple(run.get("rounds", ())), tuple(run.get("scope", ()))
        return self.step, self.position, run.get("seed"), rounds, scope


def entry_of(
    error: Exception, step: str, position: int, origin: Origin | None, state: dict[str, Any]
) -> QuarantineEntry:
    """Return the entry of an element that failed."""
    kind = type(error)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    text = "".join(traceback.format_exception(error)).rstrip()
    return QuarantineEntry(step, position, name, str(error), text, origin, state)


class Quarantine(Sequence[QuarantineEntry]):
    """The elements that failed, in memory. Each is there once, also if a resume meets it again.

    Example:
        >>> import feedline as tf
        >>> failed = tf.data.Quarantine()
        >>> policy = tf.data.ErrorPolicy("skip", quarantine=failed)
        >>> ds = tf.data.Dataset.range(4).map(lambda x: 6 // int(x), on_error=policy)
        >>> [int(x) for x in ds]
        [6, 3, 2]
        >>> failed[0].position, failed[0].kind
        (0, 'ZeroDivisionError')
    """

    def __init__(self) -> None:
        self._entries: list[QuarantineEntry] = []
        self._known: set[tuple[Any, ...]] = set()
        self._lock = threading.Lock()

    def __reduce__(self) -> Any:
        return Quarantine, ()  # entries belong to the process that iterated

    def add(self, entry: QuarantineEntry) -> None:
        """Add an entry, unless it is there."""
        with self._lock:
            if entry.identity not in self._known:
                self._known.add(entry.identity)
                self._entries.append(entry)

    def close(self) -> None:
        """Nothing is held open."""

    @overload
    def __getitem__(self, index: int) -> QuarantineEntry: ...
    @overload
    def __getitem__(self, index: slice) -> list[QuarantineEntry]: ...
    def __getitem__(self, index: int | slice) -> QuarantineEntry | list[QuarantineEntry]:
        return self._entries[index]

    def __len__(self) -> int:
        return len(self._entries)

    def __bool__(self) -> bool:
        return True  # a quarantine that is given is one, though it is empty

    def __iter__(self) -> Iterator[QuarantineEntry]:
        return iter(list(self._entries))

    def __repr__(self) -> str:
        return f"Quarantine({self._entries})"

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the entries to a file, one line of JSON each."""
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{entry.to_json()}\n" for entry in self)

    @staticmethod
    def read(path: str | os.PathLike[str]) -> Quarantine:
        """Return what a file holds, written by :meth:`write` or by a policy."""
        found = Quarantine()
        # What is no text is no entry either, and the message says so.
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                found.add(QuarantineEntry.from_json(line))
        return found


class QuarantineFile:
    """A file that entries are appended to, each in one write, as they come.

    It is opened with the first entry. What it holds of the same run, from before a resume,
    is not written again.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._number: int | None = None
        self._known: set[tuple[Any, ...]] = set()
        self._closing: weakref.finalize[Any, Any] | None = None

    def add(self, entry: QuarantineEntry) -> None:
        """Append an entry, unless it is there."""
        if self._number is None:
            self._open()
        assert self._number is not None
        if entry.identity in self._known:
            return
        line = f"{entry.to_json()}\n".encode()
        if (count := os.write(self._number, line)) < len(line):
            os.ftruncate(self._number, os.fstat(self._number).st_size - count)
            raise OSError(f"{self._path}: the disk is full")
        self._known.add(entry.identity)

    def _open(self) -> None:
        try:
            found = Quarantine.read(self._path)
        except FileNotFoundError:
            found = Quarantine()
        self._known = {entry.identity for entry in found}
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        number = self._number = os.open(self._path, flags, 0o666)
        self._closing = weakref.finalize(self, os.close, number)

    def close(self) -> None:
        """Have what was written reach the disk, and close the file."""
        number, self._number = self._number, None
        # A garbage collection that takes all of a pipeline has closed the file already.
        if number is not None and self._closing is not None and self._closing.alive:
            os.fsync(number)
            self._closing()


def check_quarantine(call: str, value: Any) -> Quarantine | str | None:
    """Return a quarantine, or the path of a file to write to."""
    if value is None or isinstance(value, Quarantine):
        return value
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    raise BuildTypeError(
        f"{call}: quarantine must be a feedline.data.Quarantine or the path of a file, got "
        f"{value!r} of type {type(value).__name__}."
    )
