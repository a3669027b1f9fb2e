"""Messages as bytes, without an object for every field."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from feedline.kernels import messages as kernels
from feedline.kernels.messages import KINDS

BOTH = pytest.mark.parametrize("suffix", ["", "_twin"])
CORPUS = sorted((Path(__file__).parents[2] / "native/tests/corpus/messages").iterdir())
VALUE = st.one_of(
    st.floats(), st.integers(-(2**70), 2**70), st.booleans(), st.text(max_size=1), st.none()
)

LIST = st.one_of(
    st.just(b""),
    st.lists(st.binary(max_size=3), max_size=3).map(lambda parts: b"".join(map(field_1, parts))),
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=3).map(kernels.int64_list_twin),
    st.lists(st.floats(width=32), max_size=3).map(kernels.float_list_twin),
    st.binary(max_size=6),
)
FEATURE = st.tuples(st.sampled_from([b"\x0a", b"\x12", b"\x1a", b"\x22"]), LIST).map(
    lambda pair: pair[0] + bytes([len(pair[1])]) + pair[1]
)
ENTRY = st.tuples(st.sampled_from([b"", b"a", "é".encode(), b"\xff"]), FEATURE).map(
    lambda pair: field_1(field_1(pair[0]) + b"\x12" + bytes([len(pair[1])]) + pair[1])
)
FEATURES = st.lists(ENTRY, max_size=3).map(b"".join)
WIRE = st.one_of(LIST, FEATURE, ENTRY, FEATURES, FEATURES.map(lambda inner: field_1(inner[:127])))


def field_1(part):
    return b"\x0a" + bytes([len(part)]) + part


def call(name, suffix):
    return getattr(kernels, name + suffix)


@given(WIRE, st.sampled_from(range(9)))
@example(b"\x0a\x81\x00a", KINDS["BytesList"])
@example(b"\x0a\x0a" + b"\xff" * 9 + b"\x01", KINDS["Int64List"])
@example(b"\x0a\x0a" + b"\xff" * 9 + b"\x02", KINDS["Int64List"])
@example(b"\x0a\x02\x80\x00", KINDS["Int64List"])
def test_native_and_twin_take_the_same_for_canonical(wire, kind):
    assert kernels.is_canonical(wire, kind) == kernels.is_canonical_twin(wire, kind)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
@pytest.mark.parametrize("kind", range(9))
def test_native_and_twin_agree_on_the_corpus(path, kind):
    wire = path.read_bytes()

    assert kernels.is_canonical(wire, kind) == kernels.is_canonical_twin(wire, kind)


@given(WIRE)
def test_native_and_twin_cut_messages_alike(wire):
    assert kernels.repeated_field(wire) == kernels.repeated_field_twin(wire)
    assert kernels.map_entries(wire) == kernels.map_entries_twin(wire)
    assert kernels.unpacked_ints(wire) == kernels.unpacked_ints_twin(wire)


@given(st.lists(VALUE, max_size=5))
@example([1e300, -1e300, 3.4028235677973366e38])
@example([10**400])
@example([2**63 - 1, -(2**63)])
@example([2**63])
def test_native_and_twin_write_lists_alike(values):
    assert kernels.float_list(values) == kernels.float_list_twin(values)
    assert kernels.int64_list(values) == kernels.int64_list_twin(values)


@BOTH
def test_floats_are_rounded_as_numpy_rounds_them(suffix):
    values = [0.1, -1e-46, 1e300, float("inf"), 16777217]

    with np.errstate(over="ignore"):
        wanted = np.array(values, np.float32).tobytes()
    assert call("float_list", suffix)(values) == b"\x0a\x14" + wanted


@BOTH
def test_a_name_that_comes_twice_is_not_canonical(suffix):
    entry = field_1(field_1(b"a") + b"\x12\x00")

    assert call("is_canonical", suffix)(entry, KINDS["Features"])
    assert not call("is_canonical", suffix)(entry + entry, KINDS["Features"])
    assert call("map_entries", suffix)(entry + entry) is None


@BOTH
@pytest.mark.parametrize("kind", [-1, 9])
def test_there_are_nine_kinds_of_messages(suffix, kind):
    with pytest.raises(ValueError, match="no such kind"):
        call("is_canonical", suffix)(b"", kind)
