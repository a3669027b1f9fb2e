from collections import namedtuple

import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import SpecError
from feedline.ragged import constant
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

Point = namedtuple("Point", ["x", "y"])

CASES = [
    Dataset.range(10).batch(3).unbatch(),
    Dataset.range(12).batch(3, drop_remainder=True).unbatch(),
    Dataset.range(0).batch(3).unbatch(),
    Dataset.range(9).map(lambda x: np.arange(x % 4)).unbatch(),
    Dataset.range(9).map(lambda x: np.zeros((x % 3, 2, 0))).unbatch(),
    Dataset.range(9).map(lambda x: (np.arange(x % 3), np.array(["a"] * (x % 3), object))).unbatch(),
    Dataset.from_tensor_slices(Point(np.zeros((6, 2)), list("abcdef"))).batch(4).unbatch(),
    Dataset.from_tensors({"a": [1, 2], "b": [[1.5], [2.5]]}).unbatch().repeat(3),
    Dataset.from_tensors(constant([[1], [2, 3], []])).unbatch(),
    Dataset.from_tensors(constant([[[1], [2, 3]], []])).unbatch(),
    Dataset.range(40).batch(5).shuffle(3).unbatch().shuffle(7),
    Dataset.range(20).batch(3).unbatch().map(lambda x, rng: (x, rng.random())).repeat(2),
    Dataset.range(24).batch(2).batch(3).unbatch().unbatch(),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[-3])


def test_the_slices_come_one_after_the_other():
    rows = np.arange(6, dtype=np.float32).reshape(3, 2)
    ds = Dataset.from_tensors((rows, ["a", "b", "c"])).unbatch()

    assert_same_elements(ds, [(rows[0], "a"), (rows[1], "b"), (rows[2], "c")])


def test_it_undoes_a_batch_spec_included():
    ds = Dataset.from_tensor_slices({"x": np.zeros((5, 2), np.uint8), "y": list("abcde")})

    assert_same_elements(ds.batch(2).unbatch(), ds)
    assert ds.batch(2).unbatch().element_spec == ds.element_spec


def test_the_number_of_elements_is_known_if_that_of_a_batch_is():
    assert Dataset.range(4).batch(2, drop_remainder=True).unbatch().cardinality() == 4
    assert Dataset.range(4).batch(2).unbatch().cardinality() == -2
    assert Dataset.range(4).repeat().batch(2).unbatch().cardinality() == -1


def test_random_draws_differ_within_a_batch():
    ds = Dataset.range(6).batch(3).unbatch().map(lambda x, rng: rng.random())

    assert len(set(ds)) == 6


def test_elements_known_to_have_no_axis_are_refused_where_it_is_written():
    with pytest.raises(SpecError, match=r"unbatch\(\): every leaf must have a first axis, but the"):
        Dataset.range(3).unbatch()
    with pytest.raises(SpecError, match=r"but \['y'\] is TensorSpec"):
        Dataset.from_tensors({"x": [1], "y": "text"}).unbatch()


def test_axes_known_to_differ_are_refused_where_it_is_written():
    with pytest.raises(SpecError, match=r"equally long in all leaves, got \[0\]: 2, \[1\]: 3"):
        Dataset.from_tensors((np.zeros(2), np.zeros(3))).unbatch()


def test_what_only_running_tells_is_refused_when_it_runs():
    with pytest.raises(SpecError, match=r"unbatch\(\): every leaf .* the element is int64\[\]"):
        list(Dataset.range(3).map(lambda x: x).unbatch())
    with pytest.raises(SpecError, match=r"every leaf must have a first axis, .* is str"):
        list(Dataset.range(3).map(lambda x: "text").unbatch())


def test_a_bad_batch_fails_alone():
    def rows(x):
        return np.arange(2), np.arange(3 if x == 1 else 2)

    it = iter(Dataset.range(3).map(rows).unbatch())

    assert [int(next(it)[0]), int(next(it)[0])] == [0, 1]
    with pytest.raises(SpecError, match=r"got 2 and, at \[1\], 3"):
        next(it)
    assert len(list(it)) == 2


def test_an_infinite_input_is_read_only_as_far_as_needed():
    assert len(list(Dataset.range(4).batch(2).repeat().unbatch().take(9))) == 9


def test_the_count_is_known_where_a_recorded_function_makes_the_batches():
    ds = Dataset.range(3).map(lambda x: np.arange(4) + x).unbatch()

    assert ds.cardinality() == 12
