"""tar_files: tar archives in which the files of one record have one name and different endings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from feedline.errors import DecodeError
from feedline.files import open_file, unpacked
from feedline.files.tar_members import ByteStream, TarMember, tar_members
from feedline.tools.converting.source import Piece, Source, Step
from feedline.tools.example_bytes import INT, TEXT, Values

__all__ = ["TarFiles"]

_OVERHEAD = 60
# A key is everything up to the first dot of the last part of a name.
_NAME = re.compile(r"((?:.*/)?[^./][^./]*)\.([^/]+)", re.DOTALL)
_META = re.compile(r"__[^/]*__($|/)")
_END = 1 << 62


class TarFiles(Source):
    """Tar archives as WebDataset writes them.

    A record has "__key__", the name without its endings, and one feature of bytes for every
    ending; "cls" is a label, an int64.
    """

    kind = "tar"
    holds_gil = False

    def __init__(self, paths: list[str]) -> None:
        super().__init__(paths)
        self._endings: set[str] = set()

    def survey(self) -> Iterator[Step]:
        """Read the names and sizes of all files; a record ends where the next one begins."""
        for path in self.paths:
            key, size = "", 0
            for found, ending, member in _members(path, 0):
                if key and found != key:
                    yield Step(path, member.start, size)
                    size = 0
                key = found
                size += member.size + len(ending) + len(key) + _OVERHEAD
                self._endings.add(ending)
            if key:
                yield Step(path, _END, size)

    def records(self, piece: Piece) -> Iterator[Mapping[str, Values]]:
        """Read the files of records, from a byte on."""
        record: dict[str, Values] = {}
        key = ""
        for found, ending, member in _members(piece.path, piece.start):
            if key and found != key:
                yield record
                record = {}
            if member.start >= piece.stop:
                return
            if not record:
                record["__key__"] = TEXT, [found.encode("utf-8", "surrogateescape")]
            if ending in record:
                raise DecodeError(
                    f"{piece.path}, byte {member.start}: key {found!r} has {ending!r} twice. Give "
                    "the files of one record different endings."
                )
            key = found
            record[ending] = _value(piece.path, member, ending)
        if record:
            yield record

    def files(self) -> list[str]:
        """Return the archives."""
        return self.paths

    def columns(self) -> dict[str, str]:
        """Return the endings."""
        kinds = {name: "int64" if name == "cls" else "bytes" for name in sorted(self._endings)}
        return {"__key__": "bytes", **kinds}

    def state(self) -> dict[str, Any]:
        """Return the endings."""
        return {"endings": sorted(self._endings)}

    def restore(self, state: dict[str, Any]) -> None:
        """Take them over."""
        self._endings = set(state["endings"])


def _members(path: str, start: int) -> Iterator[tuple[str, str, TarMember]]:
    """Yield the key, the ending and the file for every file that belongs to a record."""
    with open_file(path) as file:
        if path.lower().endswith("gz"):
            stream = ByteStream(unpacked(file.chunks(), "GZIP", path))
            stream.skip(start)  # what is compressed can only be read from its beginning
        else:
            stream = ByteStream(file.chunks(start), start)
        for member in tar_members(stream, path):
            name = _NAME.fullmatch(member.name)
            if name is not None and not _META.match(member.name):
                yield name[1], name[2], member


def _value(path: str, member: TarMember, ending: str) -> Values:
    data = member.content()
    if ending != "cls":
        return TEXT, [data]
    try:
        return INT, [int(data)]
    except ValueError:
        raise DecodeError(
            f"{path}, {member.name}: a label must be a whole number, got {data[:40]!r}."
        ) from None
