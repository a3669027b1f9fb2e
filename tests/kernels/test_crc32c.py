"""The checksum of TFRecord files."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.crc32c import crc32c, crc32c_twin, masked
from feedline.kernels.native import native

BY_TABLE = crc32c_twin if native is None else native.crc32c_by_table


def of(data):
    return np.frombuffer(data, np.uint8)


@pytest.mark.parametrize("checksum", [crc32c, crc32c_twin, BY_TABLE])
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", 0),
        (b"123456789", 0xE3069283),
        (bytes(32), 0x8A9136AA),
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
        (bytes(reversed(range(32))), 0x113FDB5C),
    ],
)
def test_the_published_checksums_are_found(checksum, data, expected):
    assert checksum(of(data)) == expected


@given(st.binary(min_size=1, max_size=64), st.integers(1, 400), st.integers(0, 7))
def test_native_equals_twin(data, times, before):
    data = of(data * times)[before:]

    assert crc32c(data) == BY_TABLE(data) == crc32c_twin(data)


@pytest.mark.parametrize("length", [6143, 6144, 6145, 383, 384, 385, 12288 + 384 + 9])
def test_lengths_around_the_parallel_runs_agree(length):
    data = np.random.default_rng(length).integers(0, 256, length).astype(np.uint8)

    assert crc32c(data) == crc32c_twin(data)


def test_a_stored_checksum_is_masked():
    assert masked(0) == 0xA282EAD8
    assert masked(crc32c(of((3).to_bytes(8, "little")))) == 0x0E4999B0
