import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildTypeError
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

CASES = [
    Dataset.range(6).flat_map(Dataset.range),
    Dataset.range(0).flat_map(Dataset.range),
    Dataset.range(4).flat_map(lambda x: Dataset.range(0)),
    Dataset.range(20).batch(6).flat_map(Dataset.from_tensor_slices),
    Dataset.range(5).flat_map(lambda x: Dataset.range(x).map(lambda y: (x, str(y)))),
    Dataset.from_tensor_slices((np.arange(4), np.arange(4))).flat_map(
        lambda a, b: Dataset.from_tensors({"a": a, "b": b}).repeat(2)
    ),
    Dataset.range(4).flat_map(lambda x: Dataset.range(3).flat_map(lambda y: Dataset.range(y + x))),
    Dataset.range(4).flat_map(lambda x: Dataset.range(5).shuffle(3)),
    Dataset.range(4)
    .flat_map(lambda x: Dataset.range(3).map(lambda y, rng: rng.random()))
    .repeat(2),
    Dataset.range(10).window(3).flat_map(lambda w: w.batch(3)),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


@pytest.mark.parametrize("ds", CASES[-3:-1], ids=str)
def test_resumes_in_a_fresh_process(ds):
    check_resume_in_fresh_process(ds)


def test_datasets_are_joined_one_after_the_other():
    ds = Dataset.range(4).flat_map(Dataset.range)

    assert [int(x) for x in ds] == [0, 0, 1, 0, 1, 2]


def test_the_number_of_elements_is_unknown():
    assert Dataset.range(5).flat_map(lambda x: Dataset.range(2)).cardinality() == -2


def test_random_draws_differ_between_parents():
    ds = Dataset.range(3).flat_map(lambda x: Dataset.range(1).map(lambda y, rng: rng.random()))

    assert len(set(ds)) == 3


def test_an_infinite_inner_dataset_is_read_only_as_far_as_needed():
    opened = []

    def forever(x):
        opened.append(int(x))
        return Dataset.range(3).repeat()

    assert len(list(Dataset.range(1 << 40).flat_map(forever).take(100))) == 100
    assert opened == [0]


def test_a_function_that_returns_no_dataset_is_refused_with_its_place():
    with pytest.raises(BuildTypeError, match=r"must be a Dataset, got np\.int64") as caught:
        list(Dataset.range(3).flat_map(lambda x: x))
    assert "flat_map(<lambda>) built at test_flat_map.py:" in str(caught.value)


def test_an_error_in_the_function_keeps_its_type_and_the_next_elements_go_on():
    it = iter(Dataset.range(4).flat_map(lambda x: Dataset.range([1, 2, "x", 1][x])))

    assert [int(next(it)) for _ in range(3)] == [0, 0, 1]
    with pytest.raises(TypeError) as caught:
        next(it)
    assert [int(x) for x in it] == [0]
    assert caught.value.__notes__[0].endswith("element 2")


def test_an_error_in_an_inner_dataset_leaves_the_rest_of_it():
    ds = Dataset.range(2).flat_map(lambda x: Dataset.range(4).map(lambda y: [0, 1, None, 3][y] + 0))

    assert [int(x) for x in ds.ignore_errors()] == [0, 1, 3, 0, 1, 3]


def test_strings_and_rows_come_out_as_they_are():
    ds = Dataset.from_tensors([["a", "b"], ["c", "d"]]).flat_map(Dataset.from_tensor_slices)

    assert_same_elements(ds, [np.array(["a", "b"], object), np.array(["c", "d"], object)])


def test_a_function_that_is_none_is_refused_where_it_is_written():
    with pytest.raises(BuildTypeError, match=r"flat_map\(\): map_func must be a function"):
        Dataset.range(3).flat_map([])
