"""variant: a dataset as an opaque handle, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from feedline.dataset import Dataset
from feedline.errors import BuildTypeError, SpecError
from feedline.spec import specs_agree

__all__ = ["Variant", "from_variant", "to_variant"]


@dataclass(frozen=True)
class Variant:
    """A handle on a dataset. tf.data has a tensor here; this one just holds the dataset."""

    __feedline_leaf__: ClassVar[bool] = True

    dataset: Dataset[Any]


def to_variant(dataset: Dataset[Any]) -> Variant:
    """Return a handle on a dataset, for from_variant().

    Example:
        >>> import feedline as tf
        >>> handle = tf.data.experimental.to_variant(tf.data.Dataset.range(3))
        >>> ds = tf.data.experimental.from_variant(handle, tf.TensorSpec((), tf.int64))
        >>> len(ds)
        3
    """
    if not isinstance(dataset, Dataset):
        raise BuildTypeError(f"to_variant(): dataset must be a Dataset, got {dataset!r}.")
    return Variant(dataset)


def from_variant(variant: Variant, structure: Any) -> Dataset[Any]:
    """Return the dataset of a handle.

    Args:
        variant: What to_variant() returned.
        structure: The spec of its elements; another one is refused.
    """
    if not isinstance(variant, Variant):
        raise BuildTypeError(
            f"from_variant(): variant must be what to_variant() returned, got {variant!r}."
        )
    found = variant.dataset.element_spec
    if not specs_agree(found, structure):
        raise SpecError(f"from_variant(): the dataset has elements of {found}, not {structure}.")
    return variant.dataset
