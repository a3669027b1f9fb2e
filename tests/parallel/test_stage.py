"""Stage: how long the runs are that workers get."""

import pytest

from feedline.parallel.stage import Stage

MS = 1_000_000


@pytest.mark.parametrize(("executor", "expected"), [("inline", 10), ("threads", 160)])
def test_runs_are_as_long_as_they_should_take(executor, expected):
    stage = Stage("map", executor)
    for _ in range(12):
        stage.done(stage.run_length(), 8, stage.run_length() * MS // 10)

    assert stage.run_length() == expected


def test_in_processes_the_way_there_and_back_makes_no_run_shorter():
    stage = Stage("map", "processes")
    for _ in range(12):
        length = stage.run_length()
        stage.ran_elsewhere(length, 8, length * MS)
        stage.done(length, 8, 50 * length * MS)

    assert stage.run_length() == 20
