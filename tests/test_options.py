import pickle

import pytest

from feedline.data import Dataset, Options, ThreadingOptions
from feedline.data.experimental import (
    AutoShardPolicy,
    AutotuneAlgorithm,
    AutotuneOptions,
    DistributeOptions,
    ExternalStatePolicy,
    OptimizationOptions,
    ServiceOptions,
)
from feedline.errors import BuildError, BuildTypeError

KINDS = [
    Options,
    AutotuneOptions,
    DistributeOptions,
    OptimizationOptions,
    ServiceOptions,
    ThreadingOptions,
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_fresh_object_has_nothing_set(kind):
    assert kind() == kind()
    assert repr(kind()) == f"{kind.__name__}()"


def test_what_is_set_is_shown_and_compared():
    options = Options(deterministic=False)
    options.threading.private_threadpool_size = 2

    assert repr(options) == (
        "Options(deterministic=False, threading=ThreadingOptions(private_threadpool_size=2))"
    )
    assert options != Options(deterministic=False)
    assert options != "options"


def test_an_unknown_setting_is_refused_with_those_there_are():
    options = Options()

    with pytest.raises(AttributeError, match=r"Options has no setting 'determinstic'. Known: auto"):
        options.determinstic = True


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("deterministic", 1, "Options.deterministic must be bool, got 1"),
        ("dataset_name", 3, "Options.dataset_name must be str, got 3"),
        ("block_size", True, "Options.block_size must be int, got True"),
        ("threading", Options(), "Options.threading must be ThreadingOptions"),
        ("experimental_threading", 3, "Options.threading must be ThreadingOptions, got 3"),
        ("experimental_deterministic", "no", "Options.deterministic must be bool, got 'no'"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(name, value, message):
    with pytest.raises(BuildTypeError, match=message):
        setattr(Options(), name, value)


def test_an_enum_cannot_be_replaced_by_its_number():
    options = Options()
    options.experimental_distribute.auto_shard_policy = AutoShardPolicy.DATA

    with pytest.raises(BuildTypeError, match="must be AutoShardPolicy, got 0"):
        options.experimental_distribute.auto_shard_policy = 0


def test_enums_have_the_numbers_of_tf_data():
    assert [policy.value for policy in AutoShardPolicy] == [-1, 0, 1, 2, 3]
    assert [algorithm.value for algorithm in AutotuneAlgorithm] == [0, 1, 2, 3, 4]
    assert [policy.value for policy in ExternalStatePolicy] == [0, 1, 2]


def test_the_old_names_still_work():
    options = Options()
    options.experimental_deterministic = False
    options.experimental_threading = ThreadingOptions(private_threadpool_size=9)
    options.experimental_threading.max_intra_op_parallelism = 1

    assert options.deterministic is options.experimental_deterministic is False
    assert options.threading == ThreadingOptions(1, 9)


def test_merging_keeps_what_either_has_set():
    first, second = Options(deterministic=False), Options(dataset_name="train")
    first.threading.private_threadpool_size = 2
    second.threading.max_intra_op_parallelism = 1
    merged = first.merge(second)

    assert merged.deterministic is False
    assert merged.dataset_name == "train"
    assert merged.threading == ThreadingOptions(1, 2)


def test_of_two_values_the_later_counts():
    first, second = Options(deterministic=True), Options(deterministic=False)
    first.autotune.cpu_budget = 2
    second.autotune.cpu_budget = 4
    merged = first.merge(second)

    assert merged.deterministic is False
    assert merged.autotune.cpu_budget == 4
    assert first.autotune.cpu_budget == 2


def test_framework_types_are_joined():
    merged = Options(framework_type=["a"]).merge(Options(framework_type=["b"]))

    assert merged.framework_type == ["a", "b"]


def test_only_options_can_be_merged():
    with pytest.raises(BuildTypeError, match="options must be Options"):
        Options().merge(ThreadingOptions())


def test_conflicts_are_the_fields_with_two_values():
    first, second = Options(seed=1, block_size=3), Options(seed=2, block_size=3)
    first.threading.private_threadpool_size = 5
    second.threading.private_threadpool_size = 6

    found = first.conflicts(second)

    assert found == [("private_threadpool_size", 5, 6), ("seed", 1, 2)]


def test_a_later_with_options_wins_and_says_so():
    ds = Dataset.range(3).with_options(Options(deterministic=True))

    with pytest.warns(UserWarning, match="deterministic was set to True before and is now False"):
        changed = ds.with_options(Options(deterministic=False))
    assert changed.options().deterministic is False
    assert ds.options().deterministic is True


def test_the_same_value_again_is_no_conflict():
    ds = Dataset.range(3).with_options(Options(seed=1)).with_options(Options(seed=1))

    assert ds.options().seed == 1


def test_the_options_of_a_dataset_cannot_be_changed():
    options = Dataset.range(3).with_options(Options(seed=1)).options()

    with pytest.raises(BuildError, match=r"Options.seed: what Dataset.options\(\) returns"):
        options.seed = 2
    with pytest.raises(BuildError, match="give it to with_options"):
        options.threading.private_threadpool_size = 7


def test_options_that_cannot_be_changed_merge_into_some_that_can():
    options = Dataset.range(3).with_options(Options(seed=1)).options().merge(Options())
    options.seed = 2
    options.threading.private_threadpool_size = 7

    assert options.seed == 2


def test_changing_options_after_with_options_does_not_reach_the_dataset():
    options = Options()
    ds = Dataset.range(3).with_options(options)
    options.deterministic = False
    options.threading.private_threadpool_size = 7

    assert ds.options() == Options()


def test_options_survive_pickle():
    options = Options(deterministic=False)
    options.autotune.ram_budget = 1 << 30

    assert pickle.loads(pickle.dumps(options)) == options
    frozen = Dataset.range(3).with_options(options).options()
    assert pickle.loads(pickle.dumps(frozen)) == options


def test_what_is_no_options_is_refused():
    with pytest.raises(BuildTypeError, match=r"with_options\(\): options must be Options, got 3"):
        Dataset.range(3).with_options(3)


UNSEEDED = {
    "shuffle": lambda: Dataset.range(20).shuffle(20),
    "shuffle that stays": lambda: Dataset.range(20).shuffle(20, reshuffle_each_iteration=False),
    "shard of a shuffle": lambda: Dataset.range(40).shuffle(40, None, False).shard(2, 1),
    "sample": lambda: Dataset.sample_from_datasets([Dataset.range(20), Dataset.range(20, 40)]),
    "resample": lambda: (
        Dataset.range(40)
        .rejection_resample(lambda x: x % 2, [0.2, 0.8], [0.5, 0.5])
        .map(lambda _, x: x)
    ),
    "random": lambda: Dataset.random(rerandomize_each_iteration=True).take(9).repeat(2),
    "function": lambda: Dataset.range(9).map(lambda x, rng: rng.integers(99)),
    "in flat_map": lambda: Dataset.range(3).flat_map(lambda _: UNSEEDED["shuffle that stays"]()),
    "in interleave": lambda: Dataset.range(3).interleave(
        lambda _: UNSEEDED["sample"](), cycle_length=2, num_parallel_calls=2
    ),
    "in a window": lambda: (
        Dataset.range(20).window(9).flat_map(lambda w: w.shuffle(9, None, False))
    ),
}


@pytest.mark.parametrize("executor", [None, "inline", "threads", "background"])
@pytest.mark.parametrize("step", UNSEEDED)
def test_two_builds_with_one_seed_have_the_same_draws_under_every_executor(step, executor):
    def twice(seed, executor):
        ds = UNSEEDED[step]().with_options(Options(seed=seed, executor=executor))
        return [[int(x) for x in ds] for _ in range(2)]

    found = twice(7, executor)

    assert found == twice(7, "inline")
    assert found != twice(8, "inline")
