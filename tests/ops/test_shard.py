import itertools

import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.options import SHARD_HINT
from feedline.testing import CHECKS, check_resume_in_fresh_process

CASES = [
    Dataset.range(10).shard(3, 0),
    Dataset.range(10).shard(3, 2),
    Dataset.range(10).shard(1, 0),
    Dataset.range(3).shard(10, 7),
    Dataset.range(0).shard(2, 1),
    Dataset.range(20).map(lambda x: x * 2).shard(3, 1),
    Dataset.range(20).filter(lambda x: x % 3 > 0).shard(4, 3),
    Dataset.from_tensor_slices((np.zeros((7, 2)), list("abcdefg"))).shard(2, 1).repeat(2),
    Dataset.range(40).shuffle(5, seed=2).shard(3, 1).batch(2),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


@pytest.mark.parametrize("ds", [CASES[1], CASES[5]], ids=str)
def test_resumes_in_a_fresh_process(ds):
    check_resume_in_fresh_process(ds)


@pytest.mark.parametrize("num_shards", [1, 2, 3, 7, 12])
def test_the_shards_together_have_every_element_once(num_shards):
    ds = Dataset.range(10).map(lambda x: x)
    shards = [[int(x) for x in ds.shard(num_shards, i)] for i in range(num_shards)]

    assert sorted(itertools.chain(*shards)) == list(range(10))
    assert shards[0] == list(range(0, 10, num_shards))


def test_cardinality_is_divided():
    assert [Dataset.range(10).shard(3, i).cardinality() for i in range(3)] == [4, 3, 3]
    assert Dataset.range(10).repeat().shard(3, 1).cardinality() == -1
    assert Dataset.range(10).filter(lambda x: True).shard(3, 1).cardinality() == -2


def test_functions_before_it_are_called_on_the_elements_of_all_shards():
    seen = []

    list(Dataset.range(9).map(lambda x: seen.append(int(x)) or x).shard(3, 2))

    assert seen == list(range(9))


def test_elements_can_be_read_by_index():
    ds = Dataset.range(10).shard(3, 1)

    assert [int(ds[i]) for i in (0, 1, -1)] == [1, 4, 7]


def test_an_infinite_input_is_read_only_as_far_as_needed():
    seen = []
    ds = Dataset.range(5).repeat().map(lambda x: seen.append(x) or x).shard(4, 1).take(3)

    assert [int(x) for x in ds] == [1, 0, 4]
    assert len(seen) == 10


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 0), r"shard\(\): num_shards must be at least 1, got 0"),
        ((-2, 0), r"shard\(\): num_shards must be at least 1, got -2"),
        ((2, 2), r"shard\(\): index must be between 0 and 1, got 2"),
        ((2, -1), r"shard\(\): index must be between 0 and 1, got -1"),
    ],
)
def test_numbers_that_name_no_shard_are_refused(arguments, message):
    with pytest.raises(BuildError, match=message):
        Dataset.range(10).shard(*arguments)


@pytest.mark.parametrize("arguments", [(2.0, 1), ("a", 0), (2, None)])
def test_what_is_no_integer_is_refused(arguments):
    with pytest.raises(BuildTypeError, match=r"shard\(\): .* must be an integer"):
        Dataset.range(10).shard(*arguments)


def test_a_hint_may_be_built_but_not_run():
    ds = Dataset.range(10).shard(SHARD_HINT, 0)

    with pytest.raises(BuildError, match=r"shard\(SHARD_HINT\) built at test_shard.py"):
        list(ds)
