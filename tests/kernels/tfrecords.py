"""Frames, made and damaged, for the tests of the kernels about them."""

import numpy as np
from hypothesis import strategies as st

from feedline.kernels.tfrecord_frame import tfrecord_frame_twin


def framed(*records):
    """Return records in their frames, as bytes."""
    offsets = np.cumsum([0, *map(len, records)])
    return tfrecord_frame_twin(np.frombuffer(b"".join(records), np.uint8), offsets).tobytes()


def of(data):
    return np.frombuffer(data, np.uint8)


records = st.lists(st.binary(max_size=40), max_size=8)
edits = st.lists(
    st.tuples(
        st.sampled_from(["flip", "cut", "insert", "repeat", "length"]),
        st.integers(0, 10_000),
        st.integers(0, 2**64 - 1),
    ),
    max_size=3,
)


@st.composite
def damaged_frames(draw):
    """Frames of some records with a few random edits."""
    data = bytearray(framed(*draw(records)))
    for kind, place, value in draw(edits):
        at = place % (len(data) + 1)
        if kind == "flip" and at < len(data):
            data[at] ^= 1 << value % 8
        elif kind == "cut":
            del data[at : at + value % 20]
        elif kind == "insert":
            data[at:at] = value.to_bytes(8, "little")[: value % 9]
        elif kind == "repeat":
            data += data[:at]
        elif kind == "length":
            data[at:at] = header(value)
    return bytes(data)


def header(length):
    """A header whose checksum is right, though nothing may follow it."""
    data = length.to_bytes(8, "little")
    return data + framed(data)[-4:]
