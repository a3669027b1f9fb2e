import numpy as np
import pytest

from feedline import ragged
from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.sparse import SparseTensor, to_dense
from feedline.spec import SparseTensorSpec
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

RAGGED = Dataset.from_tensor_slices(ragged.constant([[1, 2], [3], [], [4, 0, 6], [7]]))
MADE = Dataset.range(1, 6).map(lambda x: np.full(x, x))

CASES = [
    RAGGED.sparse_batch(2, [4]),
    RAGGED.sparse_batch(2, [None]),
    MADE.sparse_batch(3, [6]),
    MADE.shuffle(3, seed=2).sparse_batch(2, [None]),
    Dataset.range(1, 5).map(lambda x: np.full((x, 2), x)).sparse_batch(3, [None, 3]),
    Dataset.range(5).sparse_batch(2, []),
    MADE.map(lambda x: x.astype(str)).sparse_batch(2, [9]),
    Dataset.range(0).sparse_batch(2, []),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(MADE.sparse_batch(2, [None]))


def test_every_value_is_stored_zeros_too():
    assert_same_elements(
        RAGGED.sparse_batch(4, [4]).take(1),
        [
            SparseTensor(
                [[0, 0], [0, 1], [1, 0], [3, 0], [3, 1], [3, 2]],
                np.array([1, 2, 3, 4, 0, 6], np.int32),
                [4, 4],
            )
        ],
    )


def test_an_unknown_length_is_that_of_the_longest():
    assert [b.shape for b in MADE.sparse_batch(2, [None])] == [(2, 2), (2, 4), (1, 5)]


def test_a_ragged_source_gives_what_single_arrays_give():
    whole = RAGGED.sparse_batch(3, [None])
    single = RAGGED.map(lambda x: x).sparse_batch(3, [None])

    assert_same_elements(whole, single)


def test_arrays_of_several_axes_keep_them():
    ds = Dataset.range(1, 3).map(lambda x: np.full((x, x), x))
    (batch,) = ds.sparse_batch(2, [None, 3])

    assert to_dense(batch).tolist() == [[[1, 0, 0], [0, 0, 0]], [[2, 2, 0], [2, 2, 0]]]


def test_the_spec_has_the_row_shape():
    ds = RAGGED.sparse_batch(2, [4])

    assert ds.element_spec == SparseTensorSpec((None, 4), np.int32)
    assert ds.cardinality() == 3


def test_an_array_larger_than_a_row_is_named_and_the_rest_comes():
    it = iter(RAGGED.sparse_batch(2, [2]))

    assert next(it).shape == (2, 2)
    with pytest.raises(
        SpecError, match=r"element 3 is larger: int32\[3\], but row_shape is \(2,\)"
    ):
        next(it)
    assert next(it).shape == (1, 2)


def test_arrays_of_another_rank_are_refused():
    with pytest.raises(SpecError, match="element 0 is of another rank"):
        list(MADE.sparse_batch(2, [2, 2]))


def test_wrong_arguments_are_refused():
    with pytest.raises(BuildError, match="batch_size must be at least 1, got 0"):
        RAGGED.sparse_batch(0, [2])
    with pytest.raises(BuildTypeError, match="row_shape must be a list of lengths, got None"):
        RAGGED.sparse_batch(2, None)


def test_structured_elements_are_refused():
    ds = Dataset.from_tensor_slices({"a": [[1]], "b": [[2]]})

    with pytest.raises(BuildTypeError, match="elements must be single arrays"):
        ds.sparse_batch(2, [3])
    with pytest.raises(SpecError, match="elements must be single arrays"):
        list(ds.map(lambda x: x).sparse_batch(2, [3]))
