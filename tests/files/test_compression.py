"""Packed files."""

import gzip
import os
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.errors import BuildError, BuildTypeError, DataLossError
from feedline.files import compression_named, unpacked

PACK = {"GZIP": gzip.compress, "ZLIB": zlib.compress, "": bytes}


def pieces(data, size):
    return [data[at : at + size] for at in range(0, len(data), size)]


@given(
    content=st.binary(max_size=3000),
    times=st.integers(1, 300),
    kind=st.sampled_from(["", "GZIP", "ZLIB"]),
    chunk=st.integers(1, 5000),
    size=st.integers(1, 70_000),
)
def test_what_was_packed_comes_out_in_bounded_pieces(content, times, kind, chunk, size):
    content = content * times

    parts = list(unpacked(pieces(PACK[kind](content), chunk), kind, "x", max(size, chunk)))

    assert b"".join(parts) == content
    assert all(0 < len(part) <= max(size, chunk) for part in parts)


@given(chunk=st.integers(1, 100), parts=st.lists(st.binary(max_size=50), max_size=4))
def test_a_gzip_file_may_have_several_parts(chunk, parts):
    packed = b"".join(map(gzip.compress, parts))

    assert b"".join(unpacked(pieces(packed, chunk), "GZIP", "x")) == b"".join(parts)


def test_little_that_stands_for_much_is_unpacked_step_by_step():
    parts = unpacked([gzip.compress(bytes(1 << 28), 1)], "GZIP", "x", 1 << 16)

    assert len(next(parts)) == 1 << 16


# Without a time in it, which would make the names of tests differ.
GZIPPED = gzip.compress(b"abc", mtime=0)


@pytest.mark.parametrize("kind", ["GZIP", "ZLIB"])
def test_a_truncated_file_is_named(kind):
    with pytest.raises(DataLossError, match=f"a/b: the {kind} data is cut off after 20 bytes"):
        list(unpacked([PACK[kind](os.urandom(99))[:20]], kind, "a/b"))


@pytest.mark.parametrize(
    ("data", "kind", "says"),
    [
        (zlib.compress(b"abc"), "GZIP", "looks like a ZLIB file. Give compression_type='ZLIB'"),
        (GZIPPED, "ZLIB", "is a GZIP file. Give compression_type='GZIP'"),
        (b"plain text, plain text", "GZIP", "is not a GZIP file .* leave compression_type out"),
        (b"plain text, plain text", "ZLIB", "is not a ZLIB file .* leave compression_type out"),
        (GZIPPED + b"and more garbage", "GZIP", "GZIP data is damaged near byte 0"),
        (zlib.compress(b"abc") + b"and more garbage", "ZLIB", "more bytes follow the end"),
        (GZIPPED[:-6] + b"\xff" * 6, "GZIP", "GZIP data is damaged"),
    ],
)
def test_damage_is_named_with_its_remedy(data, kind, says):
    with pytest.raises(DataLossError, match=says):
        list(unpacked([data], kind, "x"))


@given(data=st.binary(max_size=200), kind=st.sampled_from(["GZIP", "ZLIB"]), flip=st.integers(0))
def test_damaged_data_raises_nothing_else(data, kind, flip):
    packed = bytearray(PACK[kind](data))
    packed[flip % len(packed)] ^= 1 << flip % 8

    with suppress(DataLossError):
        list(unpacked([bytes(packed)], kind, "x"))


@pytest.mark.parametrize(
    ("value", "says"),
    [("gzip", "got 'gzip'. Write 'GZIP'."), ("SNAPPY", "'GZIP' or 'ZLIB', got 'SNAPPY'.")],
)
def test_other_names_are_refused(value, says):
    with pytest.raises(BuildError, match=says):
        compression_named(value, "f()")


def test_other_types_are_refused():
    with pytest.raises(BuildTypeError, match="of type int"):
        compression_named(1, "f()")
