"""proposals: what is worth trying, given what was measured.

More for whatever holds up the consumer: a stage that takes much of the time goes to other
threads or processes, one that others wait for gets more workers, a consumer with work of
its own gets elements that are ready. Less wherever there is more than is used.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING, Any

from feedline.parallel.allotment import Demand, allot
from feedline.parallel.changes import Change, Move, RoomChange, StageChange

if TYPE_CHECKING:
    from feedline.parallel.room import Room
    from feedline.parallel.stage import Executor, Stage
    from feedline.parallel.window import StageWindow, Window

__all__ = ["IN_THE_WAY", "STALLED", "Limits", "Proposals"]

# Below this part of the time, what the consumer waits does not matter.
STALLED = 0.05
# A stage that takes less of the time is not worth moving.
_WORTH_MOVING = 0.15
# What the longest run of elements must take, so that handing it over does not count.
_COSTLY_NS = 1_000_000
_CHEAP_NS = 200_000
# What a block must take its maker and its consumer, for the same reason.
_BLOCK_NS = 300_000
# Elements that take a thread that much longer than alone are better off in processes.
IN_THE_WAY = 1.3
# Processes take memory of their own: they must bring so much more than threads that do help.
_MORE_THAN_THREADS = 1.15
_MOST_DEPTH = 64
# Workers that wait for something else use no processor; still, there is an end.
_MOST_WAITING = 64
_WAITING = 0.25


@dataclass(frozen=True, slots=True)
class Limits:
    """What the tuner may use."""

    cpus: int
    threads: int = 1 << 30
    initial: int = 0
    least: int = 1


@dataclass(frozen=True, slots=True)
class Proposals:
    """Looks at one window.

    Args:
        window: What was measured.
        stages: All stages.
        rooms: Rooms whose depth may be changed, and what to call them; the last step first.
        limits: What may be used.
        inline_ns: What an element took where a stage ran inline, by the stage's identity.
        is_blocked: Whether something was tried in vain a short while ago.
        served: How many elements the consumer has got in all.
    """

    window: Window
    stages: Sequence[Stage]
    rooms: Sequence[tuple[Room, str, tuple[int, int]]]
    limits: Limits
    inline_ns: dict[int, float]
    is_blocked: Callable[[Hashable], bool]
    served: int = 1

    def more(self) -> Move | None:
        """Return what promises most, None if the consumer hardly waits."""
        if self.window.stall < STALLED:
            return None
        found: list[Move | None] = []
        for stage in self.stages:
            if stage.executor == "inline":
                found.append(self._out_of_line(stage))
            else:
                found += [self._wider(stage), self._to_processes(stage)]
        found += [self._deeper(number) for number in range(len(self.rooms))]
        possible = [m for m in found if m is not None and not self.is_blocked(m.key)]
        return max(possible, key=lambda move: move.score, default=None)

    def less(self) -> list[Move]:
        """Return what can be given back."""
        found = [self._narrower(stage) for stage in self.stages if stage.executor != "inline"]
        found += [self._shallower(number) for number in range(len(self.rooms))]
        return [m for m in found if m is not None and not self.is_blocked(m.key)]

    # ---- more ---------------------------------------------------------------------------

    def _of(self, stage: Stage) -> StageWindow:
        return self.window.stages[id(stage)]

    @property
    def _gain(self) -> float:
        """By how much the rate must grow to be worth it, of what is possible at all."""
        possible = 1 / max(1 - self.window.stall, 0.01)
        return 1 + min(0.1, 0.3 * (possible - 1))

    def _out_of_line(self, stage: Stage) -> Move | None:
        """Run a stage beside the thread that reads it, if it takes much of the time."""
        seen = self._of(stage)
        if seen.workers < _WORTH_MOVING or not seen.elements:
            return None
        if seen.service_ns * stage.longest_run < _COSTLY_NS:
            return None
        for executor in stage.choices:
            key = (id(stage), executor)
            if executor != "inline" and not self.is_blocked(key):
                why = f"takes {seen.workers:.0%} of the time, {_time(seen.service_ns)} an element"
                return self._moved(stage, executor, key, why, seen.workers)
        return None

    def _to_processes(self, stage: Stage) -> Move | None:
        """Leave threads that wait for each other: all of them together use about one processor."""
        seen = self._of(stage)
        if stage.executor != "threads" or "processes" not in stage.choices:
            return None
        used = seen.workers * seen.cpu_share
        useful = min(seen.workers, self.limits.cpus)
        waits = stage.width > 2 * self.limits.cpus or not 0.6 < used < 0.8 * useful
        # Other programs keep threads from a processor too: then elements take no longer than alone.
        alone = id(stage) in self.inline_ns and self._slower(stage) == 1
        if waits or alone or seen.waited_share < _WORTH_MOVING:
            return None
        why = f"{stage.width} threads together use {used:.1f} processors: they wait for each other"
        move = self._moved(stage, "processes", (id(stage), "processes"), why, seen.waited_share)
        if move is None:
            return None
        return replace(move, gain=max(move.gain, _MORE_THAN_THREADS), is_doubtful=True)

    def instead_of_threads(self, stage: Stage, slower: float) -> Move | None:
        """Return a move to processes for a stage whose threads were found to be in the way."""
        # Another stage may hold up both: that says nothing about the time when it does not.
        key = (id(stage), "processes", "at once")
        if "processes" not in stage.choices or self.is_blocked(key):
            return None
        why = f"threads wait for each other: an element takes {slower:.1f} times as long in them"
        return self._moved(stage, "processes", key, why, 1.0)

    def _moved(
        self, stage: Stage, executor: Executor, key: Hashable, why: str, score: float
    ) -> Move | None:
        changes = self._allotted(stage, executor)
        return Move(key, tuple(changes), why, score, stage, self._gain) if changes else None

    def _wider(self, stage: Stage) -> Move | None:
        """Give a stage that others wait for more workers, and those that would be next."""
        seen = self._of(stage)
        if stage.fixed_width or seen.waited_share < STALLED or seen.workers < 0.7 * stage.width:
            return None
        changes = self._allotted(stage, stage.executor)
        if all(c.stage is not stage or c.width <= stage.width for c in changes):
            return None
        why = f"the reader waits {seen.waited_share:.0%} of the time, {_busy(stage, seen)}"
        return Move((id(stage), "wider"), tuple(changes), why, seen.waited_share, stage, self._gain)

    def _allotted(self, moved: Stage, executor: Executor) -> list[StageChange]:
        """Return how the workers there are would be shared out anew, with one stage moved."""
        there = [s for s in self.stages if s is moved or s.executor != "inline"]
        kinds = [executor if s is moved else self._better(s) for s in there]
        demands = list(map(self._demand, there, kinds))
        fixed = sum(s.width for s in there if s.fixed_width)
        cpus = max(self.limits.cpus, fixed)
        rate = self.window.elements * 1e9 / max(self.window.own_ns, 1)
        widths = allot(demands, cpus, rate)
        if moved.executor == "inline" and self.limits.initial and not moved.fixed_width:
            first = max(self.limits.least, min(self.limits.initial, self.limits.threads))
            widths[there.index(moved)] = min(first, self.limits.cpus)
        # Workers are taken from another stage only where there are none left.
        kept = [w if s is moved else max(w, s.width) for s, w in zip(there, widths, strict=True)]
        for wanted in (kept, widths):
            if self._fits(there, wanted):
                changes = map(StageChange, there, kinds, wanted)
                return [c for c in changes if c.before != c.after]
        return []

    def _better(self, stage: Stage) -> Executor:
        """Return where a stage should run when another one is to need the interpreter as well."""
        in_the_way = self._slower(stage) > IN_THE_WAY and "processes" in stage.choices
        if in_the_way and not self.is_blocked((id(stage), "processes")):
            return "processes"
        return stage.executor

    def _fits(self, there: Sequence[Stage], widths: Sequence[int]) -> bool:
        tuned = [(s, w) for s, w in zip(there, widths, strict=True) if not s.fixed_width]
        used = sum(w * self._share(s) for s, w in tuned)
        threads = sum(w for _, w in tuned)
        return used <= self.limits.cpus + 1e-9 and threads <= self.limits.threads

    def _share(self, stage: Stage) -> float:
        """Return the part of a processor that a worker of a stage uses."""
        seen = self._of(stage)
        # Threads that wait for each other are on a processor one at a time: not for this.
        waits = stage.executor == "threads" and seen.workers * seen.cpu_share < 0.5
        # Nor do other programs that keep it from a processor make it one that waits.
        waits = waits and seen.workers > 0.7 * stage.width and seen.cpu_share < _WAITING
        return max(1 / _MOST_WAITING, seen.cpu_share) if waits else 1.0

    def _demand(self, stage: Stage, executor: Executor) -> Demand:
        seen = self._of(stage)
        slower = self._slower(stage)
        # By what was done in all: in a short time there is more or less on its way.
        each = stage.elements / max(self.served, 1)
        work = seen.service_ns / slower / 1e9 * each
        if stage.fixed_width:
            return Demand(work, 1.0, stage.width, stage.width)
        share = self._share(stage)
        most = self.limits.cpus if share == 1.0 else min(4 * stage.width, _MOST_WAITING)
        if executor == "threads" and slower > 1:
            most = min(most, ceil(1.3 * stage.width / slower))
        most = max(self.limits.least, min(most, self.limits.threads))
        return Demand(work, share, min(self.limits.least, most), most)

    def _slower(self, stage: Stage) -> float:
        """Return how much longer an element takes because threads wait for each other."""
        seen, alone = self._of(stage), self.inline_ns.get(id(stage))
        if stage.executor != "threads" or not alone or not seen.elements:
            return 1.0
        ratio = seen.service_ns / alone
        return min(ratio, stage.width) if ratio > IN_THE_WAY else 1.0

    def _deeper(self, number: int) -> Move | None:
        """Have elements ready, or more of them."""
        room, label, (least, most) = self.rooms[number]
        window, key = self.window, (id(room), "deeper")
        own, stall = 1 - window.stall, window.stall
        lead = self._counted()
        if room.depth == 0:
            both = own >= 0.1 and stall >= 0.1 and window.own_per_block >= _BLOCK_NS
            if (number == 0 and not both) or window.stalled_per_block < _BLOCK_NS:
                return None
            why = f"the consumer works {own:.0%} of the time and waits {stall:.0%}"
            score = min(own, stall) if number == 0 else 0.3 * stall
            return Move(key, (RoomChange(room, label, 2),), why, score, lead, self._gain)
        if least > 0 or most < room.depth or room.depth >= _MOST_DEPTH or room.is_starved:
            return None
        why = f"was full, then empty; the consumer waits {stall:.0%} of the time"
        change = RoomChange(room, label, min(2 * room.depth, _MOST_DEPTH))
        return Move(key, (change,), why, stall, lead, self._gain)

    def _counted(self) -> Stage | None:
        """Return the stage whose elements tell the rate soonest; None for the consumer's."""
        best = max(self.stages, key=lambda s: self._of(s).runs, default=None)
        return best if best is not None and self._of(best).runs > self.window.blocks else None

    # ---- less ----------------------------------------------------------------------------

    def _narrower(self, stage: Stage) -> Move | None:
        seen = self._of(stage)
        if not seen.elements:
            return None
        inline = "inline" in stage.choices and self.limits.least <= 1
        cheap = seen.service_ns * stage.longest_run < _CHEAP_NS
        if inline and (cheap or (seen.workers < 0.08 and not stage.fixed_width)):
            why = f"takes {_time(seen.service_ns)} an element: not worth handing over"
            return self._saving(stage, StageChange(stage, "inline", stage.width), why)
        if stage.fixed_width:
            return None
        needed = max(self.limits.least, ceil(1.25 * seen.workers))
        if stage.width - needed >= max(1, stage.width // 8):
            return self._saving(
                stage, StageChange(stage, stage.executor, needed), _busy(stage, seen)
            )
        slower = self._slower(stage)
        needed = max(self.limits.least, ceil(1.3 * stage.width / slower))
        if slower == 1 or needed >= stage.width:
            return None
        why = f"an element takes {slower:.1f} times as long with {stage.width} at once as alone"
        return self._saving(stage, StageChange(stage, "threads", needed), why)

    def _saving(self, stage: Stage, change: Change, why: str) -> Move:
        return Move((id(stage), "narrower"), (change,), why, 0.0, stage, 0.97)

    def _shallower(self, number: int) -> Move | None:
        room, label, (least, most) = self.rooms[number]
        if room.depth == 0:
            return None
        if room.depth > 2 and least > room.depth / 2:
            depth, why = max(2, room.depth - max(1, room.depth // 4)), f"never fewer than {least}"
        elif number == 0 and self.window.stall > 0.97 and most <= 1:
            depth, why = 0, f"the consumer works {1 - self.window.stall:.1%} of the time"
        else:
            return None
        change = RoomChange(room, label, depth)
        return Move((id(room), "shallower"), (change,), why, 0.0, self._counted(), 0.97)


def _busy(stage: Stage, seen: Any) -> str:
    return f"{seen.workers:.1f} of {stage.width} workers are busy"


def _time(ns: float) -> str:
    for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.0f} ns"
