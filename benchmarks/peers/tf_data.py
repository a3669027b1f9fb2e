"""tf_data: the workloads with tf.data, run by an interpreter that has TensorFlow.

Says hello with one JSON line, then makes one pass for every line it reads. A pass ends with
its last element: freeing an iterator can wait a second or more for the tuner's thread to wake
up, which is not what is compared here. With ``untuned`` as second argument the tuner is off,
which is faster for small elements.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from time import perf_counter, sleep
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


def resize_images() -> Pass:
    """Resize photos, called one by one: no pipeline in between."""
    photos = [tf.constant(photo) for photo in w.photos()]

    def run() -> tuple[int, float]:
        started = perf_counter()
        count = sum(len(tf.image.resize(photo, (224, 224))) > 0 for photo in photos)
        return count, perf_counter() - started

    return run


def strings_words() -> Pass:
    """Lower, strip and split lines. A part of them: a pass would take long."""
    ds = tf.data.Dataset.from_tensor_slices(w.sentences(5_000))
    ds = ds.map(lambda line: tf.strings.split(tf.strings.strip(tf.strings.lower(line))))
    options = tf.data.Options()
    options.autotune.enabled = sys.argv[2:] != ["untuned"]
    ds = ds.with_options(options)

    def run() -> tuple[int, float]:
        started = perf_counter()
        count = sum(1 for _ in ds.as_numpy_iterator())
        return count, perf_counter() - started

    return run


def strings_numbers() -> Pass:
    """Read numbers from text, batch."""
    ds = tf.data.Dataset.from_tensor_slices(w.numerals(20_000))
    return _rows_of(ds.map(lambda text: tf.strings.to_number(text)).batch(w.BATCH))


def strings_number_batches() -> Pass:
    """Read numbers from batches of text."""
    ds = tf.data.Dataset.from_tensor_slices(w.numerals()).batch(w.BATCH)
    return _rows_of(ds.map(lambda text: tf.strings.to_number(text)))


def python_function() -> Pass:
    """Call a Python function on every element."""
    ds = tf.data.Dataset.range(5_000)
    ds = ds.map(lambda x: tf.numpy_function(_add_one, [x], tf.int64, stateful=False))
    return _rows_of(ds.batch(w.BATCH))


def parse_example() -> Pass:
    """Read records, batch, parse each batch."""
    return _parsed(_records())


def parse_example_in_turns() -> Pass:
    """Read several files at once, a record of each in turn; batch, parse each batch."""
    ds = tf.data.Dataset.from_tensor_slices(w.example_files()).interleave(
        tf.data.TFRecordDataset,
        cycle_length=w.EXAMPLES_CYCLE,
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    return _parsed(ds)


def parse_example_in_parallel() -> Pass:
    """The same, as many at once as the reader itself finds right."""
    return _parsed(tf.data.TFRecordDataset(w.example_files(), num_parallel_reads=tf.data.AUTOTUNE))


def _parsed(records: Any) -> Pass:
    ds = records.batch(w.EXAMPLES_BATCH).map(
        lambda texts: tf.io.parse_example(texts, w.example_features(tf)),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    return _rows_of(ds.prefetch(tf.data.AUTOTUNE), lambda found: len(found["label"]))


def parse_single_example() -> Pass:
    """Read records, parse each, shuffle, batch."""
    ds = _records().map(
        lambda text: tf.io.parse_single_example(text, w.example_features(tf)),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    ds = ds.shuffle(w.SHUFFLE_BUFFER, seed=1).batch(w.EXAMPLES_BATCH)
    return _rows_of(ds.prefetch(tf.data.AUTOTUNE), lambda found: len(found["label"]))


def tfrecord_read() -> Pass:
    """Read records and batch them; what counts is the size of the files."""
    options = tf.data.Options()
    options.autotune.enabled = sys.argv[2:] != ["untuned"]
    ds = _records().batch(w.EXAMPLES_BATCH).with_options(options)
    size = sum(map(os.path.getsize, w.example_files()))

    def run() -> tuple[int, float]:
        started = perf_counter()
        for _ in ds:
            pass
        return size, perf_counter() - started

    return run


def text_lines() -> Pass:
    """Read lines, batch."""
    ds = tf.data.TextLineDataset(os.environ[w.TABLE_FILE])
    return _rows_of(ds.batch(w.TABLE_BATCH).prefetch(tf.data.AUTOTUNE))


def csv_columns() -> Pass:
    """Read the columns of a table, batch. A part of it: a pass would take long."""
    ds = tf.data.experimental.CsvDataset(os.environ[w.TABLE_FILE], w.table_defaults())
    ds = ds.take(50_000).batch(w.TABLE_BATCH).map(lambda *columns: columns[0])
    return _rows_of(ds.prefetch(tf.data.AUTOTUNE))


def autotune_jpeg() -> Pass:
    """Decode and resize images."""
    encoded = tf.constant(np.load(os.environ[w.JPEG_FILE], allow_pickle=True).tolist())

    def decode(number: Any) -> Any:
        image = tf.io.decode_jpeg(encoded[number % 64])
        return tf.image.resize(image, (224, 224)) / 255

    return _last_seconds_of(_forever(decode))


def autotune_python() -> Pass:
    """Call a function in plain Python."""

    def bound(number: Any) -> Any:
        total = 0
        for step in range(2_000):
            total += step * int(number) % 7
        return np.int64(total)

    return _last_seconds_of(_forever(_called(bound)))


def autotune_numpy() -> Pass:
    """Call a function of NumPy on an array of 1 MB."""
    array = np.random.default_rng(1).random(1 << 17)
    return _last_seconds_of(
        _forever(_called(lambda n: np.int64(np.sqrt(np.sin(array) + int(n)).sum())))
    )


def autotune_waiting() -> Pass:
    """Call a function that waits."""

    def wait(number: Any) -> Any:
        sleep(0.005)
        return number

    return _last_seconds_of(_forever(_called(wait)))


def autotune_text() -> Pass:
    """Count words."""
    lines = w.sentences(1_000)
    word = re.compile(rb"[a-z]+")
    return _last_seconds_of(
        _forever(_called(lambda n: np.int64(len(word.findall(lines[int(n) % 1_000] * 50)))))
    )


def autotune_tfrecord() -> Pass:
    """Read and parse records without end."""
    ds = _records().repeat().batch(w.EXAMPLES_BATCH)
    features = w.example_features(tf)
    return _last_seconds_of(
        ds.map(lambda texts: tf.io.parse_example(texts, features), tf.data.AUTOTUNE)
    )


def _called(fn: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda number: tf.numpy_function(fn, [number], tf.int64, stateful=False)


def _forever(fn: Callable[[Any], Any]) -> Any:
    return tf.data.Dataset.range(1 << 40).map(fn, num_parallel_calls=tf.data.AUTOTUNE).batch(32)


def _last_seconds_of(ds: Any) -> Pass:
    """Count the batches of the last two of six seconds: the tuner has settled by then."""

    def run() -> tuple[int, float]:
        started, count = perf_counter(), 0
        for _ in ds.prefetch(tf.data.AUTOTUNE):
            elapsed = perf_counter() - started
            count += elapsed > 4
            if elapsed > 6:
                break
        return count, 2.0

    return run


def _records() -> Any:
    return tf.data.TFRecordDataset(w.example_files())


def _add_one(x: Any) -> Any:
    return x + 1


def state_size() -> Pass:
    """Return the bytes of an iterator's state in the middle of a shuffle."""
    ds = tf.data.Dataset.from_tensor_slices(w.images()).shuffle(1_000, seed=1)
    iterator = ds.batch(32).prefetch(8).as_numpy_iterator()
    for _ in range(10):
        next(iterator)
    return lambda: (len(np.asarray(iterator.save()).item()), 0.0)


def _rows_of(ds: Any, length: Callable[[Any], int] = len) -> Pass:
    options = tf.data.Options()
    options.autotune.enabled = sys.argv[2:] != ["untuned"]
    ds = ds.with_options(options)

    def run() -> tuple[int, float]:
        started = perf_counter()
        iterator = ds.as_numpy_iterator()
        count = sum(length(batch) for batch in iterator)
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
