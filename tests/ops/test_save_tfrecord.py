"""Writing all elements to TFRecord files."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import suppress

import fsspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import feedline as tf
from feedline.data import Dataset, TFRecordDataset
from feedline.errors import (
    BuildError,
    BuildTypeError,
    CheckpointError,
    FileError,
    NotFoundError,
)
from feedline.files.claim import Claim
from feedline.tfrecord.writer import FrameWriter

WORDS = Dataset.from_tensor_slices([b"one", b"", b"three", b"four" * 100, b"5"])


def listed(folder):
    return sorted(os.listdir(folder))


def test_all_elements_are_written(tmp_path):
    (name,) = WORDS.save_tfrecord(tmp_path / "words")

    assert name == str(tmp_path / "words-00000-of-00001.tfrecord")
    assert list(TFRecordDataset(name)) == list(WORDS)
    assert listed(tmp_path) == ["words-00000-of-00001.tfrecord"]


@pytest.mark.parametrize("shard_bytes", [1, 40, 300, 10**9])
@pytest.mark.parametrize("kind", [None, "GZIP", "ZLIB"])
def test_a_file_that_is_long_enough_is_followed_by_another(tmp_path, shard_bytes, kind):
    ds = Dataset.range(60)
    files = ds.save_tfrecord(
        f"{tmp_path}/n", lambda x: b"%d" % x, shard_bytes=shard_bytes, options=kind
    )

    assert list(TFRecordDataset(files, kind)) == [b"%d" % n for n in range(60)]
    assert files == [f"{tmp_path}/{name}" for name in listed(tmp_path)]
    assert all(re.fullmatch(rf".*/n-\d{{5}}-of-{len(files):05}.tfrecord", file) for file in files)


def test_many_small_records_are_compressed_at_once(tmp_path, monkeypatch):
    runs, add_run = [], FrameWriter.add_run

    def counted(self, data, offsets):
        runs.append(len(offsets) - 1)
        add_run(self, data, offsets)

    monkeypatch.setattr(FrameWriter, "add_run", counted)
    Dataset.from_tensor_slices([b"x"] * 100).save_tfrecord(tmp_path / "a", options="GZIP")

    assert runs == [100]


def test_files_are_about_as_long_as_asked_for(tmp_path):
    files = Dataset.range(2000).save_tfrecord(
        tmp_path / "n", lambda x: b"%100d" % x, shard_bytes=20_000
    )
    sizes = [os.path.getsize(file) for file in files]

    assert all(20_000 <= size < 20_200 for size in sizes[:-1])
    assert len(sizes) == 12


def test_records_of_a_file_are_written_as_they_are(tmp_path):
    files = WORDS.save_tfrecord(tmp_path / "a")
    copies = TFRecordDataset(files).save_tfrecord(tmp_path / "b", options="GZIP")

    assert gzip.decompress(open_bytes(copies[0])) == open_bytes(files[0])


def open_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def test_no_elements_make_one_empty_file(tmp_path):
    files = WORDS.take(0).save_tfrecord(tmp_path / "none")

    assert [os.path.getsize(file) for file in files] == [0]


def test_parts_of_a_tuple_are_separate_arguments(tmp_path):
    ds = Dataset.from_tensor_slices((np.arange(2), ["a", "b"]))
    files = ds.save_tfrecord(tmp_path / "t", lambda n, text: f"{n}{text}")

    assert list(TFRecordDataset(files)) == [b"0a", b"1b"]


def test_messages_are_serialized(tmp_path):
    class Message:
        def SerializeToString(self):  # noqa: N802
            return b"message"

    files = Dataset.range(2).save_tfrecord(tmp_path / "m", lambda x: Message())

    assert list(TFRecordDataset(files)) == [b"message"] * 2


def test_what_is_there_is_not_replaced_unless_asked_for(tmp_path):
    WORDS.save_tfrecord(tmp_path / "w", shard_bytes=20)
    before = listed(tmp_path)

    with pytest.raises(BuildError, match=r"is there already. Give overwrite=True"):
        WORDS.save_tfrecord(tmp_path / "w")
    assert listed(tmp_path) == before
    WORDS.save_tfrecord(tmp_path / "w", overwrite=True)
    assert listed(tmp_path) == ["w-00000-of-00001.tfrecord"]


def test_a_name_with_special_characters_is_only_a_name(tmp_path):
    WORDS.save_tfrecord(tmp_path / "w1")

    assert len(WORDS.save_tfrecord(tmp_path / "w[0-9]*")) == 1


def fail_at_300(x):
    if x == 300:
        raise KeyError("no")
    return b"%d" % x


def test_a_failure_leaves_nothing_behind(tmp_path):
    ds = Dataset.range(500)
    ds.save_tfrecord(tmp_path / "n", lambda x: b"old", shard_bytes=5000)
    before = {name: open_bytes(tmp_path / name) for name in listed(tmp_path)}

    with pytest.raises(KeyError) as caught:
        ds.save_tfrecord(tmp_path / "n", fail_at_300, shard_bytes=2000, overwrite=True)

    assert {name: open_bytes(tmp_path / name) for name in listed(tmp_path)} == before
    assert any("save_tfrecord(fail_at_300)" in n and "300" in n for n in caught.value.__notes__)


def test_elements_must_be_bytes(tmp_path):
    with pytest.raises(BuildTypeError, match="a record must be bytes") as caught:
        Dataset.range(5).save_tfrecord(tmp_path / "n")

    assert any("element 0" in note for note in caught.value.__notes__)
    assert listed(tmp_path) == []


def test_files_at_urls_are_written():
    files = WORDS.save_tfrecord("memory://saved/words", shard_bytes=20)

    assert [name.rsplit("/")[-1] for name in fsspec.filesystem("memory").ls("/saved", False)] == [
        name.rsplit("/")[-1] for name in files
    ]
    assert list(TFRecordDataset(files)) == list(WORDS)


def test_progress_is_shown_on_stderr(tmp_path, capsys):
    WORDS.save_tfrecord(tmp_path / "a", progress=True)
    WORDS.save_tfrecord(tmp_path / "b", progress=False)

    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"path": 3}, "path must be str or os.PathLike"),
        ({"serialize": 3}, "serialize must be"),
        ({"shard_bytes": 0}, "shard_bytes must be at least 1"),
        ({"options": "SNAPPY"}, "compression_type must be"),
        ({"overwrite": 3}, "overwrite must be"),
        ({"resume": 3}, "resume must be"),
    ],
)
def test_wrong_arguments_are_refused(tmp_path, arguments, says):
    with pytest.raises(BuildError, match=says):
        WORDS.save_tfrecord(**{"path": tmp_path / "a", **arguments})
    assert listed(tmp_path) == []


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(NotFoundError, match="there is no folder"):
        WORDS.save_tfrecord(tmp_path / "no" / "a")


def test_what_was_saved_can_be_shuffled_globally(tmp_path, monkeypatch):
    monkeypatch.setenv("FEEDLINE_CACHE_DIR", str(tmp_path / "cache"))
    files = Dataset.range(100).save_tfrecord(tmp_path / "n", lambda x: b"%d" % x, shard_bytes=500)
    ds = tf.data.TFRecordDataset(files).shuffle(None, seed=1).map(int)

    assert sorted(map(int, ds)) == list(range(100))


# ---- going on after a stop ---------------------------------------------------


class Stopped(BaseException):
    """Like Ctrl-C: no Exception."""


def stops_at(number):
    def serialize(x):
        if x == number:
            raise Stopped
        return b"%d" % x * 3

    return serialize


def as_text(x):
    return b"%d" % x * 3


def saved(ds, path, serialize=as_text, **settings):
    return ds.save_tfrecord(path, serialize, **settings)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@settings(max_examples=30)
@given(
    stops=st.lists(st.integers(0, 299), max_size=3),
    shard_bytes=st.integers(150, 4000),
    kind=st.sampled_from([None, "GZIP"]),
    block_sizes=st.lists(st.integers(1, 70), min_size=4, max_size=4),
)
def test_a_call_goes_on_after_the_last_complete_file(
    tmp_path_factory, stops, shard_bytes, kind, block_sizes
):
    folder = tmp_path_factory.mktemp("saved")
    (folder / "a").mkdir()
    (folder / "b").mkdir()
    given_too = {"shard_bytes": shard_bytes, "options": kind}
    ds = Dataset.range(300).shuffle(50, seed=3, reshuffle_each_iteration=False)
    saved(ds, folder / "a" / "n", **given_too)

    for stop, block_size in zip(stops, block_sizes, strict=False):
        # If the element is in a file that is complete, it is not met again.
        with suppress(Stopped):
            saved(
                with_blocks(ds, block_size),
                folder / "b" / "n",
                stops_at(stop),
                **given_too,
                resume=True,
                overwrite=True,
            )
    last = with_blocks(ds, block_sizes[-1])
    saved(last, folder / "b" / "n", **given_too, resume=True, overwrite=True)

    assert contents(folder / "b") == contents(folder / "a")
    assert listed(folder / "b") == listed(folder / "a")


def with_blocks(ds, block_size):
    options = tf.data.Options()
    options.block_size = block_size
    return ds.with_options(options)


def test_elements_of_complete_files_are_not_made_again(tmp_path):
    ds = Dataset.range(300)
    with pytest.raises(Stopped):
        saved(ds, tmp_path / "n", stops_at(250), shard_bytes=500, resume=True)
    seen = []
    saved(
        ds,
        tmp_path / "n",
        lambda x: seen.append(int(x)) or as_text(x),
        shard_bytes=500,
        resume=True,
    )

    assert 0 < seen[0] <= 250
    assert seen == list(range(seen[0], 300))


def test_an_order_drawn_without_a_seed_is_gone_on_with(tmp_path):
    ds = Dataset.range(300).shuffle(300)
    with pytest.raises(Stopped):
        saved(ds, tmp_path / "n", stops_at(7), shard_bytes=300, resume=True)
    files = saved(ds, tmp_path / "n", shard_bytes=300, resume=True)

    assert sorted(TFRecordDataset(files)) == sorted(as_text(x) for x in range(300))


def stopped(tmp_path, **settings):
    with pytest.raises(Stopped):
        saved(
            Dataset.range(300),
            tmp_path / "n",
            stops_at(250),
            **{"shard_bytes": 500, **settings},
            resume=True,
        )
    assert listed(tmp_path) == [".n.unfinished"]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"shard_bytes": 600, "resume": True}, r"shard_bytes=500, not 600. Give the same"),
        ({"options": "GZIP", "resume": True}, r"compression_type=None, not 'GZIP'"),
        ({}, r"was stopped after \d+ complete files, .* Give resume=True to go on, or overwrite="),
    ],
)
def test_what_was_stopped_is_not_lost_by_mistake(tmp_path, settings, says):
    stopped(tmp_path)

    with pytest.raises(BuildError, match=says):
        saved(Dataset.range(300), tmp_path / "n", **{"shard_bytes": 500, **settings})
    saved(Dataset.range(300), tmp_path / "n", **{"shard_bytes": 500, **settings}, overwrite=True)
    assert [name for name in listed(tmp_path) if name.startswith(".")] == []


def test_another_dataset_is_refused(tmp_path):
    stopped(tmp_path)

    with pytest.raises(CheckpointError) as caught:
        saved(Dataset.range(301), tmp_path / "n", shard_bytes=500, resume=True)
    assert any("begin anew" in note for note in caught.value.__notes__)


def test_files_that_were_changed_meanwhile_are_noticed(tmp_path):
    stopped(tmp_path)
    (tmp_path / ".n.unfinished" / "0").write_bytes(b"")

    with pytest.raises(FileError, match="is not as save_tfrecord"):
        saved(Dataset.range(300), tmp_path / "n", shard_bytes=500, resume=True)


def test_nothing_is_kept_where_no_file_is_complete(tmp_path):
    with pytest.raises(Stopped):
        saved(Dataset.range(300), tmp_path / "n", stops_at(250), resume=True)

    assert listed(tmp_path) == []


def test_what_was_being_put_in_its_place_is_put_there(tmp_path, monkeypatch):
    (tmp_path / "whole").mkdir()
    saved(Dataset.range(300), tmp_path / "whole" / "n", shard_bytes=500)
    replace, moved = os.replace, []

    def replace_three(source, target):
        if target.endswith(".tfrecord"):
            moved.append(target)
            if len(moved) > 3:
                raise Stopped
        replace(source, target)

    monkeypatch.setattr(os, "replace", replace_three)
    with pytest.raises(Stopped):
        saved(Dataset.range(300), tmp_path / "n", shard_bytes=500, resume=True)
    monkeypatch.undo()
    files = saved(Dataset.range(300), tmp_path / "n", stops_at(0), shard_bytes=500, resume=True)

    assert contents(tmp_path) == contents(tmp_path / "whole")
    assert list(TFRecordDataset(files)) == [as_text(x) for x in range(300)]
    assert not (tmp_path / ".n.unfinished").exists()


def test_files_at_urls_are_gone_on_with():
    path = "memory://stopped/n"
    with pytest.raises(Stopped):
        saved(Dataset.range(300), path, stops_at(250), shard_bytes=500, resume=True)
    seen = []
    files = saved(
        Dataset.range(300),
        path,
        lambda x: seen.append(x) or as_text(x),
        shard_bytes=500,
        resume=True,
    )

    assert list(TFRecordDataset(files)) == [as_text(x) for x in range(300)]
    assert len(seen) < 300


KILLED = """
import os, sys, signal
from feedline.data import Dataset

def serialize(x):
    if x == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    return b"%d" % x * 3

Dataset.range(300).save_tfrecord(
    sys.argv[1], serialize, shard_bytes=500, resume=sys.argv[3] == "resume"
)
"""


@pytest.mark.slow
def test_a_process_that_was_killed_is_gone_on_with(tmp_path):
    (tmp_path / "whole").mkdir()
    saved(Dataset.range(300), tmp_path / "whole" / "n", shard_bytes=500)
    for stop in ("100", "250"):
        command = [sys.executable, "-c", KILLED, str(tmp_path / "n"), stop, "resume"]
        assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
        assert listed(tmp_path) == [".n.unfinished", "whole"]
    saved(Dataset.range(300), tmp_path / "n", shard_bytes=500, resume=True)

    assert contents(tmp_path) == contents(tmp_path / "whole")
    assert listed(tmp_path) == sorted([*listed(tmp_path / "whole"), "whole"])


@pytest.mark.slow
def test_what_a_killed_process_left_is_removed_by_the_next_call(tmp_path):
    command = [sys.executable, "-c", KILLED, str(tmp_path / "n"), "100", "no"]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    (left,) = listed(tmp_path)
    assert left.startswith(".n.")
    assert left.endswith(".tmp")

    saved(Dataset.range(3), tmp_path / "n")
    assert listed(tmp_path) == ["n-00000-of-00001.tfrecord"]


def test_without_a_cache_folder_files_at_urls_are_refused(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("FEEDLINE_CACHE_DIR", str(tmp_path / "file"))

    with pytest.raises(FileError, match="FEEDLINE_CACHE_DIR names another folder"):
        saved(Dataset.range(3), "memory://nowhere/n")


def test_two_calls_cannot_go_on_with_the_same_files(tmp_path):
    stopped(tmp_path)

    with (
        Claim.of(str(tmp_path / ".n.unfinished")),
        pytest.raises(FileError, match="another process is writing files of this name"),
    ):
        saved(Dataset.range(300), tmp_path / "n", shard_bytes=500, resume=True)
    assert listed(tmp_path) == [".n.unfinished"]


@pytest.mark.parametrize("stop", [250, 10_000])
def test_no_thread_is_left(tmp_path, stop):
    with suppress(Stopped):
        saved(Dataset.range(300), tmp_path / "n", stops_at(stop), shard_bytes=500)

    assert [t.name for t in threading.enumerate() if t.name.startswith("feedline-save")] == []


def test_a_disk_that_is_full_is_said(tmp_path, monkeypatch):
    def fail(self, data, offsets):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FrameWriter, "add_run", fail)
    with pytest.raises(OSError, match="No space left"):
        saved(Dataset.range(300), tmp_path / "n")
    assert listed(tmp_path) == []


def left_behind(tmp_path):
    """Stop a call after some complete files; return the folder that it left, and its note."""
    with pytest.raises(Stopped):
        saved(Dataset.range(300), tmp_path / "n", stops_at(200), shard_bytes=500, resume=True)
    folder = tmp_path / ".n.unfinished"
    return folder, json.loads((folder / "progress.json").read_text())


def test_paths_in_a_note_are_not_followed(tmp_path):
    precious, planted = tmp_path / "precious", tmp_path / "elsewhere" / "planted"
    precious.write_text("mine")
    planted.parent.mkdir()
    folder, note = left_behind(tmp_path)
    sizes = note["progress"]["sizes"]
    names = [str(planted), "../planted", *["n"] * (len(sizes) - 2)]
    note["progress"] = {"sizes": sizes, "names": names, "old": [str(precious), "precious"]}
    (folder / "progress.json").write_text(json.dumps(note))
    files = saved(Dataset.range(300), tmp_path / "n", shard_bytes=500, resume=True)

    count = len(sizes)
    assert files == [f"{tmp_path}/n-{i:05}-of-{count:05}.tfrecord" for i in range(count)]
    assert precious.read_text() == "mine"
    assert listed(planted.parent) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda note: "{",
        lambda note: "[" * 100_000,
        lambda note: "[]",
        lambda note: json.dumps({**note, "version": 99}),
        lambda note: json.dumps({**note, "settings": None}),
        lambda note: json.dumps({**note, "progress": [1]}),
        lambda note: json.dumps({**note, "progress": {"sizes": "12"}}),
        lambda note: json.dumps({**note, "progress": {"sizes": [-1]}}),
        lambda note: json.dumps({**note, "progress": {"sizes": [1], "names": [1], "old": []}}),
        lambda note: json.dumps({**note, "progress": {**note["progress"], "used": "x"}}),
        lambda note: json.dumps({**note, "progress": {**note["progress"], "mark": [1]}}),
    ],
)
def test_a_damaged_note_is_said_and_nothing_is_lost(tmp_path, change):
    folder, note = left_behind(tmp_path)
    (folder / "progress.json").write_text(change(note))
    before = listed(folder)
    with pytest.raises(FileError, match=r"progress.json is not as an earlier call left it"):
        saved(Dataset.range(300), tmp_path / "n", shard_bytes=500, resume=True)

    assert listed(folder) == before
    saved(Dataset.range(300), tmp_path / "n", shard_bytes=500, overwrite=True)
    assert not folder.exists()


def test_links_in_place_of_what_an_earlier_call_left_are_refused(tmp_path):
    folder, _ = left_behind(tmp_path)
    (folder / "0").rename(tmp_path / "zero")
    (folder / "0").symlink_to(tmp_path / "zero")
    with pytest.raises(FileError, match=r"0 is not as save_tfrecord\(\) left it"):
        saved(Dataset.range(300), tmp_path / "n", shard_bytes=500, resume=True)
    folder.rename(tmp_path / "other")
    folder.symlink_to(tmp_path / "other")
    for asked in ({"resume": True}, {"overwrite": True}):
        with pytest.raises(FileError, match="it is a link"):
            saved(Dataset.range(300), tmp_path / "n", shard_bytes=500, **asked)

    assert (tmp_path / "other" / "progress.json").exists()
