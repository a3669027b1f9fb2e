"""inflate: unpacking GZIP and ZLIB, through isal. Loaded when the first packed file is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from isal import isal_zlib

from feedline.errors import DataLossError

__all__ = ["inflated"]

_WINDOW_BITS = {"GZIP": 31, "ZLIB": 15}
_FAILURE: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # the stub says object


def inflated(chunks: Iterable[bytes], kind: str, path: str, size: int) -> Iterator[bytes]:
    """Yield the content of a GZIP or ZLIB file in pieces of at most ``size`` bytes.

    Parts of a GZIP file may follow each other, as gzip itself allows.
    """
    stored, head, unpacker = 0, b"", None
    for chunk in chunks:
        head = head or chunk[:2]
        left = chunk
        while left:
            unpacker = unpacker or isal_zlib.decompressobj(wbits=_WINDOW_BITS[kind])
            try:
                yield from _parts(unpacker, left, size)
            except _FAILURE as error:
                raise DataLossError(_damage(path, kind, error, stored, head)) from None
            left = b""
            if unpacker.eof:
                left, unpacker = unpacker.unused_data, None
                _check_alone(left, kind, path)
        stored += len(chunk)
    if unpacker is not None:
        raise DataLossError(
            f"{path}: the {kind} data is cut off after {stored} bytes. The file is truncated: "
            "write or copy it again."
        )


def _parts(unpacker: Any, packed: bytes, size: int) -> Iterator[bytes]:
    while True:
        part = unpacker.decompress(packed, size)
        if part:
            yield part
        packed = unpacker.unconsumed_tail
        # A full answer may have left more to say, with nothing more to be read.
        if unpacker.eof or not (packed or len(part) == size):
            return


def _check_alone(left: bytes, kind: str, path: str) -> None:
    # TensorFlow drops what follows without a word.
    if kind == "ZLIB" and left:
        raise DataLossError(
            f"{path}: more bytes follow the end of the ZLIB data. The file is damaged, or several "
            "were joined, which only GZIP allows."
        )


def _damage(path: str, kind: str, error: Exception, stored: int, head: bytes) -> str:
    is_gzip = head == b"\x1f\x8b"
    is_zlib = len(head) == 2 and head[0] & 15 == 8 and int.from_bytes(head, "big") % 31 == 0
    if is_gzip and kind != "GZIP":
        return f"{path}: this is a GZIP file. Give compression_type='GZIP'."
    if is_zlib and kind != "ZLIB":
        return f"{path}: this looks like a ZLIB file. Give compression_type='ZLIB'."
    if not (is_gzip or is_zlib):
        return (
            f"{path}: this is not a {kind} file ({error}). If it is not compressed, leave "
            "compression_type out."
        )
    return (
        f"{path}: the {kind} data is damaged near byte {stored} of the file ({error}). Write or "
        "copy the file again; ignore_errors() goes on with the next file."
    )
