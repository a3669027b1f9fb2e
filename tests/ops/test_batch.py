from collections import namedtuple

import numpy as np
import pytest

from feedline.data import AUTOTUNE, Dataset, Options
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.ragged import RaggedTensor, constant
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

Point = namedtuple("Point", ["x", "y"])

CASES = [
    Dataset.range(10).batch(3),
    Dataset.range(10).batch(3, drop_remainder=True),
    Dataset.range(9).batch(3),
    Dataset.range(2).batch(3),
    Dataset.range(2).batch(3, drop_remainder=True),
    Dataset.range(0).batch(3),
    Dataset.range(30).batch(2).batch(3).batch(2),
    Dataset.from_tensor_slices(({"a": np.zeros((7, 2))}, list("abcdefg"))).batch(3),
    Dataset.from_tensor_slices(Point([1, 2, 3], [b"a", b"b", b"c"])).batch(2),
    Dataset.range(9).map(lambda x: (np.full((2, 3), x), str(x))).batch(4).repeat(2),
    Dataset.range(7).map(lambda x: constant([[1], [2, 3]])).batch(2),
    Dataset.range(20).shuffle(5).batch(3, num_parallel_calls=AUTOTUNE, deterministic=True),
    Dataset.range(20).batch(3).map(lambda b, rng: rng.random()),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[-2])


def test_elements_are_stacked_leaf_by_leaf():
    ds = Dataset.from_tensor_slices({"x": [1, 2, 3], "y": ["a", "b", "c"]}).batch(2)

    expected = [
        {"x": np.array([1, 2], np.int32), "y": np.array(["a", "b"], object)},
        {"x": np.array([3], np.int32), "y": np.array(["c"], object)},
    ]
    assert_same_elements(ds, expected)


def test_ragged_elements_become_one_ragged_batch():
    (batch,) = Dataset.from_tensors(constant([[1], [2, 3]])).repeat(2).batch(2)

    assert isinstance(batch, RaggedTensor)
    assert batch.to_list() == [[[1], [2, 3]], [[1], [2, 3]]]


def test_the_batch_size_is_known_if_no_batch_can_be_short():
    assert Dataset.range(10).batch(3).element_spec.shape == (None,)
    assert Dataset.range(10).batch(3, drop_remainder=True).element_spec.shape == (3,)


def test_cardinality_is_divided():
    assert Dataset.range(10).batch(3).cardinality() == 4
    assert Dataset.range(10).batch(3, drop_remainder=True).cardinality() == 3
    assert Dataset.range(10).repeat().batch(3).cardinality() == -1
    assert Dataset.range(10).filter(lambda x: True).batch(3).cardinality() == -2


def test_batches_can_be_read_by_index():
    ds = Dataset.range(10).batch(4)

    assert [ds[0].tolist(), ds[-1].tolist()] == [[0, 1, 2, 3], [8, 9]]


def test_elements_of_different_shapes_are_refused_by_name():
    ds = Dataset.range(4).map(lambda x: {"a": x, "b": np.zeros(x)}).batch(3)

    with pytest.raises(SpecError, match=r"batch\(\): elements 0 and 1 differ at \['b'\]: .*\[0\]"):
        list(ds)


def test_elements_of_different_dtypes_are_refused():
    with pytest.raises(SpecError, match=r"elements 0 and 1 differ: int64\[\] and float64\[\]"):
        list(Dataset.range(2).map(lambda x: x / 2 if x else x).batch(2))


def test_a_bad_batch_fails_alone():
    it = iter(Dataset.range(6).map(lambda x: np.zeros(2 if x == 3 else 1)).batch(2))

    assert next(it).shape == (2, 1)
    with pytest.raises(SpecError):
        next(it)
    assert next(it).shape == (2, 1)


def test_batches_of_arrays_are_views_of_them():
    data = np.zeros((100, 4))
    batch = next(iter(Dataset.from_tensor_slices(data).batch(10)))

    assert np.shares_memory(batch, data)
    assert not batch.flags.writeable


@pytest.mark.parametrize("size", [0, -3])
def test_a_size_below_one_is_refused_where_it_is_written(size):
    with pytest.raises(BuildError, match=rf"batch\(\): batch_size must be at least 1, got {size}"):
        Dataset.range(5).batch(size)


def test_a_size_that_is_no_integer_is_refused():
    with pytest.raises(BuildTypeError, match=r"batch\(\): batch_size must be an integer, got 2.5"):
        Dataset.range(5).batch(2.5)


def test_the_memory_of_batches_serves_the_next_iteration():
    ds = Dataset.range(64).map(lambda x: np.full((1 << 15,), x, np.float32))
    options = Options()
    options.block_size = 1  # so that the blocks of both iterations are of one size
    ds = ds.map(lambda x: x + 1, vectorize=False).batch(16).with_options(options)

    def places():
        return {batch.__array_interface__["data"][0] for batch in ds}

    assert places() & places()


def test_the_memory_of_batches_is_not_kept_where_it_is_rationed():
    options = Options()
    options.autotune.ram_budget = 100 << 20
    ds = Dataset.range(8).batch(2).with_options(options)

    assert len(list(ds)) == 4
    assert "batches" not in ds.node.kept
