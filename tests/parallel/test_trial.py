import pytest

from feedline.parallel.changes import Move, StageChange
from feedline.parallel.stage import Stage
from feedline.parallel.trial import Trial
from feedline.parallel.window import StageWindow, Window

MS = 1_000_000


def window(stage, elements, *, own=0, runs=1000):
    seen = StageWindow(100 * MS, elements, runs, 100 * MS, 0, 0, 0)
    return Window(100 * MS, elements, 50, own, 100 * MS - own, {id(stage): seen})


def judged(stage, before, after, gain=1.1, executor="threads"):
    move = Move("key", (StageChange(stage, executor, 2),), "why", 1.0, stage, gain)
    trial = Trial(move, (), before, 0, lambda now: after, lambda now: None)
    assert trial.look(10 * MS) is None
    assert trial.look(50 * MS) is None  # warm from here on
    return trial.look(500 * MS)


@pytest.mark.parametrize(("elements", "kept"), [(200, True), (100, False), (50, False)])
def test_a_move_is_kept_if_enough_more_elements_come_out(elements, kept):
    stage = Stage("map()")

    verdict = judged(stage, window(stage, 100), window(stage, elements))

    assert (verdict.kept, verdict.gain) == (kept, elements / 100)


@pytest.mark.parametrize(("elements", "kept"), [(100, True), (80, False)])
def test_a_move_that_saves_is_kept_if_no_fewer_come_out(elements, kept):
    stage = Stage("map()")

    assert judged(stage, window(stage, 100), window(stage, elements), gain=0.97).kept is kept


def test_nothing_is_said_while_too_few_runs_were_counted():
    stage = Stage("map()")

    assert judged(stage, window(stage, 100), window(stage, 200, runs=2)) is None


def test_a_consumer_that_changed_meanwhile_makes_it_void():
    stage = Stage("map()")
    before, after = window(stage, 100, own=90 * MS), window(stage, 100, own=10 * MS)

    assert judged(stage, before, after).load_changed


def test_a_function_that_may_not_leave_ends_it_at_once():
    stage = Stage("map()", choices=("inline", "threads"))
    move = Move("key", (StageChange(stage, "processes", 2),), "why", 1.0, stage, 1.1)
    seen = window(stage, 100)

    verdict = Trial(move, (), seen, 0, lambda now: seen, lambda now: None).look(1)

    assert verdict is not None
    assert not verdict.kept
