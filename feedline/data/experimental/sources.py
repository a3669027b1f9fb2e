"""sources: datasets out of nothing, or out of others, in the old form of methods of Dataset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.dataset import Dataset

if TYPE_CHECKING:
    from feedline.plan.node import Node

__all__ = ["Counter", "RandomDataset", "choose_from_datasets", "sample_from_datasets"]


def Counter(start: Any = 0, step: Any = 1, dtype: Any = np.int64) -> Dataset[Any]:  # noqa: N802
    """Return Dataset.counter(): ``start``, ``start + step`` and so on, for ever.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.experimental.Counter(5, 2).take(3)]
        [5, 7, 9]
    """
    return Dataset.counter(start, step, dtype)


class RandomDataset(Dataset[Any]):
    """Dataset.random() as a class: integers from 0 to 2**32 - 1, for ever.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.experimental.RandomDataset(seed=5).take(2)]
        [3568415791, 2798973839]
    """

    def __init__(
        self,
        seed: int | None = None,
        rerandomize_each_iteration: bool | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(Dataset.random(seed, rerandomize_each_iteration, name).node)

    @classmethod
    def of_node(cls, node: Node) -> Dataset[Any]:
        """Return a dataset that ends with ``node``."""
        return Dataset(node)

    def __reduce__(self) -> tuple[Any, ...]:
        return Dataset, (self.node,)


def choose_from_datasets(
    datasets: Sequence[Dataset[Any]],
    choice_dataset: Dataset[Any],
    stop_on_empty_dataset: bool = False,
) -> Dataset[Any]:
    """Return Dataset.choose_from_datasets(), which here goes on when a dataset has ended.

    Example:
        >>> import feedline as tf
        >>> two = [tf.data.Dataset.from_tensors(n).repeat(2) for n in (1, 2)]
        >>> choice = tf.data.Dataset.from_tensor_slices(tf.constant([1, 0, 1, 1, 0], tf.int64))
        >>> [int(x) for x in tf.data.experimental.choose_from_datasets(two, choice)]
        [2, 1, 2, 1]
    """
    return Dataset.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)


def sample_from_datasets(
    datasets: Sequence[Dataset[Any]],
    weights: Sequence[float] | Dataset[Any] | Callable[[Any], Any] | None = None,
    seed: int | None = None,
    stop_on_empty_dataset: bool = False,
) -> Dataset[Any]:
    """Return Dataset.sample_from_datasets(): elements of datasets drawn by weight.

    Example:
        >>> import feedline as tf
        >>> two = [tf.data.Dataset.from_tensors(n).repeat(3) for n in (1, 2)]
        >>> sorted(int(x) for x in tf.data.experimental.sample_from_datasets(two, seed=1))
        [1, 1, 1, 2, 2, 2]
    """
    return Dataset.sample_from_datasets(datasets, weights, seed, stop_on_empty_dataset)
