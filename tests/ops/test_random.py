import numpy as np
import pytest

from feedline.data import INFINITE_CARDINALITY, Dataset, Options
from feedline.errors import BuildTypeError
from feedline.spec import TensorSpec
from feedline.testing import CHECKS, check_resume_in_fresh_process


def first(count, ds):
    """Return the front of an endless dataset, with no step above it that reads it alone."""
    return Dataset.zip(ds, Dataset.range(count))


CASES = [
    first(20, Dataset.random(seed=5)),
    first(9, Dataset.random()),
    Dataset.random(seed=5, rerandomize_each_iteration=True).take(4).repeat(3),
    Dataset.random(rerandomize_each_iteration=True).take(4).repeat(3),
    Dataset.random(seed=1).take(5).batch(2),
]


def numbers(ds):
    return [int(x) for x in ds]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=repr)
def test_conforms(ds, check):
    check(ds)


@pytest.mark.parametrize("ds", CASES[1:3], ids=repr)
def test_resumes_in_a_fresh_process(ds):
    check_resume_in_fresh_process(ds)


@pytest.mark.parametrize(
    ("seed", "expected"),
    [
        (5, [3568415791, 2798973839, 2476249224]),
        (0, [361556241, 1459367533, 3832325198]),
        (-1, [3552347811, 3880939537, 3875638250]),
        (2**40 + 3, [1516388359, 3772509455, 2392157836]),
    ],
)
def test_a_seed_gives_the_numbers_of_tf_data(seed, expected):
    ds = Dataset.random(seed=seed).take(3)

    assert numbers(ds) == expected
    assert numbers(ds) == expected


def test_every_epoch_and_iteration_differs_if_asked_for_as_in_tf_data():
    ds = Dataset.random(seed=5, rerandomize_each_iteration=True).take(2)

    assert numbers(ds) == [1388993965, 1469601551]
    assert numbers(ds.repeat(2)) == [1720460324, 3622488375, 10975091, 3694321492]


def test_without_a_seed_every_iteration_differs_and_every_epoch_is_the_same():
    ds = Dataset.random().take(3).repeat(2)
    first, second = numbers(ds), numbers(ds)

    assert first != second
    assert first[:3] == first[3:]


def test_without_a_seed_epochs_differ_if_asked_for():
    found = numbers(Dataset.random(rerandomize_each_iteration=True).take(3).repeat(2))

    assert found[:3] != found[3:]


def test_two_random_datasets_without_a_seed_differ():
    pairs = list(Dataset.zip(Dataset.random(), Dataset.random()).take(3))

    assert all(a != b for a, b in pairs)


def test_datasets_made_of_different_elements_differ():
    ds = Dataset.range(3).interleave(lambda x: Dataset.random().take(1), cycle_length=1)

    assert len(set(numbers(ds))) == 3


def test_the_seed_of_the_options_decides_where_there_is_no_other():
    def make():
        return Dataset.random().take(3).with_options(Options(seed=7))

    assert numbers(make()) == numbers(make())


def test_it_has_no_end():
    ds = Dataset.random(1)

    assert ds.cardinality() == INFINITE_CARDINALITY
    assert ds.element_spec == TensorSpec((), np.int64)


def test_a_seed_is_an_integer():
    with pytest.raises(BuildTypeError, match=r"random\(\): seed must be an integer, got 'a'"):
        Dataset.random(seed="a")
