"""compression: the ways a file of records may be packed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from feedline.errors import BuildError, BuildTypeError
from feedline.files.file import CHUNK

__all__ = ["KINDS", "compression_named", "unpacked"]

KINDS = ("", "GZIP", "ZLIB")


def compression_named(value: Any, call: str, name: str = "compression_type") -> str:
    """Return the kind of compression that a user named: "", "GZIP" or "ZLIB".

    Example:
        >>> compression_named(None, "TFRecordDataset()"), compression_named("GZIP", "x()")
        ('', 'GZIP')
    """
    if value is None:
        return ""
    kind = value.decode(errors="replace") if isinstance(value, bytes) else value
    if not isinstance(kind, str):
        raise BuildTypeError(
            f"{call}: {name} must be None, '', 'GZIP' or 'ZLIB', got {value!r} of type "
            f"{type(value).__name__}."
        )
    if kind not in KINDS:
        hint = f" Write {kind.upper()!r}." if kind.upper() in KINDS else ""
        raise BuildError(f"{call}: {name} must be None, '', 'GZIP' or 'ZLIB', got {value!r}.{hint}")
    return kind


def unpacked(chunks: Iterable[bytes], kind: str, path: str, size: int = CHUNK) -> Iterator[bytes]:
    """Yield the content of a packed file, in pieces of at most ``size`` bytes.

    Args:
        chunks: The file as it is stored.
        kind: "", "GZIP" or "ZLIB".
        path: For the message of the DataLossError that a damaged file raises.
        size: How much may be unpacked at once: a few packed bytes may stand for gigabytes.
    """
    if not kind:
        return iter(chunks)
    # isal is loaded when the first packed file is read.
    found: Iterator[bytes] = import_module("feedline.files.inflate").inflated(
        chunks, kind, path, size
    )
    return found
