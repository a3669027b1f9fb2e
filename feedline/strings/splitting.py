"""splitting: strings cut into words, or into bytes."""

from __future__ import annotations

import re
from itertools import chain
from typing import Any

import numpy as np

from feedline.errors import check_integer
from feedline.graph.leaf_operation import leaf_operation
from feedline.leaf_spec import string
from feedline.strings.expanding import Expanded, expanded, expanding_rule, spec_of_rows
from feedline.strings.texts import array_of_texts, as_bytes, as_text_like, text_argument

__all__ = ["bytes_split", "split"]

# What Python takes for white space in a str and TensorFlow does not.
_OTHER_SPACE = re.compile("[\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_SPACES = re.compile("[ \t\n\v\f\r]+")


def _split(items: list[Any], sep: Any = None, maxsplit: Any = -1) -> Expanded:
    call = "strings.split()"
    by = b"" if sep is None else text_argument(call, "sep", sep)
    most = check_integer(call, "maxsplit", maxsplit)
    if most == 0:
        pieces = [[item] for item in items]
    elif by:
        both = {kind: as_text_like(by, kind()) for kind in set(map(type, items))}
        pieces = [item.split(both[type(item)], most) for item in items]
    elif most < 0:
        pieces = _all_words(items)
    else:
        pieces = [_words(item, most) for item in items]
    lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
    return [array_of_texts(list(chain.from_iterable(pieces)))], lengths


def _all_words(items: list[Any]) -> list[list[Any]]:
    """Split at white space, without a Python call per item where all are of one kind."""
    kinds = set(map(type, items))
    if kinds == {bytes}:
        return list(map(bytes.split, items))
    if kinds == {str} and not _OTHER_SPACE.search("".join(items)):
        return list(map(str.split, items))
    return [_words(item, -1) for item in items]


def _words(item: Any, most: int) -> list[Any]:
    words: list[Any]
    if isinstance(item, str) and _OTHER_SPACE.search(item):
        bare = item.lstrip(" \t\n\v\f\r")
        words = _SPACES.split(bare, max(most, 0)) if bare else []
        if words and not words[-1]:
            words.pop()
    else:
        words = item.split(None, most)
    if len(words) == most:
        # TensorFlow stops after so many cuts, whatever is left, be it nothing.
        words.append(type(item)())
    return words


@leaf_operation(spec=spec_of_rows(string), columns=expanding_rule(_split))
def split(input: Any, sep: Any = None, maxsplit: int = -1, name: str | None = None) -> Any:
    """Return the parts of strings between separators.

    For one string that is an array; for an array of them a RaggedTensor with a row for each.

    Args:
        input: Strings.
        sep: What stands between parts. None or "" is any run of ASCII white space; with it
            there are no empty parts.
        maxsplit: How often to cut at most; a negative number is no limit.
        name: Has no effect.

    Example:
        >>> split("a b  c").tolist()
        ['a', 'b', 'c']
        >>> split([b"1,2", b"3"], sep=",").to_list()
        [[b'1', b'2'], [b'3']]
    """
    return expanded("strings.split()", _split, input, sep, maxsplit)[0]


_BYTES = [bytes([number]) for number in range(256)]


def _bytes_split(items: list[Any]) -> Expanded:
    pieces = as_bytes(items)
    values = array_of_texts([_BYTES[number] for number in b"".join(pieces)])
    return [values], np.fromiter(map(len, pieces), np.int64, len(pieces))


@leaf_operation(spec=spec_of_rows(string), columns=expanding_rule(_bytes_split))
def bytes_split(input: Any, name: str | None = None) -> Any:
    r"""Return every byte of strings by itself; those of a ``str`` are of its UTF-8.

    Args:
        input: Strings.
        name: Has no effect.

    Example:
        >>> bytes_split("hé").tolist()
        [b'h', b'\xc3', b'\xa9']
    """
    return expanded("strings.bytes_split()", _bytes_split, input)[0]
