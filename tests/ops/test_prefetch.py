import json

import numpy as np
import pytest

from feedline.data import AUTOTUNE, Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.testing import CHECKS, check_resume_in_fresh_process

CASES = [
    Dataset.range(10).prefetch(2),
    Dataset.range(10).prefetch(0),
    Dataset.range(10).prefetch(AUTOTUNE),
    Dataset.range(10).map(lambda x: (x, str(x))).prefetch(3).repeat(2).batch(3).prefetch(1),
    Dataset.range(10).shuffle(4).prefetch(100).batch(2),
    Dataset.range(4).flat_map(lambda x: Dataset.range(3).prefetch(1)),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[4])


@pytest.mark.parametrize("buffer_size", [None, -1, 0, 1, np.int64(7)])
def test_elements_and_cardinality_are_the_inputs(buffer_size):
    ds = Dataset.range(4).prefetch(buffer_size)

    assert [int(x) for x in ds] == [0, 1, 2, 3]
    assert ds.cardinality() == 4
    assert ds.element_spec == Dataset.range(4).element_spec


def test_elements_can_be_read_by_index():
    assert int(Dataset.range(10).prefetch(2)[7]) == 7


@pytest.mark.parametrize("other", [Dataset.range(9).prefetch(8), Dataset.range(9)], ids=str)
def test_a_state_goes_with_any_buffer_size(other):
    it = iter(Dataset.range(9).prefetch(2))
    next(it)
    again = iter(other)
    again.load_state_dict(json.loads(json.dumps(it.state_dict())))

    assert [int(x) for x in again] == list(range(1, 9))


def test_the_plan_shows_it_as_asked():
    assert "prefetch(buffer_size=3)" in Dataset.range(9).prefetch(3).explain()


def test_a_size_below_0_that_is_not_autotune_is_refused():
    with pytest.raises(
        BuildError, match=r"prefetch\(\): buffer_size must be at least 0, or AUTOTUNE"
    ):
        Dataset.range(3).prefetch(-2)


def test_a_size_that_is_no_integer_is_refused():
    with pytest.raises(BuildTypeError, match=r"prefetch\(\): buffer_size must be an integer"):
        Dataset.range(3).prefetch(1.5)
