"""csv_dataset: the records of comma-separated files, as numbers and strings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.csv.columns import Fields, field_failure, typed_column
from feedline.csv.format import (
    CsvColumn,
    CsvFormat,
    check_columns,
    check_delimiter,
    columns_of,
)
from feedline.csv.table import TableReader
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.files import compression_named
from feedline.kernels.split_csv import (
    AFTER_QUOTE,
    ESCAPED,
    STRAY_QUOTE,
    UNCLOSED,
    CsvFields,
    split_csv,
)
from feedline.ops.arguments import check_flag
from feedline.ops.chunked import CHUNK_BYTES, ChunkedExec, Piece
from feedline.ops.file_source import FileSourceNode, check_buffer_size, names_node
from feedline.ops.text_line_dataset import check_encoding
from feedline.spec import TensorSpec
from feedline.structure import Structure, structure_of

if TYPE_CHECKING:
    from feedline.engine.run import Run

__all__ = ["CsvDatasetNode", "csv_dataset"]

_CALL = "CsvDataset()"
_WRONG_QUOTES = {
    STRAY_QUOTE: "has a quote inside, but does not begin with one",
    AFTER_QUOTE: "has a quote inside that is not doubled",
    UNCLOSED: "begins with a quote that is never closed",
}


# ---- what the user calls ---------------------------------------------------


def csv_dataset(
    filenames: Any,
    record_defaults: Any,
    compression_type: str | None = None,
    buffer_size: int | None = None,
    header: bool = False,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str | bytes = "",
    select_cols: Any = None,
    exclude_cols: Any = None,
    *,
    encoding: str | None = "utf-8",
) -> CsvDatasetNode:
    """Return the plan of ``feedline.data.experimental.CsvDataset``, which says what is what."""
    columns = columns_of(_CALL, record_defaults)
    if not isinstance(na_value, (str, bytes)):
        raise BuildTypeError(f"{_CALL}: na_value must be a string, got {na_value!r}.")
    selected = check_columns(_CALL, "select_cols", select_cols)
    excluded = check_columns(_CALL, "exclude_cols", exclude_cols)
    if selected is not None and excluded is not None:
        raise BuildError(f"{_CALL}: give select_cols or exclude_cols, not both.")
    if selected is not None and len(selected) != len(columns):
        raise BuildError(
            f"{_CALL}: select_cols names {len(selected)} columns, record_defaults has "
            f"{len(columns)}. There must be one default for each."
        )
    na_bytes = na_value.encode() if isinstance(na_value, str) else na_value
    return CsvDatasetNode(
        names_node(_CALL, filenames),
        columns,
        CsvFormat(
            check_delimiter(_CALL, field_delim),
            check_flag(_CALL, "use_quote_delim", use_quote_delim),
            na_bytes,
        ),
        compression_named(compression_type, _CALL),
        check_flag(_CALL, "header", header),
        selected,
        excluded or (),
        check_encoding(_CALL, encoding),
        check_buffer_size(_CALL, buffer_size, CHUNK_BYTES, least=1),
    )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class CsvDatasetNode(FileSourceNode):
    """The records of files, a value for each of ``columns``."""

    columns: tuple[CsvColumn, ...] = field(repr=False)
    format: CsvFormat
    compression_type: str
    header: bool
    select_cols: tuple[int, ...] | None
    exclude_cols: tuple[int, ...]
    encoding: str | None
    buffer_size: int = field(repr=False, compare=False)

    def reader(self, path: str, run: Run) -> CsvExec:
        """Read one file chunk by chunk."""
        return CsvExec(self, path, run)

    def spec(self, inputs: Sequence[Any]) -> tuple[TensorSpec, ...]:
        """A scalar per column."""
        return tuple(TensorSpec((), column.dtype) for column in self.columns)

    @property
    def places(self) -> tuple[int, ...]:
        """Which fields of a record the columns are."""
        if self.select_cols is not None:
            return self.select_cols
        most = len(self.columns) + len(self.exclude_cols)
        kept = [place for place in range(most) if place not in self.exclude_cols]
        return tuple(kept[: len(self.columns)])

    @property
    def table(self) -> TableReader | None:
        """What reads text in which nothing is wrong."""
        most: int | None = None
        if self.select_cols is not None:
            fewest = self.select_cols[-1] + 1
        else:
            counts = np.arange(len(self.columns) + len(self.exclude_cols) + 1)
            fitting = np.flatnonzero(self.fits(counts))
            fewest, most = int(fitting[0]), int(fitting[-1])
        return TableReader.of(self.columns, self.places, (fewest, most), self.format, self.encoding)

    def fits(self, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which of the records with ``counts`` fields have those that are wanted."""
        if self.select_cols is not None:
            return counts > self.select_cols[-1]
        left_out = np.searchsorted(np.array(self.exclude_cols, np.int64), counts)
        fits: NDArray[np.bool_] = counts - left_out == len(self.columns)
        return fits


# ---- what runs -------------------------------------------------------------


class CsvExec(ChunkedExec):
    """The records of one file."""

    def __init__(self, node: CsvDatasetNode, path: str, run: Run) -> None:
        super().__init__(node, path, run, node.compression_type, node.buffer_size)
        self._csv = node
        self._structure: Structure = structure_of((0,) * len(node.columns))
        self._places = np.array(node.places, np.int64)
        self._table = node.table

    def split(self, data: bytes, is_final: bool) -> list[Piece]:
        """Make columns of all records at once."""
        header = self._csv.header and self.is_at_start
        read = self._table and self._table.read(data, is_final, header)
        if not read:
            return self._split_with_failures(data, is_final)
        columns, num_records, num_bytes, num_lines = read
        if not num_records:
            return []
        block = Block(self._structure, tuple(columns), num_records)
        return [Piece(block, num_bytes, num_lines)]

    def _split_with_failures(self, data: bytes, is_final: bool) -> list[Piece]:
        """Find all records first, then make columns of the fields of those that are good."""
        csv = self._csv.format
        found = split_csv(np.frombuffer(data, np.uint8), csv.delimiter, csv.quotes, is_final)
        header = int(self._csv.header and self.is_at_start)
        failure = self._header_failure(found, is_final) if header else None
        if failure is None and found.num_records <= header:
            return []
        block, good = self._block(data, found, header)
        return self._pieces(data, found, block, good, failure)

    def _header_failure(self, found: CsvFields, is_final: bool) -> InvalidArgumentError | None:
        if found.num_records:
            kinds = found.kinds[: found.record_splits[1]]
            reason = _WRONG_QUOTES.get(int(kinds.max()))
            text = None if reason is None else f"a field of the header {reason}"
        else:
            text = "the file has no header: it is empty" if is_final else None
        return None if text is None else self._failure(f"{self.path}, line 1: {text}.")

    def _block(self, data: bytes, found: CsvFields, first: int) -> tuple[Block, NDArray[np.int64]]:
        """Return the good records from number ``first`` on, and which they are."""
        node = self._csv
        splits = found.record_splits
        good = node.fits(np.diff(splits))
        good[:first] = False
        if len(found.kinds) and found.kinds.max() > ESCAPED:
            wrong = np.flatnonzero(found.kinds > ESCAPED)
            good[np.searchsorted(splits, wrong, side="right") - 1] = False
        records = np.flatnonzero(good)
        fields = Fields.of(data, found)
        columns, is_good = [], np.ones(len(records), np.bool_)
        for column, place in zip(node.columns, self._places, strict=True):
            part = fields.take(splits[records] + place)
            values, readable = typed_column(part, column, node.format.na_value, node.encoding)
            columns.append(values)
            is_good &= readable
        block = Block(self._structure, tuple(columns), len(records))
        return block.select(is_good), records[is_good]

    def _pieces(
        self,
        data: bytes,
        found: CsvFields,
        block: Block,
        good: NDArray[np.int64],
        of_header: Exception | None,
    ) -> list[Piece]:
        """Return the good records, cut where there is one that is not."""
        stops = [0, *found.record_stops.tolist()]
        first = int(self._csv.header and self.is_at_start)
        pieces: list[Piece] = []
        done, at = 0, 0

        def add(made: Block | Exception, stop: int) -> None:
            nonlocal at
            pieces.append(Piece(made, stop - at, _num_lines(data, stop, at)))
            at = stop

        if of_header is not None:
            add(of_header, stops[min(first, found.num_records)])
        is_bad = np.ones(found.num_records, np.bool_)
        is_bad[:first] = is_bad[good] = False
        for record in np.flatnonzero(is_bad).tolist():
            upto = int(np.searchsorted(good, record))
            if upto > done:
                add(block.slice(done, upto), stops[record])
            line = self.rest_line + _num_lines(data, stops[record]) + 1
            add(self._record_failure(data, found, record, line), stops[record + 1])
            done = upto
        if done < block.length:
            add(block.slice(done, block.length), stops[-1])
        return pieces

    def _record_failure(
        self, data: bytes, found: CsvFields, record: int, line: int
    ) -> InvalidArgumentError:
        """Say what is wrong with a record: the first thing that is."""
        node = self._csv
        where = f"{self.path}, line {line}"
        first, last = found.record_splits[record : record + 2].tolist()
        fields = Fields.of(data, found)
        wanted = dict(zip(node.places, node.columns, strict=True))
        for place in range(last - first):
            reason = _WRONG_QUOTES.get(int(found.kinds[first + place]))
            if reason is None and place in wanted:
                text = fields.text(first + place)
                reason = field_failure(text, wanted[place], node.format.na_value, node.encoding)
            if reason is not None:
                return self._failure(f"{where}, column {place}: the field {reason}.")
        many = "at least " if node.select_cols is not None else ""
        count = (
            node.select_cols[-1] + 1
            if node.select_cols is not None
            else len(node.columns) + sum(place < last - first for place in node.exclude_cols)
        )
        return self._failure(
            f"{where}: the record must have {many}{count} fields, it has {last - first}."
        )

    def _failure(self, text: str) -> InvalidArgumentError:
        failure = InvalidArgumentError(
            f"{text} Mend the file or change record_defaults; ignore_errors() passes over such "
            "records."
        )
        failure.add_note(f"in {self._csv.place}")
        return failure


def _num_lines(text: bytes, stop: int, start: int = 0) -> int:
    return text.count(b"\n", start, stop) or text.count(b"\r", start, stop)
