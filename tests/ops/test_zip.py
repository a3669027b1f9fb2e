from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

from feedline.data import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, Dataset, Options
from feedline.errors import BuildTypeError
from feedline.spec import TensorSpec
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

Point = namedtuple("Point", ["x", "y"])


@dataclass
class Sample:
    image: object
    label: object


def draws(x, rng):
    return x, rng.integers(1 << 30)


def counting(seen, name, count):
    def numbers():
        for number in range(count):
            seen.append((name, number))
            yield number

    return Dataset.from_generator(numbers, output_signature=TensorSpec((), np.int64))


def fails_on_two(x):
    if x == 2:
        raise KeyError("two")
    return x


WORDS = Dataset.from_tensor_slices({"s": ["a", "b", "c"], "r": [[1], [2], [3]]})
CASES = [
    Dataset.zip(Dataset.range(5), Dataset.range(10, 15)),
    Dataset.zip(Dataset.range(5), Dataset.range(3)),
    Dataset.zip(Dataset.range(3), Dataset.range(9), Dataset.range(5).batch(2)),
    Dataset.zip(Dataset.range(0), Dataset.range(3)),
    Dataset.zip({"b": Dataset.range(3), "a": (WORDS, Dataset.range(4))}),
    Dataset.zip(Point(Dataset.range(3), WORDS)),
    Dataset.zip(Sample(WORDS, Dataset.range(4))),
    Dataset.zip(Dataset.range(4)),
    Dataset.zip((Dataset.range(4),)),
    Dataset.zip(Dataset.range(20).shuffle(5, seed=1), Dataset.range(3).repeat(4)),
    Dataset.zip(Dataset.range(9).map(draws), Dataset.range(9).map(draws)).repeat(2),
    Dataset.zip(Dataset.range(3), Dataset.range(5)).map(lambda a, b, rng: a + rng.integers(99)),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=lambda ds: str(ds.element_spec)[:60])
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[9])


def test_elements_stand_in_the_structure_of_the_datasets():
    a, b = Dataset.range(2), Dataset.range(5, 7)
    zero, one, five, six = (np.int64(n) for n in (0, 1, 5, 6))

    assert_same_elements(Dataset.zip(a, b), [(zero, five), (one, six)])
    assert_same_elements(Dataset.zip((a, {"b": b})), [(zero, {"b": five}), (one, {"b": six})])
    assert_same_elements(Dataset.zip(datasets=Point(a, b)), [Point(zero, five), Point(one, six)])
    assert_same_elements(Dataset.zip(a), [zero, one])
    assert_same_elements(Dataset.zip((a,)), [(zero,), (one,)])


def test_it_ends_with_the_shortest():
    assert len(list(Dataset.zip(Dataset.range(5), Dataset.counter(), Dataset.range(2)))) == 2


def test_the_spec_is_made_of_the_inputs():
    ds = Dataset.zip(Dataset.range(2), {"w": WORDS})

    assert ds.element_spec == (TensorSpec((), np.int64), {"w": WORDS.element_spec})


def test_the_cardinality_is_the_least_if_all_are_known():
    three, endless = Dataset.range(3), Dataset.counter()
    unknown = counting([], "u", 3)

    assert Dataset.zip(three, Dataset.range(5)).cardinality() == 3
    assert Dataset.zip(three, endless).cardinality() == 3
    assert Dataset.zip(endless, endless).cardinality() == INFINITE_CARDINALITY
    assert Dataset.zip(three, unknown).cardinality() == UNKNOWN_CARDINALITY


def test_every_input_is_read_equally_often_also_at_the_end():
    """As in tf.data: so a cache() behind a shorter dataset sees its own end."""
    seen = []
    ds = Dataset.zip(counting(seen, "a", 3), counting(seen, "b", 2), counting(seen, "c", 3))
    list(ds.with_options(Options(block_size=1)))

    assert seen == [("a", 0), ("b", 0), ("c", 0), ("a", 1), ("b", 1), ("c", 1), ("a", 2), ("c", 2)]


def test_a_failing_element_takes_its_partners_with_it():
    ds = Dataset.zip(Dataset.range(4), Dataset.range(4).map(fails_on_two), Dataset.range(4))
    it, seen = iter(ds), []
    seen.extend([next(it), next(it)])
    with pytest.raises(KeyError, match="two"):
        next(it)
    seen.extend(it)

    assert [tuple(map(int, element)) for element in seen] == [(0, 0, 0), (1, 1, 1), (3, 3, 3)]


def test_draws_follow_the_first_input():
    def pick(a, b, rng):
        return rng.integers(1 << 60)

    def alone(a, rng):
        return rng.integers(1 << 60)

    seeded = Options(seed=3)
    both = Dataset.zip(Dataset.range(3), Dataset.range(7, 10)).map(pick).with_options(seeded)

    assert list(both) == list(Dataset.range(3).map(alone).with_options(seeded))


def test_elements_can_be_read_by_index():
    ds = Dataset.zip(Dataset.range(5), Dataset.range(10, 13))

    assert tuple(map(int, ds[-1])) == (2, 12)
    with pytest.raises(IndexError):
        ds[3]


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((), {}, r"zip\(\): needs at least one dataset, got none"),
        (((),), {}, r"zip\(\): needs at least one dataset, got \(\)"),
        ((Dataset.range(2),), {"datasets": Dataset.range(2)}, "not both"),
        (([Dataset.range(2), Dataset.range(2)],), {}, "a list of datasets.*Use a tuple"),
        (
            (Dataset.range(2), 3),
            {},
            r"zip\(\): everything in the structure must be a Dataset, got 3",
        ),
    ],
)
def test_only_structures_of_datasets_are_zipped(args, kwargs, message):
    with pytest.raises(BuildTypeError, match=message):
        Dataset.zip(*args, **kwargs)
