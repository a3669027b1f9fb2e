"""Recorded functions on whole blocks."""

import numpy as np
import pytest

from feedline.block import Block
from feedline.column import Dense, Objects, Ragged
from feedline.graph.program import Departed
from feedline.graph.record import record
from feedline.structure import LEAF, structure_of

DATA = np.arange(24.0).reshape(6, 4)


def program_of(fn, *columns):
    structure = LEAF if len(columns) == 1 else structure_of((0,) * len(columns))
    return record(fn, Block(structure, columns, len(columns[0]))).program


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: x * 2 + 1,
        lambda x: (x, x + 1, x),
        lambda x: x[::-1],
        lambda x: {"sum": x.sum(), "shape": x.shape[0]},
        lambda x: np.convolve(x * 2, [1.0, 2.0]),
    ],
)
@pytest.mark.parametrize("length", [1, 2, 6])
def test_a_block_gives_what_its_elements_give(fn, length):
    program = program_of(fn, Dense(DATA))

    columns = program.run((Dense(DATA[:length].copy()),), length)

    leaves = [list(program.structure.leaves_of(_as_tuple(fn(row)))) for row in DATA[:length]]
    for column, expected in zip(columns, zip(*leaves, strict=True), strict=True):
        for ours, theirs in zip(column.rows(), expected, strict=True):
            np.testing.assert_array_equal(ours, theirs)


def _as_tuple(result):
    return tuple(result) if isinstance(result, list) else result


def test_one_element_gives_the_same_as_a_block():
    program = program_of(lambda x: (x * 2).sum(), Dense(DATA))

    assert program.run_once([DATA[1]]) == [(DATA[1] * 2).sum()]


def test_results_share_no_memory_and_can_be_changed():
    program = program_of(lambda x: (x, x[1:], x.T), Dense(DATA))
    source = DATA.copy()
    source.flags.writeable = False

    arrays = [column.array for column in program.run((Dense(source),), 6)]

    for number, array in enumerate(arrays):
        assert array.flags.writeable
        assert not np.shares_memory(array, source)
        assert not any(np.shares_memory(array, other) for other in arrays[number + 1 :])


def test_the_input_is_not_changed():
    def fn(x):
        x += 1
        x *= 2
        return x

    program = program_of(fn, Dense(DATA))
    source = DATA.copy()

    program.run((Dense(source),), 6)

    np.testing.assert_array_equal(source, DATA)


def test_results_of_earlier_blocks_stay_as_they_are():
    data = np.ones((64, 1000))
    program = program_of(lambda x: x.astype(np.float32) * 2, Dense(data))

    kept = [program.run((Dense(data * k),), 64)[0].array for k in range(8)]

    assert [array[0, 0] for array in kept] == [2.0 * k for k in range(8)]


def test_constants_are_given_to_every_element():
    program = program_of(lambda x: (x, np.arange(3), "text", None, 2**63), Dense(DATA))

    columns = program.run((Dense(DATA.copy()),), 6)

    assert columns[1].array.shape == (6, 3)
    assert [column.rows()[5] for column in columns[2:]] == ["text", None, np.uint64(2**63)]


def test_a_column_that_is_handed_on_twice_is_given_twice():
    program = program_of(lambda x, text: (text, x, text), Dense(DATA), Objects(["a"] * 6))

    columns = program.run((Dense(DATA.copy()), Objects(list("abcdef"))), 6)

    assert columns[0].rows() == columns[2].rows() == list("abcdef")


def test_ragged_leaves_stay_ragged():
    column = Ragged(np.arange(6.0), np.array([0, 1, 3, 6]))

    (found,) = program_of(lambda x: x * 2, column).run((column,), 3)

    assert [row.tolist() for row in found.rows()] == [[0.0], [2.0, 4.0], [6.0, 8.0, 10.0]]


@pytest.mark.parametrize(
    ("fn", "dtype", "low"),
    [
        (lambda x: x + np.uint8(200), "u1", 100),
        (lambda x: x - 1, "u1", 0),
        (lambda x: x * 2**62, "i8", 2),
        (lambda x: -x, "u1", 1),
        (lambda x: abs(x), "i1", -128),
    ],
)
def test_numbers_that_wrap_around_are_left_to_python(fn, dtype, low):
    program = program_of(fn, Dense(np.ones(4, dtype)))
    numbers = np.full(4, low, dtype)

    with np.errstate(over="raise"), pytest.raises(Departed):
        program.run((Dense(numbers),), 4)


def test_arrays_wrap_around_as_in_numpy():
    program = program_of(lambda x: x + np.uint8(200), Dense(np.ones((4, 2), "u1")))

    with np.errstate(over="raise"):
        (found,) = program.run((Dense(np.full((4, 2), 100, "u1")),), 4)

    assert found.array[0, 0] == 44


def test_recordings_of_different_constants_are_not_the_same():
    first, same, other = (program_of(lambda x, k=k: x * k, Dense(DATA)) for k in (0.0, 0.0, -0.0))

    assert first.same_as(same)
    assert not first.same_as(other)
