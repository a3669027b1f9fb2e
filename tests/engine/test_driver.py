import pytest

from feedline.engine.driver import Driver
from feedline.options import Options
from feedline.parallel.workers import Workers
from tests.engine.fakes import NumbersExec, numbers_stream, stream_of


def a_driver(stream):
    return Driver(stream, Workers(Options()))


def test_the_first_block_is_one_element():
    operator = NumbersExec(100)
    a_driver(stream_of(operator)).next_block()

    assert operator.limits == [1]


def test_blocks_grow_while_they_are_cheap():
    operator = NumbersExec(10_000)
    driver = a_driver(stream_of(operator))
    for _ in range(4):
        driver.next_block()

    assert operator.limits == sorted(operator.limits)
    assert operator.limits[1] <= 2


def test_a_state_is_known_after_any_element_of_a_block():
    driver = a_driver(numbers_stream(100))
    blocks = [driver.next_block() for _ in range(3)]
    before = sum(block.length for block in blocks[:-1])
    again = numbers_stream(100)
    again.restore(driver.state(1))

    assert again.pull(1).rows() == [before + 1]


def test_a_driver_goes_on_after_a_failure():
    driver = a_driver(numbers_stream(3, failing={0}))
    with pytest.raises(KeyError):
        driver.next_block()

    assert driver.next_block().rows() == [1]
    assert driver.state(1)["n"] == 1


def test_the_end_is_none():
    assert a_driver(numbers_stream(0)).next_block() is None


def test_closing_closes_the_pipeline():
    operator = NumbersExec(3)
    a_driver(stream_of(operator)).close()

    assert operator.closed
