"""Array functions give the same eagerly, inside a @function and over blocks of a dataset."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import feedline as tf
from feedline import nest
from feedline.graph.same import same_values
from tests.arrays.calls import RECORDED, VARYING

# Each number of one element depends on others: done for a block, it is done in a loop.
IN_A_LOOP = {"einsum", "unsorted_segment_sum"}

seeds = st.integers(0, 2**32 - 1)


def arrays(seed, count=4):
    return np.random.default_rng(seed).normal(size=(count, 3, 4)).astype(np.float32)


def assert_same(found, wanted):
    pairs = list(zip(nest.flatten(found), nest.flatten(wanted), strict=True))
    assert [same_values(*pair) for pair in pairs] == [True] * len(pairs)


@pytest.mark.parametrize("name", RECORDED)
@settings(max_examples=5)
@given(seed=seeds)
def test_a_function_repeats_what_eager_calls_give(name, seed):
    fn = tf.function(RECORDED[name])

    for x in arrays(seed):
        assert_same(fn(x), RECORDED[name](x))
    assert fn.experimental_get_tracing_count() == 1
    assert fn.get_concrete_function(arrays(0)[0]).refusal == ""


@pytest.mark.parametrize("name", RECORDED)
@settings(max_examples=3)
@given(seed=seeds)
def test_a_dataset_gives_what_eager_calls_give(name, seed):
    data = arrays(seed, 80)

    for found, x in zip(
        tf.data.Dataset.from_tensor_slices(data).map(RECORDED[name]), data, strict=True
    ):
        assert_same(found, RECORDED[name](x))


@pytest.mark.parametrize("name", [name for name in RECORDED if name not in IN_A_LOOP])
def test_a_dataset_runs_it_on_whole_blocks(name):
    ds = tf.data.Dataset.from_tensor_slices(arrays(0, 80)).map(RECORDED[name])
    list(ds)

    assert "vectorised" in ds.explain()


@pytest.mark.parametrize("name", VARYING)
@settings(max_examples=5)
@given(seed=seeds)
def test_lengths_that_depend_on_values_are_recorded_in_a_function(name, seed):
    fn = tf.function(VARYING[name])

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for x in arrays(seed):
            assert_same(fn(x), VARYING[name](x))
    assert fn.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("name", VARYING)
def test_lengths_that_depend_on_values_are_plain_python_in_a_dataset(name):
    data = arrays(0, 80)
    ds = tf.data.Dataset.from_tensor_slices(data).map(VARYING[name])

    for found, x in zip(ds, data, strict=True):
        assert_same(found, VARYING[name](x))
    assert "depends on values" in ds.explain()


@pytest.mark.parametrize("name", ["reduce_sum", "softmax", "concat", "cumsum", "sort", "where"])
def test_one_recording_serves_unknown_lengths(name):
    fn = tf.function(RECORDED[name], input_signature=[tf.TensorSpec([None, None], tf.float32)])

    for shape in [(3, 4), (1, 4), (5, 2), (2, 7)]:
        x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
        assert_same(fn(x), RECORDED[name](x))
    assert fn.experimental_get_tracing_count() == 1
