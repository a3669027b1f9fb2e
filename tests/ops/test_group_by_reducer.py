import functools

import numpy as np
import pytest

from feedline import TensorSpec
from feedline.data import UNKNOWN_CARDINALITY, Dataset, Options
from feedline.data.experimental import Reducer, group_by_reducer
from feedline.errors import BuildTypeError, SpecError
from feedline.testing import CHECKS, check_resume_in_fresh_process

SUM = Reducer(lambda key: np.int64(0), lambda state, x: state + x, lambda state: state)
SUM_AND_COUNT = Reducer(
    lambda key: (np.int64(0), 100), lambda s, x: (s[0] + x, s[1] + 1), lambda a, b: {"a": a, "b": b}
)
JOIN = Reducer(lambda key: f"{key}:", lambda state, x: state + str(x), lambda state: state)

CASES = [
    group_by_reducer(lambda x: x % 3, SUM)(Dataset.range(10)),
    group_by_reducer(lambda x: x % 4, SUM_AND_COUNT)(Dataset.range(21).shuffle(5, seed=1)),
    group_by_reducer(lambda x: x // 2, JOIN)(Dataset.range(9)).batch(2),
    group_by_reducer(lambda x: x, SUM)(Dataset.range(600).map(lambda x: x % 7)),
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
        except Exception as error:
            seen.append(type(error))


def raise_at(wrong, state, x):
    if x == wrong:
        raise KeyError("no")
    return state + x


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[1])


def test_results_come_in_the_order_of_their_keys():
    ds = group_by_reducer(lambda x: (7 - x) % 3, SUM)(Dataset.range(10))

    assert numbers(ds) == [1 + 4 + 7, 0 + 3 + 6 + 9, 2 + 5 + 8]


def test_a_state_that_is_a_tuple_is_unpacked_for_finalize_func():
    found = list(group_by_reducer(lambda x: x % 2, SUM_AND_COUNT)(Dataset.range(5)))

    assert found == [{"a": 6, "b": 103}, {"a": 4, "b": 102}]


def test_the_key_is_given_to_init_func():
    assert list(group_by_reducer(lambda x: x // 2, JOIN)(Dataset.range(4))) == ["0:01", "1:23"]


def test_an_element_that_is_a_tuple_is_unpacked_for_key_func_alone():
    ds = Dataset.from_tensor_slices(([0, 1, 2, 3], [5, 6, 7, 8]))
    weighted = Reducer(lambda key: 0, lambda s, x: s + 10 * x[0] + x[1], lambda s: s)

    assert numbers(group_by_reducer(lambda a, b: a % 2, weighted)(ds)) == [32, 54]


def test_a_list_that_a_function_returns_is_a_tuple():
    pair = Reducer(lambda key: [0, 0], lambda s, x: [s[0] + x, s[1] + 1], lambda a, b: [a, b])
    (found,) = group_by_reducer(lambda x: 0, pair)(Dataset.range(4))

    assert found == (6, 4)


def test_an_empty_input_gives_no_results_but_a_spec():
    ds = group_by_reducer(lambda x: x % 3, SUM)(Dataset.range(0))

    assert numbers(ds) == []
    assert ds.element_spec == TensorSpec((), np.int64)


def test_the_cardinality_is_unknown():
    assert CASES[0].cardinality() == UNKNOWN_CARDINALITY


@pytest.mark.parametrize("block_size", [1, 2, 64, None])
@pytest.mark.parametrize("wrong", [0, 3, 5])
def test_an_element_that_fails_is_left_out_of_its_group(block_size, wrong):
    failing = Reducer(lambda k: np.int64(0), functools.partial(raise_at, wrong), lambda s: s)
    ds = group_by_reducer(lambda x: 0, failing)(Dataset.range(6))

    found = elements_and_errors(ds.with_options(Options(block_size=block_size)))

    assert found == [KeyError, 15 - wrong]


def test_a_failure_is_not_raised_again_after_a_resume():
    failing = Reducer(lambda k: np.int64(0), functools.partial(raise_at, 2), lambda s: s)
    ds = group_by_reducer(lambda x: x % 2, failing)(Dataset.range(6))
    it = iter(ds)
    with pytest.raises(KeyError):
        next(it)
    again = iter(ds)
    again.load_state_dict(it.state_dict())

    assert numbers(again) == numbers(it) == [4, 9]


def test_an_error_keeps_its_type_and_says_where_it_happened():
    failing = Reducer(lambda k: np.int64(0), functools.partial(raise_at, 4), lambda s: s)
    ds = group_by_reducer(lambda x: 0, failing)(Dataset.range(6))

    with pytest.raises(KeyError) as caught:
        next(iter(ds))
    assert (
        "group_by_reducer(<lambda>) built at test_group_by_reducer.py" in caught.value.__notes__[0]
    )
    assert caught.value.__notes__[0].endswith("element 4")


@pytest.mark.parametrize("block_size", [1, 2, 64, None])
def test_an_error_in_finalize_func_costs_that_result_alone(block_size):
    failing = Reducer(lambda k: k, lambda s, x: s, lambda s: {0: 10, 2: 12}[int(s)])
    groups = Dataset.range(6).with_options(Options(block_size=block_size))
    ds = group_by_reducer(lambda x: x % 3, failing)(groups)

    assert elements_and_errors(ds) == [10, KeyError, 12]


@pytest.mark.parametrize("key", [1.5, [1], "a", None, True])
def test_a_key_that_is_no_integer_is_an_error(key):
    with pytest.raises(SpecError, match="key_func must return an integer"):
        list(group_by_reducer(lambda x: key, SUM)(Dataset.range(2)))


def test_arguments_of_the_wrong_kind_are_refused():
    with pytest.raises(BuildTypeError, match="reducer must be a Reducer, got 3"):
        group_by_reducer(lambda x: x, 3)
    with pytest.raises(BuildTypeError, match="key_func must be a function, got 3"):
        group_by_reducer(3, SUM)
    with pytest.raises(BuildTypeError, match="reduce_func must be a function"):
        Reducer(lambda key: 0, None, lambda state: state)
