"""Tuner: decides, from what is measured, how many work on each stage and how much is ready.

It has no thread: whoever passes by lets it look at the counters, and it acts when it is
time. What promises most is tried, measured and kept or undone; what was undone is not tried
again for a while, twice as long each time, unless the load changes.

Watching   nothing is being tried; a window of at least a tenth of a second is measured.
Trying     one move was made; see Trial.
Nothing that it does shows in the elements. If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Hashable
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import TYPE_CHECKING

from feedline.parallel.changes import Change, Move, StageChange
from feedline.parallel.decisions import Decision, Decisions
from feedline.parallel.learnt import Learnt, LearntStage
from feedline.parallel.proposals import IN_THE_WAY, Limits, Proposals
from feedline.parallel.trial import Trial, Verdict
from feedline.parallel.window import Consumer, StageMark, StageWindow, Totals, Window

if TYPE_CHECKING:
    from collections.abc import Callable

    from feedline.parallel.changes import Turn
    from feedline.parallel.room import Room
    from feedline.parallel.stage import Stage

__all__ = ["Tuner"]

_LOOK_NS = 50_000_000
_FIRST_NS = 20_000_000
_WINDOW_NS = 100_000_000
_LONGEST_NS = 2_000_000_000
_FEWEST_RUNS = 4
# How long something that was tried in vain is not tried again: at first, and at most.
_BLOCKED_NS = 5_000_000_000
# Nothing comes out while processes start: that is not tried often.
_NO_PROCESSES_NS = 30_000_000_000
_LONGEST_BLOCKED_NS = 300_000_000_000
# How many windows in a row must say that something can be given back.
_PATIENCE = 3
# Elements that take a thread no longer than that do not wait for other threads.
_ALIKE = 1.3
# By how much, and in how many windows in a row, a cost must differ to be another one.
_CHANGED = 1.5
_CHANGED_WINDOWS = 5
_MOST_ROOMS = 256


@dataclass(slots=True)
class _TunedRoom:
    room: weakref.ref[Room]
    label: str


@dataclass(slots=True)
class _Blocked:
    until_ns: int = 0
    times: int = 0


@dataclass(slots=True)
class _Mark:
    at_ns: int
    consumer: Totals
    stages: dict[int, StageMark] = field(default_factory=dict)


class Tuner:
    """Turns the knobs of one running pipeline.

    Args:
        limits: What may be used.
        turn: Makes a stage run otherwise.
        is_on: Whether anything is to be changed at all.
        learnt: What an iteration before this one ended with.
        clock: Tells the time in nanoseconds.
    """

    def __init__(
        self,
        limits: Limits,
        turn: Turn,
        *,
        is_on: bool = True,
        learnt: Learnt | None = None,
        clock: Callable[[], int] = perf_counter_ns,
    ) -> None:
        self.limits = limits
        self.is_on = is_on
        self.stages: list[Stage] = []
        self.decisions = Decisions()
        self._turn = turn
        self._learnt = Learnt() if learnt is None else learnt
        self._clock = clock
        self._started = clock()
        self.consumer = Consumer(self._started)
        self._next_ns = self._started + _FIRST_NS
        self._rooms: dict[Hashable, _TunedRoom] = {}
        self._lock = threading.Lock()
        self._is_fresh = True
        self._mark = _Mark(self._started, self.consumer.totals(self._started))
        self._trial: Trial | None = None
        self._inline_ns: dict[int, float] = {}
        self._blocked: dict[Hashable, _Blocked] = {}
        self._spare: dict[Hashable, int] = {}
        self._unsteady = 0
        self._usual: dict[Hashable, float] = {}
        self._changed: dict[Hashable, int] = {}

    # ---- what there is to tune ---------------------------------------------------------

    def add_stage(self, stage: Stage) -> None:
        """Look after a stage; it starts as it ended the last time."""
        self.stages.append(stage)
        self._mark.stages[id(stage)] = StageMark.of(stage)
        if not self.is_on:
            return
        stage.when_done = self.glance
        known = self._learnt.stage(self.stages)
        if known is None:
            return
        if known.no_processes and len(stage.choices) > 1:
            stage.stay(known.no_processes)
        if known.executor not in stage.choices:
            return
        if known.inline_ns:
            self._inline_ns[id(stage)] = known.inline_ns
        width = stage.width if stage.fixed_width else known.width
        if (known.executor, width) != (stage.executor, stage.width):
            why = "where the iteration before this one ended"
            self._make((StageChange(stage, known.executor, width),), why, self._started)

    def add_room(self, room: Room, key: Hashable, label: str) -> None:
        """Look after how much is ready; a room with the same key is the same room, later."""
        before = self._rooms.get(key)
        earlier = before.room() if before is not None else None
        if room.is_fixed:
            pass
        elif earlier is not None:
            room.depth = earlier.depth
        elif self.is_on:
            room.depth = self._learnt.depths.get(label, room.depth)
        if len(self._rooms) >= _MOST_ROOMS:
            self._rooms = {k: r for k, r in self._rooms.items() if r.room() is not None}
        self._rooms[key] = _TunedRoom(weakref.ref(room), label)

    def rooms(self) -> list[tuple[Room, str]]:
        """Return the rooms that are there, the one next to the consumer first."""
        known = [(tuned.room(), tuned.label) for tuned in list(self._rooms.values())]
        return [(room, label) for room, label in reversed(known) if room is not None]

    def remember(self) -> None:
        """Keep what was found for the next iteration; what is being tried does not count."""
        if not self.is_on:
            return
        undo = self._trial.undo if self._trial is not None else ()
        inline_ns = self._inline_ns
        settings = {id(s): (s.executor, s.width) for s in self.stages}
        settings |= {id(c.stage): (c.executor, c.width) for c in undo if isinstance(c, StageChange)}
        self._learnt.keep(
            [
                (s.label, LearntStage(*settings[id(s)], inline_ns.get(id(s), 0.0), s.no_processes))
                for s in self.stages
            ],
            {label: room.depth for room, label in self.rooms()} if not undo else {},
        )

    # ---- what is told -------------------------------------------------------------------

    def asked(self, now_ns: int) -> None:
        """Note that the consumer asks for elements."""
        self.consumer.asked(now_ns)

    def served(self, elements: int, now_ns: int) -> None:
        """Note that it got some."""
        self.consumer.served(elements, now_ns)
        if now_ns >= self._next_ns:
            self.look(now_ns)

    def glance(self) -> None:
        """Look, if it is time."""
        now = self._clock()
        if now >= self._next_ns:
            self.look(now)

    # ---- looking ------------------------------------------------------------------------

    def look(self, now_ns: int) -> None:
        """Measure; decide if there is enough to go by."""
        if not self.is_on or not self._lock.acquire(blocking=False):
            return
        try:
            self._next_ns = now_ns + _LOOK_NS
            if self._is_fresh:  # files are opened, functions recorded: no time to go by
                self._is_fresh = False
                self._begin(now_ns)
            elif self._trial is not None:
                self._follow(self._trial, now_ns)
            else:
                self._watch(now_ns)
        finally:
            self._lock.release()

    def _begin(self, now_ns: int) -> None:
        """Begin to measure anew."""
        marks = {id(stage): StageMark.of(stage) for stage in self.stages}
        self._mark = _Mark(now_ns, self.consumer.totals(now_ns), marks)
        for room, _ in self.rooms():
            room.look()

    def _window(self, now_ns: int) -> Window:
        """Return what was measured since."""
        mark, now = self._mark, self.consumer.totals(now_ns)
        wall = now_ns - mark.at_ns
        return Window(
            wall,
            now.elements - mark.consumer.elements,
            now.blocks - mark.consumer.blocks,
            now.own_ns - mark.consumer.own_ns,
            now.stalled_ns - mark.consumer.stalled_ns,
            {
                id(stage): StageWindow.since(mark.stages[id(stage)], stage, wall)
                for stage in self.stages
                if id(stage) in mark.stages
            },
        )

    def _watch(self, now_ns: int) -> None:
        window = self._window(now_ns)
        runs = max((seen.runs for seen in window.stages.values()), default=0)
        enough = max(runs, window.blocks) >= _FEWEST_RUNS
        if window.wall_ns < _WINDOW_NS or (not enough and window.wall_ns < _LONGEST_NS):
            return
        self._see_changes(window, now_ns)
        is_steady = self._note_inline(window)
        proposals = self._proposals(window, now_ns)
        more, later = proposals.more() if is_steady else None, proposals.less()
        if more is not None and more.is_doubtful:
            later.insert(0, more)
            more = None
        move = more or self._patient(later)
        if move is not None:
            self._try(move, window, now_ns)
        self._begin(now_ns)

    def _proposals(self, window: Window, now_ns: int) -> Proposals:
        return Proposals(
            window,
            [stage for stage in self.stages if id(stage) in window.stages],
            [(room, name, room.look()) for room, name in self.rooms() if not room.is_fixed],
            self.limits,
            self._inline_ns,
            lambda key: self._is_blocked(key, now_ns),
            self.consumer.elements,
        )

    def _note_inline(self, window: Window) -> bool:
        """Note what elements take inline; return whether that is as it was the last time.

        At first functions are looked at, recorded and compared: that says nothing.
        """
        is_steady = True
        for stage in self.stages:
            seen = window.stages.get(id(stage))
            if stage.executor == "inline" and seen is not None and seen.elements:
                before = self._inline_ns.get(id(stage), 0.0)
                self._inline_ns[id(stage)] = seen.service_ns
                if not 0.7 < seen.service_ns / max(before, 1.0) < 1.4:
                    is_steady = False
        self._unsteady = 0 if is_steady else self._unsteady + 1
        return is_steady or self._unsteady >= _PATIENCE

    def _patient(self, moves: list[Move]) -> Move | None:
        """Return what was found several times in a row."""
        self._spare = {move.key: self._spare.get(move.key, 0) + 1 for move in moves}
        return next((move for move in moves if self._spare[move.key] >= _PATIENCE), None)

    # ---- trying -------------------------------------------------------------------------

    def _try(self, move: Move, before: Window, now_ns: int) -> None:
        self._spare.clear()
        undo = tuple(change.undone() for change in move.changes)
        self._make(move.changes, move.why, now_ns)
        self._trial = Trial(move, undo, before, now_ns, self._window, self._begin)

    def _follow(self, trial: Trial, now_ns: int) -> None:
        verdict = trial.look(now_ns)
        if verdict is None:
            return
        self._trial = None
        if verdict.kept:
            self._keep(trial.move, now_ns)
        else:
            self._undo(trial, verdict, now_ns)
        self._usual.clear()
        self._go_on(trial, verdict, now_ns)
        self._begin(now_ns)

    def _go_on(self, trial: Trial, verdict: Verdict, now_ns: int) -> None:
        """Try processes at once where threads were found to wait for each other."""
        move, slower = trial.move, trial.service_ratio(verdict.after)
        first = next(
            c for c in move.changes if not isinstance(c, StageChange) or c.stage is move.lead
        )
        if not isinstance(first, StageChange) or first.executor != "threads" or move.saves:
            return
        came_from_inline = any(
            isinstance(c, StageChange) and c.stage is first.stage and c.executor == "inline"
            for c in trial.undo
        )
        in_the_way = slower > IN_THE_WAY or trial.computed
        if came_from_inline and in_the_way and not verdict.kept and not verdict.load_changed:
            before = trial.before
            better = self._proposals(before, now_ns).instead_of_threads(first.stage, slower)
            if better is not None:
                self._try(better, before, now_ns)

    def _keep(self, move: Move, now_ns: int) -> None:
        # What was just asked for is not given back at once, nor the other way round.
        for change in move.changes:
            opposite = ("wider", "deeper") if move.saves else ("narrower", "shallower")
            thing = change.stage if isinstance(change, StageChange) else change.room
            for what in opposite:
                self._block((id(thing), what), now_ns)

    def _undo(self, trial: Trial, verdict: Verdict, now_ns: int) -> None:
        self._make(trial.undo, _reason(trial, verdict), now_ns)
        pause = _NO_PROCESSES_NS if trial.move.to_processes else _BLOCKED_NS
        self._block(trial.move.key, now_ns, pause)
        lead = trial.move.lead
        in_threads = lead is not None and trial.move.key == (id(lead), "threads")
        alike = trial.service_ratio(verdict.after) < _ALIKE
        if in_threads and alike and not trial.computed:
            # The lock is not what keeps it from being faster: processes would not be either.
            self._block((id(lead), "processes"), now_ns)

    def _make(self, changes: tuple[Change, ...], why: str, now_ns: int) -> None:
        for change in changes:
            at_s = (now_ns - self._started) / 1e9
            self.decisions.add(Decision(at_s, change.what, change.before, change.after, why))
            change.apply(self._turn)

    def _block(self, key: Hashable, now_ns: int, pause_ns: int = _BLOCKED_NS) -> None:
        blocked = self._blocked.setdefault(key, _Blocked())
        blocked.until_ns = now_ns + min(pause_ns << blocked.times, _LONGEST_BLOCKED_NS)
        blocked.times += 1

    def _is_blocked(self, key: Hashable, now_ns: int) -> bool:
        blocked = self._blocked.get(key)
        return blocked is not None and now_ns < blocked.until_ns

    # ---- changes of the load ------------------------------------------------------------

    def _see_changes(self, window: Window, now_ns: int) -> None:
        """Forget what was tried in vain once elements, or the consumer, cost something else."""
        costs: dict[Hashable, tuple[str, float]] = {}
        if window.blocks >= _FEWEST_RUNS and window.stall < 0.9:
            costs["consumer"] = "the consumer", window.own_per_element
        for stage in self.stages:
            seen = window.stages.get(id(stage))
            if seen is not None and seen.runs >= _FEWEST_RUNS:
                setting = (id(stage), stage.executor, stage.width)
                costs[setting] = stage.label, seen.service_ns
        for key, (label, cost) in costs.items():
            usual = self._usual.setdefault(key, cost)
            ratio = max(cost, 1.0) / max(usual, 1.0)
            self._changed[key] = (
                0 if 1 / _CHANGED < ratio < _CHANGED else self._changed.get(key, 0) + 1
            )
            if self._changed[key] >= _CHANGED_WINDOWS:
                self._blocked.clear()
                self._usual.clear()
                self._changed.clear()
                at_s = (now_ns - self._started) / 1e9
                why = "what was tried before may be tried again"
                self.decisions.add(Decision(at_s, f"cost of {label}", _us(usual), _us(cost), why))
                return


def _us(ns: float) -> str:
    return f"{ns / 1e3:.4g} us an element"


def _reason(trial: Trial, verdict: Verdict) -> str:
    """Return why a move is undone."""
    if verdict.load_changed:
        return "the consumer changed meanwhile: nothing can be said"
    text = f"{verdict.gain:.2f} times the rate of before"
    if trial.move.saves:
        return f"{text}, the consumer waits {verdict.after.stall:.0%}: it was needed"
    change = trial.move.changes[0]
    if not isinstance(change, StageChange):
        return f"{text}: no gain"
    stage = change.stage
    if change.executor == "processes" and stage.no_processes:
        return f"it cannot run in processes: {stage.no_processes}"
    slower = trial.service_ratio(verdict.after)
    text = f"{text}: an element takes a worker {slower:.1f} times as long"
    if change.executor == "threads" and slower > 1.3:
        text += ", the function holds the interpreter's lock"
        if "processes" not in stage.choices and stage.no_processes:
            text += f"; it cannot run in processes: {stage.no_processes}"
    return text
