"""Plant small faults in Feedline, one at a time, and see whether the tests notice.

.venv/bin/python -m tools.mutation --count 200 --seed 1 --processes 2
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tools.mutation.blocks import ROOT, sources
from tools.mutation.coverage_map import CoverageMap
from tools.mutation.mutants import Mutant, draw
from tools.mutation.report import Equivalents, place, print_table, print_totals, write_json
from tools.mutation.trial import Result, Trials, doubted

__all__ = ["main"]

# How many test files, the quickest, must pass before the first mutant.
_CONTROLS = 20


def main() -> int:
    """Run the command; return 1 if a mutant survived, as a test would."""
    arguments = _arguments()
    console = Console()
    paths = [path for path in sources() if arguments.only in str(path.relative_to(ROOT))]
    mutants = draw(paths, arguments.count, arguments.seed)
    if arguments.at:
        mutants = [mutant for mutant in mutants if place(mutant) in arguments.at]
    tests = CoverageMap.load()
    if tests.failing:
        console.print(f"left out, as they fail without a mutant: {tests.failing}")
    trials = Trials(tests, arguments.budget)
    quick = sorted(tests.seconds, key=tests.seconds.__getitem__)[:_CONTROLS]
    if failing := trials.control(quick):
        console.print(f"nothing was tried, as tests fail without a mutant: {failing}")
        return 1
    results = _run_all(trials, mutants, arguments, console)
    if not trials.is_stopped:
        results = doubted(trials, results)
        write_json(arguments.report, results, arguments.seed)
    print_table(console, results)
    print_totals(console, results)
    return int(any(result.outcome not in ("caught", "equivalent") for result in results))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="which mutants")
    parser.add_argument("--only", default="", help="files whose path contains this")
    parser.add_argument("--at", nargs="*", help="of those drawn, the ones at these FILE:LINE")
    parser.add_argument("--processes", type=int, default=2, help="how many at a time")
    parser.add_argument(
        "--budget", type=float, default=240, help="seconds of tests in vain before one survives"
    )
    report = ROOT / "build" / "mutation" / "report.json"
    parser.add_argument("--report", type=Path, default=report, help="where the JSON goes")
    return parser.parse_args()


def _run_all(
    trials: Trials, mutants: list[Mutant], arguments: argparse.Namespace, console: Console
) -> list[Result]:
    """Run trials side by side; Ctrl-C ends them and keeps what is known by then."""
    equivalents = Equivalents()
    reasons = {mutant: equivalents.reason(mutant) for mutant in mutants}
    results = [Result(each, "equivalent", reason) for each, reason in reasons.items() if reason]
    todo = [mutant for mutant, reason in reasons.items() if not reason]
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        ThreadPoolExecutor(arguments.processes) as pool,
        Progress(TextColumn("{task.description}"), *columns, console=console) as progress,
    ):
        task = progress.add_task("mutants", total=len(todo))
        running = [pool.submit(trials.run, mutant) for mutant in todo]
        try:
            for future in as_completed(running):
                results.append(future.result())
                survivors = sum(r.outcome in ("survived", "not run") for r in results)
                progress.update(task, advance=1, description=f"{survivors} survived")
                write_json(arguments.report, results, arguments.seed)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            trials.stop()
    return results


if __name__ == "__main__":
    sys.exit(main())
