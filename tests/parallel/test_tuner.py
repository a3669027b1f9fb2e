"""The tuner on simulated pipelines: whatever is found must be near the best there is."""

import pytest

from feedline.parallel.learnt import Learnt, LearntStage
from feedline.parallel.proposals import Limits
from feedline.parallel.room import Memory, Room
from feedline.parallel.stage import Stage
from feedline.parallel.tuner import Tuner
from tests.parallel.simulated import Simulated, Work, random_pipeline

HERE = ("inline", "threads")

SHAPES = {
    "a function that leaves the lock": {"works": [Work(0.002)]},
    "the same, and a consumer": {"works": [Work(0.002)], "own": 0.001},
    "a consumer that is slower": {"works": [Work(0.002)], "own": 0.004},
    "a function that holds the lock": {"works": [Work(0.001, gil=0.98)]},
    "the same, which must stay": {"works": [Work(0.001, gil=0.98, choices=HERE)]},
    "the same, and a consumer that waits": {
        "works": [Work(0.001, gil=0.98, choices=HERE)],
        "own": 0.001,
    },
    "one that holds it half of the time": {"works": [Work(0.002, gil=0.5)]},
    "the same, two processors": {"works": [Work(0.002, gil=0.5)], "cores": 2},
    "one that holds it a third, two processors": {"works": [Work(0.002, gil=0.33)], "cores": 2},
    "one that holds it a quarter, eight processors": {
        "works": [Work(0.002, gil=0.25)],
        "cores": 8,
    },
    "one that waits for something": {"works": [Work(0.01, gil=0.01, io=0.98)]},
    "two alike": {"works": [Work(0.002), Work(0.002)]},
    "one that holds the lock, then one that does not": {
        "works": [Work(0.002, gil=0.95), Work(0.002)],
    },
    "a trivial one": {"works": [Work(2e-7, gil=1.0)], "block": 4096},
    "as many calls as the user says": {"works": [Work(0.002, gil=0.97, fixed=4)]},
    "much besides the stages": {"works": [Work(0.001)], "path": 0.001, "own": 0.001},
    "slow elements": {"works": [Work(0.1)], "block": 1},
}


def decisions(pipeline):
    return "\n".join(map(str, pipeline.tuner.decisions.all()))


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_after_seconds_the_rate_is_that_of_the_best_fixed_setting(shape):
    pipeline = Simulated(**shape, noise=0.2)

    pipeline.run(4.0)

    assert pipeline.run(2.0) >= 0.9 * pipeline.best_possible(), decisions(pipeline)


@pytest.mark.parametrize("seed", range(8))
def test_that_holds_for_any_pipeline(seed):
    pipeline = Simulated(**random_pipeline(seed))

    pipeline.run(5.0)

    assert pipeline.run(2.0) >= 0.9 * pipeline.best_possible(), decisions(pipeline)


@pytest.mark.parametrize("seed", range(100, 106))
def test_no_more_workers_than_processors_compute_at_any_moment(seed):
    pipeline = Simulated(**random_pipeline(seed))

    pipeline.run(3.0)

    assert pipeline.widest <= pipeline.cores, decisions(pipeline)


def test_a_budget_below_the_processors_is_kept_to():
    pipeline = Simulated([Work(0.004), Work(0.004)], cores=8, budget=3)

    pipeline.run(5.0)

    assert pipeline.widest <= 3


@pytest.mark.parametrize("own", [0.0008, 0.003, 0.004])
def test_a_consumer_that_is_the_bottleneck_is_given_no_more_workers_than_it_needs(own):
    pipeline = Simulated([Work(0.002)], own=own, cores=16)

    pipeline.run(6.0)

    rates = pipeline.rates()
    best = max(rate for _, rate in rates)
    needed = min(setting.workers for setting, rate in rates if rate >= 0.95 * best)
    outside = [s.width for s in pipeline.stages if s.executor != "inline"]
    assert sum(outside) <= needed + 1, decisions(pipeline)


def test_workers_are_given_back_when_the_consumer_becomes_slower():
    pipeline = Simulated([Work(0.002)], own=0.0003, cores=8)
    pipeline.run(3.0)
    before = pipeline.stages[0].width

    pipeline.own = 0.004
    pipeline.run(12.0)

    stage = pipeline.stages[0]
    assert before >= 6
    assert stage.executor == "inline" or stage.width <= 2, decisions(pipeline)
    assert pipeline.run(2.0) >= 0.9 / pipeline.own


def test_workers_are_asked_for_when_the_consumer_becomes_faster():
    pipeline = Simulated([Work(0.002)], own=0.004, cores=8)
    pipeline.run(4.0)

    pipeline.own = 0.0004
    pipeline.run(4.0)

    assert pipeline.run(2.0) >= 0.9 * pipeline.best_possible(), decisions(pipeline)


def test_elements_that_become_costly_are_worked_on_elsewhere():
    pipeline = Simulated([Work(2e-7)], block=4096)
    pipeline.run(3.0)
    assert pipeline.stages[0].executor == "inline"

    pipeline.works, pipeline.block = [Work(0.002)], 8
    pipeline.run(4.0)

    assert pipeline.run(2.0) >= 0.9 * pipeline.best_possible(), decisions(pipeline)


@pytest.mark.parametrize("seed", range(200, 205))
def test_what_was_found_is_not_changed_all_the_time(seed):
    pipeline = Simulated(**random_pipeline(seed))
    pipeline.run(8.0)
    before = len(pipeline.tuner.decisions.all())

    pipeline.run(6.0)

    # A few things are tried again now and then, and undone.
    assert len(pipeline.tuner.decisions.all()) - before <= 8, decisions(pipeline)


def test_threads_that_help_are_not_left_because_another_program_runs_for_a_moment():
    pipeline = Simulated(works=[Work(0.002)], cores=2)
    while pipeline.stages[0].executor == "inline":
        pipeline.run(0.01)

    pipeline.cores = 1.4  # of two processors another program uses the rest
    pipeline.run(0.25)
    pipeline.cores = 2
    pipeline.run(1.0)

    assert pipeline.stages[0].executor == "threads"
    assert "processes" not in decisions(pipeline)


def test_a_trivial_function_is_never_handed_over():
    pipeline = Simulated([Work(2e-7, gil=1.0)], block=4096)

    pipeline.run(5.0)

    assert decisions(pipeline) == ""


def test_why_a_function_stays_is_said():
    pipeline = Simulated([Work(0.002, gil=0.98, choices=HERE)])
    pipeline.stages[0].no_processes = "it holds a file"

    pipeline.run(2.0)

    assert "the function holds the interpreter's lock" in decisions(pipeline)
    assert "it cannot run in processes: it holds a file" in decisions(pipeline)


def turn(stage, executor, width):
    stage.executor = executor
    stage.set_width(width)


def test_an_iteration_starts_where_the_one_before_ended():
    learnt = Learnt()
    first = Tuner(Limits(4), turn, learnt=learnt)
    stage = Stage("map()")
    first.add_stage(stage)
    turn(stage, "threads", 3)
    room = Room(Memory())
    first.add_room(room, 1, "prefetch")
    room.depth = 4
    first.remember()

    again, ready = Stage("map()"), Room(Memory())
    second = Tuner(Limits(4), turn, learnt=learnt)
    second.add_stage(again)
    second.add_room(ready, 1, "prefetch")

    assert learnt.stages == [("map()", LearntStage("threads", 3, 0.0))]
    assert (again.executor, again.width, ready.depth) == ("threads", 3, 4)


def test_a_tuner_that_is_off_changes_nothing():
    tuner = Tuner(
        Limits(4), turn, is_on=False, learnt=Learnt([("a", LearntStage("threads", 2, 0.0))])
    )
    stage = Stage("a")
    tuner.add_stage(stage)
    tuner.look(10**12)

    assert (stage.executor, stage.when_done) == ("inline", None)


def test_rooms_of_steps_that_are_opened_again_and_again_are_not_kept():
    tuner = Tuner(Limits(4), turn)
    for number in range(2000):
        tuner.add_room(Room(Memory()), number, "prefetch")

    assert len(tuner.rooms()) <= 1


def test_a_room_that_is_opened_anew_is_as_deep_as_before():
    tuner = Tuner(Limits(4), turn)
    first, second = Room(Memory()), Room(Memory())
    tuner.add_room(first, "same", "prefetch")
    first.depth = 8

    tuner.add_room(second, "same", "prefetch")

    assert second.depth == 8


def test_what_cannot_run_in_processes_is_not_tried_there_by_later_iterations():
    learnt = Learnt()
    first, stage = Tuner(Limits(4), turn, learnt=learnt), Stage("map()")
    first.add_stage(stage)
    turn(stage, "processes", 3)
    stage.stay("it returns a lock")
    first.remember()

    again, second = Stage("map()"), Tuner(Limits(4), turn, learnt=learnt)
    second.add_stage(again)
    second.remember()
    third = Stage("map()")
    Tuner(Limits(4), turn, learnt=learnt).add_stage(third)

    assert (again.executor, again.no_processes) == ("threads", "it returns a lock")
    assert again.choices == third.choices == ("inline", "threads")


def test_processes_that_the_user_asked_for_are_used_whatever_was_learnt():
    learnt = Learnt()
    learnt.keep([("map()", LearntStage("threads", 3, 0.0, "it returns a lock"))], {})
    stage = Stage("map()", executor="processes", choices=("processes",))
    Tuner(Limits(4), turn, learnt=learnt).add_stage(stage)

    assert (stage.executor, stage.choices) == ("processes", ("processes",))
