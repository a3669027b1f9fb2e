import numpy as np
import pytest

import feedline as tf
from feedline import pipeline
from feedline.data import Dataset, Options
from feedline.errors import BuildError, SpecError

TEN = Dataset.range(10)


def read_all(node, seed=None, rounds=None):
    _, stream = pipeline.start(node, seed, rounds or {})
    return [int(row) for row in stream.read(1000).rows()]


def test_a_plan_runs_from_its_beginning():
    assert read_all(TEN.take(4).node) == [0, 1, 2, 3]


def test_what_runs_has_no_options_in_it():
    plan, _ = pipeline.rewritten(TEN.with_options(Options(seed=1)).take(4).node, Options())

    assert plan == TEN.take(4).node


def test_a_rule_that_does_not_exist_cannot_be_skipped():
    with pytest.raises(BuildError, match=r"unknown rules \['fuse_nothing'\]"):
        pipeline.rewritten(TEN.node, Options(skip_rules=("fuse_nothing",)))


def test_each_iteration_starts_a_new_round_of_every_random_node():
    ds = TEN.shuffle(3).map(lambda x: x).shuffle(3)
    first, second = pipeline.start_rounds(ds.node), pipeline.start_rounds(ds.node)

    assert set(first) == set(second)
    assert set(first.values()) == {0}
    assert set(second.values()) == {1}


def test_the_same_seed_and_rounds_give_the_same_elements():
    node = TEN.shuffle(10).node

    assert read_all(node, 5, {0: 1}) == read_all(node, 5, {0: 1})
    assert read_all(node, 5, {0: 1}) != read_all(node, 6, {0: 1})
    assert read_all(node, 5, {0: 1}) != read_all(node, 5, {0: 2})


def test_a_seed_in_the_options_makes_every_run_the_same():
    ds = TEN.shuffle(10).map(lambda x, rng: x + 10 * rng.integers(100))
    seeded = ds.with_options(Options(seed=3))
    again = TEN.shuffle(10).map(lambda x, rng: x + 10 * rng.integers(100))

    assert [int(x) for x in seeded] == [int(x) for x in again.with_options(Options(seed=3))]
    assert [int(x) for x in seeded] != [int(x) for x in seeded]


def test_elements_by_index_are_open_only_where_every_step_allows_it():
    assert len(pipeline.open_access(TEN.batch(3).node, None, {})) == 4
    assert pipeline.open_access(TEN.filter(lambda x: True).node, None, {}) is None


def test_a_spec_that_is_declared_needs_no_run():
    seen = []
    ds = Dataset.range(3).map(seen.append)

    assert pipeline.element_spec(TEN.batch(3).node) == tf.TensorSpec([None], tf.int64)
    assert pipeline.element_spec(ds.node.input) == tf.TensorSpec((), tf.int64)
    assert seen == []


def test_the_spec_of_a_function_is_seen_from_its_first_results():
    ds = Dataset.range(1, 9).map(lambda n: (np.zeros(n, np.int8), str(n)))

    assert pipeline.element_spec(ds.node) == (
        tf.TensorSpec([None], tf.int8),
        tf.TensorSpec((), tf.string),
    )


def test_the_spec_of_a_function_of_nothing_is_seen_from_zeros():
    ds = Dataset.range(0).map(lambda n: np.zeros(3, np.int8))

    assert pipeline.element_spec(ds.node) == tf.TensorSpec([3], tf.int8)


def test_where_nothing_tells_the_spec_that_is_said():
    ds = Dataset.range(0).map(lambda n: {}[n])

    with pytest.raises(SpecError, match="yields no element to look at"):
        pipeline.element_spec(ds.node)


def test_a_signature_lists_the_steps_without_options():
    ds = TEN.with_options(Options(seed=1)).map(abs).batch(2)

    assert [step.split("(")[0] for step in pipeline.signature(ds.node)] == ["range", "map", "batch"]


def test_ids_are_made_only_where_someone_draws_by_them():
    plain, _ = pipeline.start(TEN.map(lambda x: x).node, None, {})
    drawing, _ = pipeline.start(TEN.map(lambda x, rng: x).node, None, {})

    assert not plain.with_ids
    assert drawing.with_ids


def test_what_rules_made_of_a_plan_is_kept_with_it():
    node = TEN.take(-1).shuffle(3).batch(2).node

    assert pipeline.rewritten(node, Options())[0] is pipeline.rewritten(node, Options())[0]
    assert pipeline.rewritten(node, Options(skip_rules=("noop_elimination",)))[1] == []
    assert pipeline.rewritten(node, Options())[1] == ["noop_elimination"]


def test_functions_that_are_asked_are_asked_at_every_start():
    sizes = [3]
    ds = TEN.window(3).flat_map(lambda w: w.batch(sizes[0]))

    assert [len(batch) for batch in ds] == [3, 3, 3, 1]
    sizes[0] = 2
    assert [len(batch) for batch in ds] == [2, 1, 2, 1, 2, 1, 1]


def test_the_settings_of_a_dataset_are_not_those_of_one_built_on_it():
    ds = TEN.take(-1)
    list(ds)
    plain = ds.with_options(Options(skip_rules=("noop_elimination",)))
    list(plain)

    assert "rules: none fired" in plain.explain()
    assert "rules: noop_elimination" in ds.explain()
