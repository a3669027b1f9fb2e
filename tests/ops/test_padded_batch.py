from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

from feedline import ragged
from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.spec import TensorSpec
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

Pair = namedtuple("Pair", ["words", "label"])


@dataclass
class Sample:
    words: np.ndarray
    label: int


RAGGED = Dataset.from_tensor_slices(ragged.constant([[1, 2], [3], [], [4, 5, 6], [7], [8, 9]]))
MADE = Dataset.range(1, 8).map(lambda x: np.full(x, x))
NESTED = Dataset.range(1, 8).map(
    lambda x: {"words": np.full(x, x), "more": (np.full((x, 2), 0.5), x, str(x))}
)

CASES = [
    RAGGED.padded_batch(4),
    RAGGED.padded_batch(2, drop_remainder=True),
    RAGGED.padded_batch(4, [5], -1),
    RAGGED.padded_batch(10),
    MADE.padded_batch(3),
    MADE.padded_batch(3, [9], drop_remainder=True),
    MADE.shuffle(3, seed=1).padded_batch(2),
    NESTED.padded_batch(2),
    NESTED.map(lambda e: Pair(e["words"], e["more"][1])).padded_batch(2),
    NESTED.map(lambda e: Sample(e["words"], e["more"][1])).padded_batch(2),
    MADE.map(lambda x: x.astype(str)).padded_batch(3),
    Dataset.range(1, 6).map(lambda x: np.ones((x % 3, x))).padded_batch(2),
    Dataset.range(5).padded_batch(2),
    Dataset.from_tensor_slices(np.zeros((5, 2))).padded_batch(2, [3]),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(MADE.shuffle(3, seed=1).padded_batch(2))


def test_every_batch_is_as_long_as_its_longest_element():
    assert [b.tolist() for b in RAGGED.padded_batch(2)] == [
        [[1, 2], [3, 0]],
        [[0, 0, 0], [4, 5, 6]],
        [[7, 0], [8, 9]],
    ]


def test_a_shape_can_be_given():
    (batch,) = RAGGED.padded_batch(6, [4], 9)

    assert batch.tolist()[:3] == [[1, 2, 9, 9], [3, 9, 9, 9], [9, 9, 9, 9]]
    assert batch.dtype == np.int32


@pytest.mark.parametrize("shape", [None, [None], [-1], (None,), np.array([-1])])
def test_unknown_lengths_can_be_written_in_several_ways(shape):
    assert [b.shape for b in RAGGED.padded_batch(3, shape)] == [(3, 2), (3, 3)]


def test_every_leaf_has_its_own_shape_and_value():
    shapes = {"words": [None], "more": ([None, 3], [], [])}
    values = {"words": -1, "more": (2, None, None)}
    batch = next(iter(NESTED.padded_batch(2, shapes, values)))

    assert batch["words"].tolist() == [[1, -1], [2, 2]]
    assert batch["more"][0][0].tolist() == [[0.5, 0.5, 2], [2, 2, 2]]
    assert batch["more"][1].tolist() == [1, 2]
    assert batch["more"][2].tolist() == ["1", "2"]


def test_one_value_serves_all_leaves():
    ds = MADE.map(lambda x: (x, x.astype(np.float32)))
    one, other = next(iter(ds.padded_batch(2, padding_values=7)))

    assert one.tolist() == other.tolist() == [[1, 7], [2, 2]]
    assert (one.dtype, other.dtype) == (np.int64, np.float32)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (str, None, ""),
        (bytes, None, b""),
        (str, "pad", "pad"),
        (bytes, b"pad", b"pad"),
        (bytes, "pad", b"pad"),
        (str, b"pad", "pad"),
    ],
)
def test_strings_are_filled_up_with_strings_of_their_kind(kind, value, expected):
    rows = [np.array([kind()] * n, object) for n in (1, 2)]
    ds = Dataset.range(2).map(lambda x: rows[x])
    (batch,) = ds.padded_batch(2, padding_values=value)

    assert batch[0, 1] == expected


def test_blocks_of_equal_shapes_need_no_copy():
    array = np.arange(6).reshape(3, 2)
    (batch,) = Dataset.from_tensor_slices(array).padded_batch(3)

    assert np.shares_memory(batch, array)


def test_an_inner_axis_is_padded_too():
    ds = Dataset.range(1, 4).map(lambda x: np.full((x, 2), x))
    (batch,) = ds.padded_batch(3, [None, 3])

    assert batch.shape == (3, 3, 3)
    assert batch[1].tolist() == [[2, 2, 0], [2, 2, 0], [0, 0, 0]]


def test_the_spec_has_the_shapes_that_are_given():
    assert RAGGED.padded_batch(2).element_spec == TensorSpec((None, None), np.int32)
    assert RAGGED.padded_batch(2, [5], drop_remainder=True).element_spec == TensorSpec(
        (2, 5), np.int32
    )


def test_cardinality_is_divided():
    assert RAGGED.padded_batch(4).cardinality() == 2
    assert RAGGED.padded_batch(4, drop_remainder=True).cardinality() == 1


def test_an_infinite_input_is_read_as_needed():
    ds = MADE.repeat().padded_batch(2).take(2)

    assert [b.shape for b in ds] == [(2, 2), (2, 4)]


def test_an_element_that_is_too_long_is_named_and_the_rest_comes():
    it = iter(
        Dataset.range(1, 8).map(lambda x: {"w": np.full(x % 5, x)}).padded_batch(2, {"w": [3]})
    )

    assert next(it)["w"].shape == (2, 3)
    with pytest.raises(SpecError, match=r"element 3 at \['w'\] is too long: int64\[4\].*\(3,\)"):
        next(it)
    assert next(it)["w"].tolist() == [[0, 0, 0], [6, 0, 0]]


def test_elements_of_another_rank_are_refused():
    ds = Dataset.range(2).map(lambda x: np.zeros((2,) * (int(x) + 1)))

    with pytest.raises(SpecError, match="element 1 is of another rank"):
        list(ds.padded_batch(2, [None]))
    with pytest.raises(SpecError, match="elements 0 and 1 differ in rank or dtype"):
        list(ds.padded_batch(2))


def test_ragged_tensors_cannot_be_padded():
    ds = Dataset.from_tensors(ragged.constant([[1], [2, 3]]))

    with pytest.raises(BuildTypeError, match="only arrays and strings can be padded"):
        ds.padded_batch(2)
    with pytest.raises(SpecError, match="element 0 is a RaggedTensor"):
        list(ds.map(lambda x: x).padded_batch(2))


@pytest.mark.parametrize(
    ("error", "text", "arguments"),
    [
        (BuildError, "batch_size must be at least 1, got 0", (0,)),
        (BuildError, r"room for \(None,\), got \(3, 3\)", (2, [3, 3])),
        (BuildTypeError, "must fit int32, got 1.5", (2, None, 1.5)),
        (BuildTypeError, "must fit int32, got np.int64", (2, None, np.int64(1))),
        (BuildTypeError, "must fit int32, got 'x'", (2, None, "x")),
        (BuildTypeError, "must fit int32, got 2147483648", (2, None, 2**31)),
        (BuildError, "must be scalars", (2, None, [1, 2])),
        (BuildTypeError, "a padded shape must be a list of lengths", (2, "ab")),
    ],
)
def test_wrong_arguments_are_refused_where_they_are_written(error, text, arguments):
    with pytest.raises(error, match=text):
        RAGGED.padded_batch(*arguments)


@pytest.mark.parametrize("shapes", [([1], [2]), {"words": [1]}, [3]])
def test_the_structure_of_shapes_must_be_that_of_elements(shapes):
    ds = Dataset.from_tensor_slices({"a": [1, 2], "b": [3, 4]})

    with pytest.raises(BuildError, match=r"structure of the elements, \{'a': \*, 'b': \*\}"):
        ds.padded_batch(2, shapes)


def test_what_only_running_tells_is_checked_when_running():
    with pytest.raises(BuildError, match="padded_shapes must have the structure"):
        list(NESTED.padded_batch(2, ([1], [2])))
    with pytest.raises(BuildTypeError, match=r"must fit int64, got 1\.5"):
        list(MADE.padded_batch(2, padding_values=1.5))


def test_an_error_before_keeps_its_type():
    ds = Dataset.range(5).map(lambda x: np.zeros(abs(10 // (int(x) - 2)))).padded_batch(2)

    with pytest.raises(ZeroDivisionError) as caught:
        list(ds)
    assert "element 2" in caught.value.__notes__[0]


def test_results_are_those_of_padding_by_hand():
    lengths = np.random.default_rng(0).integers(0, 9, 50)
    rows = [np.arange(n) for n in lengths]
    splits = np.concatenate([[0], np.cumsum(lengths)])
    ds = Dataset.from_tensor_slices(ragged.RaggedTensor(np.concatenate(rows), splits))
    by_hand = [
        np.stack([np.pad(row, (0, max(lengths[a : a + 7]) - len(row))) for row in rows[a : a + 7]])
        for a in range(0, 50, 7)
    ]

    assert_same_elements(ds.padded_batch(7), by_hand)
