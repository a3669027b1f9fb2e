import sys

import numpy as np
import pytest

import feedline as tf
from feedline import random
from feedline.data import Dataset, Options
from feedline.errors import BuildError
from feedline.graph.drawing import draw
from feedline.random.distributions import uniform_rows
from feedline.seeding import set_seed

COUNT = 100


def jitter(x):
    return x, random.uniform(()), random.normal((2,)), random.uniform((), 0, 9, tf.int64, seed=4)


def with_settings(ds, **settings):
    return ds.with_options(Options(seed=7, **settings))


def values(ds):
    return [tuple(np.asarray(part).tobytes() for part in element) for element in ds]


def test_draws_are_the_same_for_whole_blocks_and_for_single_elements():
    at_once = Dataset.range(COUNT).map(jitter)
    found = values(with_settings(at_once))

    assert "vectorised" in with_settings(at_once).explain()
    assert found == values(with_settings(Dataset.range(COUNT).map(jitter), vectorize=False))
    assert found == values(with_settings(Dataset.range(COUNT).map(jitter), block_size=7))


def test_every_draw_of_every_element_is_another():
    ds = Dataset.range(COUNT).map(lambda x: np.stack([random.uniform(()), random.uniform(())]))

    assert len({float(number) for pair in ds for number in pair}) > 1.9 * COUNT


def test_epochs_and_iterations_draw_anew_unless_a_seed_is_given():
    ds = Dataset.range(COUNT).map(lambda x: (random.uniform(()), random.uniform((), seed=1)))
    first, second = list(ds), list(ds)

    assert [a for a, _ in first] != [a for a, _ in second]
    assert [b for _, b in first] == [b for _, b in second]
    twice = [b for _, b in ds.repeat(2)]
    assert twice[:COUNT] != twice[COUNT:]


def test_a_draw_after_a_resume_is_that_of_its_element():
    ds = Dataset.range(COUNT).map(jitter)
    it = iter(ds)
    for _ in range(40):
        next(it)
    state = it.state_dict()
    rest = values(it)
    resumed = iter(ds)
    resumed.load_state_dict(state)

    assert values(resumed) == rest


def test_a_function_that_is_called_on_each_element_draws_the_same():
    def branching(x):
        return random.uniform(()) if x >= 0 else None

    plain = Dataset.range(COUNT).map(branching)
    found = list(with_settings(plain))

    assert "plain Python" in with_settings(plain).explain()
    assert found == list(with_settings(Dataset.range(COUNT).map(lambda x: random.uniform(()))))


def test_a_predicate_and_a_nested_dataset_draw_too():
    kept = list(Dataset.range(1000).filter(lambda x: random.uniform(()) < 0.5))
    assert 400 < len(kept) < 600

    ds = Dataset.range(3).flat_map(lambda x: Dataset.range(4).map(lambda y: random.uniform(())))
    assert len(set(ds)) == 12


def test_a_draw_that_nobody_could_foresee_is_an_error_that_says_what_to_do():
    names = ["feedline", "random"]

    ds = Dataset.range(3).map(lambda x: sys.modules[".".join(names)].uniform(()), vectorize=False)

    with pytest.raises(BuildError, match="declare a parameter rng"):
        list(ds)


def test_outside_of_pipelines_a_seed_begins_the_draws_anew():
    set_seed(3)
    first = [random.uniform(()), random.normal(()), random.uniform((), seed=1)]
    set_seed(3)

    assert first == [random.uniform(()), random.normal(()), random.uniform((), seed=1)]
    set_seed(None)
    assert first[0] != random.uniform(())


def test_a_recorded_function_draws_at_every_call():
    @tf.function
    def drawn():
        return random.uniform(())

    assert drawn() != drawn()


def test_a_draw_without_a_pipeline_has_the_shape_that_was_asked_for():
    assert draw(uniform_rows, ((2, 3), 0, 1, np.float32), None).shape == (2, 3)
