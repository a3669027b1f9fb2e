import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.engine.cut_state import check_nesting, cut, joined
from feedline.errors import CheckpointError

STATES = st.recursive(
    st.integers() | st.text(max_size=3),
    lambda inner: st.dictionaries(st.sampled_from("abcn"), inner) | st.lists(inner, max_size=3),
).map(lambda value: {"n": 1, "in": [value]})


def nested(depth):
    state = {"n": 0}
    for number in range(depth):
        state = {"n": number, "in": [state, {"n": -number}]}
    return state


@given(STATES)
def test_a_state_that_is_not_nested_deep_is_one_part_as_it_is(state):
    assert cut(state) == [state]
    assert joined([state]) == state


def test_what_is_cut_can_be_written_and_joined_again():
    parts = json.loads(json.dumps(cut(nested(300))))

    assert len(parts) > 3
    check_nesting(parts)
    assert joined(parts) == nested(300)


@pytest.mark.parametrize("place", [0, 1, 99, -1, "1", None, 1.0, True])
def test_parts_that_are_not_there_or_come_before_are_refused(place):
    with pytest.raises(CheckpointError, match="the state is damaged"):
        joined([{"n": 0, "in": [{"part": 1}]}, {"n": 1, "in": [{"part": place}]}])


def test_a_part_that_is_named_twice_or_never_is_refused():
    with pytest.raises(CheckpointError, match="it has no part 1"):
        joined([{"in": [{"part": 1}, {"part": 1}]}, {"n": 1}])
    with pytest.raises(CheckpointError, match="belong to nothing"):
        joined([{"n": 0}, {"n": 1}])


def test_what_is_nested_deeper_than_a_part_is_refused_without_recursion():
    value = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(CheckpointError, match="nested deeper"):
        check_nesting({"position": value})
    while value:  # Python itself frees it level by level
        value = value.pop()
