"""timeseries: windows over the rows of an array, with what is to be predicted, as a dataset."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.casting import convert_to_tensor
from feedline.arrays.picking import gather
from feedline.data.labelled_folder import batches, drawn_seed
from feedline.dataset import Dataset
from feedline.errors import BuildError, check_at_least
from feedline.options import AUTOTUNE
from feedline.values.tensor import as_plain

__all__ = ["timeseries_dataset_from_array"]

_CALL = "timeseries_dataset_from_array()"


def timeseries_dataset_from_array(
    data: Any,
    targets: Any,
    sequence_length: int,
    sequence_stride: int = 1,
    sampling_rate: int = 1,
    batch_size: int | None = 128,
    shuffle: bool = False,
    seed: int | None = None,
    start_index: int | None = None,
    end_index: int | None = None,
    format: str = "tf",
) -> Dataset[Any]:
    """Return batches of windows over the rows of an array, as ``keras.utils`` does.

    With targets, pairs of a batch of windows and a batch of the targets with the numbers of the
    rows that the windows begin with. With the same seed, the order is that of Keras.

    Args:
        data: An array whose first axis is time.
        targets: An array with the target of the window that begins at each row; None for
            windows alone.
        sequence_length: How many rows a window has.
        sequence_stride: How many rows lie between the beginnings of windows.
        sampling_rate: How many rows lie between the rows of a window.
        batch_size: How many windows make a batch; None for single windows.
        shuffle: Whether the order is random.
        seed: Of the order.
        start_index: The first row that is used.
        end_index: The row after the last one.
        format: "tf".

    Example:
        >>> import numpy as np
        >>> import feedline as tf
        >>> rows = np.arange(6)
        >>> make = tf.keras.utils.timeseries_dataset_from_array
        >>> [[x.tolist(), y.tolist()] for x, y in make(rows, rows[3:] * 10, 3, batch_size=2)]
        [[[[0, 1, 2], [1, 2, 3]], [30, 40]], [[[2, 3, 4]], [50]]]
    """
    rows = _array(data)
    aims = None if targets is None else _array(targets)
    if format != "tf":
        raise BuildError(f"{_CALL}: format must be 'tf', got {format!r}: datasets are Feedline's.")
    first, end = _bounds(start_index, end_index, len(rows))
    length = check_at_least(_CALL, "sequence_length", sequence_length, 1)
    stride = _step("sequence_stride", sequence_stride, len(rows))
    rate = _step("sampling_rate", sampling_rate, len(rows))
    if batch_size is not None:
        check_at_least(_CALL, "batch_size", batch_size, 1)
    count = end - first - (length - 1) * rate
    if aims is not None:
        count = min(count, len(aims))
    starts = np.arange(0, max(count, 0), stride)
    if shuffle:
        seed = drawn_seed() if seed is None else seed
        # The generator of that order is NumPy's old one; it is made here and is nobody else's.
        np.random.RandomState(seed).shuffle(starts)
    within = np.arange(0, length * rate, rate)
    ds = _windows(rows[first:end], None if aims is None else aims[first:end], starts, within)
    ds = ds.prefetch(AUTOTUNE)
    if shuffle:
        ds = ds.shuffle(1024 if batch_size is None else 8 * batch_size, seed=seed)
    return batches(ds, batch_size)


def _array(values: Any) -> NDArray[Any]:
    # Numbers of Python become int32 and float32; those of NumPy and pandas stay what they are.
    plain = isinstance(values, list | tuple)
    return np.asarray(convert_to_tensor(values) if plain else as_plain(values))


def _windows(
    rows: NDArray[Any], aims: NDArray[Any] | None, starts: NDArray[Any], within: NDArray[Any]
) -> Dataset[Any]:
    def window(start: Any) -> Any:
        return gather(rows, start + within)

    def pair(start: Any) -> Any:
        return gather(rows, start + within), gather(aims, start)

    numbers = Dataset.from_tensor_slices(starts)
    return numbers.map(window if aims is None else pair, num_parallel_calls=AUTOTUNE)


def _bounds(start: int | None, end: int | None, count: int) -> tuple[int, int]:
    first = check_at_least(_CALL, "start_index", start or 0, 0)
    if first and first >= count:
        raise BuildError(f"{_CALL}: start_index must be lower than the {count} rows, got {first}.")
    if not end:
        return first, count
    last = check_at_least(_CALL, "end_index", end, 1)
    if last >= count:
        raise BuildError(
            f"{_CALL}: end_index must be lower than the {count} rows, got {last}. Leave it out to "
            "use all."
        )
    if last <= first:
        raise BuildError(
            f"{_CALL}: end_index must be higher than start_index, got {last} and {first}."
        )
    return first, last


def _step(name: str, value: Any, count: int) -> int:
    step = check_at_least(_CALL, name, value, 1)
    if step >= count:
        raise BuildError(f"{_CALL}: {name} must be lower than the {count} rows, got {step}.")
    return step
