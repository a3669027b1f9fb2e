"""decode_compressed: byte strings that were compressed each by itself."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from typing import Any

from feedline.errors import BuildError, DataLossError
from feedline.graph.leaf_operation import leaf_operation
from feedline.strings.lifted import each_of, rule_for, spec_like
from feedline.strings.texts import as_bytes

__all__ = ["decode_compressed"]


def _whole(text: bytes) -> bytes:
    inflater = zlib.decompressobj()
    found = inflater.decompress(text)
    if text and not inflater.eof:
        raise EOFError("the compressed data end too early")
    return found


_WAYS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "NONE": bytes,
    "GZIP": gzip.decompress,
    "ZLIB": _whole,
}


def _decoded(items: list[Any], compression_type: str = "") -> list[bytes]:
    way = _WAYS.get(compression_type)
    if way is None:
        raise BuildError(
            "decode_compressed(): compression_type must be '', 'GZIP' or 'ZLIB', got "
            f"{compression_type!r}."
        )
    return [_decoded_one(way, text, compression_type) for text in as_bytes(items)]


def _decoded_one(way: Callable[[bytes], bytes], text: bytes, kind: str) -> bytes:
    try:
        return way(text)
    except (EOFError, OSError, zlib.error) as error:
        raise DataLossError(
            f"decode_compressed(): {len(text)} bytes are not {kind}: {error}. They are damaged, "
            "cut short, or compressed in another way."
        ) from error


@leaf_operation(spec=spec_like(), columns=rule_for(_decoded))
def decode_compressed(bytes: Any, compression_type: str = "", name: str | None = None) -> Any:  # noqa: A002
    """Return what compressed byte strings hold.

    Args:
        bytes: Byte strings, each compressed by itself.
        compression_type: "GZIP", "ZLIB", or "" for none.
        name: Has no effect.

    Example:
        >>> decode_compressed(zlib.compress(b"abc"), "ZLIB")
        b'abc'
    """
    return each_of("decode_compressed()", _decoded, bytes, compression_type)
