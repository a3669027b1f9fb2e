"""Functions that do what they should not: they behave as in a plain loop all the same."""

import builtins
import math

import numpy as np
import pytest

from tests.graph.adversaries import CASES
from tests.graph.adversaries.case import COUNT, run
from tests.graph.plain_loop import assert_identical, how_it_runs

pytestmark = pytest.mark.usefixtures("tried_at_once")


@pytest.fixture(autouse=True)
def _put_back():
    kept = builtins.abs, np.clip
    yield
    builtins.abs, np.clip = kept
    vars(math).pop("calls", None)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_function_does_what_it_does_in_a_plain_loop(case):
    has_company = case.make().meanwhile is not None
    for block_size in [1] if has_company else [5, COUNT]:
        expected, _ = run(case, block_size, vectorize=False)
        found, _ = run(case, block_size, vectorize=None)

        for ours, theirs in zip(found, expected, strict=True):
            assert_identical(ours.elements, theirs.elements)
            assert_identical(ours.state, theirs.state)
            assert ours.warned == theirs.warned


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_is_said_how_a_function_runs(case):
    has_company = case.make().meanwhile is not None
    _, dataset = run(case, 1 if has_company else 5, vectorize=None)

    assert (how_it_runs(dataset) == "vectorised") == (case.how == "vectorised")
    assert case.how == "plain" or case.how in how_it_runs(dataset)


def test_there_are_many_adversaries():
    assert len(CASES) >= 60
