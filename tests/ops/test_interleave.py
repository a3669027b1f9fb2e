import numpy as np
import pytest

import feedline as tf
from feedline.data import AUTOTUNE, Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.testing import CHECKS, check_resume, check_resume_in_fresh_process


def tens(x):
    return Dataset.range(x * 10, x * 10 + x % 4)


CASES = [
    Dataset.range(6).interleave(tens),
    Dataset.range(6).interleave(tens, cycle_length=1),
    Dataset.range(6).interleave(tens, cycle_length=2, block_length=2),
    Dataset.range(6).interleave(tens, cycle_length=3, block_length=5),
    Dataset.range(6).interleave(tens, cycle_length=100),
    Dataset.range(0).interleave(tens, cycle_length=2),
    Dataset.range(5).interleave(lambda x: Dataset.range(0), cycle_length=2),
    Dataset.range(6).interleave(tens, cycle_length=2, num_parallel_calls=AUTOTUNE),
    Dataset.range(6).map(lambda x: (x, x)).interleave(lambda a, b: tens(a), cycle_length=2),
    Dataset.range(6).shuffle(3).interleave(lambda x: tens(x).shuffle(2), cycle_length=3).repeat(2),
    Dataset.range(6).interleave(
        lambda x: tens(x).map(lambda y, rng: (y, rng.random())), cycle_length=2
    ),
    Dataset.range(3).interleave(
        lambda x: Dataset.range(3).interleave(lambda y: tens(y + x), cycle_length=2), cycle_length=2
    ),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


@pytest.mark.parametrize("ds", [CASES[2], CASES[-3]], ids=str)
def test_resumes_in_a_fresh_process(ds):
    check_resume_in_fresh_process(ds)


@pytest.mark.parametrize(
    ("cycle_length", "block_length", "length", "expected"),
    [
        (2, 2, lambda x: 4, [0, 1, 10, 11, 2, 3, 12, 13, 20, 21, 30, 31, 22, 23, 32, 33]),
        (3, 1, lambda x: x, [10, 20, 30, 21, 31, 32]),
        (1, 1, lambda x: 2, [0, 1, 10, 11, 20, 21, 30, 31]),
        (4, 3, lambda x: 2, [0, 1, 10, 11, 20, 21, 30, 31]),
    ],
)
def test_the_order_is_that_of_tf_data(cycle_length, block_length, length, expected):
    ds = Dataset.range(4).interleave(
        lambda x: Dataset.range(x * 10, x * 10 + length(x)), cycle_length, block_length
    )

    assert [int(x) for x in ds] == expected


def test_the_number_of_elements_is_unknown():
    assert Dataset.range(4).interleave(tens).cardinality() == -2


def test_only_as_many_datasets_are_open_as_the_cycle_is_long():
    opened = []

    def forever(x):
        opened.append(int(x))
        return Dataset.range(3).repeat()

    list(Dataset.range(1 << 40).interleave(forever, cycle_length=3).take(50))

    assert opened == [0, 1, 2]


def test_random_draws_differ_between_the_datasets():
    ds = Dataset.range(4).interleave(
        lambda x: Dataset.range(2).map(lambda y, rng: rng.random()), cycle_length=2
    )

    assert len(set(ds)) == 8


def test_an_error_in_the_function_keeps_its_type_and_the_next_elements_go_on():
    def fails_at_1(x):
        return Dataset.range([2, None, 2][x] + 0)

    it = iter(Dataset.range(3).interleave(fails_at_1, cycle_length=2))

    assert int(next(it)) == 0
    with pytest.raises(TypeError) as caught:
        next(it)
    assert [int(x) for x in it] == [0, 1, 1]
    assert "in interleave(fails_at_1) built at test_interleave.py:" in caught.value.__notes__[0]


def test_a_function_that_returns_no_dataset_is_refused():
    with pytest.raises(BuildTypeError, match=r"what map_func returns must be a Dataset, got array"):
        list(Dataset.range(3).interleave(lambda x: np.arange(2)))


@pytest.mark.parametrize("name", ["cycle_length", "block_length"])
def test_lengths_below_one_are_refused(name):
    with pytest.raises(BuildError, match=rf"interleave\(\): {name} must be at least 1, got 0"):
        Dataset.range(3).interleave(tens, **{name: 0})


def test_a_function_that_is_none_is_refused():
    with pytest.raises(BuildTypeError, match=r"interleave\(\): map_func must be a function"):
        Dataset.range(3).interleave("files")


def test_more_calls_than_datasets_in_turn_are_refused():
    ds = tf.data.Dataset.range(3)

    with pytest.raises(tf.errors.InvalidArgumentError, match="at most cycle_length, which is 2"):
        ds.interleave(tf.data.Dataset.range, cycle_length=2, num_parallel_calls=3)
    ds.interleave(tf.data.Dataset.range, cycle_length=2, num_parallel_calls=tf.data.AUTOTUNE)
    ds.interleave(tf.data.Dataset.range, num_parallel_calls=32)


@pytest.mark.parametrize("failing", [(0,), (3, 8), (2, 3, 4), (13,), range(14)])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_failure_of_the_input_that_was_met_ahead_of_its_turn_is_met_again(failing, count):
    def fails(x):
        if int(x) in failing:
            raise KeyError("this one fails")
        return x

    ds = Dataset.range(14).map(fails)
    ds = ds.interleave(lambda x: Dataset.from_tensors(x).repeat(count), 3, 2, 2)

    check_resume(ds.ignore_errors())
