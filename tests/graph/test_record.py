"""A function and samples become a recording, or a reason why not."""

import warnings

import numpy as np
import pytest

from feedline.block import Block
from feedline.column import Dense, Objects
from feedline.graph.op import Ref
from feedline.graph.record import record
from feedline.graph.untraceable import Untraceable
from feedline.structure import LEAF, structure_of

DATA = np.arange(20.0).reshape(5, 4)
BLOCK = Block(LEAF, (Dense(DATA),), 5)


def test_a_recording_says_what_is_done_and_what_is_returned():
    program = record(lambda x: {"a": x * 2, "b": 3}, BLOCK).program

    assert [op.fn for op in program.ops] == [np.multiply]
    assert program.structure == structure_of({"a": 0, "b": 0})
    assert isinstance(program.outputs[0], Ref)
    assert program.outputs[1] == np.int64(3)


def test_parts_of_a_tuple_are_arguments():
    block = Block(structure_of((0, 0)), (Dense(DATA), Dense(DATA)), 5)

    program = record(lambda x, y: x + y, block).program

    assert len(program.inputs) == 2


def test_a_list_for_a_whole_element_is_a_tuple():
    assert record(lambda x: [x, x + 1], BLOCK).program.structure == structure_of((0, 0))


def test_a_recording_holds_until_something_that_was_read_changes():
    config = {"k": 2.0}
    recording = record(lambda x: x * config["k"], BLOCK)
    assert recording.holds()

    config["k"] = 3.0

    assert not recording.holds()


def test_nothing_outside_is_changed():
    seen = []

    with pytest.raises(Untraceable, match=r"changes a list outside itself \(test_record.py:\d+\)"):
        record(lambda x: seen.append(1) or x + 1, BLOCK)
    assert seen == []


def test_the_elements_are_not_changed():
    def fn(x):
        x += 1
        return x

    record(fn, BLOCK)

    np.testing.assert_array_equal(DATA, np.arange(20.0).reshape(5, 4))


def test_an_argument_that_may_not_be_changed_is_not():
    def fn(x):
        x += 1
        return x[0] > 0

    with pytest.raises(Untraceable, match="changes an array that is not its own"):
        record(fn, BLOCK, may_change=False)


def test_a_refusal_behind_a_bare_except_is_found():
    def fn(x):
        try:
            return x if x[0] > 3 else x + 1
        except:  # noqa: E722
            return x + 2

    with pytest.raises(Untraceable, match="branches on a value"):
        record(fn, BLOCK)


@pytest.mark.parametrize(
    ("fn", "reason"),
    [
        (lambda x: {1, 2}, "returns a set"),
        (lambda x: (i for i in range(3)), "returns a generator"),
        (lambda x: x.nothing, "cannot be recorded: AttributeError"),
        (lambda x: exit(), "calls exit"),
        (lambda x: np.frompyfunc(abs, 1, 1)(x), "np.frompyfunc"),
    ],
)
def test_what_cannot_be_recorded_has_a_reason(fn, reason):
    with pytest.raises(Untraceable, match=reason):
        record(fn, BLOCK)


def test_leaving_the_program_is_a_reason_too():
    def fn(x):
        raise SystemExit

    with pytest.raises(Untraceable, match="SystemExit"):
        record(fn, BLOCK)


def test_a_function_that_makes_numpy_warn_is_left_alone():
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        with pytest.raises(Untraceable, match="makes NumPy warn: divide by zero"):
            record(lambda x: x + np.float32(1) / np.float32(0), BLOCK)

    assert shown == []


def test_a_made_up_sample_that_fails_is_left_out():
    table = np.arange(100)
    block = Block(LEAF, (Dense(np.array([0, 99, 0, 99])),), 4)

    def fn(x):
        return table[x * x % 9801 % 100]

    assert record(fn, block).program.vectorised


def test_a_text_is_handed_on():
    block = Block(structure_of((0, 0)), (Dense(DATA), Objects(["text"] * 5)), 5)

    program = record(lambda x, text: (x + 1, text), block).program

    assert program.outputs[1] == Ref(program.inputs[1])
    with pytest.raises(Untraceable, match="uses a leaf of type str"):
        record(lambda x, text: (x, text.upper()), block)


def test_a_function_that_only_loops_is_left_to_python():
    with pytest.raises(Untraceable, match="does nothing that can be done for many"):
        record(lambda x: np.convolve(x, [1.0, 2.0]), BLOCK)
