"""assert_cardinality: declare how many elements there are, and check it while they pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from feedline.engine.exec import State, UnaryExec
from feedline.errors import BuildError, CardinalityError, check_integer
from feedline.options import UNKNOWN_CARDINALITY
from feedline.plan.node import Traits, UnaryNode, node_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from feedline.block import Block
    from feedline.dataset import Dataset
    from feedline.engine.access import Access
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["AssertCardinality", "assert_cardinality"]


# ---- what the user calls ---------------------------------------------------


def assert_cardinality(expected_cardinality: int) -> Callable[[Dataset[Any]], Dataset[Any]]:
    """Return a transformation that declares the number of elements, for ``Dataset.apply()``.

    The number is checked while iterating: CardinalityError is raised after the last
    expected element if there is one more, and at the end if there are fewer.

    Args:
        expected_cardinality: How many elements there are, INFINITE_CARDINALITY, or
            UNKNOWN_CARDINALITY to forget the number.

    Example:
        >>> import feedline as tf
        >>> declare = tf.data.experimental.assert_cardinality(3)
        >>> print(declare(tf.data.Dataset.range(3)).cardinality())
        3
    """
    call = "assert_cardinality()"
    expected = check_integer(call, "expected_cardinality", expected_cardinality)
    if expected < UNKNOWN_CARDINALITY:
        raise BuildError(
            f"{call}: expected_cardinality must be at least 0, INFINITE_CARDINALITY (-1) or "
            f"UNKNOWN_CARDINALITY (-2), got {expected}."
        )

    def apply(dataset: Dataset[Any]) -> Dataset[Any]:
        node = node_of(dataset, call, "dataset")
        return dataset.then(AssertCardinality(node, expected))

    return apply


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class AssertCardinality(UnaryNode):
    """The input, which has ``expected`` elements."""

    expected: int

    # Not "same": a take() must not move below, where the check would see too few elements.
    traits: ClassVar[Traits] = Traits(rows="fewer", keeps_order=True, keeps_values=True)

    def lower(self, run: Run) -> AssertCardinalityExec:
        """Count."""
        return AssertCardinalityExec(run.open(self.input), self.expected, self.place)

    def access(self, run: Run) -> Access | None:
        """The input's, if it is as long as was said."""
        inner = self.input.access(run)
        return inner if inner is not None and len(inner) == self.expected else None

    def cardinality(self, inputs: Sequence[int]) -> int:
        """What was said."""
        return self.expected

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]


# ---- what runs -------------------------------------------------------------


class AssertCardinalityExec(UnaryExec):
    """Passes elements on and compares the input's position with what was expected.

    The error is raised once, and then it is the end: who ignores errors gets no further.
    """

    def __init__(self, stream: Stream, expected: int, place: str) -> None:
        super().__init__(stream)
        self._expected = expected
        self._place = place
        self._failed = False

    def pull(self, limit: int) -> Block | None:
        """Pass on as many elements as were expected."""
        wanted = self._wanted(limit)
        if self._failed or (not wanted and self.input.pull(1) is None):
            return None
        block = self.input.pull(wanted) if wanted else None
        if block is None and self._expected != UNKNOWN_CARDINALITY:
            self._fail(more=not wanted)
        return block

    def skip(self, count: int) -> int:
        """Skip in the input; past the end, look whether it is where it should be."""
        if self._failed:
            return 0
        gone = self.input.discard(self._wanted(count))
        if gone < count:
            self.pull(1)
        return gone

    def _wanted(self, limit: int) -> int:
        if self._expected < 0:
            return limit
        return max(min(limit, self._expected - self.input.position), 0)

    def _fail(self, *, more: bool) -> NoReturn:
        self._failed = True
        expected = "infinitely many" if self._expected < 0 else self._expected
        found = "there are more" if more else f"there are only {self.input.position}"
        raise CardinalityError(
            f"assert_cardinality(): the dataset was said to have {expected} elements, {found}. "
            f"Correct the number ({self._place})."
        )

    def counters(self) -> State:
        """Return whether it is over."""
        return {"failed": True} if self._failed else {}

    def resume(self, counters: State) -> None:
        """Take it back."""
        self._failed = bool(counters.get("failed", False))
