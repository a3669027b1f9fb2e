"""tar_members: the files inside a tar file, as a stream that can begin at any of them.

Nothing is ever written or looked up by a name found inside: names are only names. POSIX, GNU
and PAX headers are understood, with long names; links, folders and devices are passed over.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass

from feedline.errors import DataLossError

__all__ = ["ByteStream", "TarMember", "tar_members"]

_BLOCK = 512
# No name or set of attributes is as long: a damaged length must not fill the memory.
_MOST_HEADER_BYTES = 1 << 20
_PAX_RECORD = re.compile(rb"(\d+) ([^=]+)=")


class ByteStream:
    """Chunks of bytes, read in pieces of any size."""

    def __init__(self, chunks: Iterator[bytes], at: int = 0) -> None:
        self._chunks = chunks
        self._chunk = memoryview(b"")
        self.at = at

    def read(self, count: int) -> bytes:
        """Return ``count`` bytes, fewer at the end alone."""
        return b"".join(self._parts(count))

    def skip(self, count: int) -> int:
        """Go past bytes; return how many there were."""
        return sum(len(part) for part in self._parts(count))

    def _parts(self, count: int) -> Iterator[memoryview]:
        while count:
            if not self._chunk:
                chunk = next(self._chunks, None)
                if chunk is None:
                    return
                self._chunk = memoryview(chunk)
            part, self._chunk = self._chunk[:count], self._chunk[count:]
            count -= len(part)
            self.at += len(part)
            yield part


@dataclass(slots=True)
class TarMember:
    """A file inside: its name, its content, and the byte at which its headers begin.

    The content can be read until the next member is asked for.
    """

    name: str
    start: int
    size: int
    path: str
    stream: ByteStream
    is_read: bool = False

    def content(self) -> bytes:
        """Return what the file holds."""
        self.is_read = True
        found = self.stream.read(self.size)
        _skip_padding(self.stream, self.size)
        if len(found) < self.size:
            raise _cut_off(self.path, f"the member {self.name!r}", self.start)
        return found

    def pass_over(self) -> None:
        """Leave the content out."""
        self.is_read = True
        if self.stream.skip(self.size) < self.size:
            raise _cut_off(self.path, f"the member {self.name!r}", self.start)
        _skip_padding(self.stream, self.size)


def tar_members(stream: ByteStream, path: str) -> Iterator[TarMember]:
    """Yield the files inside a tar file from where the stream is, which must be at a header.

    Args:
        stream: The tar file.
        path: For messages.
    """
    start, long_name, attributes = stream.at, b"", dict[bytes, bytes]()
    while (info := _header(stream, path)) is not None:
        size = int(attributes.get(b"size", info.size))
        if info.type in (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE):
            attributes = _attributes(_extra(stream, path, info, start))
        elif info.type == tarfile.GNUTYPE_LONGNAME:
            long_name = _extra(stream, path, info, start).rstrip(b"\0")
        elif info.type in (tarfile.XGLTYPE, tarfile.GNUTYPE_LONGLINK):
            _extra(stream, path, info, start)
        else:
            if size < 0 or info.type == tarfile.GNUTYPE_SPARSE:
                what = "a sparse file" if size >= 0 else "of a negative size"
                raise DataLossError(f"{path}, byte {start}: the member is {what}: not readable.")
            name = (
                attributes.get(b"path") or long_name or info.name.encode(errors="surrogateescape")
            )
            text = name.decode(errors="surrogateescape")
            member = TarMember(text, start, size, path, stream)
            if info.type in tarfile.REGULAR_TYPES:
                yield member
            if not member.is_read:
                member.pass_over()
            start, long_name, attributes = stream.at, b"", {}


def _header(stream: ByteStream, path: str) -> tarfile.TarInfo | None:
    """Return the next header, None at the end of the archive.

    Two empty blocks mark the end. Some programs write only one; with none, members are missing.
    """
    start = stream.at
    block = stream.read(_BLOCK)
    if not block:
        raise DataLossError(
            f"{path}, byte {start}: the file ends without the empty blocks that mark the end of a "
            "tar file. It is truncated: write or copy it again."
        )
    if len(block) == _BLOCK and not block.strip(b"\0"):
        _check_end(stream, path)
        return None
    if len(block) < _BLOCK:
        error = _cut_off(path, "a header", start)
        raise (
            error if start else DataLossError(f"{path}: this is no tar file, or it is compressed.")
        )
    try:
        return tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except tarfile.HeaderError as error:
        raise DataLossError(
            f"{path}, byte {start}: there should be the header of a tar member: {error}. The file "
            "is damaged, compressed, or no tar file."
        ) from None


def _check_end(stream: ByteStream, path: str) -> None:
    """Check that nothing but the second empty block, or the end of the file, follows the first."""
    at = stream.at
    if stream.read(_BLOCK).strip(b"\0"):
        raise DataLossError(
            f"{path}, byte {at}: one empty block is followed by more data. The end of a tar file "
            "has two: the file is damaged. Write or copy it again."
        )


def _extra(stream: ByteStream, path: str, info: tarfile.TarInfo, start: int) -> bytes:
    """Return what belongs to the header of the next member."""
    if not 0 <= info.size <= _MOST_HEADER_BYTES:
        raise DataLossError(
            f"{path}, byte {start}: a header of {info.size} bytes. The file is damaged."
        )
    found = stream.read(info.size)
    _skip_padding(stream, info.size)
    if len(found) < info.size:
        raise _cut_off(path, "a header", start)
    return found


def _skip_padding(stream: ByteStream, size: int) -> None:
    stream.skip(-size % _BLOCK)


def _cut_off(path: str, what: str, start: int) -> DataLossError:
    return DataLossError(
        f"{path}: the file ends inside {what}, which begins at byte {start}. It is truncated: "
        "write or copy it again."
    )


def _attributes(data: bytes) -> dict[bytes, bytes]:
    """Return the attributes of a PAX header: records of length, key and value."""
    found = {}
    at = 0
    while record := _PAX_RECORD.match(data, at):
        stop = at + int(record[1])
        if not record.end() < stop <= len(data):
            break
        found[record[2]] = data[record.end() : stop - 1]
        at = stop
    if not found.get(b"size", b"0").isdigit():
        del found[b"size"]
    return found
