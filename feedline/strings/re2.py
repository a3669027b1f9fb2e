"""re2: RE2's regular expressions, which TensorFlow uses, written as Python's.

The two languages look alike and differ in what they mean: what a dot, a dollar sign or a
digit matches, which escapes there are, what may be repeated. A pattern is read by RE2's
rules and written so that Python does the same; what RE2 refuses is refused, with its words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from feedline.errors import BuildError
from feedline.strings.char_classes import PERL, POSIX, Ranges, complement, unicode_class
from feedline.strings.regex_text import EDGE, NO_EDGE, NOT_BYTES, Flags, folded, literal, range_of

__all__ = ["Pattern", "compiled"]

_MOST_REPEATS = 1000
_REPEAT = re.compile(r"\{(\d+)(,(\d*))?\}")
_FLAGS = re.compile(r"\(\?([imsU]*)(-[imsU]+)?([:)])")
_NAMED = re.compile(r"\(\?P<\w+>")
_CONTROL = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}


@dataclass(frozen=True)
class Pattern:
    """A pattern, and whether it may match nothing at all."""

    regex: re.Pattern[str]
    may_be_empty: bool


@lru_cache(maxsize=256)
def compiled(call: str, pattern: str) -> Pattern:
    """Return a pattern of RE2 for strings, or raise BuildError."""
    reader = _Reader(call, pattern)
    text = reader.alternatives(Flags(), depth=0)
    if reader.at < len(pattern):
        reader.fail("unexpected )")
    try:
        regex = re.compile(text)
    except re.error as error:
        reader.fail(f"there is nothing to repeat ({error})")
        raise
    return Pattern(regex, reader.may_be_empty or not pattern)


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, call: str, pattern: str) -> None:
        self._call = call
        self._pattern = pattern
        self.at = 0
        self.may_be_empty = False

    def fail(self, why: str) -> None:
        """Refuse the pattern."""
        raise BuildError(
            f"{self._call}: pattern must be a regular expression of RE2, got "
            f"{self._pattern!r}: {why} at {self.at}. RE2 has no lookahead, lookbehind, "
            "backreferences or possessive repeats."
        )

    def _next(self) -> str:
        return self._pattern[self.at : self.at + 1]

    def _take(self, count: int = 1) -> str:
        taken = self._pattern[self.at : self.at + count]
        self.at += count
        return taken

    def alternatives(self, flags: Flags, depth: int) -> str:
        """Read to the end of a group."""
        if depth > 200:
            self.fail("nested too deep")
        parts: list[str] = []
        start = True  # nothing to repeat yet
        while char := self._next():
            if char == ")":
                break
            if char == "|":
                self.may_be_empty = True
                parts.append(self._take())
                start = True
                continue
            if scoped := _FLAGS.match(self._pattern, self.at):
                changed = self._changed(flags, scoped)
                if scoped[3] == ")":
                    flags = changed
                    continue
                atom = self._group("(?:", changed, depth)
            else:
                atom = self._atom(flags, start, depth)
            parts.append(atom + self._repeat(flags))
            start = False
        return "".join(parts)

    def _changed(self, flags: Flags, scoped: re.Match[str]) -> Flags:
        self._take(len(scoped[0]))
        if not scoped[1] and not scoped[2] and scoped[3] == ")":
            self.fail("missing argument to (?")
        on = dict.fromkeys(scoped[1], True)
        off = dict.fromkeys((scoped[2] or "-")[1:], False)
        return replace(flags, **{**on, **off})

    def _group(self, opening: str, flags: Flags, depth: int) -> str:
        inner = self.alternatives(flags, depth + 1)
        if self._take() != ")":
            self.fail("missing )")
        self.may_be_empty = self.may_be_empty or not inner
        return f"{opening}{inner})"

    def _atom(self, flags: Flags, start: bool, depth: int) -> str:
        char = self._next()
        if char in "*+?" or _REPEAT.match(self._pattern, self.at):
            self.fail("no argument for repetition operator" if start else "bad repetition operator")
        if char == "(":
            return self._parenthesis(flags, depth)
        if char == "[":
            return self._brackets(flags)
        if char == "\\":
            return self._escape(flags)
        self._take()
        if char in "^$":
            self.may_be_empty = True
            plain = {"^": r"(?:\A)", "$": r"(?:\Z)"}
            return f"(?m:{char})" if flags.m else plain[char]
        if char == ".":
            return f"[^{NOT_BYTES}]" if flags.s else f"[^\\n{NOT_BYTES}]"
        return literal(ord(char), flags)

    def _parenthesis(self, flags: Flags, depth: int) -> str:
        if named := _NAMED.match(self._pattern, self.at):
            self._take(len(named[0]))
        elif self._pattern.startswith("(?", self.at):
            self.fail(f"invalid perl operator: {self._pattern[self.at : self.at + 3]}")
        else:
            self._take()
        return self._group("(", flags, depth)

    def _repeat(self, flags: Flags) -> str:
        found = _REPEAT.match(self._pattern, self.at)
        if self._next() in ("*", "+", "?"):
            times = self._take()
            self.may_be_empty = self.may_be_empty or times != "+"
        elif found:
            times = self._counted(found)
        else:
            return ""
        lazy = self._next() == "?"
        if lazy:
            self._take()
        if self._next() in ("*", "+", "?") or _REPEAT.match(self._pattern, self.at):
            self.fail("bad repetition operator")
        return times + ("?" if lazy != flags.U else "")

    def _counted(self, found: re.Match[str]) -> str:
        low = int(found[1])
        high = int(found[3]) if found[3] else low
        if low > _MOST_REPEATS or high > _MOST_REPEATS or high < low:
            self.fail(f"invalid repetition size: {found[0]}")
        self.may_be_empty = self.may_be_empty or low == 0
        return self._take(len(found[0]))

    # ---- escapes -----------------------------------------------------------------

    def _escape(self, flags: Flags) -> str:
        char = self._pattern[self.at + 1 : self.at + 2]
        if char in ("A", "z", "b", "B"):
            self._take(2)
            self.may_be_empty = True
            return {"A": r"(?:\A)", "z": r"(?:\Z)", "b": EDGE, "B": NO_EDGE}[char]
        if char == "Q":
            return self._quoted(flags)
        if char == "C":
            self.fail(r"\C matches single bytes, which strings here are not made of,")
        ranges = self._escaped_class()
        if ranges is not None:
            return folded("[" + "".join(map(range_of, ranges)) + "]", flags)
        return literal(self._escaped_char(), flags)

    def _quoted(self, flags: Flags) -> str:
        r"""Read text between \Q and \E; what follows repeats its last character alone."""
        stop = self._pattern.find("\\E", self.at)
        text = self._pattern[self.at + 2 : stop if stop >= 0 else None]
        self.at = stop + 2 if stop >= 0 else len(self._pattern)
        if not text:
            self.may_be_empty = True
        return "".join(literal(ord(char), flags) for char in text)

    def _escaped_class(self) -> Ranges | None:
        r"""Read \d, \W, \pL or \P{Greek}; return None if it is something else."""
        char = self._pattern[self.at + 1 : self.at + 2]
        if char.lower() in PERL:
            self._take(2)
            ranges = PERL[char.lower()]
            return complement(ranges) if char.isupper() else ranges
        if char not in ("p", "P"):
            return None
        begin = self.at
        self._take(2)
        name = self._take()
        if name == "{":
            stop = self._pattern.find("}", self.at)
            name = self._take(max(stop - self.at, 0))
            self._take()
        negated = (char == "P") != name.startswith("^")
        found = unicode_class(name.removeprefix("^")) if name else None
        if found is None:
            self.at = begin
            self.fail(f"invalid character class range: {name}")
            return None
        return complement(found) if negated else found

    def _escaped_char(self) -> int:
        begin = self.at
        self._take()
        char = self._take()
        if char in _CONTROL and char:
            return _CONTROL[char]
        octal = re.compile(r"0[0-7]{0,2}|[1-7][0-7]{1,2}").match(self._pattern, begin + 1)
        if octal:
            self.at = begin + 1 + len(octal[0])
            return int(octal[0], 8)
        code = re.compile(r"x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\})").match(
            self._pattern, begin + 1
        )
        if code and int(code[1] or code[2], 16) <= 0x10FFFF:
            self.at = begin + 1 + len(code[0])
            return int(code[1] or code[2], 16)
        if char and char.isascii() and not char.isalnum():
            return ord(char)
        self.at = begin
        self.fail(f"invalid escape sequence: \\{char}" if char else "trailing \\")
        return 0

    # ---- brackets ----------------------------------------------------------------

    def _brackets(self, flags: Flags) -> str:
        begin = self.at
        self._take()
        negated = self._next() == "^"
        if negated:
            self._take()
        ranges: list[tuple[int, int]] = []
        first = True
        while first or self._next() != "]":
            if not self._next():
                self.at = begin
                self.fail("missing ]")
            ranges.extend(self._in_brackets())
            first = False
        self._take()
        inner = "".join(map(range_of, ranges)) + (NOT_BYTES if negated else "")
        return folded(f"[{'^' if negated else ''}{inner}]", flags)

    def _in_brackets(self) -> Ranges:
        """Read one character, range or named set."""
        if posix := re.compile(r"\[:(\^?)([a-z]*):\]").match(self._pattern, self.at):
            if posix[2] not in POSIX:
                self.fail(f"invalid character class range: {posix[0]}")
            self._take(len(posix[0]))
            found = POSIX[posix[2]]
            return complement(found) if posix[1] else found
        if self._next() == "\\":
            ranges = self._escaped_class()
            if ranges is not None:
                return ranges
        low = high = self._one_char()
        rest = self._pattern[self.at : self.at + 2]
        if rest[:1] == "-" and rest[1:] not in ("]", ""):
            self._take()
            high = self._one_char()
        if high < low:
            self.fail("invalid character class range")
        return ((low, high),)

    def _one_char(self) -> int:
        return self._escaped_char() if self._next() == "\\" else ord(self._take())
