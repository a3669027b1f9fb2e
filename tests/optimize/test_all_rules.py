"""All rules together: random pipelines yield the same with every rule on and with none."""

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from feedline.data import Dataset, Options
from feedline.testing import assert_same_elements, check_block_sizes, check_resume
from tests.optimize.switched import ALL, fresh, without
from tests.test_random_pipelines import STEPS, allowed, pack, sources, total


def fails(*element):
    if total(pack(element)) % 5 == 3:
        raise KeyError("this one fails")
    return pack(element)


def draws(*element, rng):
    return {"e": pack(element), "r": rng.integers(100)}


# What rules look for, and what could go wrong there. The lists are not followed through these.
MORE = {
    "take_all": lambda ds: ds.take(-1),
    "skip_none": lambda ds: ds.skip(0),
    "repeat_once": lambda ds: ds.repeat(1),
    "repeat_twice": lambda ds: ds.repeat(2),
    "one_shard": lambda ds: ds.shard(1, 0),
    "buffer_of_one": lambda ds: ds.shuffle(1),
    "shuffle": lambda ds: ds.shuffle(5),
    "shard_of_shuffle": lambda ds: ds.shuffle(5).shard(2, 1),
    "shuffle_of_cache": lambda ds: ds.cache().shuffle(5).repeat(2),
    "draws": lambda ds: ds.map(draws),
    "fails": lambda ds: ds.map(fails),
    "nested": lambda ds: ds.flat_map(
        lambda *e: Dataset.from_tensors(pack(e)).repeat(2).take(-1).shuffle(2)
    ),
}


@st.composite
def pipelines(draw):
    ds, items = draw(sources())
    for _ in range(draw(st.integers(1, 6))):
        if draw(st.booleans()):
            ds = MORE[draw(st.sampled_from(sorted(MORE)))](ds)
        else:
            names = sorted(name for name in STEPS if allowed(name, items))
            ds, items = STEPS[draw(st.sampled_from(names))](draw, ds, items)
    return ds.ignore_errors().take(150).with_options(Options(seed=draw(st.integers(0, 3))))


@pytest.mark.filterwarnings("ignore:.*cannot be entered in the middle:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:.*was set to:UserWarning")
@settings(max_examples=150, deadline=None)
@given(pipelines(), st.sampled_from([None, 1, 3, 7]))
def test_random_pipelines_yield_the_same_with_all_rules_and_with_none(ds, size):
    note(ds.explain())
    plain = fresh(without(ds, *ALL))
    ds = fresh(ds.with_options(Options(block_size=size)))

    for _ in range(2):
        assert_same_elements(ds, plain)


@pytest.mark.filterwarnings("ignore:.*cannot be entered in the middle:RuntimeWarning")
@settings(max_examples=25, deadline=None)
@given(pipelines())
def test_random_pipelines_resume_with_all_rules(ds):
    note(ds.explain())

    check_block_sizes(fresh(ds))
    check_resume(fresh(ds))
