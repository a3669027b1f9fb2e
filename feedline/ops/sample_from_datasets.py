"""sample_from_datasets: take elements of several datasets at random, by weight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.binding import bound
from feedline.block import Block
from feedline.column import Dense
from feedline.engine.access import CursorExec
from feedline.engine.exec import State, UnaryExec, count_in
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.kernels.multinomial import pick, seeded_uniforms
from feedline.leaf import describe_leaf, ingest
from feedline.ops.arguments import check_flag
from feedline.ops.choose_from_datasets import ChooseFromDatasets, common_structure
from feedline.ops.counter import Counter, Endless
from feedline.ops.map import Map
from feedline.ops.seeded import StreamNode, operation_seed
from feedline.ops.several import nodes_of
from feedline.ops.take import Take
from feedline.options import INFINITE_CARDINALITY
from feedline.plan.node import Node, Traits, UnaryNode
from feedline.spec import TensorSpec
from feedline.structure import LEAF

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["SampleFromDatasets", "sample_from_datasets"]

_CALL = "sample_from_datasets()"


# ---- what the user calls ---------------------------------------------------


def sample_from_datasets(
    cls: type[Dataset[Any]],
    datasets: Sequence[Dataset[Any]],
    weights: Sequence[float] | Dataset[Any] | Callable[[Any], Any] | None = None,
    seed: int | None = None,
    stop_on_empty_dataset: bool = False,
    rerandomize_each_iteration: bool | None = None,
) -> Dataset[Any]:
    """Return elements of the datasets, each taken from one of them drawn by weight.

    Weights may change on the way: a function of the number of the step gives them, or a
    dataset with one vector of weights per step.

    Args:
        datasets: Their elements must have the same structure and dtypes; shapes may differ.
        weights: How often to draw each dataset: floats, which need not add up to 1, a
            dataset of such vectors, or a function ``step -> weights``. None for equally often.
        seed: Same seed, same choices, on any machine, and the same as tf.data's.
        stop_on_empty_dataset: Whether to end when a dataset is drawn that has ended. False
            draws again instead, which changes the mixture, and ends when all have ended.
        rerandomize_each_iteration: True makes other choices in every epoch and iteration.

    Example:
        >>> import feedline as tf
        >>> a, b = tf.data.Dataset.range(3), tf.data.Dataset.range(10, 13)
        >>> ds = tf.data.Dataset.sample_from_datasets([a, b], [0.7, 0.3], seed=1)
        >>> [int(x) for x in ds]
        [10, 0, 1, 2, 11, 12]
        >>> later = lambda step: [1.0, 0.0] if step < 2 else [0.0, 1.0]
        >>> [int(x) for x in tf.data.Dataset.sample_from_datasets([a, b], later, seed=1).take(4)]
        [0, 1, 10, 11]
    """
    nodes = nodes_of(datasets, _CALL)
    structure = common_structure(_CALL, nodes)
    changes = bool(rerandomize_each_iteration)
    steps = _node_of_weights(weights)
    choices: Node
    if steps is not None:
        choices = WeighedChoices(operation_seed(_CALL, seed), changes, steps, len(nodes))
    else:
        values = _constant_weights(weights, len(nodes))
        drawn = np.flatnonzero(values > 0)
        if len(drawn) == 0:
            return cls.of_node(Take(nodes[0], 0))
        if len(drawn) == 1:
            return cls.of_node(nodes[drawn[0]])
        nodes = tuple(nodes[number] for number in drawn)
        choices = Choices(
            operation_seed(_CALL, seed), changes, tuple(values[drawn].tolist()), values.dtype
        )
    stops = check_flag(_CALL, "stop_on_empty_dataset", stop_on_empty_dataset)
    return cls.of_node(SampleFromDatasets((choices, *nodes), stops, structure))


def _node_of_weights(weights: Any) -> Node | None:
    """Return the node that yields the weights of every step, if they may change."""
    node = getattr(weights, "node", None)
    if isinstance(node, Node):
        return node
    if callable(weights):
        return Map(Counter(0, 1, np.dtype(np.int64)), bound(weights), name="weights")
    return None


def _constant_weights(weights: Any, count: int) -> NDArray[Any]:
    if weights is None:
        return np.ones(count, np.float32)
    given = weights if isinstance(weights, np.ndarray) else list(weights)
    values: NDArray[Any] = ingest(given)
    if values.shape != (count,):
        raise BuildError(
            f"{_CALL}: weights must be one number per dataset, got {describe_leaf(values)} "
            f"for {count} datasets."
        )
    if values.dtype not in (np.float32, np.float64):
        raise BuildTypeError(
            f"{_CALL}: weights must be float32 or float64, got {values.dtype}. "
            "Write them with a decimal point."
        )
    if not ((values >= 0) & np.isfinite(values)).all():
        raise BuildError(f"{_CALL}: weights must be at least 0 and finite, got {values.tolist()}.")
    return values


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class SampleFromDatasets(ChooseFromDatasets):
    """Elements of all inputs but the first, which draws their numbers."""


@dataclass(frozen=True)
class Choices(StreamNode):
    """Numbers of datasets, drawn by weights that never change."""

    weights: tuple[float, ...]
    dtype: np.dtype[Any] = field(repr=False)

    traits: ClassVar[Traits] = Traits(random=True)

    def lower(self, run: Run) -> CursorExec:
        """Seek for free."""
        weights = np.array(self.weights, self.dtype)
        return CursorExec(DrawnChoices(weights, self.stream_seeds(run), run))

    def cardinality(self, inputs: Sequence[int]) -> int:
        """There is no end."""
        return INFINITE_CARDINALITY

    def spec(self, inputs: Sequence[Any]) -> TensorSpec:
        """A scalar."""
        return TensorSpec((), np.int64)


@dataclass(frozen=True)
class WeighedChoices(UnaryNode, StreamNode):
    """Numbers of datasets, each drawn by an element of the input: ``count`` weights."""

    count: int

    traits: ClassVar[Traits] = Traits(rows="same", keeps_order=True, random=True)

    @property
    def place(self) -> str:
        """The method a user called: this node is only a part of it."""
        return f"{_CALL} built at {self.site}"

    def lower(self, run: Run) -> WeighedChoicesExec:
        """Draw for a run of weights at once."""
        return WeighedChoicesExec(run.open(self.input), self, self.stream_seeds(run))

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's."""
        return inputs[0]

    def spec(self, inputs: Sequence[Any]) -> TensorSpec:
        """A scalar."""
        return TensorSpec((), np.int64)


# ---- what runs -------------------------------------------------------------


class DrawnChoices(Endless):
    """Draws by one vector of weights."""

    def __init__(self, weights: NDArray[Any], seeds: tuple[int, int], run: Run) -> None:
        super().__init__(run)
        self._weights = weights
        self._seeds = seeds

    def values(self, start: int, stop: int) -> NDArray[Any]:
        """Return the draws from ``start`` to ``stop``."""
        return pick(self._weights, seeded_uniforms(*self._seeds, start, stop - start))


class WeighedChoicesExec(UnaryExec):
    """Draws by the weights of every step."""

    def __init__(self, stream: Stream, node: WeighedChoices, seeds: tuple[int, int]) -> None:
        super().__init__(stream)
        self._count = node.count
        self._place = node.place
        self._seeds = seeds
        # Not the input's position: a step whose weights could not be read is a step too.
        self._step = 0

    def pull(self, limit: int) -> Block | None:
        """Draw a number by each of the next weights."""
        try:
            block = self.input.pull(limit)
        except Exception:
            self._step += 1
            raise
        if block is None:
            return None
        numbers = self._drawn(block)
        good = numbers < self._count
        done = block.length if good.all() else int(np.argmin(good))
        self.input.give_back(block.length - max(done, 1))
        self._step += max(done, 1)
        if not done:
            raise SpecError(
                f"{self._place}: the weights of step {self._step - 1} must be {self._count} "
                f"numbers, at least one of them above 0, got {block.rows()[0]!r}."
            )
        return Block(LEAF, (Dense(numbers[:done]),), done)

    def _drawn(self, block: Block) -> NDArray[np.int64]:
        """Return a number for every step; ``count`` where the weights are not as they must be."""
        uniforms = seeded_uniforms(*self._seeds, self._step, block.length)
        numbers = np.full(block.length, self._count, np.int64)
        weights = _as_rows(block, self._count)
        if weights is not None:
            return pick(weights, uniforms)
        for step in range(block.length):
            row = _as_rows(block.slice(step, step + 1), self._count)
            if row is None:
                break
            numbers[step] = pick(row, uniforms[step : step + 1])[0]
        return numbers

    def skip(self, count: int) -> int:
        """A draw that is skipped need not be made."""
        gone = self.input.discard(count)
        self._step += gone
        return gone

    def counters(self) -> State:
        """Return the number of the next step."""
        return {"step": self._step}

    def resume(self, counters: State) -> None:
        """Go on with that step."""
        self._step = count_in(counters, "step")


def _as_rows(block: Block, count: int) -> NDArray[Any] | None:
    """Return the weights of every step as rows, or None if they are something else."""
    columns = [column.array for column in block.columns if isinstance(column, Dense)]
    if len(columns) == len(block.columns) == count and block.structure.is_tuple:
        # A function that returns a list gives a tuple of numbers.
        array = np.stack(columns, axis=1) if all(c.ndim == 1 for c in columns) else columns[0]
    elif len(columns) == len(block.columns) == 1:
        array = columns[0]
    elif block.length == 1 and len(block.columns) == 1:
        array = np.asarray(block.columns[0].rows()[0])[None]
    else:
        return None
    if array.shape[1:] != (count,) or array.dtype.kind not in "iuf":
        return None
    return array if array.dtype in (np.float32, np.float64) else array.astype(np.float64)
