"""row_cursor."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest

from feedline.kernels.row_cursor import RowCursor, RowCursorTwin


def cursor_over(kind, *parts):
    class Cursor(kind):
        def __init__(self):
            self.parts = list(parts)

        def _next_rows(self):
            part = self.parts.pop(0) if self.parts else None
            if isinstance(part, Exception):
                raise part
            return part

    return Cursor()


each_kind = pytest.mark.parametrize("kind", [RowCursor, RowCursorTwin])


@each_kind
def test_rows_of_all_lists_come_out_in_order(kind):
    assert list(cursor_over(kind, [1, 2], [3], [4, 5])) == [1, 2, 3, 4, 5]


@each_kind
def test_used_counts_within_the_list_in_hand(kind):
    cursor = cursor_over(kind, [1, 2], [3, 4, 5])

    assert [(next(cursor), cursor._used) for _ in range(4)] == [(1, 1), (2, 2), (3, 1), (4, 2)]


@each_kind
def test_it_goes_on_after_an_exception(kind):
    cursor = cursor_over(kind, [1], KeyError("x"), [2])

    assert next(cursor) == 1
    with pytest.raises(KeyError, match="x"):
        next(cursor)
    assert list(cursor) == [2]


@each_kind
def test_it_asks_again_after_the_end(kind):
    cursor = cursor_over(kind, [1], None, [2])

    assert [list(cursor), list(cursor), list(cursor)] == [[1], [2], []]


@each_kind
def test_dropped_rows_do_not_come(kind):
    cursor = cursor_over(kind, [1, 2], [3])
    next(cursor)
    cursor._drop_rows()

    assert cursor._used == 0
    assert list(cursor) == [3]


@each_kind
def test_what_is_no_list_is_refused(kind):
    with pytest.raises(TypeError, match="must return a list or None"):
        next(cursor_over(kind, (1, 2)))


@each_kind
def test_a_cycle_through_its_rows_is_collected(kind):
    cursor = cursor_over(kind, [0, 1])
    cursor.parts.append([cursor])
    for _ in range(3):
        next(cursor)
    alive = weakref.ref(cursor)
    del cursor
    gc.collect()

    assert alive() is None


@each_kind
def test_a_row_goes_to_one_thread(kind, hasty_threads):
    cursor = cursor_over(kind, *([10 * n + m for m in range(10)] for n in range(2_000)))
    got = hasty_threads(lambda: list(cursor))

    assert sorted(row for rows in got for row in rows) == list(range(20_000))


@each_kind
def test_one_thread_at_a_time_asks_for_more(kind):
    class Cursor(kind):
        asked = 0

        def _next_rows(self):
            self.asked += 1
            if self.asked == 1:
                other.start()
                other.join(0.05)  # it has to wait for this call
                assert self.asked == 1
            return [self.asked] if self.asked < 3 else None

    cursor, got = Cursor(), []
    other = threading.Thread(target=lambda: got.append(next(cursor)))

    assert next(cursor) == 1
    other.join()
    assert got == [2]


@each_kind
def test_a_thread_that_fails_lets_others_go_on(kind):
    cursor = cursor_over(kind, KeyError("x"), [1])
    with pytest.raises(KeyError, match="x"):
        next(cursor)
    got = []
    other = threading.Thread(target=lambda: got.extend(cursor))
    other.start()
    other.join()

    assert got == [1]
