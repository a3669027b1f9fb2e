"""Files in a store like s3://: asynchronous, whole objects, and now and then a failure."""

import asyncio
import zipfile
from typing import ClassVar

import fsspec
import pyarrow
import pyarrow.parquet
import pytest
from fsspec.asyn import AsyncFileSystem
from hypothesis import given, settings
from hypothesis import strategies as st

from feedline.data import Dataset, ParquetDataset, TFRecordDataset
from feedline.errors import FileError, NotFoundError
from feedline.files import attended, open_file, retrying
from feedline.io import TFRecordWriter

CONTENT = bytes(range(256)) * 20_000


class Store(AsyncFileSystem):
    """Objects in memory. ``failures`` are raised one after the other; None is no failure."""

    protocol = "store"
    cachable = False
    objects: ClassVar[dict[str, bytes]] = {}
    failures: ClassVar[list[Exception | None]] = []
    calls: ClassVar[list[tuple[str, int, int]]] = []
    under_way = most_under_way = 0

    async def _answer(self):
        cls = type(self)
        cls.under_way += 1
        cls.most_under_way = max(cls.most_under_way, cls.under_way)
        await asyncio.sleep(0.002)  # the first byte is slow
        cls.under_way -= 1
        failure = cls.failures.pop(0) if cls.failures else None
        if failure is not None:
            raise failure

    async def _info(self, path, **kwargs):
        await self._answer()
        name = self._strip_protocol(path)
        if name not in self.objects:
            raise FileNotFoundError(path)
        return {"name": name, "size": len(self.objects[name]), "type": "file"}

    async def _cat_file(self, path, start=None, end=None, **kwargs):
        type(self).calls.append((path, start, end))
        await self._answer()
        return self.objects[self._strip_protocol(path)][start:end]


@pytest.fixture(autouse=True)
def store(monkeypatch):
    fsspec.register_implementation("store", Store, clobber=True)
    monkeypatch.setattr(retrying, "DELAYS", (0, 0, 0))
    monkeypatch.setattr(Store, "objects", {"bucket/numbers": CONTENT})
    monkeypatch.setattr(Store, "failures", [])
    monkeypatch.setattr(Store, "calls", [])
    monkeypatch.setattr(Store, "most_under_way", 0)
    return Store


URL = "store://bucket/numbers"


@given(
    failures=st.lists(
        st.sampled_from([None, ConnectionError("reset"), TimeoutError(), OSError("slow down")]),
        max_size=30,
    ).filter(lambda found: found.count(None) >= len(found) * 2 // 3),
    start=st.integers(0, len(CONTENT)),
)
@settings(max_examples=30)
def test_failures_now_and_then_are_not_noticed(failures, start):
    Store.objects["bucket/numbers"] = CONTENT
    retrying_often = (0,) * 12
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(retrying, "DELAYS", retrying_often)
        Store.failures = list(failures)
        assert b"".join(open_file(URL).chunks(start)) == CONTENT[start:]


def test_waits_become_longer_and_the_last_failure_is_told(store, monkeypatch):
    waits = []
    monkeypatch.setattr(retrying, "DELAYS", (0.1, 0.3, 1.0))
    monkeypatch.setattr(attended.time, "sleep", waits.append)
    file = open_file(URL)
    store.failures = [ConnectionError("connection reset by peer")] * 100

    with pytest.raises(FileError) as caught:
        file.read(0, 10)
    assert waits == [0.1, 0.3, 1.0, 1.0, 1.0, 1.0]
    assert str(caught.value) == (
        "store://bucket/numbers: failed 7 times, at last with ConnectionError: connection reset by "
        "peer. Check the connection and the credentials. Options.remote_attempts says how often "
        "it is tried, Options.remote_timeout_s how long an answer may take."
    )


@pytest.mark.parametrize("error", [PermissionError("403"), FileNotFoundError("gone")])
def test_what_will_not_change_is_not_tried_again(store, error):
    store.failures = [error] * 5

    with pytest.raises(FileError):
        open_file(URL)
    assert len(store.failures) == 4


def test_a_missing_object_is_named():
    with pytest.raises(NotFoundError, match="store://bucket/no: there is no such file"):
        open_file("store://bucket/no")


def test_it_is_read_in_pieces_several_at_once(store):
    assert b"".join(open_file(URL).chunks()) == CONTENT

    assert len(store.calls) == -(-len(CONTENT) // (1 << 20))
    assert max(stop - start for _, start, stop in store.calls) <= 1 << 20
    assert 1 < store.most_under_way <= 4


def test_a_beginning_does_not_fetch_the_rest(store):
    store.objects["bucket/numbers"] = bytes(64 << 20)
    chunks = open_file(URL).chunks()
    next(chunks)
    chunks.close()

    assert len(store.calls) <= 6


def stored_records(store, tmp_path, count=5000):
    with TFRecordWriter(tmp_path / "made") as writer:
        for number in range(count):
            writer.write(b"%d" % number * 100)
    store.objects["bucket/records"] = (tmp_path / "made").read_bytes()
    return "store://bucket/records"


def test_records_are_read_skipped_and_had_by_index(store, tmp_path):
    ds = TFRecordDataset(stored_records(store, tmp_path))
    store.failures = [None, ConnectionError("reset"), None, TimeoutError()]

    assert list(ds) == [b"%d" % n * 100 for n in range(5000)]
    assert list(ds.skip(4990)) == [b"%d" % n * 100 for n in range(4990, 5000)]
    assert ds[4321] == b"4321" * 100
    assert list(ds.shard(1000, 7)) == [b"%d" % n * 100 for n in range(7, 5000, 1000)]


def test_parquet_is_read(store, tmp_path):
    pyarrow.parquet.write_table(
        pyarrow.table({"n": list(range(100))}), tmp_path / "a", row_group_size=10
    )
    store.objects["bucket/table"] = (tmp_path / "a").read_bytes()
    store.failures = [None, ConnectionError("reset"), None, TimeoutError()]

    assert [int(row["n"]) for row in ParquetDataset("store://bucket/table")] == list(range(100))


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_records_inside_a_zip_file_are_read_and_resumed(tmp_path, packing):
    files = Dataset.range(5000).save_tfrecord(tmp_path / "a", lambda x: b"%d" % x * 100)
    with zipfile.ZipFile(tmp_path / "all.zip", "w", packing) as archive:
        archive.write(files[0], "inside/records")
    ds = TFRecordDataset(f"zip://inside/records::{tmp_path}/all.zip")
    it = iter(ds)
    for _ in range(3000):
        next(it)
    again = iter(ds)
    again.load_state_dict(it.state_dict())
    it.close()

    assert list(again) == [b"%d" % n * 100 for n in range(3000, 5000)]
    assert list(ds.shard(1000, 7)) == [b"%d" % n * 100 for n in range(7, 5000, 1000)]
    assert ds[4999] == b"4999" * 100
