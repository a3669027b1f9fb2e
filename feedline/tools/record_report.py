"""record_report: what a TFRecord file holds, and whether it is whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from feedline.errors import DataLossError
from feedline.files import open_seekable
from feedline.kernels.tfrecord_scan import HEADER, tfrecord_scan
from feedline.tfrecord.reader import RecordReader
from feedline.tools.feature_summary import RecordSummary

__all__ = ["Damage", "RecordReport", "compression_of", "record_report"]

_RUN = 1024
# How many records are looked into: the first ones, then now and then one.
_FIRST, _EVERY, _MOST = 1000, 1000, 3000
_ZLIB = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")


@dataclass(frozen=True)
class Damage:
    """Something that is wrong: the record it was met at, the byte, and what it is."""

    record: int
    offset: int
    message: str


@dataclass
class RecordReport:
    """What was found in one file."""

    path: str
    size: int
    compression: str
    records: int = 0
    content: int = 0
    shortest: int = 0
    longest: int = 0
    histogram: dict[int, int] = field(default_factory=dict)
    damage: list[Damage] = field(default_factory=list)
    summary: RecordSummary = field(default_factory=RecordSummary)
    first: list[Any] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """The mean length of a record."""
        return self.content / self.records if self.records else 0.0

    def count(self, lengths: np.ndarray[Any, np.dtype[np.int64]]) -> None:
        """Count records of these lengths in."""
        low, high = int(lengths.min()), int(lengths.max())
        self.shortest = min(self.shortest, low) if self.records else low
        self.longest = max(self.longest, high)
        self.records += len(lengths)
        self.content += int(lengths.sum())
        # Each bar is twice as wide as the one before.
        tops = np.maximum(np.ceil(np.log2(np.maximum(lengths, 1))), 0).astype(np.int64)
        for power, number in zip(*np.unique(tops, return_counts=True), strict=True):
            top = 1 << int(power)
            self.histogram[top] = self.histogram.get(top, 0) + int(number)

    def code(self) -> str:
        """Return Python that reads the file, to be pasted; empty if records are no Examples."""
        features = self.summary.code() if self.summary.records else ""
        if not features:
            return ""
        packed = f", compression_type={self.compression!r}" if self.compression else ""
        parse = "tf.io.parse_single_example(record, features)"
        if self.summary.lists:
            parse = (
                "tf.io.parse_single_sequence_example(record, context_features, sequence_features)"
            )
        return "\n".join(
            [
                "import feedline as tf",
                "",
                features,
                f"ds = tf.data.TFRecordDataset({self.path!r}{packed})",
                f"ds = ds.map(lambda record: {parse})",
            ]
        )

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON can hold it."""
        return {
            "path": self.path,
            "bytes": self.size,
            "compression": self.compression,
            "records": self.records,
            "record_bytes": {
                "least": self.shortest,
                "mean": round(self.mean, 1),
                "most": self.longest,
                "histogram": {str(top): self.histogram[top] for top in sorted(self.histogram)},
            },
            "kind": self.summary.kind if self.summary.records else None,
            "code": self.code(),
            "damage": [vars(damage) for damage in self.damage],
        }


def compression_of(head: bytes) -> str:
    """Return the compression that the first bytes of a file tell: "", "GZIP" or "ZLIB"."""
    if head.startswith(b"\x1f\x8b"):
        return "GZIP"
    # A length may begin like this too, but then its checksum fits.
    _, damage, _ = tfrecord_scan(np.frombuffer(head[:HEADER], np.uint8), 0, 1, False)
    return "ZLIB" if head.startswith(_ZLIB) and (damage or len(head) < HEADER) else ""


def record_report(
    path: str,
    compression: str | None = None,
    *,
    examples: int = 3,
    progress: Callable[[int], None] | None = None,
) -> RecordReport:
    """Read a TFRecord file from end to end and return what it holds.

    Args:
        path: A local path, or a URL that fsspec knows.
        compression: "", "GZIP" or "ZLIB"; None finds out.
        examples: How many of the first records are kept in the report.
        progress: Called with the number of bytes of records read so far.
    """
    with open_seekable(path) as file:
        size = file.size()
        found = compression_of(file.read(0, HEADER)) if compression is None else compression
    report = RecordReport(path, size, found)
    reader = RecordReader(path, found)
    try:
        while True:
            at, number = reader.at, reader.number
            try:
                run = reader.read(_RUN)
            except DataLossError as error:
                report.damage.append(Damage(number, at, str(error)))
                continue
            if run is None:
                return report
            _look_into(report, *run, examples)
            report.count(np.diff(run[1]))
            if progress is not None:
                progress(reader.at)
    finally:
        reader.close()


def _look_into(report: RecordReport, data: Any, offsets: Any, examples: int) -> None:
    start, stop = report.records, report.records + len(offsets) - 1
    later = range(max(-(-start // _EVERY), _FIRST // _EVERY) * _EVERY, stop, _EVERY)
    for number in (*range(start, min(stop, _FIRST)), *later):
        if report.summary.records >= _MOST:
            return
        place = number - start
        record = data[offsets[place] : offsets[place + 1]].tobytes()
        message = report.summary.add(record)
        if len(report.first) < examples:
            report.first.append(record if message is None else message)
