"""
The compiled kernels. Each has a Python twin in feedline/kernels/ that says what it does.
"""

from collections.abc import Callable
from typing import Any

import numpy
import numpy.typing

def box_muller_float32(
    words: numpy.typing.NDArray[numpy.uint32],
) -> numpy.typing.NDArray[numpy.float32]: ...
def box_muller_float64(
    words: numpy.typing.NDArray[numpy.uint32],
) -> numpy.typing.NDArray[numpy.float64]: ...
def through_tables(
    pixels: numpy.typing.NDArray[numpy.uint8],
    tables: numpy.typing.NDArray[numpy.uint8],
    channels: int,
) -> numpy.typing.NDArray[numpy.uint8]: ...
def halved_means(
    pixels: numpy.typing.NDArray[numpy.uint8], images: int, channels: int
) -> numpy.typing.NDArray[numpy.float32]: ...
def adjust_hue_float32(
    pixels: numpy.typing.NDArray[numpy.float32], deltas: numpy.typing.NDArray[numpy.float32]
) -> numpy.typing.NDArray[numpy.float32]: ...
def adjust_hue_uint8(
    pixels: numpy.typing.NDArray[numpy.uint8], deltas: numpy.typing.NDArray[numpy.float32]
) -> numpy.typing.NDArray[numpy.uint8]: ...
def adjust_saturation_float32(
    pixels: numpy.typing.NDArray[numpy.float32], factors: numpy.typing.NDArray[numpy.float32]
) -> numpy.typing.NDArray[numpy.float32]: ...
def adjust_saturation_uint8(
    pixels: numpy.typing.NDArray[numpy.uint8], factors: numpy.typing.NDArray[numpy.float32]
) -> numpy.typing.NDArray[numpy.uint8]: ...
def split_csv(
    data: numpy.typing.NDArray[numpy.uint8], delimiter: int, quotes: bool, is_final: bool
) -> tuple[
    numpy.typing.NDArray[numpy.int64],
    numpy.typing.NDArray[numpy.int64],
    numpy.typing.NDArray[numpy.uint8],
    numpy.typing.NDArray[numpy.int64],
    numpy.typing.NDArray[numpy.int64],
]: ...
def csv_table(
    data: numpy.typing.NDArray[numpy.uint8],
    delimiter: int,
    quotes: bool,
    is_final: bool,
    header: bool,
    na_value: bytes,
    counts: tuple[int, int],
    columns: list[tuple[int, str, Any]],
    utf8: bool,
) -> tuple[list[Any], int, int, int] | None: ...
def parse_examples(
    data: numpy.typing.NDArray[numpy.uint8],
    offsets: numpy.typing.NDArray[numpy.int64],
    wanted: list[tuple[bytes, int, int, bool]],
    threads: int = 1,
) -> tuple[Any, Any]: ...
def parse_feature_lists(
    data: numpy.typing.NDArray[numpy.uint8],
    offsets: numpy.typing.NDArray[numpy.int64],
    wanted: list[tuple[bytes, int, int, bool]],
) -> tuple[Any, Any]: ...
def exchange(
    ring: numpy.typing.NDArray[numpy.int64],
    front: int,
    held: int,
    arriving: numpy.typing.NDArray[numpy.int64],
    draws: numpy.typing.NDArray[numpy.uint32],
) -> numpy.typing.NDArray[numpy.int64]: ...
def hash_fingerprint(
    data: numpy.typing.NDArray[numpy.uint8], offsets: numpy.typing.NDArray[numpy.int64]
) -> numpy.typing.NDArray[numpy.uint64]: ...
def hash_murmur(
    data: numpy.typing.NDArray[numpy.uint8], offsets: numpy.typing.NDArray[numpy.int64]
) -> numpy.typing.NDArray[numpy.uint64]: ...
def hash_siphash(
    data: numpy.typing.NDArray[numpy.uint8],
    offsets: numpy.typing.NDArray[numpy.int64],
    key0: int,
    key1: int,
) -> numpy.typing.NDArray[numpy.uint64]: ...
def resample_bytes(
    images: numpy.typing.NDArray[numpy.uint8],
    out: numpy.typing.NDArray[numpy.float32],
    method: int,
    antialias: bool,
    boxes: numpy.typing.NDArray[numpy.int64] | None,
    flips: numpy.typing.NDArray[numpy.uint8] | None,
    before: numpy.typing.NDArray[numpy.uint8],
    before_constants: numpy.typing.NDArray[numpy.float32],
    after: numpy.typing.NDArray[numpy.uint8],
    after_constants: numpy.typing.NDArray[numpy.float32],
) -> None: ...
def resample_floats(
    images: numpy.typing.NDArray[numpy.float32],
    out: numpy.typing.NDArray[numpy.float32],
    method: int,
    antialias: bool,
    boxes: numpy.typing.NDArray[numpy.int64] | None,
    flips: numpy.typing.NDArray[numpy.uint8] | None,
    before: numpy.typing.NDArray[numpy.uint8],
    before_constants: numpy.typing.NDArray[numpy.float32],
    after: numpy.typing.NDArray[numpy.uint8],
    after_constants: numpy.typing.NDArray[numpy.float32],
) -> None: ...
def take_pixels(
    images: numpy.typing.NDArray[numpy.uint8],
    out: numpy.typing.NDArray[numpy.uint8],
    boxes: numpy.typing.NDArray[numpy.int64] | None,
    flips: numpy.typing.NDArray[numpy.uint8] | None,
) -> None: ...
def decode_jpeg(data: object, out: numpy.typing.NDArray[numpy.uint8]) -> bool: ...
def decode_jpeg_part(
    data: object, top: int, left: int, out: numpy.typing.NDArray[numpy.uint8]
) -> bool: ...
def jpeg_sizes(
    data: numpy.typing.NDArray[numpy.uint8], offsets: numpy.typing.NDArray[numpy.int64]
) -> numpy.typing.NDArray[numpy.int64]: ...
def resample_jpegs(
    data: numpy.typing.NDArray[numpy.uint8],
    offsets: numpy.typing.NDArray[numpy.int64],
    sizes: numpy.typing.NDArray[numpy.int64],
    out: numpy.typing.NDArray[numpy.float32],
    method: int,
    antialias: bool,
    boxes: numpy.typing.NDArray[numpy.int64] | None,
    flips: numpy.typing.NDArray[numpy.uint8] | None,
    before: numpy.typing.NDArray[numpy.uint8],
    before_constants: numpy.typing.NDArray[numpy.float32],
    after: numpy.typing.NDArray[numpy.uint8],
    after_constants: numpy.typing.NDArray[numpy.float32],
) -> numpy.typing.NDArray[numpy.uint8]: ...
def split_lines(
    data: numpy.typing.NDArray[numpy.uint8], is_final: bool
) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int64], int]: ...
def is_canonical(data: bytes, kind: int) -> bool: ...
def repeated_field(data: bytes) -> list[bytes] | None: ...
def map_entries(data: bytes) -> dict[str, bytes] | None: ...
def float_list(values: list[Any]) -> bytes | None: ...
def int64_list(values: list[Any]) -> bytes | None: ...
def unpacked_ints(packed: bytes) -> list[int] | None: ...
def mix_ids(
    ids: numpy.typing.NDArray[numpy.uint64], word: int
) -> numpy.typing.NDArray[numpy.uint64]: ...
def parse_integers(
    data: numpy.typing.NDArray[numpy.uint8],
    starts: numpy.typing.NDArray[numpy.int64],
    stops: numpy.typing.NDArray[numpy.int64],
    lowest: int,
    highest: int,
) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint8]]: ...
def parse_float32(
    data: numpy.typing.NDArray[numpy.uint8],
    starts: numpy.typing.NDArray[numpy.int64],
    stops: numpy.typing.NDArray[numpy.int64],
) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.uint8]]: ...
def parse_float64(
    data: numpy.typing.NDArray[numpy.uint8],
    starts: numpy.typing.NDArray[numpy.int64],
    stops: numpy.typing.NDArray[numpy.int64],
) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.uint8]]: ...
def permute(
    index: numpy.typing.NDArray[numpy.int64], length: int, key: int
) -> numpy.typing.NDArray[numpy.int64]: ...
def philox_stream(
    seed: int, seed2: int, start: int, count: int
) -> numpy.typing.NDArray[numpy.uint32]: ...
def philox_rows(
    keys: numpy.typing.NDArray[numpy.uint64],
    count: int,
    low: numpy.typing.NDArray[numpy.uint64] | None = None,
    high: numpy.typing.NDArray[numpy.uint64] | None = None,
) -> numpy.typing.NDArray[numpy.uint32]: ...

class RecordsAhead:
    def __init__(self, file: int, start: int, left: numpy.typing.NDArray[numpy.uint8]) -> None: ...
    def add(
        self, window: numpy.typing.NDArray[numpy.uint8], offsets: numpy.typing.NDArray[numpy.int64]
    ) -> None: ...
    def finish(self) -> tuple[int, int, int] | None: ...
    def drop(self) -> None: ...

def read_rows(
    file: int,
    starts: numpy.typing.NDArray[numpy.int64],
    row_bytes: int,
    out: numpy.typing.NDArray[numpy.uint8],
) -> int: ...

class RowCursor:
    """Hands out the rows of one list after the other."""

    def __iter__(self) -> Any: ...
    def __next__(self) -> Any: ...

def ragged_take(
    rows: numpy.typing.NDArray[numpy.uint8],
    row_bytes: int,
    splits: numpy.typing.NDArray[numpy.int64],
    index: numpy.typing.NDArray[numpy.int64],
    empty: Callable[[int, str], numpy.typing.NDArray[numpy.uint8]] | None,
) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int64]]: ...
def pad_rows(
    rows: numpy.typing.NDArray[numpy.uint8],
    fill: numpy.typing.NDArray[numpy.uint8],
    splits: numpy.typing.NDArray[numpy.int64],
    out_len: int,
) -> numpy.typing.NDArray[numpy.uint8]: ...
def stack_rows(
    arrays: list[numpy.typing.NDArray[Any]], out: numpy.typing.NDArray[numpy.uint8]
) -> bool: ...
def array_base(array: type) -> type: ...
def number_base(number: type) -> type: ...
def set_tensor_types(
    numbers: dict[type, type], dtypes: dict[type, object], others: dict[str, object]
) -> None: ...
def number_rows(array: numpy.ndarray, kind: type) -> list[object]: ...
def tensor_rows(values: object) -> list[object]: ...
def as_tensor(value: object) -> object: ...
def bytes_rows(
    data: numpy.typing.NDArray[numpy.uint8], offsets: numpy.typing.NDArray[numpy.int64]
) -> list[bytes]: ...
def text_rows(
    data: numpy.typing.NDArray[numpy.uint8], offsets: numpy.typing.NDArray[numpy.int64]
) -> list[str]: ...
def is_utf8(data: numpy.typing.NDArray[numpy.uint8]) -> bool: ...
def crc32c(data: numpy.typing.NDArray[numpy.uint8]) -> int: ...
def crc32c_by_table(data: numpy.typing.NDArray[numpy.uint8]) -> int: ...
def tfrecord_scan(
    data: numpy.typing.NDArray[numpy.uint8], start: int, most: int, checks_data: bool
) -> tuple[numpy.typing.NDArray[numpy.int64], int, int]: ...
def tfrecord_take(
    data: numpy.typing.NDArray[numpy.uint8],
    start: int,
    out: numpy.typing.NDArray[numpy.uint8],
    offsets: numpy.typing.NDArray[numpy.int64],
    count: int,
) -> tuple[int, int, int, int]: ...
def tfrecord_check(
    data: numpy.typing.NDArray[numpy.uint8],
    starts: numpy.typing.NDArray[numpy.int64],
    stops: numpy.typing.NDArray[numpy.int64],
) -> int: ...
def tfrecord_records(
    data: numpy.typing.NDArray[numpy.uint8],
    starts: numpy.typing.NDArray[numpy.int64],
    stops: numpy.typing.NDArray[numpy.int64],
) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int64]]: ...
def tfrecord_frame(
    data: numpy.typing.NDArray[numpy.uint8], offsets: numpy.typing.NDArray[numpy.int64]
) -> numpy.typing.NDArray[numpy.uint8]: ...
def texts_in_turns(
    data: list[numpy.typing.NDArray[numpy.uint8]],
    offsets: list[numpy.typing.NDArray[numpy.int64]],
    length: int,
    empty: Callable[[int, str], numpy.typing.NDArray[numpy.uint8]],
) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int64]]: ...
