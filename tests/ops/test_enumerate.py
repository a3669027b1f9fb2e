import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.spec import TensorSpec
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

CASES = [
    Dataset.range(5, 10).enumerate(),
    Dataset.range(5).enumerate(-2),
    Dataset.range(0).enumerate(),
    Dataset.from_tensor_slices((np.zeros((4, 2)), list("abcd"))).enumerate(7),
    Dataset.from_tensor_slices({"x": [1, 2, 3]}).enumerate().repeat(2).batch(2),
    Dataset.range(20).filter(lambda x: x % 3 == 0).enumerate(),
    Dataset.range(6).enumerate().map(lambda i, x, rng: (i, x, rng.random())),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[5])


def test_every_element_is_paired_with_its_number():
    ds = Dataset.from_tensor_slices((["a", "b"], [1, 2])).enumerate(start=5)

    expected = [(np.int64(5), ("a", np.int32(1))), (np.int64(6), ("b", np.int32(2)))]
    assert_same_elements(ds, expected)
    assert ds.element_spec[0] == TensorSpec((), np.int64)


def test_cardinality_is_kept():
    assert Dataset.range(3).enumerate().cardinality() == 3
    assert Dataset.range(3).repeat().enumerate().cardinality() == -1
    assert Dataset.range(3).filter(lambda x: True).enumerate().cardinality() == -2


def test_elements_can_be_read_by_index():
    assert_same_elements([Dataset.range(5, 9).enumerate(3)[2]], [(np.int64(5), np.int64(7))])


def test_an_element_that_failed_had_a_number_too():
    ds = Dataset.range(4).map(lambda x: [0, None, 2, 3][x] + 0).enumerate().ignore_errors()

    assert [(int(i), int(x)) for i, x in ds] == [(0, 0), (2, 2), (3, 3)]


def test_the_numbers_end_before_the_largest_int64():
    ds = Dataset.range(5).enumerate(2**63 - 3)

    assert [int(i) for i, _ in ds] == [2**63 - 3, 2**63 - 2]
    assert ds.cardinality() == 2


def test_a_start_that_is_no_int64_is_refused():
    with pytest.raises(BuildTypeError, match=r"enumerate\(\): start must be an integer, got 1.5"):
        Dataset.range(3).enumerate(1.5)
    with pytest.raises(BuildError, match=r"enumerate\(\): start must fit int64"):
        Dataset.range(3).enumerate(1 << 63)
