import numpy as np
import pytest

from feedline.data import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, Dataset, Options
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.spec import TensorSpec
from feedline.testing import CHECKS, check_resume_in_fresh_process

sample = Dataset.sample_from_datasets


def three(count=8):
    return [Dataset.range(100 * k, 100 * k + count) for k in range(3)]


def endless():
    return [Dataset.counter(1000 * k) for k in range(3)]


def rows(*weights):
    return Dataset.from_tensor_slices(np.array(weights, np.float32))


def fading(step):
    return [1.0, step / 10, 0.5]


def in_turn(step):
    return np.eye(3)[step % 3]


def draws(x, rng):
    return rng.integers(1 << 60)


def numbers(ds):
    return [int(x) for x in ds]


def elements_and_errors(ds):
    """Return what an iterator gives, up to its end: elements, and the types of errors."""
    it, seen = iter(ds), []
    while True:
        try:
            seen.append(int(next(it)))
        except StopIteration:
            return seen
        except (KeyError, SpecError) as error:
            seen.append(type(error))


CASES = {
    "equally often": sample(three(), seed=3),
    "without a seed": sample(three(), [0.5, 0.3, 0.2]),
    "weights": sample(three(), [0.5, 0.3, 0.2], seed=3),
    "stops": sample(three(), [0.1, 0.1, 0.8], seed=3, stop_on_empty_dataset=True),
    "other choices every time": sample(three(3), seed=1, rerandomize_each_iteration=True).repeat(3),
    "a dataset of weights": sample(
        three(), rows([0.5, 0.3, 0.2], [0.1, 0.1, 0.8]).repeat(), seed=3
    ),
    "too few weights": sample(three(), rows([0.5, 0.3, 0.2], [0.1, 0.1, 0.8]), seed=3),
    "a function": sample(three(), fading, seed=3),
    "a function, without a seed": sample(three(), fading),
    "draws": sample([Dataset.range(5), Dataset.range(5)], seed=2).map(draws),
    "words": sample(
        [
            Dataset.from_tensor_slices({"a": [1, 2], "s": ["x", "yy"]}),
            Dataset.from_tensor_slices({"s": ["z"], "a": [3]}),
        ],
        seed=2,
    ),
}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", CASES)
def test_conforms(name, check):
    check(CASES[name])


@pytest.mark.parametrize("name", ["without a seed", "a function"])
def test_resumes_in_a_fresh_process(name):
    check_resume_in_fresh_process(CASES[name])


def test_a_seed_gives_the_choices_of_tf_data():
    datasets = [Dataset.range(100 * k, 100 * k + 100) for k in range(3)]

    assert numbers(sample(datasets, seed=3).take(10)) == [
        100, 101, 200, 0, 201, 102, 103, 202, 104, 1,
    ]  # fmt: skip
    assert numbers(sample(datasets, [0.5, 0.3, 0.2], seed=3).take(12)) == [
        100, 101, 102, 0, 103, 104, 1, 105, 2, 3, 200, 4,
    ]  # fmt: skip
    assert numbers(sample(datasets, [0.5, 0.0, 0.2], seed=3).take(12)) == [
        0, 1, 2, 3, 4, 5, 6, 200, 7, 8, 201, 9,
    ]  # fmt: skip


def test_weights_of_every_step_give_the_choices_of_tf_data():
    datasets = [Dataset.range(2), Dataset.range(100, 200), Dataset.range(200, 300)]
    weights = rows(
        [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.3, 0.3, 0.4], [0.2, 0.4, 0.4], [0.1, 0.1, 0.8]
    )

    assert numbers(sample(datasets, weights, seed=11)) == [0, 100, 200, 101, 1, 102]


def test_choices_differ_between_iterations_if_asked_for_as_in_tf_data():
    datasets = [Dataset.range(100 * k, 100 * k + 100) for k in range(3)]
    ds = sample(datasets, [0.5, 0.3, 0.2], seed=3, rerandomize_each_iteration=True)

    assert numbers(ds.take(10)) == [0, 1, 2, 3, 100, 4, 101, 5, 102, 6]
    assert numbers(ds.take(10)) == [100, 200, 0, 1, 101, 102, 201, 202, 203, 103]


def test_without_a_seed_iterations_differ():
    ds = sample(endless(), [0.5, 0.3, 0.2]).take(40)

    assert numbers(ds) != numbers(ds)


def test_weights_say_how_often():
    found = np.array(numbers(sample(endless(), [0.2, 0.5, 0.3], seed=1).take(20_000))) // 1000
    late = found >= 3  # a counter that has passed 1000, 2000 and so on
    shares = np.bincount(found[~late][:2000], minlength=3) / 2000

    assert np.allclose(shares, [0.2, 0.5, 0.3], atol=0.05)


def test_a_dataset_that_has_ended_is_left_out_by_default():
    datasets = [Dataset.range(2), Dataset.range(100, 200)]

    assert len(numbers(sample(datasets, [0.9, 0.1], seed=1))) == 102


def test_it_can_end_with_the_first_dataset_that_does():
    datasets = [Dataset.range(2), Dataset.range(100, 200), Dataset.range(200, 300)]
    ds = sample(datasets, [0.6, 0.2, 0.2], seed=11, stop_on_empty_dataset=True)

    assert numbers(ds) == [100, 0, 1]


def test_weights_can_be_a_function_of_the_step():
    assert numbers(sample(three(), in_turn, seed=1).take(7)) == [0, 100, 200, 1, 101, 201, 2]


def test_a_function_gives_the_choices_that_a_dataset_of_its_weights_gives():
    weights = Dataset.from_tensor_slices(np.array([fading(step) for step in range(30)]))

    assert numbers(sample(endless(), fading, seed=4).take(30)) == numbers(
        sample(endless(), weights, seed=4)
    )


def test_a_dataset_without_weight_is_never_opened():
    opened = []
    never = Dataset.from_generator(
        lambda: opened.append(1) or iter([1]), output_signature=TensorSpec((), np.int64)
    )

    assert len(numbers(sample([never, *three()[1:]], [0.0, 0.5, 0.5], seed=1))) == 16
    assert opened == []


def test_one_dataset_is_that_dataset():
    assert sample(three()[:1], [0.5], seed=1).cardinality() == 8
    assert numbers(sample(three(), [0.0, 1.0, 0.0], seed=1)) == list(range(100, 108))


def test_no_weight_at_all_is_an_empty_dataset():
    assert numbers(sample(three(), [0.0, 0.0, 0.0], seed=1)) == []


def test_the_cardinality_is_that_of_tf_data():
    assert sample(three()).cardinality() == UNKNOWN_CARDINALITY
    assert sample([Dataset.range(3), Dataset.counter()]).cardinality() == INFINITE_CARDINALITY


@pytest.mark.parametrize("block_size", [1, 2, 64])
def test_weights_that_are_none_are_an_error_in_their_turn(block_size):
    weights = rows([1, 0, 0], [0, 0, 0], [0, 1, 0])
    ds = sample(three(), weights, seed=1).with_options(Options(block_size=block_size))

    assert elements_and_errors(ds) == [0, SpecError, 100]


@pytest.mark.parametrize("block_size", [1, 2, 64])
def test_a_failing_function_uses_up_its_step(block_size):
    def weights(step):
        if step == 2:
            raise KeyError("no weights")
        return in_turn(step)

    ds = sample(three(2), weights, seed=1, stop_on_empty_dataset=True)
    ds = ds.with_options(Options(block_size=block_size))

    assert elements_and_errors(ds) == [0, 100, KeyError, 1, 101, 200]


def test_the_error_names_the_step_and_the_weights():
    with pytest.raises(
        SpecError, match=r"weights of step 1 must be 3 numbers.*got array\(\[0\., 0"
    ):
        list(sample(three(), rows([1, 0, 0], [0, 0, 0])))
    with pytest.raises(
        SpecError, match=r"weights of step 0 must be 3 numbers.*got \(np.int32\(1\)"
    ):
        list(sample(three(), lambda step: [1, 2]))
    with pytest.raises(
        SpecError, match=r"weights of step 2 must be 3 numbers.*got array\(\[0\.5\]"
    ):
        list(sample(three(), lambda step: np.full(3 if step < 2 else 1, 0.5)).take(5))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([],), BuildError, r"sample_from_datasets\(\): datasets must not be empty"),
        (
            (three(), [0.5, 0.5]),
            BuildError,
            "one number per dataset, got float32.2. for 3 datasets",
        ),
        ((three(), [1, 2, 3]), BuildTypeError, "weights must be float32 or float64, got int32"),
        ((three(), [0.5, -0.5, 1.0]), BuildError, "weights must be at least 0 and finite, got"),
        (
            (three(), [0.5, float("nan"), 1.0]),
            BuildError,
            "weights must be at least 0 and finite, got",
        ),
        (
            (three(), None, "a"),
            BuildTypeError,
            r"sample_from_datasets\(\): seed must be an integer",
        ),
        (
            ([Dataset.range(2), Dataset.from_tensors("a")],),
            BuildTypeError,
            r"sample_from_datasets\(\): all datasets must have elements of one structure",
        ),
    ],
)
def test_wrong_arguments_are_refused_where_they_are_written(arguments, error, message):
    with pytest.raises(error, match=message):
        sample(*arguments)
