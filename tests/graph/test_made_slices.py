import numpy as np
import pytest

from feedline import random
from feedline.data import Dataset, Options

ROWS = np.arange(300).reshape(100, 3)


def slices():
    return Dataset.from_tensor_slices(ROWS)


AT_ONCE = {
    "the method itself": Dataset.from_tensor_slices,
    "what is computed before": lambda x: Dataset.from_tensor_slices(x * 2 + 1),
    "a structure": lambda x: Dataset.from_tensor_slices({"a": x, "b": (x[::-1], x + 0.5)}),
    "a list of numbers": lambda x: Dataset.from_tensor_slices((x, [1, 2, 3])),
    "a list with values in it": lambda x: Dataset.from_tensor_slices([x[0], x[2]]),
    "one element": Dataset.from_tensors,
}

ONE_BY_ONE = {
    "does more with a dataset": lambda x: Dataset.from_tensor_slices(x).repeat(2),
    "branches on a value": lambda x: Dataset.from_tensor_slices(x if x[0] else x[:1]),
    "does not return the slices": lambda x: Dataset.range(3),
}


def without(ds):
    return ds.with_options(Options(vectorize=False))


@pytest.mark.parametrize("fn", AT_ONCE.values(), ids=AT_ONCE)
def test_slices_are_made_of_many_elements_at_once(fn):
    ds = slices().flat_map(fn)
    found = list(ds)

    assert list(map(repr, found)) == list(map(repr, without(slices().flat_map(fn))))
    assert "vectorised" in ds.explain()


@pytest.mark.parametrize(("reason", "fn"), ONE_BY_ONE.items(), ids=ONE_BY_ONE)
def test_other_datasets_are_opened_one_after_the_other(reason, fn):
    ds, plain = slices().flat_map(fn), without(slices().flat_map(fn))
    found = list(ds.ignore_errors())

    assert list(map(repr, found)) == list(map(repr, plain.ignore_errors()))
    assert reason in ds.explain()


def test_a_ragged_element_gives_as_many_as_it_has():
    ragged = Dataset.range(60).map(lambda x: np.arange(x % 5), vectorize=False)
    ds = ragged.flat_map(Dataset.from_tensor_slices)

    assert list(ds) == [y for x in range(60) for y in range(x % 5)]
    assert "vectorised" in ds.explain()


def test_random_draws_are_those_of_datasets_opened_one_by_one():
    def drawn():
        ds = slices().flat_map(lambda x: Dataset.from_tensor_slices(x))
        return ds.map(lambda x: random.uniform(())).with_options(Options(seed=3))

    assert list(drawn()) == list(without(drawn()))


def test_it_resumes_at_any_element():
    ds = slices().flat_map(Dataset.from_tensor_slices)
    expected = list(ds)
    it = iter(ds)
    for taken in range(0, 299, 23):
        state = it.state_dict()
        resumed = iter(ds)
        resumed.load_state_dict(state)
        assert list(resumed) == expected[taken:]
        for _ in range(23):
            next(it)


def test_a_function_that_counts_its_calls_is_called_once_for_each_element():
    seen = []
    ds = slices().flat_map(lambda x: seen.append(1) or Dataset.from_tensor_slices(x))

    assert len(list(ds)) == 300
    assert len(seen) == 100
