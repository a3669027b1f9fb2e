"""The files of a plan written by several workers."""

import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.tools.converting import writing
from feedline.tools.converting.plan import Order, planned
from feedline.tools.converting.writing import (
    Signals,
    StoppedError,
    remove_leftovers,
    usable_workers,
    write_shard,
    write_shards,
)
from tests.tools import made

SOURCES = {
    "images": lambda folder: made.images(folder / "images", 9),
    "tar": lambda folder: made.tar(folder / "a.tar"),
    "CSV": lambda folder: made.csv_file(folder / "a.csv"),
    "JSON lines": lambda folder: made.json_lines(folder / "a.jsonl"),
    "Parquet": lambda folder: made.parquet(folder / "a.parquet"),
}


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if "tfrecord" in path.name}


def converted(source, folder, workers, **settings):
    plan = planned(Order((source,), str(folder), "t", **settings))
    plan.begin()
    said = []
    write_shards(plan, workers, said.append)
    plan.end()
    return plan, said


@pytest.mark.parametrize("compression", ["", "GZIP"])
@pytest.mark.parametrize("kind", SOURCES)
def test_the_number_of_workers_changes_nothing_in_the_files(tmp_path, kind, compression):
    source = SOURCES[kind](tmp_path)
    settings = {"shard_bytes": 700, "compression": compression}
    plan, _ = converted(source, tmp_path / "one", 1, **settings)
    converted(source, tmp_path / "three", 3, **settings)

    assert len(plan.shards) > 2
    assert contents(tmp_path / "one") == contents(tmp_path / "three")


@given(
    missing=st.sets(st.integers(0, 11)), shard_bytes=st.integers(1, 2000), workers=st.integers(1, 3)
)
def test_files_that_were_lost_come_back_as_they_were(
    tmp_path_factory, missing, shard_bytes, workers
):
    folder = tmp_path_factory.mktemp("lost")
    source, out = made.tar(folder / "a.tar"), folder / "out"
    plan, _ = converted(source, out, workers, shard_bytes=shard_bytes)
    before = contents(out)
    lost = [shard for number, shard in enumerate(plan.shards) if number in missing]
    for shard in lost:
        os.unlink(shard.path)
    kept = {name: os.stat(out / name).st_ino for name in contents(out)}

    again = planned(Order((source,), str(out), "t", shard_bytes=shard_bytes))
    again.begin()
    assert write_shards(again, workers, lambda done: None) == lost
    again.end()

    assert contents(out) == before
    assert {name: os.stat(out / name).st_ino for name in kept} == kept


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("kind", ["CSV", "tar"])
def test_it_says_how_far_it_is(tmp_path, kind, workers):
    plan, said = converted(SOURCES[kind](tmp_path), tmp_path / "out", workers, shard_bytes=400)

    assert said == sorted(said)
    assert said[-1] == pytest.approx(plan.size)


def test_no_thread_is_left(tmp_path):
    converted(made.tar(tmp_path / "a.tar"), tmp_path / "out", 3, shard_bytes=400)

    names = [thread.name for thread in threading.enumerate()]
    assert [name for name in names if name.startswith("feedline-convert")] == []


@pytest.mark.parametrize("workers", [1, 3])
def test_an_error_in_one_file_leaves_the_complete_ones(tmp_path, workers):
    source = made.images(tmp_path / "images")
    plan = planned(Order((source,), str(tmp_path / "out"), "t", shard_bytes=1))
    plan.begin()
    os.unlink(tmp_path / "images" / "dog" / "4.png")

    with pytest.raises(FileNotFoundError):
        write_shards(plan, workers, lambda done: None)
    assert [shard.path for shard in plan.missing()] == [plan.shards[-1].path]
    assert [name for name in os.listdir(tmp_path / "out") if name.endswith(".tmp")] == []


def test_an_interrupted_file_leaves_nothing_behind(tmp_path):
    plan = planned(Order((made.csv_file(tmp_path / "a.csv", 500),), str(tmp_path / "out")))
    plan.begin()
    signals = Signals()
    signals.stop()
    with pytest.raises(StoppedError):
        write_shard(plan.source, plan.shards[0], "", signals)

    assert os.listdir(tmp_path / "out") == ["data.plan.json"]


def test_what_a_killed_process_left_is_removed(tmp_path):
    plan = planned(Order((made.images(tmp_path / "images"),), str(tmp_path / "out"), "t"))
    plan.begin()
    left = [
        ".t-00000-of-00001.tfrecord.abc123.tmp",
        ".t-00007-of-00009.tfrecord.gz.abc123.tmp",  # of other settings
        ".t.plan.json.abc123.tmp",
        ".t.labels.txt.abc123.tmp",
    ]
    others = [".something.tmp", ".t2-00000-of-00001.tfrecord.abc123.tmp", ".t.u.plan.json.a.tmp"]
    for name in left + others:
        (tmp_path / "out" / name).touch()
    remove_leftovers(plan)

    found = os.listdir(tmp_path / "out")
    assert [name for name in left if name in found] == []
    assert [name for name in others if name not in found] == []


def test_processes_are_started_where_they_pay(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "available_cpus", lambda: 3)
    rows = planned(Order((made.csv_file(tmp_path / "a.csv"),), str(tmp_path / "a"), "t", 400))
    files = planned(Order((made.tar(tmp_path / "a.tar"),), str(tmp_path / "b"), "t", 400))

    assert usable_workers(rows) == 1
    assert usable_workers(rows, 2) == 2
    assert usable_workers(rows, 1000) == len(rows.shards)
    assert usable_workers(files) == 3
