"""feedline.train: the messages records hold, with protobuf's behaviour and wire format."""

from __future__ import annotations

from feedline.namespace import open_namespace
from feedline.train.example import (
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

open_namespace(globals())
