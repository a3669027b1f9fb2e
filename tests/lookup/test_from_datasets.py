import pickle

import numpy as np
import pytest

import feedline as tf
from feedline.data import Dataset
from feedline.data.experimental import (
    DatasetInitializer,
    index_table_from_dataset,
    table_from_dataset,
)
from feedline.errors import (
    BuildError,
    BuildTypeError,
    CardinalityError,
    FailedPreconditionError,
)
from feedline.lookup.static import StaticHashTable

WORDS = Dataset.from_tensor_slices(["emerson", "lake", "palmer"])
PAIRS = Dataset.from_tensor_slices((["a", "b"], np.array([10, 20], np.int64)))


def test_a_key_gives_its_position_and_an_unknown_one_the_default():
    found = index_table_from_dataset(WORDS).lookup(["lake", "x", "emerson"])

    assert found.tolist() == [1, -1, 0]
    assert found.dtype == np.int64
    assert index_table_from_dataset(WORDS, default_value=-7).lookup(["x"]).tolist() == [-7]


def test_unknown_keys_go_to_the_buckets_of_tensorflow():
    keys = ["lake", "x", "yy", "emerson", "", "a much longer string than sixteen"]
    keys += ["this is a string of more than 32 bytes, ok", "z" * 100, "q" * 64, "q" * 65, "q" * 200]
    table = index_table_from_dataset(WORDS, num_oov_buckets=3)

    assert table.lookup(keys).tolist() == [1, 5, 4, 0, 5, 3, 4, 5, 5, 4, 4]


def test_unknown_integers_go_to_the_buckets_of_tensorflow():
    keys = Dataset.range(100, 104)
    table = index_table_from_dataset(keys, key_dtype=tf.int64, num_oov_buckets=5)

    assert table.lookup(np.array([101, 7, -3, 103])).tolist() == [1, 7, 8, 3]


def test_buckets_begin_after_the_number_of_keys_whatever_their_values():
    table = table_from_dataset(PAIRS, num_oov_buckets=2)

    assert table.lookup(["b", "z", "y", "x"]).tolist() == [20, 3, 3, 2]


def test_a_known_key_keeps_its_value_though_it_equals_the_default():
    table = index_table_from_dataset(WORDS, default_value=1, num_oov_buckets=2)

    assert table.lookup(["lake"]).tolist() == [1]


def test_str_and_bytes_are_the_same_keys():
    table = index_table_from_dataset(WORDS)

    assert table.lookup([b"lake", "lake"]).tolist() == [1, 1]


def test_the_result_has_the_shape_of_the_keys():
    table = index_table_from_dataset(WORDS)

    assert table.lookup([["lake", "x"], ["emerson", "lake"]]).tolist() == [[1, -1], [0, 1]]
    assert table.lookup("lake") == 1
    assert table[b"palmer"] == 2
    assert table.lookup([]).tolist() == []


def test_ragged_and_sparse_keys_keep_their_form():
    table = index_table_from_dataset(WORDS)
    ragged = tf.ragged.constant([["lake"], ["x", "emerson"]])
    sparse = tf.SparseTensor([[0, 1]], np.array(["lake"], object), [2, 2])

    assert table.lookup(ragged).to_list() == [[1], [-1, 0]]
    assert table.lookup(sparse) == tf.SparseTensor([[0, 1]], np.array([1]), [2, 2])


def test_values_may_be_numbers_or_strings():
    floats = Dataset.from_tensor_slices((["a", "b"], [1.5, 2.5]))
    strings = Dataset.from_tensor_slices((["a", "b"], ["p", "q"]))

    assert table_from_dataset(floats).lookup(["b", "z"]).tolist() == [2.5, -1.0]
    assert table_from_dataset(floats).lookup("b").dtype == np.float32
    assert table_from_dataset(strings, default_value="?").lookup(["b", "z"]).tolist() == ["q", "?"]
    assert table_from_dataset(strings, default_value="?").lookup("b") == "q"


def test_size_counts_keys_and_buckets():
    assert index_table_from_dataset(WORDS).size() == 3
    assert index_table_from_dataset(WORDS, num_oov_buckets=3).size() == 6


def test_export_gives_keys_and_values():
    keys, values = index_table_from_dataset(WORDS).export()

    assert keys.tolist() == [b"emerson", b"lake", b"palmer"]
    assert values.tolist() == [0, 1, 2]


def test_vocab_size_takes_the_first_keys():
    table = index_table_from_dataset(WORDS, vocab_size=2)

    assert table.lookup(["palmer", "lake"]).tolist() == [-1, 1]


def test_a_vocabulary_smaller_than_was_said_is_an_error():
    with pytest.raises(CardinalityError, match="5 elements, there are only 3"):
        index_table_from_dataset(WORDS, vocab_size=5)


def test_a_table_is_used_inside_a_map():
    table = index_table_from_dataset(WORDS)
    ds = Dataset.from_tensor_slices(["lake", "and", "palmer"]).map(table.lookup)

    assert [int(x) for x in ds] == [1, -1, 2]


def test_a_table_can_be_pickled():
    table = pickle.loads(pickle.dumps(index_table_from_dataset(WORDS)))

    assert table.lookup("palmer") == 2


def test_an_initializer_fills_a_static_hash_table():
    table = StaticHashTable(DatasetInitializer(PAIRS), -1)

    assert table.lookup(["a", "zz"]).tolist() == [10, -1]
    assert (table.key_dtype, table.value_dtype) == (tf.string, tf.int64)


def test_one_key_with_two_values_is_refused():
    with pytest.raises(FailedPreconditionError, match=r"key b'a' has the value 0 and again .*2"):
        index_table_from_dataset(Dataset.from_tensor_slices(["a", "b", "a"]))


def test_one_key_with_one_value_twice_is_not():
    ds = Dataset.from_tensor_slices((["a", "a"], [1, 1]))

    assert table_from_dataset(ds).lookup("a") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"vocab_size": 0}, "vocab_size must be at least 1, got 0"),
        ({"num_oov_buckets": -1}, "num_oov_buckets must be at least 0, got -1"),
        ({"key_dtype": tf.float32}, "key_dtype must be an integer or string, got float32"),
        ({"hasher_spec": "strong"}, "hasher_spec must be FastHashSpec, got 'strong'"),
        ({"dataset": None}, "dataset must be a Dataset, got None"),
        ({"dataset": Dataset.range(3).batch(2)}, "pairs of scalars"),
        ({"dataset": Dataset.from_tensor_slices([1.5])}, "integers or strings, got float32"),
        ({"default_value": "x"}, "default_value must be of the values' dtype int64, got 'x'"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(BuildError, match=message):
        index_table_from_dataset(**{"dataset": WORDS, **arguments})


@pytest.mark.parametrize(
    ("ds", "arguments", "message"),
    [
        (WORDS, {}, "pairs of scalars"),
        (Dataset.from_tensor_slices((["a"], ["b"])), {}, "default_value must be given"),
        (
            Dataset.from_tensor_slices((["a"], [1])),
            {"num_oov_buckets": 1},
            "values must be int64, got int32",
        ),
    ],
)
def test_datasets_that_make_no_table_are_refused(ds, arguments, message):
    with pytest.raises(BuildError, match=message):
        table_from_dataset(ds, **arguments)


def test_keys_of_the_wrong_kind_are_an_error():
    with pytest.raises(BuildTypeError, match="keys must be strings, got int32"):
        index_table_from_dataset(WORDS).lookup([1, 2])
    with pytest.raises(BuildTypeError, match="keys must be integers, got string"):
        index_table_from_dataset(Dataset.range(3)).lookup(["a", "b"])
    with pytest.raises(BuildTypeError, match="got 3"):
        DatasetInitializer(3)
