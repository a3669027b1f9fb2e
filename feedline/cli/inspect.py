"""inspect: what TFRecord files hold, and whether they are whole."""

from __future__ import annotations

import argparse
import json
from typing import Any

__all__ = ["add_to", "run"]

_DESCRIPTION = """\
Read TFRecord files from end to end and say how many records they hold and how long these are,
what features the records have, as code to read them with, what the first ones look like, and
what is damaged. Exits with 1 if something is.
"""
_BAR = 40


def add_to(commands: Any) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "inspect", help="what TFRecord files hold, and what is damaged", description=_DESCRIPTION
    )
    command.add_argument("files", nargs="+", metavar="FILE", help="a file, a pattern or a URL")
    command.add_argument(
        "--compression",
        choices=["auto", "none", "gzip", "zlib"],
        default="auto",
        help="how the files are compressed (default: %(default)s, found out)",
    )
    command.add_argument(
        "--examples",
        type=_count,
        default=3,
        metavar="N",
        help="how many of the first records to show (default: %(default)s)",
    )
    command.add_argument("--json", action="store_true", help="print one JSON document instead")
    command.set_defaults(run=run)


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"must be at least 0, got {number}")
    return number


def run(arguments: argparse.Namespace) -> int:
    """Print a report for every file."""
    from feedline.cli.progress import bytes_shown
    from feedline.tools.record_report import record_report

    compression = {"auto": None, "none": "", "gzip": "GZIP", "zlib": "ZLIB"}[arguments.compression]
    paths = _paths(arguments.files)
    reports = []
    for path in paths:
        with bytes_shown(path) as progress:
            report = record_report(
                path, compression, examples=arguments.examples, progress=progress
            )
        reports.append(report)
        if not arguments.json:
            print(_text(report))
    if arguments.json:
        print(json.dumps([report.as_json() for report in reports], indent=2))
    elif len(reports) > 1:
        records = sum(report.records for report in reports)
        damage = sum(len(report.damage) for report in reports)
        print(f"{len(reports)} files, {records:,} records, damaged places: {damage}")
    return 1 if any(report.damage for report in reports) else 0


def _paths(given: list[str]) -> list[str]:
    from feedline.errors import NotFoundError
    from feedline.files import matching

    found: list[str] = []
    for name in given:
        if not any(char in name for char in "*?["):
            found.append(name)
            continue
        paths = matching(name)
        if not paths:
            raise NotFoundError(f"no file matches {name!r}.")
        found += paths
    return found


def _text(report: Any) -> str:
    packed = f", {report.compression}" if report.compression else ""
    lines = [f"{report.path}  ({_size(report.size)}{packed})"]
    if report.records:
        low, mean, high = report.shortest, report.mean, report.longest
        lines.append(
            f"  {report.records:,} records of {_size(low)} to {_size(high)}, {_size(mean)} on "
            f"average, {_size(report.content)} in all"
        )
        lines += _histogram(report.histogram)
        lines += _features(report)
    else:
        lines.append("  no records")
    lines += [f"  DAMAGED  {damage.message}" for damage in report.damage]
    return "\n".join(lines) + "\n"


def _histogram(bars: dict[int, int]) -> list[str]:
    if len(bars) < 2:
        return []
    tops = [1 << power for power in range(min(bars).bit_length() - 1, max(bars).bit_length())]
    most = max(bars.values())
    lines = []
    for top in tops:
        count = bars.get(top, 0)
        bar = "#" * max(round(count / most * _BAR), 1 if count else 0)
        lines.append(f"  up to {_size(top):>9} {count:>12,} {bar}".rstrip())
    return lines


def _features(report: Any) -> list[str]:
    summary = report.summary
    looked = "all" if summary.records == report.records else f"{summary.records:,} of them"
    lines = [""]
    if summary.kind == "bytes":
        lines.append("  The records are no Examples.")
    elif summary.kind == "mixed":
        lines.append(f"  {summary.others:,} of {summary.records:,} records are no Examples.")
    else:
        # Not moved to the right: this is there to be pasted.
        lines += [f"  {summary.kind}s; looked into {looked}:", "", report.code()]
    for number, record in enumerate(report.first):
        lines += ["", f"  record {number}:"]
        lines += [f"    {line}" for line in _shown(record)]
    return [*lines, ""]


def _shown(record: Any) -> list[str]:
    if isinstance(record, bytes):
        return [_short(record)]
    sequence = hasattr(record, "feature_lists")
    shared = record.context if sequence else record.features
    lines = [f"{name}: {_values(shared.feature[name])}" for name in sorted(shared.feature)]
    if sequence:
        for name in sorted(record.feature_lists.feature_list):
            steps = record.feature_lists.feature_list[name].feature
            first = f", the first: {_values(steps[0])}" if len(steps) else ""
            lines.append(f"{name}: {len(steps)} steps{first}")
    return lines


def _values(feature: Any) -> str:
    from feedline.tools.image_size import image_size

    kind = feature.WhichOneof("kind")
    if kind is None:
        return "nothing"
    values = list(getattr(feature, kind).value)
    texts = []
    for value in values[:6]:
        image = image_size(value) if kind == "bytes_list" else None
        if image is not None:
            texts.append(f"{image.format} {image.width} x {image.height}, {_size(len(value))}")
        elif kind == "bytes_list":
            texts.append(_short(value))
        else:
            texts.append(f"{value:.6g}" if kind == "float_list" else str(value))
    more = f", ... {len(values)} values" if len(values) > 6 else ""
    return ", ".join(texts) + more if len(values) != 1 else texts[0]


def _short(value: bytes) -> str:
    shown = repr(value[:60].decode("utf-8")) if _is_text(value[:57]) else repr(value[:24])
    return (
        shown
        if len(value) <= (60 if _is_text(value[:57]) else 24)
        else f"{shown}... {_size(len(value))}"
    )


def _is_text(value: bytes) -> bool:
    try:
        return value.decode("utf-8").isprintable()
    except UnicodeDecodeError:
        return False


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"
