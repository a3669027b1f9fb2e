import json

import pytest

from feedline.engine.collecting import CollectingExec
from tests.engine.fakes import numbers_stream, read_all, stream_of


class OneByOneExec(CollectingExec):
    """Hands on its input, one element per step."""

    def step(self, wanted):
        return self.input.pull(1)

    def state_now(self):
        return {"in": [self.input.state()]}


def one_by_one(failing=()):
    return OneByOneExec(numbers_stream(6, failing=failing))


def test_the_elements_of_several_steps_come_at_once():
    assert one_by_one().pull(4).length == 4


@pytest.mark.parametrize("limit", [1, 2, 3, 9])
def test_a_failure_keeps_its_place(limit):
    found = read_all(stream_of(one_by_one({2, 3})), limit)

    assert found == [0, 1, KeyError, KeyError, 4, 5]


def test_a_state_saved_before_a_failure_is_due_meets_it_again():
    collecting = one_by_one({2})
    assert collecting.pull(9).length == 2
    saved = json.loads(json.dumps(collecting.state()))
    again = one_by_one({2})
    again.restore(saved)

    with pytest.raises(KeyError):
        again.pull(1)
    assert [int(x) for x in again.pull(9).rows()] == [3, 4, 5]
