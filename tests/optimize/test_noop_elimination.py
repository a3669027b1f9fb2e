import pytest

from feedline.data import Dataset, Options
from feedline.testing import assert_same_elements, check_resume_in_fresh_process
from tests.optimize.switched import PROMISES, fired, fresh, steps, without

RULE = "noop_elimination"
TEN = Dataset.range(10)


def fails(x):
    if x % 5 == 3:
        raise KeyError(f"no {x}")
    return x


FAILING = Dataset.range(23).map(fails)
FIRES = {
    "take of all": TEN.take(-1),
    "take of all, in another way": TEN.take(-7),
    "skip of none": TEN.skip(0),
    "one epoch": TEN.repeat(1),
    "one shard": TEN.shard(1, 0),
    "a buffer of one": TEN.shuffle(1, seed=3),
    "a buffer of one, not seeded": TEN.shuffle(1).repeat(2),
    "several": TEN.take(-1).skip(0).repeat(1).shard(1, 0).shuffle(1),
    "between steps": TEN.map(lambda x: x * 2).skip(0).batch(3).take(-1),
    "one epoch of a shuffle": TEN.shuffle(4, seed=1).repeat(1).repeat(2),
    "one epoch inside epochs": TEN.shuffle(4, seed=1).repeat(2).repeat(1).repeat(2),
    "one epoch of draws": TEN.map(lambda x, rng: (x, rng.integers(99))).repeat(1).repeat(2),
    "above a cache": TEN.map(lambda x: x + 1).cache().take(-1).repeat(2),
    "below a cache": TEN.shuffle(1).map(lambda x, rng: x + rng.integers(9)).cache().repeat(2),
    "in one of two": Dataset.zip(TEN.take(-1), TEN.shuffle(4, seed=2)),
    "in nested datasets": TEN.take(-1).flat_map(lambda x: TEN.take(x).skip(0).repeat(1)),
    "of failing elements": FAILING.shuffle(1).take(-1).ignore_errors(),
    "of failing elements, repeated": FAILING.repeat(1).repeat(2).ignore_errors(),
    "of failing elements, in batches": FAILING.skip(0).batch(3).ignore_errors(),
}
STAYS = {
    "take of as many as there are": TEN.take(10),
    "take of none": TEN.take(0),
    "skip of all": TEN.skip(-1),
    "two epochs": TEN.repeat(2),
    "no epoch": TEN.repeat(0),
    "two shards": TEN.shard(2, 0),
    "a buffer of two": TEN.shuffle(2, seed=1),
    "all at once": TEN.shuffle(None, seed=1),
}
each_that_fires = pytest.mark.parametrize("name", FIRES)


@each_that_fires
def test_what_changes_nothing_is_left_out(name):
    assert RULE in fired(FIRES[name])


@pytest.mark.parametrize("name", STAYS)
def test_what_changes_something_stays(name):
    assert fired(STAYS[name]) == []


def test_nothing_is_left_of_it():
    assert steps(FIRES["several"]) == ["range"]
    assert steps(FIRES["between steps"]) == ["batch", "map", "range"]


@each_that_fires
def test_the_elements_stay_the_same_in_every_iteration(name):
    ds = FIRES[name].with_options(Options(seed=5))
    plain, ds = fresh(without(ds, RULE)), fresh(ds)

    for _ in range(3):
        assert_same_elements(ds, plain)


@pytest.mark.parametrize("check", PROMISES)
@each_that_fires
def test_conforms(name, check):
    check(fresh(FIRES[name]))


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(FIRES["several"].shuffle(4, seed=1).batch(3))


def test_tf_data_fuses_past_steps_that_change_nothing_unless_they_are_kept():
    ds = FAILING.skip(0).take(-1).batch(3).ignore_errors()
    kept = Options()
    kept.experimental_optimization.noop_elimination = False

    assert [b.tolist() for b in ds] == [[0, 1, 2], [9, 10, 11], [15, 16, 17], [21, 22]]
    assert [b.tolist() for b in without(ds, RULE)] == [b.tolist() for b in ds]
    assert [b.tolist() for b in ds.with_options(kept)][:2] == [[0, 1, 2], [4, 5, 6]]


def test_tf_data_does_not_fuse_past_other_steps():
    batches = [
        [b.tolist() for b in ds.batch(3).ignore_errors()][:2]
        for ds in (FAILING.prefetch(0), FAILING.with_options(Options()), FAILING.take(99))
    ]

    assert batches == [[[0, 1, 2], [4, 5, 6]]] * 3
