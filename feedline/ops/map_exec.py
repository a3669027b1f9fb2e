"""MapExec: calling a function on every element, here or elsewhere."""

from __future__ import annotations

from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.engine.access import Access
from feedline.engine.each import EachExec
from feedline.engine.mapped import lists_as_tuples
from feedline.engine.morsels import Morsels
from feedline.errors import SpecError
from feedline.graph.composed import Composed
from feedline.structure import Structure, structure_of

if TYPE_CHECKING:
    from feedline.engine.exec import State
    from feedline.engine.failures import Answers
    from feedline.engine.function import Function
    from feedline.engine.mapped import Mapper
    from feedline.engine.morsels import Piece
    from feedline.engine.stream import Stream
    from feedline.ops.map_stage import MapStage
    from feedline.parallel.workers import Workers
    from feedline.places import Places

__all__ = ["MapAccess", "MapExec"]


class MapExec(EachExec):
    """Calls the function and puts the results in columns.

    Here, element by element or a block at once; or, where a stage says so, elsewhere.
    """

    def __init__(
        self,
        stream: Stream,
        mapper: Mapper,
        workers: Workers,
        parallel: MapStage,
        answers: Answers | None = None,
    ) -> None:
        super().__init__(stream, mapper.function, mapper.key)
        self._mapper = mapper
        self._parallel = parallel
        self._calls = parallel.calls(mapper, workers)
        self._morsels = Morsels(
            stream,
            parallel.work(mapper, workers),
            workers,
            parallel.stage,
            parallel.ordered,
            self._fit,
        )
        self._morsels.answers = answers
        if self._calls is not None:
            self._morsels.begin = self._calls.begin
        self._structure: Structure | None = None
        fn = mapper.function.fn
        self._levels = len(fn.functions) if isinstance(fn, Composed) else 1

    def offer_places(self, places: Places) -> None:
        """Write results that are computed elsewhere where they will lie."""
        if self._parallel.ordered:
            self._morsels.places = places

    def pull(self, limit: int) -> Block | None:
        """Map the next elements."""
        if not self._morsels.is_empty or (self._parallel.is_on and not self.has_called_ahead):
            return self._morsels.pull(limit)
        if not self._parallel.is_measured:
            return self._pull_here(limit)
        started, below = perf_counter_ns(), self.input.meter.busy_ns
        block = self._pull_here(limit)
        if block is not None:
            elapsed = perf_counter_ns() - started - (self.input.meter.busy_ns - below)
            self._parallel.stage.done(block.length, block.nbytes, elapsed)
        return block

    def _pull_here(self, limit: int) -> Block | None:
        called = self.call_at_once(limit)
        if called is None:
            return None
        block, results = called
        if isinstance(results, Block):
            return results if self._structure is None else results.aligned(self._structure)
        if not results:
            return block  # the next element failed: see EachExec.asks_first
        results = lists_as_tuples(results)
        if self._structure is None:
            self._structure = structure_of(results[0])
        try:
            return Block.of(results, block.ids, self._structure)
        except SpecError:
            return self._good_part(block, results, self._structure)

    def _fit(self, block: Block, first: int) -> list[Piece]:
        """Return results made elsewhere, if they are like those before them."""
        if self._structure is None:
            self._structure = block.structure
        if block.structure.aligned(self._structure) is not None:
            return [block.aligned(self._structure)]
        return self._mapper.one_by_one(block.rows(), block, self._structure, first)

    def _good_part(self, block: Block, results: list[Any], structure: Structure) -> Block:
        """Return the results before the first that cannot be an element; raise if there is none."""
        for number, result in enumerate(results):
            try:
                Block.of([result], None, structure)
            except SpecError as error:
                self.fail(error, block, number)
                good = block.slice(0, number)
                return Block.of(results[:number], good.ids, structure) if number else good
        raise AssertionError("results that fit one by one must fit together")

    def skip(self, count: int) -> int:
        """An element that is skipped need not be computed."""
        return self.pass_over(count) if self._morsels.is_empty else self._morsels.skip(count)

    def state(self) -> State:
        """Return the state of as many maps as this one stands for."""
        here = self._parallel.ordered and self._morsels.is_empty
        state = super().state() if here else self._morsels.state()
        for _ in range(self._levels - 1):
            state["n"] = state["in"][0]["n"]
            state = {"in": [state]}
        return state

    def restore(self, state: State) -> None:
        """Continue from the state of as many maps, each of which may be amid a block."""
        skipped = 0
        for _ in range(self._levels - 1):
            (state,) = state["in"]
            skipped += int(state.get("skip", 0))
        self._morsels.restore(state)
        self.skip(skipped)

    def close(self) -> None:
        """Stop working on what is on its way."""
        if self._mapper.function.retry is not None:
            self._mapper.function.retry.end()
        if self._calls is not None:
            self._calls.close()
        self._morsels.close()
        super().close()


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
