"""What is not recorded is refused, and what fails for an element fails for its block."""

import numpy as np
import pytest

from feedline.graph.untraceable import Untraceable
from tests.graph.rules.recording import Constant, at_once, recorded

FLOATS = np.arange(24, dtype=np.float32).reshape(2, 3, 4) - 7
NUMBERS = np.array([1, 2])

REFUSED = {
    "a mask": lambda x: x[x > 0],
    "places": lambda x: np.where(x > 0),
    "nonzero": lambda x: np.nonzero(x),
    "unique": lambda x: np.unique(x),
    "own counts": lambda x: np.repeat(x[0], x[0].astype(np.int64) * 0 + 1),
    "a function": lambda x: np.pad(x, 1, mode=lambda *args: None),
    "a function for each row": lambda x: np.apply_along_axis(np.sum, 0, x),
    "another array": lambda x: np.copyto(np.zeros((3, 4)), x),
    "a copy=False": lambda x: np.nan_to_num(x, copy=False),
    "a Python bool": lambda x: np.allclose(x, 0),
    "the smallest dtype": lambda x: np.min_scalar_type(x[0, 0]),
    "a Python ufunc": lambda x: np.frompyfunc(lambda a: a, 1, 1)(x),
    "ufunc.at": lambda x: np.add.at(x, [0], 1),
    "ufunc.reduceat": lambda x: np.add.reduceat(x, [0, 1]),
}


@pytest.mark.parametrize("ufunc", [np.multiply, np.divide])
def test_complex_numbers_are_multiplied_in_place_by_numpy_alone(ufunc):
    def in_place(x):
        y = x * 2
        ufunc(y, y, out=y)
        return y

    with pytest.raises(Untraceable, match=f"lets np.{ufunc.__name__} change complex numbers"):
        recorded(in_place, [FLOATS.astype(np.complex64)])


@pytest.mark.parametrize("function", REFUSED.values(), ids=REFUSED)
def test_a_function_that_cannot_be_recorded_is_refused(function):
    with pytest.raises(Untraceable):
        recorded(function, [FLOATS])


FAILING = {
    "get": lambda x, i: x[i],
    "get beside a slice": lambda x, i: x[:, i + 1],
    "take": lambda x, i: np.take(x, i, axis=0),
    "take of all": lambda x, i: np.take(x, i * 4),
    "take_along_axis": lambda x, i: np.take_along_axis(x, i.reshape(1, 1), 0),
    "choose": lambda x, i: np.choose(i, [x[0], x[1], x[2]]),
    "solve": lambda x, i: np.linalg.inv(np.eye(3) * (i - 3)),
}


@pytest.mark.parametrize("function", FAILING.values(), ids=FAILING)
def test_what_fails_for_an_element_fails_for_its_block(function):
    program = recorded(function, [FLOATS, NUMBERS])

    with pytest.raises((IndexError, ValueError, np.linalg.LinAlgError)):
        at_once(program, [FLOATS, np.array([1, 3])])


def test_a_table_that_is_not_sorted_is_left_to_numpy():
    tables = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    program = recorded(np.searchsorted, [tables, Constant(np.float64(2.5))])

    with pytest.raises(NotImplementedError):
        at_once(program, [tables[:, ::-1], Constant(np.float64(2.5))])


def test_an_element_is_rolled_by_its_own_shift_even_if_that_is_unsigned():
    shifts = np.array([1, 2], np.uint8)
    program = recorded(lambda x, s: np.roll(x, s), [FLOATS, shifts])

    found = at_once(program, [FLOATS, shifts])[0]

    assert np.array_equal(found[1], np.roll(FLOATS[1], 2))
    assert program.ops[-1].run is not None
