"""unicode_writing: characters as strings, and strings in another encoding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from feedline.column import Column
from feedline.errors import BuildError, BuildTypeError
from feedline.graph.leaf_operation import leaf_operation
from feedline.leaf import as_leaf, describe_leaf
from feedline.leaf_spec import string
from feedline.ragged import RaggedTensor
from feedline.strings.encodings import OUTPUT_ENCODINGS, Mistakes, decoded, decoder_of, encoded
from feedline.strings.lifted import each_of, form_of, rowwise, rule_for, spec_like, spec_of_form
from feedline.strings.texts import array_of_texts, one_of
from feedline.values.tensor import as_plain

__all__ = ["unicode_encode", "unicode_transcode"]


# ---- encoding --------------------------------------------------------------------


def _spec_of_encode(input: Any, *_args: Any, **_kwargs: Any) -> Any:
    shape, ragged = form_of(input)
    return spec_of_form((None if shape is None else shape[:-1], max(ragged - 1, 0)), string)


def _encode_columns(input: Any, *args: Any, **kwargs: Any) -> Sequence[Column]:
    return rowwise(unicode_encode)(input, *args, **kwargs)


@leaf_operation(spec=_spec_of_encode, columns=_encode_columns)
def unicode_encode(
    input: Any,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    name: str | None = None,
) -> Any:
    """Return code points along the last axis as strings, which are bytes.

    Args:
        input: Code points: an array of integers or a RaggedTensor of them.
        output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: "replace" puts ``replacement_char`` for numbers that are no characters,
            "ignore" leaves them out, "strict" raises.
        replacement_char: A code point.
        name: Has no effect.

    Example:
        >>> unicode_encode([[72, 105], [72, 111]], "UTF-8").tolist()
        [b'Hi', b'Ho']
    """
    call = "strings.unicode_encode()"
    output = one_of(call, "output_encoding", output_encoding, tuple(OUTPUT_ENCODINGS))
    mistakes = Mistakes.of(call, errors, replacement_char)
    codes = input if isinstance(input, RaggedTensor) else as_leaf(input)
    if not isinstance(codes, (np.ndarray, RaggedTensor)) or not len(codes.shape):
        raise BuildError(f"{call}: input must have at least one axis, got {codes!r}.")
    flat = codes.plain_flat_values if isinstance(codes, RaggedTensor) else codes
    if flat.dtype.kind not in "iu" and flat.size:
        raise BuildTypeError(f"{call}: input must be code points, got {describe_leaf(codes)}.")
    return _encode_rows(codes, output, mistakes)


def _encode_rows(codes: Any, output: str, mistakes: Mistakes) -> Any:
    if isinstance(codes, RaggedTensor):
        if isinstance(codes.plain_values, RaggedTensor) or codes.plain_values.ndim > 1:
            return RaggedTensor(
                _encode_rows(codes.plain_values, output, mistakes), codes.plain_splits
            )
        return array_of_texts([encoded(as_plain(row), output, mistakes) for row in codes])
    if codes.ndim == 1:
        return encoded(codes, output, mistakes)
    rows = codes.reshape(math.prod(codes.shape[:-1]), codes.shape[-1])
    made = [encoded(row, output, mistakes) for row in rows]
    return array_of_texts(made).reshape(codes.shape[:-1])


# ---- transcoding -----------------------------------------------------------------


def _transcode(
    items: list[Any],
    input_encoding: Any,
    output_encoding: Any,
    errors: Any = "replace",
    replacement_char: Any = 65533,
    replace_control_characters: Any = False,
) -> list[Any]:
    call = "strings.unicode_transcode()"
    mistakes = Mistakes.of(call, errors, replacement_char, replace_control_characters)
    decoder = decoder_of(call, input_encoding)
    output = one_of(call, "output_encoding", output_encoding, tuple(OUTPUT_ENCODINGS))
    made: list[Any] = [encoded(decoded(i, decoder, mistakes)[0], output, mistakes) for i in items]
    if output != "UTF-8":
        return made
    return [
        text.decode() if isinstance(item, str) else text
        for item, text in zip(items, made, strict=True)
    ]


@leaf_operation(spec=spec_like(), columns=rule_for(_transcode))
def unicode_transcode(
    input: Any,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    r"""Return strings of one encoding in another.

    Args:
        input: Strings; a ``str`` is UTF-8, and stays a ``str`` if UTF-8 is wanted.
        input_encoding: What the bytes are encoded in.
        output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: As for unicode_decode().
        replacement_char: As for unicode_decode().
        replace_control_characters: As for unicode_decode().
        name: Has no effect.

    Example:
        >>> unicode_transcode(b"h\xe9", "ISO-8859-1", "UTF-8")
        b'h\xc3\xa9'
    """
    call = "strings.unicode_transcode()"
    rest = errors, replacement_char, replace_control_characters
    return each_of(call, _transcode, input, input_encoding, output_encoding, *rest)
