"""bucket_by_sequence_length: batch elements with others of about the same length."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.binding import HoldsFunctions
from feedline.engine.function import given_function
from feedline.errors import BuildError, SpecError, check_at_least, check_integer
from feedline.ops.arguments import check_flag
from feedline.ops.group_by_window import GroupByWindow
from feedline.ops.padding import leaf_paddings, shapes_up_to
from feedline.plan.declared import declared_spec, recorded_spec
from feedline.spec import Shape, TensorSpec, array_spec, map_spec
from feedline.structure import structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset

__all__ = ["BucketBySequenceLength", "bucket_by_sequence_length"]

_CALL = "bucket_by_sequence_length()"


# ---- what the user calls ---------------------------------------------------


def bucket_by_sequence_length(
    self: Dataset[Any],
    element_length_func: Callable[..., Any],
    bucket_boundaries: Sequence[int],
    bucket_batch_sizes: Sequence[int],
    padded_shapes: Any = None,
    padding_values: Any = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
    drop_remainder: bool = False,
    name: str | None = None,
) -> Dataset[Any]:
    """Return padded batches of elements whose lengths fall between the same two boundaries.

    Less is padded than with padded_batch(), for the price of another order.

    Args:
        element_length_func: Tells the length of an element.
        bucket_boundaries: Upper bounds (exclusive) of the lengths in all buckets but the last.
        bucket_batch_sizes: Elements per batch of each bucket: one more than boundaries.
        padded_shapes: As in padded_batch().
        padding_values: As in padded_batch().
        pad_to_bucket_boundary: Pad axes whose length is not given to the longest length the
            bucket takes, instead of the longest of the batch. An element too long for the
            last boundary is then an error. Where only running a function before this step
            tells the shapes, those axes are meant that are as long as the element.
        no_padding: Batch elements as they are; all of a batch must have one shape.
        drop_remainder: Leave out batches that are not full.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.from_tensor_slices([1, 4, 2, 5]).map(lambda n: n.repeat(n))
        >>> ds = ds.bucket_by_sequence_length(len, [3], [2, 2])
        >>> [b.tolist() for b in ds]
        [[[1, 0], [2, 2]], [[4, 4, 4, 4, 0], [5, 5, 5, 5, 5]]]
    """
    length_of = given_function(_CALL, "element_length_func", element_length_func)
    boundaries = tuple(check_integer(_CALL, "a boundary", b) for b in bucket_boundaries)
    sizes = tuple(check_at_least(_CALL, "a batch size", n, 1) for n in bucket_batch_sizes)
    if len(sizes) != len(boundaries) + 1:
        raise BuildError(
            f"{_CALL}: there must be one more of bucket_batch_sizes than of bucket_boundaries, "
            f"got {len(sizes)} and {len(boundaries)}."
        )
    if list(boundaries) != sorted(boundaries):
        raise BuildError(f"{_CALL}: bucket_boundaries must rise, got {list(boundaries)}.")
    to_boundary = check_flag(_CALL, "pad_to_bucket_boundary", pad_to_bucket_boundary)
    declared = declared_spec(self.node)
    known = recorded_spec(self.node) if to_boundary and declared is None else declared
    buckets = _Buckets(
        length_of,
        boundaries,
        sizes,
        padded_shapes,
        padding_values,
        to_boundary,
        check_flag(_CALL, "no_padding", no_padding),
        check_flag(_CALL, "drop_remainder", drop_remainder),
        _shapes_in(known),
    )
    if declared is not None:
        buckets.spec(declared)
    return self.then(
        BucketBySequenceLength(
            self.node,
            _BucketOf(length_of, boundaries),
            buckets,
            None,
            _SizeOf(sizes),
            type(self),
            least_size=min(sizes),
            bucket_boundaries=boundaries,
            bucket_batch_sizes=sizes,
            name=name,
        )
    )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class BucketBySequenceLength(GroupByWindow):
    """A group_by_window whose keys are buckets of lengths."""

    reduce_func: _Buckets = field(repr=False)
    window_size: None = field(repr=False)
    window_size_func: _SizeOf = field(repr=False)
    bucket_boundaries: tuple[int, ...] = field(kw_only=True)
    bucket_batch_sizes: tuple[int, ...] = field(kw_only=True)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """As padded, or as batched; the batch size differs between buckets."""
        return self.reduce_func.spec(inputs[0])


# ---- what runs -------------------------------------------------------------


@dataclass(frozen=True)
class _BucketOf(HoldsFunctions):
    """The number of the bucket an element belongs to."""

    length_of: Callable[..., Any]
    boundaries: tuple[int, ...]

    @property
    def __name__(self) -> str:
        return str(getattr(self.length_of, "__name__", type(self.length_of).__name__))

    def __call__(self, *element: Any) -> int:
        length = check_integer(_CALL, "a length", self.length_of(*element))
        return bisect_right(self.boundaries, length)


@dataclass(frozen=True)
class _SizeOf:
    """The batch size of a bucket."""

    sizes: tuple[int, ...]

    def __call__(self, bucket: Any) -> int:
        return self.sizes[int(bucket)]


@dataclass(frozen=True)
class _Buckets(HoldsFunctions):
    """Makes the batch of the elements of a bucket."""

    length_of: Callable[..., Any]
    boundaries: tuple[int, ...]
    sizes: tuple[int, ...]
    padded_shapes: Any
    padding_values: Any
    to_boundary: bool
    no_padding: bool
    drop_remainder: bool
    known_shapes: tuple[Shape, ...] | None

    def spec(self, element_spec: Any) -> Any:
        """Return the spec of the batches."""
        if self.no_padding:
            return map_spec(lambda leaf: leaf.batch_spec(None), element_spec)
        structure = structure_of(element_spec)
        paddings = leaf_paddings(structure, self.padded_shapes, self.padding_values)
        leaves = zip(paddings, structure.flatten(element_spec), strict=True)
        return structure.pack([padding.batch_spec(leaf, None) for padding, leaf in leaves])

    def __call__(self, bucket: Any, window: Dataset[Any]) -> Dataset[Any]:
        size = self.sizes[bucket]
        if self.no_padding:
            return window.batch(size, self.drop_remainder)
        shapes = self.padded_shapes
        if self.to_boundary:
            if bucket == len(self.boundaries):
                raise SpecError(
                    f"{_CALL}: with pad_to_bucket_boundary every element must be shorter than the "
                    f"last of bucket_boundaries, got one that is not: {list(self.boundaries)}."
                )
            shapes = self._shapes(window, self.boundaries[bucket] - 1)
        return window.padded_batch(size, shapes, self.padding_values, self.drop_remainder)

    def _shapes(self, window: Dataset[Any], length: int) -> Any:
        """Return the padded shapes with ``length`` in the place of every unknown one."""
        structure = structure_of(window.element_spec)
        if self.padded_shapes is not None:
            shapes = shapes_up_to(structure, self.padded_shapes)
        elif self.known_shapes is not None:
            shapes = list(self.known_shapes)
        else:
            shapes = self._shapes_by_length(list(window))
        known = [tuple(length if n is None else n for n in shape or ()) for shape in shapes]
        return structure.pack([list(shape) for shape in known])

    def _shapes_by_length(self, elements: list[Any]) -> list[Shape]:
        """Return shapes with None for axes that differ, or are as long as the element."""
        structure = structure_of(elements[0])
        arguments = elements if structure.is_tuple else [(element,) for element in elements]
        lengths = np.array([int(self.length_of(*element)) for element in arguments])
        leaves = zip(*(structure.flatten(element) for element in elements), strict=True)
        shapes: list[Shape] = []
        for leaf in leaves:
            axes = zip(*map(np.shape, leaf), strict=True)
            shapes.append(tuple(_axis(np.array(axis), lengths) for axis in axes))
        return shapes


def _shapes_in(spec: Any) -> tuple[Shape, ...] | None:
    """Return the shapes of the leaves of a spec, or None if a rank is not known."""
    if spec is None:
        return None
    leaves = [array_spec(leaf) for leaf in structure_of(spec).flatten(spec)]
    shapes = tuple(leaf.shape if isinstance(leaf, TensorSpec) else () for leaf in leaves)
    return None if None in shapes else shapes


def _axis(sizes: Any, lengths: Any) -> int | None:
    differs = (sizes != sizes[0]).any() or (sizes == lengths).all()
    return None if differs else int(sizes[0])
