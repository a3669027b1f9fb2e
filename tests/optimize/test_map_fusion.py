import numpy as np
import pytest

from feedline.data import Dataset, Options
from feedline.graph import vectorizer
from feedline.testing import CHECKS
from tests.optimize.switched import fired, without


@pytest.fixture(autouse=True)
def at_once_from_the_first_element(monkeypatch):
    monkeypatch.setattr(vectorizer, "_BEFORE_TRYING", 0)
    monkeypatch.setattr(vectorizer, "_SMALLEST_BLOCK", 1)


def chain(n=50):
    return Dataset.range(n).map(lambda x: x * 2).map(lambda x: (x, x + 0.5)).map(lambda x, y: y - x)


def fused(ds):
    return "map_fusion" in fired(ds)


def test_maps_that_run_at_once_become_one():
    text = chain().explain("rewritten")

    assert text.splitlines()[0].split("  ")[0] == "map(fn=<lambda> then <lambda> then <lambda>)"
    assert "vectorised" in text


@pytest.mark.parametrize("check", CHECKS)
def test_the_one_map_conforms(check):
    check(chain(7))


def test_the_results_are_those_of_the_maps_by_themselves():
    assert list(chain()) == list(without(chain(), "map_fusion"))


def test_a_state_of_the_one_is_a_state_of_the_others_at_any_element_and_block_size():
    options = Options()
    options.block_size = 3
    whole = chain(20)
    apart = without(chain(20), "map_fusion").with_options(options)
    expected = list(whole)
    for taken in range(20):
        for source, target in ((whole, apart), (apart, whole)):
            it = iter(source)
            for _ in range(taken):
                next(it)
            resumed = iter(target)
            resumed.load_state_dict(it.state_dict())
            assert list(resumed) == expected[taken:]


def test_memory_is_not_shared_across_what_was_two_steps():
    def both(x):
        return x, x

    def change(a, b):
        a += 1
        return a, b

    ds = Dataset.from_tensor_slices(np.zeros((40, 3))).map(both).map(change)

    assert fused(ds)
    assert all((a == 1).all() and (b == 0).all() for a, b in ds)


def test_a_list_is_handed_on_as_an_array_and_a_number_as_numpys():
    ds = (
        Dataset.range(40)
        .map(lambda x: {"a": [x, x], "b": 3})
        .map(lambda d: d["a"] * d["b"].dtype.itemsize)
    )

    assert fused(ds)
    assert [row.tolist() for row in ds] == [[4 * i, 4 * i] for i in range(40)]


def test_an_error_names_the_step_whose_function_raised():
    table = np.arange(3)
    ds = Dataset.range(40).map(lambda x: x + 1).map(lambda x: table[x])
    assert fused(ds)

    with pytest.raises(IndexError) as raised:
        list(ds)

    assert "element 2" in raised.value.__notes__[0]
    assert "map(<lambda>)" in raised.value.__notes__[0]


SEEN = []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (lambda x: SEEN.append(x) or x, lambda x: x + 1),
        (lambda x: x + 1, lambda x: SEEN.append(x) or x),
        (lambda x: x if x > 3 else -x, lambda x: x + 1),
        (lambda x, rng: x + rng.random(), lambda x: x + 1),
        (lambda x: x.astype(str), lambda x: x),
    ],
)
def test_functions_that_are_called_on_each_element_keep_their_steps(first, second):
    assert not fused(Dataset.range(5).map(first).map(second))


def test_settings_must_be_the_same():
    ds = Dataset.range(5).map(lambda x: x + 1)

    assert not fused(ds.map(lambda x: x * 2, num_parallel_calls=2))
    assert not fused(ds.map(lambda x: x * 2, vectorize=False))


def test_the_option_of_tf_data_switches_it():
    options = Options()
    options.experimental_optimization.map_fusion = False

    assert not fused(chain().with_options(options))
