import numpy as np
import pytest

from feedline import ragged
from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.spec import RaggedTensorSpec, TensorSpec
from feedline.testing import CHECKS, check_resume_in_fresh_process

RAGGED = Dataset.from_tensor_slices(ragged.constant([[1, 2], [3], [], [4, 5, 6], [7]]))
MADE = Dataset.range(1, 6).map(lambda x: np.full(x, x))
NESTED = Dataset.range(1, 6).map(lambda x: {"a": np.full(x, x), "b": (x, str(x))})

CASES = [
    RAGGED.ragged_batch(2),
    RAGGED.ragged_batch(2, drop_remainder=True, row_splits_dtype=np.int32),
    MADE.ragged_batch(3),
    MADE.shuffle(3, seed=2).ragged_batch(2),
    NESTED.ragged_batch(2),
    Dataset.range(5).ragged_batch(2),
    Dataset.from_tensor_slices(np.zeros((5, 2))).ragged_batch(2),
    Dataset.from_tensor_slices(ragged.constant([[[1], [2, 3]], [[4]], []])).ragged_batch(2),
    Dataset.range(1, 5).map(lambda x: np.ones((x, 3 - x % 2))).ragged_batch(2),
    MADE.map(lambda x: x.astype(str)).ragged_batch(2),
    Dataset.range(0).ragged_batch(2),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(MADE.ragged_batch(2))


def test_arrays_of_different_lengths_become_rows():
    assert [b.to_list() for b in MADE.ragged_batch(3)] == [
        [[1], [2, 2], [3, 3, 3]],
        [[4] * 4, [5] * 5],
    ]


def test_rows_of_a_ragged_source_are_not_copied():
    values = np.arange(6)
    ds = Dataset.from_tensor_slices(ragged.RaggedTensor(values, np.array([0, 2, 6])))
    (batch,) = ds.ragged_batch(2)

    assert np.shares_memory(batch.values, values)


def test_a_shape_known_in_full_gives_a_dense_batch():
    ds = Dataset.from_tensor_slices(np.arange(6).reshape(3, 2)).ragged_batch(2)

    assert [b.tolist() for b in ds] == [[[0, 1], [2, 3]], [[4, 5]]]
    assert ds.element_spec == TensorSpec((None, 2), np.int64)


def test_axes_up_to_the_last_unknown_one_are_ragged():
    def gen():
        yield np.ones((2, 1))
        yield np.ones((2, 3))

    ds = Dataset.from_generator(gen, output_signature=TensorSpec((2, None), np.float64))
    (batch,) = ds.ragged_batch(2)

    assert [s.tolist() for s in batch.nested_row_splits] == [[0, 2, 4], [0, 1, 2, 5, 8]]
    assert ds.ragged_batch(2).element_spec == RaggedTensorSpec((None, 2, None), np.float64, 2)


def test_inner_axes_that_are_known_stay_dense():
    def gen():
        yield np.ones((1, 2))
        yield np.ones((3, 2))

    ds = Dataset.from_generator(gen, output_signature=TensorSpec((None, 2), np.float64))
    (batch,) = ds.ragged_batch(2)

    assert batch.values.shape == (4, 2)
    assert batch.row_splits.tolist() == [0, 1, 4]


def test_every_axis_of_what_a_function_makes_is_ragged():
    ds = Dataset.range(1, 3).map(lambda x: np.full((x, x), x)).ragged_batch(2)
    (batch,) = ds

    assert batch.to_list() == [[[1]], [[2, 2], [2, 2]]]
    assert ds.element_spec == RaggedTensorSpec((None, None, None), np.int64, 2)


def test_row_splits_have_the_dtype_asked_for():
    (batch, *_) = RAGGED.ragged_batch(2, row_splits_dtype=np.int32)

    assert batch.row_splits.dtype == np.int32
    assert RAGGED.ragged_batch(2, row_splits_dtype="int32").element_spec == RaggedTensorSpec(
        (None, None), np.int32, 1, np.int32
    )


def test_scalars_and_strings_are_stacked():
    batch = next(iter(NESTED.ragged_batch(2)))

    assert batch["a"].to_list() == [[1], [2, 2]]
    assert batch["b"][0].tolist() == [1, 2]
    assert batch["b"][1].tolist() == ["1", "2"]


def test_cardinality_is_divided():
    assert RAGGED.ragged_batch(2).cardinality() == 3
    assert RAGGED.ragged_batch(2, True).cardinality() == 2


def test_an_infinite_input_is_read_as_needed():
    assert len(list(MADE.repeat().ragged_batch(2).take(3))) == 3


def test_elements_of_different_ranks_are_named_and_the_rest_comes():
    ds = Dataset.range(4).map(lambda x: np.zeros((1,) * (2 if x == 1 else 1)))
    it = iter(ds.ragged_batch(2))

    with pytest.raises(SpecError, match=r"elements 0 and 1 do not fit together: float64\[1\]"):
        next(it)
    assert next(it).to_list() == [[0.0], [0.0]]


def test_wrong_arguments_are_refused():
    with pytest.raises(BuildError, match="batch_size must be at least 1, got 0"):
        RAGGED.ragged_batch(0)
    with pytest.raises(BuildTypeError, match="row_splits_dtype must be a signed integer"):
        RAGGED.ragged_batch(2, row_splits_dtype=np.float32)


def test_shapes_that_tracing_tells_are_stacked():
    ds = Dataset.range(3).map(lambda x: {"a": x + np.zeros(2, np.int64), "b": x})

    (batch,) = ds.ragged_batch(3)

    assert batch["a"].tolist() == [[0, 0], [1, 1], [2, 2]]
    assert ds.ragged_batch(3, drop_remainder=True).element_spec["a"].shape == (3, 2)


def test_a_function_that_cannot_be_traced_makes_every_axis_ragged():
    ds = Dataset.range(3).map(lambda x: np.array([int(x)] * 2))

    assert next(iter(ds.ragged_batch(3))).to_list() == [[0, 0], [1, 1], [2, 2]]
