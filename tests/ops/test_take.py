import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildTypeError
from feedline.testing import CHECKS, check_resume_in_fresh_process

CASES = [
    Dataset.range(9).take(4),
    Dataset.range(9).take(0),
    Dataset.range(9).take(9),
    Dataset.range(9).take(100),
    Dataset.range(9).take(-1),
    Dataset.range(0).take(3),
    Dataset.range(3).repeat().take(10).batch(3),
    Dataset.from_tensor_slices({"x": np.zeros((5, 2)), "s": list("abcde")}).take(3).repeat(2),
    Dataset.range(9).map(lambda x: x * 2).take(4).batch(3),
    Dataset.range(40).shuffle(7).take(12).shuffle(5),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[-1])


@pytest.mark.parametrize(("count", "left"), [(0, 0), (2, 2), (5, 5), (9, 5), (-1, 5), (-7, 5)])
def test_the_first_elements_come_out_and_all_by_a_negative_count(count, left):
    assert [int(x) for x in Dataset.range(5).take(count)] == list(range(left))


def test_cardinality_is_at_most_the_count():
    assert Dataset.range(5).take(2).cardinality() == 2
    assert Dataset.range(5).repeat().take(7).cardinality() == 7
    assert Dataset.range(5).repeat().take(-1).cardinality() == -1
    assert Dataset.range(5).filter(lambda x: True).take(2).cardinality() == -2


def test_not_one_element_more_is_computed():
    seen = []

    list(Dataset.range(1 << 40).map(lambda x: seen.append(x) or x).take(100))

    assert len(seen) == 100


def test_elements_can_be_read_by_index():
    ds = Dataset.range(9).take(4)

    assert [int(ds[0]), int(ds[-1]), len(ds)] == [0, 3, 4]
    with pytest.raises(IndexError):
        ds[4]


def test_a_count_that_is_no_integer_is_refused():
    with pytest.raises(BuildTypeError, match=r"take\(\): count must be an integer, got 1.5"):
        Dataset.range(3).take(1.5)
