import itertools
import json
from collections import namedtuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline import ragged
from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.spec import TensorSpec
from feedline.testing import (
    CHECKS,
    check_block_sizes,
    check_resume,
    check_resume_in_fresh_process,
)

Pair = namedtuple("Pair", ["x", "y"])

SINGLE = Dataset.range(1, 30).map(lambda x: np.full(x % 7, x))
DICTS = SINGLE.map(lambda x: {"a": x, "b": x.astype(np.float32) / 2})

CASES = [
    source.pack(10, **options)
    for source in (SINGLE, DICTS)
    for options in [
        {},
        {"num_bins": 1},
        {"num_bins": 3, "drop_remainder": True},
        {"strategy": "concat"},
        {"strategy": "concat", "drop_remainder": True, "padding_value": -1},
    ]
]
CASES += [
    SINGLE.pack(4, too_long="split", num_bins=2),
    SINGLE.pack(4, too_long="truncate"),
    SINGLE.pack(3, strategy="concat"),
    SINGLE.map(lambda x: (x, x)).pack(9),
    SINGLE.map(lambda x: Pair(x, {"z": x})).pack(9),
    DICTS.pack({"a": 9, "b": 12}, padding_value={"a": -1, "b": 0.5}),
    DICTS.pack(9, keys=["b"]),
    SINGLE.map(lambda x: {"short": x[:2], "long": x}).pack({"short": 5, "long": 9}),
    SINGLE.shuffle(5, seed=1).pack(10),
    SINGLE.pack(10).map(lambda row, rng: rng.integers(1000)),
    SINGLE.pack(10, strategy="concat").map(lambda row, rng: rng.integers(1000)),
    Dataset.from_tensor_slices(ragged.constant([[1, 2], [3], [4, 5, 6], [7]])).pack(4),
    Dataset.from_tensor_slices(np.arange(12).reshape(6, 2)).pack(5),
    Dataset.from_tensor_slices(np.zeros((0, 2))).pack(5),
]


def shown(ds, key="values"):
    tags = ("segment_ids", "positions")
    names = [key, *(tag if key == "values" else f"{key}_{tag}" for tag in tags)]
    return [tuple(row[name].tolist() for name in names) for row in ds]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


@pytest.mark.parametrize("ds", [CASES[0], CASES[3]], ids=str)
def test_resumes_in_a_fresh_process(ds):
    check_resume_in_fresh_process(ds)


def test_first_fit_keeps_sequences_whole():
    ds = Dataset.from_tensor_slices(ragged.constant([[1, 1, 1], [2, 2, 2], [3], [4, 4], [5, 5]]))

    assert shown(ds.pack(5, num_bins=2)) == [
        ([2, 2, 2, 4, 4], [1, 1, 1, 2, 2], [0, 1, 2, 0, 1]),
        ([1, 1, 1, 3, 0], [1, 1, 1, 2, 0], [0, 1, 2, 0, 0]),
        ([5, 5, 0, 0, 0], [1, 1, 0, 0, 0], [0, 1, 0, 0, 0]),
    ]


def test_the_fullest_row_gives_way():
    ds = Dataset.from_tensor_slices(ragged.constant([[1, 1], [2, 2, 2, 2], [3, 3, 3, 3], [4, 4]]))

    assert [values for values, _, _ in shown(ds.pack(5, num_bins=2))] == [
        [2, 2, 2, 2, 0],
        [1, 1, 4, 4, 0],
        [3, 3, 3, 3, 0],
    ]


def test_concat_cuts_where_a_row_is_full():
    ds = Dataset.from_tensor_slices(ragged.constant([[1, 1, 1], [], [2, 2, 2, 2, 2, 2], [3]]))

    assert shown(ds.pack(4, strategy="concat", padding_value=-1)) == [
        ([1, 1, 1, 2], [1, 1, 1, 2], [0, 1, 2, 0]),
        ([2, 2, 2, 2], [1, 1, 1, 1], [0, 1, 2, 3]),
        ([2, 3, -1, -1], [1, 2, 0, 0], [0, 0, 0, 0]),
    ]


def test_a_dict_keeps_its_keys_and_gets_two_more_for_each():
    row = next(iter(DICTS.pack(10)))

    assert list(row) == ["a", "a_segment_ids", "a_positions", "b", "b_segment_ids", "b_positions"]
    assert (row["a"].dtype, row["b"].dtype) == (np.int64, np.float32)
    assert (row["a_segment_ids"].dtype, row["a_positions"].dtype) == (np.int32, np.int32)


def test_an_array_outside_a_dict_becomes_a_dict():
    x, y = next(iter(SINGLE.map(lambda x: (x, {"z": x})).pack(10)))

    assert list(x) == ["values", "segment_ids", "positions"]
    assert list(y) == ["z", "z_segment_ids", "z_positions"]


def test_the_spec_is_known_before_anything_runs():
    ds = Dataset.from_tensor_slices({"a": ragged.constant([[1, 2], [3]])}).pack(7)
    ids = TensorSpec((7,), np.int32)

    assert ds.element_spec == {"a": ids, "a_segment_ids": ids, "a_positions": ids}
    assert ds.cardinality() == -2


def test_leaves_can_be_chosen():
    ds = DICTS.map(lambda e: {**e, "name": "x"})

    assert list(next(iter(ds.pack(10, keys=["a"])))) == ["a", "a_segment_ids", "a_positions"]


def test_leaves_of_different_lengths_each_have_their_own_segments():
    ds = SINGLE.map(lambda x: {"long": x, "short": x[:1]}).take(3)
    (row,) = ds.pack({"long": 7, "short": 4})

    assert row["long"].tolist() == [1, 2, 2, 3, 3, 3, 0]
    assert row["short"].tolist() == [1, 2, 3, 0]
    assert row["short_segment_ids"].tolist() == [1, 2, 3, 0]


@pytest.mark.parametrize(
    ("too_long", "expected"),
    [("truncate", [[1, 2, 3], [6, 0, 0]]), ("split", [[1, 2, 3], [4, 5, 6]])],
)
def test_long_sequences_can_be_cut(too_long, expected):
    ds = Dataset.from_tensor_slices(ragged.constant([[1, 2, 3, 4, 5], [6]]))

    assert [values for values, _, _ in shown(ds.pack(3, too_long=too_long))] == expected


def test_a_sequence_longer_than_a_row_is_named_and_the_rest_comes():
    ds = Dataset.range(8).map(lambda x: {"w": np.full(x % 4, x)}).pack(2, num_bins=1)

    with pytest.raises(SpecError, match=r"element 3 is 3 long at \['w'\], longer than a row of 2"):
        list(ds)
    assert [row["w"].tolist() for row in ds.ignore_errors()] == [[1, 0], [2, 2], [5, 0], [6, 6]]


def test_what_is_no_sequence_is_named_and_the_rest_comes():
    shapes = [(1,), (1, 1), (1,), (), (1,)]
    arrays = [np.full(shape, number) for number, shape in enumerate(shapes)]
    ds = Dataset.from_generator(lambda: iter(arrays), output_signature=TensorSpec(None, np.int64))

    with pytest.raises(SpecError, match=r"element 1 is int64\[1,1\]; it must be int64 of one axis"):
        list(ds.pack(5))
    with pytest.raises(SpecError, match=r"element 1 is int64\[1,1\] at \['w'\]; it must be int64"):
        list(ds.map(lambda x: {"w": x}).pack(5))
    assert [row["values"].tolist() for row in ds.pack(5).ignore_errors()] == [[0, 2, 4, 0, 0]]


LENGTHS = st.lists(st.integers(0, 9), max_size=40)


def tokens_of(lengths):
    total = sum(lengths)
    splits = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return Dataset.from_tensor_slices(ragged.RaggedTensor(np.arange(1, total + 1), splits)), splits


@given(LENGTHS, st.integers(1, 12), st.integers(1, 4), st.sampled_from(["first_fit", "concat"]))
def test_no_token_is_lost_or_repeated(lengths, length, num_bins, strategy):
    ds, _ = tokens_of(lengths)
    rows = list(ds.pack(length, strategy=strategy, num_bins=num_bins, too_long="split"))
    values = [row["values"][row["segment_ids"] > 0] for row in rows]

    assert sorted(itertools.chain(*values)) == list(range(1, sum(lengths) + 1))


@given(LENGTHS, st.integers(9, 15), st.integers(1, 4))
def test_every_segment_is_one_whole_sequence(lengths, length, num_bins):
    ds, splits = tokens_of(lengths)
    whole = {tuple(range(a + 1, b + 1)) for a, b in itertools.pairwise(splits.tolist()) if b > a}
    segments = [
        tuple(row["values"][row["segment_ids"] == number].tolist())
        for row in ds.pack(length, num_bins=num_bins)
        for number in range(1, row["segment_ids"].max() + 1)
    ]

    assert len(segments) == len(whole)
    assert set(segments) == whole


@given(LENGTHS, st.integers(1, 12))
def test_concat_pads_only_the_last_row(lengths, length):
    ds, _ = tokens_of(lengths)
    rows = [row["values"].tolist() for row in ds.pack(length, strategy="concat")]
    total = sum(lengths)

    assert len(rows) == -(-total // length)
    assert list(itertools.chain(*rows))[:total] == list(range(1, total + 1))


@given(LENGTHS, st.integers(9, 15), st.sampled_from(["first_fit", "concat"]))
def test_positions_count_within_segments(lengths, length, strategy):
    ds, _ = tokens_of(lengths)
    for row in ds.pack(length, strategy=strategy):
        starts = np.flatnonzero(np.diff(row["segment_ids"], prepend=0) != 0)
        begun = starts[np.searchsorted(starts, np.arange(length), side="right") - 1]
        expected = np.where(row["segment_ids"] > 0, np.arange(length) - begun, 0)

        assert row["positions"].tolist() == expected.tolist()


@pytest.mark.parametrize("check", [check_block_sizes, check_resume])
@pytest.mark.parametrize("strategy", ["first_fit", "concat"])
def test_what_survives_failures_does_not_depend_on_blocks_or_resumes(strategy, check):
    failing = Dataset.range(40).map(
        lambda x: np.zeros((1,) * (x % 9 == 3) + (x % 5 + 1 // (x % 6),))
    )

    check(failing.pack(4, strategy=strategy, num_bins=2).ignore_errors())


def test_an_infinite_input_is_read_as_needed():
    assert len(list(SINGLE.repeat().pack(10).take(20))) == 20


def test_a_state_holds_positions_and_no_tokens():
    it = iter(Dataset.range(1000).map(lambda x: np.full(500, x)).pack(2048, num_bins=8))
    list(itertools.islice(it, 5))

    assert len(json.dumps(it.state_dict())) < 2000


@pytest.mark.parametrize(
    ("error", "text", "options"),
    [
        (BuildError, "length must be at least 1, got 0", {"length": 0}),
        (BuildTypeError, "length must be an integer", {"length": "x"}),
        (BuildError, "num_bins must be at least 1, got 0", {"num_bins": 0}),
        (BuildError, "strategy must be one of first_fit, concat, got 'x'", {"strategy": "x"}),
        (BuildError, "too_long must be one of error, truncate, split", {"too_long": "x"}),
        (BuildError, r"no \['c'\] in the elements", {"keys": ["c"]}),
        (BuildError, "padding_value must fit int32, got 0.5", {"padding_value": 0.5}),
        (BuildError, "length must be one value, or one for each leaf", {"length": {"c": 3}}),
        (
            BuildError,
            "with strategy 'concat' length must be one for all",
            {"strategy": "concat", "length": {"a": 3, "b": 4}},
        ),
    ],
)
def test_wrong_arguments_are_refused(error, text, options):
    ds = Dataset.from_tensor_slices({k: ragged.constant([[1], [2, 3]]) for k in "ab"})

    with pytest.raises(error, match=text):
        ds.pack(**{"length": 5, **options})


def test_elements_must_be_arrays_of_one_axis():
    with pytest.raises(BuildTypeError, match="arrays of one axis"):
        Dataset.range(3).pack(5)
    with pytest.raises(BuildTypeError, match="arrays of one axis"):
        list(Dataset.range(3).map(lambda x: np.zeros((2, 2))).pack(5))


def test_concat_needs_arrays_of_one_length():
    ds = SINGLE.map(lambda x: (x, x[:2])).pack(5, strategy="concat")

    with pytest.raises(SpecError, match="element 2 has arrays of different lengths: 3, 2"):
        list(ds)


def test_keys_that_would_be_there_twice_are_refused():
    ds = Dataset.from_tensor_slices({k: [[1], [2]] for k in ("a", "a_positions")})

    with pytest.raises(BuildError, match="keys would be there twice"):
        ds.pack(5)
