from collections import namedtuple

import numpy as np
import pytest

import feedline as tf
from feedline.data import Dataset, DatasetSpec, IteratorSpec
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.ragged import constant
from feedline.spec import NoneTensorSpec, map_spec, merge_specs, spec_of, specs_agree, zeros_of

Point = namedtuple("Point", "x y")
SPARSE = tf.SparseTensor([[0, 1]], [5], [2, 3])


def test_a_spec_has_shape_dtype_and_name():
    spec = tf.TensorSpec([None, 3], tf.int32, name="x")

    assert (spec.shape, spec.dtype, spec.name, spec.rank) == ((None, 3), np.int32, "x", 2)
    assert tf.TensorSpec(None).rank is None
    assert tf.TensorSpec(3).shape == (3,)
    assert tf.TensorSpec([]).dtype == np.float32


@pytest.mark.parametrize("dtype", [str, bytes, "string", "str", object, tf.string, "U5", "S3"])
def test_strings_have_one_dtype(dtype):
    assert tf.TensorSpec((), dtype).dtype == tf.string


def test_equal_specs_have_equal_hashes():
    assert tf.TensorSpec([3]) == tf.TensorSpec((3,), "float32")
    assert hash(tf.TensorSpec([3])) == hash(tf.TensorSpec((3,)))
    assert tf.TensorSpec([3], name="a") != tf.TensorSpec([3])
    assert tf.TensorSpec([3]) != tf.TensorSpec([4])
    assert tf.TensorSpec([3]) != tf.SparseTensorSpec([3])


def test_a_spec_is_shown_as_it_is_written():
    plain = "TensorSpec(shape=(None, 3), dtype=tf.float32, name=None)"
    assert repr(tf.TensorSpec([None, 3])) == plain
    assert repr(tf.SparseTensorSpec([2])) == "SparseTensorSpec(TensorShape([2]), tf.float32)"
    ragged = tf.RaggedTensorSpec([2, None], tf.int32)
    assert repr(ragged) == "RaggedTensorSpec(TensorShape([2, None]), tf.int32, 1, tf.int64)"
    assert repr(tf.TensorSpec((), str, "x")) == "TensorSpec(shape=(), dtype=tf.string, name='x')"


@pytest.mark.parametrize("wrong", [[-3], [2, -7]])
def test_a_negative_length_is_refused(wrong):
    with pytest.raises(BuildError, match="lengths of at least 0, or None"):
        tf.TensorSpec(wrong)


def test_a_spec_without_dtype_is_refused():
    with pytest.raises(BuildTypeError, match="needs a dtype, got None"):
        tf.TensorSpec([3], None)


@pytest.mark.parametrize(
    ("spec", "value", "fits"),
    [
        (tf.TensorSpec([3]), tf.TensorSpec([3]), True),
        (tf.TensorSpec([3], name="a"), tf.TensorSpec([3]), True),
        (tf.TensorSpec([None]), tf.TensorSpec([3]), True),
        (tf.TensorSpec([3]), tf.TensorSpec([None]), True),
        (tf.TensorSpec(None), tf.TensorSpec([3]), True),
        (tf.TensorSpec([3]), tf.TensorSpec([4]), False),
        (tf.TensorSpec([3]), tf.TensorSpec([3, 1]), False),
        (tf.TensorSpec([3]), tf.TensorSpec([3], tf.int32), False),
        (tf.TensorSpec([3]), np.zeros(3, np.float32), True),
        (tf.TensorSpec([3]), np.zeros(3), False),
        (tf.TensorSpec((), tf.int32), 3, True),
        (tf.TensorSpec((), tf.string), "a", True),
        (tf.TensorSpec([3]), tf.SparseTensorSpec([3]), False),
        (tf.RaggedTensorSpec([None, None], tf.int32), constant([[1], [2, 3]]), True),
        (tf.RaggedTensorSpec([None, None], tf.int64), constant([[1], [2, 3]]), False),
        (tf.RaggedTensorSpec([None, None, None], tf.int32), constant([[1], [2]]), False),
        (tf.RaggedTensorSpec([None, None], tf.int32), tf.TensorSpec([None, None], tf.int32), False),
        (tf.SparseTensorSpec([None, 3], tf.int32), SPARSE, True),
        (tf.SparseTensorSpec([None, 4], tf.int32), SPARSE, False),
        (DatasetSpec(tf.TensorSpec((), tf.int64)), Dataset.range(3), True),
        (DatasetSpec(tf.TensorSpec((), tf.int32)), Dataset.range(3), False),
        (DatasetSpec((tf.TensorSpec((), tf.int64),)), Dataset.range(3), False),
        (IteratorSpec(tf.TensorSpec((), tf.int64)), iter(Dataset.range(3)), True),
        (IteratorSpec(tf.TensorSpec((), tf.int64)), Dataset.range(3), False),
        (NoneTensorSpec(), None, True),
    ],
)
def test_a_value_or_spec_fits_where_it_could_stand(spec, value, fits):
    assert spec.is_compatible_with(value) is fits


def test_specs_are_made_of_values():
    assert tf.TensorSpec.from_tensor(np.zeros((2, 3))) == tf.TensorSpec((2, 3), tf.float64)
    assert tf.TensorSpec.from_tensor("a", name="q") == tf.TensorSpec((), tf.string, "q")
    assert tf.RaggedTensorSpec.from_value(constant([[1], [2, 3]])) == tf.RaggedTensorSpec(
        [2, None], tf.int32, 1
    )
    assert tf.SparseTensorSpec.from_value(SPARSE) == tf.SparseTensorSpec([2, 3], tf.int32)
    assert DatasetSpec.from_value(Dataset.range(3)) == DatasetSpec(tf.TensorSpec((), tf.int64))
    assert IteratorSpec.from_value(iter(Dataset.range(3))) == IteratorSpec(
        tf.TensorSpec((), tf.int64)
    )


def test_a_spec_of_a_value_that_is_no_tensor_is_refused():
    with pytest.raises(BuildTypeError, match="must be an array, scalar or string"):
        tf.TensorSpec.from_tensor(constant([[1]]))


def test_a_spec_is_made_of_another_with_or_without_a_new_name():
    named = tf.TensorSpec([3], name="z")

    assert tf.TensorSpec.from_spec(named) == named
    assert tf.TensorSpec.from_spec(named, name="y") == tf.TensorSpec([3], name="y")
    assert tf.TensorSpec.from_spec(tf.SparseTensorSpec([3])) == tf.TensorSpec([3])


@pytest.mark.parametrize(
    ("spec", "row"),
    [
        (tf.TensorSpec([4, 3]), tf.TensorSpec([3])),
        (tf.TensorSpec(None), tf.TensorSpec(None)),
        (tf.RaggedTensorSpec([4, None], tf.int8), tf.RaggedTensorSpec([None], tf.int8, 0)),
        (tf.RaggedTensorSpec([None], tf.int8, 0), tf.TensorSpec([], tf.int8)),
        (tf.RaggedTensorSpec([4, None, None]), tf.RaggedTensorSpec([None, None])),
        (tf.SparseTensorSpec([4, 3]), tf.SparseTensorSpec([3])),
        (NoneTensorSpec(), NoneTensorSpec()),
    ],
)
def test_the_spec_of_a_row_has_one_axis_less(spec, row):
    assert spec.row_spec() == row


@pytest.mark.parametrize("spec", [tf.TensorSpec(()), DatasetSpec(tf.TensorSpec(()))])
def test_what_has_no_axis_has_no_rows(spec):
    with pytest.raises(SpecError, match="has no first axis"):
        spec.row_spec()


@pytest.mark.parametrize(
    ("spec", "batch"),
    [
        (tf.TensorSpec([3]), tf.TensorSpec([None, 3])),
        (tf.TensorSpec(None), tf.TensorSpec(None)),
        (tf.RaggedTensorSpec([2, None]), tf.RaggedTensorSpec([None, 2, None], ragged_rank=2)),
        (tf.SparseTensorSpec([3]), tf.SparseTensorSpec([None, 3])),
        (DatasetSpec(tf.TensorSpec(())), DatasetSpec(tf.TensorSpec(()), [None])),
        (NoneTensorSpec(), NoneTensorSpec()),
    ],
)
def test_the_spec_of_a_batch_has_one_axis_more(spec, batch):
    assert spec.batch_spec(None) == batch


def test_an_iterator_cannot_be_stacked():
    with pytest.raises(SpecError, match="cannot be stacked"):
        IteratorSpec(tf.TensorSpec(())).batch_spec(2)


def test_the_spec_of_an_element_has_its_structure():
    element = {"a": (np.zeros(2), "x"), "b": Point(None, constant([[1]])), "c": [1, 2]}

    assert spec_of(element) == {
        "a": (tf.TensorSpec([2], tf.float64), tf.TensorSpec((), tf.string)),
        "b": Point(NoneTensorSpec(), tf.RaggedTensorSpec([1, None], tf.int32)),
        "c": tf.TensorSpec([2], tf.int32),
    }


def test_specs_are_their_own_specs():
    spec = (tf.TensorSpec([3]), {"a": tf.SparseTensorSpec([3])})

    assert spec_of(spec) == spec


def test_merging_forgets_lengths_that_differ():
    one, other = tf.TensorSpec([2, 3]), tf.TensorSpec([2, 4])

    assert merge_specs([one, other]) == tf.TensorSpec([2, None])
    assert merge_specs([one, tf.TensorSpec([2])]) == tf.TensorSpec(None)
    assert merge_specs([one, one]) == one
    assert merge_specs([DatasetSpec(one), DatasetSpec(other)]) == DatasetSpec(
        tf.TensorSpec([2, None])
    )
    assert merge_specs([IteratorSpec(one), IteratorSpec(other)]) == IteratorSpec(
        tf.TensorSpec([2, None])
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (tf.TensorSpec([2]), tf.TensorSpec([2], tf.int32)),
        (tf.TensorSpec([2]), tf.SparseTensorSpec([2])),
        (tf.RaggedTensorSpec([2, None]), tf.RaggedTensorSpec([2, None, None])),
        (tf.TensorSpec([2]), (tf.TensorSpec([2]),)),
    ],
)
def test_specs_that_have_nothing_in_common_cannot_be_merged(one, other):
    with pytest.raises(SpecError):
        merge_specs([one, other])


def test_specs_agree_if_one_element_could_have_both():
    spec = (tf.TensorSpec([None]), {"a": tf.TensorSpec(())})

    assert specs_agree(spec, (tf.TensorSpec([3]), {"a": tf.TensorSpec(())}))
    assert not specs_agree(spec, (tf.TensorSpec([3]), {"b": tf.TensorSpec(())}))
    assert not specs_agree(spec, tf.TensorSpec([3]))


def test_zeros_have_the_spec_they_are_made_of():
    spec = {"a": tf.TensorSpec([None, 2], tf.int8), "b": tf.TensorSpec((), tf.string)}
    zeros = zeros_of(spec)

    assert zeros["a"].tolist() == [[0, 0]]
    assert zeros["b"] == b""
    assert zeros_of(tf.TensorSpec([2], tf.string)).tolist() == [b"", b""]
    assert zeros_of(tf.TensorSpec((), tf.int8)) == np.int8(0)
    with pytest.raises(SpecError, match="no example of"):
        zeros_of(tf.OptionalSpec(tf.TensorSpec(())))


@pytest.mark.parametrize(
    "spec",
    [
        tf.SparseTensorSpec([3, 2], tf.int32),
        tf.RaggedTensorSpec([2, None, 3], tf.float64, 1, np.int32),
        tf.RaggedTensorSpec([1, None, None], tf.string),
        tf.RaggedTensorSpec([1], tf.int8, 0),
        DatasetSpec({"a": tf.TensorSpec([2], tf.int8)}),
        NoneTensorSpec(),
    ],
    ids=str,
)
def test_zeros_can_be_made_of_every_kind_of_leaf(spec):
    assert spec.is_compatible_with(zeros_of(spec))


def test_zeros_of_several_datasets_are_an_array_of_them():
    spec = DatasetSpec(tf.TensorSpec([], tf.int8), [2])

    assert [spec_of(ds) for ds in zeros_of(spec)] == [DatasetSpec(spec.element_spec)] * 2


def test_rows_of_ragged_tensors_go_together_with_arrays():
    row, array = tf.RaggedTensorSpec([None], tf.int8, 0), tf.TensorSpec([3], tf.int8)

    assert row.is_compatible_with(array)
    assert array.is_compatible_with(row)
    assert row.is_compatible_with(np.zeros(2, np.int8))
    assert merge_specs([row, array]) == tf.TensorSpec([None], tf.int8)
    assert merge_specs([row, row]) == row


def test_a_function_is_mapped_over_the_leaves_of_several_specs():
    one = (tf.TensorSpec([2]), tf.TensorSpec([3]))

    assert map_spec(lambda a, b: (a.shape, b.shape), one, one) == (((2,), (2,)), ((3,), (3,)))


def test_what_a_dataset_says_of_its_elements_answers_to_tensorflows_habits():
    ds = Dataset.from_tensor_slices({"x": np.zeros((4, 3), np.int16), "s": ["a"] * 4}).batch(2)
    spec = ds.element_spec["x"]

    assert spec.shape.as_list() == [None, 3]
    assert spec.shape.is_compatible_with([2, 3])
    assert (spec.dtype.is_integer, spec.dtype.size) == (True, 2)
    assert ds.element_spec["s"].dtype.name == "string"
    assert spec == tf.TensorSpec([None, 3], np.int16)


def test_an_unknown_rank_is_a_shape_that_can_be_asked():
    ds = Dataset.from_generator(lambda: iter([1]), np.int32)
    spec = ds.element_spec

    assert spec.shape.rank is None
    assert spec == tf.TensorSpec(None, np.int32)
    assert hash(spec) == hash(tf.TensorSpec(None, np.int32))
    assert spec.batch_spec(2) == tf.TensorSpec(None, np.int32)
    assert spec.is_compatible_with(tf.TensorSpec([3], np.int32))
    assert tf.TensorSpec(spec.shape, spec.dtype) == spec


def test_specs_inside_of_a_window_have_the_face_too():
    window = Dataset.range(4).window(2).element_spec

    assert window.element_spec.dtype.is_integer
    assert window.element_spec.shape.rank == 0


def test_the_narrowest_spec_of_two_has_the_lengths_they_share():
    one, other = tf.TensorSpec([2, 3], np.int32), tf.TensorSpec([2, 4], np.int32)

    assert one.most_specific_compatible_type(other) == tf.TensorSpec([2, None], np.int32)
    assert one.most_specific_compatible_type(one) == one
    ragged = tf.RaggedTensorSpec([2, None], np.int32)
    merged = ragged.most_specific_compatible_type(tf.RaggedTensorSpec([3, None], np.int32))
    assert merged == tf.RaggedTensorSpec([None, None], np.int32)
    with pytest.raises(ValueError, match="have none"):
        one.most_specific_compatible_type(tf.TensorSpec([2, 3], np.int64))
    with pytest.raises(ValueError, match="have none"):
        one.most_specific_compatible_type(ragged)


def test_a_spec_knows_the_class_of_its_values():
    ragged = tf.RaggedTensorSpec([None, None], tf.int32, 1)

    assert tf.TensorSpec([2]).value_type is tf.Tensor
    assert tf.SparseTensorSpec([2]).value_type is tf.SparseTensor
    assert ragged.value_type is tf.RaggedTensor
    assert ragged.row_spec().value_type is tf.Tensor


def test_every_spec_is_a_type_spec():
    windows = tf.data.Dataset.range(4).window(2).element_spec
    specs = [tf.TensorSpec([]), tf.RaggedTensorSpec([2, None]), tf.SparseTensorSpec([2]), windows]

    assert all(isinstance(spec, tf.TypeSpec) for spec in specs)
    element = "TensorSpec(shape=(), dtype=tf.int64, name=None)"
    assert repr(windows) == f"DatasetSpec({element}, TensorShape([]))"
