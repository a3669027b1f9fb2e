"""scripts: which writing system a character belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Column, Dense, Ragged
from feedline.errors import BuildTypeError
from feedline.graph.leaf_operation import leaf_operation
from feedline.graph.rows import Rows
from feedline.leaf import as_leaf, describe_leaf
from feedline.ragged import RaggedTensor
from feedline.strings.lifted import spec_like
from feedline.strings.texts import parts_of

__all__ = ["SCRIPT_NAMES", "script_table", "unicode_script"]

# In the order of their numbers.
_NAMES = (
    "Common Inherited Arabic Armenian Bengali Bopomofo Cherokee Coptic Cyrillic Deseret "
    "Devanagari Ethiopic Georgian Gothic Greek Gujarati Gurmukhi Han Hangul Hebrew Hiragana "
    "Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar Ogham Old_Italic Oriya Runic "
    "Sinhala Syriac Tamil Telugu Thaana Thai Tibetan Canadian_Aboriginal Yi"
)
SCRIPT_NAMES = {name: number for number, name in enumerate(_NAMES.split())}


@lru_cache(maxsize=1)
def script_table() -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return where runs of characters of one script begin, and the script of each run."""
    lines = Path(__file__).with_name("scripts.txt").read_text().splitlines()
    runs = [line.split() for line in lines if not line.startswith("#")]
    starts = np.array([int(start, 16) for start, _ in runs], np.int32)
    return starts, np.array([int(script) for _, script in runs], np.int32)


def _scripts(codes: NDArray[Any]) -> NDArray[np.int32]:
    starts, scripts = script_table()
    known = (codes >= 0) & (codes <= 0x10FFFF)
    # Only then compared with places in the table: a uint64 would become a float there.
    places = np.where(known, codes, 0).astype(np.int32)
    found = scripts[np.searchsorted(starts, places, side="right") - 1]
    return np.where(known, found, np.int32(-1))


def _columns(input: Any, name: str | None = None) -> Sequence[Column]:
    if isinstance(input, Rows):
        return [Dense(_scripts(input.array))]
    if isinstance(input, Ragged):
        return [Ragged(_scripts(input.values), input.splits)]
    raise NotImplementedError


@leaf_operation(spec=spec_like(np.int32), columns=_columns)
def unicode_script(input: Any, name: str | None = None) -> Any:
    """Return the number of the script of each code point, as ICU numbers them; -1 if it is none.

    Args:
        input: Code points: integers.
        name: Has no effect.

    Example:
        >>> unicode_script([ord("a"), ord("é"), ord("日"), -1])
        array([25, 25, 17, -1], dtype=int32)
    """
    leaf = input if isinstance(input, RaggedTensor) else as_leaf(input)
    if not hasattr(leaf, "dtype") or leaf.dtype.kind not in "iu":
        raise BuildTypeError(
            f"strings.unicode_script(): input must be code points, got {describe_leaf(leaf)}."
        )
    if isinstance(leaf, RaggedTensor):
        return parts_of(leaf)[1](_scripts(leaf.plain_flat_values.ravel()))
    return _scripts(np.asarray(leaf))[()]
