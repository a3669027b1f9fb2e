import numpy as np
import pytest

from feedline.data import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, Dataset, Options
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.spec import TensorSpec
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

choose = Dataset.choose_from_datasets


def choices(*numbers):
    return Dataset.from_tensor_slices(np.array(numbers, np.int64))


def three(count=4):
    return [Dataset.range(100 * k, 100 * k + count) for k in range(3)]


def draws(x, rng):
    return rng.integers(1 << 60)


def fails_on_odd(x):
    if x % 2:
        raise KeyError(f"odd {x}")
    return x


def elements_and_errors(ds):
    """Return what an iterator gives, up to its end: elements, and the texts of errors."""
    it, seen = iter(ds), []
    while True:
        try:
            seen.append(int(next(it)))
        except StopIteration:
            return seen
        except (KeyError, SpecError) as error:
            seen.append(type(error))


CASES = {
    "in turn": choose(three(), Dataset.range(3).repeat()),
    "runs": choose(three(), choices(0, 0, 1, 1, 1, 2, 0, 0, 0)),
    "ended ones left out": choose(three(), Dataset.range(3).repeat(6), False),
    "unequal lengths": choose(
        [Dataset.range(2), Dataset.range(10, 17), Dataset.range(20, 21)],
        Dataset.range(3).repeat(),
        False,
    ),
    "an empty one": choose([Dataset.range(0), Dataset.range(3)], Dataset.range(2).repeat(9), False),
    "no choices": choose(three(), Dataset.range(0)),
    "of batches": choose(
        [Dataset.range(9).batch(2), Dataset.range(9).batch(4)], choices(0, 1, 0, 1)
    ),
    "of dicts": choose(
        [
            Dataset.from_tensor_slices({"a": [1, 2], "s": ["x", "y"]}),
            Dataset.from_tensor_slices({"s": ["z", "w"], "a": [3, 4]}),
        ],
        choices(1, 0, 0, 1),
    ),
    "of draws": choose([Dataset.range(4), Dataset.range(4)], choices(0, 1).repeat(4)).map(draws),
    "shuffled": choose(
        [Dataset.range(9).shuffle(4), Dataset.range(10, 19).shuffle(3, seed=2)],
        Dataset.range(30).shuffle(9, seed=1).map(lambda x: x % 2),
        False,
    ),
    "repeated": choose(three(2), Dataset.range(3).repeat()).repeat(2),
}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", CASES)
def test_conforms(name, check):
    check(CASES[name])


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES["unequal lengths"])


def test_the_numbers_say_where_the_next_element_comes_from():
    assert [int(x) for x in choose(three(), choices(0, 1, 2, 0, 0, 2))] == [0, 100, 200, 1, 2, 201]


def test_it_ends_at_the_first_choice_of_a_dataset_that_has_ended():
    pair = [Dataset.range(2), Dataset.range(10, 13)]

    assert [int(x) for x in choose(pair, choices(0, 0, 0, 1, 1))] == [0, 1]


def test_choices_of_datasets_that_have_ended_can_be_left_out():
    pair = [Dataset.range(2), Dataset.range(10, 13)]
    ds = choose(pair, choices(0, 0, 0, 1, 0, 1, 1, 0, 1), stop_on_empty_dataset=False)

    assert [int(x) for x in ds] == [0, 1, 10, 11, 12]


def test_endless_choices_end_when_every_dataset_has():
    pair = [Dataset.range(2), Dataset.range(10, 14)]
    ds = choose(pair, Dataset.range(2).repeat(), stop_on_empty_dataset=False)

    assert [int(x) for x in ds] == [0, 10, 1, 11, 12, 13]


def test_a_state_saved_at_the_end_stays_at_the_end():
    ds = choose(three(1), Dataset.range(3).repeat())
    it = iter(ds)
    list(it)
    again = iter(ds)
    again.load_state_dict(it.state_dict())

    assert list(again) == []


@pytest.mark.parametrize("block_size", [1, 3, 64])
def test_no_dataset_is_read_beyond_what_was_chosen(block_size):
    read = {0: 0, 1: 0}

    def numbers(name):
        for number in range(100):
            read[int(name)] += 1
            yield number

    pair = [
        Dataset.from_generator(numbers, args=(k,), output_signature=TensorSpec((), np.int64))
        for k in (0, 1)
    ]
    ds = choose(pair, choices(0, 0, 1, 0)).with_options(Options(block_size=block_size))

    assert len(list(ds)) == 4
    assert read == {0: 3, 1: 1}


def test_keys_come_in_the_order_of_the_first_dataset():
    assert [list(element) for element in CASES["of dicts"]] == [["a", "s"]] * 4


def test_elements_at_the_same_place_of_two_datasets_make_different_draws():
    assert len(set(map(int, CASES["of draws"]))) == 8


def test_shapes_may_differ_and_the_spec_covers_them():
    ds = choose([Dataset.from_tensors([1, 2]), Dataset.from_tensors([1, 2, 3])], choices(1, 0))

    assert ds.element_spec == TensorSpec((None,), np.int32)
    assert_same_elements(ds, [np.array([1, 2, 3], np.int32), np.array([1, 2], np.int32)])


def test_the_cardinality_is_that_of_tf_data():
    endless = [ds.repeat() for ds in three()]

    assert choose(three(), choices(0, 1)).cardinality() == UNKNOWN_CARDINALITY
    assert choose(endless, Dataset.range(3).repeat()).cardinality() == INFINITE_CARDINALITY


def test_endless_datasets_can_be_mixed():
    ds = choose([Dataset.counter(), Dataset.counter(1000)], Dataset.range(2).repeat())

    assert [int(x) for x in ds.take(5)] == [0, 1000, 1, 1001, 2]


@pytest.mark.parametrize("block_size", [1, 2, 5, 64])
def test_a_failing_element_uses_up_its_choice_and_nothing_else(block_size):
    pair = [Dataset.range(4).map(fails_on_odd), Dataset.range(10, 14)]
    ds = choose(pair, choices(0, 1, 0, 0, 1, 1)).with_options(Options(block_size=block_size))

    assert elements_and_errors(ds) == [0, 10, KeyError, 2, 11, 12]


@pytest.mark.parametrize("block_size", [1, 2, 5, 64])
def test_a_choice_that_is_none_is_an_error_in_its_turn(block_size):
    ds = choose(three(), choices(0, -1, 2, 0, 7, 2)).with_options(Options(block_size=block_size))

    assert elements_and_errors(ds) == [0, SpecError, 200, 1, SpecError, 201]


def test_the_error_names_the_choice():
    with pytest.raises(
        SpecError, match=r"choice 1 must be an integer from 0 to 2, got np.int64\(3\)"
    ):
        list(choose(three(), choices(0, 3)))
    with pytest.raises(SpecError, match=r"choice 0 must be an integer from 0 to 2, got np.float32"):
        list(choose(three(), choices(0).map(float)))


@pytest.mark.parametrize(
    ("datasets", "choice", "error", "message"),
    [
        ([], choices(0), BuildError, "datasets must not be empty"),
        (Dataset.range(3), choices(0), BuildTypeError, "datasets must be a list of datasets"),
        ([1], choices(0), BuildTypeError, "every one of datasets must be a Dataset, got 1"),
        (three(), [0, 1], BuildTypeError, "choice_dataset must be a Dataset"),
        (three(), Dataset.from_tensors(0), BuildTypeError, "scalars of int64, got .*int32"),
        (three(), Dataset.range(4).batch(2), BuildTypeError, r"scalars of int64, got .*\(None,\)"),
        (three(), Dataset.zip((Dataset.range(2),)), BuildTypeError, "scalars of int64"),
        (
            [Dataset.range(2), Dataset.from_tensors(1.0)],
            choices(0),
            BuildTypeError,
            r"choose_from_datasets\(\): all datasets must have elements .* as dataset 1,",
        ),
    ],
)
def test_wrong_arguments_are_refused_where_they_are_written(datasets, choice, error, message):
    with pytest.raises(error, match=message):
        choose(datasets, choice)
