"""flat_map: make a dataset of every element and join them one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from feedline.engine.function import check_callable
from feedline.ops.calling import DatasetMakingNode
from feedline.ops.interleave import InterleaveExec
from feedline.plan.node import Traits

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run

__all__ = ["FlatMap", "flat_map"]

# How many elements are taken of one dataset before the next has its turn: all of them.
_WHOLE = 1 << 62

S = TypeVar("S")


# ---- what the user calls ---------------------------------------------------


def flat_map(
    self: Dataset[Any], map_func: Callable[..., Dataset[S]], name: str | None = None
) -> Dataset[S]:
    """Return the elements of the datasets ``map_func`` makes, one dataset after the other.

    Args:
        map_func: Makes a dataset of an element.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]])
        >>> [int(x) for x in ds.flat_map(tf.data.Dataset.from_tensor_slices)]
        [1, 2, 3, 4]
    """
    check_callable("flat_map()", "map_func", map_func)
    return self.then(FlatMap(self.node, map_func, name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class FlatMap(DatasetMakingNode):
    """The elements of datasets made by ``fn``, one dataset after the other."""

    traits: ClassVar[Traits] = Traits(rows="any", calls_user=True, makes_datasets=True)

    def lower(self, run: Run) -> InterleaveExec:
        """As an interleave that never turns to the next dataset before the end of one."""
        return InterleaveExec(
            run.open(self.input),
            self.function,
            run,
            self.number,
            cycle_length=1,
            block_length=_WHOLE,
        )


# ---- what runs: InterleaveExec, see interleave.py ---------------------------
