from collections import namedtuple

import numpy as np
import pytest

from feedline import ragged
from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.spec import DatasetSpec, RaggedTensorSpec, TensorSpec
from feedline.testing import (
    CHECKS,
    check_block_sizes,
    check_resume,
    check_resume_in_fresh_process,
)

Pair = namedtuple("Pair", ["x", "y"])

NUMBERS = Dataset.range(11)
CALLED = NUMBERS.map(lambda x: x)
NESTED = NUMBERS.map(lambda x: {"a": x, "b": (str(x), np.arange(x % 3))})

CASES = [
    source.window(size, shift, stride, drop)
    for source in (NUMBERS, CALLED)
    for size, shift, stride, drop in [
        (3, None, 1, False),
        (3, 1, 1, True),
        (2, 5, 1, False),
        (3, 2, 2, False),
        (20, 1, 1, False),
        (20, 1, 1, True),
    ]
]
CASES += [
    NESTED.window(3, 2),
    NUMBERS.map(lambda x: Pair(x, -x)).window(4, 3, 2),
    NUMBERS.shuffle(4, seed=1).window(3, 1, drop_remainder=True),
    NUMBERS.window(2).window(2),
    Dataset.range(0).window(2),
    NUMBERS.window(3, 1).flat_map(lambda w: w.map(lambda x: x + 1)),
]


def lists(windows):
    return [[int(x) for x in window] for window in windows]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


@pytest.mark.parametrize("ds", [CASES[1], CALLED.window(3, 2)], ids=str)
def test_resumes_in_a_fresh_process(ds):
    check_resume_in_fresh_process(ds)


@pytest.mark.parametrize("source", [Dataset.range, lambda n: Dataset.range(n).map(lambda x: x)])
@pytest.mark.parametrize("length", [0, 1, 5, 9])
@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("shift", [1, 2, 5])
@pytest.mark.parametrize("stride", [1, 2])
def test_windows_are_slices(source, length, size, shift, stride):
    slices = [
        list(range(start, min(start + (size - 1) * stride + 1, length), stride))
        for start in range(0, length, shift)
    ]
    ds = source(length).window(size, shift, stride)
    full = source(length).window(size, shift, stride, drop_remainder=True)

    assert lists(ds) == slices
    assert lists(full) == [window for window in slices if len(window) == size]
    assert (len(ds), len(full)) == (len(lists(ds)), len(lists(full)))


def test_a_structure_becomes_a_structure_of_datasets():
    ds = Dataset.from_tensor_slices({"a": [1, 2, 3], "b": (["x", "y", "z"], [4, 5, 6])}).window(2)
    first = next(iter(ds))

    assert lists([first["a"], first["b"][1]]) == [[1, 2], [4, 5]]
    assert list(first["b"][0]) == ["x", "y"]
    assert ds.element_spec == {
        "a": DatasetSpec(TensorSpec((), np.int32)),
        "b": (DatasetSpec(TensorSpec((), object)), DatasetSpec(TensorSpec((), np.int32))),
    }


def test_a_window_knows_its_length_and_spec():
    first, *_, last = Dataset.from_tensor_slices(ragged.constant([[1], [2], [3]])).window(2)

    assert (len(first), len(last)) == (2, 1)
    assert first.element_spec == RaggedTensorSpec((None,), np.int32, ragged_rank=0)


def test_what_only_running_tells_is_read_off_the_rows():
    (first,) = Dataset.range(2).map(lambda x: np.zeros(x)).window(2)

    assert first.element_spec == TensorSpec((None,), np.float64)


def test_a_window_can_be_read_again_and_later():
    windows = list(Dataset.range(4).window(2))

    assert lists(reversed(windows)) == lists(reversed(windows)) == [[2, 3], [0, 1]]


def test_windows_share_memory_and_are_protected():
    array = np.arange(12).reshape(6, 2)
    first, second = Dataset.from_tensor_slices(array).window(4, 1).take(2)
    rows = [*first, *second]

    assert all(np.shares_memory(row, array) for row in rows)
    assert not any(row.flags.writeable for row in rows)


def test_windows_can_be_read_by_index():
    ds = Dataset.range(10).window(3, shift=2)

    assert lists([ds[1], ds[-1]]) == [[2, 3, 4], [8, 9]]


def test_every_element_is_made_once():
    made = []
    ds = Dataset.range(8).map(lambda x: made.append(int(x)) or x).window(4, shift=1)

    assert len(lists(ds)) == 8
    assert made == list(range(8))


def test_no_more_is_read_than_the_windows_need():
    made = []
    ds = Dataset.range(100).map(lambda x: made.append(int(x)) or x).window(3, shift=2).take(2)

    assert lists(ds) == [[0, 1, 2], [2, 3, 4]]
    assert made == list(range(5))


def test_elements_between_windows_are_not_made():
    made = []
    ds = Dataset.range(9).map(lambda x: made.append(int(x)) or x).window(2, shift=4)

    assert lists(ds) == [[0, 1], [4, 5], [8]]
    assert made == [0, 1, 4, 5, 8]


def test_an_infinite_input_has_infinitely_many_windows():
    ds = Dataset.range(3).repeat().window(2)

    assert ds.cardinality() == -1
    assert lists(ds.take(2)) == [[0, 1], [2, 0]]


def fails_at_3(x):
    if x == 3:
        raise KeyError("three")
    return x


@pytest.mark.parametrize(
    "options",
    [{"size": 2}, {"size": 3, "shift": 1}, {"size": 2, "shift": 1, "stride": 2}, {"size": 1}],
)
def test_every_window_with_a_failed_element_fails_as_it_did(options):
    ds = Dataset.range(8).map(fails_at_3).window(**options)
    whole = [window for window in lists(Dataset.range(8).window(**options)) if 3 not in window]

    with pytest.raises(KeyError, match="three") as caught:
        list(ds)
    assert "element 3" in caught.value.__notes__[0]
    assert lists(ds.ignore_errors()) == whole


@pytest.mark.parametrize("check", [check_block_sizes, check_resume])
def test_windows_around_failed_elements_conform(check):
    check(Dataset.range(13).map(fails_at_3).window(3, shift=1).ignore_errors())


@pytest.mark.parametrize("name", ["size", "shift", "stride"])
def test_arguments_must_be_at_least_one(name):
    with pytest.raises(BuildError, match=f"{name} must be at least 1, got 0"):
        NUMBERS.window(**{"size": 2, name: 0})
    with pytest.raises(BuildTypeError, match=f"{name} must be an integer"):
        NUMBERS.window(**{"size": 2, name: 1.5})
