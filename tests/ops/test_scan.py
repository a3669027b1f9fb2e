import json
from collections import namedtuple

import numpy as np
import pytest

from feedline.data import Dataset, Options
from feedline.errors import BuildTypeError, SpecError
from feedline.spec import TensorSpec
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

Pair = namedtuple("Pair", ["low", "high"])


def running_sum(state, x):
    return state + x, state + x


def append(state, x):
    return np.concatenate([state, [x]]), state


CASES = [
    Dataset.range(12).scan(np.int64(0), running_sum),
    Dataset.range(0).scan(np.int64(0), running_sum),
    Dataset.range(12).scan(np.zeros(0, np.int64), append),
    Dataset.range(12).scan(np.zeros(2000, np.int64), lambda s, x: (s + x, s[0])),
    Dataset.range(12).scan("", lambda s, x: (s + str(x), {"text": s})),
    Dataset.range(12).scan(b"", lambda s, x: (s + bytes([x]), len(s))),
    Dataset.range(12).scan({"n": 0, "x": 0.5}, lambda s, x: ({"x": s["x"], "n": s["n"] + 1}, x)),
    Dataset.range(12).scan(Pair(0, (1, True)), lambda s, x: (s, (s.low, s.high[0]))),
    Dataset.range(12).scan([["a"]], lambda s, x: (s, x)),
    Dataset.from_tensor_slices((np.arange(6), np.arange(6))).scan(0, lambda s, x: (s, x[1])),
    Dataset.range(8).scan(np.float64(0), lambda s, x, rng: (s + rng.random(), s)).repeat(2),
    Dataset.range(30).shuffle(4).scan(np.zeros(2000), lambda s, x: (s * 0.5 + x, s[:2])),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


@pytest.mark.parametrize("ds", [CASES[0], CASES[-1]], ids=str)
def test_resumes_in_a_fresh_process(ds):
    check_resume_in_fresh_process(ds)


def test_the_state_goes_from_call_to_call():
    ds = Dataset.range(4).scan(np.int64(0), lambda s, x: (s + x, s * 10))

    assert [int(x) for x in ds] == [0, 0, 10, 30]
    assert ds.element_spec == TensorSpec((), np.int64)


def test_cardinality_is_kept():
    assert Dataset.range(4).scan(0, lambda s, x: (s, x)).cardinality() == 4
    assert Dataset.range(4).repeat().scan(0, lambda s, x: (s, x)).cardinality() == -1


def test_python_numbers_begin_as_int32_and_float32_and_take_the_dtype_of_the_state():
    ds = Dataset.range(2).scan((0, 0.5, True), lambda s, x: ((7, 1, False), s))

    expected = [
        (np.int32(0), np.float32(0.5), np.True_),
        (np.int32(7), np.float32(1), np.False_),
    ]
    assert_same_elements(ds, expected)


def test_every_iteration_begins_with_the_initial_state():
    ds = Dataset.range(3).scan(np.int64(0), running_sum)

    assert [int(x) for x in ds] == [int(x) for x in ds] == [0, 1, 3]


def test_a_function_that_changes_the_state_in_place_changes_no_output():
    def add(state, x):
        state += x
        return state, state

    initial = np.zeros(1, np.int64)
    ds = Dataset.range(5).scan(initial, add)

    assert [int(x[0]) for x in ds] == [0, 1, 3, 6, 10]
    assert initial[0] == 0


@pytest.mark.parametrize(
    ("size", "num_calls", "most_bytes"), [(10, 2, 2500), (160, 2, 2500), (1000, 11, 500)]
)
def test_a_small_state_is_saved_and_a_large_one_is_computed_again(size, num_calls, most_bytes):
    calls = []
    ds = Dataset.range(20).scan(np.zeros(size), lambda s, x: (s + 1, calls.append(x) or x))
    ds = ds.with_options(Options(block_size=1))
    it = iter(ds)
    for _ in range(10):
        next(it)
    saved = json.dumps(it.state_dict())
    again = iter(ds)
    again.load_state_dict(json.loads(saved))
    calls.clear()

    assert int(next(again)) == 10
    assert len(calls) == num_calls
    assert len(saved) < most_bytes


@pytest.mark.parametrize("result", [5, (1, 2, 3), None, np.arange(2)], ids=str)
def test_a_result_that_is_no_pair_is_refused(result):
    with pytest.raises(BuildTypeError, match=r"scan\(\): scan_func must return a pair"):
        list(Dataset.range(3).scan(0, lambda s, x: result))


def test_a_list_of_two_is_a_pair():
    assert [int(x) for x in Dataset.range(3).scan(0, lambda s, x: [s, x])] == [0, 1, 2]


def test_a_state_of_another_dtype_is_refused():
    with pytest.raises(BuildTypeError, match=r"scan\(\): .* int32 is expected, got int64\[\]"):
        list(Dataset.range(3).scan(0, running_sum))


def test_a_state_of_another_structure_is_refused():
    with pytest.raises(BuildTypeError, match=r"the initial state, \(\*, \*\), got \*"):
        list(Dataset.range(3).scan((0, 0), lambda s, x: (s[0], x)))


def test_outputs_of_different_structures_are_refused():
    with pytest.raises(SpecError, match=r"scan\(\): all outputs must have one structure"):
        list(Dataset.range(3).scan(0, lambda s, x: (s, x if x < 2 else (x,))))


def test_a_call_that_failed_leaves_the_state_alone():
    def fails_at_2(state, x):
        if x == 2:
            raise KeyError("two")
        return state + x, state + x

    it = iter(Dataset.range(5).scan(np.int64(0), fails_at_2))

    assert [int(next(it)), int(next(it))] == [0, 1]
    with pytest.raises(KeyError) as caught:
        next(it)
    assert [int(x) for x in it] == [4, 8]
    assert "in scan(fails_at_2) built at test_scan.py:" in caught.value.__notes__[0]
    assert caught.value.__notes__[0].endswith("element 2")


def test_a_function_that_is_none_is_refused_where_it_is_written():
    with pytest.raises(BuildTypeError, match=r"scan\(\): scan_func must be a function"):
        Dataset.range(3).scan(0, 0)
