"""MapStage: where the function of a map runs, and in which order its results come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from feedline.engine.awaiting import AwaitingCalls
from feedline.engine.function import is_async
from feedline.engine.placed import Placed
from feedline.machine import available_cpus
from feedline.options import AUTOTUNE
from feedline.parallel.stage import Stage
from feedline.parallel.waiting_stage import FIRST_WIDTH, WaitingStage

if TYPE_CHECKING:
    from feedline.engine.function import Function
    from feedline.engine.mapped import Mapper
    from feedline.engine.morsels import Work
    from feedline.engine.run import Run
    from feedline.graph.vectorizer import Vectorizer
    from feedline.ops.map import Map
    from feedline.options import Options
    from feedline.parallel.stage import Executor
    from feedline.parallel.workers import Workers

__all__ = ["MapStage", "map_stage"]


@dataclass(frozen=True, slots=True)
class MapStage:
    """The stage of one map, and what it waits for before anything runs elsewhere.

    A map that nobody asked to run in parallel does so only once its function is known to
    have no effect: when it runs on whole blocks.
    """

    stage: Stage
    ordered: bool
    is_measured: bool
    waits_for: Vectorizer | None = None
    restarts: bool = False
    awaits: Callable[..., Any] | None = None

    @property
    def is_on(self) -> bool:
        """Whether elements are to be worked on elsewhere, now.

        Out of order they always are: which came first is written down there.
        """
        if not self.ordered:
            return True
        if self.stage.executor == "inline":
            return False
        return self.waits_for is None or self.waits_for.is_running

    def work(self, mapper: Mapper, workers: Workers) -> Work:
        """Return what does the work on a run of elements."""
        return Placed(mapper, self.stage, workers, self.restarts)

    def calls(self, mapper: Mapper, workers: Workers) -> AwaitingCalls | None:
        """Return what calls an async function side by side, if this is one."""
        if self.awaits is None or not isinstance(self.stage, WaitingStage):
            return None
        mapper = replace(mapper, function=replace(mapper.function, fn=self.awaits))
        return AwaitingCalls(mapper, workers.loop, lambda: workers.tasks, self.stage)


_ALONE = Stage("", choices=("inline",))


def map_stage(node: Map, run: Run, function: Function) -> MapStage:
    """Return where a map runs: here, there, or as the tuner finds best."""
    options = run.options
    if is_async(node.fn):
        return _awaiting(node, run)
    asked = node.num_parallel_calls is not None or options.executor in ("threads", "processes")
    if node.synchronous or not run.is_parallel or not (asked or _may_be_parallel(options)):
        return MapStage(_ALONE, ordered=True, is_measured=False)
    if not asked and function.vectorizer is None:
        return MapStage(_ALONE, ordered=True, is_measured=False)
    stage = run.workers.stage(id(node), lambda: _stage(node, options, function))
    waits_for = None if asked else function.vectorizer
    return MapStage(
        stage,
        not asked or run.is_ordered(node.deterministic),
        is_measured=True,
        waits_for=waits_for,
        restarts=options.restart_workers is True,
    )


def _awaiting(node: Map, run: Run) -> MapStage:
    """Return where an async function runs: one call at a time, or several side by side."""
    calls = node.num_parallel_calls
    if calls is None or node.synchronous or not run.is_parallel:
        return MapStage(_ALONE, ordered=True, is_measured=False)

    def make() -> WaitingStage:
        settings = run.options.autotune
        grows = calls == AUTOTUNE and settings.tunes
        stage = WaitingStage(
            node.label, "threads", fixed_width=True, choices=("threads",), grows=grows
        )
        first = max(settings.initial_parallelism or FIRST_WIDTH, settings.min_parallelism or 1)
        stage.set_width(first if calls == AUTOTUNE else calls)
        return stage

    stage = run.workers.own_stage(id(node), make)
    ordered = run.is_ordered(node.deterministic)
    return MapStage(stage, ordered, is_measured=False, awaits=node.fn)


def _may_be_parallel(options: Options) -> bool:
    """Whether a step may run in parallel though nobody asked for it."""
    return options.autotune.enabled is not False and options.experimental_optimization.is_on(
        "map_parallelization"
    )


def _stage(node: Map, options: Options, function: Function) -> Stage:
    calls, chosen = node.num_parallel_calls, options.executor
    choices: tuple[Executor, ...] = ("inline", "threads", "processes")
    if chosen == "threads":
        choices = ("threads",)
    elif chosen == "processes":
        choices = ("processes",)
    elif calls is None or (function.vectorizer is not None and function.vectorizer.is_running):
        choices = ("inline", "threads")
    fixed = calls is not None and calls != AUTOTUNE
    settings = options.autotune
    width = settings.initial_parallelism or settings.cpu_budget or available_cpus()
    width = max(width, settings.min_parallelism or 1)
    if fixed:
        assert calls is not None
        width = calls
    tuned = settings.tunes and not fixed and (settings.min_parallelism or 1) == 1
    stage = Stage(node.label, choices=choices, fixed_width=fixed)
    if not tuned and stage.executor == "inline" and len(choices) > 1:
        stage.executor = "threads"
    if len(choices) == 1:
        stage.executor = choices[0]
    stage.set_width(width)
    return stage
