"""regex: strings matched and changed by regular expressions."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError
from feedline.graph.leaf_operation import leaf_operation
from feedline.strings.lifted import each_of, rule_for, spec_like
from feedline.strings.re2 import Pattern, compiled
from feedline.strings.texts import Text, text_argument

__all__ = ["regex_full_match", "regex_replace"]

_GROUP = re.compile(r"\\(.?)", re.DOTALL)


def _pattern(call: str, pattern: Any) -> Pattern:
    text = text_argument(call, "pattern", pattern)
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError:
            raise BuildError(f"{call}: pattern must be UTF-8, got {text!r}.") from None
    return compiled(call, text)


# ---- regex_full_match ------------------------------------------------------------


def _full_match(items: list[Any], pattern: Any) -> NDArray[np.bool_]:
    match = _pattern("strings.regex_full_match()", pattern).regex.fullmatch
    return np.array([match(_as_str(item)) is not None for item in items], np.bool_)


@leaf_operation(spec=spec_like(np.bool_), columns=rule_for(_full_match))
def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Any:
    """Return whether whole strings match a pattern.

    Args:
        input: Strings.
        pattern: A regular expression of RE2.
        name: Has no effect.

    Example:
        >>> regex_full_match(["TF lib", "tf lib", "x"], "(?i)tf lib")
        array([ True,  True, False])
    """
    return each_of("strings.regex_full_match()", _full_match, input, pattern)


# ---- regex_replace ---------------------------------------------------------------


def _replace(
    items: list[Any], pattern: Any, rewrite: Any, replace_global: bool = True
) -> list[Any]:
    call = "strings.regex_replace()"
    found = _pattern(call, pattern)
    text = text_argument(call, "rewrite", rewrite)
    change = _changer(found, _template(found, _as_str(text)), bool(replace_global))
    return [
        change(item)
        if isinstance(item, str)
        else change(_as_str(item)).encode("utf-8", "surrogateescape")
        for item in items
    ]


def _changer(pattern: Pattern, template: str, everywhere: bool) -> Callable[[str], str]:
    regex = pattern.regex
    if not everywhere:
        return lambda text: regex.sub(template, text, count=1)
    if not pattern.may_be_empty:
        return lambda text: regex.sub(template, text)

    def change(text: str) -> str:
        # Python looks for a longer match where it found an empty one, RE2 goes on to the next
        # character; and for RE2 there is no empty match where the last match ended.
        parts, at, last = [], 0, -1
        while at <= len(text) and (match := regex.search(text, at)) is not None:
            start, stop = match.span()
            parts.append(text[at:start])
            if start == stop == last:
                parts.append(text[start : start + 1])
                at = start + 1
            else:
                parts.append(match.expand(template))
                at = last = stop
        return "".join([*parts, text[at:]])

    return change


@lru_cache(maxsize=256)
def _template(pattern: Pattern, rewrite: str) -> str:
    r"""Return RE2's way to write a replacement, with \0 to \9 for groups, as Python's."""
    call = "strings.regex_replace()"

    def written(found: re.Match[str]) -> str:
        char = found[1]
        if char == "\\":
            return r"\\"
        if not char.isascii() or not char.isdigit():
            raise BuildError(
                f"{call}: rewrite must have a digit or a backslash after every backslash, "
                f"got {rewrite!r}."
            )
        if int(char) > pattern.regex.groups:
            raise BuildError(
                f"{call}: rewrite must name groups of the pattern, which has "
                f"{pattern.regex.groups}, got {rewrite!r}."
            )
        return rf"\g<{char}>"

    return _GROUP.sub(written, rewrite)


def _as_str(text: Text) -> str:
    return text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")


@leaf_operation(spec=spec_like(), columns=rule_for(_replace))
def regex_replace(
    input: Any,
    pattern: Any,
    rewrite: Any,
    replace_global: bool = True,
    name: str | None = None,
) -> Any:
    r"""Return strings with what matches a pattern replaced.

    Args:
        input: Strings.
        pattern: A regular expression of RE2. Matching is Python's, which takes very long for
            some nested repeats where RE2 does not.
        rewrite: What to put there; ``\1`` is what the first group matched, ``\0`` all.
        replace_global: Whether to replace every match, not the first alone.
        name: Has no effect.

    Example:
        >>> regex_replace("2024-05-17", r"(\d+)-(\d+)-(\d+)", r"\3.\2.\1")
        '17.05.2024'
    """
    each = each_of("strings.regex_replace()", _replace, input, pattern, rewrite, replace_global)
    return each
