import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.ragged import constant
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

CASES = [
    Dataset.range(10).batch(4).rebatch(3),
    Dataset.range(10).batch(4).rebatch(3, drop_remainder=True),
    Dataset.range(10).batch(4).rebatch([3, 2]),
    Dataset.range(10).batch(4).rebatch([3, 2, 4], drop_remainder=True),
    Dataset.range(10).batch(2).rebatch([20]),
    Dataset.range(10).batch(4).rebatch([2, 0, 3]),
    Dataset.range(4).batch(4).rebatch([2, 0]),
    Dataset.range(0).batch(4).rebatch(2),
    Dataset.range(9).map(lambda x: np.zeros((x % 3, 2))).rebatch(2),
    Dataset.range(20).map(lambda x: (x, str(x))).batch(3).rebatch([1, 4]).repeat(2),
    Dataset.from_tensor_slices(constant([[1], [2, 3], [], [4]])).ragged_batch(3).rebatch(2),
    Dataset.from_tensor_slices(constant([[1], [2, 3], [], [4]])).ragged_batch(3).rebatch([1, 2]),
    Dataset.range(40).shuffle(9).batch(5).rebatch(4).map(lambda b, rng: b + rng.integers(9)),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


@pytest.mark.parametrize("ds", [CASES[3], CASES[-1]], ids=str)
def test_resumes_in_a_fresh_process(ds):
    check_resume_in_fresh_process(ds)


@pytest.mark.parametrize(
    ("batch_size", "drop", "sizes"),
    [
        (3, False, [3, 3, 3, 1]),
        (3, True, [3, 3, 3]),
        (10, True, [10]),
        (11, True, []),
        ([3, 2], False, [3, 2, 3, 2]),
        ([3, 2, 4], False, [3, 2, 4, 1]),
        ([3, 2, 4], True, [3, 2, 4]),
        (np.array([6, 1]), False, [6, 1, 3]),
        ([0, 8], False, [0, 8, 0, 2]),
    ],
)
def test_rows_are_cut_into_the_sizes_in_turn(batch_size, drop, sizes):
    batches = list(Dataset.range(10).batch(4).rebatch(batch_size, drop_remainder=drop))

    assert [len(batch) for batch in batches] == sizes
    assert np.concatenate([*batches, []]).tolist() == list(range(sum(sizes)))


def test_ragged_batches_stay_ragged():
    ds = Dataset.from_tensors(constant([[1], [2, 3], [4]])).rebatch(2)

    assert_same_elements(ds, [constant([[1], [2, 3]]), constant([[4]])])


def test_the_size_is_known_if_no_batch_can_be_short():
    def shape(ds):
        return ds.element_spec.shape

    unknown, known = Dataset.range(8).batch(4), Dataset.range(8).batch(4, drop_remainder=True)

    assert shape(unknown.rebatch(3)) == (None,)
    assert shape(unknown.rebatch(3, drop_remainder=True)) == (3,)
    assert shape(unknown.rebatch([3, 2], drop_remainder=True)) == (None,)
    assert shape(known.rebatch(2)) == (2,)
    assert shape(known.rebatch(3)) == (None,)


def test_the_number_of_elements_is_unknown():
    assert Dataset.range(8).batch(4, drop_remainder=True).rebatch(2).cardinality() == -2


@pytest.mark.parametrize(
    ("batch_size", "message"),
    [
        (0, "batch_size must be at least 1, got 0"),
        (-1, "batch_size must be at least 1, got -1"),
        ([2, -1], "every batch_size must be at least 0, got -1"),
        ([0, 0], r"must have a size above 0, got \[0, 0\]"),
        ([], "must have at least one size"),
        ([[2]], "must be an integer or a flat list"),
    ],
    ids=str,
)
def test_sizes_that_are_none_are_refused_where_they_are_written(batch_size, message):
    with pytest.raises(BuildError, match=rf"rebatch\(\): .*{message}"):
        Dataset.range(10).batch(4).rebatch(batch_size)


def test_a_size_that_is_no_integer_is_refused():
    with pytest.raises(
        BuildTypeError, match=r"rebatch\(\): batch_size must be an integer, got 2.5"
    ):
        Dataset.range(10).batch(4).rebatch(2.5)


def test_elements_known_to_have_no_axis_are_refused_where_it_is_written():
    with pytest.raises(SpecError, match=r"rebatch\(\): every leaf must have a first axis"):
        Dataset.range(3).rebatch(2)


@pytest.mark.parametrize("batch_size", [3, [1, 2]])
def test_rows_of_different_shapes_are_refused_by_name(batch_size):
    ds = Dataset.range(2).map(lambda x: np.zeros((2, x + 1))).rebatch(batch_size)

    with pytest.raises(
        SpecError, match=r"rebatch\(\): rows [01] and 2 differ: .*\[1\] and .*\[2\]"
    ):
        list(ds)


def test_a_failing_batch_takes_the_rows_collected_before_it_along():
    ds = Dataset.range(6).map(lambda x: np.full(2, [0, None, 2, 3, 4, 5][x] + 0))

    assert [b.tolist() for b in ds.rebatch(3).ignore_errors()] == [[2, 2, 3], [3, 4, 4], [5, 5]]
