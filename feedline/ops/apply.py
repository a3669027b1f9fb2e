"""apply: put a function that transforms a dataset into a chain of methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from feedline.engine.function import check_callable
from feedline.plan.node import node_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset

__all__ = ["apply"]


# ---- what the user calls ---------------------------------------------------


def apply(
    self: Dataset[Any], transformation_func: Callable[[Dataset[Any]], Dataset[Any]]
) -> Dataset[Any]:
    """Return ``transformation_func(self)``, which must be a dataset.

    Args:
        transformation_func: Gets this dataset, returns another.

    Example:
        >>> import feedline as tf
        >>> def evens(ds):
        ...     return ds.filter(lambda x: x % 2 == 0)
        >>> [int(x) for x in tf.data.Dataset.range(5).apply(evens)]
        [0, 2, 4]
    """
    check_callable("apply()", "transformation_func", transformation_func)
    transformed = transformation_func(self)
    node_of(transformed, "apply()", "what transformation_func returns")
    return transformed
