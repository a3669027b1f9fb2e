"""How deep plans may be: under Python's usual limit, in a process of its own where that shows."""

import gc
import subprocess
import sys
import threading

import pytest

from feedline.data import Dataset
from feedline.errors import BuildError
from feedline.plan.depth import MOST_STEPS, SHALLOW, recursion_for


@pytest.fixture(autouse=True)
def _no_deep_garbage():
    """Plans that others have dropped hold the limit until they are collected."""
    gc.collect()


def chain(steps):
    ds = Dataset.range(3)
    for _ in range(steps - 1):
        ds = ds.take(5)
    return ds


def test_a_plan_knows_how_many_steps_are_below_each_other():
    assert chain(1).node.depth == 1
    assert chain(7).node.depth == 7
    assert Dataset.zip((chain(3), chain(5))).node.depth == 6


def test_short_plans_leave_the_limit_alone():
    usual = sys.getrecursionlimit()
    ds = chain(SHALLOW)

    assert sys.getrecursionlimit() == usual
    assert len(list(ds)) == 3


def test_the_limit_is_higher_as_long_as_there_is_a_plan_that_needs_it():
    usual = sys.getrecursionlimit()
    long, longer = chain(1000), chain(2000)
    with_both = sys.getrecursionlimit()
    del longer
    with_one = sys.getrecursionlimit()
    del long

    assert usual < with_one < with_both
    assert sys.getrecursionlimit() == usual


def test_a_limit_that_the_user_sets_meanwhile_is_kept():
    usual = sys.getrecursionlimit()
    held = recursion_for(1000, "here")
    try:
        sys.setrecursionlimit(usual + 100_000)
        del held

        assert sys.getrecursionlimit() == usual + 100_000
    finally:
        sys.setrecursionlimit(usual)


def test_threads_that_make_and_drop_plans_leave_the_limit_as_it_was():
    usual = sys.getrecursionlimit()
    counts = []

    def work():
        counts.extend(len(list(chain(steps))) for steps in (300, 700, 1200))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert counts == [3] * 12
    assert sys.getrecursionlimit() == usual


def test_more_steps_than_can_run_are_refused_where_they_are_built():
    ds = chain(MOST_STEPS)
    with pytest.raises(BuildError, match=r"take\(\) built at test_depth.py.*at most 10000 steps"):
        ds.take(5)


def test_a_program_ends_quietly_whose_deep_iterator_is_garbage_only_then():
    code = (
        "import feedline as tf\n"
        "ds = tf.data.Dataset.range(3)\n"
        "for _ in range(1000): ds = ds.batch(2).unbatch()\n"
        "it = iter(ds); it.itself = it\n"
        "print(int(next(it)))\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert (ended.stdout, ended.stderr) == (b"0\n", b"")
