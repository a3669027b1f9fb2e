"""csv_table: comma-separated text without a fault, straight into columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native
from feedline.kernels.parse_numbers import parse_numbers_twin
from feedline.kernels.split_csv import ESCAPED, CsvFields, split_csv_twin

__all__ = ["KINDS", "Table", "csv_table", "csv_table_twin"]

# A column: which field of a record it is, its kind, and what stands for a field that is missing,
# None if none may be.
Target = tuple[int, str, Any]
# The columns, how many records they have, how many bytes those took, and how many ends of lines
# are among them.
Table = tuple[list[Any], int, int, int]

KINDS: dict[str, np.dtype[Any]] = {
    "f": np.dtype("f4"),
    "d": np.dtype("f8"),
    "i": np.dtype("i4"),
    "q": np.dtype("i8"),
}
"""The kinds of columns that are numbers. "s" is one of strings: a buffer and offsets."""


def csv_table_twin(  # noqa: PLR0913  (it is one call, and they all count)
    data: NDArray[np.uint8],
    delimiter: int,
    quotes: bool,
    is_final: bool,
    header: bool,
    na_value: bytes,
    counts: tuple[int, int],
    columns: Sequence[Target],
    utf8: bool,
) -> Table | None:
    r"""Return the columns of every record that is whole; of all of them if ``is_final``.

    None comes back if there is anything to say about any record, and it takes more than this to
    say it.

    Args:
        data: The text.
        delimiter: What stands between fields.
        quotes: Whether quotes have a meaning.
        is_final: Whether nothing comes after the text.
        header: Whether the first record is passed over.
        na_value: The text of a field that is missing, besides an empty one.
        counts: How many fields a record has, at least and at most.
        columns: The columns, in the order of their places.
        utf8: Whether strings must be UTF-8.

    Example:
        >>> text = np.frombuffer(b"1,a\n2,\n", np.uint8)
        >>> wanted = [(0, "f", None), (1, "s", b"none")]
        >>> (sizes, (names, offsets)), rows, used, lines = csv_table(
        ...     text, ord(","), True, True, False, b"", (2, 2), wanted, True
        ... )
        >>> sizes, names.tobytes(), offsets.tolist(), rows, used, lines
        (array([1., 2.], dtype=float32), b'anone', [0, 1, 5], 2, 7, 2)
    """
    found = split_csv_twin(data, delimiter, quotes, is_final)
    first = int(header)
    sizes = np.diff(found.record_splits)[first:]
    if found.num_records < first or np.any((sizes < counts[0]) | (sizes > counts[1])):
        return None
    if len(found.kinds) and found.kinds.max() > ESCAPED:
        return None
    made = []
    for place, kind, fill in columns:
        texts = [_text(data, found, field) for field in found.record_splits[first:-1] + place]
        column = _column([None if text in (b"", na_value) else text for text in texts], kind, fill)
        if column is None or (utf8 and kind == "s" and not _are_utf8(*column)):
            return None
        made.append(column)
    used = found.num_bytes
    return made, found.num_records - first, used, data[:used].tobytes().count(b"\n")


def _text(data: NDArray[np.uint8], found: CsvFields, field: int) -> bytes:
    text = data[found.starts[field] : found.stops[field]].tobytes()
    return text.replace(b'""', b'"') if found.kinds[field] == ESCAPED else text


def _column(texts: list[bytes | None], kind: str, fill: Any) -> Any:
    """Return the values of a column; None if there is one that cannot be."""
    missing = np.array([text is None for text in texts], np.bool_)
    if fill is None and missing.any():
        return None
    if kind == "s":
        parts = [fill if text is None else text for text in texts]
        offsets = np.concatenate([[0], np.cumsum([len(part) for part in parts], dtype=np.int64)])
        return np.frombuffer(b"".join(parts), np.uint8), offsets.astype(np.int64)
    parts = [text or b"0" for text in texts]
    stops = np.cumsum([len(part) for part in parts], dtype=np.int64)
    starts = stops - np.array([len(part) for part in parts], np.int64)
    every = np.frombuffer(b"".join(parts), np.uint8)
    values, good = parse_numbers_twin(every, starts, stops, KINDS[kind])
    if not good.all():
        return None
    if missing.any():
        values[missing] = fill
    return values


def _are_utf8(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> bool:
    try:
        for start, stop in pairwise(offsets.tolist()):
            data[start:stop].tobytes().decode()
    except UnicodeDecodeError:
        return False
    return True


csv_table = csv_table_twin if native is None else native.csv_table
