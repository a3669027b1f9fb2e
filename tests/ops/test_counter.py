import numpy as np
import pytest

from feedline.data import INFINITE_CARDINALITY, Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.spec import TensorSpec
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process


def first(count, ds):
    """Return the front of an endless dataset, with no step above it that reads it alone."""
    return Dataset.zip(ds, Dataset.range(count))


CASES = [
    first(20, Dataset.counter()),
    first(9, Dataset.counter(start=100, step=-7)),
    first(20, Dataset.counter(dtype=np.uint8, start=250)),
    first(20, Dataset.counter(0, 0.1, np.float32)),
    Dataset.counter(0.5, -0.1, np.float64).take(11).repeat(2),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=repr)
def test_conforms(ds, check):
    check(ds)


@pytest.mark.parametrize("ds", [CASES[1], CASES[4]], ids=repr)
def test_resumes_in_a_fresh_process(ds):
    check_resume_in_fresh_process(ds)


def test_it_counts_without_an_end():
    ds = Dataset.counter(10, 3)

    assert [int(x) for x in ds.take(3)] == [10, 13, 16]
    assert ds.cardinality() == INFINITE_CARDINALITY
    assert ds.element_spec == TensorSpec((), np.int64)


def test_integers_wrap_around():
    assert_same_elements(
        Dataset.counter(126, dtype=np.int8).take(4), np.array([126, 127, -128, -127], np.int8)
    )
    top = np.iinfo(np.uint64).max
    assert_same_elements(
        Dataset.counter(top, dtype=np.uint64).take(2), np.array([top, 0], np.uint64)
    )


def test_floats_are_added_up_as_tf_data_does():
    """The seventh and eighth number show the rounding: 7 * 0.1 in float32 is another number."""
    found = list(Dataset.counter(0, 0.1, np.float32).take(9))

    assert [float(x) for x in found[6:]] == [
        0.6000000238418579,
        0.7000000476837158,
        0.8000000715255737,
    ]


def test_a_resume_far_out_is_immediate():
    ds = Dataset.counter(step=2)
    it = iter(ds)
    state = it.state_dict()
    state["position"] = {"at": 10**15, "n": 10**15}
    it.load_state_dict(state)

    assert int(next(it)) == 2 * 10**15


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"start": 1.5}, BuildTypeError, r"counter\(\): start must be a number of type int64"),
        ({"step": "a"}, BuildTypeError, r"counter\(\): step must be a number of type int64"),
        ({"start": [1, 2]}, BuildTypeError, "start must be a number"),
        ({"start": 200, "dtype": np.int8}, BuildError, r"start must fit int8, got 200"),
        ({"dtype": str}, BuildTypeError, r"counter\(\): dtype must be a number"),
    ],
)
def test_what_cannot_be_counted_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        Dataset.counter(**arguments)
