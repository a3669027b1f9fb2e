"""distribute: the part of ``tf.distribute`` that feeds one replica, which every process is.

Where several processes train one model, each has an InputContext of its own, or calls
``Dataset.shard()``. What moves values between devices belongs to the library of the model.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from feedline.arrays.arithmetic import truediv
from feedline.arrays.reducing import reduce_sum
from feedline.contexts import device as device_context
from feedline.dataset import Dataset
from feedline.errors import BuildError, BuildTypeError, check_integer
from feedline.namespace import explains_missing, open_namespace
from feedline.values.publishing import published

__all__ = [
    "InputContext",
    "OneDeviceStrategy",
    "ReduceOp",
    "Strategy",
    "get_strategy",
    "has_strategy",
]


class ReduceOp(enum.Enum):
    """How the values of several replicas become one."""

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation: Any) -> ReduceOp:
        """Raise: there are no variables."""
        raise BuildError(
            f"ReduceOp.from_variable_aggregation(): there are no variables, got {aggregation!r}."
        )


class InputContext:
    """Which of several input pipelines one is, and how many replicas there are.

    Args:
        num_input_pipelines: How many pipelines feed the model together.
        input_pipeline_id: Which of them this one is, from 0.
        num_replicas_in_sync: How many replicas take part in a step.

    Example:
        >>> import feedline as tf
        >>> context = tf.distribute.InputContext(2, 1, num_replicas_in_sync=4)
        >>> ds = tf.data.Dataset.range(8)
        >>> ds = ds.shard(context.num_input_pipelines, context.input_pipeline_id)
        >>> [b.tolist() for b in ds.batch(context.get_per_replica_batch_size(8))]
        [[1, 3], [5, 7]]
    """

    def __init__(
        self,
        num_input_pipelines: int = 1,
        input_pipeline_id: int = 0,
        num_replicas_in_sync: int = 1,
    ) -> None:
        self._pipelines = num_input_pipelines
        self._id = input_pipeline_id
        self._replicas = num_replicas_in_sync

    @property
    def num_input_pipelines(self) -> int:
        """How many pipelines feed the model together."""
        return self._pipelines

    @property
    def input_pipeline_id(self) -> int:
        """Which of them this one is."""
        return self._id

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas take part in a step."""
        return self._replicas

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """Return the share that each replica has of a batch."""
        call = "InputContext.get_per_replica_batch_size()"
        size = check_integer(call, "global_batch_size", global_batch_size)
        if size % self._replicas:
            raise BuildError(
                f"{call}: global_batch_size must be divisible by num_replicas_in_sync, which is "
                f"{self._replicas}, got {size}."
            )
        return size // self._replicas

    def __repr__(self) -> str:
        return f"tf.distribute.InputContext(input pipeline id {self._id}, total: {self._pipelines})"


@explains_missing("tf.distribute.Strategy")
class Strategy:
    """The strategy that there is where none was chosen: one replica, on the processor.

    Example:
        >>> import feedline as tf
        >>> strategy = tf.distribute.get_strategy()
        >>> strategy.num_replicas_in_sync
        1
        >>> [int(x) for x in strategy.experimental_distribute_dataset(tf.data.Dataset.range(2))]
        [0, 1]
    """

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas take part in a step: 1."""
        return 1

    @contextmanager
    def scope(self) -> Iterator[Strategy]:
        """Return a context in which nothing is otherwise."""
        yield self

    def experimental_distribute_dataset(
        self, dataset: Dataset[Any], options: None = None
    ) -> Dataset[Any]:
        """Return the dataset: there is one replica."""
        call = "Strategy.experimental_distribute_dataset()"
        _check_no_options(call, options)
        return _checked(call, "dataset", dataset)

    def distribute_datasets_from_function(
        self, dataset_fn: Callable[[InputContext], Dataset[Any]], options: None = None
    ) -> Dataset[Any]:
        """Return the dataset that a function makes, which gets an InputContext of one pipeline."""
        call = "Strategy.distribute_datasets_from_function()"
        _check_no_options(call, options)
        return _checked(call, "what dataset_fn returns", dataset_fn(InputContext()))

    def run(
        self,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        options: None = None,
    ) -> Any:
        """Return what a function returns, which is called once."""
        _check_no_options("Strategy.run()", options)
        return fn(*args, **(kwargs or {}))

    def reduce(self, reduce_op: ReduceOp | str, value: Any, axis: int | None) -> Any:
        """Return a value, added up or averaged along an axis if one is given."""
        name = str(getattr(reduce_op, "value", reduce_op)).upper()
        if name not in ReduceOp.__members__:
            raise BuildError(
                f"Strategy.reduce(): reduce_op must be ReduceOp.SUM or ReduceOp.MEAN, got "
                f"{reduce_op!r}."
            )
        if axis is None:
            return value
        added = published(reduce_sum)(value, axis=axis)
        return added if name == "SUM" else published(truediv)(added, value.shape[axis])

    def gather(self, value: Any, axis: int) -> Any:
        """Return a value: no other replica has a part of it."""
        return value

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """Return the values of the replicas of this process: one."""
        return (value,)


class OneDeviceStrategy(Strategy):
    """A strategy of one replica, on the processor: another device is refused.

    Args:
        device: Such as "/cpu:0".

    Example:
        >>> import feedline as tf
        >>> tf.distribute.OneDeviceStrategy("/cpu:0").num_replicas_in_sync
        1
    """

    def __init__(self, device: str) -> None:
        device_context(device)
        if "cpu" not in str(device).lower():
            raise BuildError(
                f"OneDeviceStrategy(): device must be the host ('/cpu:0'), got {device!r}: "
                "elements are NumPy arrays. Move each batch where it is used, with "
                "torch.from_numpy(x).to(device) or jax.device_put(x, device)."
            )


_ONLY = Strategy()


def get_strategy() -> Strategy:
    """Return the strategy that there is: one replica, on the processor.

    Example:
        >>> import feedline as tf
        >>> tf.distribute.get_strategy().num_replicas_in_sync
        1
    """
    return _ONLY


def has_strategy() -> bool:
    """Return False: nothing but the strategy of one replica can be chosen.

    Example:
        >>> import feedline as tf
        >>> tf.distribute.has_strategy()
        False
    """
    return False


def _checked(call: str, name: str, dataset: Any) -> Dataset[Any]:
    if not isinstance(dataset, Dataset):
        raise BuildTypeError(
            f"{call}: {name} must be a Dataset, got {dataset!r} of type {type(dataset).__name__}."
        )
    return dataset


def _check_no_options(call: str, options: Any) -> None:
    if options is not None:
        raise BuildError(f"{call}: options must be None: there are no devices, got {options!r}.")


open_namespace(globals())
