import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.ops.rejection_resample import AcceptByClass
from feedline.spec import TensorSpec
from feedline.testing import CHECKS, check_resume_in_fresh_process

CLASSES = np.random.RandomState(0).choice(3, 60, p=[0.6, 0.3, 0.1]).astype(np.int32)
PAIRS = Dataset.from_tensor_slices((CLASSES, np.arange(60)))
TARGET = [0.3, 0.3, 0.4]
INITIAL = [0.6, 0.3, 0.1]


def first(kind, _):
    return kind


CASES = [
    PAIRS.rejection_resample(first, TARGET, INITIAL, seed=3),
    PAIRS.rejection_resample(first, TARGET, seed=3),
    PAIRS.rejection_resample(first, TARGET),
    PAIRS.rejection_resample(first, [0, 0.5, 0.5], INITIAL, seed=3),
    PAIRS.rejection_resample(first, TARGET, TARGET, seed=3),
    PAIRS.take(20).rejection_resample(first, TARGET, INITIAL, seed=3).repeat(2),
    PAIRS.map(lambda c, x: {"c": c, "x": x}).rejection_resample(
        lambda e: e["c"], TARGET, INITIAL, seed=3
    ),
    PAIRS.shuffle(9, seed=4).rejection_resample(first, TARGET, seed=1),
]


def places(ds):
    return [int(place) for _, (_, place) in ds]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


@pytest.mark.parametrize("ds", CASES[:3], ids=str)
def test_resumes_in_a_fresh_process(ds):
    check_resume_in_fresh_process(ds)


def test_with_a_seed_the_elements_are_those_of_tf_data():
    """Recorded from TensorFlow 2.21."""
    assert places(CASES[0]) == (
        [7, 8, 10, 0, 13, 18, 1, 20, 2, 3, 23, 4, 27, 38, 39, 44, 52, 5, 6, 56, 7, 8]
    )
    assert places(CASES[1])[:24] == (
        [0, 1, 2, 3, 4, 5, 6, 7, 7, 8, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 10, 13]
    )
    assert places(CASES[1])[35:37] + places(CASES[1])[-3:] == [18, 20, 48, 49, 56]
    assert places(CASES[3]) == [2, 7, 8, 10, 13, 18, 20, 23, 27, 31, 35, 37, 38, 39, 44, 52, 56]


def test_in_large_blocks_the_classes_are_counted_as_often():
    resampled = PAIRS.repeat(6).rejection_resample(first, TARGET, seed=3)
    (accepted,) = (node for node in resampled.node.inputs if isinstance(node, AcceptByClass))
    one_by_one = Dataset(accepted)
    (at_once,) = one_by_one.batch(400)

    assert at_once[1][1].tolist() == places(one_by_one)


def test_elements_come_with_their_class():
    assert all(int(kind) == CLASSES[place] for kind, (_, place) in CASES[0])
    assert CASES[0].element_spec == (
        TensorSpec((), np.int32),
        (TensorSpec((), np.int32), TensorSpec((), np.int64)),
    )


def test_the_classes_have_about_the_distribution_asked_for():
    ds = Dataset.from_tensor_slices(np.repeat([0, 1], [900, 100])).shuffle(1000, seed=1)
    ds = ds.repeat(5).rejection_resample(lambda x: x, [0.5, 0.5], seed=1)
    share = np.mean([int(kind) for kind, _ in ds.skip(200)])

    assert 0.4 < share < 0.6


def test_a_distribution_that_is_right_already_changes_nothing():
    assert places(CASES[4]) == list(range(60))


def test_every_iteration_without_a_seed_is_another():
    ds = PAIRS.repeat(5).rejection_resample(first, TARGET, INITIAL)

    assert places(ds) != places(ds)


def test_the_next_epoch_rejects_other_elements():
    whole = places(CASES[5])

    assert whole[: len(whole) // 2] != whole[len(whole) // 2 :]


def test_cardinality_is_unknown():
    assert CASES[0].cardinality() == -2


def test_an_unknown_class_is_named():
    ds = PAIRS.rejection_resample(lambda c, _: c + 5, TARGET, INITIAL, seed=3)

    with pytest.raises(SpecError, match="the class of element 0 must be from 0 to 2"):
        list(ds)


def test_a_class_must_be_an_integer():
    ds = PAIRS.rejection_resample(lambda c, _: c / 2, TARGET, INITIAL, seed=3)

    with pytest.raises(SpecError, match="class_func must return an integer"):
        list(ds)


def test_an_error_in_the_function_keeps_its_type():
    ds = PAIRS.rejection_resample(lambda c, n: 0 // (int(n) - 5), TARGET, INITIAL, seed=3)

    with pytest.raises(ZeroDivisionError):
        list(ds.filter(lambda kind, _: False))


@pytest.mark.parametrize(
    ("text", "target", "initial"),
    [
        ("target_dist must be one number of at least 0 per class", [[0.5, 0.5]], None),
        ("target_dist must be", [0.5, 0.6], None),
        ("target_dist must be", [], None),
        ("initial_dist must be", [0.5, 0.5], [1.5, -0.5]),
        ("must be equally long, got 2 and 3 classes", [0.5, 0.5], INITIAL),
    ],
)
def test_distributions_must_be_distributions(text, target, initial):
    with pytest.raises(BuildError, match=text):
        PAIRS.rejection_resample(first, target, initial)


def test_the_function_must_be_one():
    with pytest.raises(BuildTypeError, match="class_func must be a function"):
        PAIRS.rejection_resample(3, TARGET)
