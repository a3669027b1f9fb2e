"""convert: TFRecord files made of images, CSV, JSON lines, Parquet or tar archives."""

from __future__ import annotations

import argparse
import json
import re
from typing import Any

__all__ = ["add_to", "run"]

_DESCRIPTION = """\
Make TFRecord files of Examples out of a folder of images, whose sub-folders are labels, or out
of CSV files, JSON lines (.jsonl), Parquet files or tar archives as of WebDataset. Every file
appears when it is complete; a second run goes on where the first one stopped.
"""
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


def add_to(commands: Any) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "convert", help="make TFRecord files of other data", description=_DESCRIPTION
    )
    command.add_argument(
        "sources",
        nargs="+",
        metavar="SOURCE",
        help="files of one kind, or folders of images",
    )
    command.add_argument("--to", required=True, metavar="DIR", help="where the files go")
    command.add_argument(
        "--name", default="data", help="what their names begin with (default: %(default)s)"
    )
    command.add_argument(
        "--shard-size",
        type=_size,
        default="150MB",
        metavar="SIZE",
        help="about how long a file becomes before compression (default: %(default)s)",
    )
    command.add_argument("--gzip", action="store_true", help="compress the files")
    command.add_argument(
        "--workers",
        type=_count,
        metavar="N",
        help="how many files are written at once (default: as many as there are cores to use)",
    )
    command.add_argument(
        "--overwrite", action="store_true", help="replace another conversion of that name"
    )
    command.add_argument("--dry-run", action="store_true", help="say what would be done, no more")
    command.add_argument("--json", action="store_true", help="print one JSON document instead")
    command.set_defaults(run=run)


def _size(text: str) -> int:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmg]?)b?", text.lower())
    size = int(float(found[1]) * _UNITS[found[2]]) if found else 0
    if size < 1:
        raise argparse.ArgumentTypeError(f"must be a size such as 150MB, got {text!r}")
    return size


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {number}")
    return number


def run(arguments: argparse.Namespace) -> int:
    """Plan the files, and write them."""
    from feedline.cli.progress import shown
    from feedline.tools.converting.plan import Order, planned
    from feedline.tools.converting.writing import remove_leftovers, usable_workers, write_shards

    if "/" in arguments.name or arguments.name in ("", ".", ".."):
        raise SystemExit(
            f"feedline convert: --name must be a part of a name, got {arguments.name!r}"
        )
    order = Order(
        tuple(arguments.sources),
        arguments.to,
        arguments.name,
        arguments.shard_size,
        "GZIP" if arguments.gzip else "",
        arguments.overwrite,
    )
    with shown("reading", None, "records") as say:
        plan = planned(order, say)
    left = plan.shards if plan.replaced else plan.missing()
    if not arguments.json:
        print(_plan_text(plan, left))
    if not arguments.dry_run:
        plan.begin()
        try:
            remove_leftovers(plan)
            total = sum(shard.size for shard in left)
            with shown("writing", total) as say:
                write_shards(plan, usable_workers(plan, arguments.workers), say)
            plan.check_unchanged()
        finally:
            plan.end()
    if arguments.json:
        print(json.dumps(_plan_json(plan, left, arguments.dry_run), indent=2))
    elif arguments.dry_run:
        print("Nothing was written.")
    else:
        print(f"Wrote {_files(len(left))}." if left else "Everything was there already.")
    return 0


def _plan_text(plan: Any, left: list[Any]) -> str:
    lines = [f"{plan.source.kind}: {plan.records:,} records, about {_shown(plan.size)}"]
    width = max(map(len, plan.source.columns()), default=0)
    lines += [f"  {name:<{width}}  {kind}" for name, kind in plan.source.columns().items()]
    first, last = plan.shards[0].path, plan.shards[-1].path
    names = first if first == last else f"{first} ... {last}"
    lines.append(f"{_files(len(plan.shards))}: {names}")
    if len(left) < len(plan.shards):
        lines.append(f"{len(plan.shards) - len(left)} of them are there already.")
    return "\n".join(lines)


def _plan_json(plan: Any, left: list[Any], is_dry: bool) -> dict[str, Any]:
    return {
        "kind": plan.source.kind,
        "records": plan.records,
        "features": plan.source.columns(),
        "files": [shard.path for shard in plan.shards],
        "written": [] if is_dry else [shard.path for shard in left],
        "missing": [shard.path for shard in left] if is_dry else [],
    }


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


def _shown(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"
