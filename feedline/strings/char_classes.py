"""char_classes: sets of characters that RE2 knows by name, as ranges of code points."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from feedline.strings.scripts import SCRIPT_NAMES, script_table

__all__ = ["PERL", "POSIX", "Ranges", "complement", "unicode_class"]

Ranges = tuple[tuple[int, int], ...]

_LAST = sys.maxunicode
# Not characters. Bytes that are no UTF-8 stand in this block, and match no class in RE2.
_SURROGATES = (0xD800, 0xDFFF)


def _of(text: str) -> Ranges:
    """Return the ranges of "a-z_"-like text, each of them two characters or one."""
    ranges, at = [], 0
    while at < len(text):
        wide = text[at + 1 : at + 2] == "-" and at + 2 < len(text)
        ranges.append((ord(text[at]), ord(text[at + 2] if wide else text[at])))
        at += 3 if wide else 1
    return tuple(ranges)


PERL = {"d": _of("0-9"), "w": _of("0-9A-Za-z_"), "s": _of("\t\n\f\r ")}
"""The sets behind a backslash and one letter; in upper case all other characters."""

POSIX = {
    "alnum": _of("0-9A-Za-z"),
    "alpha": _of("A-Za-z"),
    "ascii": ((0, 0x7F),),
    "blank": _of("\t "),
    "cntrl": ((0, 0x1F), (0x7F, 0x7F)),
    "digit": _of("0-9"),
    "graph": _of("!-~"),
    "lower": _of("a-z"),
    "print": _of(" -~"),
    "punct": _of("!-/:-@[-`{-~"),
    "space": _of("\t-\r "),
    "upper": _of("A-Z"),
    "word": _of("0-9A-Za-z_"),
    "xdigit": _of("0-9A-Fa-f"),
}
"""The sets that are written [:name:] inside brackets."""


def complement(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return every other character."""
    others, start = [], 0
    for low, high in sorted((*ranges, _SURROGATES)):
        if start < low:
            others.append((start, low - 1))
        start = max(start, high + 1)
    if start <= _LAST:
        others.append((start, _LAST))
    return tuple(others)


@lru_cache(maxsize=64)
def unicode_class(name: str) -> Ranges | None:
    r"""Return the characters of \p{name}, a general category or a script; None if unknown."""
    if name == "Any":
        return complement(())
    if name in SCRIPT_NAMES:
        starts, scripts = script_table()
        stops = np.append(starts[1:], _LAST + 1) - 1
        mine = scripts == SCRIPT_NAMES[name]
        return tuple(zip(starts[mine].tolist(), stops[mine].tolist(), strict=True))
    if len(name) > 2 or name[:1] not in set("CLMNPSZ"):
        return None
    inside = np.fromiter(
        (unicodedata.category(chr(code)).startswith(name) for code in range(_LAST + 1)),
        np.bool_,
        _LAST + 1,
    )
    inside[_SURROGATES[0] : _SURROGATES[1] + 1] = False
    edges = np.flatnonzero(np.diff(inside, prepend=False, append=False))
    if not len(edges):
        return None
    return tuple(zip(edges[::2].tolist(), (edges[1::2] - 1).tolist(), strict=True))
