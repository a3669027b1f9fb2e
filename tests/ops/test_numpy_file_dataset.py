import io
import subprocess
import sys
from contextlib import suppress

import fsspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.data import NumpyFileDataset
from feedline.errors import DataLossError, DecodeError, InvalidArgumentError, NotFoundError
from feedline.spec import TensorSpec
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

ROWS = np.arange(24, dtype=np.float32).reshape(8, 3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("npy")
    np.save(folder / "a.npy", ROWS)
    np.save(folder / "b.npy", ROWS[:2] + 100)
    np.save(folder / "fortran.npy", np.asfortranarray(ROWS))
    np.save(folder / "numbers.npy", np.arange(5))
    np.save(folder / "none.npy", np.zeros((0, 3), np.float32))
    np.savez(folder / "c.npz", x=ROWS, y=np.arange(8))
    np.savez_compressed(folder / "d.npz", x=ROWS[:3], y=np.arange(3))
    return folder


CASES = {
    "rows": lambda f: NumpyFileDataset(f / "a.npy"),
    "numbers": lambda f: NumpyFileDataset(f / "numbers.npy"),
    "several": lambda f: NumpyFileDataset([f / "b.npy", f / "none.npy", f / "a.npy"]),
    "in turn": lambda f: NumpyFileDataset([f / "a.npy", f / "b.npy"], num_parallel_reads=2),
    "fortran": lambda f: NumpyFileDataset(f / "fortran.npy"),
    "npz": lambda f: NumpyFileDataset([f / "c.npz", f / "d.npz"]),
    "shuffled": lambda f: NumpyFileDataset([f / "a.npy", f / "b.npy"]).shuffle(None, 3).batch(3),
}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("case", CASES)
def test_conforms(folder, case, check):
    check(CASES[case](folder))


def test_resumes_in_a_fresh_process(folder):
    check_resume_in_fresh_process(CASES["several"](folder))


@pytest.mark.parametrize("name", ["a.npy", "fortran.npy"])
def test_rows_are_elements(folder, name):
    ds = NumpyFileDataset(folder / name)

    assert_same_elements(ds, list(ROWS))
    assert_same_elements([ds[-1]], [ROWS[7]])
    assert ds.element_spec == TensorSpec((3,), np.float32)


def test_a_packed_file_gives_dicts(folder):
    ds = NumpyFileDataset(folder / "d.npz")

    assert_same_elements(ds, [{"x": ROWS[n], "y": np.int64(n)} for n in range(3)])
    assert ds[2]["y"] == 2


def test_elements_may_be_changed_and_the_file_stays(folder):
    next(iter(NumpyFileDataset(folder / "a.npy").batch(3)))[:] = -1

    assert_same_elements(NumpyFileDataset(folder / "a.npy"), list(ROWS))


def test_files_of_fsspec_are_read_by_index(folder):
    for name in ("a.npy", "fortran.npy", "c.npz"):
        with fsspec.open(f"memory://npy/{name}", "wb") as file:
            file.write((folder / name).read_bytes())

    assert_same_elements(NumpyFileDataset("memory://npy/a.npy"), list(ROWS))
    assert_same_elements(NumpyFileDataset("memory://npy/fortran.npy"), list(ROWS))
    assert_same_elements([NumpyFileDataset("memory://npy/a.npy")[5]], [ROWS[5]])
    assert_same_elements([NumpyFileDataset("memory://npy/c.npz")[5]["x"]], [ROWS[5]])


def npy(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


OBJECTS = np.array([{}, []], object)


@pytest.mark.parametrize(
    ("data", "kind", "text"),
    [
        (b"", DecodeError, r"this is no \.npy or \.npz file"),
        (b"something else, of some length", DecodeError, r"this is no \.npy or \.npz file"),
        (npy(ROWS)[:-1], DataLossError, r"needs 96 bytes, the file has 95"),
        (npy(ROWS)[:40], DecodeError, r"this is no \.npy or \.npz file"),
        (npy(OBJECTS), DecodeError, "dtype object. Arrays of Python objects are not read"),
        (npy(np.float32(1)), InvalidArgumentError, "has no axis whose rows could be elements"),
        (npz(a=ROWS, b=ROWS[:1]), InvalidArgumentError, "equally long, they have {'a': 8, 'b': 1}"),
        (npz(a=OBJECTS), DecodeError, "Arrays of Python objects are not read"),
        (npz(a=np.float32(1)), InvalidArgumentError, "array 'a' has no axis"),
        (npz(), InvalidArgumentError, "the file holds no arrays"),
        (npz(a=ROWS)[:-30], DataLossError, r"the \.npz file is damaged"),
        (npz(a=ROWS)[:100], DataLossError, r"the \.npz file is damaged"),
    ],
    ids=range(12),
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, data, kind, text):
    path = tmp_path / "file"
    path.write_bytes(data)
    it = iter(NumpyFileDataset(path))

    with pytest.raises(kind, match=text) as raised:
        next(it)
    assert str(raised.value).startswith(str(path))
    assert next(it, None) is None


def test_a_length_that_is_not_there_is_not_allocated(tmp_path):
    data = npy(ROWS).replace(b"(8, 3)", b"(1 << 60, 3)"[:6])
    huge = npy(ROWS).replace(b"(8, 3), }      ", b"(2152921504606846976, 3), }      "[:15])
    (tmp_path / "file").write_bytes(data)
    (tmp_path / "huge").write_bytes(huge)

    for name in ("file", "huge"):
        with pytest.raises((DecodeError, DataLossError)):
            list(NumpyFileDataset(tmp_path / name))


def test_a_missing_file_is_named():
    with pytest.raises(NotFoundError, match="no such"):
        list(NumpyFileDataset("no such file"))


@given(
    st.lists(st.tuples(st.integers(0, 127), st.integers(0, 255)), max_size=5), st.integers(0, 300)
)
def test_damage_of_a_header_raises_nothing_else(tmp_path_factory, changes, cut):
    data = bytearray(npy(ROWS))
    for place, byte in changes:
        data[place] = byte
    path = tmp_path_factory.mktemp("npy") / "file"
    path.write_bytes(bytes(data[:cut]))
    with suppress(DecodeError, DataLossError, InvalidArgumentError):
        list(NumpyFileDataset(path).batch(8))


SHORTENED = """
import os, sys
import numpy as np
import pyarrow as pa
from feedline.data import ArrowDataset, FixedLengthRecordDataset, NumpyFileDataset
from feedline.errors import DataLossError

path, kind, order = sys.argv[1:]
array = np.zeros((20_000, 100))
if kind == "records":
    array.tofile(path)
    ds = FixedLengthRecordDataset(path, 800)
elif kind == "arrow":
    table = pa.table({"x": array.reshape(-1)})
    with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=1000)
    ds = ArrowDataset(path)
else:
    np.save(path, np.asfortranarray(array) if kind == "fortran" else array)
    ds = NumpyFileDataset(path)
it = iter((ds if order == "straight" else ds.shuffle(None, 1)).batch(10))
next(it)
os.truncate(path, 4096)
try:
    for _ in it:
        pass
except DataLossError as error:
    print(error)
"""


@pytest.mark.parametrize("order", ["straight", "shuffled"])
@pytest.mark.parametrize("kind", ["npy", "fortran", "records", "arrow"])
def test_a_file_that_is_shortened_while_it_is_read_is_an_error(tmp_path, kind, order):
    command = [sys.executable, "-c", SHORTENED, str(tmp_path / "x.npy"), kind, order]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    said = "record batch" if kind == "arrow" else "the file became shorter while it was read"
    assert said in done.stdout


def test_rows_without_numbers_are_elements(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((3, 0, 2)))
    np.save(tmp_path / "f.npy", np.asfortranarray(np.zeros((3, 0, 2))))

    for name in ("a.npy", "f.npy"):
        assert [x.shape for x in NumpyFileDataset(tmp_path / name)] == [(0, 2)] * 3
