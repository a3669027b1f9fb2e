"""wav_format: WAV files of 16-bit samples, as TensorFlow reads and writes them.

A file is ``RIFF``, a length that nobody reads, ``WAVE``, and chunks: four letters, a length and
so many bytes. One chunk says the format, a later one holds the samples. Lengths are checked
against the bytes that are there before anything is made of them.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feedline.errors import DecodeError

__all__ = ["Samples", "read_wav", "written_wav"]

_BITS = 16
_MOST_BYTES = 2**31 - 1
# What may come before the format. Anything else there is an error, as in TensorFlow.
_BEFORE_FORMAT = (b"JUNK", b"bext", b"iXML", b"qlty", b"mext", b"levl", b"link", b"axml")


class Samples(NamedTuple):
    """Integers ``(samples, channels)``, and how many samples are a second."""

    numbers: NDArray[np.int16]
    rate: int


class _Reader:
    """Reads on in bytes, and never beyond their end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    @property
    def is_done(self) -> bool:
        return self.at >= len(self._data)

    def take(self, count: int) -> bytes:
        if count > len(self._data) - self.at:
            raise DecodeError(
                f"decode_wav(): {count} bytes are needed from byte {self.at} on, there are "
                f"{max(len(self._data) - self.at, 0)}. The file is damaged or cut off."
            )
        self.at += count
        return self._data[self.at - count : self.at]

    def expect(self, wanted: bytes) -> None:
        found = self.take(len(wanted))
        if found != wanted:
            raise DecodeError(f"decode_wav(): {wanted!r} must stand here, got {found!r}: no WAV.")

    def length(self, kind: bytes) -> int:
        (found,) = struct.unpack("<I", self.take(4))
        if found > _MOST_BYTES:
            raise DecodeError(
                f"decode_wav(): a chunk may have {_MOST_BYTES} bytes, {kind!r} has {found}."
            )
        return int(found)


def read_wav(data: bytes) -> Samples:
    """Return the samples of a WAV file; raise DecodeError if it is damaged or of another kind.

    Example:
        >>> read_wav(written_wav(np.array([[5], [-5]], np.int16), 8000)).numbers.tolist()
        [[5], [-5]]
    """
    reader = _Reader(data)
    reader.expect(b"RIFF")
    reader.take(4)
    reader.expect(b"WAVE")
    channels, rate = _format(reader)
    numbers: NDArray[np.int16] | None = None
    while not reader.is_done:
        kind = reader.take(4)
        length = reader.length(kind)
        if kind != b"data":
            reader.at += length  # beyond the end there is nothing more
            continue
        if numbers is not None:
            raise DecodeError("decode_wav(): there must be one chunk of samples, got two.")
        count = length // (2 * channels)
        bytes_ = reader.take(2 * channels * count)
        numbers = np.frombuffer(bytes_, "<i2").reshape(count, channels)
    if numbers is None:
        raise DecodeError("decode_wav(): there is no chunk of samples in the file.")
    return Samples(numbers, rate)


def _format(reader: _Reader) -> tuple[int, int]:
    """Return how many channels there are, and the sample rate."""
    kind = reader.take(4)
    while kind != b"fmt ":
        if kind not in _BEFORE_FORMAT:
            raise DecodeError(f"decode_wav(): the format must come first, got {kind!r}.")
        reader.take(reader.length(kind))
        kind = reader.take(4)
    length = reader.length(kind)
    if length not in (16, 18):
        raise DecodeError(f"decode_wav(): the format must be of 16 or 18 bytes, got {length}.")
    found = struct.unpack("<HHIIHH", reader.take(16))
    packing, channels, rate, bytes_per_second, bytes_per_sample, bits = found
    reader.take(length - 16)
    if packing != 1 or bits != _BITS:
        raise DecodeError(
            f"decode_wav(): 16-bit integers (PCM, format 1) are read, got {bits} bits of format "
            f"{packing}. Convert the file."
        )
    if not channels or bytes_per_sample != 2 * channels:
        raise DecodeError(
            f"decode_wav(): a sample of {channels} channels must have {2 * channels} bytes, at "
            f"least 2, got {bytes_per_sample}."
        )
    if bytes_per_second != rate * bytes_per_sample:
        raise DecodeError(
            f"decode_wav(): {rate} samples must have {rate * bytes_per_sample} bytes, got "
            f"{bytes_per_second}."
        )
    return channels, rate


def written_wav(numbers: NDArray[np.int16], rate: int) -> bytes:
    """Return a WAV file of samples ``(samples, channels)``."""
    channels = numbers.shape[1]
    data = numbers.astype("<i2").tobytes()
    form = struct.pack("<HHIIHH", 1, channels, rate, rate * 2 * channels, 2 * channels, _BITS)
    chunks = b"WAVEfmt " + struct.pack("<I", len(form)) + form
    chunks += b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(chunks)) + chunks
