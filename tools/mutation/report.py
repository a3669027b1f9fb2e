"""What became of the mutants: a table to read, JSON to keep."""

import json
import tomllib
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tools.mutation.blocks import ROOT
from tools.mutation.mutants import Mutant
from tools.mutation.trial import Result

__all__ = ["Equivalents", "print_table", "print_totals", "write_json"]

_BY_HAND = Path(__file__).with_name("equivalent.toml")
_COLOURS = {
    "caught": "green",
    "equivalent": "blue",
    "doubtful": "yellow",
    "survived": "red",
    "not run": "magenta",
}


class Equivalents:
    """Mutants that no test can catch, with the reason, from a file kept by hand."""

    def __init__(self, path: Path = _BY_HAND) -> None:
        self._entries = tomllib.loads(path.read_text())["mutant"]

    def reason(self, mutant: Mutant) -> str | None:
        """Return why a mutant is no fault, or None: found by its text, as lines move."""
        file, change = place(mutant).split(":")[0], _squeezed(mutant.diff)
        for entry in self._entries:
            if entry["file"] == file and _squeezed(entry["diff"]) == change:
                return str(entry["reason"])
        return None


def place(mutant: Mutant) -> str:
    """Return the file and the line of a mutant."""
    return f"{mutant.path.relative_to(ROOT)}:{mutant.line}"


def print_table(console: Console, results: list[Result]) -> None:
    """Print a row for each mutant, survivors last, where they are seen."""
    table = Table("where", "change", "outcome", "caught by", show_lines=True)
    order = list(_COLOURS)
    known = [result for result in results if result.outcome in order]
    for result in sorted(known, key=lambda each: order.index(each.outcome)):
        outcome = Text(result.outcome, _COLOURS[result.outcome])
        table.add_row(place(result.mutant), Text(result.mutant.diff), outcome, Text(result.by))
    console.print(table)


def print_totals(console: Console, results: list[Result]) -> None:
    """Print how many were caught of those that could be."""
    counts = Counter(result.outcome for result in results)
    real = sum(counts[each] for each in _COLOURS if each != "equivalent")
    rate = counts["caught"] / real if real else 0.0
    console.print(dict(counts), f"caught: {rate:.1%} of those that are not equivalent")


def write_json(path: Path, results: list[Result], seed: int) -> None:
    """Write all results, and the seed that draws the same mutants again."""
    mutants = [
        {
            "where": place(result.mutant),
            "kind": result.mutant.kind,
            "diff": result.mutant.diff,
            "outcome": result.outcome,
            "by": result.by,
            "seconds_of_tests_in_vain": round(result.seconds, 1),
        }
        for result in results
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"seed": seed, "mutants": mutants}, indent=1) + "\n")


def _squeezed(text: str) -> str:
    return "".join(text.split())
