"""compare: functions on whole blocks beside the same functions on each element."""

from itertools import pairwise

import numpy as np

import feedline as tf
from feedline.data import Dataset

WORDS = [" Ab c ", "x", "", "  two  words\t", "é ü", "12", "-3.5", "ABCdef"] * 25
NUMERALS = [f" {number}" for number in range(-100, 100)]


def sources(words):
    """Datasets of the same strings: str, bytes, batches, short last batches."""
    texts = np.array(words, object)
    coded = np.array([word.encode() for word in words], object)
    for strings in (texts, coded):
        ds = Dataset.from_tensor_slices(strings)
        yield ds
        yield ds.batch(8)
        yield ds.batch(7)


def check_blocks(function, words=WORDS):
    """Every source gives the same with and without whole blocks; return whether all used them."""
    used = []
    for ds in sources(words):
        mapped = ds.map(function)
        assert list(map(repr, mapped)) == list(map(repr, ds.map(function, vectorize=False)))
        used.append("vectorised" in mapped.explain())
    return all(used)


def slices_of(column):
    """Parts of a column that do not begin at its start."""
    length = len(column)
    for start, stop in pairwise([0, length // 3, length // 2, length]):
        yield column.slice(start, stop)


STRING = tf.TensorSpec((), tf.string)
