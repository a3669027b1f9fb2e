"""filter: keep the elements for which a function says True."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from feedline.block import Block
from feedline.engine.each import EachExec
from feedline.engine.function import given_function
from feedline.ops.calling import CallingNode
from feedline.ops.condition import as_condition, conditions_of, reads_only
from feedline.plan.node import Traits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.options import Options

__all__ = ["Filter", "filter_"]

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def filter_(self: Dataset[T], predicate: Callable[..., Any], name: str | None = None) -> Dataset[T]:
    """Return the elements for which ``predicate(element)`` is True.

    A tuple element is passed as separate arguments, anything else as one. A predicate that
    declares a keyword ``rng`` gets a generator that depends on the seed and the element.

    Args:
        predicate: Returns a single bool. It must not change its arguments in place.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.Dataset.range(6).filter(lambda x: x % 2 == 0)]
        [0, 2, 4]
    """
    predicate = given_function("filter()", "predicate", predicate)
    return self.then(Filter(self.node, predicate, name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Filter(CallingNode):
    """The elements for which ``fn`` is True."""

    traits: ClassVar[Traits] = Traits(
        rows="fewer", keeps_order=True, keeps_values=True, calls_user=True
    )

    def lower(self, run: Run) -> FilterExec:
        """Elements do not meet: any number of workers could share them."""
        return FilterExec(
            run.open(self.input), reads_only(self.function_in(run)), run.key(self.number)
        )

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]

    def how_it_runs(self, inputs: Sequence[Any] | None, options: Options) -> str:
        """At once, or why not."""
        return self.how_function_runs(inputs, options, may_change=False)


# ---- what runs -------------------------------------------------------------

_MOST_READ_FOR_ONE = 64.0


class FilterExec(EachExec):
    """Calls the predicate on a run of elements and selects from it at once."""

    # How many elements are read for each that is kept. More than asked for are read only
    # where that costs no calls: a predicate that runs on many elements at once.
    _read_for_one = 1.0

    def pull(self, limit: int) -> Block | None:
        """Return those of the next elements that are wanted; read on if there are none."""
        while (called := self.call_at_once(ceil(limit * self._read_for_one))) is not None:
            block, results = called
            keep = conditions_of(results) if isinstance(results, Block) else None
            if keep is None:
                self._read_for_one = 1.0
                keep = self._conditions(block, self.one_by_one(results))
            else:
                kept = int(np.count_nonzero(keep))
                self._read_for_one = min(len(keep) / max(kept, 1), _MOST_READ_FOR_ONE)
            if keep.any():
                return block.slice(0, len(keep)).select(keep)
        return None

    def _conditions(self, block: Block, results: list[Any]) -> NDArray[np.bool_]:
        """Return the results as bools, up to the first that is none."""
        if set(map(type, results)) <= {bool, np.bool_}:
            return np.array(results, np.bool_)
        checked = []
        for number, result in enumerate(results):
            try:
                checked.append(as_condition("filter()", result))
            except TypeError as error:
                self.fail(error, block, number)
                break
        return np.array(checked, np.bool_)
