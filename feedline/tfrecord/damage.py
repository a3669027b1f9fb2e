"""damage: what is wrong with a TFRecord file, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass

from feedline.errors import DataLossError

__all__ = ["Place"]

_COPY = "Write or copy the file again"
_NEXT_FILE = "ignore_errors() goes on with the next file"

# What other files begin with, and what to do with them.
_OTHERS = [
    (b"\x1f\x8b", "GZIP data", "Give compression_type='GZIP'."),
    (b"\x78\x01", "ZLIB data", "Give compression_type='ZLIB'."),
    (b"\x78\x5e", "ZLIB data", "Give compression_type='ZLIB'."),
    (b"\x78\x9c", "ZLIB data", "Give compression_type='ZLIB'."),
    (b"\x78\xda", "ZLIB data", "Give compression_type='ZLIB'."),
    (b"PK\x03\x04", "a zip archive", "Read the files in it as zip://NAME::ARCHIVE."),
    (b"PAR1", "a Parquet file", "Read it as such."),
    (b"ARROW1", "an Arrow file", "Read it as such."),
    (b"\xff\xd8\xff", "a JPEG image", "Read it as such."),
    (b"\x89PNG", "a PNG image", "Read it as such."),
]


@dataclass(frozen=True, slots=True)
class Place:
    """A record of a file."""

    path: str
    number: int
    at: int
    is_packed: bool = False

    def __str__(self) -> str:
        unit = "byte of what is compressed" if self.is_packed else "byte"
        return f"{self.path}, record {self.number}, {unit} {self.at}"

    def bad_length(self, head: bytes) -> DataLossError:
        """Return the error for a length with another checksum; ``head`` is what stands there."""
        if self.number or self.at:
            return DataLossError(
                f"{self}: the length of the record has another checksum. The file is damaged, and "
                "where the next record begins is not known, so it cannot be read any further. "
                f"{_COPY}; {_NEXT_FILE}."
            )
        for magic, what, remedy in _OTHERS:
            if head.startswith(magic):
                return DataLossError(f"{self.path}: this is no TFRecord file, but {what}. {remedy}")
        hint = " Leave compression_type out if it was not compressed twice." * self.is_packed
        return DataLossError(
            f"{self}: this is no TFRecord file, or it is damaged from the start: the length of the "
            f"first record has another checksum. It begins with {head[:12]!r}.{hint}"
        )

    def bad_data(self, length: int) -> DataLossError:
        """Return the error for a record with another checksum."""
        return DataLossError(
            f"{self}: the {length} bytes of the record have another checksum. The record is "
            f"damaged. {_COPY}; ignore_errors() goes on with the next record."
        )

    def truncated(self, left: int, needed: int) -> DataLossError:
        """Return the error for a file that ends inside a record."""
        what = f"{left} bytes are left of a record of {needed}, its frame included"
        if left < 12:
            what = f"the {left} bytes that follow are too few for another record"
        return DataLossError(
            f"{self}: {what}. The file is truncated, or something else was appended to it. "
            f"{_COPY}; {_NEXT_FILE}."
        )

    def changed(self) -> DataLossError:
        """Return the error for a record that is not where an index says."""
        return DataLossError(
            f"{self}: the record is damaged, or the file was changed while it was read by index. "
            f"{_COPY}, or open the dataset again."
        )
