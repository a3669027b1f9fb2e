"""The files inside a tar file."""

import io
import tarfile
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from feedline.errors import DataLossError
from feedline.files.tar_members import ByteStream, tar_members

NAMES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0/"), min_size=1),
    st.integers(1, 300).map(lambda length: "n" * length),
).filter(lambda name: name.strip("/."))
FORMATS = st.sampled_from([tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])


def tar(members, kind=tarfile.PAX_FORMAT):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=kind) as archive:
        for name, data in members:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return file.getvalue()


def chunks(data, size):
    return iter([data[at : at + size] for at in range(0, len(data), size)])


def read(data, size=1 << 20, start=0):
    stream = ByteStream(chunks(data[start:], size), start)
    return [(member.name, member.content(), member.start) for member in tar_members(stream, "file")]


@given(
    st.lists(st.tuples(NAMES, st.binary(max_size=1500)), max_size=5), FORMATS, st.integers(1, 999)
)
def test_what_python_writes_is_read_in_pieces_of_any_size(members, kind, size):
    found = read(tar(members, kind), size)

    assert [(name, data) for name, data, _ in found] == members


@given(st.lists(st.tuples(NAMES, st.binary(max_size=600)), min_size=1, max_size=4), FORMATS)
def test_reading_may_begin_at_any_member(members, kind):
    data = tar(members, kind)
    places = [start for _, _, start in read(data)]

    for number, start in enumerate(places):
        assert [name for name, _, _ in read(data, 512, start)] == [n for n, _ in members[number:]]


@given(
    st.lists(st.tuples(NAMES, st.binary(max_size=600)), min_size=1, max_size=3),
    FORMATS,
    st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 255)), max_size=6),
    st.integers(0, 12000),
)
def test_damage_raises_nothing_but_data_loss(members, kind, changes, cut):
    data = bytearray(tar(members, kind))
    for place, byte in changes:
        data[place % len(data)] = byte
    with suppress(DataLossError):
        read(bytes(data[:cut]), 700)


@given(st.binary(max_size=2000))
@example(b"\xff" * 512)
@example(b"0" * 1024)
def test_what_is_no_tar_file_raises_nothing_but_data_loss(data):
    with suppress(DataLossError):
        read(data)


def pax(records, name=b"x"):
    """An extended header with any content, and a member after it."""
    head = tarfile.TarInfo("pax")
    head.type, head.size = tarfile.XHDTYPE, len(records)
    member = tarfile.TarInfo(name.decode())
    member.size = 3
    padding = bytes(-len(records) % 512)
    body = b"abc".ljust(512, b"\0")
    return head.tobuf() + records + padding + member.tobuf() + body + bytes(1024)


@pytest.mark.parametrize(
    "records",
    [
        b"",
        b"7 a=b\n",
        b"999 path=q\n",
        b"0 path=q\n",
        b"x path=q\n",
        b"8 size=z\n",
        b"13 path=\n",
        b"5 =",
    ],
)
def test_attributes_that_are_wrong_do_not_count(records):
    assert [(name, data) for name, data, _ in read(pax(records))] == [("x", b"abc")]


def test_attributes_say_name_and_size():
    assert read(pax(b"11 path=qq\n10 size=2\n"))[0][:2] == ("qq", b"ab")


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.XGLTYPE])
def test_a_header_of_gigabytes_is_refused(kind):
    head = tarfile.TarInfo("x")
    head.type, head.size = kind, 1 << 40

    with pytest.raises(DataLossError, match="a header of 1099511627776 bytes"):
        read(head.tobuf(tarfile.GNU_FORMAT))


def test_sparse_files_and_negative_sizes_are_refused():
    sparse = tarfile.TarInfo("x")
    sparse.type = tarfile.GNUTYPE_SPARSE
    negative = bytearray(tarfile.TarInfo("x").tobuf())
    negative[124:136] = b"\xff" * 12
    total = 256 + sum(negative[:148]) + sum(negative[156:])
    negative[148:156] = b"%06o\0 " % total

    for data in (sparse.tobuf(), bytes(negative)):
        with pytest.raises(DataLossError):
            read(data)


def test_content_that_nobody_asks_for_is_passed_over():
    stream = ByteStream(chunks(tar([("a", b"1" * 700), ("b", b"2")]), 100))

    assert [member.name for member in tar_members(stream, "file")] == ["a", "b"]


@pytest.mark.parametrize("cut", [0, 3072, 2048 + 512 + 300, 2048 + 900])
def test_a_file_that_ends_before_the_empty_blocks_is_truncated(cut):
    data = tar([(str(number), bytes(300)) for number in range(6)])

    with pytest.raises(DataLossError, match=f"file, byte {cut}: .* without the empty blocks"):
        read(data[:cut])


def test_the_content_before_the_cut_is_handed_out():
    data = tar([("a", b"1"), ("b", b"2")])
    stream = ByteStream(chunks(data[: 1024 + 512 + 1], 100))
    members = tar_members(stream, "file")

    assert [next(members).content(), next(members).content()] == [b"1", b"2"]
    with pytest.raises(DataLossError, match="byte 1537"):
        next(members)


def test_one_empty_block_is_enough_at_the_end_of_the_file():
    assert len(read(tar([("a", b"1")])[: 1024 + 512])) == 1


def test_a_lone_empty_block_before_other_members_is_damage():
    data = tar([("a", b"1"), ("b", b"2")])

    with pytest.raises(DataLossError, match="byte 1536: one empty block is followed by more"):
        read(data[:1024] + bytes(512) + data[1024:])
