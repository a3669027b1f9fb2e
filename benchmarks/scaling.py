"""Claim: throughput grows with the number of workers as that of a bare pool does, 1 to 16.

Three functions: one in plain Python, which needs processes; one in NumPy and one that decodes
JPEGs, which run in threads. For every width: a bare pool with as many workers and no pipeline
(the limit), Feedline with that width set by hand, and Feedline with AUTOTUNE, which is told only
how many processors it may use. Rates are taken after some seconds, when AUTOTUNE has settled.

Runs from a source tree, with nothing installed but Python and NumPy: see carry.py.
"""

from __future__ import annotations

import argparse
import io
import json
import multiprocessing
import os
import platform
import statistics
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import functions as f
import jpeg_files as j
import jpeg_writing
import numpy as np
from measure import say
from plot import Line, Panel, write_svg

import feedline as tf
from feedline.kernels.native import native

_BARE, _SET, _TUNED = "bare pool", "Feedline, width set by hand", "Feedline, AUTOTUNE"
_COLORS = {_BARE: "#888888", _SET: "#1f77b4", _TUNED: "#ff7f0e"}
_JPEGS = 256


@dataclass
class Kind:
    """A function, what it is called on, and where it should run.

    Args:
        title: What it is.
        function: What the pipeline calls.
        bare: What the pool calls on the number of an element.
        source: A dataset of the elements.
        executor: What is set by hand.
        rates: By contender and width, one for each round.
        chosen: By width, what AUTOTUNE came to.
    """

    title: str
    function: Callable[..., Any]
    bare: Callable[[int], Any]
    source: Callable[[], Any]
    executor: str
    rates: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    chosen: dict[int, str] = field(default_factory=dict)


# ---- the functions ---------------------------------------------------------------------


def _numbers() -> Any:
    return tf.data.Dataset.range(1_000_000_000)


def _decoded_resized(jpeg: Any) -> Any:
    return tf.image.resize(tf.io.decode_jpeg(jpeg, channels=3), (j.SIZE, j.SIZE))


def _decoded_resized_by_pillow(jpeg: Any) -> Any:
    image = import_module("PIL.Image").open(io.BytesIO(jpeg)).convert("RGB")
    return np.asarray(image.resize((j.SIZE, j.SIZE)), np.float32)


def _decoding() -> tuple[str, Callable[[Any], Any]] | None:
    """Return how JPEGs are decoded here, None if there is nothing that does it."""
    if find_spec("simplejpeg") is not None and find_spec("feedline.image") is not None:
        return "decode-bound (threads)", _decoded_resized
    if find_spec("PIL") is not None:
        return "decode-bound, by Pillow (threads)", _decoded_resized_by_pillow
    return None


def _jpeg_kind(folder: Path, title: str, decode: Callable[[Any], Any]) -> Kind:
    os.environ[j.FOLDER] = str(folder)
    jpegs = jpeg_writing.write(folder, _JPEGS)

    def bare(number: int) -> Any:
        return decode(jpegs[number % _JPEGS])

    def source() -> Any:
        return tf.data.Dataset.from_tensor_slices(jpegs).repeat()

    return Kind(title, decode, bare, source, "threads")


def kinds(folder: Path) -> Iterator[Kind]:
    """Yield what is measured."""
    yield Kind("Python-bound (processes)", f.python_bound, f.python_bound, _numbers, "processes")
    yield Kind("NumPy-bound (threads)", f.numpy_bound, f.numpy_bound, _numbers, "threads")
    decoding = _decoding()
    if decoding is None:
        say("decode-bound: left out, for there is neither simplejpeg nor Pillow here")
    else:
        yield _jpeg_kind(folder, *decoding)


# ---- one measurement -------------------------------------------------------------------


def _bare_rate(kind: Kind, width: int, seconds: float) -> float:
    """Return the rate of a pool that does nothing but call the function."""
    started = perf_counter()
    for number in range(20):
        kind.bare(number)
    # As many calls as fill the time, if all workers are as fast as one.
    count = max(int(seconds * width * 20 / (perf_counter() - started)), 16 * width)
    chunk = max(count // width // 16, 1)
    runs = [range(at, min(at + chunk, count)) for at in range(0, count, chunk)]
    if kind.executor == "processes":
        with multiprocessing.get_context("forkserver").Pool(width) as pool:
            pool.map(_Run(kind.bare), runs[:width], chunksize=1)
            started = perf_counter()
            pool.map(_Run(kind.bare), runs, chunksize=1)
            return count / (perf_counter() - started)
    with ThreadPoolExecutor(width) as threads:
        list(threads.map(_Run(kind.bare), runs[:width]))
        started = perf_counter()
        list(threads.map(_Run(kind.bare), runs))
        return count / (perf_counter() - started)


class _Run:
    """Calls a function on some numbers, and keeps the results as long as a batch would."""

    def __init__(self, function: Callable[[int], Any]) -> None:
        self._function = function

    def __call__(self, numbers: range) -> int:
        held: list[Any] = []
        for number in numbers:
            if len(held) == f.FUNCTION_BATCH:
                np.stack(held)
                held.clear()
            held.append(self._function(number))
        return len(numbers)


def _feedline_rate(kind: Kind, width: int, warm: float, seconds: float, is_tuned: bool) -> float:
    """Return the rate of a pipeline after ``warm`` seconds."""
    options = tf.data.Options()
    options.autotune.cpu_budget = width
    if not is_tuned:
        options.executor = kind.executor
    calls = tf.data.AUTOTUNE if is_tuned else width
    ds = kind.source().map(kind.function, num_parallel_calls=calls).batch(f.FUNCTION_BATCH)
    with iter(ds.prefetch(tf.data.AUTOTUNE).with_options(options)) as it:
        _taken(it, warm)
        rate = _taken(it, seconds)
        if is_tuned:
            step = max(it.stats().steps, key=lambda step: step.busy_s)
            kind.chosen[width] = f"{step.executor} x {step.width}"
        return rate


def _taken(it: Any, seconds: float) -> float:
    started = perf_counter()
    count, elapsed = 0, 0.0
    while elapsed < seconds:
        count += len(next(it))
        elapsed = perf_counter() - started
    return count / elapsed


# ---- rounds and report -----------------------------------------------------------------


def measure(kind: Kind, widths: list[int], given: argparse.Namespace) -> None:
    """Take all rates of one function, everybody in every round."""
    for _ in range(given.rounds):
        for width in widths:
            found = {
                _BARE: _bare_rate(kind, width, given.seconds),
                _SET: _feedline_rate(kind, width, given.warm, given.seconds, False),
                _TUNED: _feedline_rate(kind, width, given.settle, given.seconds, True),
            }
            for label, rate in found.items():
                kind.rates.setdefault((label, width), []).append(rate)


def report(kind: Kind, widths: list[int]) -> Panel:
    """Print the table of one function; return its drawing."""
    middle = {key: statistics.median(rates) for key, rates in kind.rates.items()}
    one = middle[_BARE, widths[0]]
    say(f"\n{kind.title}: elements/s, and times the bare pool of one worker")
    heads = f"{'width':>6}{'bare pool':>20}{'set by hand':>20}{'of bare':>9}"
    say(f"{heads}{'AUTOTUNE':>20}{'of bare':>9}  AUTOTUNE came to")
    for width in widths:
        bare, fixed, tuned = (middle[label, width] for label in (_BARE, _SET, _TUNED))
        cells = [f"{rate:,.0f} ({rate / one:5.2f}x)" for rate in (bare, fixed, tuned)]
        row = f"{width:>6}{cells[0]:>20}{cells[1]:>20}{fixed / bare:>9.2f}"
        say(f"{row}{cells[2]:>20}{tuned / bare:>9.2f}  {kind.chosen[width]}")
    lines = [Line("as many times one worker", "#cccccc", [(w, one * w) for w in widths], True)]
    for label, color in _COLORS.items():
        points = [(width, middle[label, width]) for width in widths]
        lines.append(Line(label, color, points, label == _BARE))
    return Panel(kind.title, "elements per second", lines)


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="throughput by number of workers")
    parser.add_argument("folder", nargs="?", default="", help="where scaling.svg and .json go")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1.5, help="that a rate is taken over")
    parser.add_argument("--warm", type=float, default=1.0, help="seconds before it")
    parser.add_argument("--settle", type=float, default=4.0, help="seconds for AUTOTUNE")
    return parser.parse_args()


def main() -> None:
    """Measure all functions."""
    given = _given()
    cpus = j.cpus()
    widths = [width for width in (1, 2, 4, 8, 16, 32, 64) if width <= cpus]
    kernels = "native kernels" if native is not None else "no native kernels"
    say(f"== scaling: {cpus} processors, Python {platform.python_version()}, {kernels}")
    panels, rows = [], []
    with TemporaryDirectory() as folder:
        for kind in kinds(Path(folder)):
            measure(kind, widths, given)
            panels.append(report(kind, widths))
            for (who, width), rates in kind.rates.items():
                rows.append({"kind": kind.title, "who": who, "width": width, "rates": rates})
    line = json.dumps({"benchmark": "scaling", "cpus": cpus, "rows": rows})
    say(line)
    if given.folder:
        out = Path(given.folder)
        out.mkdir(parents=True, exist_ok=True)
        write_svg(out / "scaling.svg", panels)
        (out / "scaling.json").write_text(line + "\n")
        say(f"drawn: {out / 'scaling.svg'}")


if __name__ == "__main__":
    main()
