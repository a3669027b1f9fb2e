"""remote: files at URLs, through fsspec. Loaded when the first one is opened."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from io import UnsupportedOperation
from time import monotonic
from typing import Any, BinaryIO, TypeVar

import fsspec

from feedline.errors import FileError, NotFoundError
from feedline.files.attended import Attended
from feedline.files.file import CHUNK, File
from feedline.files.retrying import retried

__all__ = ["RemoteFile", "matching", "opened_to_write", "written"]

T = TypeVar("T")

# Requests under way at once, and the least each asks for: what hides a latency of tens of
# milliseconds without holding more than a few megabytes.
_AHEAD = 4
_LEAST = 1 << 20
# How long is waited for requests that nobody wants any more.
_GRACE_S = 0.3


def matching(pattern: str) -> list[str]:
    """Return the URLs that match a pattern."""
    system, path = _system(pattern)
    found = _called(lambda: system.glob(path), pattern)
    return [str(system.unstrip_protocol(name)) for name in found]


def opened_to_write(path: str) -> BinaryIO:
    """Return a new file; in most stores it can be seen once it is closed."""
    system, inner = _system(path)
    file: BinaryIO = _called(lambda: system.open(inner, "wb"), path)
    return file


@contextmanager
def written(path: str) -> Iterator[BinaryIO]:
    """Give a file that appears at ``path`` when the block ends, and not if it fails."""
    system, inner = _system(path)
    # Object stores show a file once it is complete, and renaming there means copying.
    whole = bool(getattr(system, "async_impl", False))
    opened = inner if whole else f"{inner}.{secrets.token_hex(6)}.tmp"
    file = _called(lambda: system.open(opened, "wb", autocommit=not whole), path)
    try:
        yield file
        _called(file.close, path)
        _called(file.commit if whole else lambda: system.mv(opened, inner), path)
    except BaseException:
        with suppress(Exception):
            file.discard() if whole else system.rm_file(opened)
        raise


class RemoteFile(File):
    """A file at a URL."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._system, self._inner = _system(path)
        about = _called(lambda: self._system.info(self._inner), path, 0)
        if about.get("type") == "directory":
            raise FileError(f"{path} is a folder, not a file. Name the files in it.")
        size = about.get("size")
        self._size: int | None = None if size is None else int(size)
        self._is_web = path.startswith(("http://", "https://"))
        self._may_range = bool(about.get("partial", True))

    def size(self) -> int:
        """Return the number of bytes that the file had when it was opened."""
        if self._size is None:
            raise FileError(
                f"{self.path}: the server does not say how large the file is, so it can only be "
                "read from beginning to end."
            )
        return self._size

    def read(self, offset: int, count: int) -> bytes:
        """Return ``count`` bytes from ``offset`` on: fewer only at the end of the file."""
        count = min(count, self.size() - offset)
        if count <= 0:
            return b""
        if self._by_range or not self._is_web:
            return self._range(offset, count)
        source = self._sequential(offset)
        try:
            return source.exactly(count)
        finally:
            source.close()

    def _range(self, offset: int, count: int) -> bytes:
        def attempt() -> bytes:
            found = bytes(self._system.cat_file(self._inner, start=offset, end=offset + count))
            if len(found) != count:
                raise ConnectionError(f"{len(found)} of {count} bytes came from byte {offset} on")
            return found

        return _called(attempt, self.path, count)

    @property
    def is_seekable(self) -> bool:
        """Whether the server gives any range of the file."""
        return self._by_range

    def chunks(self, start: int = 0, size: int = CHUNK) -> Iterator[bytes]:
        """Yield what follows ``start``; what comes next is already under way."""
        reads = self._ranges if self._by_range else self._stream
        for part in reads(start, max(size, _LEAST)):
            for at in range(0, len(part), size):
                yield part[at : at + size]

    @cached_property
    def _by_range(self) -> bool:
        # The others would open, and perhaps unpack, the file anew for every range.
        if self._size is None or not getattr(self._system, "async_impl", False):
            return False
        if not self._is_web:
            return True
        # What comes in one request needs no ranges.
        return self._may_range and self._size > _LEAST and _called(self._is_ranged, self.path, 0)

    def _is_ranged(self) -> bool:
        """Ask a web server for one byte: those that give no ranges would send the whole file."""
        with self._system.open(self._inner, "rb", cache_type="none", size=self._size) as file:
            file.seek(self.size() - 1)
            try:
                return len(file.read(1)) == 1
            except ValueError:
                return False

    def _sequential(self, start: int) -> _Sequential:
        # Without a block of its own, fsspec reads what a web server sends as it comes.
        how = {"block_size": 0} if self._is_web else {}
        system = self._system
        return _Sequential(
            lambda: system.open(self._inner, "rb", **how), self.path, start, self._size
        )

    def _ranges(self, start: int, size: int) -> Iterator[bytes]:
        end = self.size()
        starts = iter(range(start, end, size))
        under_way: deque[Attended[bytes]] = deque()
        try:
            while True:
                while len(under_way) < _AHEAD and (at := next(starts, None)) is not None:
                    under_way.append(self._begun(at, min(size, end - at)))
                if not under_way:
                    return
                yield under_way.popleft().result()
        finally:
            _leave(under_way)

    def _begun(self, offset: int, count: int) -> Attended[bytes]:
        return Attended(lambda: self._range(offset, count))

    def _stream(self, start: int, size: int) -> Iterator[bytes]:
        source = self._sequential(start)
        coming = Attended(lambda: source.next(size))
        try:
            while part := coming.result():
                coming = Attended(lambda: source.next(size))
                yield part
        finally:
            _leave([coming])
            source.close()

    def close(self) -> None:
        """Nothing is held between calls."""


class _Sequential:
    """A file read from a place on, opened again where a connection broke."""

    def __init__(self, opened: Callable[[], Any], path: str, start: int, size: int | None) -> None:
        self._opened, self._path = opened, path
        self._at = start
        self._size = size
        # An open file and where it stands. Whoever reads takes it out: an attempt that was given
        # up may still be reading, and what it leaves here stands elsewhere.
        self._open: tuple[Any, int] | None = None

    def next(self, count: int) -> bytes:
        end = self._at + count if self._size is None else min(self._at + count, self._size)
        # What lies before may have to be read again.
        found = _called(lambda: self._attempt(self._at, count), self._path, end)
        self._at += len(found)
        return found

    def exactly(self, count: int) -> bytes:
        parts: list[bytes] = []
        while count and (part := self.next(count)):
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def _attempt(self, at: int, count: int) -> bytes:
        opened, self._open = self._open, None
        if opened is not None and opened[1] != at:
            _closed(opened[0])
            opened = None
        file = None if opened is None else opened[0]
        try:
            if file is None:
                file = self._opened()
                _skip(file, at)
            found = bytes(file.read(count))
            if not found and self._size is not None and at < self._size:
                raise ConnectionError(f"{at} of {self._size} bytes came")
        except Exception:
            _closed(file)
            raise
        self._open = file, at + len(found)
        return found

    def close(self) -> None:
        opened, self._open = self._open, None
        _closed(None if opened is None else opened[0])


def _skip(file: Any, count: int) -> None:
    if count and file.seekable():
        # Some say so, and cannot.
        with suppress(ValueError, NotImplementedError, UnsupportedOperation):
            file.seek(count)
            return
    while count > 0 and (part := file.read(min(count, CHUNK))):
        count -= len(part)


def _closed(file: Any) -> None:
    if file is not None:
        with suppress(Exception):
            file.close()


def _leave(calls: Iterable[Attended[Any]]) -> None:
    """Let calls end by themselves; those that soon do have ended when this returns."""
    waiting = list(calls)
    for call in waiting:
        call.give_up()
    end = monotonic() + _GRACE_S
    for call in waiting:
        call.join(max(0.0, end - monotonic()))


def _system(path: str) -> tuple[Any, str]:
    try:
        system, inner = fsspec.core.url_to_fs(path)
    except (ImportError, ValueError) as error:
        raise FileError(f"{path} cannot be opened: {error}") from error
    return system, inner


def _called(attempt: Callable[[], T], path: str, num_bytes: int | None = None) -> T:
    """Return what a call of fsspec returns; it fails with errors of ours that name the path."""
    try:
        return retried(attempt, path, num_bytes=num_bytes)
    except FileNotFoundError:
        raise NotFoundError(
            f"{path}: there is no such file. Check the URL, and that the credentials may see it."
        ) from None
    except FileError:
        raise
    except Exception as error:
        raise FileError(f"{path}: {type(error).__name__}: {error}") from error
