"""unicode: strings as characters."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError
from feedline.graph.leaf_operation import leaf_operation
from feedline.leaf_spec import string
from feedline.strings.encodings import OUTPUT_ENCODINGS, Mistakes, decoded, decoder_of
from feedline.strings.expanding import Expanded, expanded, expanding_rule, spec_of_rows
from feedline.strings.texts import Text, array_of_texts

__all__ = [
    "unicode_decode",
    "unicode_decode_with_offsets",
    "unicode_split",
    "unicode_split_with_offsets",
]


# ---- decoding --------------------------------------------------------------------


def _decode_both(call: str, items: list[Any], encoding: Any, mistakes: Mistakes) -> Expanded:
    decoder = decoder_of(call, encoding)
    pairs = [decoded(item, decoder, mistakes) for item in items]
    lengths = np.array([len(codes) for codes, _ in pairs], np.int64)
    nothing: tuple[NDArray[Any], NDArray[Any]] = np.empty(0, np.int32), np.empty(0, np.int64)
    codes = np.concatenate([nothing[0], *(codes for codes, _ in pairs)])
    starts = np.concatenate([nothing[1], *(starts for _, starts in pairs)])
    return [codes, starts], lengths


def _decode(
    items: list[Any],
    input_encoding: Any,
    errors: Any = "replace",
    replacement_char: Any = 65533,
    replace_control_characters: Any = False,
) -> Expanded:
    call = "strings.unicode_decode()"
    mistakes = Mistakes.of(call, errors, replacement_char, replace_control_characters)
    (codes, _), lengths = _decode_both(call, items, input_encoding, mistakes)
    return [codes], lengths


@leaf_operation(spec=spec_of_rows(np.int32), columns=expanding_rule(_decode))
def unicode_decode(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    """Return the code points of strings: an array for one string, a RaggedTensor for several.

    Args:
        input: Strings; a ``str`` is UTF-8.
        input_encoding: What the bytes are encoded in.
        errors: "replace" puts ``replacement_char`` for bytes that mean nothing, "ignore"
            leaves them out, "strict" raises.
        replacement_char: A code point.
        replace_control_characters: Whether characters below 32 are mistakes too.
        name: Has no effect.

    Example:
        >>> unicode_decode("hé", "UTF-8")
        array([104, 233], dtype=int32)
    """
    call = "strings.unicode_decode()"
    rest = errors, replacement_char, replace_control_characters
    return expanded(call, _decode, input, input_encoding, *rest)[0]


def _decode_with_offsets(
    items: list[Any],
    input_encoding: Any,
    errors: Any = "replace",
    replacement_char: Any = 65533,
    replace_control_characters: Any = False,
) -> Expanded:
    call = "strings.unicode_decode_with_offsets()"
    mistakes = Mistakes.of(call, errors, replacement_char, replace_control_characters)
    return _decode_both(call, items, input_encoding, mistakes)


@leaf_operation(spec=spec_of_rows(np.int32, np.int64), columns=expanding_rule(_decode_with_offsets))
def unicode_decode_with_offsets(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    """Return the code points of strings, and the byte at which each begins.

    Args:
        input: Strings; a ``str`` is UTF-8.
        input_encoding: What the bytes are encoded in.
        errors: As for unicode_decode().
        replacement_char: As for unicode_decode().
        replace_control_characters: As for unicode_decode().
        name: Has no effect.

    Example:
        >>> unicode_decode_with_offsets("héé", "UTF-8")
        (array([104, 233, 233], dtype=int32), array([0, 1, 3]))
    """
    call = "strings.unicode_decode_with_offsets()"
    rest = errors, replacement_char, replace_control_characters
    return tuple(expanded(call, _decode_with_offsets, input, input_encoding, *rest))


# ---- splitting -------------------------------------------------------------------


def _split_both(
    call: str, items: list[Any], encoding: Any, errors: Any, replacement_char: Any
) -> Expanded:
    mistakes = Mistakes.of(call, errors, replacement_char)
    (codes, starts), lengths = _decode_both(call, items, encoding, mistakes)
    # Characters come back in the encoding they came in.
    written = _written_in(decoder_of(call, encoding))
    chars: list[Text] = []
    bounds = [0, *accumulate(lengths.tolist())]
    for item, start, stop in zip(items, bounds, bounds[1:], strict=False):
        texts = list(map(chr, codes[start:stop].tolist()))
        chars += texts if isinstance(item, str) else [text.encode(written) for text in texts]
    return [array_of_texts(chars), starts], lengths


def _written_in(decoder: str) -> str:
    wide = {"utf-16": "utf-16-be", "utf-32": "utf-32-be"}
    if decoder in OUTPUT_ENCODINGS.values() or decoder in wide:
        return wide.get(decoder, decoder)
    raise BuildError(
        "strings.unicode_split(): input_encoding must be UTF-8, UTF-16-BE or UTF-32-BE, which "
        f"characters can be written in again, got {decoder}."
    )


def _split(
    items: list[Any], input_encoding: Any, errors: Any = "replace", replacement_char: Any = 65533
) -> Expanded:
    call = "strings.unicode_split()"
    (chars, _), lengths = _split_both(call, items, input_encoding, errors, replacement_char)
    return [chars], lengths


@leaf_operation(spec=spec_of_rows(string), columns=expanding_rule(_split))
def unicode_split(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    name: str | None = None,
) -> Any:
    """Return the characters of strings, each a string.

    Args:
        input: Strings; a ``str`` is UTF-8.
        input_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: As for unicode_decode().
        replacement_char: As for unicode_decode().
        name: Has no effect.

    Example:
        >>> unicode_split("hé", "UTF-8").tolist()
        ['h', 'é']
    """
    call = "strings.unicode_split()"
    return expanded(call, _split, input, input_encoding, errors, replacement_char)[0]


def _split_with_offsets(
    items: list[Any], input_encoding: Any, errors: Any = "replace", replacement_char: Any = 65533
) -> Expanded:
    call = "strings.unicode_split_with_offsets()"
    return _split_both(call, items, input_encoding, errors, replacement_char)


@leaf_operation(spec=spec_of_rows(string, np.int64), columns=expanding_rule(_split_with_offsets))
def unicode_split_with_offsets(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    name: str | None = None,
) -> Any:
    """Return the characters of strings, and the byte at which each begins.

    Args:
        input: Strings; a ``str`` is UTF-8.
        input_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: As for unicode_decode().
        replacement_char: As for unicode_decode().
        name: Has no effect.

    Example:
        >>> unicode_split_with_offsets("éa", "UTF-8")
        (array(['é', 'a'], dtype=object), array([0, 2]))
    """
    call = "strings.unicode_split_with_offsets()"
    rest = input_encoding, errors, replacement_char
    return tuple(expanded(call, _split_with_offsets, input, *rest))
