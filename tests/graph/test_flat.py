"""Element-wise operations on leaves that differ in length."""

import numpy as np
import pytest

from feedline.column import Ragged
from feedline.graph.flat import flat_elementwise
from feedline.graph.rows import Rows
from feedline.graph.symbol import astype
from feedline.graph.symbol_operators import power

RAGGED = Ragged(np.arange(6.0), np.array([0, 1, 3, 6]))


@pytest.mark.parametrize(
    ("fn", "args"),
    [
        (np.add, (RAGGED, 1)),
        (np.multiply, (2.5, RAGGED)),
        (np.subtract, (RAGGED, RAGGED)),
        (np.where, (Ragged(RAGGED.values > 2, RAGGED.splits), RAGGED, 0.0)),
        (power, (RAGGED, 2)),
        (astype, (RAGGED, np.dtype("f4"))),
        (np.add, (RAGGED, Rows(np.array([10.0, 20.0, 30.0])))),
    ],
)
def test_it_gives_what_the_elements_give(fn, args):
    found = flat_elementwise(fn)(*args)

    rows = [
        fn(
            *(
                arg.rows()[number]
                if isinstance(arg, Ragged)
                else arg.array[number]
                if isinstance(arg, Rows)
                else arg
                for arg in args
            )
        )
        for number in range(3)
    ]
    for ours, theirs in zip(found.rows(), rows, strict=True):
        np.testing.assert_array_equal(ours, theirs)
        assert ours.dtype == theirs.dtype


def test_a_part_of_a_column_is_enough():
    part = RAGGED.slice(1, 3)

    found = flat_elementwise(np.add)(part, 1)

    assert [row.tolist() for row in found.rows()] == [[2.0, 3.0], [4.0, 5.0, 6.0]]


@pytest.mark.parametrize("fn", [np.sum, np.cumsum, np.matmul, np.divmod, np.sort])
def test_other_functions_have_no_such_rule(fn):
    assert flat_elementwise(fn) is None


def test_rows_of_different_lengths_do_not_go_together():
    other = Ragged(np.arange(6.0), np.array([0, 2, 3, 6]))

    with pytest.raises(ValueError, match="different lengths"):
        flat_elementwise(np.add)(RAGGED, other)


def test_a_constant_along_the_ragged_axis_does_not_fit():
    with pytest.raises(ValueError, match="as deep as"):
        flat_elementwise(np.add)(RAGGED, np.arange(6.0))


def test_a_function_has_one_rule():
    assert flat_elementwise(np.add) is flat_elementwise(np.add)


@pytest.mark.parametrize(
    ("fn", "args"),
    [
        (np.fmax, (RAGGED, -0.0)),
        (power, (RAGGED, Rows(np.array([0.5, 2.0, 1.5])))),
        (np.power, (RAGGED, RAGGED)),
        (np.exp, (Ragged(np.arange(6, dtype=np.float16), RAGGED.splits),)),
        (np.multiply, (Ragged(RAGGED.values * 1j, RAGGED.splits), 2j)),
        (np.log, (Ragged(np.arange(1.0, 13)[::2], RAGGED.splits),)),
    ],
)
def test_what_a_row_by_itself_may_round_otherwise_is_refused(fn, args):
    with pytest.raises(NotImplementedError):
        flat_elementwise(fn)(*args)
