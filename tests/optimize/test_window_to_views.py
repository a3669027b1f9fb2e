import numpy as np
import pytest

from feedline import ragged
from feedline.data import Dataset, Options
from feedline.errors import SpecError
from feedline.testing import (
    CHECKS,
    assert_same_elements,
    check_block_sizes,
    check_resume,
    check_resume_in_fresh_process,
)

ARRAYS = Dataset.from_tensor_slices(
    {"a": np.arange(9), "b": [str(n) for n in range(9)], "m": np.arange(18.0).reshape(9, 2)}
)
RAGGED = Dataset.from_tensor_slices(ragged.constant([[n] * 2 for n in range(9)]))


def plain(ds):
    return ds.with_options(Options(skip_rules=("window_to_views",)))


def fired(ds):
    return "rules: window_to_views" in ds.explain()


def batched(source, size=3, shift=2, *, batch=None, batch_drop=False, **options):
    windows = source.window(size, shift, **options)
    return windows.flat_map(lambda w: w.batch(batch or size, drop_remainder=batch_drop))


FIRES = [
    batched(Dataset.range(9)),
    batched(Dataset.range(9), shift=1, drop_remainder=True),
    batched(Dataset.range(9), shift=1, stride=2),
    batched(Dataset.range(9), shift=5, batch=7),
    batched(Dataset.range(9), shift=1, batch_drop=True),
    batched(Dataset.range(9).shuffle(4, seed=1, reshuffle_each_iteration=False)),
    batched(Dataset.from_tensor_slices(np.arange(18).reshape(9, 2)), shift=1),
    batched(Dataset.range(2), size=5),
    batched(Dataset.range(0)),
    ARRAYS.window(3, 2).flat_map(lambda w: Dataset.zip(w).batch(3)),
    ARRAYS.window(3, 2).flat_map(lambda w: Dataset.zip({k: v.batch(4) for k, v in w.items()})),
    ARRAYS.window(3, 1).flat_map(
        lambda w: Dataset.zip((w["b"].batch(3), {"x": Dataset.zip((w["a"], w["a"])).batch(3)}))
    ),
    batched(Dataset.range(9).map(lambda x: x + 1)),
    batched(Dataset.range(9).map(lambda x: x + 1), shift=1, drop_remainder=True),
    batched(ARRAYS.map(lambda e: e["m"]), shift=4, stride=2),
    Dataset.range(9)
    .map(lambda x: (x, -x))
    .window(4, 3)
    .flat_map(lambda x, y: Dataset.zip({"y": y.batch(4), "x": x.batch(4)})),
    Dataset.from_tensor_slices((np.arange(9), np.arange(9.0)))
    .window(4, 1, drop_remainder=True)
    .flat_map(lambda x, y: Dataset.zip((x.batch(4), y.batch(4)))),
]
STAYS = [
    batched(Dataset.range(9), batch=2),
    batched(RAGGED, shift=1),
    batched(Dataset.range(9), batch=4, batch_drop=True),
    Dataset.range(9).window(3).flat_map(lambda w: w),
    Dataset.range(9).window(3).flat_map(lambda w: w.map(lambda x: x).batch(3)),
    Dataset.range(9).window(3).flat_map(lambda w: w.batch(3).repeat(2)),
    Dataset.range(9).window(3).flat_map(lambda w: w.batch(len(w))),
    Dataset.range(9).window(3).flat_map(lambda w: Dataset.range(3).batch(3)),
    Dataset.range(9).window(3).flat_map(lambda w: Dataset.zip(w.batch(3), w.batch(4))),
    Dataset.range(9).window(3).flat_map(lambda w: Dataset.zip(w.batch(3), w)),
    Dataset.range(9).window(3).interleave(lambda w: w.batch(3)),
    ARRAYS.map(lambda e: e).window(3, 1).flat_map(lambda w: w["a"].batch(3)),
]
# The function takes its windows for single ones, and has a way of its own with others.
OTHERS = [
    ARRAYS.map(lambda e: {"a": e["a"]}),
    ARRAYS.map(lambda e: (e["a"], e["m"])),
]


def of_a_or_the_first(*windows):
    window = windows[0]["a"] if isinstance(windows[0], dict) else windows[0]
    return window.batch(3)


@pytest.mark.parametrize("ds", FIRES, ids=str)
def test_windows_that_are_only_batched_become_views(ds):
    assert fired(ds)


@pytest.mark.parametrize("ds", FIRES, ids=str)
def test_the_elements_stay_the_same(ds):
    assert_same_elements(list(ds), list(plain(ds)))


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", FIRES, ids=str)
def test_conforms(ds, check):
    check(ds)


@pytest.mark.parametrize("ds", STAYS, ids=str)
def test_windows_used_in_another_way_stay(ds):
    assert not fired(ds)
    assert_same_elements(list(ds), list(plain(ds)))


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("source", OTHERS, ids=str)
def test_a_guess_at_the_elements_that_proves_wrong_is_made_good(source, check):
    ds = source.window(3, 2).flat_map(of_a_or_the_first)

    assert fired(ds)
    assert_same_elements(list(ds), list(plain(ds)))
    check(ds)


def fails_at(place):
    def fails(x):
        if x == place:
            raise KeyError(place)
        return x

    return fails


@pytest.mark.parametrize("place", [0, 4, 8])
@pytest.mark.parametrize("check", [check_block_sizes, check_resume])
def test_windows_around_failed_elements_conform(place, check):
    ds = batched(Dataset.range(9).map(fails_at(place)), shift=1)

    assert fired(ds)
    assert_same_elements(ds.ignore_errors(), plain(ds).ignore_errors())
    check(ds.ignore_errors())


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(FIRES[5].batch(2))


def test_a_batch_of_windows_is_still_a_view():
    array = np.arange(40, dtype=np.float32)
    first, *_ = batched(Dataset.from_tensor_slices(array), 8, 1, drop_remainder=True).batch(4)

    assert np.shares_memory(first, array)
    assert not first.flags.writeable
    assert first.tolist() == [list(range(start, start + 8)) for start in range(4)]


def test_nothing_runs_when_the_plan_is_made():
    calls = []
    ds = Dataset.range(9).filter(lambda x: calls.append(x) or True)

    assert fired(batched(ds))
    assert calls == []


def test_every_element_is_made_once():
    calls = []
    ds = batched(Dataset.range(9).map(lambda x: calls.append(int(x)) or x), shift=1)

    assert len(list(ds)) == 9
    assert calls == list(range(9))


def test_a_function_that_fails_is_left_to_fail_when_it_runs():
    ds = Dataset.range(9).window(3).flat_map(lambda w: 1 // 0)

    assert not fired(ds)
    with pytest.raises(ZeroDivisionError):
        list(ds)


def test_a_function_that_returns_one_thing_and_then_another_is_left_alone():
    sizes = iter(range(3, 100))
    ds = Dataset.range(9).window(3).flat_map(lambda w: w.batch(next(sizes)))

    assert not fired(ds)


def test_elements_that_do_not_fit_together_fail_the_windows_they_are_in():
    rows = Dataset.from_tensor_slices(ragged.constant([[1], [2], [3, 3], [4], [5]]))
    ds = batched(rows.map(lambda x: x), 2, 1, drop_remainder=True)

    assert fired(ds)
    with pytest.raises(SpecError, match=r"batch\(\): elements 0 and 1 differ: int32\[1\]"):
        list(ds)
    assert_same_elements(ds.ignore_errors(), plain(ds).ignore_errors())


def random_windows(*skipped):
    ds = Dataset.range(20).window(3, 1, drop_remainder=True).flat_map(lambda w: w.batch(3))
    ds = ds.map(lambda w, rng: (w, rng.integers(1000))).repeat(2)
    return ds.with_options(Options(seed=4, skip_rules=skipped))


def test_draws_by_element_stay_the_same():
    assert_same_elements(random_windows(), random_windows("window_to_views"))


def test_windows_can_be_read_by_index():
    assert batched(Dataset.range(9))[1].tolist() == [2, 3, 4]
