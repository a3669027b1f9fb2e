"""WAV files: what is written is read, and damaged files are refused, whatever they say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import feedline as tf
from feedline.audio.wav_format import read_wav, written_wav
from feedline.errors import DecodeError

samples = st.lists(st.lists(st.integers(-(2**15), 2**15 - 1), min_size=2, max_size=2), max_size=8)
WHOLE = written_wav(np.arange(6, dtype=np.int16).reshape(3, 2), 8000)


def numbers(rows):
    return np.array(rows, np.int16).reshape(-1, 2)


@given(rows=samples, rate=st.integers(1, 2**28))
def test_what_is_written_is_read(rows, rate):
    found = read_wav(written_wav(numbers(rows), rate))

    assert found.numbers.tolist() == rows
    assert found.rate == rate


@settings(max_examples=300)
@given(
    changes=st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), max_size=6),
    end=st.integers(0, len(WHOLE)),
    more=st.binary(max_size=12),
)
def test_a_damaged_file_is_read_or_refused(changes, end, more):
    data = bytearray(WHOLE)
    for place, value in changes:
        data[place] = value
    damaged = bytes(data[:end]) + more

    try:
        found = read_wav(damaged)
    except DecodeError:
        return
    assert found.numbers.nbytes <= len(damaged)


def test_a_damaged_file_says_what_is_wrong():
    with pytest.raises(DecodeError, match=r"2 bytes are needed|damaged or cut off"):
        tf.audio.decode_wav(WHOLE[:-1])
    with pytest.raises(DecodeError, match="no WAV"):
        tf.audio.decode_wav(b"ID3\0" * 20)
    with pytest.raises(tf.errors.InvalidArgumentError, match="desired_channels must be -1"):
        tf.audio.decode_wav(WHOLE, desired_channels=-3)


def test_other_things_than_bytes_are_refused():
    with pytest.raises(TypeError, match="must be the bytes of one file"):
        tf.audio.decode_wav(np.zeros(3))
