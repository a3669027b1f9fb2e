import numpy as np
import pytest

import feedline as tf
from feedline import ragged
from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.spec import TensorSpec
from feedline.testing import CHECKS, check_resume_in_fresh_process

WORDS = [[0], [1, 2, 3, 4], [5, 6, 7], [7, 8, 9, 10, 11], [13, 14, 15, 16, 19, 20], [21, 22]]
DECLARED = Dataset.from_tensor_slices(ragged.constant(WORDS))
MADE = DECLARED.map(lambda x: x)
BOTH = [DECLARED, MADE]

CASES = [
    DECLARED.bucket_by_sequence_length(len, [3, 5], [2, 2, 2]),
    MADE.bucket_by_sequence_length(len, [3, 5], [2, 1, 3], drop_remainder=True),
    MADE.bucket_by_sequence_length(len, [4, 7], [2, 2, 2], pad_to_bucket_boundary=True),
    MADE.map(lambda x: (x, len(x))).bucket_by_sequence_length(lambda x, n: n, [3], [2, 3]),
    MADE.map(lambda x: {"w": x, "n": len(x)}).bucket_by_sequence_length(
        lambda e: e["n"], [3, 5], [2, 2, 2]
    ),
    DECLARED.bucket_by_sequence_length(len, [], [4]),
]


def lists(ds):
    return [batch.tolist() for batch in ds]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[1])


@pytest.mark.parametrize("ds", BOTH, ids=str)
def test_elements_are_batched_with_those_of_about_their_length(ds):
    assert lists(ds.bucket_by_sequence_length(len, [3, 5], [2, 2, 2])) == [
        [[1, 2, 3, 4], [5, 6, 7, 0]],
        [[7, 8, 9, 10, 11, 0], [13, 14, 15, 16, 19, 20]],
        [[0, 0], [21, 22]],
    ]


@pytest.mark.parametrize("ds", BOTH, ids=str)
def test_batches_can_be_as_long_as_the_bucket_allows(ds):
    ds = ds.bucket_by_sequence_length(len, [4, 7], [2, 2, 2], pad_to_bucket_boundary=True)

    assert lists(ds) == [
        [[0, 0, 0], [5, 6, 7]],
        [[1, 2, 3, 4, 0, 0], [7, 8, 9, 10, 11, 0]],
        [[21, 22, 0]],
        [[13, 14, 15, 16, 19, 20]],
    ]


def test_axes_with_a_length_of_their_own_are_not_padded_to_the_boundary():
    ds = MADE.map(lambda x: {"words": x, "label": np.zeros(9), "all": np.zeros((len(x), 2))})
    ds = ds.bucket_by_sequence_length(
        lambda e: len(e["words"]), [4, 7], [6, 6, 6], pad_to_bucket_boundary=True
    )
    first = next(iter(ds))

    assert first["words"].shape == (3, 3)
    assert first["label"].shape == (3, 9)
    assert first["all"].shape == (3, 3, 2)


def test_given_shapes_are_filled_in_with_the_boundary():
    ds = MADE.bucket_by_sequence_length(
        len, [4, 7], [2, 2, 2], padded_shapes=[None], pad_to_bucket_boundary=True
    )

    assert next(iter(ds)).shape == (2, 3)


def test_shapes_and_values_are_those_of_padded_batch():
    ds = DECLARED.bucket_by_sequence_length(len, [3], [2, 9], padded_shapes=[7], padding_values=-1)

    assert lists(ds)[0] == [[0, *[-1] * 6], [21, 22, *[-1] * 5]]
    assert ds.element_spec == TensorSpec((None, 7), np.int32)


def test_without_padding_batches_are_made_of_equal_shapes():
    ds = Dataset.range(4).map(lambda x: np.full(x % 2 + 2, x))
    ds = ds.bucket_by_sequence_length(len, [3], [2, 2], no_padding=True)

    assert lists(ds) == [[[0, 0], [2, 2]], [[1, 1, 1], [3, 3, 3]]]


def test_without_padding_other_shapes_are_an_error():
    with pytest.raises(SpecError, match="differ"):
        list(MADE.bucket_by_sequence_length(len, [3], [2, 2], no_padding=True))


def test_without_padding_ragged_rows_stay_ragged():
    first, *_ = DECLARED.bucket_by_sequence_length(len, [3], [2, 2], no_padding=True)

    assert first.to_list() == [[1, 2, 3, 4], [5, 6, 7]]


def test_a_remainder_can_be_dropped():
    ds = DECLARED.bucket_by_sequence_length(len, [3], [2, 3], drop_remainder=True)

    assert [batch.shape for batch in ds] == [(3, 5), (2, 2)]


def test_the_spec_has_no_batch_size():
    assert CASES[0].element_spec == TensorSpec((None, None), np.int32)
    assert CASES[0].cardinality() == -2


def test_an_element_too_long_for_the_last_boundary_is_an_error():
    ds = DECLARED.bucket_by_sequence_length(len, [3, 5], [2, 2, 2], pad_to_bucket_boundary=True)

    with pytest.raises(SpecError, match=r"shorter than the last of bucket_boundaries.*\[3, 5\]"):
        list(ds)


def test_a_length_must_be_an_integer():
    with pytest.raises(BuildTypeError, match=r"a length must be an integer, got 1\.5") as caught:
        list(DECLARED.bucket_by_sequence_length(lambda x: 1.5, [3], [2, 2]))
    assert "bucket_by_sequence_length(<lambda>)" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    ("text", "boundaries", "sizes"),
    [
        ("one more of bucket_batch_sizes than of bucket_boundaries, got 2 and 2", [3, 5], [2, 2]),
        ("a batch size must be at least 1, got 0", [3], [2, 0]),
        (r"bucket_boundaries must rise, got \[5, 3\]", [5, 3], [1, 1, 1]),
        ("a boundary must be an integer", [2.5], [1, 1]),
    ],
)
def test_wrong_arguments_are_refused(text, boundaries, sizes):
    with pytest.raises(BuildError, match=text):
        DECLARED.bucket_by_sequence_length(len, boundaries, sizes)


def test_padding_is_checked_where_it_is_written():
    with pytest.raises(BuildTypeError, match=r"must fit int32, got 0\.5"):
        DECLARED.bucket_by_sequence_length(len, [3], [2, 2], padding_values=0.5)


def _long(*lengths):
    rows = [[n] * n for n in lengths]
    signature = tf.TensorSpec([None], tf.int64)
    return tf.data.Dataset.from_generator(lambda: iter(rows), output_signature=signature)


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: (x, x[1:]),
        lambda x: (x, tf.ensure_shape(tf.numpy_function(lambda y: y[1:], [x], tf.int64), [None])),
    ],
)
def test_every_axis_of_unknown_length_is_padded_to_the_boundary(fn):
    ds = (
        _long(4, 3)
        .map(fn)
        .bucket_by_sequence_length(
            lambda x, y: tf.shape(x)[0], [6], [2, 2], pad_to_bucket_boundary=True
        )
    )

    ((x, y),) = list(ds)
    assert (x.shape, y.shape) == ((2, 5), (2, 5))


def test_axes_that_differ_are_padded_where_only_running_tells():
    ds = _long(4, 3).map(lambda x: (x, x[: int(x[0]) - 2]))
    ds = ds.bucket_by_sequence_length(lambda x, y: len(x), [6], [2, 2], pad_to_bucket_boundary=True)

    ((x, y),) = list(ds)
    assert (x.shape, y.shape) == ((2, 5), (2, 5))
