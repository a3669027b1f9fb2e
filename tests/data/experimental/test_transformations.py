"""Old forms of methods: what the recorded cases in tests/golden do not say."""

import numpy as np
import pytest

from feedline.data import Dataset, experimental
from feedline.data.experimental.transformations import map_and_batch_with_legacy_function
from feedline.errors import BuildError, BuildTypeError
from feedline.testing import CHECKS, check_resume_in_fresh_process

CASES = {
    "shuffle_and_repeat": lambda: experimental.shuffle_and_repeat(3, 2, seed=5),
    "map_and_batch": lambda: experimental.map_and_batch(lambda x: x * 2, 3),
    "parallel_interleave": lambda: experimental.parallel_interleave(
        lambda x: Dataset.from_tensors(x).repeat(2), 3
    ),
}


@pytest.mark.parametrize("check", [*CHECKS, check_resume_in_fresh_process])
@pytest.mark.parametrize("case", CASES)
def test_conforms(case, check):
    check(Dataset.range(8).apply(CASES[case]()))


def test_shuffle_and_repeat_without_a_seed_shuffles_every_iteration():
    ds = Dataset.range(50).apply(experimental.shuffle_and_repeat(50, 2))

    assert [int(x) for x in ds] != [int(x) for x in ds]


def test_shuffle_and_repeat_goes_on_where_it_was_saved():
    ds = Dataset.range(9).apply(experimental.shuffle_and_repeat(4, 3, seed=1))
    it = iter(ds)
    for _ in range(13):
        next(it)
    again = iter(ds)
    again.load_state_dict(it.state_dict())

    assert [int(x) for x in again] == [int(x) for x in it]


def test_sloppy_gives_up_the_order_and_nothing_else():
    read = experimental.parallel_interleave(
        lambda x: Dataset.range(x), cycle_length=3, sloppy=True, buffer_output_elements=2
    )

    assert sorted(int(x) for x in Dataset.range(5).apply(read)) == [0, 0, 0, 0, 1, 1, 1, 2, 2, 3]


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda e: e.map_and_batch(abs, 0), r"map_and_batch\(\): batch_size must be at least 1"),
        (lambda e: e.map_and_batch(abs, 2, 1, False, 1), "only one of num_parallel_batches"),
        (lambda e: e.parallel_interleave(abs, 0), "cycle_length must be at least 1"),
        (lambda e: e.shuffle_and_repeat(0), "buffer_size must be at least 1"),
        (lambda e: e.shuffle_and_repeat(1, 0), "count must be at least 1, or -1 for ever"),
    ],
)
def test_what_cannot_be_is_refused_where_it_is_written(make, text):
    with pytest.raises(BuildError, match=text):
        make(experimental)


def test_the_old_name_of_the_fused_step_says_its_own_name():
    with pytest.raises(BuildError, match=r"map_and_batch_with_legacy_function\(\): batch_size"):
        map_and_batch_with_legacy_function(abs, 0)


@pytest.mark.parametrize("name", ["get_model_proto", "make_saveable_from_iterator"])
def test_what_is_not_here_says_what_to_use_instead(name):
    assert not hasattr(experimental, name)
    with pytest.raises(AttributeError, match=rf"no attribute .{name}.: \w+"):
        getattr(experimental, name)


def test_every_name_of_the_module_is_listed():
    assert dir(experimental) == sorted(experimental.__all__)


def test_what_is_no_dataset_has_no_single_element():
    with pytest.raises(BuildTypeError, match=r"get_single_element\(\): dataset must be a Dataset"):
        experimental.get_single_element([1])


def test_a_random_dataset_is_a_dataset_like_any_other():
    ds = experimental.RandomDataset(3)

    assert type(ds) is experimental.RandomDataset
    assert type(ds.take(1)) is Dataset
    assert isinstance(next(iter(ds)), np.integer)
