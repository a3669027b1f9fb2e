"""regex_text: pieces of Python's regular expressions."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["EDGE", "NOT_BYTES", "NO_EDGE", "Flags", "folded", "literal", "range_of"]

# What stands for bytes that are no UTF-8, and matches neither a dot nor [^...].
NOT_BYTES = "\\udc80-\\udcff"
_WORD = "[0-9A-Za-z_]"
EDGE = rf"(?:(?<!{_WORD})(?={_WORD})|(?<={_WORD})(?!{_WORD}))"
NO_EDGE = rf"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))"


@dataclass(frozen=True)
class Flags:
    """Which flags are on: i, m, s and U as RE2 names them."""

    i: bool = False
    m: bool = False
    s: bool = False
    U: bool = False


def literal(code: int, flags: Flags) -> str:
    """Return what matches one character."""
    return folded(_char(code), flags)


def folded(text: str, flags: Flags) -> str:
    """Return what matches a text in any case, if that is asked for."""
    return f"(?i:{text})" if flags.i else text


def range_of(bounds: tuple[int, int]) -> str:
    """Return characters from one to another, for inside brackets."""
    low, high = bounds
    return _char(low) if low == high else f"{_char(low)}-{_char(high)}"


def _char(code: int) -> str:
    char = chr(code)
    if char.isascii() and char.isalnum():
        return char
    return f"\\x{code:02x}" if code < 256 else f"\\U{code:08x}"
