import pytest

from feedline.engine.exec import Exec, UnaryExec
from tests.engine.fakes import NumbersExec, numbers_stream, stream_of


class Passing(UnaryExec):
    def pull(self, limit):
        return self.input.pull(limit)


def test_an_operator_that_cannot_pull_is_none():
    with pytest.raises(NotImplementedError):
        Exec().pull(1)


def test_skipping_pulls_and_forgets():
    operator = NumbersExec(10, most=3)

    assert operator.skip(7) == 7
    assert operator.skip(7) == 3
    assert operator.skip(7) == 0


def test_a_state_holds_the_states_of_the_inputs():
    operator = Passing(numbers_stream(10))
    operator.pull(4)

    assert operator.state() == {"in": [{"at": 4, "n": 4}]}


def test_restoring_restores_the_inputs():
    operator = Passing(numbers_stream(10))
    operator.restore({"in": [{"at": 4, "n": 4}]})

    assert operator.pull(1).rows() == [4]


def test_closing_closes_the_inputs():
    source = NumbersExec(3)
    Passing(stream_of(source)).close()

    assert source.closed
