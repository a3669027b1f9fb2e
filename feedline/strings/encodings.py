"""encodings: bytes of some encoding as characters, with TensorFlow's answers to mistakes."""

from __future__ import annotations

import codecs
import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, check_integer
from feedline.strings.texts import Text, one_of

__all__ = ["OUTPUT_ENCODINGS", "Mistakes", "decoded", "decoder_of", "encoded"]

OUTPUT_ENCODINGS = {"UTF-8": "utf-8", "UTF-16-BE": "utf-16-be", "UTF-32-BE": "utf-32-be"}
# Those in which every byte means the same in Python and in ICU, by Python's names.
_ALIKE = {
    "ascii",
    *("utf-8", "utf-16-be", "utf-16-le", "utf-32-be", "utf-32-le", "utf-16", "utf-32"),
    *(f"iso8859-{number}" for number in (*range(1, 11), 13, 14, 15)),
    *("koi8-r", "koi8-u", "mac-roman"),
    *(f"cp{number}" for number in range(1250, 1259)),
}
_WIDTHS = {"utf-32-be": 4, "utf-32-le": 4}


@dataclass(frozen=True)
class Mistakes:
    """What to do about bytes that mean nothing."""

    call: str
    errors: str
    replacement: int
    control: bool

    @staticmethod
    def of(call: str, errors: Any, replacement_char: Any, control: Any = False) -> Mistakes:
        """Check the arguments of a call."""
        way = one_of(call, "errors", errors, ("strict", "replace", "ignore"))
        replacement = check_integer(call, "replacement_char", replacement_char)
        if not 0 <= replacement <= 0x10FFFF or 0xD800 <= replacement < 0xE000:
            raise BuildError(
                f"{call}: replacement_char must be a code point, got {replacement_char!r}."
            )
        return Mistakes(call, way, replacement, bool(control))


def decoder_of(call: str, encoding: Any) -> str:
    """Return Python's name of an encoding, or raise BuildError."""
    found = _lookup(encoding if isinstance(encoding, str) else str(encoding))
    if found is None:
        raise BuildError(
            f"{call}: input_encoding must be UTF-8, UTF-16-BE, UTF-16-LE, UTF-32-BE, UTF-32-LE, "
            "US-ASCII, ISO-8859-1 to -15, windows-1250 to -1258, KOI8-R, KOI8-U or macintosh, "
            f"got {encoding!r}. Decode others with bytes.decode() first."
        )
    return found


@lru_cache(maxsize=64)
def _lookup(encoding: str) -> str | None:
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        return None
    return name if name in _ALIKE else None


def decoded(text: Text, decoder: str, mistakes: Mistakes) -> tuple[NDArray[np.int32], Any]:
    """Return the code points of a string, and the byte at which each of them begins."""
    if isinstance(text, str):
        if decoder != "utf-8":
            raise BuildError(
                f"{mistakes.call}: input_encoding must be UTF-8 for a str, whose characters are "
                f"known already, got {decoder} for {text[:40]!r}. Give bytes."
            )
        text = text.encode("utf-8", "surrogatepass")
    chars, starts = _characters(text, decoder)
    wrong = np.zeros(len(chars), np.bool_)
    if chars.size and chars.min() < 0:
        wrong = chars < 0
        if mistakes.errors == "strict":
            at = int(starts[np.argmax(wrong)])
            raise BuildError(
                f"{mistakes.call}: every string must be {decoder}, got {text[:40]!r}, which is "
                f'not at byte {at}. errors="replace" and errors="ignore" go on.'
            )
    if mistakes.control:
        wrong |= (chars >= 0) & (chars < 0x20)
    if not wrong.any():
        return chars, starts
    if mistakes.errors == "ignore":
        return chars[~wrong], starts[~wrong]
    return np.where(wrong, np.int32(mistakes.replacement), chars), starts


class _Marks(threading.local):
    """Where the decoding that runs in this thread met bytes that mean nothing."""

    def __init__(self) -> None:
        self.spans: list[tuple[int, int]] = []


_MARKS = _Marks()
# Half of a pair, which no encoding gives by itself.
_HALF = "\udfff"


def _mark(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    _MARKS.spans.append((error.start, error.end))
    return _HALF, error.end


codecs.register_error("feedline.mark", _mark)


def _characters(text: bytes, decoder: str) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return code points, -1 for bytes that are none, and where each begins."""
    decoder, skipped = _without_mark(text, decoder)
    body = text[skipped:]
    _MARKS.spans = []
    found = body.decode(decoder, "feedline.mark")
    spans = _MARKS.spans
    chars = np.frombuffer(found.encode("utf-32-le", "surrogatepass"), np.int32).copy()
    sizes = _sizes(chars, decoder)
    if spans:
        wrong = np.flatnonzero(chars == ord(_HALF))
        first, last = np.array(spans).T
        sizes[wrong] = last - first
        chars[wrong] = [_meant(body[at], decoder) for at in first.tolist()]
    starts = np.cumsum(sizes) - sizes + skipped
    starts[:1] = 0  # the mark belongs to the first character
    return chars, starts


def _meant(byte: int, decoder: str) -> int:
    """Return what ICU makes of a byte that Python does not know: -1, or in Windows a control."""
    if decoder.startswith("cp125") and (0x80 <= byte < 0xA0 or (decoder, byte) == ("cp1253", 0xAA)):
        return byte
    return -1


def _sizes(chars: NDArray[np.int32], decoder: str) -> NDArray[np.int64]:
    """Return how many bytes each character took."""
    if decoder == "utf-8":
        more = (chars > 0x7F).astype(np.int64)
        return 1 + more + (chars > 0x7FF) + (chars > 0xFFFF)
    if decoder in ("utf-16-be", "utf-16-le"):
        return np.where(chars > 0xFFFF, 4, 2).astype(np.int64)
    return np.full(len(chars), _WIDTHS.get(decoder, 1), np.int64)


def _without_mark(text: bytes, decoder: str) -> tuple[str, int]:
    """Return the byte order that a mark at the beginning tells, and how long the mark is."""
    if decoder == "utf-16":
        if text[:2] == b"\xff\xfe" and text[2:4] != b"\0\0":  # which would be UTF-32
            return "utf-16-le", 2
        return "utf-16-be", 2 if text[:2] == b"\xfe\xff" else 0
    if decoder == "utf-32":
        if text[:4] == b"\xff\xfe\0\0":
            return "utf-32-le", 4
        return "utf-32-be", 4 if text[:4] == b"\0\0\xfe\xff" else 0
    return decoder, 0


def encoded(codes: NDArray[Any], output: str, mistakes: Mistakes) -> bytes:
    """Return code points in one of the encodings there are for output."""
    wrong = (codes < 0) | (codes > 0x10FFFF) | ((codes >= 0xD800) & (codes < 0xE000))
    if wrong.any():
        if mistakes.errors == "strict":
            raise BuildError(
                f"{mistakes.call}: every code point must be below 0x110000 and no surrogate, "
                f'got {int(codes[np.argmax(wrong)])}. errors="replace" and errors="ignore" go on.'
            )
        codes = (
            codes[~wrong]
            if mistakes.errors == "ignore"
            else np.where(wrong, mistakes.replacement, codes)
        )
    text = codes.astype("<u4").tobytes().decode("utf-32-le")
    return text.encode(OUTPUT_ENCODINGS[output])
