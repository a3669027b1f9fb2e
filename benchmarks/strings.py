"""Claim: functions on strings run on whole blocks: 100 x tf.data, near the speed of Python."""

from __future__ import annotations

import numpy as np
import workloads as w
from measure import Benchmark

import feedline as tf


def words() -> None:
    """Lines in lower case, stripped and split."""
    bench = Benchmark("strings_words", "lower, strip and split of each line of 3 to 12 words")
    lines = w.sentences()

    def plain() -> int:
        return sum(1 for line in lines if np.array(line.lower().strip().split(), object).size)

    ds = tf.data.Dataset.from_tensor_slices(np.array(lines, object))
    mapped = ds.map(lambda line: tf.strings.split(tf.strings.strip(tf.strings.lower(line))))
    bench.add("plain Python, an array for each line", plain)
    bench.add("Feedline, map of each line", lambda: sum(1 for _ in mapped))
    bench.add_peers("strings_words")
    bench.run()


def numbers() -> None:
    """Text as numbers, one by one and in batches."""
    bench = Benchmark("strings_numbers", "to_number of each text, then batch(256)")
    texts = w.numerals()

    def plain() -> int:
        starts = range(0, len(texts), w.BATCH)
        return sum(
            len(np.array([float(text) for text in texts[at : at + w.BATCH]], np.float32))
            for at in starts
        )

    ds = tf.data.Dataset.from_tensor_slices(np.array(texts, object))
    each = ds.map(lambda text: tf.strings.to_number(text)).batch(w.BATCH)
    bench.add("plain Python, float() of each", plain)
    bench.add("Feedline, map, batch(256)", lambda: sum(map(len, each)))
    bench.add_peers("strings_numbers")
    bench.run()


def number_batches() -> None:
    """The same in batches of text."""
    bench = Benchmark("strings_number_batches", "to_number of batches of 256 texts")
    texts = np.array(w.numerals(), object)

    def plain() -> int:
        starts = range(0, len(texts), w.BATCH)
        return sum(len(texts[at : at + w.BATCH].astype(np.float32)) for at in starts)

    ds = tf.data.Dataset.from_tensor_slices(texts).batch(w.BATCH)
    mapped = ds.map(lambda text: tf.strings.to_number(text))
    bench.add("plain NumPy, astype() of each batch", plain)
    bench.add("Feedline, batch(256), map", lambda: sum(map(len, mapped)))
    bench.add_peers("strings_number_batches")
    bench.run()


if __name__ == "__main__":
    words()
    numbers()
    number_batches()
