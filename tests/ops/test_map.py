from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

from feedline.data import AUTOTUNE, Dataset, Options
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.ragged import constant
from feedline.spec import TensorSpec, string
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

Point = namedtuple("Point", ["x", "y"])


@dataclass
class Sample:
    image: object
    label: object


def draw(x, rng):
    return x, rng.random(), rng.integers(100, size=2)


CASES = [
    Dataset.range(20).map(lambda x: x * 2),
    Dataset.range(0).map(lambda x: x * 2),
    Dataset.range(9).map(lambda x: (x, {"s": str(x), "b": b"%d" % x})),
    Dataset.range(9).map(lambda x: np.arange(x % 4)),
    Dataset.range(9).map(lambda x: np.zeros((x % 2, x % 3))),
    Dataset.range(9).map(lambda x: Point(x, Sample(np.full((2, 2), x), x > 3))),
    Dataset.range(9).map(lambda x: constant([[1], [2, 3]])),
    Dataset.range(9).map(lambda x: None),
    Dataset.from_tensor_slices((np.arange(6), list("abcdef"))).map(lambda a, b: b * int(a)),
    Dataset.from_tensor_slices({"a": [1, 2], "b": [3, 4]}).map(lambda d: d["a"] + d["b"]),
    Dataset.range(9).map(lambda x: x + 1, num_parallel_calls=AUTOTUNE, deterministic=True),
    Dataset.range(9).map(draw).repeat(2),
    Dataset.range(30).shuffle(7).map(draw).batch(4).map(lambda x, y, z, rng: rng.random()),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[-1])


def test_python_numbers_become_32_bits_wide_and_numpys_keep_their_dtype():
    ds = Dataset.range(1).map(lambda x: (1, 2.5, True, "s", b"b", [1, 2], np.float64(1), None))

    lists = np.array([1, 2], np.int32)
    expected = (np.int32(1), np.float32(2.5), np.True_, "s", b"b", lists, np.float64(1))
    assert_same_elements(ds, [(*expected, None)])


def test_a_tuple_is_passed_as_arguments_and_other_structures_as_one():
    pairs = Dataset.from_tensor_slices(([1, 2], [3, 4]))
    points = Dataset.from_tensor_slices(Point([1, 2], [3, 4]))
    nested = Dataset.from_tensor_slices(([1], ([2], [3])))

    assert [int(x) for x in pairs.map(lambda a, b: a + b)] == [4, 6]
    assert [int(x) for x in points.map(lambda p: p.x * p.y)] == [3, 8]
    assert [int(x) for x in nested.map(lambda a, b: a + b[0] + b[1])] == [6]


def test_draws_depend_on_the_seed_and_the_element_alone():
    def draws(options):
        return [float(y) for _, y, _ in Dataset.range(8).map(draw).with_options(options)]

    assert draws(Options(seed=5)) == draws(Options(seed=5, block_size=3))
    assert draws(Options(seed=5)) != draws(Options(seed=6))
    assert len(set(draws(Options(seed=5)))) == 8


def test_draws_differ_between_epochs_and_between_maps():
    ds = Dataset.range(4).map(lambda x, rng: rng.random()).repeat(2)
    twice = Dataset.range(4).map(lambda x, rng: rng.random()).map(lambda x, rng: (x, rng.random()))

    assert len(set(ds)) == 8
    assert all(x != y for x, y in twice)


def test_a_function_may_change_its_arguments_without_harm_to_the_data():
    data = np.zeros((3, 2))

    def spoil(x):
        x += 1
        return x

    assert_same_elements(Dataset.from_tensor_slices(data).map(spoil), [np.ones(2)] * 3)
    assert not data.any()


def test_an_infinite_input_is_read_only_as_far_as_needed():
    seen = []

    list(Dataset.range(5).repeat().map(lambda x: seen.append(x) or x).take(13))

    assert len(seen) == 13


def test_an_error_keeps_its_type_and_the_next_elements_go_on():
    it = iter(Dataset.range(5).map(lambda x: {0: 1, 1: 1, 3: 1, 4: 1}[int(x)]))

    assert [int(next(it)), int(next(it))] == [1, 1]
    with pytest.raises(KeyError) as caught:
        next(it)
    assert [int(x) for x in it] == [1, 1]
    assert "in map(<lambda>) built at test_map.py:" in caught.value.__notes__[0]
    assert caught.value.__notes__[0].endswith("element 2")


def test_a_stop_iteration_is_no_end():
    def stops(x):
        raise StopIteration

    with pytest.raises(RuntimeError, match="the function raised StopIteration"):
        list(Dataset.range(3).map(stops))


def test_results_of_different_structures_are_refused_at_their_element():
    it = iter(Dataset.range(4).map(lambda x: x if x != 2 else (x,)))

    assert [int(next(it)), int(next(it))] == [0, 1]
    with pytest.raises(SpecError, match="elements must all have one structure"):
        next(it)
    assert [int(x) for x in it] == [3]


def test_the_spec_of_an_empty_input_is_asked_of_the_function():
    ds = Dataset.range(0).map(lambda x, rng: {"a": x + rng.integers(5), "b": "text"})

    assert ds.element_spec == {"a": TensorSpec((), np.int64), "b": TensorSpec((), string)}


def test_cardinality_is_kept():
    assert Dataset.range(3).map(abs).cardinality() == 3
    assert Dataset.range(3).repeat().map(abs).cardinality() == -1


def test_elements_can_be_read_by_index():
    assert int(Dataset.range(9).map(lambda x: x * x)[4]) == 16


@pytest.mark.parametrize("number", [0, -2])
def test_a_number_of_calls_below_one_is_refused(number):
    with pytest.raises(
        BuildError, match=r"map\(\): num_parallel_calls must be at least 1, AUTOTUNE"
    ):
        Dataset.range(3).map(abs, num_parallel_calls=number)


def test_arguments_of_the_wrong_type_are_refused():
    with pytest.raises(BuildTypeError, match=r"map\(\): map_func must be a function, got 1"):
        Dataset.range(3).map(1)
    with pytest.raises(BuildTypeError, match=r"map\(\): deterministic must be True, False or None"):
        Dataset.range(3).map(abs, deterministic="yes")
