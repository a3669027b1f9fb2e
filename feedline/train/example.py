"""example: the messages of tf.train in which records hold named features."""

from __future__ import annotations

from feedline.train.fields import Scalars
from feedline.train.inner_fields import ManyMessages, Mapped, OneMessage
from feedline.train.message import Message
from feedline.train.scalars import BYTES, FLOAT, INT64

__all__ = [
    "BytesList",
    "Example",
    "Feature",
    "FeatureList",
    "FeatureLists",
    "Features",
    "FloatList",
    "Int64List",
    "SequenceExample",
]


class BytesList(Message):
    """Byte strings."""

    __slots__ = ()
    value: Scalars[bytes] = Scalars(1, BYTES)


class FloatList(Message):
    """Numbers, kept as float32."""

    __slots__ = ()
    value: Scalars[float] = Scalars(1, FLOAT)


class Int64List(Message):
    """Integers of 64 bits."""

    __slots__ = ()
    value: Scalars[int] = Scalars(1, INT64)


class Feature(Message):
    """One list, of one of three kinds.

    Example:
        >>> feature = Feature(int64_list=Int64List(value=[3, 4]))
        >>> feature.WhichOneof("kind"), feature.int64_list.value
        ('int64_list', [3, 4])
    """

    __slots__ = ()
    bytes_list = OneMessage(1, BytesList, "kind")
    float_list = OneMessage(2, FloatList, "kind")
    int64_list = OneMessage(3, Int64List, "kind")


class Features(Message):
    """Features by name."""

    __slots__ = ()
    feature = Mapped(1, Feature)


class Example(Message):
    """A record: features by name.

    Example:
        >>> example = Example(features={"feature": {"x": {"float_list": {"value": [0.5]}}}})
        >>> example.features.feature["label"].int64_list.value.append(7)
        >>> Example.FromString(example.SerializeToString()) == example
        True
        >>> print(example.features.feature["label"])
        int64_list {
          value: 7
        }
    """

    __slots__ = ()
    features = OneMessage(1, Features)


class FeatureList(Message):
    """One feature for each step of a sequence."""

    __slots__ = ()
    feature = ManyMessages(1, Feature)


class FeatureLists(Message):
    """Feature lists by name."""

    __slots__ = ()
    feature_list = Mapped(1, FeatureList)


class SequenceExample(Message):
    """A record of a sequence: features of the whole, and lists with a feature for each step.

    Example:
        >>> record = SequenceExample()
        >>> record.feature_lists.feature_list["words"].feature.add().bytes_list.value.append(b"a")
        >>> len(record.feature_lists.feature_list["words"].feature)
        1
    """

    __slots__ = ()
    context = OneMessage(1, Features)
    feature_lists = OneMessage(2, FeatureLists)
