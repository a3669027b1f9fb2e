import gzip
import io
import json
import tarfile
from pathlib import Path

import fsspec
import pytest

from feedline.data import TarDataset
from feedline.errors import (
    BuildTypeError,
    CheckpointError,
    DataLossError,
    InvalidArgumentError,
    NotFoundError,
)
from feedline.testing import CHECKS, check_resume_in_fresh_process

REPLAYED = pytest.mark.filterwarnings("ignore:.*compressed file cannot be entered")
LONG = "folder/" * 30 + "name"


def tar(members, kind=tarfile.PAX_FORMAT):
    """The bytes of a tar file; a member without content is a folder."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=kind) as archive:
        for name, data in members:
            member = tarfile.TarInfo(name)
            if data is None:
                member.type = tarfile.DIRTYPE
            else:
                member.size = len(data)
            archive.addfile(member, io.BytesIO(data or b""))
    return file.getvalue()


def samples(count, first=0):
    for number in range(first, first + count):
        yield f"d/{number:03d}.jpg", bytes([number]) * (number * 100)
        yield f"d/{number:03d}.cls", b"%d" % number


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tar")
    (folder / "a.tar").write_bytes(tar(samples(7)))
    (folder / "b.tar").write_bytes(tar([("d", None), *samples(3, 50)], tarfile.GNU_FORMAT))
    (folder / "a.tar.gz").write_bytes(gzip.compress(tar(samples(7))))
    (folder / "none.tar").write_bytes(tar([]))
    return folder


CASES = {
    "one": lambda f: TarDataset(f / "a.tar"),
    "some": lambda f: TarDataset(f / "a.tar", ["cls"], {"cls": int}),
    "several": lambda f: TarDataset([f / "b.tar", f / "none.tar", f / "a.tar"]),
    "in turn": lambda f: TarDataset([f / "a.tar", f / "b.tar"], num_parallel_reads=2),
    "gzip": lambda f: TarDataset(f / "a.tar.gz", compression_type="GZIP"),
    "shuffled": lambda f: TarDataset(f / "a.tar", ["cls"]).shuffle(3, seed=1).batch(2),
}


@REPLAYED
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("case", CASES)
def test_conforms(folder, case, check):
    check(CASES[case](folder))


def test_resumes_in_a_fresh_process(folder):
    check_resume_in_fresh_process(CASES["several"](folder))


def read(tmp_path, data, *arguments, **options):
    (tmp_path / "file.tar").write_bytes(data)
    return TarDataset(tmp_path / "file.tar", *arguments, **options)


def test_members_with_one_key_are_one_sample(tmp_path):
    ds = read(tmp_path, tar([("a.x", b"1"), ("a.y.z", b"2"), ("b.x", b"3"), ("b.y.z", b"")]))

    assert list(ds) == [
        {"__key__": "a", "x": b"1", "y.z": b"2"},
        {"__key__": "b", "x": b"3", "y.z": b""},
    ]


def test_folders_belong_to_keys_and_have_dots_of_their_own(tmp_path):
    ds = read(tmp_path, tar([("v1.0/a.X", b"1"), ("v1.1/a.x", b"2")]))

    assert list(ds) == [{"__key__": "v1.0/a", "x": b"1"}, {"__key__": "v1.1/a", "x": b"2"}]


def test_what_is_no_sample_is_passed_over(tmp_path):
    names = ["README", ".hidden", "__meta__/a.x", "d/.b.x", "a.x"]
    ds = read(tmp_path, tar([("d", None), *[(name, b"1" * 600) for name in names]]))

    assert [sample["__key__"] for sample in ds] == ["a"]


def test_links_are_passed_over(tmp_path):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE):
            member = tarfile.TarInfo("link.x")
            member.type, member.linkname = kind, "/etc/passwd"
            archive.addfile(member)
        archive.addfile(tarfile.TarInfo("a.x"), io.BytesIO())

    assert [sample["__key__"] for sample in read(tmp_path, file.getvalue())] == ["a"]


@pytest.mark.parametrize("key", ["../../etc/passwd", "/etc/passwd", "a/../b", "C:\\x"])
def test_names_are_only_keys(tmp_path, key):
    before = sorted(tmp_path.rglob("*"))
    ds = read(tmp_path, tar([(f"{key}.txt", b"1")]))

    assert [sample["__key__"] for sample in ds] == [key]
    assert sorted(tmp_path.rglob("*")) == [*before, tmp_path / "file.tar"]


@pytest.mark.parametrize("kind", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_names_may_be_long_and_of_any_script(tmp_path, kind):
    names = [LONG, f"{LONG}ä", "日本"]
    ds = read(tmp_path, tar([(f"{name}.x", b"1") for name in names], kind))

    assert [sample["__key__"] for sample in ds] == names
    it = iter(ds)
    next(it)
    again = iter(ds)
    again.load_state_dict(it.state_dict())
    assert [sample["__key__"] for sample in again] == names[1:]


def test_extensions_are_chosen_and_decoded(tmp_path):
    data = tar([("a.json", b'{"n": 1}'), ("a.jpg", b"..."), ("a.cls", b"7")])
    ds = read(tmp_path, data, [".cls", "json"], {"cls": int, ".json": json.loads})

    (sample,) = ds
    assert sample == {"__key__": "a", "cls": 7, "json": {"n": 1}}
    assert list(sample) == ["__key__", "cls", "json"]


def test_a_sample_that_is_wrong_is_named_and_the_next_one_read(tmp_path):
    data = tar(
        [("a.x", b"1"), ("b.y", b"2"), ("c.x", b"q"), ("d.x", b"4"), ("d.x", b"5"), ("e.x", b"6")]
    )
    ds = read(tmp_path, data, ["x"], {"x": int})

    assert [int(sample["x"]) for sample in ds.ignore_errors()] == [1, 6]
    it = iter(ds)
    next(it)
    with pytest.raises(InvalidArgumentError, match=r"key 'b': there is no 'x' among \[\]"):
        next(it)
    with pytest.raises(ValueError, match="invalid literal") as raised:
        next(it)
    assert "file.tar, key 'c', extension 'x'" in raised.value.__notes__[0]
    with pytest.raises(InvalidArgumentError, match=r"key 'd': there is 'x' twice"):
        next(it)
    assert next(it)["__key__"] == "e"


def raising(ds):
    found, it = [], iter(ds)
    while True:
        try:
            found.append(next(it)["__key__"])
        except StopIteration:
            return found
        except DataLossError as error:
            found.append(error)


@pytest.mark.parametrize(
    ("cut", "keys", "text"),
    [
        (700, ["a"], "ends inside a header, which begins at byte 512|1024"),
        (1024 + 512 + 100, ["a"], "ends inside the member 'b.x', which begins at byte 1024"),
        (300, [], "this is no tar file, or it is compressed"),
        (600, [], "ends inside the member 'a.x', which begins at byte 0"),
    ],
)
def test_samples_before_a_cut_come_first(tmp_path, cut, keys, text):
    data = tar([("a.x", b"1" * 500), ("b.x", b"2" * 400)])
    found = raising(read(tmp_path, data[: cut + (512 if cut == 700 else 0)]))

    assert found[:-1] == keys
    with pytest.raises(DataLossError, match=text):
        raise found[-1]


def test_a_damaged_header_is_named_and_met_again_after_a_resume(tmp_path):
    data = bytearray(tar([("a.x", b"1"), ("b.x", b"2")]))
    data[1024 + 10] ^= 255
    ds = read(tmp_path, bytes(data))
    found = raising(ds)

    assert found[0] == "a"
    with pytest.raises(DataLossError, match=r"file\.tar, byte 1024: there should be the header"):
        raise found[1]
    it = iter(ds)
    next(it)
    again = iter(ds)
    again.load_state_dict(it.state_dict())
    with pytest.raises(DataLossError, match="byte 1024"):
        next(again)


def test_a_size_that_is_not_there_is_not_allocated(tmp_path):
    member = tarfile.TarInfo("a.x")
    member.size = 1 << 60
    ds = read(tmp_path, member.tobuf(tarfile.GNU_FORMAT) + b"1" * 512)

    with pytest.raises(DataLossError, match=r"ends inside the member 'a\.x'"):
        list(ds)


def test_a_file_without_an_end_raises_after_its_last_sample(tmp_path):
    elements = iter(read(tmp_path, tar([("a.x", b"1")])[:1024]))

    assert next(elements)["x"] == b"1"
    with pytest.raises(DataLossError, match="byte 1024: the file ends without the empty blocks"):
        next(elements)


def test_what_is_no_tar_file_is_named(folder, tmp_path):
    with pytest.raises(DataLossError, match="no tar file, or it is compressed"):
        list(TarDataset(folder / "a.tar.gz"))
    with pytest.raises(NotFoundError):
        list(TarDataset(tmp_path / "missing.tar"))


@REPLAYED
@pytest.mark.parametrize("name", ["file.tar", "file.tar.gz"])
def test_a_file_that_became_shorter_cannot_be_resumed(tmp_path, name):
    path, kind = tmp_path / name, "GZIP" if name.endswith("gz") else None
    pack = gzip.compress if kind else bytes
    path.write_bytes(pack(tar(samples(7))))
    ds = TarDataset(path, compression_type=kind)
    it = iter(ds)
    [next(it) for _ in range(5)]
    saved = it.state_dict()
    path.write_bytes(pack(b"\0" * 1024))

    again = iter(ds)
    again.load_state_dict(saved, check_files=False)
    with pytest.raises(CheckpointError, match="must be the same file"):
        next(again)


def test_that_a_compressed_file_is_read_again_is_said(folder):
    ds = TarDataset(folder / "a.tar.gz", compression_type="GZIP")
    it = iter(ds)
    first = [next(it)["__key__"] for _ in range(3)]
    again = iter(ds)
    again.load_state_dict(it.state_dict())

    with pytest.warns(RuntimeWarning, match="compressed file cannot be entered in the middle"):
        rest = [sample["__key__"] for sample in again]

    assert len({*first, *rest}) == len(first) + len(rest) == 7


def test_files_of_fsspec_are_read(folder):
    with fsspec.open("memory://tar/a.tar", "wb") as file:
        file.write((folder / "a.tar").read_bytes())

    assert len(list(TarDataset("memory://tar/a.tar"))) == 7


def test_no_file_is_left_open(folder):
    open_files = len(list(Path("/proc/self/fd").iterdir()))
    it = iter(TarDataset([folder / "a.tar", folder / "b.tar"], num_parallel_reads=2))
    next(it)
    it.close()
    list(TarDataset(folder / "a.tar"))

    assert len(list(Path("/proc/self/fd").iterdir())) == open_files


def test_wrong_arguments_are_refused():
    with pytest.raises(BuildTypeError, match="extensions must be a list, got 'jpg'"):
        TarDataset("file", extensions="jpg")
    with pytest.raises(BuildTypeError, match="decoders must be a dict from extensions"):
        TarDataset("file", decoders={"cls": 5})
