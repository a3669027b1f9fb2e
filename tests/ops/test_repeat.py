import pytest

from feedline.data import Dataset, Options
from feedline.errors import BuildTypeError
from feedline.testing import CHECKS, check_resume_in_fresh_process

CASES = [
    Dataset.range(4).repeat(3),
    Dataset.range(4).repeat(1),
    Dataset.range(4).repeat(0),
    Dataset.range(0).repeat(3),
    Dataset.range(0).repeat(),
    Dataset.range(3).repeat(2).repeat(2),
    Dataset.range(9).filter(lambda x: x % 2 == 0).repeat(2),
    Dataset.range(5).shuffle(3).repeat(3),
    Dataset.range(5).shuffle(3).repeat(2).shuffle(4).repeat(2),
    Dataset.range(4).map(lambda x, rng: rng.random()).repeat(2).repeat(2),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[-2])


def test_the_elements_come_again():
    assert [int(x) for x in Dataset.range(2).repeat(3)] == [0, 1] * 3


@pytest.mark.parametrize("count", [None, -1, -3])
def test_without_a_count_it_goes_on_for_ever(count):
    ds = Dataset.range(3).repeat(count)

    assert ds.cardinality() == -1
    assert [int(x) for x in ds.take(7)] == [0, 1, 2, 0, 1, 2, 0]


def test_cardinality_is_multiplied():
    assert Dataset.range(3).repeat(4).cardinality() == 12
    assert Dataset.range(3).repeat(0).cardinality() == 0
    assert Dataset.range(0).repeat().cardinality() == 0
    assert Dataset.range(3).repeat().repeat(2).cardinality() == -1
    assert Dataset.range(3).filter(lambda x: True).repeat(2).cardinality() == -2


def test_an_input_that_turns_out_empty_ends_it():
    assert list(Dataset.range(3).filter(lambda x: False).repeat()) == []


def test_every_epoch_makes_its_own_draws():
    ds = Dataset.range(3).map(lambda x, rng: rng.random()).repeat(3)

    assert len(set(ds)) == 9


def test_repeating_once_changes_no_draws():
    def seeded(ds):
        state = iter(ds).state_dict()
        return state["seed"], state["rounds"]

    once = Dataset.range(3).shuffle(3, seed=1).repeat(1)

    assert [int(x) for x in once] == [int(x) for x in Dataset.range(3).shuffle(3, seed=1)]
    assert seeded(once)[1] == [1]


def test_a_count_that_is_no_integer_is_refused():
    with pytest.raises(BuildTypeError, match=r"repeat\(\): count must be an integer, got 'x'"):
        Dataset.range(3).repeat("x")


@pytest.mark.parametrize("block_size", [1, 3, 64])
def test_what_was_read_ahead_does_not_decide_the_order_of_the_next_iteration(block_size):
    options = Options(block_size=block_size)
    ds = Dataset.range(4).shuffle(4, seed=1).batch(1).repeat(3).with_options(options)
    first = iter(ds)
    next(first)

    assert [int(x[0]) for x in ds.take(4)] == [2, 1, 0, 3]
