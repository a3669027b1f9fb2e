"""texts: text as bytes, and bytes as text."""

from __future__ import annotations

import os
from typing import Any

from feedline.errors import BuildTypeError

__all__ = ["as_bytes", "as_str", "as_str_any", "as_text", "path_to_str"]


def as_bytes(bytes_or_text: Any, encoding: str = "utf-8") -> bytes:
    r"""Return text as bytes, and bytes as they are.

    Example:
        >>> import feedline as tf
        >>> tf.compat.as_bytes("é")
        b'\xc3\xa9'
    """
    if isinstance(bytes_or_text, bytearray):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    raise _not_text("as_bytes()", bytes_or_text)


def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    r"""Return bytes as text, and text as it is.

    Example:
        >>> import feedline as tf
        >>> tf.compat.as_text(b"\xc3\xa9")
        'é'
    """
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    raise _not_text("as_text()", bytes_or_text)


def as_str(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    """Return what as_text() returns.

    Example:
        >>> import feedline as tf
        >>> tf.compat.as_str(b"a")
        'a'
    """
    return as_text(bytes_or_text, encoding)


def as_str_any(value: Any, encoding: str = "utf-8") -> str:
    """Return bytes as text, and ``str()`` of anything else.

    Example:
        >>> import feedline as tf
        >>> tf.compat.as_str_any(b"a"), tf.compat.as_str_any(3)
        ('a', '3')
    """
    return as_text(value, encoding) if isinstance(value, bytes) else str(value)


def path_to_str(path: Any) -> Any:
    """Return a path object as text, and anything else as it is.

    Example:
        >>> import pathlib
        >>> import feedline as tf
        >>> tf.compat.path_to_str(pathlib.PurePosixPath("a", "b"))
        'a/b'
    """
    return as_text(os.fspath(path)) if hasattr(path, "__fspath__") else path


def _not_text(call: str, value: Any) -> BuildTypeError:
    return BuildTypeError(
        f"{call}: bytes_or_text must be str or bytes, got {value!r} of type {type(value).__name__}."
    )
