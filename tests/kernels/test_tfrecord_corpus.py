"""What fuzzing found worth keeping, read by the kernel and its twin."""

from pathlib import Path

import numpy as np
import pytest

from feedline.kernels.tfrecord_scan import tfrecord_scan, tfrecord_scan_twin

CORPUS = sorted((Path(__file__).parents[2] / "native/tests/corpus/tfrecord").iterdir())


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
@pytest.mark.parametrize("checks", [True, False])
def test_native_equals_twin(path, checks):
    data = np.frombuffer(path.read_bytes(), np.uint8)[2:]
    bounds, *rest = tfrecord_scan(data, 0, 100, checks)
    expected, *others = tfrecord_scan_twin(data, 0, 100, checks)

    assert bounds.tolist() == expected.tolist()
    assert rest == others
