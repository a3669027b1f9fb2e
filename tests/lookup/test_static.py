import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.data import Dataset, Options
from feedline.errors import BuildError, BuildTypeError, FailedPreconditionError

KEYS = st.lists(st.text(max_size=3), max_size=8)


def table(keys=("a", "b"), values=(1, 2), default=-1):
    pairs = tf.lookup.KeyValueTensorInitializer(list(keys), list(values))
    return tf.lookup.StaticHashTable(pairs, default)


def vocabulary(words=("a", "b"), buckets=3):
    pairs = tf.lookup.KeyValueTensorInitializer(list(words), np.arange(len(words)))
    return tf.lookup.StaticVocabularyTable(pairs, buckets)


@given(st.dictionaries(st.text(max_size=3), st.integers(-9, 9), min_size=1), KEYS)
def test_a_table_is_a_dict_with_a_default(pairs, keys):
    made = table(pairs, pairs.values(), default=99)

    assert made.lookup(np.array(keys, object)).tolist() == [pairs.get(key, 99) for key in keys]
    assert made.size() == len(pairs)


@given(st.lists(st.text(max_size=3), min_size=1, unique=True), KEYS, st.integers(1, 50))
def test_unknown_words_go_where_the_fingerprint_says(words, keys, buckets):
    found = vocabulary(words, buckets).lookup(np.array(keys, object)).tolist()

    fast = tf.strings.to_hash_bucket_fast(np.array(keys, object), buckets).tolist()
    assert found == [
        words.index(key) if key in words else len(words) + bucket
        for key, bucket in zip(keys, fast, strict=True)
    ]


def test_what_is_found_is_a_tensor_in_the_shape_of_the_keys():
    found = table().lookup([["a", "z"]])

    assert found.numpy().tolist() == [[1, -1]]
    assert table()["b"].numpy() == 2
    assert found.dtype == tf.int32


@pytest.mark.parametrize("executor", ["threads", "processes", "background"])
def test_tables_can_be_used_in_any_executor(executor):
    known = vocabulary()
    words = Dataset.from_tensor_slices(["a", "q", "b", "a"])
    ds = words.map(lambda word: known.lookup(word), num_parallel_calls=2)
    options = Options()
    options.executor = executor

    assert [int(x) for x in ds.with_options(options)] == [0, int(known["q"]), 1, 0]


def test_words_of_whole_blocks_are_looked_up_at_once():
    known = table()
    ds = Dataset.from_tensor_slices(["a b", "", "b z"] * 20)
    ds = ds.map(lambda line: known.lookup(tf.strings.split(line)))

    assert [row.tolist() for row in ds.take(3)] == [[1, 2], [], [2, -1]]
    assert "vectorised" in ds.explain()


def test_tables_can_be_called_inside_a_function():
    known = table()

    @tf.function
    def doubled(words):
        return known.lookup(words) * 2

    assert doubled(tf.constant(["a", "z"])).tolist() == [2, -2]


def test_a_table_survives_pickling():
    assert pickle.loads(pickle.dumps(vocabulary()))["b"] == 1


def test_what_makes_no_table_is_refused():
    with pytest.raises(FailedPreconditionError, match="has the value 1 and again 2"):
        table(["a", "a"])
    with pytest.raises(BuildTypeError, match="default_value must be of the values' dtype int32"):
        table(default="x")
    with pytest.raises(BuildTypeError, match="keys must be integers or strings, got float32"):
        table([1.5, 2.5])
    with pytest.raises(BuildTypeError, match="values must be int64, got int32"):
        tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), 2)
    with pytest.raises(BuildError, match="num_oov_buckets must be"):
        vocabulary(buckets=0)
