import json
import pickle

import cloudpickle
import numpy as np
import pytest

from feedline.data import Dataset, Options
from feedline.engine.pool import Pool
from feedline.errors import BuildError, BuildTypeError, CheckpointError
from feedline.ragged import constant
from feedline.testing import (
    CHECKS,
    check_block_sizes,
    check_close,
    check_resume,
    check_resume_in_fresh_process,
)


def plain(ds):
    return [int(x) for x in ds]


CASES = [
    Dataset.range(20).shuffle(1, seed=0),
    Dataset.range(20).shuffle(7, seed=0),
    Dataset.range(20).shuffle(100, seed=3),
    Dataset.range(20).shuffle(7),
    Dataset.range(20).shuffle(None, seed=1),
    Dataset.range(20).shuffle(None),
    Dataset.range(0).shuffle(5),
    Dataset.range(0).shuffle(None),
    Dataset.range(20).map(lambda x: x * 2).shuffle(7, seed=0),
    Dataset.range(20).map(lambda x: x * 2).shuffle(100).repeat(2),
    Dataset.range(20).map(lambda x: x * 2).shuffle(None, seed=2).repeat(2),
    Dataset.range(12).shuffle(4, seed=1, reshuffle_each_iteration=False).repeat(2),
    Dataset.range(12).shuffle(4, reshuffle_each_iteration=False).repeat(2),
    Dataset.range(20).filter(lambda x: x % 3 > 0).shuffle(5).batch(3),
    Dataset.from_tensor_slices(constant([[1], [2, 3], [], [4]])).map(lambda r: r).shuffle(2),
    Dataset.range(9).map(lambda x: (str(x), {"a": np.zeros(x % 3)})).shuffle(4),
    Dataset.range(15).shuffle(4).shuffle(6).repeat(2).shuffle(5),
    Dataset.range(3).flat_map(lambda x: Dataset.range(5).shuffle(3)).shuffle(4),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


@pytest.mark.parametrize("ds", [CASES[3], CASES[9], CASES[-2]], ids=str)
def test_resumes_in_a_fresh_process(ds):
    check_resume_in_fresh_process(ds)


@pytest.mark.parametrize("source", [Dataset.range(10), Dataset.range(10).map(lambda x: x)], ids=str)
def test_the_order_for_a_seed_is_that_of_tf_data(source):
    ds = source.shuffle(4, seed=42)

    assert plain(ds.repeat(2))[:10] == [1, 4, 2, 3, 5, 0, 6, 8, 7, 9]


def test_later_epochs_and_iterations_have_the_orders_of_tf_data_too():
    ds = Dataset.range(6).shuffle(6, seed=3)

    assert plain(ds) == [0, 1, 2, 3, 4, 5]
    assert plain(ds) == [0, 4, 1, 5, 3, 2]
    assert plain(Dataset.range(10).shuffle(4, seed=42).repeat(2))[10:] == [
        3, 4, 2, 0, 1, 8, 5, 7, 9, 6,
    ]  # fmt: skip


def test_without_reshuffling_all_passes_have_one_order_that_of_tf_data():
    ds = Dataset.range(6).shuffle(6, seed=3, reshuffle_each_iteration=False)

    assert plain(ds) == plain(ds) == [5, 4, 2, 0, 3, 1]
    assert plain(ds.repeat(2)) == [5, 4, 2, 0, 3, 1] * 2


def test_the_order_of_a_global_shuffle_never_changes_between_releases():
    """People resume year-old runs. If this fails, the algorithm changed: write a migration note."""
    assert plain(Dataset.range(12).shuffle(None, seed=42)) == [
        10, 5, 3, 0, 7, 6, 11, 9, 4, 8, 2, 1,
    ]  # fmt: skip
    assert plain(Dataset.range(12).shuffle(None, seed=7)) == [
        1, 0, 7, 4, 11, 10, 2, 6, 5, 3, 9, 8,
    ]  # fmt: skip


def test_the_order_is_the_same_by_index_and_by_element():
    by_index = Dataset.range(50).shuffle(9, seed=5)
    by_element = Dataset.range(50).map(lambda x: x).shuffle(9, seed=5)

    assert plain(by_index) == plain(by_element)


@pytest.mark.parametrize("buffer_size", [1, 3, 50, None])
def test_every_element_comes_once(buffer_size):
    ds = Dataset.range(40).shuffle(buffer_size)

    assert sorted(plain(ds)) == list(range(40))
    assert ds.cardinality() == 40


def test_no_element_comes_earlier_than_the_buffer_allows():
    order = plain(Dataset.range(100).shuffle(10))

    assert all(x < place + 10 for place, x in enumerate(order))


def test_without_a_seed_every_iteration_and_epoch_has_an_order_of_its_own():
    ds = Dataset.range(100).shuffle(100)
    twice = plain(ds.repeat(2))

    assert plain(ds) != plain(ds)
    assert twice[:100] != twice[100:]


def test_an_infinite_input_is_shuffled_as_it_comes():
    assert len(plain(Dataset.range(10).repeat().shuffle(25).take(60))) == 60


def test_the_state_of_a_buffer_of_large_elements_is_small():
    ds = Dataset.range(5000).map(lambda x: np.full((28, 28), x, np.float32))
    it = iter(ds.shuffle(1000).batch(32).prefetch(8))
    for _ in range(60):
        next(it)

    assert len(json.dumps(it.state_dict())) <= 16 * 1024


def test_a_state_that_holds_more_than_the_buffer_is_damaged():
    """No memory is asked for what cannot have been held."""
    it = iter(Dataset.range(40).filter(lambda x: x % 2 > 0).shuffle(6, seed=1))
    next(it)
    state = it.state_dict()
    state["position"]["held"]["n"] = 1 << 40
    it.load_state_dict(state)

    with pytest.raises(CheckpointError, match="'n' is 1099511627776, which must be"):
        next(it)


def test_the_state_of_a_global_shuffle_is_tiny():
    it = iter(Dataset.range(100_000).shuffle(None).batch(32))
    for _ in range(60):
        next(it)

    assert len(json.dumps(it.state_dict())) <= 1024


def test_a_global_shuffle_needs_random_access():
    with pytest.raises(BuildError, match=r"shuffle\(buffer_size=None\) built at test_shuffle.py"):
        list(Dataset.range(9).filter(lambda x: True).shuffle(None))


def test_a_buffer_size_below_one_is_refused_where_it_is_written():
    with pytest.raises(BuildError, match=r"shuffle\(\): buffer_size must be at least 1, got 0"):
        Dataset.range(5).shuffle(0)


def test_arguments_of_the_wrong_type_are_refused():
    with pytest.raises(BuildTypeError, match=r"shuffle\(\): buffer_size must be an integer"):
        Dataset.range(5).shuffle("all")
    with pytest.raises(BuildTypeError, match=r"shuffle\(\): seed must be an integer, got 1.5"):
        Dataset.range(5).shuffle(5, seed=1.5)


CACHED = [
    Dataset.range(30).map(lambda x: x * 2).cache().shuffle(7, seed=1),
    Dataset.range(30).map(lambda x: x * 2).cache().shuffle(7).repeat(2).batch(4),
    Dataset.range(30).map(lambda x, rng: rng.integers(99)).cache().shuffle(50, seed=1),
    Dataset.range(30)
    .filter(lambda x: x % 3 > 0)
    .cache()
    .shuffle(7)
    .map(lambda x, rng: rng.random()),
]


@pytest.mark.parametrize("check", [check_block_sizes, check_resume, check_close])
@pytest.mark.parametrize("ds", CACHED, ids=str)
def test_a_full_cache_is_shuffled_by_index_and_conforms(ds, check):
    list(ds)

    check(ds)


def test_of_a_full_cache_nothing_is_held(monkeypatch):
    ds = Dataset.range(40).map(lambda x: x + 1).cache().shuffle(9, seed=3)
    list(ds)
    monkeypatch.delattr(Pool, "put")

    assert sorted(int(x) for x in ds) == list(range(1, 41))


def test_the_order_does_not_depend_on_whether_a_cache_is_full():
    ds = Dataset.range(40).map(lambda x: x + 1).cache().shuffle(9, seed=3)
    it = iter(ds)
    head = [int(next(it)) for _ in range(11)]
    of_empty = it.state_dict()
    expected = head + [int(x) for x in it]
    again = pickle.loads(cloudpickle.dumps(ds))

    assert resumed(ds, iter(ds).state_dict() | {"rounds": of_empty["rounds"]}) == expected
    assert resumed(ds, of_empty) == expected[11:]
    of_full = iter(ds)
    of_full.load_state_dict(of_empty)
    next(of_full)
    assert resumed(again, json.loads(json.dumps(of_full.state_dict()))) == expected[12:]


def resumed(ds, state):
    it = iter(ds)
    it.load_state_dict(state)
    return [int(x) for x in it]


def fixed_order(seed, size=20):
    ds = Dataset.range(20).shuffle(size, reshuffle_each_iteration=False)
    return ds.with_options(Options(seed=seed))


@pytest.mark.parametrize("size", [5, 20, None])
def test_an_order_that_stays_follows_from_the_seed_of_the_options(size):
    assert plain(fixed_order(7, size)) == plain(fixed_order(7, size))
    assert plain(fixed_order(7, size)) != plain(fixed_order(8, size))
    assert plain(fixed_order(7, size).repeat(2)) == 2 * plain(fixed_order(7, size))


def test_an_order_that_stays_does_so_in_every_plan_that_has_the_step():
    """Parts of a dataset stay apart, whatever they are put together with."""
    ds = fixed_order(7)
    train, rest = ds.take(15), ds.skip(15)
    other = Dataset.range(15).shuffle(15)

    paired = Dataset.zip((other, train)).map(lambda _, x: x)

    assert sorted(plain(train) + plain(rest)) == list(range(20))
    assert plain(paired) == plain(train)


def test_two_orders_that_stay_are_not_the_same_one():
    first, second = (Dataset.range(20).shuffle(20, None, False) for _ in range(2))

    pairs = list(Dataset.zip((first, second)).with_options(Options(seed=7)))

    assert any(a != b for a, b in pairs)


def test_reading_by_index_and_iterating_have_the_same_order_that_stays():
    ds = fixed_order(7)

    assert [int(ds[n]) for n in range(20)] == plain(ds)
