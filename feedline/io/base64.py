"""base64: byte strings as text that is safe in addresses, and back."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from feedline.errors import DecodeError
from feedline.graph.leaf_operation import leaf_operation
from feedline.strings.lifted import each_of, rule_for, spec_like
from feedline.strings.texts import as_bytes

__all__ = ["decode_base64", "encode_base64"]

_TEXT = re.compile(rb"[A-Za-z0-9_-]*={0,2}")


def _encoded(items: list[Any], pad: bool = False) -> list[bytes]:
    found = map(urlsafe_b64encode, as_bytes(items))
    return list(found) if pad else [text.rstrip(b"=") for text in found]


@leaf_operation(spec=spec_like(), columns=rule_for(_encoded))
def encode_base64(input: Any, pad: bool = False, name: str | None = None) -> Any:  # noqa: A002
    """Return strings in base64, with ``-`` and ``_`` in place of ``+`` and ``/``.

    Args:
        input: Byte strings, or text as UTF-8.
        pad: Whether to fill up with ``=`` to a multiple of four characters.
        name: Has no effect.

    Example:
        >>> encode_base64(b"ab"), encode_base64([b"ab", b""], pad=True).tolist()
        (b'YWI', [b'YWI=', b''])
    """
    return each_of("encode_base64()", _encoded, input, pad)


def _decoded(items: list[Any]) -> list[bytes]:
    return list(map(_decoded_one, as_bytes(items)))


def _decoded_one(text: bytes) -> bytes:
    bare = text.rstrip(b"=")
    if not _TEXT.fullmatch(text) or (len(bare) != len(text) and len(text) % 4):
        raise DecodeError(
            f"decode_base64(): {text[:40]!r} is not base64 with A-Z a-z 0-9 - _ and = at the end "
            "alone. Of the other alphabet, replace + by - and / by _."
        )
    if len(bare) % 4 == 1:
        raise DecodeError(
            f"decode_base64(): {text[:40]!r} has {len(bare)} characters: one is left over after "
            "groups of four. It is cut short."
        )
    return urlsafe_b64decode(bare + b"=" * (-len(bare) % 4))


@leaf_operation(spec=spec_like(), columns=rule_for(_decoded))
def decode_base64(input: Any, name: str | None = None) -> Any:  # noqa: A002
    """Return the byte strings that base64 text stands for.

    Args:
        input: Text with ``-`` and ``_``, filled up with ``=`` or not.
        name: Has no effect.

    Example:
        >>> decode_base64(b"YWI")
        b'ab'
    """
    return each_of("decode_base64()", _decoded, input)
