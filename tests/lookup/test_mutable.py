import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.data import Dataset
from feedline.errors import BuildTypeError, InvalidArgumentError

STEPS = st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(-9, 9)), max_size=20)


@given(STEPS)
def test_a_mutable_table_is_a_dict(steps):
    made = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, -99)
    wanted = {}
    for puts, key, value in steps:
        if puts:
            made.insert(key, value)
            wanted[key] = value
        else:
            made.remove(key)
            wanted.pop(key, None)

    assert made.size() == len(wanted)
    assert made.lookup(np.arange(6)).tolist() == [wanted.get(key, -99) for key in range(6)]
    keys, values = made.export()
    assert dict(zip(keys.tolist(), values.tolist(), strict=True)) == wanted


def test_a_table_is_seen_in_map_as_it_is_at_that_moment():
    made = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, -1)
    ds = Dataset.range(3).map(lambda x: made.lookup(x))

    assert [int(x) for x in ds] == [-1, -1, -1]
    made.insert([1, 2], [10, 20])
    assert [int(x) for x in ds] == [-1, 10, 20]


def test_a_function_of_a_dataset_can_fill_a_table():
    made = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, -1)

    def remember(x):
        made.insert(x, x * x)
        return x

    assert len(list(Dataset.range(5).map(remember))) == 5
    assert made.size() == 5
    assert made[np.int64(4)] == 16


def test_values_may_be_arrays():
    made = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, [0.0, 0.5])
    made.insert(["a"], [[1, 2]])

    assert made.lookup([["a", "b"]]).tolist() == [[[1, 2], [0, 0.5]]]
    assert made.lookup("a").tolist() == [1, 2]


def test_what_does_not_fit_is_refused():
    made = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)

    with pytest.raises(
        InvalidArgumentError, match=r"values must have the shape \(2,\), got \(1,\)"
    ):
        made.insert(["a", "b"], [1])
    with pytest.raises(BuildTypeError, match="keys must be strings"):
        made.lookup(np.arange(3))


def test_a_dense_table_refuses_its_two_keys():
    made = tf.lookup.experimental.DenseHashTable(
        tf.string, tf.int64, -1, empty_key="", deleted_key="$"
    )
    made.insert_or_assign(["a", "b"], [1, 2])
    made.erase("a")

    assert made.lookup(["a", "b"]).tolist() == [-1, 2]
    with pytest.raises(InvalidArgumentError, match="must not be the empty_key"):
        made.lookup([""])
    with pytest.raises(InvalidArgumentError, match="must not be the deleted_key"):
        made.insert("$", 1)
