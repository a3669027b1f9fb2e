import itertools
import json

import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.spec import TensorSpec
from feedline.testing import (
    CHECKS,
    check_block_sizes,
    check_resume,
    check_resume_in_fresh_process,
)


def by_rest(n):
    return lambda x: x % n


def batches(size):
    return lambda key, window: window.batch(size)


CASES = [
    Dataset.range(20).group_by_window(by_rest(3), batches(4), 4),
    Dataset.range(20).group_by_window(by_rest(3), batches(2), 5),
    Dataset.range(20).group_by_window(by_rest(7), lambda key, w: w, 2),
    Dataset.range(20).group_by_window(by_rest(3), batches(9), window_size_func=lambda key: key + 1),
    Dataset.range(20).group_by_window(by_rest(2), lambda key, w: w.repeat(2).batch(3), 4),
    Dataset.range(20).group_by_window(by_rest(2), lambda key, w: w.take(0), 4),
    Dataset.range(20).shuffle(6, seed=1).group_by_window(by_rest(3), batches(4), 4),
    Dataset.range(20)
    .map(lambda x: {"n": x, "s": (str(x), np.arange(3) + x)})
    .group_by_window(lambda e: e["n"] % 3, lambda key, w: w.map(lambda e: (key, e)), 3),
    Dataset.range(20).group_by_window(
        by_rest(2), lambda key, w: w.map(lambda x, rng: rng.integers(1000)).shuffle(9), 4
    ),
    Dataset.range(0).group_by_window(by_rest(3), batches(4), 4),
    Dataset.range(5).group_by_window(by_rest(2), batches(2), 2).repeat(2),
]


def lists(ds):
    return [batch.tolist() for batch in ds]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


@pytest.mark.parametrize("ds", [CASES[0], CASES[7]], ids=str)
def test_resumes_in_a_fresh_process(ds):
    check_resume_in_fresh_process(ds)


def test_full_windows_come_first_then_the_rest_by_rising_key():
    keys = np.array([3, 1, 2, 3, 9, 1, 7, 1, 3, 3, -4])
    ds = Dataset.from_tensor_slices((keys, np.arange(11)))
    ds = ds.group_by_window(lambda key, _: key, batches(9), 2).map(lambda _, place: place)

    assert lists(ds) == [[0, 3], [1, 5], [8, 9], [10], [7], [2], [6], [4]]


def test_the_function_gets_the_key_and_a_dataset():
    seen = []

    def reduce(key, window):
        seen.append((key, len(window), window.element_spec))
        return window

    list(Dataset.range(3).group_by_window(by_rest(2), reduce, 2))
    spec = TensorSpec((), np.int64)
    assert seen == [(0, 2, spec), (1, 1, spec)]
    assert all(isinstance(key, np.int64) for key, _, _ in seen)


def test_the_size_of_a_key_is_asked_for_once():
    asked = []
    ds = Dataset.range(12).group_by_window(
        by_rest(2), batches(9), window_size_func=lambda key: asked.append(int(key)) or 2
    )

    assert lists(ds)[:2] == [[0, 2], [1, 3]]
    assert asked == [0, 1]


def test_elements_of_a_window_cannot_be_changed_from_outside():
    ds = Dataset.from_tensor_slices(np.zeros((4, 2)))
    rows = list(ds.group_by_window(lambda x: 0, lambda key, w: w, 4))

    assert not any(row.flags.writeable for row in rows)


def test_an_infinite_input_is_read_as_needed():
    ds = Dataset.range(3).repeat().group_by_window(by_rest(2), batches(2), 2)

    assert lists(ds.take(3)) == [[0, 2], [1, 1], [0, 2]]
    assert ds.cardinality() == -1


def test_no_more_is_read_than_the_first_window_needs():
    read = []
    ds = Dataset.range(100).map(lambda x: read.append(int(x)) or x)
    it = iter(ds.group_by_window(by_rest(2), batches(3), 3))

    assert next(it).tolist() == [0, 2, 4]
    assert read == [0, 1, 2, 3, 4]


def test_a_state_holds_positions_and_no_elements():
    ds = Dataset.range(1000).map(lambda x: np.full(1000, x))
    it = iter(ds.group_by_window(lambda x: x[0] % 5, lambda key, w: w.batch(8), 8))
    list(itertools.islice(it, 3))

    assert len(json.dumps(it.state_dict())) < 2000


def test_a_failed_key_leaves_out_its_element():
    ds = Dataset.range(6).group_by_window(lambda x: 1 // (int(x) - 2), batches(9), 9)

    with pytest.raises(ZeroDivisionError) as caught:
        list(ds)
    assert "group_by_window(<lambda>)" in caught.value.__notes__[0]
    assert "element 2" in caught.value.__notes__[0]
    assert lists(ds.ignore_errors()) == [[0, 1], [4, 5], [3]]


def fails_for_1(key, window):
    if key == 1:
        raise KeyError("one")
    return window.batch(9)


def test_a_failed_window_is_left_out():
    ds = Dataset.range(9).group_by_window(by_rest(3), fails_for_1, 2)

    with pytest.raises(KeyError, match="one") as caught:
        list(ds)
    assert "window of key 1" in caught.value.__notes__[0]
    assert lists(ds.ignore_errors()) == [[0, 3], [2, 5], [6], [8]]


@pytest.mark.parametrize("check", [check_block_sizes, check_resume])
@pytest.mark.parametrize(
    "ds",
    [
        Dataset.range(30).group_by_window(by_rest(3), fails_for_1, 2),
        Dataset.range(30).group_by_window(lambda x: 10 // (int(x) % 7), batches(4), 3),
        Dataset.range(30)
        .map(lambda x: x // (int(x) % 5))
        .group_by_window(by_rest(2), batches(4), 3),
        Dataset.range(30).group_by_window(
            by_rest(2), lambda key, w: w.map(lambda x: 9 // (int(x) % 5)), 4
        ),
    ],
    ids=str,
)
def test_what_survives_failures_does_not_depend_on_blocks_or_resumes(ds, check):
    check(ds.ignore_errors())


@pytest.mark.parametrize("key", [0.5, "a", np.array([1]), None, True])
def test_a_key_must_be_an_integer(key):
    with pytest.raises(BuildTypeError, match="a key must be an integer"):
        list(Dataset.range(3).group_by_window(lambda x: key, batches(2), 2))


@pytest.mark.parametrize("key", [1, np.int32(1), np.uint8(1), np.array(1)])
def test_every_integer_is_a_key(key):
    assert lists(Dataset.range(2).group_by_window(lambda x: key, batches(2), 2)) == [[0, 1]]


def test_what_the_function_returns_must_be_a_dataset():
    with pytest.raises(BuildTypeError, match="what reduce_func returns must be a Dataset"):
        list(Dataset.range(3).group_by_window(by_rest(2), lambda key, w: key, 2))


def test_a_size_a_function_gives_must_be_at_least_one():
    ds = Dataset.range(3).group_by_window(by_rest(2), batches(2), window_size_func=lambda key: 0)

    with pytest.raises(BuildError, match="the window size of key 0 must be at least 1, got 0"):
        list(ds)


@pytest.mark.parametrize(
    ("error", "text", "arguments"),
    [
        (BuildError, "exactly one of window_size and window_size_func", {}),
        (BuildError, "exactly one of", {"window_size": 2, "window_size_func": int}),
        (BuildError, "window_size must be at least 1, got 0", {"window_size": 0}),
        (BuildTypeError, "window_size_func must be a function", {"window_size_func": 3}),
        (BuildTypeError, "key_func must be a function", {"key_func": 3, "window_size": 2}),
        (BuildTypeError, "reduce_func must be a function", {"reduce_func": 3, "window_size": 2}),
    ],
)
def test_wrong_arguments_are_refused(error, text, arguments):
    with pytest.raises(error, match=text):
        Dataset.range(3).group_by_window(
            **{"key_func": int, "reduce_func": batches(2), **arguments}
        )
