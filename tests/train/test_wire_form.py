"""Messages that stay bytes until somebody looks into them: nobody can tell them from others."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.errors import BuildTypeError
from feedline.train import (
    BytesList,
    Example,
    Feature,
    FeatureList,
    Features,
    FloatList,
    Int64List,
    SequenceExample,
)

NAMES = st.text(st.sampled_from("abé"), max_size=3)
LISTS = st.one_of(
    st.fixed_dictionaries({"float_list": st.lists(st.floats(width=32, allow_nan=False))}),
    st.fixed_dictionaries({"int64_list": st.lists(st.integers(-(2**63), 2**63 - 1))}),
    st.fixed_dictionaries({"bytes_list": st.lists(st.binary(max_size=5))}),
    st.just({}),
)
RECORDS = st.dictionaries(NAMES, LISTS, max_size=4)
KINDS = {"float_list": FloatList, "int64_list": Int64List, "bytes_list": BytesList}


def made_at_once(record):
    """By constructors: bytes all the way."""
    features = {
        name: Feature(**{kind: KINDS[kind](value=values) for kind, values in lists.items()})
        for name, lists in record.items()
    }
    return Example(features=Features(feature=features))


def made_step_by_step(record):
    """By changes: objects all the way."""
    example = Example()
    example.features.SetInParent()
    for name, lists in record.items():
        feature = example.features.feature[name]
        for kind, values in lists.items():
            getattr(feature, kind).SetInParent()
            for value in values:
                getattr(feature, kind).value.append(value)
    return example


def looked_through(example):
    """The same, all of it looked at."""
    repr(example)
    return example


@given(RECORDS)
def test_however_a_record_is_made_it_is_the_same(record):
    one, other = made_at_once(record), made_step_by_step(record)

    assert one.SerializeToString() == other.SerializeToString()
    assert looked_through(made_at_once(record)).SerializeToString() == other.SerializeToString()
    assert one == other
    assert repr(one) == repr(other)


@given(RECORDS)
def test_what_was_read_is_what_was_written(record):
    wire = made_step_by_step(record).SerializeToString()

    read = Example.FromString(wire)
    assert read.SerializeToString() == wire
    assert looked_through(read).SerializeToString() == wire
    assert pickle.loads(pickle.dumps(Example.FromString(wire))) == read
    for name, lists in record.items():
        for kind, values in lists.items():
            assert getattr(read.features.feature[name], kind).value == values


@given(RECORDS, RECORDS)
def test_merging_gives_the_same_either_way(first, second):
    one, other = made_at_once(first), made_step_by_step(first)

    one.MergeFrom(made_at_once(second))
    other.MergeFrom(made_step_by_step(second))

    assert one == other


def test_a_copy_does_not_follow_its_original():
    numbers = Int64List(value=[1])
    feature = Feature(int64_list=numbers)

    numbers.value.append(2)

    assert feature.int64_list.value == [1]
    again = copy.deepcopy(feature)
    feature.int64_list.value.append(3)
    assert (feature.int64_list.value, again.int64_list.value) == ([1, 3], [1])


def test_what_is_changed_inside_is_written():
    read = Example.FromString(made_at_once({"a": {"int64_list": [1]}}).SerializeToString())

    read.features.feature["a"].int64_list.value[0] = 5
    read.features.feature["b"].float_list.value.append(0.5)

    wanted = made_at_once({"a": {"int64_list": [5]}, "b": {"float_list": [0.5]}})
    assert read == wanted


def test_an_object_inside_stays_the_same_object():
    read = Example.FromString(made_at_once({"a": {"int64_list": [1]}}).SerializeToString())

    assert read.features is read.features
    assert read.features.feature["a"] is read.features.feature["a"]
    assert read.features.feature.get("a") is read.features.feature["a"]
    assert next(iter(read.features.feature.values())) is read.features.feature["a"]


def test_an_entry_can_be_taken_out_before_it_was_looked_at():
    read = Features.FromString(Features(feature={"a": Feature()}).SerializeToString())

    assert read.feature.pop("a") == Feature()
    assert len(read.feature) == 0
    assert read.SerializeToString() == b""


def test_reading_again_forgets_what_was_there():
    feature = Feature(float_list=FloatList(value=[1]))
    feature.float_list.value.append(2)

    feature.ParseFromString(Feature(int64_list=Int64List(value=[3])).SerializeToString())

    assert feature.WhichOneof("kind") == "int64_list"
    assert feature.int64_list.value == [3]
    assert len(feature.float_list.value) == 0


def test_reading_into_a_message_inside_sets_it():
    example = Example()

    example.features.ParseFromString(Features(feature={"a": Feature()}).SerializeToString())

    assert example.HasField("features")
    assert list(example.features.feature) == ["a"]


def test_values_that_can_be_read_once_are_not_lost():
    made = Example(features={"feature": {"a": {"float_list": {"value": iter([1.0, 2.0])}}}})

    assert made.features.feature["a"].float_list.value == [1, 2]


def test_large_values_are_kept_too():
    image, numbers = bytes(100_000), list(range(-20_000, 20_000))
    record = {"image": {"bytes_list": [image]}, "numbers": {"int64_list": numbers}}
    made = made_at_once(record)

    read = Example.FromString(made.SerializeToString())

    assert read == made
    assert read.features.feature["image"].bytes_list.value == [image]
    assert read.features.feature["numbers"].int64_list.value == numbers


def test_arrays_are_taken_as_lists_are():
    assert FloatList(value=np.array([0.1, 1e300])) == FloatList(value=[0.1, 1e300])
    assert Int64List(value=np.array([3, -1], np.int8)) == Int64List(value=[3, -1])
    assert FloatList(value=np.array([], np.float32)) == FloatList()


def test_steps_of_a_sequence_are_found():
    steps = FeatureList(feature=[Feature(int64_list=Int64List(value=[n])) for n in range(3)])
    record = SequenceExample(context=Features(feature={"a": Feature()}))
    record.feature_lists.feature_list["steps"].CopyFrom(steps)

    read = SequenceExample.FromString(record.SerializeToString())

    assert read == record
    assert [f.int64_list.value[0] for f in read.feature_lists.feature_list["steps"].feature] == [
        0,
        1,
        2,
    ]
    assert list(read.context.feature) == ["a"]


def test_bytes_that_would_be_written_in_another_way_are():
    entry = b"\x0a\x05\x0a\x01a\x12\x00"
    unpacked, twice = b"\x08\x01\x08\x02", entry + entry

    assert Int64List.FromString(unpacked).SerializeToString() == b"\x0a\x02\x01\x02"
    assert Features.FromString(twice).SerializeToString() == entry


def test_sorting_is_done_where_it_is_asked_for():
    made = made_at_once({"b": {}, "a": {}})
    other = made_at_once({"a": {}, "b": {}})

    assert made.SerializeToString() != other.SerializeToString()
    assert made.SerializeToString(deterministic=True) == other.SerializeToString()
    assert made == other


def test_a_name_that_does_not_exist_is_an_error_as_in_any_object():
    with pytest.raises(AttributeError, match="'Example' object has no attribute 'feature'"):
        _ = made_at_once({}).feature


def test_errors_are_those_of_the_field():
    with pytest.raises(BuildTypeError, match=r"FloatList\.value must hold numbers, got 'x'"):
        FloatList(value=[1.0, "x"])
    with pytest.raises(BuildTypeError, match=r"Int64List\.value must hold integers, got 1\.5"):
        made_at_once({"a": {"int64_list": [1.5]}})


@pytest.mark.parametrize("empty", [[], np.zeros(0, np.float32), np.zeros(0, np.int64)])
def test_a_list_of_no_floats_is_not_written(empty):
    assert FloatList(value=empty).SerializeToString() == b""
    assert FloatList(value=empty) == FloatList()
