import numpy as np
import pytest

from feedline.data import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, Dataset
from feedline.errors import BuildTypeError, SpecError
from feedline.spec import TensorSpec
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process


def draws(x, rng):
    return rng.integers(1 << 60)


def fails_on_one(x):
    if x == 1:
        raise KeyError("one")
    return x


A = Dataset.range(3)
CASES = [
    A.concatenate(Dataset.range(10, 14)),
    A.concatenate(A).concatenate(A),
    A.concatenate(Dataset.range(0)),
    Dataset.range(0).concatenate(A),
    Dataset.range(0).concatenate(Dataset.range(0)),
    A.batch(2).concatenate(Dataset.range(5).batch(2)).repeat(2),
    A.map(draws).concatenate(A.map(draws)),
    A.concatenate(A).concatenate(A.concatenate(A)).map(draws),
    Dataset.from_tensor_slices({"a": [1], "b": ["x"]}).concatenate(
        Dataset.from_tensor_slices({"b": ["y", "z"], "a": [2, 3]})
    ),
    A.shuffle(2, seed=1).concatenate(A.shuffle(2)),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("number", range(len(CASES)))
def test_conforms(number, check):
    check(CASES[number])


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[5])


def test_the_second_comes_after_the_first():
    assert [int(x) for x in A.concatenate(Dataset.range(7, 9))] == [0, 1, 2, 7, 8]


def test_shapes_may_differ_and_the_spec_covers_both():
    ds = Dataset.from_tensors([1, 2]).concatenate(Dataset.from_tensors([1, 2, 3]))

    assert ds.element_spec == TensorSpec((None,), np.int32)
    assert [len(x) for x in ds] == [2, 3]


def test_keys_come_in_the_order_of_the_first():
    first = Dataset.from_tensors({"a": 1, "b": 2})
    second = Dataset.from_tensors({"b": 3, "a": 4})
    ds = first.concatenate(second)

    expected = [{"a": np.int32(1), "b": np.int32(2)}, {"a": np.int32(4), "b": np.int32(3)}]
    assert_same_elements(ds, expected)
    assert_same_elements([ds[1]], expected[1:])


def test_the_cardinality_is_the_sum():
    unknown = Dataset.from_generator(lambda: [1], output_signature=TensorSpec((), np.int64))
    endless = A.repeat()

    assert A.concatenate(A).cardinality() == 6
    assert A.concatenate(unknown).cardinality() == UNKNOWN_CARDINALITY
    assert unknown.concatenate(endless).cardinality() == INFINITE_CARDINALITY
    assert endless.concatenate(unknown).cardinality() == INFINITE_CARDINALITY


def test_the_second_is_not_opened_before_its_turn():
    opened = []
    second = Dataset.from_generator(
        lambda: opened.append(1) or iter([5]), output_signature=TensorSpec((), np.int64)
    )
    it = iter(A.concatenate(second))
    head = [int(next(it)) for _ in range(3)]

    assert (head, opened) == ([0, 1, 2], [])
    assert (int(next(it)), opened) == (5, [1])


def test_the_same_dataset_three_times_makes_three_times_as_many_draws():
    ds = A.concatenate(A).concatenate(A).map(draws)

    assert len(set(map(int, ds))) == 9


def test_reading_goes_on_after_a_failure():
    ds = A.map(fails_on_one).concatenate(A.map(fails_on_one))
    it = iter(ds)

    assert int(next(it)) == 0
    with pytest.raises(KeyError, match="one"):
        next(it)
    assert [int(next(it)), int(next(it))] == [2, 0]
    with pytest.raises(KeyError, match="one"):
        next(it)
    assert [int(x) for x in it] == [2]


def test_elements_can_be_read_by_index_across_the_border():
    ds = A.concatenate(Dataset.range(10, 12))

    assert [int(ds[i]) for i in (0, 2, 3, -1)] == [0, 2, 10, 11]
    assert sorted(int(x) for x in ds.shuffle(None, seed=1)) == [0, 1, 2, 10, 11]


@pytest.mark.parametrize(
    "other",
    [
        Dataset.from_tensors(1.0),
        Dataset.zip((A,)),
        Dataset.from_tensors("a"),
        Dataset.from_tensors({"a": 1}),
    ],
    ids=str,
)
def test_elements_of_another_type_are_refused_where_it_is_written(other):
    with pytest.raises(BuildTypeError, match=r"concatenate\(\): all datasets must have elements"):
        A.concatenate(other)


def test_where_only_running_could_tell_nothing_is_run():
    calls = []
    A.concatenate(A.map(lambda x: calls.append(x) or (x, x)))

    assert calls == []


def test_what_does_not_go_together_is_an_error_where_it_comes_out():
    ds = A.concatenate(A.map(lambda x: (x, x)))

    with pytest.raises(SpecError):
        ds.element_spec  # noqa: B018
    with pytest.raises(SpecError, match=r"\* was seen first, then \(\*, \*\)"):
        list(ds)


def test_only_a_dataset_can_follow():
    with pytest.raises(BuildTypeError, match=r"concatenate\(\): dataset must be a Dataset, got"):
        A.concatenate([1, 2])
