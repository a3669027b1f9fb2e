import numpy as np
import pytest

from feedline.data import Dataset, Options
from feedline.graph.accumulator import Accumulator

COUNT = 300
FLOATS = Dataset.from_tensor_slices(np.random.default_rng(0).standard_normal(COUNT))
ROWS = Dataset.from_tensor_slices(np.random.default_rng(1).standard_normal((COUNT, 3)))

AT_ONCE = {
    "a running sum": (FLOATS, np.float64(0), lambda s, x: (s + x, s + x)),
    "a sum with the state second": (FLOATS, np.float64(0), lambda s, x: (x + s, s)),
    "a count": (FLOATS, np.int64(0), lambda s, x: (s + 1, (s, x))),
    "the element before": (FLOATS, np.float64(0), lambda s, x: (x, x - s)),
    "a running maximum": (FLOATS, np.float64(-9), lambda s, x: (np.maximum(s, x), s)),
    "a product of small integers": (
        Dataset.range(COUNT),
        np.int8(1),
        lambda s, x: (s * (x % 3).astype(np.int8), s),
    ),
    "a difference": (FLOATS, np.float64(1), lambda s, x: (s - x * 0.5, s)),
    "a vector": (ROWS, np.zeros(3), lambda s, x: (s + x, {"sum": s.sum(), "last": x})),
    "a number added to a vector": (FLOATS, np.zeros(2), lambda s, x: (s + x, s)),
    "several leaves": (
        ROWS,
        (np.int64(0), np.zeros(3)),
        lambda s, x: ((s[0] + 2, np.maximum(s[1], x)), s[1] * s[0]),
    ),
}

STEP_BY_STEP = {
    "goes step by step": (FLOATS, np.float64(0), lambda s, x: (s * 0.9 + x, s)),
    "never changes": (FLOATS, np.float64(0), lambda s, x: (s, s + x)),
    "branches on a value": (FLOATS, np.float64(0), lambda s, x: (s + x if x > 0 else s, s)),
    "not made of numbers": (Dataset.range(COUNT), "", lambda s, x: (s + "x", s)),
}


def without(ds):
    return ds.with_options(Options(vectorize=False))


def same(first, second):
    assert len(first) == len(second)
    for one, other in zip(first, second, strict=True):
        assert repr(one) == repr(other)


@pytest.mark.parametrize("case", AT_ONCE.values(), ids=AT_ONCE)
def test_a_state_that_adds_up_is_carried_through_whole_blocks(case):
    ds, initial, step = case
    scanned = ds.scan(initial, step)
    same(list(scanned), list(without(ds.scan(initial, step))))

    assert "vectorised" in scanned.explain()


@pytest.mark.parametrize(("reason", "case"), STEP_BY_STEP.items(), ids=STEP_BY_STEP)
def test_any_other_state_goes_step_by_step(reason, case):
    ds, initial, step = case
    scanned = ds.scan(initial, step)
    same(list(scanned), list(without(ds.scan(initial, step))))

    assert "plain Python" in scanned.explain()
    assert reason in scanned.explain()


def test_a_scan_resumes_amid_what_was_computed_at_once():
    ds = FLOATS.scan(np.float64(0), lambda s, x: (s + x, s))
    expected = list(ds)
    it = iter(ds)
    for _ in range(170):
        next(it)
    resumed = iter(ds)
    resumed.load_state_dict(it.state_dict())

    assert list(resumed) == expected[170:]


def test_a_failing_element_leaves_the_state_as_it_was():
    table = np.arange(100)
    ds = Dataset.range(COUNT).scan(np.int64(0), lambda s, x: (s + table[x % 101], s))
    plain = without(Dataset.range(COUNT).scan(np.int64(0), lambda s, x: (s + table[x % 101], s)))

    assert list(ds.ignore_errors()) == list(plain.ignore_errors())


def test_counted_side_effects_are_those_of_single_steps():
    seen = []

    def step(s, x):
        seen.append(int(x))
        return s + x, s

    list(Dataset.range(COUNT).scan(np.int64(0), step))

    assert seen == list(range(COUNT))


def test_an_accumulator_starts_anew_after_pickling():
    accumulator = Accumulator()

    assert accumulator.__reduce__() == (Accumulator, ())
    assert not accumulator.is_running
