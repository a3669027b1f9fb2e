import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildTypeError
from feedline.options import Options
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

CASES = [
    Dataset.range(20).take_while(lambda x: x < 7),
    Dataset.range(20).take_while(lambda x: x % 5 != 4),
    Dataset.range(20).take_while(lambda x: True),
    Dataset.range(20).take_while(lambda x: False),
    Dataset.range(0).take_while(lambda x: True),
    Dataset.from_tensor_slices((np.arange(9), ["a"] * 9)).take_while(lambda a, b: a < 4),
    Dataset.from_tensor_slices({"x": [3, 2, 1, 2]}).take_while(lambda d: d["x"] > 1).repeat(2),
    Dataset.range(20)
    .take_while(lambda x, rng: bool(rng.random() < 0.9))
    .with_options(Options(seed=1))
    .repeat(3),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[1])


def test_nothing_comes_after_the_first_false():
    it = iter(Dataset.from_tensor_slices([1, 2, 9, 1, 1]).take_while(lambda x: x < 5))

    assert_same_elements(it, [np.int32(1), np.int32(2)])
    assert next(it, None) is None
    assert next(it, None) is None


def test_the_end_is_remembered_by_a_state():
    ds = Dataset.from_tensor_slices([1, 9, 1]).take_while(lambda x: x < 5)
    it = iter(ds)
    list(it)
    again = iter(ds)
    again.load_state_dict(it.state_dict())

    assert list(again) == []


def test_the_predicate_is_not_called_after_the_end():
    seen = []

    list(Dataset.range(1 << 40).take_while(lambda x: seen.append(int(x)) or x < 50))

    assert seen == list(range(51))


def test_the_number_of_elements_is_unknown():
    assert Dataset.range(5).take_while(lambda x: True).cardinality() == -2
    assert Dataset.range(5).repeat().take_while(lambda x: True).cardinality() == -2


def test_an_answer_that_is_no_bool_is_refused():
    with pytest.raises(
        BuildTypeError, match=r"take_while\(\): predicate must return a single bool"
    ):
        list(Dataset.range(3).take_while(lambda x: x))


def test_an_error_in_the_predicate_keeps_its_type_and_the_next_elements_go_on():
    it = iter(Dataset.range(5).take_while(lambda x: [True, True, [], True, False][x] or 1 / 0))

    assert [int(next(it)), int(next(it))] == [0, 1]
    with pytest.raises(ZeroDivisionError) as caught:
        next(it)
    assert int(next(it)) == 3
    assert "in take_while(" in caught.value.__notes__[0]
    assert caught.value.__notes__[0].endswith("element 2")


def test_a_predicate_that_is_no_function_is_refused_where_it_is_written():
    with pytest.raises(BuildTypeError, match=r"take_while\(\): predicate must be a function"):
        Dataset.range(3).take_while(None)
