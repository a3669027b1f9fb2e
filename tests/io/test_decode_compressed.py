"""decode_compressed; results are compared with TensorFlow in tests/golden."""

import gzip
import zlib

import numpy as np
import pytest

import feedline as tf
from feedline.data import Dataset
from feedline.errors import BuildError, DataLossError

PACKED = gzip.compress(b"abc" * 1000, mtime=0)


def test_blocks_and_arrays_are_done_at_once():
    words = [bytes([i]) * i for i in range(100)]
    ds = Dataset.from_tensor_slices(np.array([zlib.compress(word) for word in words], object))

    assert list(ds.map(lambda text: tf.io.decode_compressed(text, "ZLIB"))) == words
    (batch,) = ds.batch(100).map(lambda texts: tf.io.decode_compressed(texts, "ZLIB"))
    assert batch.tolist() == words


def test_several_members_of_gzip_are_one():
    assert tf.io.decode_compressed(PACKED + PACKED, "GZIP") == b"abc" * 2000
    assert tf.io.decode_compressed(b"abc") == b"abc"


@pytest.mark.parametrize(
    ("data", "kind"),
    [(PACKED[:-9], "GZIP"), (PACKED, "ZLIB"), (zlib.compress(b"abc" * 99)[:-5], "ZLIB")],
    ids=["cut off", "the other way", "no end"],
)
def test_damage_is_an_error(data, kind):
    with pytest.raises(DataLossError, match=f"are not {kind}"):
        tf.io.decode_compressed(data, kind)


def test_other_ways_are_refused():
    with pytest.raises(BuildError, match="must be '', 'GZIP' or 'ZLIB', got 'ZSTD'"):
        tf.io.decode_compressed(b"", "ZSTD")
