"""One element again, alone, where a debugger can see it."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError, CheckpointError

Dataset, ErrorPolicy, Quarantine = tf.data.Dataset, tf.data.ErrorPolicy, tf.data.Quarantine


def fails(x):
    if int(x) % 5 == 3:
        raise KeyError(f"no {x}")
    return x * 2


def outcomes(ds):
    """Return what an iteration gives: elements and the texts of exceptions."""
    found, it = [], iter(ds)
    while True:
        try:
            found.append(int(next(it)))
        except StopIteration:
            return found
        except KeyError as error:
            found.append(str(error))


def outcome(ds, number):
    try:
        return int(ds.replay(number))
    except KeyError as error:
        return str(error)


PLANS = {
    "by index": Dataset.range(13).map(fails),
    "by reading": Dataset.range(13).filter(lambda x: x != 4).map(fails),
    "in threads": Dataset.range(13).map(fails, num_parallel_calls=3).prefetch(2),
    "shuffled": Dataset.range(13).shuffle(5, seed=3, reshuffle_each_iteration=False).map(fails),
    "a filter above": Dataset.range(13).map(fails).filter(lambda x: x % 4 == 0),
    "nested": Dataset.range(5).flat_map(lambda x: Dataset.range(x).map(fails)),
    "a policy": Dataset.range(13).map(fails, on_error="skip").map(lambda x: fails(x + 1)),
}


@pytest.mark.parametrize("name", PLANS)
def test_every_element_or_exception_comes_again(name):
    ds = PLANS[name]
    expected = outcomes(ds)

    assert [outcome(ds, number) for number in range(len(expected))] == expected


@pytest.mark.parametrize("name", PLANS)
def test_a_number_beyond_the_end_is_an_index_error(name):
    ds = PLANS[name]

    with pytest.raises(IndexError, match="there is no element"):
        ds.replay(len(outcomes(ds)))


def test_functions_are_called_in_the_calling_thread_one_element_at_a_time():
    threads, sizes = set(), set()

    def notes(x):
        threads.add(threading.current_thread())
        sizes.add(getattr(x, "shape", None))
        return x + 1

    ds = Dataset.range(100).map(notes, num_parallel_calls=4).batch(2).prefetch(4)
    ds.replay(3)

    assert threads == {threading.current_thread()}
    assert sizes == {()}


def test_an_exception_keeps_its_note():
    with pytest.raises(KeyError) as caught:
        Dataset.range(9).map(fails).replay(3)

    assert "element 3" in caught.value.__notes__[0]


@given(
    seed=st.integers(0, 5),
    calls=st.sampled_from([None, 3]),
    epochs=st.integers(1, 3),
    block_size=st.sampled_from([None, 1, 4]),
)
def test_an_entry_fails_again_as_it_did(seed, calls, epochs, block_size):
    failed = Quarantine()
    policy = ErrorPolicy("skip", quarantine=failed)
    ds = (
        Dataset.range(17)
        .shuffle(6, seed=seed)
        .map(fails, num_parallel_calls=calls, on_error=policy)
    )
    ds = ds.repeat(epochs).batch(3).with_options(tf.data.Options(block_size=block_size))
    list(ds)
    again = []
    for entry in failed:
        with pytest.raises(KeyError) as caught:
            ds.replay(tf.data.QuarantineEntry.from_json(entry.to_json()))
        again.append(str(caught.value))

    assert again == [entry.message for entry in failed]
    assert len(again) == 3 * epochs


def test_an_entry_out_of_order_fails_again_as_it_did():
    failed = Quarantine()
    policy = ErrorPolicy("skip", quarantine=failed)
    ds = Dataset.range(40).map(lambda x: x, num_parallel_calls=3, deterministic=False)
    ds = ds.map(fails, num_parallel_calls=2, deterministic=False, on_error=policy)
    list(ds)

    assert sorted(outcome(ds, entry) for entry in failed) == sorted(e.message for e in failed)


def test_an_entry_of_a_function_that_was_mended_gives_the_element():
    failed = Quarantine()
    broken = [True]

    def fn(x):
        if broken and x == 4:
            raise KeyError
        return x * 3

    ds = Dataset.range(9).map(fn, on_error=ErrorPolicy("skip", quarantine=failed), vectorize=False)
    list(ds)
    broken.clear()

    assert ds.replay(failed[0]) == 12


def test_an_entry_of_ignore_errors_fails_again():
    failed = Quarantine()
    ds = Dataset.range(9).map(fails).batch(2).ignore_errors(quarantine=failed)
    list(ds)

    assert outcome(ds, failed[1]) == "'no 8'"


def test_an_entry_draws_again_what_it_drew():
    failed = Quarantine()

    def draws(x, rng):
        raise ValueError(rng.random())

    ds = Dataset.range(3).map(draws, on_error=ErrorPolicy("skip", quarantine=failed)).repeat(2)
    list(ds)

    for entry in failed:
        with pytest.raises(ValueError, match=entry.message):
            ds.replay(entry)


def test_an_entry_of_a_nested_dataset_cannot_be_replayed():
    failed = Quarantine()
    policy = ErrorPolicy("skip", quarantine=failed)
    ds = Dataset.range(2).flat_map(lambda x: Dataset.range(4).map(fails, on_error=policy))
    list(ds)

    with pytest.raises(BuildError, match="a dataset that a function made"):
        ds.replay(failed[0])


def test_an_entry_of_another_pipeline_is_refused():
    failed = Quarantine()
    list(Dataset.range(9).map(fails, on_error=ErrorPolicy("skip", quarantine=failed)))

    with pytest.raises(CheckpointError, match="another pipeline"):
        Dataset.range(9).replay(failed[0])


def test_replaying_lists_nothing():
    failed = Quarantine()
    ds = Dataset.range(9).map(fails, on_error=ErrorPolicy("skip", quarantine=failed))
    list(ds)
    outcome(ds, failed[0])

    assert len(failed) == 2
    assert ds.replay(3) == 8


@pytest.mark.parametrize("number", [-1, 1.5, "1"])
def test_a_wrong_number_is_refused(number):
    with pytest.raises(BuildError, match=r"replay\(\): element"):
        Dataset.range(3).replay(number)
