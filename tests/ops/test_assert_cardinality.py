import pytest

from feedline.data import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, Dataset, Options
from feedline.data.experimental import assert_cardinality
from feedline.errors import BuildError, BuildTypeError, CardinalityError
from feedline.testing import CHECKS, check_resume_in_fresh_process

CASES = [
    assert_cardinality(7)(Dataset.range(7)),
    assert_cardinality(0)(Dataset.range(0)),
    assert_cardinality(UNKNOWN_CARDINALITY)(Dataset.range(4)),
    assert_cardinality(5)(Dataset.range(9).take(5)).batch(2),
    assert_cardinality(6)(Dataset.range(6).shuffle(3, seed=1, reshuffle_each_iteration=False)),
]


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
        except CardinalityError as error:
            seen.append(type(error))


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[0])


def test_the_cardinality_is_what_was_said():
    assert assert_cardinality(3)(Dataset.range(5)).cardinality() == 3
    endless = Dataset.range(5).repeat()
    assert assert_cardinality(INFINITE_CARDINALITY)(endless).cardinality() == INFINITE_CARDINALITY


@pytest.mark.parametrize("block_size", [1, 2, 3, 64])
def test_one_element_too_many_is_an_error_after_the_last_expected_one(block_size):
    ds = assert_cardinality(3)(Dataset.range(5)).with_options(Options(block_size=block_size))

    assert elements_and_errors(ds) == [0, 1, 2, CardinalityError]


@pytest.mark.parametrize("block_size", [1, 2, 3, 64])
def test_too_few_elements_are_an_error_at_the_end(block_size):
    ds = assert_cardinality(5)(Dataset.range(3)).with_options(Options(block_size=block_size))

    assert elements_and_errors(ds) == [0, 1, 2, CardinalityError]


def test_a_dataset_that_should_be_endless_may_not_end():
    ds = assert_cardinality(INFINITE_CARDINALITY)(Dataset.range(2))

    assert elements_and_errors(ds) == [0, 1, CardinalityError]


def test_the_messages_say_what_was_expected_and_what_was_found():
    with pytest.raises(CardinalityError, match="said to have 5 elements, there are only 3"):
        list(assert_cardinality(5)(Dataset.range(3)))
    with pytest.raises(CardinalityError, match="said to have 2 elements, there are more"):
        list(assert_cardinality(2)(Dataset.range(3)))
    with pytest.raises(CardinalityError, match="infinitely many elements, there are only 3"):
        list(assert_cardinality(-1)(Dataset.range(3)))


def test_who_stops_before_the_end_sees_no_error():
    assert numbers(assert_cardinality(3)(Dataset.range(5)).take(2)) == [0, 1]
    assert numbers(assert_cardinality(3)(Dataset.range(2).repeat()).take(3)) == [0, 1, 0]


def test_an_iterator_that_has_failed_is_over_after_a_resume_too():
    ds = assert_cardinality(2)(Dataset.range(3))
    it = iter(ds)
    assert [int(next(it)), int(next(it))] == [0, 1]
    with pytest.raises(CardinalityError):
        next(it)
    again = iter(ds)
    again.load_state_dict(it.state_dict())

    assert numbers(it) == []
    assert numbers(again) == []


def test_elements_can_be_read_by_index_only_if_there_are_as_many_as_was_said():
    assert assert_cardinality(5)(Dataset.range(5))[4] == 4
    with pytest.raises(TypeError, match="cannot be read by index"):
        assert_cardinality(4)(Dataset.range(5))[0]


def test_an_unknown_number_is_not_checked():
    ds = assert_cardinality(UNKNOWN_CARDINALITY)(Dataset.range(3))

    assert ds.cardinality() == UNKNOWN_CARDINALITY
    assert numbers(ds) == [0, 1, 2]


@pytest.mark.parametrize("wrong", [-3, -7])
def test_a_number_that_means_nothing_is_refused(wrong):
    with pytest.raises(BuildError, match=rf"UNKNOWN_CARDINALITY \(-2\), got {wrong}"):
        assert_cardinality(wrong)


def test_what_is_no_integer_is_refused():
    with pytest.raises(BuildTypeError, match=r"expected_cardinality must be an integer, got 2.5"):
        assert_cardinality(2.5)


def test_what_is_no_dataset_is_refused():
    with pytest.raises(BuildTypeError, match="dataset must be a Dataset"):
        assert_cardinality(2)([1, 2])
