"""Claim: Examples are parsed in batches 9 times, with parallel reads 20 times, one by one and
shuffled 100 times as fast.

The aim is 20 times in all ways to read the files, with the 400,000 records that EXAMPLES=400000 in
the environment gives. tf.data is slower the more it is asked to do in parallel here.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import workloads as w
from measure import Benchmark

import feedline as tf

COUNT = int(os.environ.get("EXAMPLES", "80000"))
FILES = 8


def write(folder: Path) -> None:
    """Write the records in eight files."""
    floats, integers = w.example_values(COUNT)
    names = [*(f"i{number}" for number in range(8)), "label"]
    for part in range(FILES):
        with tf.io.TFRecordWriter(str(folder / f"{part}.tfrecord")) as writer:
            for row in range(part, COUNT, FILES):
                example = tf.train.Example()
                feature = example.features.feature
                for number, value in enumerate(floats[row]):
                    feature[f"f{number}"].float_list.value.append(value)
                for name, value in zip(names, integers[row], strict=True):
                    feature[name].int64_list.value.append(value)
                writer.write(example.SerializeToString())


def main() -> None:
    """Run the benchmark."""
    with TemporaryDirectory() as folder:
        write(Path(folder))
        os.environ[w.EXAMPLES_FOLDER] = folder
        _run(tf.data.TFRecordDataset(w.example_files()))


def _run(records: Any) -> None:
    features = w.example_features(tf)
    batched = records.batch(w.EXAMPLES_BATCH).map(lambda t: tf.io.parse_example(t, features))
    each = records.map(lambda text: tf.io.parse_single_example(text, features))
    shuffled = each.shuffle(w.SHUFFLE_BUFFER, seed=1).batch(w.EXAMPLES_BATCH)
    plain = records.batch(w.EXAMPLES_BATCH)

    batch_first = Benchmark(
        "parse_example",
        f"{COUNT} records of 22 features in {FILES} files, batch(1024), parse_example: "
        "at least 9 times tf.data",
        "records",
    )
    batch_first.add("Feedline", lambda: sum(len(found["label"]) for found in batched))
    batch_first.add("Feedline, records and batches alone", lambda: sum(map(len, plain)))
    batch_first.add_peers("parse_example")
    batch_first.run()

    ways = {
        "in_turns": (
            "interleave(num_parallel_calls=AUTOTUNE): at least 9",
            tf.data.Dataset.from_tensor_slices(w.example_files()).interleave(
                tf.data.TFRecordDataset,
                cycle_length=w.EXAMPLES_CYCLE,
                num_parallel_calls=tf.data.AUTOTUNE,
            ),
        ),
        "in_parallel": (
            "num_parallel_reads=AUTOTUNE: at least 20",
            tf.data.TFRecordDataset(w.example_files(), num_parallel_reads=tf.data.AUTOTUNE),
        ),
    }
    for name, (text, read) in ways.items():
        parsed = read.batch(w.EXAMPLES_BATCH).map(
            lambda texts: tf.io.parse_example(texts, features), num_parallel_calls=tf.data.AUTOTUNE
        )
        prefetched = parsed.prefetch(tf.data.AUTOTUNE)
        bench = Benchmark(
            f"parse_example_{name}",
            f"the same, AUTOTUNE everywhere, {text} times tf.data",
            "records",
        )
        bench.add("Feedline", lambda ds=prefetched: sum(len(found["label"]) for found in ds))  # type: ignore[misc]
        bench.add_peers(f"parse_example_{name}")
        bench.run()

    parse_first = Benchmark(
        "parse_single_example",
        f"{COUNT} records of 22 features in {FILES} files, parse_single_example, "
        "shuffle(10_000), batch(1024): at least 100 times tf.data",
        "records",
    )
    parse_first.add("Feedline", lambda: sum(len(found["label"]) for found in shuffled))
    parse_first.add_peers("parse_single_example")
    parse_first.run()


if __name__ == "__main__":
    main()
