"""A file opened as often as threads read it at once."""

import threading

from feedline.ops.handles import Handles


class Opening:
    def __init__(self):
        self.opened, self.closed = [], []

    def __call__(self):
        number = len(self.opened)
        self.opened.append(number)
        return number, lambda: self.closed.append(number)


def test_one_after_the_other_use_the_same():
    opening = Opening()
    handles = Handles(opening)
    for _ in range(3):
        with handles.one() as handle:
            assert handle == 0
    handles.close()

    assert (opening.opened, opening.closed) == ([0], [0])


def test_threads_have_one_each():
    opening, both = Opening(), threading.Barrier(2)
    handles, had = Handles(opening), []

    def use():
        with handles.one() as handle:
            both.wait(10)
            had.append(handle)

    threads = [threading.Thread(target=use) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    handles.close()

    assert sorted(had) == [0, 1]
    assert sorted(opening.closed) == [0, 1]


def test_one_that_is_in_use_is_closed_afterwards():
    opening = Opening()
    handles = Handles(opening)
    with handles.one():
        handles.close()
        assert opening.closed == []

    assert opening.closed == [0]
