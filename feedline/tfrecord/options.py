"""options: how a TFRecord file is compressed when it is written."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

from feedline.errors import BuildError, check_integer

__all__ = ["TFRecordOptions"]

_CALL = "TFRecordOptions()"
# As TensorFlow numbers them; the names count as well.
_NUMBERED = {0: "", 1: "ZLIB", 2: "GZIP"}
_RANGES = {
    "input_buffer_size": range(1, 1 << 31),
    "output_buffer_size": range(1, 1 << 31),
    "compression_level": range(-1, 10),
    "mem_level": range(1, 10),
}
_FLUSH_MODES = {
    zlib.Z_NO_FLUSH: "Z_NO_FLUSH",
    zlib.Z_PARTIAL_FLUSH: "Z_PARTIAL_FLUSH",
    zlib.Z_SYNC_FLUSH: "Z_SYNC_FLUSH",
    zlib.Z_FULL_FLUSH: "Z_FULL_FLUSH",
    zlib.Z_BLOCK: "Z_BLOCK",
}
_STRATEGIES = {
    zlib.Z_DEFAULT_STRATEGY: "Z_DEFAULT_STRATEGY",
    zlib.Z_FILTERED: "Z_FILTERED",
    zlib.Z_HUFFMAN_ONLY: "Z_HUFFMAN_ONLY",
    zlib.Z_RLE: "Z_RLE",
    zlib.Z_FIXED: "Z_FIXED",
}
# What zlib itself takes: a ZLIB header, a GZIP header, or none at all.
_WINDOW_BITS = [*range(9, 16), *range(25, 32), *range(-15, -8)]


@dataclass
class TFRecordOptions:
    """How a TFRecord file is compressed. All but the first matter only if it is.

    Args:
        compression_type: "GZIP", "ZLIB", or "" or None for none.
        flush_mode: What zlib does after every ``input_buffer_size`` bytes; Z_NO_FLUSH.
        input_buffer_size: How many bytes are compressed at once; 256 KiB.
        output_buffer_size: How many compressed bytes are written at once; 256 KiB.
        window_bits: 9 to 15 for ZLIB, 25 to 31 for GZIP; the largest.
        compression_level: 0 to 9, or -1 for zlib's own choice; -1.
        compression_method: Z_DEFLATED, the only one there is.
        mem_level: 1 to 9; 9.
        compression_strategy: One of zlib's; Z_DEFAULT_STRATEGY.

    Example:
        >>> TFRecordOptions("GZIP", compression_level=9).compression_type
        'GZIP'
    """

    compression_type: Any = None
    flush_mode: int | None = None
    input_buffer_size: int | None = None
    output_buffer_size: int | None = None
    window_bits: int | None = None
    compression_level: int | None = None
    compression_method: int | None = None
    mem_level: int | None = None
    compression_strategy: int | None = None

    def __post_init__(self) -> None:
        self.get_compression_type_string(self.compression_type)
        for name, allowed in _RANGES.items():
            value = getattr(self, name)
            if value is not None and check_integer(_CALL, name, value) not in allowed:
                raise BuildError(
                    f"{_CALL}: {name} must be from {allowed[0]} to {allowed[-1]}, got {value}."
                )
        self._check_one_of("flush_mode", _FLUSH_MODES)
        self._check_one_of("compression_strategy", _STRATEGIES)
        self._check_one_of("compression_method", {zlib.DEFLATED: "Z_DEFLATED"})
        self._check_one_of("window_bits", dict.fromkeys(_WINDOW_BITS))

    def _check_one_of(self, name: str, allowed: dict[int, Any]) -> None:
        value = getattr(self, name)
        if value is not None and check_integer(_CALL, name, value) not in allowed:
            known = [
                f"{number} ({text})" if text else str(number) for number, text in allowed.items()
            ]
            raise BuildError(f"{_CALL}: {name} must be one of {', '.join(known)}, got {value}.")

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """Return "", "ZLIB" or "GZIP" for any way to say it.

        Example:
            >>> TFRecordOptions.get_compression_type_string(TFRecordOptions("ZLIB"))
            'ZLIB'
        """
        if isinstance(options, TFRecordOptions):
            options = options.compression_type
        if not options:
            return ""
        found = _NUMBERED.get(options) if isinstance(options, int) else options
        if found not in ("", "ZLIB", "GZIP"):
            raise BuildError(
                f"{_CALL}: compression_type must be 'GZIP', 'ZLIB', '' or None, got {options!r}."
            )
        return str(found)

    def packer(self) -> Any:
        """Return zlib's compressor, or None for no compression."""
        kind = self.get_compression_type_string(self.compression_type)
        if not kind:
            return None
        bits = self.window_bits
        return zlib.compressobj(
            level=_or(self.compression_level, zlib.Z_DEFAULT_COMPRESSION),
            method=_or(self.compression_method, zlib.DEFLATED),
            wbits=_or(bits, 31 if kind == "GZIP" else 15),
            memLevel=_or(self.mem_level, 9),
            strategy=_or(self.compression_strategy, zlib.Z_DEFAULT_STRATEGY),
        )


def _or(value: int | None, default: int) -> int:
    return default if value is None else value
