"""bitwise: TensorFlow's ``bitwise`` names."""

from __future__ import annotations

from feedline.arrays.bits import (
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    invert,
    left_shift,
    right_shift,
)
from feedline.namespace import open_namespace
from feedline.values.publishing import publish

__all__ = [
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "invert",
    "left_shift",
    "right_shift",
]

publish(globals(), __all__)
open_namespace(globals())
