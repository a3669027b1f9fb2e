"""Random functions give the same in a pipeline as in a plain loop, to the last bit."""

import pytest

from tests.amounts import FUNCTIONS
from tests.graph.random_functions.searching import failure_of

PARTS = 20
MOST_SHOWN = 3


@pytest.mark.parametrize("part", range(PARTS))
def test_a_random_function_gives_the_same_in_a_pipeline_as_in_a_plain_loop(part):
    failures = []
    for seed in range(part, FUNCTIONS, PARTS):
        failure = failure_of(seed)
        failures += [failure] * (failure is not None)
        if len(failures) == MOST_SHOWN:
            break

    assert not failures, "\n\n".join(failures)
