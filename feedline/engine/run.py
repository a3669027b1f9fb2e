"""Run: everything one iteration over a plan shares, and the way to open parts of the plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter_ns
from typing import TYPE_CHECKING, Protocol

from feedline.defaults import always_ordered
from feedline.engine.ahead import AheadExec
from feedline.engine.meter import Meter
from feedline.engine.stream import Stream
from feedline.ids import ROOT_SCOPE, Scope, mix
from feedline.seeding import NOTHING_INHERITED, Inherited

if TYPE_CHECKING:
    from collections.abc import Callable

    from feedline.engine.exec import Exec
    from feedline.options import Options
    from feedline.parallel.tasks import Lane
    from feedline.parallel.workers import Workers

__all__ = ["Lowerable", "Run"]

_NO_CAP = 1 << 40
# What is ready of each of several datasets that are read at once.
_SLOT_BLOCKS = 2


class Lowerable(Protocol):
    """What the engine knows of a plan node."""

    @property
    def label(self) -> str:
        """The step as a user would write it."""

    @property
    def ahead(self) -> int:
        """How many elements may be ready before they are asked for, or AUTOTUNE."""

    def lower(self, run: Run) -> Exec:
        """Return the operator that does the step."""


@dataclass(frozen=True)
class Run:
    """One iteration: its settings, its seed, and which pass over the plan this is.

    ``seed`` serves every random node that was given none. ``rounds`` says, for each
    numbered random node, how many iterations over it came before this one. ``counts`` is
    false for a look at a few elements, which must not count as an iteration. ``rules`` says
    which optimizer rules shaped the plan: a state fits only a plan of the same shape.
    ``plan`` is what runs, None in a plan that a function made.
    ``inherited`` is what follows from the seed of the program when the iteration began.
    ``checks_files`` says that a state continues only with the files it was saved with.
    ``at_any_cost`` says that elements are wanted by index, even if all files must be gone
    through to find them.
    """

    options: Options
    seed: int
    rounds: Mapping[int, int]
    with_ids: bool
    prepare: Callable[[Lowerable], Lowerable]
    scope: Scope = ROOT_SCOPE
    counts: bool = True
    rules: tuple[str, ...] = ()
    at_any_cost: bool = False
    plan: Lowerable | None = None
    checks_files: bool = True
    inherited: Inherited = NOTHING_INHERITED
    workers: Workers = field(kw_only=True)
    meters: dict[int, Meter] = field(default_factory=dict)
    # What readers of steps that are pulled ahead took, waiting included.
    aheads: dict[int, Meter] = field(default_factory=dict)
    started_ns: int = field(default_factory=perf_counter_ns)

    def open(self, node: Lowerable) -> Stream:
        """Return the running form of a node of this plan."""
        # By identity: an input opened anew for every epoch keeps its meter.
        meter = self.meters.get(id(node))
        if meter is None:
            meter = self.meters[id(node)] = Meter(node)
        stream = self.stream(node.lower(self), meter)
        if node.ahead and self.is_parallel:
            return self.ahead(stream, None if node.ahead < 0 else node.ahead)
        return stream

    @property
    def is_parallel(self) -> bool:
        """Whether anything may run beside the thread that iterates."""
        return self.counts and self.options.executor != "inline"

    def is_ordered(self, deterministic: bool | None) -> bool:
        """Whether a step must hand on its elements in order, by what it says itself."""
        if always_ordered():
            return True
        if deterministic is None:
            return self.options.deterministic is not False
        return deterministic

    def ahead(self, stream: Stream, elements: int | None) -> Stream:
        """Return a stream that is pulled ahead; None lets the tuner say how far."""
        step = stream.meter.step
        room = self.workers.room(elements, id(step), f"prefetch after {step.label}")
        operator = AheadExec(stream, self.workers, room)
        return self.stream(operator, self.aheads.setdefault(id(step), Meter(step)))

    def stream(self, operator: Exec, meter: Meter) -> Stream:
        """Return the stream over an operator, with the settings of this run."""
        return Stream(operator, self.options.block_size or _NO_CAP, meter)

    def ahead_in(self, stream: Stream, lane: Lane) -> tuple[Stream, AheadExec]:
        """Return a stream that is pulled ahead beside others of a lane, and what pulls it."""
        operator = AheadExec(stream, self.workers, self.workers.fixed_room(_SLOT_BLOCKS), lane)
        return self.stream(operator, Meter(stream.meter.step)), operator

    def scoped(self, scope: Scope) -> Run:
        """Return the same run in another pass over the plan."""
        return replace(self, scope=scope)

    def by_index(self) -> Run:
        """Return the same run for elements that are wanted by index."""
        return self if self.at_any_cost else replace(self, at_any_cost=True)

    def open_nested(self, node: Lowerable, parent_id: int) -> Stream:
        """Return the running form of a plan that a user's function made of one element."""
        scope = self.scope.nested(parent_id)
        inherited = self.inherited._replace(steps=None)  # these have numbers of their own
        nested = replace(
            self, scope=scope, rounds={}, meters={}, aheads={}, plan=None, inherited=inherited
        )
        return nested.open(self.prepare(node))

    def key(self, number: int) -> int:
        """Return the key of the draws by element of an unseeded random node.

        Ids tell epochs and parents apart, so the scope does not enter here.
        """
        return mix(self.seed, number, self.rounds.get(number, 0))

    def round_of(self, number: int) -> int:
        """Return how many passes over a random node came before this one."""
        return self.rounds.get(number, 0) + self.scope.epoch
