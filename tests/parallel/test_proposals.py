import pytest

from feedline.parallel.proposals import Limits, Proposals
from feedline.parallel.room import Memory, Room
from feedline.parallel.stage import Stage
from feedline.parallel.window import StageWindow, Window

SECOND = 1_000_000_000


def window(stalled, stages, blocks=100):
    return Window(SECOND, 1000, blocks, SECOND - stalled, stalled, stages)


def stage_window(busy, waited=0, cpu_share=1.0, elements=1000):
    return StageWindow(SECOND, elements, 100, busy, waited, int(busy * cpu_share), busy)


def stage(executor="inline", width=1, **settings):
    made = Stage("map()", executor, **settings)
    made.set_width(width)
    made.elements, made.nbytes = 1000, 1000
    return made


def proposals(stages, seen, stalled=SECOND, rooms=(), **settings):
    seen = {id(s): w for s, w in zip(stages, seen, strict=True)}
    limits = Limits(settings.pop("cpus", 4), **settings)
    found = window(stalled, seen)
    return Proposals(found, stages, rooms, limits, {}, lambda key: False, 1000)


def test_a_consumer_that_does_not_wait_needs_nothing():
    costly = stage()

    assert proposals([costly], [stage_window(SECOND // 2)], stalled=SECOND // 100).more() is None


def test_a_costly_stage_goes_to_as_many_threads_as_there_are_processors():
    move = proposals([stage()], [stage_window(SECOND)]).more()

    assert [(c.executor, c.width) for c in move.changes] == [("threads", 4)]
    assert move.why == "takes 100% of the time, 1 ms an element"


def test_a_stage_whose_longest_run_is_short_stays():
    cheap = stage_window(SECOND, elements=10_000_000)

    assert proposals([stage()], [cheap]).more() is None


def test_the_first_number_of_workers_may_be_given():
    move = proposals([stage()], [stage_window(SECOND)], initial=2).more()

    assert [c.width for c in move.changes] == [2]


def test_no_more_threads_are_asked_for_than_there_may_be():
    move = proposals([stage()], [stage_window(SECOND)], threads=3).more()

    assert [c.width for c in move.changes] == [3]


def test_workers_are_taken_from_another_stage_when_none_are_left():
    wide, slow = stage("threads", 4), stage()

    move = proposals([wide, slow], [stage_window(SECOND), stage_window(SECOND)]).more()

    assert sorted(c.after for c in move.changes) == ["threads x 2", "threads x 2"]


def test_a_stage_that_waits_for_something_else_may_have_more_workers_than_processors():
    waiting = stage_window(4 * SECOND, waited=SECOND, cpu_share=0.01)

    move = proposals([stage("threads", 4)], [waiting]).more()

    assert [c.after for c in move.changes] == ["threads x 16"]


def test_threads_that_use_one_processor_together_are_in_each_others_way():
    locked = stage_window(4 * SECOND, waited=SECOND, cpu_share=0.25)

    move = proposals([stage("threads", 4, fixed_width=True)], [locked]).more()

    assert [c.after for c in move.changes] == ["processes x 4"]


def test_what_is_not_used_is_given_back():
    (move,) = proposals([stage("threads", 4)], [stage_window(SECOND)]).less()

    assert [c.after for c in move.changes] == ["threads x 2"]
    assert move.why == "1.0 of 4 workers are busy"


def test_a_number_that_the_user_gave_is_kept():
    fixed = stage("threads", 4, fixed_width=True)

    assert proposals([fixed], [stage_window(SECOND)]).less() == []


def test_the_fewest_workers_there_may_be_are_kept():
    assert proposals([stage("threads", 4)], [stage_window(SECOND // 50)], least=4).less() == []


def test_elements_are_made_ready_when_both_sides_work():
    room = Room(Memory())

    move = proposals([], [], stalled=SECOND // 2, rooms=[(room, "prefetch", (0, 0))]).more()

    assert [c.after for c in move.changes] == ["2 blocks ready"]


@pytest.mark.parametrize(("fill", "expected"), [((0, 2), ["4 blocks ready"]), ((1, 2), [])])
def test_more_are_ready_where_a_full_room_ran_empty(fill, expected):
    room = Room(Memory())
    room.depth = 2

    move = proposals([], [], stalled=SECOND // 2, rooms=[(room, "prefetch", fill)]).more()

    assert [c.after for c in (move.changes if move else ())] == expected


def test_nothing_more_is_made_ready_when_memory_is_used_up():
    room = Room(Memory(limit=0))
    room.depth = 2

    assert proposals([], [], stalled=SECOND // 2, rooms=[(room, "p", (0, 2))]).more() is None


def test_fewer_are_ready_where_more_than_half_always_are():
    room = Room(Memory())
    room.depth = 8

    (move,) = proposals([], [], stalled=0, rooms=[(room, "prefetch", (6, 8))]).less()

    assert [c.after for c in move.changes] == ["6 blocks ready"]
