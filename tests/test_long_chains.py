"""Pipelines of a thousand steps do all that others do, under Python's usual recursion limit."""

import json
import pickle

import cloudpickle
import pytest

from feedline.data import Dataset, Options
from feedline.nest import flatten

STEPS = 1000


def numbers(element):
    return [int(leaf) for leaf in flatten(element)]


def one(x):
    return x + 1


def mixed(ds, number):
    steps = [
        lambda: ds.map(one),
        lambda: ds.filter(lambda x: x >= 0),
        lambda: ds.shuffle(4, seed=number, reshuffle_each_iteration=False),
        lambda: ds.batch(2).unbatch(),
        lambda: ds.skip(1).concatenate(Dataset.range(1)),
        lambda: ds.take(100),
        lambda: ds.repeat(1),
        lambda: ds.enumerate().map(lambda _, x: x),
    ]
    return steps[number % len(steps)]()


CHAINS = {
    "concatenate": lambda ds, number: ds.concatenate(Dataset.range(int(number % 50 == 0))),
    "map": lambda ds, number: ds.map(one),
    "filter": lambda ds, number: ds.filter(lambda x: x >= 0),
    "zip": lambda ds, number: Dataset.zip((ds, Dataset.range(5))),
    "skip and take": lambda ds, number: ds.skip(0).take(4),
    "batch": lambda ds, number: ds.batch(2).unbatch(),
    "shuffle": lambda ds, number: ds.shuffle(3, number, False),
    "mixed": mixed,
}
# What is expected of them, as plain Python does it, where that is short to say.
EXPECTED = {
    "concatenate": [*range(5), *[0] * (STEPS // 50)],
    "map": [STEPS + number for number in range(5)],
    "filter": [*range(5)],
    "skip and take": [*range(4)],
    "batch": [*range(5)],
}


def chained(kind, **settings):
    ds = Dataset.range(5)
    for number in range(STEPS):
        ds = CHAINS[kind](ds, number)
    return ds.with_options(Options(**settings))


@pytest.fixture(scope="module")
def chains():
    return {kind: chained(kind) for kind in CHAINS}


@pytest.mark.parametrize("kind", CHAINS)
def test_a_long_chain_yields_what_a_short_one_would(chains, kind):
    found = [numbers(element) for element in chains[kind]]
    if kind == "zip":
        assert found == [[number] * (STEPS + 1) for number in range(5)]
    elif kind == "shuffle":
        assert sorted(found) == [[number] for number in range(5)]
    elif kind in EXPECTED:
        assert found == [[number] for number in EXPECTED[kind]]
    assert found == [numbers(one) for one in chained(kind, executor="inline")]


@pytest.mark.parametrize("kind", CHAINS)
def test_rules_change_nothing_of_a_long_chain(chains, kind):
    without = Options()
    without.experimental_optimization.apply_default_optimizations = False
    ds = chains[kind]

    assert [*map(numbers, ds.with_options(without))] == [*map(numbers, ds)]


@pytest.mark.parametrize("executor", ["threads", "processes", "background"])
@pytest.mark.parametrize("kind", ["map", "zip", "batch"])
def test_every_executor_runs_a_long_chain(chains, kind, executor):
    ds = chains[kind]

    assert [*map(numbers, ds.with_options(Options(executor=executor)))] == [*map(numbers, ds)]


@pytest.mark.parametrize("kind", CHAINS)
def test_a_long_chain_can_be_asked_all_that_others_can(chains, kind):
    ds = chains[kind]

    assert ds.element_spec is not None
    assert ds.cardinality() == ds.cardinality()
    assert len(repr(ds)) < 3_000
    assert ds.explain().count("\n") > STEPS
    assert ds.fingerprint() == chained(kind).fingerprint()


@pytest.mark.parametrize("kind", ["concatenate", "zip", "skip and take"])
def test_elements_of_a_long_chain_are_read_by_index(chains, kind):
    ds = chains[kind]

    assert len(ds) == len(list(ds))
    assert numbers(ds[2]) == numbers(list(ds)[2])


@pytest.mark.parametrize("kind", CHAINS)
def test_a_long_chain_resumes_from_a_state_written_as_json(chains, kind):
    ds = chains[kind]
    it = iter(ds)
    next(it)
    state = json.dumps(it.state_dict())
    again = iter(ds)
    again.load_state_dict(json.loads(state))

    assert [*map(numbers, again)] == [*map(numbers, it)]


def test_the_state_of_a_long_chain_is_nested_no_deeper_than_a_process_without_one_can_read(chains):
    it = iter(chains["batch"])
    next(it)
    depth, level = 0, [it.state_dict()]
    while level := [
        inner
        for value in level
        if isinstance(value, (dict, list))
        for inner in (value.values() if isinstance(value, dict) else value)
    ]:
        depth += 1

    assert depth < 3_000


@pytest.mark.parametrize("kind", CHAINS)
def test_a_long_chain_is_pickled(chains, kind):
    ds = chains[kind]
    again = pickle.loads(cloudpickle.dumps(ds))

    assert again.node.depth == ds.node.depth
    assert [*map(numbers, again)] == [*map(numbers, ds)]


def test_steps_that_are_shared_are_shared_again_after_pickling():
    common = Dataset.range(5)
    for _ in range(100):
        common = common.skip(0)
    both = pickle.loads(cloudpickle.dumps(Dataset.zip((common, common)))).node

    assert both.inputs[0] is both.inputs[1]


@pytest.mark.parametrize("kind", ["map", "batch"])
def test_five_thousand_steps_run(kind):
    ds = Dataset.range(5)
    for number in range(5000 // (1 + (kind == "batch"))):
        ds = CHAINS[kind](ds, number)
    without = Options()
    without.experimental_optimization.apply_default_optimizations = False

    assert len(list(ds.with_options(without))) == 5
