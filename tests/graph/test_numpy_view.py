"""NumPy as a recorded function sees it."""

import numpy as np
import pytest

from feedline.column import Dense
from feedline.graph.numpy_view import array_of, is_numpy_function, scalar_type, wrapped
from feedline.graph.sandbox import Sandbox
from feedline.graph.symbol import Memory, Symbol
from feedline.graph.trace import Trace
from feedline.graph.untraceable import Untraceable


@pytest.fixture
def trace():
    return Trace(2, batches=True, sealed=True)


@pytest.fixture
def view(trace):
    return Sandbox(trace).view(np)


def symbol(trace, array):
    return trace.input(Dense(array), array.shape[1:], list(array))


def test_new_arrays_are_constants_of_the_recording(view):
    for made in (view.zeros(3), view.arange(3), view.eye(3), view.full(3, 1.0), view.empty(3)):
        assert isinstance(made, Symbol)
        assert made.is_constant


def test_numbers_are_numbers(view):
    assert view.pi == np.pi
    assert view.newaxis is None


@pytest.mark.parametrize(
    "name", ["save", "load", "seterr", "errstate", "vectorize", "frompyfunc", "fromfunction"]
)
def test_functions_with_effects_are_refused(view, name):
    with pytest.raises(Untraceable, match=f"calls np\\.{name}"):
        getattr(view, name)


def test_random_numbers_are_refused(view):
    with pytest.raises(Untraceable, match=r"draws from np\.random"):
        _ = view.random


def test_an_array_is_made_of_symbols_in_lists(trace, view):
    x = symbol(trace, np.arange(6.0).reshape(2, 3))

    made = view.array([[x[0], 1], [2, x[1]]])

    np.testing.assert_array_equal(made.samples[1], [[3, 1], [2, 4]])


def test_an_array_of_a_number_is_an_array(trace):
    x = symbol(trace, np.arange(2.0))
    assert x.is_scalar

    for made in (array_of(trace, x), array_of(trace, x, copy=None)):
        assert not made.is_scalar
        assert made.shape == ()


def test_a_contiguous_array_is_one_that_lies_in_line(trace, view):
    x = symbol(trace, np.arange(12.0).reshape(2, 2, 3))

    assert view.ascontiguousarray(x).number == x.number
    assert view.ascontiguousarray(x.T).example.flags.c_contiguous


def test_questions_about_numbers_are_answered(trace, view):
    array, number = symbol(trace, np.zeros((2, 3))), symbol(trace, np.zeros(2))

    assert view.isscalar(number)
    assert not view.isscalar(array)
    assert view.iterable(array)
    assert not view.iterable(number)


def test_functions_that_do_not_ask_symbols_are_refused(trace):
    x = symbol(trace, np.zeros((2, 3)))

    with pytest.raises(Untraceable, match=r"calls np\.require"):
        wrapped(trace, np.require)(x)


def test_functions_of_numpy_are_known_by_where_they_are_written():
    def fake(x):
        return x

    fake.__module__ = "numpy"

    assert is_numpy_function(np.sum)
    assert is_numpy_function(np.full)
    assert is_numpy_function(np.array)
    assert not is_numpy_function(fake)
    assert not is_numpy_function(np.vectorize(fake))


def test_a_scalar_type_hands_out_the_very_array_that_was_captured(trace):
    captured = Symbol(trace, (3,), np.dtype(np.float64), value=np.arange(3.0), memory=Memory(True))
    sandboxed = scalar_type(trace, np.float64)

    assert sandboxed(captured) is captured


@pytest.mark.parametrize("setting", [{"order": "F"}, {"subok": True}, {"like": np.zeros(1)}])
def test_an_array_that_is_asked_for_in_another_form_is_refused(trace, view, setting):
    x = symbol(trace, np.arange(6.0).reshape(2, 3))
    (name,) = setting

    with pytest.raises(Untraceable, match=rf"gives {name}= to np\.array\(\)"):
        view.array(x, **setting)


@pytest.mark.parametrize("setting", [{"order": "K"}, {"order": "C"}, {"subok": False}])
def test_an_array_that_is_asked_for_as_it_is_anyway_is_made(trace, view, setting):
    x = symbol(trace, np.arange(6.0).reshape(2, 3))

    assert view.array([x[0], 1.0], **setting).samples[1].tolist() == [3, 1]


@pytest.mark.parametrize("setting", [{"order": "C"}, {"copy": True}, {"like": np.zeros(1)}])
def test_asarray_is_given_a_dtype_and_nothing_else(trace, view, setting):
    x = symbol(trace, np.arange(6.0).reshape(2, 3))

    with pytest.raises(Untraceable, match=r"gives more than a dtype to np\.asarray\(\)"):
        view.asarray(x, **setting)
    assert view.asarray(x, np.float32).dtype == np.float32
