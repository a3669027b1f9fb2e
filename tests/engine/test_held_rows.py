"""Values of different lengths in numbered places."""

from itertools import chain

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from feedline.column import Bytes, Dense, Objects, Ragged, column_of
from feedline.engine.held_rows import HeldRows


def byte_strings(*texts):
    offsets = np.cumsum([0, *map(len, texts)])
    return Bytes(np.frombuffer(b"".join(texts), np.uint8), offsets)


def arrays(*rows):
    return Ragged(
        np.array(list(chain.from_iterable(rows)), np.int32), np.cumsum([0, *map(len, rows)])
    )


@given(
    st.lists(st.lists(st.binary(max_size=600), min_size=1, max_size=9), min_size=1, max_size=12),
    st.data(),
)
def test_byte_strings_are_found_where_they_were_put_last(runs, data):
    held, expected = HeldRows(byte_strings()), [b""] * 12
    held.grow(12)
    for run in runs:
        places = data.draw(st.permutations(range(12)))[: len(run)]
        held.put(np.array(places), byte_strings(b"before", *run).slice(1, len(run) + 1))
        for place, text in zip(places, run, strict=True):
            expected[place] = text

    assert held.rows() == expected
    assert held.take(np.array([11, 3, 3])).rows() == [expected[11], expected[3], expected[3]]


@given(st.lists(st.lists(st.integers(0, 9), max_size=300), min_size=1, max_size=40))
def test_arrays_keep_their_dtype(rows):
    held = HeldRows(arrays())
    held.grow(4)
    for number, row in enumerate(rows):
        held.put(np.array([number % 4]), arrays(row))

    (found,) = held.take(np.array([(len(rows) - 1) % 4])).rows()
    assert found.dtype == np.int32
    assert found.tolist() == rows[-1]


def test_memory_is_bounded_by_what_is_held():
    held = HeldRows(byte_strings())
    held.grow(10)
    for number in range(10_000):
        held.put(np.array([number % 10]), byte_strings(bytes([number % 256]) * 100))

    assert held._values.nbytes <= 4 * 1024
    assert len(held._splits) <= 1024
    assert [row[0] for row in held.rows()] == [number % 256 for number in range(9_990, 10_000)]


def test_more_places_can_be_had_at_any_time():
    held = HeldRows(byte_strings())
    held.grow(1)
    held.put(np.array([0]), byte_strings(b"one"))
    held.grow(3)
    held.put(np.array([2]), byte_strings(b"three"))

    assert held.rows() == [b"one", b"", b"three"]


def test_arrays_that_happen_to_have_one_length_fit_in():
    held = HeldRows(arrays())
    held.grow(2)
    column = Dense(np.arange(6, dtype=np.int32).reshape(2, 3))

    assert held.fits(column)
    held.put(np.array([1, 0]), column)
    assert [row.tolist() for row in held.rows()] == [[3, 4, 5], [0, 1, 2]]


def test_other_kinds_of_values_do_not():
    assert not HeldRows(arrays()).fits(Ragged(np.zeros(0), np.zeros(1, np.int64)))
    assert not HeldRows(arrays()).fits(Ragged(np.zeros((0, 2), np.int32), np.zeros(1, np.int64)))
    assert not HeldRows(arrays()).fits(Dense(np.zeros(3, np.int32)))
    assert not HeldRows(arrays()).fits(byte_strings(b"x"))
    assert not HeldRows(byte_strings()).fits(Ragged(np.zeros(0, np.uint8), np.zeros(1, np.int64)))
    assert not HeldRows(byte_strings()).fits(Objects([b"x"]))


def test_only_values_without_objects_can_be_held():
    assert HeldRows.can_hold(byte_strings(b"x"))
    assert HeldRows.can_hold(arrays([1]))
    assert not HeldRows.can_hold(Ragged(np.array([b"x"], object), np.array([0, 1])))
    assert not HeldRows.can_hold(column_of(["x"]))


def test_what_is_taken_is_not_what_is_held():
    held = HeldRows(arrays())
    held.grow(1)
    held.put(np.array([0]), arrays([1, 2]))
    held.take(np.array([0])).rows()[0][:] = 5

    assert held.rows()[0].tolist() == [1, 2]
