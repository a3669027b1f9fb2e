"""A failing element takes down exactly what it belongs to, whatever the block size.

Every transformation is put above a function that fails on some elements and below
ignore_errors(): what survives must be the same for every block size and after a resume.
"""

from __future__ import annotations

import numpy as np
import pytest

import feedline as tf
from feedline.testing import check_block_sizes, check_resume

pytestmark = pytest.mark.usefixtures("vectorising")

Dataset = tf.data.Dataset
TABLE = np.arange(23)


def fails(x):
    if x % 5 == 3:
        raise KeyError(f"no {x}")
    return x


def fails_at_once(x):
    """As above, for whole blocks: none of the table's places is 99."""
    return TABLE[np.where(x % 5 == 3, 99, x)]


def pairs(x):
    return Dataset.from_tensors(x).repeat(x % 3)


def failing_pairs(x):
    return Dataset.range(x % 4).map(lambda y: fails(x + y))


FAILING = Dataset.range(23).map(fails)
TRANSFORMED = {
    "map at once": Dataset.range(23).map(fails_at_once),
    "maps at once": Dataset.range(23).map(lambda x: x + 0).map(fails_at_once).map(lambda x: x * 2),
    "filter at once": Dataset.range(23).filter(lambda x: fails_at_once(x) % 2 == 0),
    "scan at once": Dataset.range(23).scan(np.int64(0), lambda s, x: (s + fails_at_once(x), s)),
    "flat_map at once": Dataset.range(23)
    .map(lambda x: np.stack([x, x]))
    .flat_map(lambda x: Dataset.from_tensor_slices(fails_at_once(x))),
    "map": FAILING.map(lambda x: x + 1),
    "map that fails too": FAILING.map(lambda x: 10 // (int(x) % 3)),
    "filter": FAILING.filter(lambda x: x % 2 == 0),
    "filter that fails too": FAILING.filter(lambda x: 10 // (int(x) % 3) > 4),
    "batch": FAILING.batch(3),
    "batch, remainder dropped": FAILING.batch(3, drop_remainder=True),
    "batch of unequal shapes": FAILING.map(lambda x: np.zeros(x % 3)).batch(2),
    "padded_batch": FAILING.map(lambda x: np.zeros(x % 3)).padded_batch(2),
    "ragged_batch": FAILING.map(lambda x: np.zeros(x % 3)).ragged_batch(2),
    "unbatch": FAILING.map(lambda x: np.arange(x % 4)).unbatch(),
    "rebatch": FAILING.batch(2).rebatch(3),
    "window": FAILING.window(3, shift=2).flat_map(lambda w: w.batch(3)),
    "window, kept apart": FAILING.window(3, shift=2).flat_map(lambda w: w.map(abs).batch(3)),
    "shuffle": FAILING.shuffle(5, seed=1),
    "repeat": FAILING.repeat(2),
    "take": FAILING.take(9),
    "skip": FAILING.skip(4),
    "shard": FAILING.shard(2, 1),
    "enumerate": FAILING.enumerate(),
    "concatenate": FAILING.concatenate(FAILING),
    "zip, first fails": Dataset.zip(FAILING, Dataset.range(23)),
    "zip, second fails": Dataset.zip(Dataset.range(23), FAILING),
    "flat_map": FAILING.flat_map(pairs),
    "flat_map into failing": Dataset.range(12).flat_map(failing_pairs),
    "interleave": FAILING.interleave(pairs, cycle_length=3, block_length=2),
    "interleave of failing": FAILING.interleave(failing_pairs, cycle_length=3, block_length=2),
    "scan": FAILING.scan(np.int64(0), lambda s, x: (s + x, s)),
    "take_while": FAILING.take_while(lambda x: x < 15),
    "unique": FAILING.map(lambda x: x % 7).unique(),
    "cache": FAILING.ignore_errors().cache().repeat(2),
    "prefetch": FAILING.prefetch(2),
    "group_by_window": FAILING.group_by_window(
        lambda x: x % 2, lambda key, window: window.batch(3), window_size=3
    ),
    "choose_from_datasets": Dataset.choose_from_datasets(
        [FAILING, Dataset.range(100, 110)], Dataset.range(30).map(lambda x: x % 2), False
    ),
    "sample_from_datasets": Dataset.sample_from_datasets(
        [FAILING, Dataset.range(100, 110)], [0.7, 0.3], seed=3
    ),
}


@pytest.mark.parametrize("check", [check_block_sizes, check_resume])
@pytest.mark.parametrize("name", TRANSFORMED)
def test_what_survives_does_not_depend_on_blocks_or_resumes(name, check):
    check(TRANSFORMED[name].ignore_errors())


@pytest.mark.parametrize("name", TRANSFORMED)
def test_the_iterator_goes_on_after_a_failure(name):
    """The elements between the exceptions are those that ignore_errors() keeps."""
    seen, failures = [], 0
    it = iter(TRANSFORMED[name])
    while True:
        try:
            seen.append(next(it))
        except StopIteration:
            break
        except (LookupError, ValueError, ZeroDivisionError):
            failures += 1

    assert len(seen) == len(list(TRANSFORMED[name].ignore_errors()))
    assert failures > 0 or name == "cache"


def test_a_batch_with_a_failing_element_is_dropped_with_what_was_read_of_it():
    batches = [b.tolist() for b in FAILING.take(9).batch(3).ignore_errors()]

    assert batches == [[0, 1, 2], [4, 5, 6], [9, 10]]


def test_batches_without_rows_do_not_fail_for_ever():
    ds = Dataset.range(13, 14).map(fails).batch(1).rebatch([0, 1])

    assert list(ds.ignore_errors()) == []
