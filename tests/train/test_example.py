"""tf.train's messages: what everyday code does with them."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.errors import BuildError, BuildTypeError, DecodeError
from feedline.train import (
    BytesList,
    Example,
    Feature,
    FeatureList,
    FeatureLists,
    Features,
    FloatList,
    Int64List,
    SequenceExample,
)

# What protobuf writes for the record below, its map sorted.
WIRE = bytes.fromhex(
    "0a380a0d0a01611208120 60a040000003f0a140a0162120f1a0d0a0b01ffffffffffffffffff01"
    "0a0a0a01631205 0a030a01780a050a01641200".replace(" ", "")
)
TEXT = """features {
  feature {
    key: "a"
    value {
      float_list {
        value: 0.5
      }
    }
  }
  feature {
    key: "b"
    value {
      int64_list {
        value: 1
        value: -1
      }
    }
  }
  feature {
    key: "c"
    value {
      bytes_list {
        value: "x"
      }
    }
  }
  feature {
    key: "d"
    value {
    }
  }
}
"""


def record():
    return Example(
        features=Features(
            feature={
                "b": Feature(int64_list=Int64List(value=[1, -1])),
                "a": Feature(float_list=FloatList(value=[0.5])),
                "c": Feature(bytes_list={"value": [b"x"]}),
                "d": Feature(),
            }
        )
    )


def test_it_is_written_as_protobuf_writes_it():
    assert record().SerializeToString(deterministic=True) == WIRE
    assert Example.FromString(WIRE) == record()


def test_its_text_is_that_of_protobuf():
    assert str(record()) == TEXT
    assert repr(record()) == TEXT


def test_it_is_made_of_dicts_and_lists_as_well():
    made = Example(
        features={
            "feature": {
                "a": {"float_list": {"value": [0.5]}},
                "b": {"int64_list": {"value": np.array([1, -1])}},
                "c": {"bytes_list": {"value": [b"x"]}},
                "d": {},
            }
        }
    )

    assert made == record()


def test_asking_a_map_for_a_name_makes_an_entry():
    example = Example()

    example.features.feature["x"].int64_list.value.append(3)

    assert "x" in example.features.feature
    assert example.HasField("features")
    assert example.features.feature["x"].WhichOneof("kind") == "int64_list"


def test_looking_without_asking_makes_none():
    example = Example()

    assert example.features.feature.get("x") is None
    assert "x" not in example.features.feature
    assert not example.HasField("features")


def test_reading_a_message_inside_does_not_set_it():
    feature = Feature()

    assert list(feature.int64_list.value) == []
    assert feature.WhichOneof("kind") is None
    assert not feature.HasField("kind")


def test_of_a_oneof_the_last_that_was_set_counts():
    feature = Feature(int64_list={"value": [1]}, float_list={"value": [2]})
    assert feature.WhichOneof("kind") == "float_list"

    feature.bytes_list.value.extend([b"a"])
    assert feature.WhichOneof("kind") == "bytes_list"
    assert len(feature.float_list.value) == 0

    feature.ClearField("kind")
    assert feature == Feature()


def test_an_empty_list_that_was_set_is_set():
    feature = Feature()
    feature.int64_list.SetInParent()

    assert feature.HasField("int64_list")
    assert feature != Feature()
    assert Feature.FromString(feature.SerializeToString()).WhichOneof("kind") == "int64_list"


def test_lists_behave_like_lists():
    numbers = Int64List(value=[3, 1, 2])
    numbers.value[1:] = [5, 6]
    numbers.value[0] = 4
    numbers.value.insert(0, 9)
    del numbers.value[-1]
    numbers.value.sort()

    assert numbers.value == [4, 5, 9]
    assert numbers.value[-2:] == [5, 9]
    assert np.asarray(numbers.value).dtype == np.int64
    assert np.asarray(FloatList(value=[1]).value).dtype == np.float32


def test_floats_are_kept_as_float32():
    values = FloatList(value=[0.1, 1e300, np.float64(2), 3, True]).value

    assert values[0] == float(np.float32(0.1))
    assert values[1:] == [np.inf, 2, 3, 1]


def test_steps_are_added_one_by_one():
    steps = FeatureList(feature=[{"float_list": {"value": [1]}}])
    steps.feature.add(int64_list={"value": [2]})
    steps.feature.append(Feature())
    steps.feature.add().bytes_list.value.append(b"q")

    assert [step.WhichOneof("kind") for step in steps.feature] == [
        "float_list",
        "int64_list",
        None,
        "bytes_list",
    ]


def test_what_is_put_in_is_copied():
    feature = Feature(int64_list={"value": [1]})
    steps = FeatureList(feature=[feature])
    feature.int64_list.value.append(2)

    assert steps.feature[0].int64_list.value == [1]


def test_messages_are_merged_and_copied():
    example = Example(features={"feature": {"a": {"int64_list": {"value": [1]}}}})
    other = Example(features={"feature": {"b": {"int64_list": {"value": [2]}}}})
    example.MergeFrom(other)

    assert set(example.features.feature) == {"a", "b"}

    example.CopyFrom(other)
    assert example == other
    example.Clear()
    assert example.ByteSize() == 0


def test_reading_more_adds_to_lists_and_replaces_entries_of_maps():
    numbers = Int64List(value=[1])
    assert numbers.MergeFromString(Int64List(value=[2]).SerializeToString()) == 3
    assert numbers.value == [1, 2]

    features = Features(feature={"a": {"int64_list": {"value": [1]}}})
    features.MergeFromString(Features(feature={"a": {}}).SerializeToString())
    assert features.feature["a"].WhichOneof("kind") is None

    assert features.ParseFromString(b"") == 0
    assert features == Features()


def test_it_survives_pickling_and_copying():
    sequence = SequenceExample(
        context={"feature": {"a": {"int64_list": {"value": [1]}}}},
        feature_lists=FeatureLists(feature_list={"s": {"feature": [{}]}}),
    )

    assert pickle.loads(pickle.dumps(sequence)) == sequence
    assert copy.deepcopy(sequence) == sequence
    assert sequence != Example()


def test_unknown_fields_are_kept_and_can_be_dropped():
    data = WIRE + b"\x12\x01a" + b"\x18\x96\x01" + b"\x25" + bytes(4)
    example = Example.FromString(data)

    assert example.SerializeToString(deterministic=True) == data
    example.DiscardUnknownFields()
    assert example == record()


def test_numbers_that_are_not_packed_are_read():
    assert Int64List.FromString(b"\x08\x01\x0a\x02\x02\x03\x08\x04").value == [1, 2, 3, 4]
    assert FloatList.FromString(b"\x0d\x00\x00\x80\x3f").value == [1]


def test_nan_is_itself():
    assert FloatList(value=[np.nan]) == FloatList(value=[np.nan])


@pytest.mark.parametrize(
    ("make", "kind", "what"),
    [
        (lambda: FloatList(value=["a"]), TypeError, "FloatList.value must hold numbers"),
        (lambda: FloatList(value=[None]), TypeError, "must hold numbers, got None"),
        (lambda: FloatList(value=3.0), TypeError, r"Put it in a list: \[value\]"),
        (lambda: FloatList(value=np.ones((2, 2))), TypeError, "Flatten the array"),
        (lambda: Int64List(value=[1.0]), TypeError, r"Write int\(value\)"),
        (lambda: Int64List(value=[True]), TypeError, "must hold integers, got True"),
        (lambda: Int64List(value=np.array([True])), TypeError, "must hold integers"),
        (lambda: Int64List(value=[2**63]), ValueError, "64 bits with sign"),
        (lambda: BytesList(value=["é"]), TypeError, r"Encode it: value.encode\(\)"),
        (lambda: BytesList(value=b"abc"), TypeError, "must hold a list of bytes"),
        (lambda: BytesList(value=[bytearray(b"x")]), TypeError, "must hold bytes"),
        (lambda: Example(feature=1), ValueError, "no field 'feature'. It has: features"),
        (lambda: Feature(int64_list=[1]), TypeError, "Int64List or a dict of its fields"),
        (lambda: Feature(int64_list=FloatList()), TypeError, "of type FloatList"),
        (lambda: Feature().WhichOneof("k"), ValueError, "no field 'k'"),
        (lambda: FloatList().HasField("value"), ValueError, "never unset"),
        (lambda: Features().feature[3], TypeError, "a name must be a str, got 3"),
        (lambda: Example.FromString("a"), TypeError, "is read from bytes"),
        (lambda: Example().MergeFrom(Feature()), TypeError, "merged with its like"),
    ],
)
def test_a_mistake_is_named_with_its_remedy(make, kind, what):
    with pytest.raises(kind, match=what) as raised:
        make()

    assert isinstance(raised.value, BuildError)


def test_messages_and_lists_inside_cannot_be_replaced():
    feature = Feature()

    with pytest.raises(AttributeError, match=r"Change it in place: CopyFrom\(\)"):
        feature.int64_list = Int64List()
    with pytest.raises(AttributeError, match=r"append\(\)"):
        feature.int64_list.value = [1]
    with pytest.raises(AttributeError):
        feature.unknown = 1
    with pytest.raises(BuildError, match=r"CopyFrom\(message\)"):
        Features().feature["x"] = Feature()
    with pytest.raises(BuildTypeError, match=r"CopyFrom\(message\)"):
        FeatureList(feature=[{}]).feature[0] = Feature()


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (WIRE[:-1], "byte 1 of 57: 56 bytes are announced, 55 are left"),
        (b"\xff\xff", "byte 0 of 2: a number is cut short"),
        (b"\x0a\x07\x0a\x05\x0a\x01\xff\x12\x00", "byte 4 of 9: a name is not UTF-8"),
    ],
)
def test_damaged_bytes_are_an_error_at_a_byte(data, what):
    with pytest.raises(DecodeError, match=what):
        Example.FromString(data)


@given(st.binary(max_size=80))
def test_any_bytes_are_a_message_or_an_error(data):
    kinds = []
    for kind in (Example, SequenceExample):
        try:
            again = kind.FromString(data)
        except DecodeError:
            continue
        assert kind.FromString(again.SerializeToString()) == again
        kinds.append(kind)

    assert len(kinds) <= 2


@given(
    st.dictionaries(
        st.text(max_size=5),
        st.one_of(
            st.lists(st.binary(max_size=5)).map(lambda v: {"bytes_list": {"value": v}}),
            st.lists(st.floats(width=32)).map(lambda v: {"float_list": {"value": v}}),
            st.lists(st.integers(-(2**63), 2**63 - 1)).map(lambda v: {"int64_list": {"value": v}}),
        ),
    )
)
def test_what_is_written_is_read_again(features):
    example = Example(features={"feature": features})

    assert Example.FromString(example.SerializeToString()) == example
    assert len(example.SerializeToString()) == example.ByteSize()


@pytest.mark.parametrize("form", [bytes, bytearray, memoryview])
def test_what_is_parsed_takes_the_place_of_what_was_there(form):
    def wire(name):
        return form(Features(feature={name: Feature()}).SerializeToString())

    features = Features(feature={"a": Feature()})

    assert features.ParseFromString(wire("b")) == len(wire("b"))
    assert list(features.feature) == ["b"]
    assert features.MergeFromString(wire("c")) == len(wire("c"))
    assert sorted(features.feature) == ["b", "c"]
