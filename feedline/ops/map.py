"""map: apply a function to every element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import numpy as np

from feedline.binding import bound_together
from feedline.block import Block
from feedline.engine.awaiting import Awaited
from feedline.engine.exec import after
from feedline.engine.failures import Answers
from feedline.engine.function import Function, check_callable, is_async
from feedline.engine.mapped import Mapper, lists_as_tuples
from feedline.engine.retry import Retry
from feedline.error_policy import ErrorPolicy, check_policy
from feedline.graph.composed import Composed
from feedline.graph.function_spec import spec_of_result
from feedline.graph.untraceable import Untraceable
from feedline.ops.arguments import check_flag, check_parallel
from feedline.ops.calling import CallingNode
from feedline.ops.lenient_map import CountingMapExec, LenientMapExec
from feedline.ops.map_exec import MapAccess, MapExec
from feedline.ops.map_stage import map_stage
from feedline.ops.watched import WatchedNode, failures_of
from feedline.options import UNKNOWN_CARDINALITY
from feedline.plan.node import Traits
from feedline.quarantine import check_quarantine
from feedline.spec import spec_of, zeros_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.access import Access
    from feedline.engine.exec import State
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream
    from feedline.options import Options
    from feedline.quarantine import Origin, Quarantine

__all__ = ["Map", "map_"]

S = TypeVar("S")


# ---- what the user calls ---------------------------------------------------


def map_(
    self: Dataset[Any],
    map_func: Callable[..., S],
    num_parallel_calls: int | None = None,
    deterministic: bool | None = None,
    synchronous: bool | None = None,
    use_unbounded_threadpool: bool = False,
    name: str | None = None,
    *,
    vectorize: bool | None = None,
    on_error: Literal["raise", "skip"] | ErrorPolicy = "raise",
) -> Dataset[S]:
    """Return ``map_func(element)`` for every element, in order.

    A tuple element is passed as separate arguments, anything else as one. A function
    that declares a keyword ``rng`` gets a ``numpy.random.Generator`` that depends on the
    seed and the element alone: the same draws in any order and after a resume.

    Args:
        map_func: Any Python function. It may change its arguments in place.
        num_parallel_calls: How many calls may run at once, or AUTOTUNE.
        deterministic: False allows results to come out of order.
        synchronous: True forbids running calls ahead of the consumer.
        use_unbounded_threadpool: For functions that wait more than they compute.
        name: Shown in plans and errors.
        vectorize: False calls the function on each element, even where running it on many
            at once is proved to give the same.
        on_error: What becomes of an element on which the function fails: "raise" hands the
            exception on, "skip" leaves the element out, an ErrorPolicy says more.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.Dataset.range(3).map(lambda x: x * 10)]
        [0, 10, 20]
    """
    check_callable("map()", "map_func", map_func, awaits=True)
    check_parallel("map()", num_parallel_calls, deterministic)
    policy = check_policy("map()", on_error)
    map_func, replacement = bound_together(map_func, policy and policy.replacement)
    if policy is not None:
        policy = replace(policy, replacement=replacement)
    asked = Map(
        self.node,
        map_func,
        num_parallel_calls=num_parallel_calls,
        deterministic=deterministic,
        synchronous=synchronous,
        use_unbounded_threadpool=use_unbounded_threadpool,
        name=name,
        vectorize=None if vectorize is None else check_flag("map()", "vectorize", vectorize),
    )
    return self.then(asked if policy is None else asked.with_policy(policy))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Map(CallingNode):
    """``fn`` of every element."""

    num_parallel_calls: int | None = field(default=None, kw_only=True, repr=False)
    deterministic: bool | None = field(default=None, kw_only=True, repr=False)
    synchronous: bool | None = field(default=None, kw_only=True, repr=False)
    use_unbounded_threadpool: bool = field(default=False, kw_only=True, repr=False)

    traits: ClassVar[Traits] = Traits(rows="same", keeps_order=True, calls_user=True, maps=True)

    @property
    def operator(self) -> str:
        """The same for all kinds of maps: a state continues whatever becomes of failures."""
        return "map"

    def with_policy(self, policy: ErrorPolicy) -> LenientMap:
        """Return the same step with an answer to failures."""
        kind = SkippingMap if policy.action == "skip" else LenientMap
        return kind(**{f.name: getattr(self, f.name) for f in fields(Map)}, on_error=policy)

    @property
    def function(self) -> Function:
        """The function; an async one as one that returns its result."""
        function = super().function
        return replace(function, fn=Awaited(self.fn)) if is_async(self.fn) else function

    def function_in(self, run: Run) -> Function:
        """The function as a run may call it."""
        if is_async(self.fn):
            return replace(self.function, fn=Awaited(self.fn, run.workers.loop))
        return super().function_in(run)

    @property
    def stands_alone(self) -> bool:
        """An async function runs side by side with itself."""
        return is_async(self.fn)

    @property
    def parallelism(self) -> tuple[Any, ...]:
        """Everything that says where and in which order calls run."""
        return (
            self.num_parallel_calls,
            self.deterministic,
            self.synchronous,
            self.use_unbounded_threadpool,
        )

    def lower(self, run: Run) -> MapExec:
        """Elements do not meet: any number of workers can share them."""
        return self.exec_of(run, self.function_in(run))

    def exec_of(self, run: Run, function: Function) -> MapExec:
        """Return the operator."""
        mapper = Mapper(function, run.key(self.number))
        parallel = map_stage(self, run, function)
        return MapExec(run.open(self.input), mapper, run.workers, parallel)

    def access(self, run: Run) -> Access | None:
        """Get the input's elements and call the function on them."""
        inner = self.input.access(run)
        return (
            None if inner is None else MapAccess(inner, self.function_in(run), run.key(self.number))
        )

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's."""
        return inputs[0]

    def spec_by_recording(self, inputs: Sequence[Any]) -> Any:
        """What the function makes of its input's elements."""
        if self.vectorize is False or is_async(self.fn) or self.function.wants_rng:
            return None
        try:
            return spec_of_result(self.fn, inputs[0])
        except Untraceable:
            return None

    def how_it_runs(self, inputs: Sequence[Any] | None, options: Options) -> str:
        """At once, or why not."""
        if is_async(self.fn):
            return "plain Python on an event loop"
        return self.how_function_runs(inputs, options)

    def spec_of_nothing(self, inputs: Sequence[Any]) -> Any:
        """For an empty input, ask the function about an element of zeros."""
        calls = self.function.each(Block.of([zeros_of(inputs[0])], np.zeros(1, np.uint64)), 0, 0)
        return (
            None
            if calls.error is not None
            else spec_of(Block.of(lists_as_tuples(calls.results)).rows()[0])
        )

    def origin_of(self, state: State, run: Run) -> Origin | None:
        """The input's, if elements come out in its order."""
        levels = len(self.fn.functions) if isinstance(self.fn, Composed) else 1
        skipped = 0
        for _ in range(levels):
            if "then" in state:
                return None
            skipped += int(state.get("skip", 0))
            (state,) = state["in"]
        return self.input.origin_of(after(state, skipped), run)


@dataclass(frozen=True)
class LenientMap(Map, WatchedNode):
    """A map with an answer to failures."""

    on_error: ErrorPolicy = field(default=ErrorPolicy(), kw_only=True, repr=False, compare=False)

    @property
    def label(self) -> str:
        """With what becomes of failures."""
        named = f" [{self.name}]" if self.name else ""
        call = super().label.removesuffix(f"){named}")
        return f"{call}, on_error={self.on_error.action!r}){named}"

    @property
    def stands_alone(self) -> bool:
        """Failures are those of this function."""
        return True

    @property
    def function(self) -> Function:
        """The function, called again where that is asked for."""
        policy = self.on_error
        retry = Retry(policy.retries, policy.wait) if policy.retries else None
        return replace(super().function, retry=retry)

    def exec_of(self, run: Run, function: Function) -> MapExec:
        """Ask what comes in the place of elements that fail."""
        policy = self.on_error
        failures = failures_of(self, run, policy.budget, self.listed_in)
        counts = policy.action == "skip" or policy.budget.is_limited
        kind = CountingMapExec if counts else LenientMapExec
        return kind(
            run.open(self.input),
            Mapper(function, run.key(self.number)),
            run.workers,
            map_stage(self, run, function),
            Answers(policy, failures),
        )

    @property
    def listed_in(self) -> Quarantine | str | None:
        """What the policy says."""
        return check_quarantine("map()", self.on_error.quarantine)

    def open_before(self, before: State, run: Run) -> Stream:
        """The same without an answer."""
        plain = Map(**{f.name: getattr(self, f.name) for f in fields(Map)})
        stream = run.open(plain)
        stream.restore({"in": [before], "n": before["n"]})
        return stream

    def access(self, run: Run) -> Access | None:
        """Only where failures are handed on as they are."""
        plain = self.on_error.action == "raise" and self.on_error.quarantine is None
        return super().access(run) if plain else None


@dataclass(frozen=True)
class SkippingMap(LenientMap):
    """A map that leaves out elements on which its function fails."""

    traits: ClassVar[Traits] = Traits(rows="fewer", keeps_order=True, calls_user=True, maps=True)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """Nobody knows how many fail."""
        return UNKNOWN_CARDINALITY

    def origin_of(self, state: State, run: Run) -> Origin | None:
        """None: which of the input's elements is next is not known."""
        return None


# ---- what runs: map_exec.py, lenient_map.py ------------------------------------
