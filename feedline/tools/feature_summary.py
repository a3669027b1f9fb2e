"""feature_summary: what the features of many Examples have in common, as code that reads them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from feedline.errors import DecodeError
from feedline.tools.image_size import image_size
from feedline.train import Example, SequenceExample

__all__ = ["FeatureSummary", "RecordSummary"]

_DTYPES = {"int64_list": "tf.int64", "float_list": "tf.float32", "bytes_list": "tf.string"}
_DEFAULTS = {"int64_list": "0", "float_list": "0.0", "bytes_list": '""'}


@dataclass
class FeatureSummary:
    """One feature, or one feature list, over all records that have it."""

    records: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    shortest: int | None = None
    longest: int = 0
    least: float | None = None
    most: float | None = None
    images: Counter[str] = field(default_factory=Counter)
    widths: tuple[int, int] | None = None
    heights: tuple[int, int] | None = None

    def add(self, feature: Any) -> None:
        """Count one feature in."""
        kind = feature.WhichOneof("kind")
        if kind is None:
            return
        values = list(getattr(feature, kind).value)
        self.kinds[kind] += 1
        count = len(values)
        self.shortest = count if self.shortest is None else min(self.shortest, count)
        self.longest = max(self.longest, count)
        if kind == "bytes_list":
            for value in values[:1]:
                self._add_image(value)
        elif values:
            low, high = min(values), max(values)
            self.least = low if self.least is None else min(self.least, low)
            self.most = high if self.most is None else max(self.most, high)

    def _add_image(self, value: bytes) -> None:
        found = image_size(value)
        if found is not None:
            self.images[found.format] += 1
            self.widths = _widened(self.widths, found.width)
            self.heights = _widened(self.heights, found.height)

    @property
    def kind(self) -> str | None:
        """The kind of list, if all records agree."""
        return next(iter(self.kinds)) if len(self.kinds) == 1 else None

    def note(self, records: int) -> str:
        """Return what is worth saying about the values."""
        parts = []
        if self.images and self.widths and self.heights:
            names = ", ".join(sorted(self.images))
            parts.append(f"{names} {_span(self.widths)} x {_span(self.heights)}")
        elif self.least is not None and self.most is not None:
            parts.append(_span((self.least, self.most)))
        if self.shortest != self.longest:
            parts.append(f"{self.shortest} to {self.longest} values")
        if self.records < records:
            parts.append(f"in {self.records} of {records}")
        return ", ".join(parts)


class RecordSummary:
    """The features of the records that were looked into."""

    def __init__(self) -> None:
        self.records = 0
        self.others = 0
        self.features: dict[str, FeatureSummary] = {}
        self.lists: dict[str, FeatureSummary] = {}

    def add(self, record: bytes) -> Any:
        """Count one record in; return it as a message, None if it is none."""
        self.records += 1
        message = _message_of(record)
        if message is None:
            self.others += 1
            return None
        shared = message.context if isinstance(message, SequenceExample) else message.features
        for name, feature in shared.feature.items():
            summary = self.features.setdefault(name, FeatureSummary())
            summary.records += 1
            summary.add(feature)
        if isinstance(message, SequenceExample):
            for name, steps in message.feature_lists.feature_list.items():
                summary = self.lists.setdefault(name, FeatureSummary())
                summary.records += 1
                for feature in steps.feature:
                    summary.add(feature)
        return message

    @property
    def kind(self) -> str:
        """What the records are: "Example", "SequenceExample", "bytes" or "mixed"."""
        if self.others == self.records:
            return "bytes"
        if self.others:
            return "mixed"
        return "SequenceExample" if self.lists else "Example"

    def code(self) -> str:
        """Return the feature spec as Python, ready to paste; empty if there is none."""
        if self.kind in ("bytes", "mixed"):
            return ""
        if not self.lists:
            return "features = " + self._spec(self.features, steps=False)
        context = "context_features = " + self._spec(self.features, steps=False)
        return context + "\nsequence_features = " + self._spec(self.lists, steps=True)

    def _spec(self, features: dict[str, FeatureSummary], *, steps: bool) -> str:
        lines = ["{"]
        for name in sorted(features):
            summary = features[name]
            note = summary.note(self.records)
            text = _feature(summary, self.records, steps)
            key = json.dumps(name, ensure_ascii=False)
            if text is None:
                kinds = " and ".join(sorted(summary.kinds)) or "nothing"
                lines.append(f"    # {key}: holds {kinds}, which no single feature describes")
            else:
                lines.append(f"    {key}: {text}," + (f"  # {note}" if note else ""))
        return "\n".join([*lines, "}"])


def _feature(summary: FeatureSummary, records: int, steps: bool) -> str | None:
    kind = summary.kind
    if kind is None:
        return None
    dtype = _DTYPES[kind]
    count = summary.longest
    if summary.shortest != count or not count:
        return f"tf.io.RaggedFeature({dtype})"
    shape = "[]" if count == 1 else f"[{count}]"
    if steps:
        return f"tf.io.FixedLenSequenceFeature({shape}, {dtype})"
    if summary.records == records:
        return f"tf.io.FixedLenFeature({shape}, {dtype})"
    if count > 1:
        return f"tf.io.RaggedFeature({dtype})"
    return f"tf.io.FixedLenFeature([], {dtype}, default_value={_DEFAULTS[kind]})"


def _message_of(record: bytes) -> Any:
    """Return a record as an Example or a SequenceExample, None if it is neither."""
    try:
        sequence = SequenceExample.FromString(record)
        if sequence.feature_lists.feature_list:
            return sequence
        example = Example.FromString(record)
    except (DecodeError, UnicodeDecodeError):
        return None
    # Bytes that happen to be fields nobody knows are no Example.
    return example if example.features.feature or not record else None


def _widened(bounds: tuple[int, int] | None, number: int) -> tuple[int, int]:
    return (number, number) if bounds is None else (min(bounds[0], number), max(bounds[1], number))


def _span(bounds: tuple[Any, Any]) -> str:
    low, high = (f"{bound:.6g}" if isinstance(bound, float) else str(bound) for bound in bounds)
    return low if low == high else f"{low} to {high}"
