"""pad_to_cardinality: add elements of zeros until there are as many as wanted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from feedline.block import Block
from feedline.column import Column, Dense, Objects
from feedline.engine.access import Access
from feedline.engine.exec import State, UnaryExec, count_in
from feedline.errors import BuildError, BuildTypeError, check_at_least
from feedline.ids import mix_ids
from feedline.leaf_spec import TensorSpec
from feedline.plan.node import Traits, UnaryNode, node_of
from feedline.structure import Structure, structure_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numpy.typing import NDArray

    from feedline.dataset import Dataset
    from feedline.engine.run import Run

__all__ = ["PadToCardinality", "pad_to_cardinality"]

_PADDING = 0x9AD


# ---- what the user calls ---------------------------------------------------


def pad_to_cardinality(
    cardinality: int, mask_key: Hashable = "valid"
) -> Callable[[Dataset[Any]], Dataset[Any]]:
    """Return a transformation that pads a dataset of dicts, for ``Dataset.apply()``.

    Every element gets an entry ``mask_key``: true for real ones, false for padding, whose
    other entries are zeros and empty strings.

    Args:
        cardinality: How many elements there shall be. There may not be more already.
        mask_key: The key to add; an entry of that name is replaced.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.from_tensor_slices({"a": [1, 2]})
        >>> pad = tf.data.experimental.pad_to_cardinality(3)
        >>> [(int(x["a"]), bool(x["valid"])) for x in pad(ds)]
        [(1, True), (2, True), (0, False)]
    """
    call = "pad_to_cardinality()"
    target = check_at_least(call, "cardinality", cardinality, 0)

    def apply(dataset: Dataset[Any]) -> Dataset[Any]:
        node = node_of(dataset, call, "dataset")
        found = dataset.cardinality()
        if not 0 <= found <= target:
            raise BuildError(
                f"{call}: the dataset must have a known cardinality of at most {target}, "
                f"got {found}. Use assert_cardinality() to declare it."
            )
        spec = dataset.element_spec
        if not isinstance(spec, dict):
            raise BuildTypeError(f"{call}: elements must be dicts, got {structure_of(spec)}.")
        _check_shapes(call, spec)
        return dataset.then(PadToCardinality(node, target, mask_key, spec))

    return apply


def _check_shapes(call: str, spec: Any) -> None:
    structure = structure_of(spec)
    for path, leaf in zip(structure.paths(), structure.flatten(spec), strict=True):
        known = isinstance(leaf, TensorSpec) and leaf.shape is not None and None not in leaf.shape
        if not known:
            raise BuildError(
                f"{call}: every shape must be known to make padding of it, got {leaf} at {path}. "
                "Make the elements equal in a map() before."
            )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class PadToCardinality(UnaryNode):
    """The input with a mask, and elements of zeros up to ``target``."""

    target: int
    mask_key: Hashable
    element_spec: Any = field(repr=False, compare=False)

    traits: ClassVar[Traits] = Traits(rows="more", keeps_order=True)

    def lower(self, run: Run) -> PadToCardinalityExec:
        """Go on with zeros after the end."""
        return PadToCardinalityExec(self, run)

    def access(self, run: Run) -> Access | None:
        """The input, and zeros behind it."""
        inner = self.input.access(run)
        return None if inner is None else PadToCardinalityAccess(inner, self, run)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """As asked."""
        return self.target

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's, with the mask."""
        return _with_entry(inputs[0], self.mask_key, TensorSpec((), np.bool_))


# ---- what runs -------------------------------------------------------------


class Padding:
    """Adds masks, and makes elements of zeros that look like those seen."""

    def __init__(self, node: PadToCardinality, run: Run) -> None:
        self._run = run
        self._mask_key = node.mask_key
        structure = structure_of(node.element_spec)
        self._structure = structure
        self._leaves = structure.flatten(node.element_spec)
        # For each leaf, whether strings are str: a spec does not tell str from bytes.
        self.is_str: list[bool] = [False] * len(self._leaves)

    def look_at(self, block: Block) -> None:
        """Remember what kind of strings there are."""
        rows = [c.slice(0, 1).rows()[0] for c in block.aligned(self._structure).columns]
        self.is_str = [_holds_str(row) for row in rows]

    def masked(self, block: Block, valid: bool) -> Block:
        """Return the block with its masks."""
        numbers = block.structure.pack(range(block.structure.num_leaves))
        order = _with_entry(numbers, self._mask_key, -1)
        structure: Structure = structure_of(order)
        mask = Dense(np.full(block.length, valid))
        columns = [block.columns[i] if i >= 0 else mask for i in structure.flatten(order)]
        return Block(structure, tuple(columns), block.length, block.ids)

    def zeros(self, first: int, count: int) -> Block:
        """Return ``count`` elements of padding, the first of which is the ``first``-th."""
        pairs = zip(self._leaves, self.is_str, strict=True)
        columns = tuple(_zero_column(leaf, is_str, count) for leaf, is_str in pairs)
        ids = None
        if self._run.with_ids:
            ids = mix_ids(self._run.scope.ids(np.arange(first, first + count)), _PADDING)
        return self.masked(Block(self._structure, columns, count, ids), False)


class PadToCardinalityExec(UnaryExec):
    """How much padding went out; what came before is the input's position."""

    def __init__(self, node: PadToCardinality, run: Run) -> None:
        super().__init__(run.open(node.input))
        self._target = node.target
        self._padding = Padding(node, run)
        self._seen = False
        self._padded = 0

    def pull(self, limit: int) -> Block | None:
        """Pass on elements, then padding."""
        if not self._padded:
            block = self.input.pull(limit)
            if block is not None:
                if not self._seen:
                    self._padding.look_at(block)
                    self._seen = True
                return self._padding.masked(block, True)
        first = self._padded
        count = min(limit, self._target - self.input.position - first)
        self._padded += max(count, 0)
        return self._padding.zeros(first, count) if count > 0 else None

    def counters(self) -> State:
        """Return what was padded, and what kind of strings were seen."""
        return {"padded": self._padded, "seen": self._seen, "is_str": self._padding.is_str}

    def resume(self, counters: State) -> None:
        """Take it back."""
        self._padded, self._seen = count_in(counters, "padded"), bool(counters["seen"])
        self._padding.is_str = list(counters["is_str"])


class PadToCardinalityAccess(Access):
    """The elements of another Access, and padding behind them."""

    def __init__(self, inner: Access, node: PadToCardinality, run: Run) -> None:
        self._inner = inner
        self._length = node.target
        self._padding = Padding(node, run)
        self._seen = False
        self.calls_user = inner.calls_user

    def __len__(self) -> int:
        return self._length

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return elements and padding, each in its place."""
        real = len(self._inner)
        if not self._seen and real:
            self._padding.look_at(self._inner.run(0, 1))
            self._seen = True
        inside = index < real
        blocks = [self._padding.zeros(i - real, 1) for i in index[~inside].tolist()]
        if inside.any():
            blocks.insert(0, self._padding.masked(self._inner.gather(index[inside]), True))
        order = np.argsort(np.argsort(~inside, kind="stable"), kind="stable")
        return Block.concat(blocks).take(order)


def _with_entry(element: Any, key: Hashable, value: Any) -> Any:
    changed = type(element)(element)
    changed[key] = value
    return changed


def _holds_str(leaf: Any) -> bool:
    while isinstance(leaf, np.ndarray) and leaf.dtype == object and leaf.size:
        leaf = leaf.flat[0]
    return isinstance(leaf, str)


def _zero_column(leaf: TensorSpec, is_str: bool, count: int) -> Column:
    shape = (count, *(n or 0 for n in leaf.shape or ()))
    if leaf.dtype != object:
        return Dense(np.zeros(shape, leaf.dtype))
    empty = "" if is_str else b""
    return Dense(np.full(shape, empty, object)) if len(shape) > 1 else Objects([empty] * count)
