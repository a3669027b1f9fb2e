"""Rounding does not depend on how a recording came by its numbers."""

import numpy as np
import pytest

from feedline.graph.layout import elements_lie, laid_out, layout_of
from feedline.graph.same import same_values
from tests.graph.rules.recording import at_once, one_by_one, recorded

CUBE = np.arange(2 * 3 * 4).reshape(2, 3, 4)
VIEWS = {
    "in order": CUBE,
    "turned": CUBE.T,
    "another order": CUBE.transpose(1, 2, 0),
    "every other": CUBE[:, :, ::2],
    "a part": CUBE[:, 1:, :3],
    "backwards": CUBE[::-1, :, ::-1],
    "repeated": np.broadcast_to(CUBE[:, :1, :], (2, 3, 4)),
    "flat": CUBE[0, 0],
    "nothing": CUBE[:0],
}


@pytest.mark.parametrize("array", VIEWS.values(), ids=VIEWS)
def test_a_block_is_laid_out_like_an_array(array):
    block = np.stack([array, array + 100])

    laid = laid_out(block, layout_of(array))

    assert np.array_equal(laid, block)
    assert not array.size or elements_lie(laid) == layout_of(array)


def test_a_block_that_lies_like_its_elements_is_not_copied():
    block = np.zeros((5, 3, 4))

    assert laid_out(block, layout_of(block[0])) is block


def test_elements_that_lie_between_each_other_have_no_layout():
    assert elements_lie(np.zeros((4, 5)).T) is None


PLACES = [0, 5, 3, 7, 9, 1, 2, 4, 6, 8, 11, 12]
ROUNDED = {
    "rows": lambda x, i: x[PLACES].sum(),
    "columns": lambda x, i: x[:, PLACES].mean(0),
    "own column": lambda x, i: x[:, i].sum(),
    "part": lambda x, i: x[:, 3:9].sum(),
    "product of columns": lambda x, i: x[:, i] @ x[:, 0],
    "dot of what lies backwards": lambda x, i: np.dot(x[::-1, i], x[:, 0]),
    "resized": lambda x, i: np.resize(x, (500,)).sum(),
    "padded": lambda x, i: np.pad(x.T, 1).sum(),
    "quantiles": lambda x, i: np.percentile(x, list(range(0, 100, 7)), axis=0).sum(),
    "product of padded": lambda x, i: np.pad(x.T, 1) @ np.pad(x.T, 1).T,
    "rolled": lambda x, i: np.roll(x.T, i, axis=-1).mean(),
    "rounded": lambda x, i: np.round(x.T, 2).var(),
    "norm of a column": lambda x, i: np.linalg.norm(x[:, i]),
    "convolved columns": lambda x, i: np.convolve(x[:, i], x[i, :5]),
    "taken": lambda x, i: np.take(x, np.ones_like(i, shape=(3, 4)) * i, axis=1).sum(),
    "turned around": lambda x, i: x[::-1, ::-1].sum() + x[::-1].sum(),
    "both orders": lambda x, i: ((x * 2).T + (x * 3) * 2).sum(),
    "what a loop made": lambda x, i: np.polyder(x[0]).sum() + np.cov(x.T).sum(),
}


@pytest.mark.parametrize("function", ROUNDED.values(), ids=ROUNDED)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_recording_of_numbers_that_need_no_rounding_rounds_like_numpy(function, dtype):
    rng = np.random.default_rng(3)
    numbers = rng.integers(-9, 9, (5, 40, 40)).astype(dtype)
    fractions = rng.standard_normal((9, 40, 40)).astype(dtype)
    columns = rng.integers(0, 40, 9)
    program = recorded(function, [numbers, columns[:5]])

    found = at_once(program, [fractions, columns])

    assert all(map(same_values, found, one_by_one(function, [fractions, columns])))
