import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildTypeError
from feedline.testing import CHECKS, check_resume_in_fresh_process

CASES = [
    Dataset.range(9).skip(0),
    Dataset.range(9).skip(4),
    Dataset.range(9).skip(9),
    Dataset.range(9).skip(100),
    Dataset.range(9).skip(-1),
    Dataset.range(0).skip(3),
    Dataset.range(9).map(lambda x: x * 2).skip(4),
    Dataset.from_tensor_slices({"x": np.zeros((5, 2)), "s": list("abcde")}).skip(2).repeat(2),
    Dataset.range(30).shuffle(7, seed=1).skip(3).batch(4),
    Dataset.range(30).batch(4).skip(2).unbatch().skip(1),
    Dataset.range(9).filter(lambda x: x % 2 == 0).skip(2),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[6])


@pytest.mark.parametrize(
    ("count", "left"), [(0, [0, 1, 2]), (2, [2]), (3, []), (7, []), (-1, []), (-5, [])]
)
def test_the_first_elements_are_left_out_and_all_by_a_negative_count(count, left):
    ds = Dataset.range(3).skip(count)

    assert [int(x) for x in ds] == left
    assert ds.cardinality() == len(left)


def test_cardinality_of_infinite_and_unknown_inputs_is_kept():
    assert Dataset.range(3).repeat().skip(2).cardinality() == -1
    assert Dataset.range(3).filter(lambda x: True).skip(2).cardinality() == -2


def test_functions_before_it_are_called_on_elements_left_out():
    seen = []

    list(Dataset.range(1000).map(lambda x: seen.append(int(x)) or x).skip(990))

    assert seen == list(range(1000))


def test_without_functions_before_it_nothing_is_computed():
    ds = Dataset.range(1 << 50).skip((1 << 50) - 2)

    assert len(list(ds)) == 2


def test_elements_can_be_read_by_index():
    ds = Dataset.range(10).map(lambda x: x * 2).skip(3)

    assert [int(ds[0]), int(ds[-1])] == [6, 18]


def test_an_error_on_an_element_left_out_is_raised_and_the_next_go_on():
    it = iter(Dataset.range(5).map(lambda x: [0, None, 2, 3, 4][x] + 0).skip(2))

    with pytest.raises(TypeError):
        next(it)
    assert [int(x) for x in it] == [3, 4]


def test_a_count_that_is_no_integer_is_refused():
    with pytest.raises(BuildTypeError, match=r"skip\(\): count must be an integer, got 1.5"):
        Dataset.range(3).skip(1.5)
