"""Files read one after the other, where what is skipped is not read."""

import numpy as np
import pytest

from feedline.data import FixedLengthRecordDataset, NumpyFileDataset
from feedline.errors import NotFoundError
from feedline.ops.fixed_length_record_dataset import RecordsAccess
from feedline.ops.numpy_file_dataset import NpyRows

SOURCES = {
    "npy": (NumpyFileDataset, NpyRows),
    "fixed": (lambda paths: FixedLengthRecordDataset(paths, 8), RecordsAccess),
}


@pytest.fixture(params=SOURCES)
def source(request, tmp_path, monkeypatch):
    """A dataset of two files of 100 numbers each, and the rows that are read."""
    kind, access = SOURCES[request.param]
    read, plain, gather = [], access.elements, access.elements_at
    paths = [tmp_path / "0.npy", tmp_path / "1.npy"]
    for number, path in enumerate(paths):
        numbers = np.arange(100 * number, 100 * number + 100)
        np.save(path, numbers) if request.param == "npy" else path.write_bytes(numbers.tobytes())

    def elements(self, start, stop):
        read.append((start, stop))
        return plain(self, start, stop)

    def elements_at(self, index):
        read.append((index.min(), index.max() + 1))
        return gather(self, index)

    monkeypatch.setattr(access, "elements", elements)
    monkeypatch.setattr(access, "elements_at", elements_at)
    return kind(paths), read


def numbers(ds):
    return [int(np.frombuffer(x, np.int64)[0]) if isinstance(x, bytes) else int(x) for x in ds]


@pytest.mark.parametrize(
    ("change", "first"),
    [
        (lambda ds: ds.skip(195), 195),
        (lambda ds: ds.take(199).skip(195), 195),
        (lambda ds: ds.batch(5).skip(39).unbatch(), 195),
        (lambda ds: ds.shard(2, 1).skip(97), 195),
    ],
)
def test_rows_that_are_skipped_are_not_read(source, change, first):
    ds, read = source

    assert numbers(change(ds))[0] == first
    assert min(start for start, _ in read) >= 90
    assert all(stop - start <= 10 for start, stop in read)


def test_a_missing_file_that_is_met_while_skipping_is_told_after_a_resume_too(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(3))
    ds = NumpyFileDataset([tmp_path / "a.npy", tmp_path / "none.npy"]).batch(2).skip(1)
    state = iter(ds).state_dict()
    for elements in (iter(ds), iter(ds)):
        elements.load_state_dict(state)
        with pytest.raises(NotFoundError):
            list(elements)
