"""map: apply a function to every element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.engine.access import Access
from feedline.engine.each import EachExec
from feedline.engine.function import Function, check_callable
from feedline.errors import SpecError
from feedline.graph.composed import Composed
from feedline.graph.function_spec import spec_of_result
from feedline.graph.untraceable import Untraceable
from feedline.ops.arguments import check_flag, check_parallel
from feedline.ops.calling import CallingNode
from feedline.plan.node import Traits
from feedline.spec import spec_of, zeros_of
from feedline.structure import Structure, structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.exec import State
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream
    from feedline.options import Options

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

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.Dataset.range(3).map(lambda x: x * 10)]
        [0, 10, 20]
    """
    check_callable("map()", "map_func", map_func)
    check_parallel("map()", num_parallel_calls, deterministic)
    return self.then(
        Map(
            self.node,
            map_func,
            num_parallel_calls=num_parallel_calls,
            deterministic=deterministic,
            synchronous=synchronous,
            use_unbounded_threadpool=use_unbounded_threadpool,
            name=name,
            vectorize=None if vectorize is None else check_flag("map()", "vectorize", vectorize),
        )
    )


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
    def parallelism(self) -> tuple[Any, ...]:
        """Everything that says where and in which order calls run."""
        return (
            self.num_parallel_calls,
            self.deterministic,
            self.synchronous,
            self.use_unbounded_threadpool,
        )

    def lower(self, run: Run) -> MapExec:
        """Elements do not meet: any number of workers could share them."""
        return MapExec(run.open(self.input), self.function_in(run), run.key(self.number))

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
        if self.vectorize is False or self.function.wants_rng:
            return None
        try:
            return spec_of_result(self.fn, inputs[0])
        except Untraceable:
            return None

    def how_it_runs(self, inputs: Sequence[Any] | None, options: Options) -> str:
        """At once, or why not."""
        return self.how_function_runs(inputs, options)

    def spec_of_nothing(self, inputs: Sequence[Any]) -> Any:
        """For an empty input, ask the function about an element of zeros."""
        calls = self.function.each(Block.of([zeros_of(inputs[0])], np.zeros(1, np.uint64)), 0, 0)
        return (
            None
            if calls.error is not None
            else spec_of(Block.of(lists_as_tuples(calls.results)).rows()[0])
        )


# ---- what runs -------------------------------------------------------------


class MapExec(EachExec):
    """Calls the function and puts the results in columns."""

    def __init__(self, stream: Stream, function: Function, key: int) -> None:
        super().__init__(stream, function, key)
        self._structure: Structure | None = None
        fn = function.fn
        self._levels = len(fn.functions) if isinstance(fn, Composed) else 1

    def pull(self, limit: int) -> Block | None:
        """Map the next elements."""
        called = self.call_at_once(limit)
        if called is None:
            return None
        block, results = called
        if isinstance(results, Block):
            return results if self._structure is None else results.aligned(self._structure)
        results = lists_as_tuples(results)
        if self._structure is None:
            self._structure = structure_of(results[0])
        try:
            return Block.of(results, block.ids, self._structure)
        except SpecError:
            return self._good_part(block, results, self._structure)

    def _good_part(self, block: Block, results: list[Any], structure: Structure) -> Block:
        """Return the results before the first that cannot be an element; raise if there is none."""
        for number, result in enumerate(results):
            try:
                Block.of([result], None, structure)
            except SpecError as error:
                self.fail(error, block, number)
                return Block.of(results[:number], block.slice(0, number).ids, structure)
        raise AssertionError("results that fit one by one must fit together")

    def skip(self, count: int) -> int:
        """An element that is skipped need not be computed."""
        return self.pass_over(count)

    def state(self) -> State:
        """Return the state of as many maps as this one stands for."""
        state = super().state()
        for _ in range(self._levels - 1):
            state["n"] = self.input.position
            state = {"in": [state]}
        return state

    def restore(self, state: State) -> None:
        """Continue from the state of as many maps, each of which may be amid a block."""
        skipped = 0
        for _ in range(self._levels - 1):
            (state,) = state["in"]
            skipped += int(state.get("skip", 0))
        super().restore(state)
        self.input.discard(skipped)


class MapAccess(Access):
    """The function of any of the input's elements."""

    calls_user = True

    def __init__(self, inner: Access, function: Function, key: int) -> None:
        self._inner = inner
        self._function = function
        self._key = key

    def __len__(self) -> int:
        return len(self._inner)

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return the results for the elements at ``index``."""
        block = self._inner.gather(index)
        made = self._function.at_once(block, self._key)
        if made is not None:
            return made
        calls = self._function.each(block, int(index[0]), self._key)
        if calls.error is not None:
            raise calls.error
        return Block.of(lists_as_tuples(calls.results), block.ids)


def lists_as_tuples(results: list[Any]) -> list[Any]:
    """Return results with a list for a whole element as the tuple tf.data makes of it.

    A list inside a structure is an array.
    """
    if list in set(map(type, results)):
        return [tuple(result) if isinstance(result, list) else result for result in results]
    return results
