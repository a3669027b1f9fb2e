from feedline.parallel.stage import Stage
from feedline.parallel.window import Consumer, StageMark, StageWindow, Window


def test_a_consumer_works_between_being_served_and_asking_again():
    consumer = Consumer(0)
    consumer.asked(10)
    consumer.served(5, 30)
    consumer.asked(100)

    totals = consumer.totals(130)

    assert (totals.elements, totals.blocks) == (5, 1)
    assert (totals.own_ns, totals.stalled_ns) == (80, 50)


def test_a_request_that_failed_counts_as_waiting():
    consumer = Consumer(0)
    consumer.asked(10)
    consumer.asked(25)

    assert consumer.totals(30).stalled_ns == 20


def test_a_stage_window_counts_from_its_mark():
    stage = Stage("map()")
    stage.done(4, 100, 1000, 500)
    mark = StageMark.of(stage)
    stage.done(10, 100, 2000, 1000)
    stage.waited(300)

    seen = StageWindow.since(mark, stage, 4000)

    assert (seen.elements, seen.runs) == (10, 1)
    assert (seen.service_ns, seen.workers, seen.cpu_share) == (200, 0.5, 0.5)
    assert seen.waited_share == 0.075


def test_where_no_processor_time_is_known_all_of_it_counts():
    stage = Stage("map()")
    mark = StageMark.of(stage)
    stage.done(1, 1, 100)

    assert StageWindow.since(mark, stage, 100).cpu_share == 1.0


def test_the_stall_is_a_share_of_the_consumers_time():
    assert Window(100, 10, 2, 75, 25, {}).stall == 0.25
