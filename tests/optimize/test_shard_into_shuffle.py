import numpy as np
import pytest

from feedline.data import Dataset, Options
from feedline.errors import BuildError
from feedline.options import SHARD_HINT
from feedline.testing import assert_same_elements, check_resume_in_fresh_process
from tests.optimize.switched import PROMISES, fired, fresh, steps, without

RULE = "shard_into_shuffle"
ARRAYS = Dataset.from_tensor_slices({"x": np.arange(46.0).reshape(23, 2), "y": np.arange(23)})
GENERATED = Dataset.from_generator(lambda: range(23), output_types=np.int64)

FIRES = {
    "a small buffer": Dataset.range(23).shuffle(5, seed=1).shard(3, 1),
    "not seeded": Dataset.range(23).shuffle(5).shard(4, 3),
    "a buffer of all": ARRAYS.shuffle(100, seed=2).shard(3, 0),
    "not reshuffled": ARRAYS.shuffle(7, seed=2, reshuffle_each_iteration=False).shard(3, 2),
    "repeated": ARRAYS.shuffle(7, seed=2).shard(3, 2).repeat(3),
    "repeated, not seeded": ARRAYS.shuffle(7).shard(3, 2).repeat(3).batch(4),
    "of epochs": Dataset.range(9).repeat(2).shuffle(4, seed=1).shard(2, 1),
    "fewer elements than shards": Dataset.range(2).shuffle(4, seed=1).shard(5, 3),
    "no elements": Dataset.range(0).shuffle(4, seed=1).shard(2, 1),
    "shards of shards": ARRAYS.shuffle(7, seed=2).shard(2, 1).shard(3, 1),
    "shuffled again": ARRAYS.shuffle(7, seed=2).shard(2, 1).shuffle(4, seed=1),
    "draws afterwards": Dataset.range(23)
    .shuffle(5)
    .shard(2, 1)
    .map(lambda x, rng: (x, rng.integers(99)))
    .repeat(2),
    "cached": Dataset.range(23).shuffle(5).shard(2, 1).cache().repeat(2),
    "what cannot be read by index": Dataset.range(9)
    .batch(2)
    .unbatch()
    .shuffle(4, seed=1)
    .shard(2, 0),
}
STAYS = {
    "of a generator": GENERATED.shuffle(5, seed=1).shard(2, 0),
    "after a function": Dataset.range(23).map(lambda x: x).shuffle(5, seed=1).shard(3, 1),
    "all at once": Dataset.range(23).shuffle(None, seed=1).shard(3, 1),
    "before the shuffle": Dataset.range(23).shard(3, 1).shuffle(5, seed=1),
    "something in between": Dataset.range(23).shuffle(5, seed=1).batch(2).shard(3, 1),
}
each_that_fires = pytest.mark.parametrize("name", FIRES)


@each_that_fires
def test_a_shard_of_a_shuffle_is_one_step(name):
    assert RULE in fired(FIRES[name])


def test_the_plan_after():
    assert steps(FIRES["a small buffer"]) == ["sharded_shuffle", "range"]


@pytest.mark.parametrize("name", STAYS)
def test_where_nothing_is_saved_the_plan_stays(name):
    assert RULE not in fired(STAYS[name])


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
    check_resume_in_fresh_process(FIRES["repeated, not seeded"])


def test_the_shards_together_have_every_element_once():
    shards = [Dataset.range(23).shuffle(5, seed=1).shard(3, index) for index in range(3)]

    assert sorted(int(x) for shard in shards for x in shard) == list(range(23))


def test_elements_of_other_shards_are_called_nowhere_but_in_functions():
    calls = []
    ds = Dataset.range(6).map(lambda x: calls.append(int(x)) or x).shuffle(3, seed=1).shard(3, 1)
    list(ds)

    assert calls[-6:] == list(range(6))


def test_a_hint_is_still_refused():
    with pytest.raises(BuildError, match="SHARD_HINT"):
        list(Dataset.range(6).shuffle(3).shard(SHARD_HINT, SHARD_HINT))
