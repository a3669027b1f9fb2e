"""A damaged state is refused as such, or goes on: nothing else comes of it."""

import itertools
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from feedline.errors import CheckpointError
from tests.amounts import PIPELINES as EXAMPLES
from tests.damaged_states import PIPELINES, damaged

# What a few elements of these pipelines take is a thousandth of this.
MOST_BYTES = 1 << 26

pytestmark = pytest.mark.filterwarnings("ignore:.*cannot be entered in the middle:RuntimeWarning")


def states_of(ds):
    """Return states at some places of a pipeline."""
    with iter(ds) as it:
        states = [it.state_dict()]
        for number, _ in zip(range(6), it, strict=False):
            if number in (0, 2, 5):
                states.append(it.state_dict())
        return states


@pytest.fixture(scope="module")
def all_states():
    return {name: states_of(make()) for name, make in PIPELINES.items()}


@pytest.mark.parametrize("name", PIPELINES)
def test_a_damaged_state_goes_on_or_is_a_checkpoint_error(all_states, name):
    ds = PIPELINES[name]()

    @settings(
        max_examples=max(5, EXAMPLES // 50),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example],
        deadline=None,
    )
    @given(st.data())
    def check(data):
        state = data.draw(st.sampled_from(all_states[name]), label="state")
        other = data.draw(st.sampled_from(sorted(PIPELINES)), label="other")
        edited = data.draw(damaged(state, all_states[other][-1]), label="edited")
        with iter(ds) as it:
            try:
                it.load_state_dict(edited)
                for _ in itertools.islice(it, 20):
                    pass
            except CheckpointError:
                pass

    tracemalloc.start()
    try:
        check()
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", PIPELINES)
def test_a_state_that_is_whole_still_goes_on(all_states, name):
    with iter(PIPELINES[name]()) as it:
        for state in all_states[name]:
            it.load_state_dict(state)
            next(it, None)
