import pickle

import cloudpickle
import numpy as np
import pytest

import feedline as tf
from feedline.data import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, Dataset, Iterator

TEN = Dataset.range(10)


def test_building_runs_nothing():
    seen = []
    ds = TEN.map(seen.append).batch(2).shuffle(3)

    assert repr(ds).startswith(
        "<Dataset element_spec=not known before a function runs, last step shuffle("
    )
    assert seen == []


def test_a_dataset_is_true_even_if_it_is_empty():
    assert Dataset.range(0)


def test_a_dataset_can_be_iterated_over_again_and_again():
    assert [int(x) for x in TEN] == [int(x) for x in TEN] == list(range(10))
    assert isinstance(iter(TEN), Iterator)


def test_the_length_is_the_cardinality_where_it_is_known():
    assert len(TEN.batch(3)) == TEN.batch(3).cardinality() == 4
    assert TEN.repeat().cardinality() == INFINITE_CARDINALITY
    assert TEN.filter(lambda x: True).cardinality() == UNKNOWN_CARDINALITY


def test_there_is_no_length_where_it_is_not():
    with pytest.raises(TypeError, match="the number of elements is infinite"):
        len(TEN.repeat())
    with pytest.raises(TypeError, match="the number of elements is unknown"):
        len(TEN.filter(lambda x: True))


@pytest.mark.parametrize("index", range(-4, 4))
def test_elements_can_be_read_by_index(index):
    assert TEN.batch(3)[index].tolist() == [b.tolist() for b in TEN.batch(3)][index]


def test_an_index_out_of_range_is_an_error():
    with pytest.raises(IndexError, match="index 10 is out of range for a dataset of 10 elements"):
        TEN[10]


def test_where_there_is_no_random_access_the_step_in_the_way_is_named():
    with pytest.raises(TypeError, match=r"filter\(.*\) built at test_dataset.py"):
        TEN.filter(lambda x: True)[0]


def test_the_spec_is_computed_once():
    calls = []
    ds = TEN.map(lambda x: (calls.append(1), x)[1])
    first = ds.element_spec
    number = len(calls)

    assert first == ds.element_spec == tf.TensorSpec((), tf.int64)
    assert len(calls) == number


def test_looking_at_the_spec_is_no_iteration():
    """A shuffle must give the orders it would have given."""
    looked, plain = TEN.shuffle(10, seed=1), TEN.shuffle(10, seed=1)
    _ = looked.map(lambda x: x).element_spec

    assert [int(x) for x in looked] == [int(x) for x in plain]


def test_a_dataset_is_a_leaf_of_an_element():
    ds = Dataset.range(2).map(lambda x: (x, TEN))

    assert ds.element_spec[1] == tf.data.DatasetSpec(tf.TensorSpec((), tf.int64))
    assert [len(inner) for _, inner in ds] == [10, 10]


def test_a_dataset_survives_pickle():
    ds = pickle.loads(cloudpickle.dumps(TEN.map(lambda x: x * 2).batch(4)))

    assert [batch.tolist() for batch in ds] == [[0, 2, 4, 6], [8, 10, 12, 14], [16, 18]]


def test_options_are_those_of_the_whole_chain():
    ds = TEN.with_options(tf.data.Options(seed=4)).batch(2)

    assert ds.options().seed == 4
    assert TEN.options() == tf.data.Options()


def test_an_explanation_shows_the_plan_as_asked_and_as_it_runs():
    text = TEN.with_options(tf.data.Options(seed=4)).batch(2).explain()

    assert text.startswith("as asked\n")
    assert "as it runs\n" in text
    assert text.count("batch(batch_size=2") == 2


def test_a_subclass_stays_itself_through_a_chain():
    class Mine(Dataset):
        pass

    assert type(Mine.range(3).batch(2)) is Mine


def test_every_published_method_is_documented_with_an_example():
    published = {
        name: getattr(Dataset, name)
        for name, value in vars(Dataset).items()
        if callable(getattr(Dataset, name)) and not name.startswith("_")
        if getattr(getattr(Dataset, name), "__module__", "").startswith("feedline.ops.")
    }
    without = [name for name, method in published.items() if ">>>" not in (method.__doc__ or "")]

    assert published
    assert without == []


def test_sources_do_not_share_memory_that_can_be_changed():
    array = np.zeros((3, 2))
    first = next(iter(Dataset.from_tensor_slices(array)))

    with pytest.raises(ValueError, match="read-only"):
        first[0] += 1
    assert array.sum() == 0


def test_a_dataset_shows_its_spec_and_its_last_step():
    ds = TEN.map(lambda x: x + 1).batch(3)

    assert repr(ds) == (
        "<Dataset element_spec=TensorSpec(shape=(None,), dtype=tf.int64, name=None), "
        "last step batch(batch_size=3, drop_remainder=False)>"
    )
    assert str(ds) == repr(ds)


def test_showing_a_dataset_runs_no_function():
    ran = []
    ds = TEN.map(lambda x: ran.append(1) or x)

    assert "element_spec=not known before a function runs, last step map(" in repr(ds)
    assert ran == []
    _ = ds.element_spec
    assert "element_spec=TensorSpec(shape=(), dtype=tf.int64, name=None)" in repr(ds)


def test_the_cardinality_is_a_tensor():
    count = TEN.cardinality()

    assert isinstance(count, tf.Tensor)
    assert (count.dtype, count.numpy() // 3, int(count), f"{count}") == (tf.int64, 3, 10, "10")
    assert bool(TEN.repeat().cardinality() == tf.data.INFINITE_CARDINALITY)
    assert type(len(TEN)) is int


def test_shapes_in_a_spec_answer_to_tensorflows_habits():
    spec = tf.data.Dataset.from_tensor_slices({"x": np.zeros((4, 2))}).batch(3).element_spec

    assert spec["x"].shape.as_list() == [None, 2]
    assert spec["x"].shape[1:] == (2,)


def test_values_of_numpy_are_not_had_of_datasets_inside():
    with pytest.raises(TypeError, match="elements must not be datasets"):
        TEN.window(2).as_numpy_iterator()
    of_function = TEN.map(lambda x: tf.data.Dataset.range(int(x)))
    with pytest.raises(TypeError, match="elements must not be datasets"):
        next(of_function.as_numpy_iterator())


def test_whoever_takes_a_dataset_for_an_array_is_told_what_to_write():
    with pytest.raises(TypeError, match=r"model\.fit\(\(batch for batch in ds\.repeat\(\)\)"):
        np.asarray(TEN)
    with pytest.raises(AttributeError, match=r"model\.fit\(\(batch for batch in ds\.repeat\(\)\)"):
        _ = TEN.shape  # what Keras asks for next
    assert not hasattr(TEN, "shape")


def test_what_reduce_returns_are_tensors():
    count, total = TEN.reduce((np.int64(0), 0.0), lambda s, x: (s[0] + 1, s[1] + 2.0))

    assert (count.numpy(), total.numpy()) == (10, 20.0)
    assert total.dtype == tf.float32
