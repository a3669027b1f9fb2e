import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.spec import TensorSpec
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

CASES = [
    Dataset.range(7),
    Dataset.range(0),
    Dataset.range(5, 2),
    Dataset.range(2, 9),
    Dataset.range(2, 20, 3),
    Dataset.range(20, 2, -4),
    Dataset.range(5, output_type=np.int32),
    Dataset.range(5, output_type=np.float32).repeat(2),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[4])


@pytest.mark.parametrize("args", [(5,), (-3,), (2, 6), (6, 2), (1, 10, 4), (10, 1, -4), (0, 5, -1)])
def test_the_numbers_are_those_of_pythons_range(args):
    ds = Dataset.range(*args)

    assert_same_elements(ds, [np.int64(x) for x in range(*args)])
    assert ds.cardinality() == len(range(*args))


def test_the_dtype_can_be_chosen():
    ds = Dataset.range(2, output_type=np.float32)

    assert_same_elements(ds, [np.float32(0), np.float32(1)])
    assert ds.element_spec == TensorSpec((), np.float32)


def test_any_of_a_great_many_is_found_at_once():
    ds = Dataset.range(1 << 60)

    assert ds[(1 << 60) - 1] == (1 << 60) - 1
    assert len(ds) == 1 << 60


@pytest.mark.parametrize("args", [(), (1, 2, 3, 4)])
def test_too_many_or_too_few_numbers_are_refused(args):
    with pytest.raises(BuildError, match=r"range\(\): takes 1 to 3 integers"):
        Dataset.range(*args)


def test_a_step_of_zero_is_refused():
    with pytest.raises(BuildError, match=r"range\(\): step must not be 0"):
        Dataset.range(1, 2, 0)


def test_what_is_no_integer_is_refused():
    with pytest.raises(
        BuildTypeError, match=r"range\(\): every argument must be an integer, got 1.5"
    ):
        Dataset.range(1.5)
    with pytest.raises(BuildTypeError, match=r"range\(\): unknown arguments \['kind'\]"):
        Dataset.range(3, kind=np.int32)
    with pytest.raises(BuildTypeError, match=r"range\(\): output_type must be a number"):
        Dataset.range(3, output_type=object)
