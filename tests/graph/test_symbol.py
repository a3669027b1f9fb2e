"""What stands for an array while a function is recorded."""

import numpy as np
import pytest

from feedline.column import Dense
from feedline.graph.nested import swapped
from feedline.graph.symbol import Memory
from feedline.graph.trace import Trace
from feedline.graph.untraceable import Untraceable

DATA = np.arange(12.0).reshape(2, 2, 3)


@pytest.fixture
def trace():
    return Trace(2, batches=True, sealed=True)


@pytest.fixture
def x(trace):
    return trace.input(Dense(DATA), (2, 3), list(DATA))


@pytest.fixture
def number(trace):
    return trace.input(Dense(DATA[:, 0, 0]), (), list(DATA[:, 0, 0]))


def test_shape_and_dtype_can_be_read(x):
    assert (x.shape, x.dtype, x.ndim, x.size, len(x)) == ((2, 3), np.float64, 2, 6, 2)
    assert (x.itemsize, x.nbytes) == (8, 48)


@pytest.mark.parametrize(
    "use",
    [bool, int, float, complex, str, repr, list, sorted, max, lambda x: f"{x:.1f}", np.asarray],
)
def test_values_cannot_be_read(number, use):
    with pytest.raises((Untraceable, TypeError)):
        use(number)


def test_a_constant_can_be_read(trace):
    constant = trace.constant(np.array([1.0, 2.0]))

    assert constant.tolist() == [1.0, 2.0]
    assert float(constant[0]) == 1.0
    assert bool(constant[1] > 1)


@pytest.mark.parametrize(
    "name", ["flags", "strides", "data", "base", "ctypes", "is_integer", "hex"]
)
def test_what_is_not_recorded_is_refused(x, name):
    with pytest.raises(Untraceable, match=f"uses .{name}"):
        getattr(x, name)


def test_what_no_array_has_is_missing(x):
    assert not hasattr(x, "to_numpy")


def test_an_array_is_changed_in_place(x):
    y = x
    y += 1
    y[0] = 0

    assert y is x
    np.testing.assert_array_equal(x.samples[0], [[0, 0, 0], [4, 5, 6]])


def test_a_number_is_not(number):
    y = number
    y += 1
    y **= 2

    assert y is not number
    assert number.samples == [0.0, 6.0]
    assert number.copy() is number


def test_an_array_with_views_is_not_changed(x):
    view = x[0]

    with pytest.raises(Untraceable, match="of which there are views"):
        x += 1
    assert view.shape == (3,)


def test_a_view_that_is_gone_does_not_count(x):
    x[0].sum()

    x += 1

    assert x.samples[0][0, 0] == 1


def test_what_is_captured_is_not_changed(trace):
    constant = trace.constant(np.zeros(3), captured=True)

    with pytest.raises(Untraceable, match="changes an array that is not its own"):
        constant += 1


def test_memory_is_shared_by_living_symbols_of_both_groups(trace):
    first, second = trace.constant(np.zeros(1)), trace.constant(np.zeros(1), captured=True)
    assert not first.memory.is_shared

    first.memory.join(second.memory)

    assert second.memory is first.memory
    assert first.memory.is_shared
    assert first.memory.captured
    assert not Memory().is_shared


def test_symbols_are_found_in_nested_arguments(x, number):
    found = swapped(([x, 1], {"a": (number,)}), lambda symbol: symbol.shape)

    assert found == ([(2, 3), 1], {"a": ((),)})


def test_a_change_in_place_of_what_lies_backwards_is_refused(x):
    backwards = x.detached()[::-1].detached()

    with pytest.raises(Untraceable, match="do not lie as the new ones do"):
        backwards += 1
