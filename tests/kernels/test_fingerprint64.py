import hashlib

import pytest

from feedline.kernels.fingerprint64 import fingerprint64


def some_bytes(length):
    return b"".join(hashlib.sha256(bytes([i])).digest() for i in range(length // 32 + 1))[:length]


# What tf.fingerprint() of TensorFlow 2.21 gives for some_bytes(length): every branch, and the
# lengths on both sides of each border between them.
EXPECTED = {
    0: 11160318154034397263,
    1: 16513211289431030781,
    2: 13981114959960707969,
    3: 15584269171559727765,
    4: 10163869039667694545,
    7: 13380864499934514037,
    8: 10649601981700906328,
    9: 1561780501888057997,
    16: 13116816683609696261,
    17: 196805214387429730,
    32: 13610122988808844300,
    33: 10913802191406041834,
    48: 14061192944664623312,
    63: 363648929856347280,
    64: 17344876096255373444,
    65: 14587254919539776675,
    127: 4729616528189676687,
    128: 9060772456796213711,
    129: 3213230999229420922,
    192: 3505930119722265413,
    193: 11298235739618020953,
    1000: 16146856162286612597,
}


@pytest.mark.parametrize("length", EXPECTED)
def test_fingerprints_are_those_of_tensorflow(length):
    assert fingerprint64(some_bytes(length)) == EXPECTED[length]
