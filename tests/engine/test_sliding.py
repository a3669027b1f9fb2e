import contextlib

import pytest

from feedline.block import Block
from feedline.engine.sliding import Sliding, SlidingExec
from tests.engine.fakes import numbers_stream, read_all, stream_of


def sums(sliding):
    def cut(block, count):
        rows = [int(row) for row in block.rows()]
        starts = range(0, count * sliding.shift, sliding.shift)
        windows = [rows[start : start + sliding.span : sliding.stride] for start in starts]
        return Block.of([sum(window) for window in windows])

    return cut


def exec_of(sliding, **settings):
    return SlidingExec(numbers_stream(7, **settings), sliding, sums(sliding))


@pytest.mark.parametrize(
    ("sliding", "length", "full", "count"),
    [
        (Sliding(3, 1, 1, False), 5, 3, 5),
        (Sliding(3, 1, 1, True), 5, 3, 3),
        (Sliding(3, 2, 2, False), 5, 1, 3),
        (Sliding(2, 4, 1, False), 9, 2, 3),
        (Sliding(9, 1, 1, True), 5, 0, 0),
    ],
)
def test_windows_are_counted(sliding, length, full, count):
    assert (sliding.full(length), sliding.count(length)) == (full, count)


@pytest.mark.parametrize("limit", [1, 2, 5])
@pytest.mark.parametrize("most", [1, 3, 10])
def test_windows_come_in_order_whatever_the_sizes(limit, most):
    found = read_all(stream_of(exec_of(Sliding(3, 2, 1, False), most=most)), limit)

    assert found == [0 + 1 + 2, 2 + 3 + 4, 4 + 5 + 6, 6]


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_a_failed_element_fails_every_window_it_is_in(limit):
    found = read_all(stream_of(exec_of(Sliding(3, 1, 2, True), failing={2})), limit)

    assert found == [KeyError, 1 + 3 + 5, KeyError]


@pytest.mark.parametrize("pulls", range(6))
def test_a_state_holds_failed_elements_too(pulls):
    sliding = Sliding(2, 1, 1, False)
    stream = stream_of(exec_of(sliding, failing={2, 3}))
    before = read_all(stream_of(exec_of(sliding, failing={2, 3})), 1)
    for _ in range(pulls):
        with contextlib.suppress(KeyError):
            stream.pull(1)
    again = stream_of(exec_of(sliding, failing={2, 3}))
    again.restore(stream.state())

    assert read_all(again, 1) == before[pulls:]
