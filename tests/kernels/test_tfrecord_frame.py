"""Records in their frames."""

import numpy as np
import pytest
from hypothesis import given

from feedline.kernels.tfrecord_frame import tfrecord_frame, tfrecord_frame_twin
from feedline.kernels.tfrecord_scan import tfrecord_scan
from tests.kernels.tfrecords import of, records

BOTH = pytest.mark.parametrize("frame", [tfrecord_frame, tfrecord_frame_twin])


@given(records)
def test_native_equals_twin_and_is_found_again(values):
    offsets = np.cumsum([0, *map(len, values)])
    data = of(b"".join(values))

    found = tfrecord_frame(data, offsets)
    bounds, damage, needed = tfrecord_scan(found, 0, len(values) + 1, True)

    assert found.tobytes() == tfrecord_frame_twin(data, offsets).tobytes()
    assert len(bounds) == len(values) + 1
    assert (damage, needed) == (0, 12)


@BOTH
def test_a_part_of_the_data_can_be_framed(frame):
    whole = frame(of(b"onetwo"), np.array([0, 3, 6]))
    part = frame(of(b"onetwo"), np.array([3, 6]))

    assert part.tobytes() == whole.tobytes()[19:]
    assert frame(of(b""), np.array([0])).tobytes() == b""


@BOTH
@pytest.mark.parametrize("offsets", [[], [0, 7], [-1, 2], [3, 1], [0, 2**63 - 1], [0, -(2**63)]])
def test_offsets_outside_the_data_are_refused(frame, offsets):
    with pytest.raises(ValueError, match="offsets"):
        frame(of(b"onetwo"), np.array(offsets, np.int64))
