"""stats: what one iteration did so far: per step, between steps, for the consumer, and why.

Figures   the bare counters. They hold no step of the plan, so that a plan can keep those of
          its last iteration.
Stats     what a user sees: made of them when somebody asks.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from feedline.engine.meter import Meter
    from feedline.engine.run import Run
    from feedline.parallel.decisions import Decision
    from feedline.parallel.room import Room
    from feedline.parallel.stage import Stage
    from feedline.parallel.workers import Workers

__all__ = ["Figures", "RoomStats", "Stats", "StepStats"]


@dataclass(frozen=True, slots=True)
class StepStats:
    """What one step did.

    Args:
        label: The step as a user would write it.
        elements: How many elements came out.
        per_second: How many in a second, since the iteration began.
        busy_s: Seconds of work of its own, of all workers together.
        waited_s: Seconds whoever reads it waited for its workers.
        executor: Where its function runs now.
        width: How many work on it at once.
        run_length: How many elements a worker gets at a time.
        no_processes: Why its function does not run in other processes, if that was found.
    """

    label: str
    elements: int
    per_second: float
    busy_s: float
    waited_s: float = 0.0
    executor: str = "inline"
    width: int = 1
    run_length: int = 0
    no_processes: str = ""


@dataclass(frozen=True, slots=True)
class RoomStats:
    """What is ready before it is asked for.

    Args:
        label: After which step.
        depth: How many blocks may be ready; None if the user said how many elements.
        ready: How many are.
        takes: How often one was taken.
        waits: How often none was ready.
        waited_s: Seconds the reader waited then.
    """

    label: str
    depth: int | None
    ready: int
    takes: int
    waits: int
    waited_s: float


@dataclass(frozen=True, slots=True)
class Stats:
    """What an iteration did so far; as text, a table.

    Args:
        seconds: How long it has run.
        elements: How many elements the consumer got.
        wait_share: The part of the time in which it waited for them.
        steps: The last step first.
        rooms: What is ready, next to the consumer first.
        cpus: How many processors may be used.
        ram_bytes: How much memory may hold what is ready, None for no limit.
        most_held_bytes: The most it held.
        decisions: What the tuner changed and why, oldest first.
    """

    seconds: float
    elements: int
    wait_share: float
    steps: tuple[StepStats, ...]
    rooms: tuple[RoomStats, ...] = ()
    cpus: int | None = None
    ram_bytes: int | None = None
    most_held_bytes: int = 0
    decisions: tuple[Decision, ...] = ()

    def __str__(self) -> str:
        rate = self.elements / max(self.seconds, 1e-9)
        lines = [
            f"{self.elements} elements in {self.seconds:.2f} s, {_count(rate)}/s; "
            f"the consumer waited {self.wait_share:.0%} of the time"
        ]
        if self.cpus is not None:
            limit = "no limit" if self.ram_bytes is None else _bytes(self.ram_bytes)
            held = _bytes(self.most_held_bytes)
            lines.append(f"processors: {self.cpus}; memory: {limit}, {held} at most held ready")
        rows: list[tuple[str, ...]] = [
            ("step", "elements", "per second", "busy", "waited for", "runs in", "run length")
        ]
        rows += [_row(step) for step in self.steps]
        lines += _table(rows)
        stay = (step for step in self.steps if step.no_processes)
        lines += [f"{step.label} does not run in processes: {step.no_processes}" for step in stay]
        for room in self.rooms:
            depth = "as asked" if room.depth is None else f"{room.depth} blocks"
            lines.append(
                f"{room.label}: {depth}, {room.ready} ready; none was ready {room.waits} times "
                f"of {room.takes}, for {room.waited_s:.2f} s"
            )
        if self.decisions:
            lines += ["decisions", *map(str, self.decisions)]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Counted:
    """The counters of a step, and where its own time begins."""

    step: weakref.ref[Any]
    elements: int
    busy_ns: int
    stage: Stage | None


class Figures:
    """The counters of an iteration, taken when it ended, or now."""

    def __init__(self, run: Run) -> None:
        self._now_ns = perf_counter_ns()
        self._started_ns = run.started_ns
        self._workers: Workers = run.workers
        self._steps = [self._counted(meter, run) for meter in run.meters.values()]
        self._elements = self._steps[0].elements if self._steps else 0
        self._busy_ns = next((meter.busy_ns for meter in run.meters.values()), 0)
        tuner = self._workers.tuner_if_any
        self._rooms = () if tuner is None else tuple(_room(*pair) for pair in tuner.rooms())

    def _counted(self, meter: Meter, run: Run) -> _Counted:
        inputs: Sequence[Any] = getattr(meter.step, "inputs", ())
        below = 0
        for node in inputs:
            read = run.aheads.get(id(node)) or run.meters.get(id(node))
            below += 0 if read is None else read.busy_ns
        stage = self._workers.stage_of(id(meter.step))
        own = max(0, meter.busy_ns - below)
        return _Counted(weakref.ref(meter.step), meter.num_elements, own, stage)

    def stats(self) -> Stats:
        """Return them for a user."""
        seconds = max(self._now_ns - self._started_ns, 1) / 1e9
        steps = []
        for counted in self._steps:
            step = counted.step()
            if step is not None:
                steps.append(_step(step.label, counted, seconds))
        tuner = self._workers.tuner_if_any
        if tuner is None:
            share = self._busy_ns / 1e9 / seconds
            return Stats(seconds, self._elements, min(1.0, share), tuple(steps))
        totals = tuner.consumer.totals(self._now_ns)
        whole = max(totals.own_ns + totals.stalled_ns, 1)
        memory = self._workers.memory
        return Stats(
            seconds,
            totals.elements,
            min(1.0, totals.stalled_ns / whole),
            tuple(steps),
            self._rooms,
            tuner.limits.cpus,
            memory.limit,
            memory.most_held,
            tuner.decisions.all(),
        )


def _room(room: Room, label: str) -> RoomStats:
    depth = None if room.is_fixed else room.depth
    waited = room.waited_ns / 1e9
    return RoomStats(label, depth, room.held_blocks, room.takes, room.waits, waited)


def _step(label: str, counted: _Counted, seconds: float) -> StepStats:
    elements, stage = counted.elements, counted.stage
    rate = elements / seconds
    if stage is None:
        return StepStats(label, elements, rate, counted.busy_ns / 1e9)
    return StepStats(
        label,
        elements,
        rate,
        stage.busy_ns / 1e9,
        stage.waited_ns / 1e9,
        stage.executor,
        1 if stage.executor == "inline" else stage.width,
        stage.run_length(),
        stage.no_processes,
    )


def _row(step: StepStats) -> tuple[str, ...]:
    where = step.executor if step.executor == "inline" else f"{step.executor} x {step.width}"
    length = str(step.run_length) if step.run_length else ""
    return (
        *(step.label, str(step.elements), _count(step.per_second)),
        *(f"{step.busy_s:.3f} s", f"{step.waited_s:.3f} s", where, length),
    )


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _count(number: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g} {letter}"
    return f"{number:.3g}"


def _bytes(number: int) -> str:
    for size, unit in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number} bytes"
