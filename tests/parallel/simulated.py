"""A pipeline that runs on a clock of its own: stages that cost something, and a consumer.

Time goes in steps of a millisecond. In a step every worker that has input and room for its
output works, as far as there are processors, and as far as the interpreter's lock lets it.
The stages, the rooms and the tuner are the real ones.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from feedline.parallel.proposals import Limits
from feedline.parallel.room import Memory, Room
from feedline.parallel.stage import Executor, Stage
from feedline.parallel.tuner import Tuner

STEP_S = 0.001


@dataclass(frozen=True)
class Work:
    """What a function takes for an element.

    Args:
        cost: Seconds.
        gil: The part of them in which it holds the interpreter's lock.
        io: The part in which it waits for something outside.
        choices: Where it may run.
        nbytes: What an element holds.
        fixed: How many calls the user asked for; 0 for AUTOTUNE.
    """

    cost: float
    gil: float = 0.02
    io: float = 0.0
    choices: tuple[Executor, ...] = ("inline", "threads", "processes")
    nbytes: int = 1000
    fixed: int = 0


@dataclass(frozen=True)
class Setting:
    """What a user could have chosen by hand."""

    stages: tuple[tuple[Executor, int], ...]
    depth: int

    @property
    def workers(self) -> int:
        return sum(width for executor, width in self.stages if executor != "inline")


@dataclass
class Simulated:
    """One running pipeline.

    Args:
        works: The stages, the first one first.
        own: Seconds the consumer takes for an element.
        own_gil: The part of them in which it holds the interpreter's lock; the rest waits
            for an accelerator.
        path: Seconds that everything besides the stages takes for an element.
        block: How many elements are handed on at once.
        cores: How many processors there are.
        noise: By how much costs vary, as a part of them.
        start_up: Seconds until processes are there.
        to_processes: Seconds it takes to send an element to a process and back.
        hand_over: Seconds it takes to give a run of elements to a worker.
    """

    works: Sequence[Work]
    own: float = 0.0
    own_gil: float = 0.05
    path: float = 1e-6
    block: int = 8
    cores: float = 4
    noise: float = 0.0
    start_up: float = 0.4
    to_processes: float = 2e-5
    hand_over: float = 5e-5
    seed: int = 1
    fixed: Setting | None = None
    budget: int = 0
    now_ns: int = 0
    served: int = 0
    used_s: float = 0.0
    widest: int = 0
    stages: list[Stage] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        limits = Limits(self.budget or self.cores)
        self.tuner = Tuner(limits, self._turn, is_on=self.fixed is None, clock=lambda: self.now_ns)
        for work in self.works:
            fixed = bool(work.fixed)
            stage = Stage(f"map({len(self.stages)})", choices=work.choices, fixed_width=fixed)
            stage.set_width(work.fixed or self.cores)
            stage.executor = "threads" if fixed else "inline"
            self.stages.append(stage)
            self.tuner.add_stage(stage)
        self.room = Room(Memory())
        self.tuner.add_room(self.room, "last", "prefetch")
        count = len(self.works)
        self._ready = [0.0] * count  # elements that a stage has done and nobody has taken
        self._part = [0.0] * count  # elements done that are not yet a whole run
        self._busy = [0.0] * count
        self._on_cpu = [0.0] * count
        self._starts_at = [0.0] * count
        # The part of a step in which workers, and last the thread that reads, had work.
        self._use = [1.0] * (count + 1)
        self._made = 0.0  # elements of the block that is being made
        self._own_left = 0.0
        self._waits = False
        self._blocks: list[Any] = []
        self._stretched: dict[Any, tuple[float, float]] = {}
        self._known: Any = None
        self._known_works: Any = None
        if self.fixed is not None:
            for stage, (executor, width) in zip(self.stages, self.fixed.stages, strict=True):
                stage.executor = executor
                stage.set_width(width)
            self.room.depth = self.fixed.depth

    def _turn(self, stage: Stage, executor: Executor, width: int) -> None:
        number = self.stages.index(stage)
        if executor == "processes" != stage.executor:
            self._starts_at[number] = self.now_ns / 1e9 + self.start_up
        stage.executor = executor
        stage.set_width(width)

    # ---- time ----------------------------------------------------------------------------

    def run(self, seconds: float) -> float:
        """Let time pass; return how many elements per second the consumer got."""
        before, steps = self.served, round(seconds / STEP_S)
        for _ in range(steps):
            self._step()
        return (self.served - before) / seconds

    def best_possible(self) -> float:
        """Return the rate of the best of all fixed settings."""
        return max(rate for _, rate in self.rates())

    def rates(self) -> list[tuple[Setting, float]]:
        """Return what every setting that keeps to the processors gives."""
        found = []
        for setting in self._settings():
            other = Simulated(
                self.works,
                own=self.own,
                own_gil=self.own_gil,
                path=self.path,
                block=self.block,
                cores=self.cores,
                to_processes=self.to_processes,
                hand_over=self.hand_over,
                fixed=setting,
            )
            other.run(0.1)
            # Enough blocks that one more or less does not count.
            found.append((setting, other.run(max(0.3, 30 * self.block * self.own))))
        return found

    def _settings(self) -> list[Setting]:
        limit = self.budget or self.cores
        options = [self._options(work, limit) for work in self.works]
        depths = (0, 8) if self.own else (0,)
        found = list(
            itertools.starmap(Setting, itertools.product(itertools.product(*options), depths))
        )
        waiting = all(work.io > 0.5 for work in self.works)
        return [s for s in found if waiting or s.workers <= max(limit, self._asked)]

    @property
    def _asked(self) -> int:
        return sum(work.fixed for work in self.works)

    def _options(self, work: Work, limit: int) -> list[tuple[Executor, int]]:
        widths = [work.fixed] if work.fixed else [*range(1, limit + 1)]
        if work.io > 0.5 and not work.fixed:
            widths += [16, 32, 64]
        found: list[tuple[Executor, int]] = []
        for executor in work.choices:
            if executor == "inline":
                found.append((executor, 1))
            else:
                most = limit if executor == "processes" and not work.fixed else 64
                found += [(executor, width) for width in widths if width <= most]
        return found

    # ---- one step --------------------------------------------------------------------------

    def _step(self) -> None:
        known = tuple([(s.executor, s.width, s.run_length()) for s in self.stages])
        if known != self._known or self.works is not self._known_works:
            self._learn(known)
        active = tuple(map(self._active, range(len(self.stages))))
        makes = self._makes_blocks()
        works = self._own_left > 0
        lock, cpu = self._stretches(active, makes, works)
        for number, count in enumerate(active):
            if count:
                self._work(number, count, lock, cpu)
        if makes or self.room.depth == 0:
            self._make_and_consume(lock, cpu)
        else:
            self._consume(STEP_S, lock)
        self.now_ns += round(STEP_S * 1e9)
        wide = [
            s.width
            for s, w in zip(self.stages, self.works, strict=True)
            if s.executor != "inline" and w.io < 0.5 and not w.fixed
        ]
        self.widest = max(self.widest, sum(wide))

    def _learn(self, known: Any) -> None:
        """Work out what depends on the setting alone."""
        self._known, self._known_works = known, self.works
        self._stretched.clear()
        outside = [n for n, s in enumerate(self.stages) if s.executor != "inline"]
        below = [[n for n in outside if n < number] for number in range(len(self.stages) + 1)]
        self._below = [numbers[-1] if numbers else None for numbers in below]
        self._each = [self._costs(number) for number in range(len(self.stages))]
        self._path_each = self._path_costs()

    def _active(self, number: int) -> int:
        """Return how many workers of a stage have something to do."""
        stage = self.stages[number]
        if stage.executor == "inline" or self._starts_at[number] > self.now_ns / 1e9:
            return 0
        full = self._ready[number] >= stage.window * stage.run_length()
        before = self._before(number)
        starved = before is not None and self._ready[before] <= 0
        return 0 if full or starved else stage.width

    def _before(self, number: int) -> int | None:
        """Return the stage before one that is not inline."""
        return self._below[number]

    def _makes_blocks(self) -> bool:
        if self.room.depth:
            return len(self._blocks) < self.room.depth
        return self._waits or (self._own_left <= 0 and not self._blocks)

    def _costs(self, number: int) -> tuple[float, float, float]:
        """Return seconds for an element: with the lock, on a processor, waiting."""
        work, stage = self.works[number], self.stages[number]
        held = work.cost * work.gil
        waits = work.cost * work.io
        free = work.cost - held - waits
        if stage.executor == "processes":
            return self.to_processes, held + free, waits
        return held, free, waits

    def _path_costs(self) -> tuple[float, float, float]:
        inline = [self._costs(n) for n, s in enumerate(self.stages) if s.executor == "inline"]
        runs = sum(self.hand_over / s.run_length() for s in self.stages if s.executor != "inline")
        held = self.path + runs + sum(c[0] for c in inline)
        return held, sum(c[1] for c in inline), sum(c[2] for c in inline)

    def _stretches(self, active: tuple[int, ...], makes: bool, works: bool) -> tuple[float, float]:
        """Return how much longer things take: what holds the lock, what needs a processor."""
        use = tuple([round(share, 1) for share in self._use])
        key = (active, makes, works, use, self.cores)
        if key not in self._stretched:
            shares = []
            for number, count in enumerate(active):
                held, free, waits = self._each[number]
                whole = held + free + waits
                shares.append((count * use[number], held / whole, free / whole))
            if makes:
                held, free, waits = self._path_each
                whole = max(held + free + waits, 1e-12)
                shares.append((use[-1], held / whole, free / whole))
            if works:
                shares.append((1, self.own_gil, 0.0))
            self._stretched[key] = _solved(shares, self.cores)
        return self._stretched[key]

    def _noisy(self) -> float:
        return max(0.2, self.random.gauss(1.0, self.noise)) if self.noise else 1.0

    def _work(self, number: int, count: int, lock: float, cpu: float) -> None:
        held, free, waits = self._each[number]
        stage = self.stages[number]
        each = (held * lock + free * cpu + waits) * self._noisy()
        done = count * STEP_S / each
        before = self._before(number)
        if before is not None:
            could, done = done, min(done, self._ready[before])
            self._ready[before] -= done
            self._use[number] += 0.3 * (done / could - self._use[number])
        self._ready[number] += done
        self._part[number] += done
        self._busy[number] += done * each
        self._on_cpu[number] += done * (held + free)
        self.used_s += done * (held + free)
        length = stage.run_length()
        while self._part[number] >= length:
            share = length / self._part[number]
            busy, on_cpu = self._busy[number] * share, self._on_cpu[number] * share
            self._part[number] -= length
            self._busy[number] -= busy
            self._on_cpu[number] -= on_cpu
            known = None if stage.executor == "processes" else round(on_cpu * 1e9)
            nbytes = self.works[number].nbytes * length
            stage.done(length, nbytes, round(busy * 1e9), known)
            if stage.executor == "processes":
                stage.ran_elsewhere(length, nbytes, round(busy * 1e9))

    def _make_and_consume(self, lock: float, cpu: float) -> None:
        """Let the thread that reads make blocks: the consumer's own if nothing is to be ready."""
        if self.room.depth:
            making = consuming = STEP_S
            while making > 0:
                before = making, consuming
                making = self._make(making, lock, cpu)
                consuming = self._consume(consuming, lock)
                if (making, consuming) == before:
                    break
            return
        left = STEP_S
        while left > 0:
            left = self._consume(left, lock)
            left = self._make(left, lock, cpu) if left > 0 else 0.0

    def _make(self, time: float, lock: float, cpu: float) -> float:
        """Let the thread that reads go on with its block for some time; return what is left."""
        held, free, waits = self._path_each
        each = max((held * lock + free * cpu + waits) * self._noisy(), 1e-9)
        can = time / each
        want = self._room_for() - self._made
        if want <= 0:
            self._hand_on()
            return time
        last = self._before(len(self.stages))
        there = want if last is None else self._ready[last]
        done = min(can, want, there)
        self._use[-1] += 0.3 * (done / can - self._use[-1])
        left = time - done * each
        if last is not None:
            self._ready[last] -= done
            if done < min(can, want):
                self._slowest(last).waited(round(left * 1e9))
                left = 0.0
        for number, stage in enumerate(self.stages):
            if stage.executor == "inline" and done:
                held, free, waits = self._each[number]
                self._part[number] += done
                self._busy[number] += done * (held * lock + free * cpu + waits)
                self.used_s += done * (held + free)
                if self._part[number] >= 1:
                    whole = int(self._part[number])
                    busy = self._busy[number] * whole / self._part[number]
                    self._part[number] -= whole
                    self._busy[number] -= busy
                    nbytes = self.works[number].nbytes * whole
                    stage.done(whole, nbytes, round(busy * 1e9))
                    if stage.executor == "processes":
                        stage.ran_elsewhere(whole, nbytes, round(busy * 1e9))
        self._made += done
        self._hand_on()
        return left if left > 1e-9 else 0.0

    def _hand_on(self) -> None:
        while self._made >= self.block - 1e-9:
            self._made -= self.block
            block: Any = SimpleNamespace(length=self.block, nbytes=8)
            self.room.enter(block)
            self._blocks.append(block)

    def _room_for(self) -> int:
        return self.block * max(0, max(1, self.room.depth) - len(self._blocks))

    def _slowest(self, last: int) -> Stage:
        """Return the stage that has input, but nothing to hand on."""
        outside = [n for n, s in enumerate(self.stages) if s.executor != "inline"]
        for number in outside:
            if self._ready[number] < 1:
                return self.stages[number]
        return self.stages[last]

    def _consume(self, left: float, lock: float) -> float:
        """Let the consumer go on for some time; return what is left when it has to wait."""
        end = self.now_ns + round(STEP_S * 1e9)
        while left > 1e-9:
            at = end - round(left * 1e9)
            if self._own_left > 0:
                slower = self.own_gil * lock + 1 - self.own_gil
                worked = min(left, self._own_left * slower)
                self._own_left -= worked / slower
                left -= worked
                if self._own_left < 1e-12:
                    self._own_left = 0.0
                continue
            if not self._waits:
                self.tuner.asked(at)
                self._waits = True
            if not self._blocks:
                return left
            block = self._blocks.pop(0)
            self.room.leave(block)
            self._waits = False
            self.served += block.length
            self._own_left = self.own * block.length * self._noisy()
            self.tuner.served(block.length, at)
        return 0.0


def _solved(shares: list[tuple[float, float, float]], cores: float) -> tuple[float, float]:
    """Return by how much holders of the lock, and users of processors, are slowed down."""
    lock = cpu = 1.0
    for _ in range(30):
        rates = [(n, h, f, h * lock + f * cpu + 1 - h - f) for n, h, f in shares]
        locked = sum(n * h / t for n, h, f, t in rates)
        used = sum(n * (h + f) / t for n, h, f, t in rates)
        lock *= max(1.0 / lock, locked) ** 0.7
        cpu *= max(1.0 / cpu, used / cores) ** 0.7
    return lock, cpu


def random_pipeline(seed: int) -> dict[str, Any]:
    """Return the shape of some pipeline."""
    draw = random.Random(seed)
    works = []
    for _ in range(draw.choice([1, 1, 2])):
        kind = draw.choice(["free", "free", "locked", "partly", "waiting"])
        gil = {"free": 0.03, "locked": 0.97, "partly": draw.uniform(0.2, 0.6), "waiting": 0.01}
        may_go = draw.random() < 0.7
        works.append(
            Work(
                cost=10 ** draw.uniform(-3.5, -2),
                gil=gil[kind],
                io=0.97 if kind == "waiting" else 0.0,
                choices=("inline", "threads", "processes") if may_go else ("inline", "threads"),
            )
        )
    total = sum(work.cost for work in works)
    return {
        "works": works,
        "own": draw.choice([0.0, 0.0, total * draw.uniform(0.1, 2.0)]),
        "path": total * draw.choice([0.001, 0.1, 0.4]),
        "block": draw.choice([1, 8, max(1, round(0.02 / total))]),
        "cores": draw.choice([2, 4]),
        "noise": draw.choice([0.0, 0.1, 0.3]),
    }
