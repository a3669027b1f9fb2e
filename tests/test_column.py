"""Columns against plain lists: whatever the kind, the rows are those of a list."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from feedline.column import (
    Bytes,
    Dense,
    Objects,
    Ragged,
    Strings,
    column_of,
    column_of_slices,
    concat_columns,
)
from feedline.leaf import as_leaf
from feedline.ragged import constant
from feedline.sparse import SparseTensor
from feedline.testing import assert_same_elements

DTYPES = st.sampled_from(
    ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", "?", "M8[s]"]
)
SCALARS = DTYPES.flatmap(lambda dtype: st.lists(hnp.arrays(dtype, ()).map(lambda a: a[()])))
EQUAL_ARRAYS = st.tuples(DTYPES, hnp.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=3))
ARRAYS = EQUAL_ARRAYS.flatmap(lambda pair: st.lists(hnp.arrays(*pair), max_size=6))
LONG_AND_SHORT = DTYPES.flatmap(
    lambda dtype: st.lists(
        st.integers(0, 3).flatmap(lambda n: hnp.arrays(dtype, (n, 2))), max_size=6
    )
)
OF_ANY_RANK = DTYPES.flatmap(
    lambda dtype: st.lists(
        hnp.array_shapes(min_dims=0, max_dims=2, max_side=3).flatmap(
            lambda shape: hnp.arrays(dtype, shape)
        ),
        max_size=6,
    )
)
PYTHON = st.lists(
    st.one_of(
        st.integers(-(2**63), 2**64 - 1),
        st.floats(),
        st.booleans(),
        st.complex_numbers(),
        st.none(),
        st.text(max_size=3),
        st.binary(max_size=3),
    ),
    max_size=8,
)
ONE_KIND = st.one_of(
    st.lists(st.integers(-(2**63), 2**64 - 1)),
    st.lists(st.floats()),
    st.lists(st.booleans()),
    st.lists(st.text(max_size=3)),
    st.lists(st.binary(max_size=3)),
    st.lists(st.just([1, 2])),
)
VALUES = st.one_of(SCALARS, ARRAYS, LONG_AND_SHORT, OF_ANY_RANK, PYTHON, ONE_KIND)


def leaves(values):
    return [as_leaf(value) for value in values]


def bytes_column(values):
    offsets = np.concatenate([[0], np.cumsum([len(value) for value in values])]).astype(np.int64)
    return Bytes(np.frombuffer(b"".join(values), np.uint8), offsets)


def ragged_column(values):
    splits = np.concatenate([[0], np.cumsum([len(value) for value in values])]).astype(np.int64)
    return Ragged(np.concatenate([np.zeros(0, np.int16), *values]).astype(np.int16), splits)


@given(VALUES)
def test_the_rows_are_the_leaves(values):
    column = column_of(values)

    assert len(column) == len(values)
    assert_same_elements(column.rows(), leaves(values))


@given(VALUES, st.lists(st.integers(0, 8)))
def test_the_rows_do_not_depend_on_how_a_run_is_cut(values, cuts):
    """The size of a block must never show."""
    bounds = [0, *sorted(min(cut, len(values)) for cut in cuts), len(values)]
    parts = [column_of(values[a:b]) for a, b in itertools.pairwise(bounds)]

    assert_same_elements([row for part in parts for row in part.rows()], leaves(values))
    assert_same_elements(concat_columns(parts).rows(), leaves(values))


@given(VALUES, st.integers(0, 8), st.integers(0, 8))
def test_a_slice_is_the_slice_of_the_list(values, start, stop):
    start, stop = sorted(min(n, len(values)) for n in (start, stop))

    assert_same_elements(column_of(values).slice(start, stop).rows(), leaves(values)[start:stop])


@given(VALUES.filter(bool), st.data())
def test_taking_takes_from_the_list(values, data):
    index = data.draw(st.lists(st.integers(0, len(values) - 1)))
    taken = column_of(values).take(np.array(index, np.int64))

    assert_same_elements(taken.rows(), [leaves(values)[i] for i in index])


@given(st.one_of(SCALARS, ARRAYS, st.lists(st.text(max_size=3))), st.integers(1, 4))
def test_groups_come_apart_again(values, size):
    grouped = column_of(values).group(size)
    inside, counts = grouped.ungroup()

    assert len(grouped) == -(-len(values) // size)
    assert counts.sum() == len(values)
    assert_same_elements(inside.rows(), leaves(values))


@given(st.one_of(SCALARS, ARRAYS).filter(bool), st.integers(1, 4))
def test_a_group_is_the_stack_of_its_values(values, size):
    expected = [np.stack(values[at : at + size]) for at in range(0, len(values), size)]

    assert_same_elements(column_of(values).group(size).rows(), expected)


@given(VALUES)
def test_rows_that_are_private_can_be_changed(values):
    column = column_of(values).read_only()
    for row in column.private_elements():
        assert not isinstance(row, np.ndarray) or row.flags.writeable

    assert_same_elements(column.private_elements(), leaves(values))


@given(VALUES)
def test_rows_that_are_read_only_cannot_be_changed(values):
    rows = column_of(values).read_only().rows()

    assert not any(isinstance(row, np.ndarray) and row.flags.writeable for row in rows)
    assert_same_elements(rows, leaves(values))


@given(VALUES)
def test_protecting_a_column_leaves_the_original_alone(values):
    column = column_of(values).owned()
    column.read_only()

    assert all(row.flags.writeable for row in column.rows() if isinstance(row, np.ndarray))


@given(VALUES)
def test_owned_values_are_not_those_of_the_user(values):
    rows = column_of(values).owned().rows()
    arrays = [value for value in values if isinstance(value, np.ndarray)]

    assert not any(np.shares_memory(row, a) for row in rows for a in arrays if np.ndim(row))


@given(VALUES)
def test_the_size_in_memory_is_a_number(values):
    assert column_of(values).nbytes >= 0


@given(st.lists(st.binary(max_size=4), min_size=1), st.data())
def test_a_buffer_of_bytes_behaves_as_the_list(values, data):
    column = bytes_column(values)
    start = data.draw(st.integers(0, len(values)))
    index = data.draw(st.lists(st.integers(0, len(values) - 1)))

    assert column.rows() == values
    assert column.slice(start, len(values)).rows() == values[start:]
    assert column.slice(start, len(values)).nbytes >= sum(map(len, values[start:]))
    assert column.take(np.array(index, np.int64)).rows() == [values[i] for i in index]
    assert concat_columns([column, column.slice(start, len(values))]).rows() == (
        values + values[start:]
    )
    assert [row.tolist() for row in column.group(2).rows()] == [
        values[at : at + 2] for at in range(0, len(values), 2)
    ]


@given(st.lists(st.lists(st.integers(-5, 5), max_size=3), min_size=1), st.data())
def test_a_slice_of_a_ragged_column_behaves_as_the_list(values, data):
    start = data.draw(st.integers(0, len(values) - 1))
    column = ragged_column(values).slice(start, len(values))
    rest = values[start:]
    index = data.draw(st.lists(st.integers(0, len(rest) - 1)))
    inside, counts = column.ungroup()

    assert [row.tolist() for row in column.rows()] == rest
    assert column.lengths.tolist() == counts.tolist() == [len(row) for row in rest]
    assert [row.tolist() for row in column.take(np.array(index, np.int64)).rows()] == [
        rest[i] for i in index
    ]
    assert [int(x) for x in inside.rows()] == [x for row in rest for x in row]
    assert [row.tolist() for row in concat_columns([column, column]).rows()] == rest + rest


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2], Dense),
        ([1.5], Dense),
        ([True], Dense),
        ([np.float16(1)], Dense),
        ([np.zeros(2), np.zeros(2)], Dense),
        ([[1, 2], [3, 4]], Dense),
        ([np.array(1), np.array(2)], Dense),
        ([np.zeros(2), np.zeros(3)], Ragged),
        ([[1], [2, 3]], Ragged),
        ([np.zeros((2, 2)), np.zeros((3, 3))], Objects),
        (["a"], Objects),
        ([1, 2.5], Objects),
        ([1, 2**63], Objects),
        ([], Objects),
    ],
)
def test_the_kind_of_column_is_the_cheapest_that_holds_the_values(values, kind):
    assert type(column_of(values)) is kind


def test_integers_that_do_not_fit_int64_keep_a_dtype_of_their_own():
    rows = column_of([1, 2**63, 2**64]).rows()

    assert [type(row) for row in rows] == [np.int32, np.uint64, int]


def test_numbers_of_different_kinds_keep_their_dtypes():
    rows = column_of([1, 2.5, True]).rows()

    assert [row.dtype for row in rows] == [np.int32, np.float32, np.bool_]


def test_dates_of_different_units_keep_them():
    values = [np.datetime64("2020-01-01"), np.datetime64(5, "ms")]

    assert [row.dtype for row in column_of(values).rows()] == [value.dtype for value in values]


def test_arrays_of_different_byte_order_keep_it():
    values = [np.array([1], "<i4"), np.array([1], ">i4")]

    assert [row.dtype.str for row in column_of(values).rows()] == ["<i4", ">i4"]


def test_arrays_of_strings_become_arrays_of_objects():
    for row in column_of([np.array(["a", "bc"]), np.array(["d", "e"])]).rows():
        assert row.dtype == object


def test_scalars_of_objects_are_the_objects():
    assert column_of([np.array("a", object), np.array("b", object)]).rows() == ["a", "b"]


def test_arrays_without_elements_can_be_grouped_and_come_apart():
    column = column_of([np.zeros((3, 0))] * 4)
    inside, counts = column.ungroup()

    assert counts.tolist() == [3, 3, 3, 3]
    assert [row.shape for row in inside.rows()] == [(0,)] * 12


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.arange(3), [0, 1, 2]),
        ([["a", "b"], ["c", "d"]], [["a", "b"], ["c", "d"]]),
        (np.array(["a", "b"]), ["a", "b"]),
        (constant([[1], [2, 3]]), [[1], [2, 3]]),
        (constant([["a"], []]), [["a"], []]),
    ],
)
def test_slices_are_along_the_first_axis(value, expected):
    rows = column_of_slices(value).rows()

    assert [row.tolist() if hasattr(row, "tolist") else row for row in rows] == expected


def test_slices_of_ragged_and_sparse_values_are_ragged_and_sparse():
    nested = constant([[[1], [2, 3]], [[4]]])
    sparse = SparseTensor([[0, 1], [1, 0]], [5, 6], [2, 2])

    assert [row.to_list() for row in column_of_slices(nested).rows()] == [[[1], [2, 3]], [[4]]]
    assert column_of_slices(sparse).rows()[1] == SparseTensor([[0]], [6], [2])


@pytest.mark.parametrize("value", [1, "a", None, b"abc"])
def test_what_has_no_axis_has_no_slices(value):
    with pytest.raises(TypeError, match="has no first axis to slice"):
        column_of_slices(value)


def test_a_slice_of_a_dense_column_is_a_view():
    array = np.zeros((4, 2))

    assert np.shares_memory(Dense(array).slice(1, 3).array, array)
    assert np.shares_memory(Dense(array).group(2).array, array)


def test_nothing_joined_is_nothing():
    assert concat_columns([]).rows() == []


# ---- arrays of byte strings ---------------------------------------------------------


WORDS = [b"ab", b"", b"c", b"\x00d", b"efg"]


def words():
    return Bytes(np.frombuffer(b"".join(WORDS), np.uint8), np.cumsum([0, *map(len, WORDS)]))


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7])
def test_a_batch_of_byte_strings_is_an_array_of_them(size):
    batches = words().group(size)

    assert [row.tolist() for row in batches.rows()] == [
        WORDS[at : at + size] for at in range(0, len(WORDS), size)
    ]
    assert {row.dtype for row in batches.rows()} == {np.dtype(object)}


def test_arrays_of_byte_strings_are_cut_gathered_joined_and_taken_apart():
    batches = words().group(2)

    assert [row.tolist() for row in batches.slice(1, 3).rows()] == [WORDS[2:4], WORDS[4:]]
    picked = batches.take(np.array([2, 0]))
    assert [row.tolist() for row in picked.rows()] == [WORDS[4:], WORDS[:2]]
    whole = concat_columns([batches.slice(0, 1), batches.slice(2, 3)])
    assert isinstance(whole, Strings)
    assert [row.tolist() for row in whole.rows()] == [WORDS[:2], WORDS[4:]]
    inner, counts = batches.slice(1, 3).ungroup()
    assert inner.rows() == WORDS[2:]
    assert counts.tolist() == [2, 1]
    assert batches.nbytes > len(b"".join(WORDS))
    mixed = concat_columns([batches, Objects([np.array([b"x"], object)])])
    assert len(mixed.rows()) == 4


@pytest.mark.parametrize("size", [2, 3, 10])
def test_rows_that_have_one_length_are_stacked(size):
    values = np.arange(16).reshape(8, 2)
    ragged = Ragged(values, np.array([0, 2, 4, 6, 8])).slice(1, 4)

    batches = ragged.group(size).rows()

    rows = ragged.rows()
    assert [batch.tolist() for batch in batches] == [
        np.stack(rows[start : start + size]).tolist() for start in range(0, 3, size)
    ]
