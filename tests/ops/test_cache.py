import json
import pickle

import cloudpickle
import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.testing import (
    CHECKS,
    assert_same_elements,
    check_pickle,
    check_resume,
    check_resume_in_fresh_process,
)


def draw(x, rng):
    return x, rng.random()


def fails(x):
    if x % 5 == 3:
        raise KeyError(f"no {x}")
    return x


# Made anew for every check: once a cache is full, nothing before it runs any more.
MAKE = {
    "range": lambda: Dataset.range(9).cache(),
    "empty": lambda: Dataset.range(0).cache().repeat(2),
    "map": lambda: Dataset.range(9).map(lambda x: (x, str(x))).cache().repeat(3),
    "draws": lambda: Dataset.range(9).map(draw).cache().repeat(3),
    "draws before and after": lambda: (
        Dataset.range(7).map(draw).cache().map(lambda x, y, rng: (x, y, rng.random())).repeat(3)
    ),
    "shuffle": lambda: Dataset.range(9).shuffle(4).cache().repeat(3),
    "seeded shuffle": lambda: Dataset.range(9).shuffle(4, seed=1).cache().repeat(3),
    "global shuffle": lambda: Dataset.range(9).map(lambda x: x * 2).cache().shuffle(None).repeat(3),
    "shuffled after": lambda: Dataset.range(9).map(draw).cache().shuffle(4).repeat(3),
    "batches": lambda: Dataset.range(9).map(draw).batch(2).cache().repeat(2).unbatch(),
    "filter": lambda: Dataset.range(9).filter(lambda x, rng: rng.random() < 0.5).cache().repeat(3),
    "two caches": lambda: (
        Dataset.range(5)
        .map(draw)
        .cache()
        .repeat(2)
        .map(lambda x, y, rng: (x, y, rng.random()))
        .cache()
        .repeat(2)
    ),
    "skip": lambda: Dataset.range(9).map(draw).cache().skip(4).repeat(3),
    "take": lambda: Dataset.range(9).map(draw).cache().take(4).repeat(3),
    "nested": lambda: Dataset.range(3).flat_map(
        lambda x: Dataset.range(3).map(draw).cache().repeat(2)
    ),
    "interleaved": lambda: Dataset.range(4).interleave(
        lambda x: Dataset.range(3).shuffle(3).cache().repeat(2), cycle_length=2
    ),
    "failing": lambda: Dataset.range(12).map(fails).cache().repeat(2).ignore_errors(),
}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", [name for name in MAKE if name != "failing"])
def test_conforms(name, check):
    check(MAKE[name]())


@pytest.mark.parametrize("name", MAKE)
def test_resumes_in_a_fresh_process(name):
    check_resume_in_fresh_process(MAKE[name]())


def copy_of(ds):
    """Return the dataset as another process would get it: with nothing in the cache."""
    return pickle.loads(cloudpickle.dumps(ds))


@pytest.mark.parametrize("name", MAKE)
def test_a_state_from_any_element_continues_where_nothing_is_cached(name):
    ds = MAKE[name]()
    it = iter(ds)
    saved = [json.dumps(it.state_dict())]
    elements = []
    for element in it:
        elements.append(element)
        saved.append(json.dumps(it.state_dict()))

    for cut, state in enumerate(saved):
        again = iter(copy_of(ds))
        again.load_state_dict(json.loads(state))
        assert_same_elements(again, elements[cut:])


def test_the_second_iteration_resumes_with_the_draws_of_the_first():
    ds = Dataset.range(6).shuffle(6).map(draw).cache()
    first = list(ds)
    it = iter(ds)
    start = it.state_dict()
    next(it)
    middle = it.state_dict()

    for state, rest in [(start, first), (middle, first[1:])]:
        again = iter(copy_of(ds))
        again.load_state_dict(json.loads(json.dumps(state)))
        assert_same_elements(again, rest)


def test_another_dataset_on_the_same_cache_resumes_with_the_draws_that_filled_it():
    cached = Dataset.range(4).map(draw).cache()
    filled = list(cached)
    other = Dataset.range(2).map(draw).concatenate(cached).concatenate(cached)
    it = iter(other)
    start = it.state_dict()
    elements = list(it)

    again = iter(copy_of(other))
    again.load_state_dict(json.loads(json.dumps(start)))

    assert_same_elements(elements[2:], filled * 2)
    assert_same_elements(again, elements)


def test_after_a_resume_later_iterations_have_the_same_elements_too():
    ds = Dataset.range(5).map(draw).cache()
    filled = list(ds)
    it = iter(ds)
    next(it)
    copy = copy_of(ds)
    again = iter(copy)
    again.load_state_dict(it.state_dict())
    list(again)

    assert_same_elements(copy, filled)
    assert_same_elements(copy, filled)


def test_functions_before_it_are_called_once_by_all_datasets_built_on_it():
    calls = []
    ds = Dataset.range(5).map(lambda x: calls.append(x) or x).cache()

    assert len(list(ds.repeat(2))) == 10
    assert len(list(ds.batch(2))) == 3
    assert len(list(ds.shuffle(3))) == 5
    assert len(calls) == 5


def test_a_global_shuffle_fills_it_as_well():
    calls = []
    ds = Dataset.range(5).map(lambda x: calls.append(int(x)) or x).cache()

    assert sorted(int(x) for x in ds.shuffle(None).repeat(2)) == sorted([*range(5)] * 2)
    assert [int(x) for x in ds] == list(range(5))
    assert sorted(calls) == list(range(5))


def test_a_pass_that_is_given_up_is_thrown_away():
    calls = []
    ds = Dataset.range(5).map(lambda x: calls.append(x) or x).cache()

    list(ds.take(4))
    before = len(calls)
    list(ds)

    assert len(calls) == before + 5


def test_a_look_at_the_elements_for_their_spec_fills_nothing():
    ds = Dataset.range(2).map(draw).cache()
    spec = ds.map(lambda x, y: y).element_spec

    assert spec.shape == ()
    list(ds)
    assert ds.node.memory.origin.seed != 0


def test_of_two_iterations_at_once_the_first_to_end_fills_it():
    ds = Dataset.range(4).map(draw).cache()
    slow, fast = iter(ds), iter(ds)
    head = next(slow)
    filled = list(fast)
    tail = list(slow)

    assert [y for _, y in [head, *tail]] != [y for _, y in filled]
    assert_same_elements(ds, filled)


def test_draws_before_it_are_kept_and_draws_after_it_are_new_in_every_epoch():
    before = list(Dataset.range(4).map(draw).cache().repeat(2))
    after = list(Dataset.range(4).cache().map(draw).repeat(2))

    assert_same_elements(before[:4], before[4:])
    assert len({y for _, y in after}) == 8


def test_a_shuffle_before_it_is_frozen_and_one_after_it_is_not():
    frozen = [int(x) for x in Dataset.range(50).shuffle(50, seed=1).cache().repeat(2)]
    again = [int(x) for x in Dataset.range(50).cache().shuffle(50, seed=1).repeat(2)]

    assert frozen[:50] == frozen[50:]
    assert again[:50] != again[50:]


def test_elements_are_protected_from_changes():
    ds = Dataset.range(3).map(lambda x: np.full(2, x)).cache()

    for first in (list(ds), list(ds)):
        with pytest.raises(ValueError, match="read-only"):
            first[0][0] += 1
    assert_same_elements(ds.map(add_in_place), [np.full(2, x + 1) for x in range(3)])
    assert_same_elements(ds, [np.full(2, x) for x in range(3)])


def add_in_place(x):
    x += 1
    return x


def test_what_failed_in_the_filling_pass_is_not_in_it():
    ds = Dataset.range(5).map(fails).cache()
    it = iter(ds)

    assert [int(next(it)) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(KeyError):
        next(it)
    assert [int(x) for x in it] == [4]
    assert [int(x) for x in ds] == [0, 1, 2, 4]


def test_elements_can_be_read_by_index_where_the_input_allows_it():
    ds = Dataset.range(9).map(lambda x: x * 2).cache()

    assert int(ds[3]) == 6
    list(ds)
    assert int(ds[-1]) == 16
    with pytest.raises(TypeError, match="cannot be read by index"):
        Dataset.range(9).map(draw).cache()[0]


def test_cardinality_and_spec_are_the_inputs():
    ds = Dataset.range(9).batch(2).cache()

    assert ds.cardinality() == 5
    assert ds.element_spec == Dataset.range(9).batch(2).element_spec


def test_the_state_holds_no_elements():
    ds = Dataset.range(200).map(lambda x: np.full(1000, x)).shuffle(50).cache().repeat()
    it = iter(ds)
    for _ in range(250):
        next(it)

    assert len(json.dumps(it.state_dict())) < 1000


def test_a_pickled_dataset_leaves_the_elements_behind():
    ds = Dataset.range(200).map(lambda x: np.full(1000, x)).cache()
    list(ds)

    assert len(cloudpickle.dumps(ds)) < 5000
    check_pickle(ds)
    check_resume(copy_of(ds).take(20))


def test_a_file_name_is_refused_where_it_is_written():
    with pytest.raises(BuildError, match=r"cache\(\): filename must be empty, .* not available"):
        Dataset.range(3).cache("/tmp/x")
    with pytest.raises(BuildTypeError, match=r"cache\(\): filename must be a string, got None"):
        Dataset.range(3).cache(None)


def test_a_global_shuffle_of_very_many_elements_needs_no_room_for_all():
    assert len(list(Dataset.range(1 << 40).cache().shuffle(None).take(5))) == 5


def test_overlapping_reads_by_index_fill_it_with_every_element_once():
    calls = []
    ds = Dataset.range(7).map(lambda x: calls.append(int(x)) or x).cache()
    windows = ds.window(3, shift=1, drop_remainder=True).shuffle(None).flat_map(lambda w: w)

    assert len(list(windows)) == 15
    assert [int(x) for x in ds] == list(range(7))
