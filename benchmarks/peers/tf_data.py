"""tf_data: the workloads with tf.data, run by an interpreter that has TensorFlow.

Says hello with one JSON line, then makes one pass for every line it reads. A pass ends with
its last element: freeing an iterator can wait a second or more for the tuner's thread to wake
up, which is not what is compared here. With ``untuned`` as second argument the tuner is off,
which is faster for small elements.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
import tensorflow as tf
import workloads as w

# Makes one pass; returns how many elements there were, and the seconds it took.
Pass = Callable[[], tuple[int, float]]


def arrays_shuffle_batch() -> Pass:
    """Shuffle rows through a buffer, batch."""
    ds = tf.data.Dataset.from_tensor_slices(w.rows()).shuffle(w.SHUFFLE_BUFFER, seed=1)
    return _rows_of(ds.batch(w.BATCH).prefetch(tf.data.AUTOTUNE))


def arrays_batch_views() -> Pass:
    """Batch rows."""
    ds = tf.data.Dataset.from_tensor_slices(w.rows())
    return _rows_of(ds.batch(w.BATCH).prefetch(tf.data.AUTOTUNE))


def windows() -> Pass:
    """Sliding windows of a series, batched."""
    ds = tf.data.Dataset.from_tensor_slices(w.series(20_000))
    ds = ds.window(w.WINDOW, shift=1, drop_remainder=True)
    ds = ds.flat_map(lambda window: window.batch(w.WINDOW, drop_remainder=True))
    return _rows_of(ds.batch(w.WINDOW_BATCH).prefetch(tf.data.AUTOTUNE))


def padded_batch() -> Pass:
    """Pad sequences to the longest of their batch. A map turns ragged rows into tensors."""
    ragged = tf.RaggedTensor.from_row_splits(*w.tokens())
    ds = tf.data.Dataset.from_tensor_slices(ragged).map(lambda row: row)
    return _rows_of(ds.padded_batch(w.PADDED_BATCH).prefetch(tf.data.AUTOTUNE))


def map_filter_batch() -> Pass:
    """Small functions on numbers. A tenth of them: a pass would take minutes."""
    count = w.NUMBERS // 10
    ds = tf.data.Dataset.range(count).map(lambda x: x * 2 + 1).filter(lambda x: x % 3 == 0)
    inner = _rows_of(ds.batch(w.NUMBERS_BATCH))
    return lambda: (count, inner()[1])


def map_images() -> Pass:
    """Cast and scale images."""
    ds = tf.data.Dataset.from_tensor_slices(w.grey_images(5_000))
    ds = ds.map(lambda x: tf.cast(x, tf.float32) / 255, num_parallel_calls=tf.data.AUTOTUNE)
    return _rows_of(ds.batch(32).prefetch(tf.data.AUTOTUNE))


def python_function() -> Pass:
    """Call a Python function on every element."""
    ds = tf.data.Dataset.range(5_000)
    ds = ds.map(lambda x: tf.numpy_function(_add_one, [x], tf.int64, stateful=False))
    return _rows_of(ds.batch(w.BATCH))


def _add_one(x: Any) -> Any:
    return x + 1


def state_size() -> Pass:
    """Return the bytes of an iterator's state in the middle of a shuffle."""
    ds = tf.data.Dataset.from_tensor_slices(w.images()).shuffle(1_000, seed=1)
    iterator = ds.batch(32).prefetch(8).as_numpy_iterator()
    for _ in range(10):
        next(iterator)
    return lambda: (len(np.asarray(iterator.save()).item()), 0.0)


def _rows_of(ds: Any) -> Pass:
    options = tf.data.Options()
    options.autotune.enabled = sys.argv[2:] != ["untuned"]
    ds = ds.with_options(options)

    def run() -> tuple[int, float]:
        started = perf_counter()
        iterator = ds.as_numpy_iterator()
        count = sum(len(batch) for batch in iterator)
        return count, perf_counter() - started

    return run


def main() -> None:
    """Serve one workload."""
    try:
        run = globals()[sys.argv[1]]()
    except Exception as error:  # the benchmark goes on without this peer, and says why
        _say({"error": f"{type(error).__name__}: {error}"})
        return
    _say({"tensorflow": tf.__version__, "numpy": np.__version__})
    for _ in sys.stdin:
        count, seconds = run()
        _say({"count": count, "seconds": seconds})


def _say(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
