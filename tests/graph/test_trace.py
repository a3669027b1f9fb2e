"""The recording of operations on samples."""

import numpy as np
import pytest

from feedline.column import Dense
from feedline.graph import trace as tracing
from feedline.graph.trace import SampleLost, Trace, symbols_in
from feedline.graph.untraceable import Untraceable

DATA = np.arange(12.0).reshape(4, 3)


@pytest.fixture
def trace():
    return Trace(4, batches=True, sealed=True, invented=[3])


@pytest.fixture
def x(trace):
    return trace.input(Dense(DATA), (3,), list(DATA))


def test_an_operation_is_carried_out_on_all_samples(trace, x):
    y = x * 2 + 1

    np.testing.assert_array_equal(np.stack(y.samples), DATA * 2 + 1)
    np.testing.assert_array_equal(y.block, DATA * 2 + 1)
    assert [op.fn for op in trace.ops] == [np.multiply, np.add]


def test_constants_are_computed_at_once(trace):
    made = trace.constant(np.arange(3)) + 1

    assert made.is_constant
    assert made.tolist() == [1, 2, 3]
    assert trace.ops == []


def test_samples_and_constants_cannot_be_written(trace, x):
    constant = trace.constant(np.zeros(3))
    y = x + constant

    for array in (constant.value, *x.samples, *y.samples):
        assert not array.flags.writeable


@pytest.mark.parametrize(
    "write", [lambda x: np.clip(x, 0, 1, x), lambda x: np.nan_to_num(x, copy=False)]
)
def test_an_operation_that_writes_into_its_operand_is_refused(trace, x, write):
    with pytest.raises(Untraceable):
        write(x)
    with pytest.raises(Untraceable):
        write(trace.constant(np.zeros(3)))


def test_an_operation_that_fails_on_a_real_sample_is_refused(x):
    with pytest.raises(Untraceable, match=r"np\.reshape"):
        x.reshape(5, 5)


def test_one_that_fails_on_a_made_up_sample_is_tried_without_it(trace, x):
    table = trace.constant(np.arange(9))

    with pytest.raises(SampleLost):
        table[x.astype(int)]
    assert trace.has_lost


def test_a_shape_that_depends_on_values_is_refused(x):
    with pytest.raises(Untraceable):
        x[x > 4]


def test_a_function_without_a_rule_is_refused(x):
    with pytest.raises(Untraceable, match=r"np\.unique"):
        np.unique(x)


def test_endless_recordings_are_refused(x, monkeypatch):
    monkeypatch.setattr(tracing, "_MOST_OPS", 5)

    for _ in range(5):
        x = x + 1
    with pytest.raises(Untraceable, match="does more than 5 things"):
        x + 1


def test_an_array_without_axes_is_no_number(trace):
    number = trace.input(Dense(DATA[:, 0]), (), list(DATA[:, 0]))
    array = np.copy(number)

    assert number.is_scalar
    assert not array.is_scalar
    with pytest.raises(Untraceable, match="an array without axes"):
        array**2.5


def test_nothing_is_said_of_what_samples_do(x):
    with np.errstate(all="raise"):
        assert np.isinf((1 / x).samples[0][0])


def test_what_constants_do_is_not_hidden(trace):
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        1 / trace.constant(np.zeros(3))


def test_symbols_are_found_in_nested_arguments(x):
    assert [found is x for found in symbols_in([x, (1, {"a": x})])] == [True, True]
