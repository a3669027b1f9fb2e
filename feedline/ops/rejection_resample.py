"""rejection_resample: leave out or repeat elements until their classes have a given distribution.

Elements come from two readings of the input: as it is, and with elements of too frequent
classes rejected at random. Each element is taken from one of the two, drawn by weight, so
that as few as possible are rejected. Draws are those of tf.data for the same seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.binding import HoldsFunctions
from feedline.block import Block
from feedline.column import Column, Dense
from feedline.engine.exec import Exec, State
from feedline.engine.function import given_function
from feedline.engine.grouping import GroupingExec
from feedline.errors import BuildError, SpecError
from feedline.ids import mix
from feedline.kernels.philox import philox_stream
from feedline.ops.map import Map
from feedline.ops.seeded import StreamNode, function_seed, stream_seeds
from feedline.ops.shares import Shares
from feedline.plan.node import Traits, UnaryNode
from feedline.spec import TensorSpec
from feedline.structure import LEAF

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["AcceptByClass", "WeightsByClass", "rejection_resample"]

_CALL = "rejection_resample()"
# TensorFlow reserves so many numbers of the stream for one draw of an operation.
_NUMBERS_PER_DRAW = 1024


# ---- what the user calls ---------------------------------------------------


def rejection_resample(
    self: Dataset[Any],
    class_func: Callable[..., Any],
    target_dist: Any,
    initial_dist: Any = None,
    seed: int | None = None,
    name: str | None = None,
) -> Dataset[Any]:
    """Return pairs ``(class, element)`` whose classes have about the distribution asked for.

    Args:
        class_func: Tells the class of an element, from 0 on.
        target_dist: The share of each class in what comes out.
        initial_dist: The share of each class in what goes in. It is estimated on the way
            if it is not given.
        seed: Same seed, same choices, on any machine, and the same as tf.data's.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(100).map(lambda x: int(x % 10 == 0))
        >>> ds = ds.rejection_resample(lambda x: x, [0.5, 0.5], [0.9, 0.1], seed=1)
        >>> sum(int(x) for _, x in ds.take(20))
        8
    """
    class_func = given_function(_CALL, "class_func", class_func)
    draws = function_seed(_CALL, seed)
    target = _distribution("target_dist", target_dist)
    with_class = Map(self.node, _AddClass(class_func), name=name)
    kept: float | None = None
    initial = None
    if initial_dist is not None:
        initial = _distribution("initial_dist", initial_dist)
        if len(initial) != len(target):
            raise BuildError(
                f"{_CALL}: target_dist and initial_dist must be equally long, got {len(target)} "
                f"and {len(initial)} classes."
            )
        with np.errstate(divide="ignore", invalid="ignore"):
            kept = float(np.min(target / initial))
        if kept == 1:
            return self.then(with_class)
    wanted = tuple(target.tolist())
    given = None if initial is None else tuple(initial.tolist())
    accepted = self.then(AcceptByClass(draws, False, with_class, wanted, given, name=name))
    if kept == 0:
        return accepted
    if given is None:
        classes = Map(self.node, class_func, name=name)
        weights = self.then(WeightsByClass(classes, wanted, name=name))
    else:
        weights = type(self).from_tensors(Shares(wanted, given).weights()).repeat()
    return type(self).sample_from_datasets(
        [self.then(with_class), accepted],
        weights=weights,
        seed=seed,
        stop_on_empty_dataset=True,
    )


def _distribution(what: str, given: Any) -> NDArray[np.float32]:
    shares: NDArray[np.float32] = np.asarray(given, np.float32)
    if shares.ndim != 1 or not len(shares) or (shares < 0).any() or abs(shares.sum() - 1) > 1e-3:
        raise BuildError(
            f"{_CALL}: {what} must be one number of at least 0 per class that add up to 1, "
            f"got {given!r}."
        )
    return shares


@dataclass(frozen=True)
class _AddClass(HoldsFunctions):
    """Makes a pair of an element's class and the element."""

    class_func: Callable[..., Any]

    @property
    def __name__(self) -> str:
        return str(getattr(self.class_func, "__name__", type(self.class_func).__name__))

    def __call__(self, *element: Any) -> tuple[Any, Any]:
        return self.class_func(*element), element[0] if len(element) == 1 else element


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class AcceptByClass(UnaryNode, StreamNode):
    """Pairs of class and element, rejected at random by class."""

    target: tuple[float, ...] = field(repr=False)
    initial: tuple[float, ...] | None = field(repr=False)

    traits: ClassVar[Traits] = Traits(rows="fewer", keeps_order=True, random=True)

    def lower(self, run: Run) -> AcceptByClassExec:
        """Draw once per element."""
        return AcceptByClassExec(run.open(self.input), self, self._draw_seeds(run))

    def _draw_seeds(self, run: Run) -> tuple[int, int]:
        """Return the seeds of this epoch; in the first they are tf.data's."""
        seeds = stream_seeds(self, run)
        if seeds is None:
            return mix(run.key(self.number), run.scope.key), 0
        program, step = seeds
        epoch = run.scope.epoch
        return (mix(program, epoch) if epoch else program), step

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]


@dataclass(frozen=True)
class WeightsByClass(UnaryNode):
    """Of classes, for every element the weights of the input as it is and with rejections."""

    target: tuple[float, ...] = field(repr=False)

    traits: ClassVar[Traits] = Traits(keeps_order=True)

    def lower(self, run: Run) -> Exec:
        """Count classes as they come."""
        return WeightsByClassExec(run.open(self.input), Shares(self.target, None))

    def spec(self, inputs: Sequence[Any]) -> TensorSpec:
        """Two weights."""
        return TensorSpec((2,), np.float32)


# ---- what runs -------------------------------------------------------------


class AcceptByClassExec(GroupingExec):
    """Reads as many elements as share one estimate, and rejects some of them."""

    def __init__(self, stream: Stream, node: AcceptByClass, seeds: tuple[int, int]) -> None:
        self._shares = Shares(node.target, node.initial)
        super().__init__(stream, self._shares.every, drop_remainder=False)
        self._counts = node.initial is None
        self._seeds = seeds

    def pull(self, limit: int) -> Block | None:
        """Read until some elements are accepted."""
        while (block := super().pull(max(1, limit // self._size))) is not None:
            if block.length:
                return block
        return None

    def group(self, block: Block, first: int) -> Block:
        """Return the elements of a block that are accepted."""
        classes = _classes(block.columns[0])
        likely = np.empty(block.length, np.float32)
        unknown = (classes < 0) | (classes >= len(self._shares.seen))
        if unknown.any():
            at = int(np.argmax(unknown))
            raise SpecError(
                f"{_CALL}: the class of element {first + at} must be from 0 to "
                f"{len(self._shares.seen) - 1}, as target_dist says, got {classes[at]}."
            )
        step = self._size if self._counts else block.length
        for start in range(0, block.length, step):
            members = slice(start, start + step)
            if self._counts:
                self._shares.count(classes[members])
            likely[members] = self._shares.acceptance()[classes[members]]
        drawn = [self._draw(first + number) for number in range(block.length)]
        return block.select(np.array(drawn, np.float32) < likely)

    def _draw(self, position: int) -> np.float32:
        (word,) = philox_stream(*self._seeds, _NUMBERS_PER_DRAW * position, 1)
        bits = np.uint32(0x3F800000) | (word & np.uint32(0x7FFFFF))
        return np.float32(bits.view(np.float32) - np.float32(1))

    # Which elements are rejected has to be drawn: there is no cheaper way past them.
    skip = Exec.skip

    def state(self) -> State:
        """Return the classes seen besides."""
        return {**super().state(), "seen": self._shares.seen.tolist()}

    def resume(self, counters: State) -> None:
        """Go on counting from there."""
        super().resume(counters)
        self._shares.restore(counters["seen"])


class WeightsByClassExec(GroupingExec):
    """Counts classes, and returns the weights that follow for as many elements."""

    def __init__(self, stream: Stream, shares: Shares) -> None:
        super().__init__(stream, shares.every, drop_remainder=False)
        self._shares = shares

    def pull(self, limit: int) -> Block | None:
        """Return the weights after the next estimates."""
        return super().pull(max(1, limit // self._size))

    def group(self, block: Block, first: int) -> Block:
        """Return each estimate's weights, repeated."""
        classes = _classes(block.columns[0])
        weights = []
        for start in range(0, block.length, self._size):
            self._shares.count(classes[start : start + self._size])
            weights.append(self._shares.weights())
        rows = np.repeat(np.array(weights), self._size, axis=0)
        return Block(LEAF, (Dense(rows),), len(rows))

    # Classes have to be counted: there is no cheaper way past them.
    skip = Exec.skip

    def state(self) -> State:
        """Return the classes seen besides."""
        return {**super().state(), "seen": self._shares.seen.tolist()}

    def resume(self, counters: State) -> None:
        """Go on counting from there."""
        super().resume(counters)
        self._shares.restore(counters["seen"])


def _classes(column: Column) -> NDArray[np.int64]:
    """Return the classes as integers, or raise SpecError."""
    array = column.array if isinstance(column, Dense) else None
    if array is None or array.ndim != 1 or array.dtype.kind not in "iu":
        raise SpecError(
            f"{_CALL}: class_func must return an integer, got {column.rows()[0]!r} for one element."
        )
    return array.astype(np.int64)
