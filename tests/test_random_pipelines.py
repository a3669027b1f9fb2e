"""Random pipelines against the naive reference: any block size, executor, rules and cuts."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

import feedline as tf
from feedline.optimize import RULES
from feedline.testing import assert_same_elements
from tests import reference
from tests.amounts import PIPELINES

pytestmark = pytest.mark.usefixtures("vectorising")

Dataset = tf.data.Dataset
SMALL = 120


def total(element):
    """A number made of everything in an element: what random predicates look at."""
    return sum(size_of(leaf) for leaf in reference.leaves(element))


def size_of(leaf):
    if isinstance(leaf, (str, bytes)):
        return len(leaf)
    array = np.asarray(leaf)
    return int(array.size) if array.dtype == object else int(np.nansum(np.abs(array)))


# ---- sources: (dataset, list of its elements) --------------------------------


@st.composite
def sources(draw):
    kind = draw(st.sampled_from(["range", "dict", "tuple", "strings", "ragged", "generator"]))
    length = draw(st.integers(0, 23))
    numbers = np.arange(length)
    if kind == "range":
        return Dataset.range(length), list(numbers)
    if kind == "dict":
        x = (numbers[:, None] * [1.0, 0.5]).astype(np.float32)
        rows = [{"x": x[i], "n": {"y": numbers[i]}} for i in range(length)]
        return Dataset.from_tensor_slices({"x": x, "n": {"y": numbers}}), rows
    if kind == "tuple":
        x = numbers.astype(np.uint8).reshape(-1, 1, 1)
        rows = [(x[i], numbers[i]) for i in range(length)]
        return Dataset.from_tensor_slices((x, numbers)), rows
    if kind == "strings":
        words = np.array(["é" * (i % 3) + str(i) for i in range(length)], object)
        raw = np.array([bytes([i]) * (i % 4) for i in range(length)], object)
        rows = [(words[i], raw[i]) for i in range(length)]
        return Dataset.from_tensor_slices((words, raw)), rows
    rows = [np.arange(i % 5, dtype=np.int32) for i in range(length)]
    spec = tf.TensorSpec([None], np.int32)
    if kind == "ragged":
        flat = np.concatenate(rows) if rows else np.empty(0, np.int32)
        ragged = tf.RaggedTensor.from_row_lengths(flat, [len(row) for row in rows])
        # As plain arrays: a batch of rows of a RaggedTensor would be one again.
        return Dataset.from_tensor_slices(ragged).map(lambda row: row), rows
    return Dataset.from_generator(lambda: iter(rows), output_signature=spec), rows


# ---- steps: each draws its arguments and returns (dataset, list) ---------------


def step_map_wrap(draw, ds, items):
    calls = draw(st.sampled_from([None, 1, 3, tf.data.AUTOTUNE]))
    return ds.map(lambda *e: {"e": pack(e), "t": np.int64(total(pack(e)))}, calls), [
        {"e": item, "t": np.int64(total(item))} for item in items
    ]


def pack(arguments):
    return arguments[0] if len(arguments) == 1 else arguments


def step_map_float(draw, ds, items):
    return ds.map(lambda *e: total(pack(e)) / 2), [np.float32(total(item) / 2) for item in items]


def step_map_ragged(draw, ds, items):
    def grow(*e):
        return np.ones((total(pack(e)) % 4, 2), np.float32)

    return ds.map(grow), [np.ones((total(item) % 4, 2), np.float32) for item in items]


def step_filter(draw, ds, items):
    modulus = draw(st.integers(1, 4))
    kept = [item for item in items if total(item) % modulus == 0]
    return ds.filter(lambda *e: total(pack(e)) % modulus == 0), kept


def step_take(draw, ds, items):
    count = draw(st.integers(-1, 30))
    return ds.take(count), items if count < 0 else items[:count]


def step_skip(draw, ds, items):
    count = draw(st.integers(-1, 12))
    return ds.skip(count), [] if count < 0 else items[count:]


def step_shard(draw, ds, items):
    shards = draw(st.integers(1, 4))
    index = draw(st.integers(0, shards - 1))
    return ds.shard(shards, index), items[index::shards]


def step_repeat(draw, ds, items):
    count = draw(st.integers(0, 3))
    return ds.repeat(count), items * count


def step_shuffle(draw, ds, items):
    size, seed = draw(st.integers(1, 40)), draw(st.integers(0, 3))
    mixed = reference.shuffle(items, size, seed)
    return ds.shuffle(size, seed=seed, reshuffle_each_iteration=True), mixed


def step_batch(draw, ds, items):
    size, drop = draw(st.integers(1, 6)), draw(st.booleans())
    return ds.batch(size, drop_remainder=drop), reference.batch(items, size, drop)


def step_padded_batch(draw, ds, items):
    size, drop = draw(st.integers(1, 6)), draw(st.booleans())
    padded = reference.padded_batch(items, size, drop)
    return ds.padded_batch(size, drop_remainder=drop), padded


def step_batch_unbatch(draw, ds, items):
    size = draw(st.integers(1, 6))
    return ds.batch(size).unbatch(), items


def step_rebatch(draw, ds, items):
    first, second = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    return ds.batch(first).rebatch(second), reference.batch(items, second, False)


def step_window(draw, ds, items):
    size, shift, stride = (draw(st.integers(1, 4)) for _ in range(3))
    drop = draw(st.booleans())

    def join(*windows):
        if len(windows) == 1 and isinstance(windows[0], Dataset):
            return windows[0].batch(size)
        return nested_zip(pack(windows), size)

    windows = ds.window(size, shift=shift, stride=stride, drop_remainder=drop)
    return windows.flat_map(join), reference.window_batches(items, size, shift, stride, drop)


def nested_zip(window, size):
    return Dataset.zip(reference.rebuild(window, lambda leaf: leaf.batch(size)))


def step_enumerate(draw, ds, items):
    start = draw(st.integers(0, 5))
    numbered = [(np.int64(start + i), item) for i, item in enumerate(items)]
    return ds.enumerate(start), numbered


def step_zip(draw, ds, items):
    other = draw(st.integers(0, 20))
    pairs = [(item, np.int64(i)) for i, item in zip(range(other), items, strict=False)]
    return Dataset.zip(ds, Dataset.range(other)), pairs


def step_concatenate(draw, ds, items):
    return ds.concatenate(ds.take(2)), items + items[:2]


def step_interleave(draw, ds, items):
    cycle, block = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    lists = [[item] * (total(item) % 4) for item in items]

    def copies(*e):
        return Dataset.from_tensors(pack(e)).repeat(total(pack(e)) % 4)

    calls = draw(st.sampled_from([None, min(2, cycle), tf.data.AUTOTUNE]))
    return ds.interleave(copies, cycle, block, calls), reference.interleave(lists, cycle, block)


def step_flat_map(draw, ds, items):
    def copies(*e):
        return Dataset.from_tensors(pack(e)).repeat(total(pack(e)) % 3)

    return ds.flat_map(copies), [item for item in items for _ in range(total(item) % 3)]


def step_map_and_filter(draw, ds, items):
    """Neighbours that rules make one of, on a number that runs over whole blocks."""
    factor, modulus = draw(st.integers(-3, 3)), draw(st.integers(1, 3))
    numbered = ds.map(lambda *e: np.int64(total(pack(e))))
    scaled = numbered.map(lambda n: n * factor).map(lambda n: (n, n + 1))
    kept = scaled.filter(lambda n, _: n % modulus == 0).filter(lambda n, _: n < 100)
    pairs = [(np.int64(total(i) * factor), np.int64(total(i) * factor + 1)) for i in items]
    return kept, [pair for pair in pairs if pair[0] % modulus == 0 and pair[0] < 100]


def step_choose(draw, ds, items):
    """Every other element is one of a range, until one of the two is at its end."""
    numbered = ds.map(lambda *e: np.int64(total(pack(e))))
    count = draw(st.integers(0, 12))
    turns = Dataset.range(2).repeat(SMALL)
    chosen = Dataset.choose_from_datasets([numbered, Dataset.range(count)], turns)
    both = [[np.int64(total(item)) for item in items], [np.int64(n) for n in range(count)]]
    return chosen, reference.choose(both, [0, 1] * SMALL)


def step_scan(draw, ds, items):
    def add(state, *e):
        return state + total(pack(e)), (state, pack(e))

    def plain(state, item):
        return state + total(item), (np.int64(state), item)

    return ds.scan(np.int64(0), add), reference.scan(items, np.int64(0), plain)


def step_take_while(draw, ds, items):
    limit = draw(st.integers(0, 60))
    kept = list(itertools.takewhile(lambda item: total(item) < limit, items))
    return ds.take_while(lambda *e: total(pack(e)) < limit), kept


def step_passing(draw, ds, items):
    kind = draw(st.sampled_from(["cache", "prefetch", "ignore_errors"]))
    return {
        "cache": ds.cache,
        "prefetch": lambda: ds.prefetch(2),
        "ignore_errors": ds.ignore_errors,
    }[kind](), items


STEPS = {name: value for name, value in globals().items() if name.startswith("step_")}
NEED_EQUAL_SHAPES = {"step_batch", "step_batch_unbatch", "step_rebatch", "step_window"}


def allowed(name, items):
    if len(items) > SMALL and name in {"step_repeat", "step_interleave", "step_concatenate"}:
        return False
    if name in NEED_EQUAL_SHAPES:
        return len({signature(item) for item in items}) <= 1
    if name == "step_padded_batch":
        return len({ranks(item) for item in items}) <= 1
    return True


def signature(element):
    return tuple((type(leaf), np.shape(leaf)) for leaf in reference.leaves(element))


def ranks(element):
    return tuple((type(leaf), np.ndim(leaf)) for leaf in reference.leaves(element))


@st.composite
def pipelines(draw):
    """A dataset, and the list of what it must yield."""
    ds, items = draw(sources())
    shuffles = 0
    for _ in range(draw(st.integers(0, 5))):
        names = sorted(name for name in STEPS if allowed(name, items))
        name = draw(st.sampled_from(names))
        # A repeated shuffle is another order in every epoch, which the list does not know.
        if shuffles and name in {"step_repeat", "step_concatenate", "step_interleave"}:
            continue
        shuffles += name == "step_shuffle"
        ds, items = STEPS[name](draw, ds, items)
    # The same ones for every run: some states belong to the rules they were saved with.
    names = [rule.name for rule in RULES]
    skipped = draw(st.one_of(st.just(()), st.just(names), st.sets(st.sampled_from(names))))
    ds = ds.with_options(tf.data.Options(skip_rules=tuple(sorted(skipped))))
    note(ds.explain())
    return ds, items


@dataclass(frozen=True)
class Way:
    """How a pipeline runs, which no element may depend on."""

    block_size: int | None
    executor: str | None

    def iterator(self, ds):
        return iter(ds.with_options(tf.data.Options(**vars(self))))


def ways(*executors):
    return st.builds(Way, st.sampled_from([None, 1, 2, 3, 7, 50]), st.sampled_from(executors))


IN_THIS_PROCESS = ways(None, "inline", "threads")
IN_OTHERS = ways("processes", "background")


def assert_runs_alike(pipeline, runs, cuts):
    """Cut a run, go on in another way, and again: what comes out is what was asked for."""
    ds, items = pipeline
    saved, start = None, 0
    for way, cut in zip(runs, [*sorted(cuts), None], strict=True):
        with way.iterator(ds) as it:
            if saved is not None:
                it.load_state_dict(saved)
            found = list(itertools.islice(it, None if cut is None else cut - start))
            saved = json.loads(json.dumps(it.state_dict()))
        assert_same_elements(found, items[start:cut])
        start = cut


def drawn_cuts(data, items, most):
    return data.draw(st.lists(st.integers(0, len(items)), max_size=most), label="cuts")


@pytest.mark.filterwarnings("ignore:.*cannot be entered in the middle:RuntimeWarning")
@settings(max_examples=PIPELINES)
@given(st.data())
def test_a_random_pipeline_yields_what_the_reference_yields(data):
    ds, items = data.draw(pipelines())
    cuts = drawn_cuts(data, items, 3)
    runs = [data.draw(IN_THIS_PROCESS, label="way") for _ in range(len(cuts) + 1)]

    assert_runs_alike((ds, items), runs, cuts)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*cannot be entered in the middle:RuntimeWarning")
@settings(max_examples=max(1, PIPELINES // 50))
@given(st.data())
def test_a_random_pipeline_yields_the_same_in_other_processes(data):
    ds, items = data.draw(pipelines())
    cut = data.draw(st.integers(0, len(items)), label="cut")
    runs = [data.draw(IN_OTHERS, label="first"), data.draw(IN_THIS_PROCESS, label="then")]
    runs = data.draw(st.permutations(runs), label="order")

    assert_runs_alike((ds, items), runs, [cut])
