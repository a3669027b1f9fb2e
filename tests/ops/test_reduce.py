from collections import namedtuple

import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildTypeError
from feedline.testing import assert_same

Stats = namedtuple("Stats", ["count", "total"])


def test_the_last_state_is_returned():
    assert_same(Dataset.range(5).reduce(np.int64(3), lambda s, x: s + x), np.int64(13))


def test_an_empty_dataset_gives_the_initial_state():
    assert_same(Dataset.range(0).reduce(7, lambda s, x: s + x), np.int32(7))
    assert_same(Dataset.range(0).reduce([1.5, 2], lambda s, x: s), np.array([1.5, 2], np.float32))


def test_python_numbers_take_the_dtype_of_the_state():
    assert_same(Dataset.range(5).reduce(0, lambda s, x: s + 1), np.int32(5))
    assert_same(Dataset.range(5).reduce(np.int64(0), lambda s, x: 4), np.int64(4))
    assert_same(Dataset.range(5).reduce(0.0, lambda s, x: 4), np.float32(4))


def test_states_may_be_structures():
    ds = Dataset.range(4)

    stats = ds.reduce(Stats(0, np.int64(0)), lambda s, x: Stats(s.count + 1, s.total + x))
    swapped = ds.reduce({"b": np.int64(0), "a": 1}, lambda s, x: {"a": s["a"] * 2, "b": s["b"] + x})
    listed = ds.reduce((np.int64(0), 0), lambda s, x: [s[0] + x, s[1]])

    assert_same(stats, Stats(np.int32(4), np.int64(6)))
    assert_same(swapped, {"b": np.int64(6), "a": np.int32(16)})
    assert_same(listed, (np.int64(6), np.int32(0)))


def test_shapes_may_change():
    grown = Dataset.range(3).reduce(np.zeros(0, np.int64), lambda s, x: np.append(s, x))

    assert_same(grown, np.arange(3))


def test_strings_can_be_joined():
    assert Dataset.from_tensor_slices(["a", "b"]).reduce("", lambda s, x: s + x) == "ab"
    assert Dataset.from_tensor_slices([b"a", b"b"]).reduce(b"", lambda s, x: s + x) == b"ab"


def test_a_tuple_element_is_one_argument():
    ds = Dataset.from_tensor_slices((np.arange(3), np.arange(3)))

    assert ds.reduce(np.int64(0), lambda s, x: s + x[0] * x[1]) == 5


def test_a_state_changed_in_place_is_not_the_callers():
    initial = np.zeros(1, np.int64)

    def add(state, x):
        state += x
        return state

    assert Dataset.range(100).reduce(initial, add)[0] == 4950
    assert initial[0] == 0


def test_elements_shared_with_others_are_not_changed_in_place():
    data = np.zeros((3, 2))

    def spoil(state, x):
        x += 1
        return state

    Dataset.from_tensor_slices(data).reduce(0, spoil)

    assert not data.any()


def test_a_state_of_another_dtype_is_refused():
    with pytest.raises(BuildTypeError, match=r"reduce\(\): .* int32 is expected, got int64\[\]"):
        Dataset.range(5).reduce(0, lambda s, x: s + x)
    with pytest.raises(BuildTypeError, match=r"bool is expected at \['a'\], got int64\[\]"):
        Dataset.range(5).reduce({"a": True}, lambda s, x: {"a": x})


def test_a_state_of_another_structure_is_refused():
    with pytest.raises(BuildTypeError, match=r"reduce\(\): the new state must have the structure"):
        Dataset.range(5).reduce((0, 0), lambda s, x: s[0])


def test_an_error_keeps_its_type_and_says_where():
    with pytest.raises(ZeroDivisionError) as caught:
        Dataset.range(2000).reduce(0, lambda s, x: s if x < 1000 else 1 // 0)
    assert "in reduce(<lambda>) called at test_reduce.py:" in caught.value.__notes__[0]
    assert caught.value.__notes__[0].endswith("element 1000")


def test_a_function_that_is_none_is_refused():
    with pytest.raises(BuildTypeError, match=r"reduce\(\): reduce_func must be a function"):
        Dataset.range(3).reduce(0, 0)


def test_the_last_state_is_made_of_tensors():
    state = Dataset.range(3).reduce({"n": 0, "x": np.int64(0)}, lambda s, x: {"n": 3, "x": x})

    assert state["n"].numpy() == 3
    assert state["x"].shape.as_list() == []
