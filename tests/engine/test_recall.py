import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.engine.recall import Recall
from feedline.errors import CheckpointError
from tests.engine.fakes import numbers_stream, read_all

POSITIONS = st.sets(st.integers(0, 11)).map(sorted)


def read_all_from(recall):
    return read_all(recall.stream)


@given(POSITIONS, st.integers(0, 12), st.integers(1, 5), st.integers(1, 4), st.integers(0, 3))
def test_what_was_held_is_read_again(held, read, gap, limit, extra):
    held = [position for position in held if position < read]
    recall = Recall(numbers_stream(12, extra=extra), gap)
    while recall.position < read:
        recall.pull(min(limit, read - recall.position))
    saved = json.loads(json.dumps(recall.state(min(held, default=read))))
    again = Recall(numbers_stream(12), gap)
    block = again.restore(saved, np.array(held, np.int64))

    assert ([] if block is None else [int(row) for row in block.rows()]) == held
    assert again.position == read
    assert read_all_from(again) == read_all_from(recall) == list(range(read, 12))


def test_a_state_is_small_however_much_was_read():
    recall = Recall(numbers_stream(10_000), gap=10)
    while recall.pull(1) is not None:
        recall.forget_before(recall.position - 20)

    assert len(json.dumps(recall.state(recall.position - 20))) < 200


def test_a_failure_while_reading_is_not_raised_again_by_a_resume():
    recall = Recall(numbers_stream(6, failing={1}))
    recall.pull(1)
    with pytest.raises(KeyError):
        recall.pull(1)
    recall.pull(2)
    again = Recall(numbers_stream(6, failing={1}))
    block = again.restore(recall.state(0), np.array([0, 2]))

    assert block.rows() == [0, 3]
    assert read_all_from(again) == [4, 5]


def test_a_failure_that_was_not_there_before_is_raised():
    recall = Recall(numbers_stream(6))
    recall.pull(4)
    again = Recall(numbers_stream(6, failing={1}))

    with pytest.raises(KeyError):
        again.restore(recall.state(0), np.array([0, 1]))


def test_an_input_that_has_become_shorter_is_refused():
    recall = Recall(numbers_stream(6))
    recall.pull(5)
    again = Recall(numbers_stream(3))

    with pytest.raises(CheckpointError, match="ends after 3 elements, but 5 were read"):
        again.restore(recall.state(0), np.array([4]))


def test_elements_can_be_given_back_and_passed():
    recall = Recall(numbers_stream(6))
    recall.pull(4)
    recall.give_back(2)

    assert recall.discard(1) == 1
    assert read_all_from(recall) == [3, 4, 5]


def test_a_failure_after_the_last_element_is_passed_over_too():
    recall = Recall(numbers_stream(6, failing={2}))
    recall.pull(2)
    with pytest.raises(KeyError):
        recall.pull(1)
    again = Recall(numbers_stream(6, failing={2}))
    met = []
    again.restore(recall.state(0), np.array([0, 1]), met)

    assert [(position, type(error)) for position, error in met] == [(2, KeyError)]
    assert read_all_from(again) == [3, 4, 5]


def test_nothing_is_remembered_while_nothing_is_held():
    recall = Recall(numbers_stream(50, most=1))
    for _ in range(40):
        recall.pull(1)
        recall.state(recall.position)

    assert len(recall._anchors) <= 1
