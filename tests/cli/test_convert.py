import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from feedline.cli.main import main
from feedline.data import TFRecordDataset
from feedline.io import FixedLenFeature, parse_example
from feedline.train import Example
from tests.tools import made


def features_in(folder):
    names = sorted(str(path) for path in folder.glob("*.tfrecord*"))
    kind = "GZIP" if names[0].endswith(".gz") else None
    return [Example.FromString(one).features.feature for one in TFRecordDataset(names, kind)]


def test_a_folder_of_images_is_converted(tmp_path, capsys):
    images = made.images(tmp_path / "images")

    assert main(["convert", images, "--to", str(tmp_path / "out"), "--gzip"]) == 0
    found = features_in(tmp_path / "out")
    assert [one["label"].int64_list.value[0] for one in found] == [0] * 5 + [1] * 5
    assert (tmp_path / "out" / "data.labels.txt").read_text() == "cat\ndog\n"
    assert "Wrote 1 file." in capsys.readouterr().out


def test_a_dry_run_writes_nothing(tmp_path, capsys):
    source = made.csv_file(tmp_path / "a.csv")

    assert main(["convert", source, "--to", str(tmp_path / "out"), "--dry-run"]) == 0
    assert "CSV: 50 records" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


def test_a_second_run_finds_everything_there(tmp_path, capsys):
    source = made.json_lines(tmp_path / "a.jsonl")
    command = ["convert", source, "--to", str(tmp_path / "out"), "--shard-size", "1kB"]
    main(command)
    capsys.readouterr()
    sorted((tmp_path / "out").glob("*.tfrecord"))[1].unlink()

    assert main(command) == 0
    assert "Wrote 1 file." in capsys.readouterr().out
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] == []
    assert len(features_in(tmp_path / "out")) == 50


def test_several_workers_are_used_when_asked_for(tmp_path):
    source = made.tar(tmp_path / "a.tar")
    command = ["convert", source, "--to", str(tmp_path / "out"), "--shard-size", "1kB"]

    assert main([*command, "--workers", "2"]) == 0
    found = features_in(tmp_path / "out")
    assert [one["__key__"].bytes_list.value[0] for one in found][:2] == [b"x/000", b"x/001"]
    assert len(found) == 12


@pytest.mark.parametrize(
    "wrong",
    [
        ["--shard-size", "much"],
        ["--shard-size", "0"],
        ["--workers", "0"],
        ["--name", "a/b"],
    ],
)
def test_wrong_arguments_are_refused(tmp_path, wrong):
    source = made.csv_file(tmp_path / "a.csv")

    with pytest.raises(SystemExit):
        main(["convert", source, "--to", str(tmp_path / "out"), *wrong])
    assert not (tmp_path / "out").exists()


def test_an_error_in_the_source_leaves_nothing_half_done(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("a,b\n1\n")

    assert main(["convert", str(tmp_path / "a.csv"), "--to", str(tmp_path / "out")]) == 1
    assert "2 fields are needed" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_on_a_terminal_there_is_a_bar(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    source = made.csv_file(tmp_path / "a.csv")

    assert main(["convert", source, "--to", str(tmp_path / "out"), "--shard-size", "500"]) == 0


def started(command):
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )


def ids_in(out):
    records = list(TFRecordDataset(sorted(str(path) for path in out.glob("*.tfrecord"))))
    return parse_example(records, {"id": FixedLenFeature([], np.int64)})["id"].tolist()


def temporary(out):
    return [path.name for path in out.iterdir() if path.name.endswith(".tmp")]


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_leaves_no_temporary_files_and_a_second_run_goes_on(tmp_path, workers):
    source = made.csv_file(tmp_path / "a.csv", 300_000)
    out = tmp_path / "out"
    arguments = ["convert", source, "--to", str(out), "--shard-size", "300kB", "--workers", workers]
    command = [sys.executable, "-m", "feedline.cli", *arguments]
    process = started(command)
    while not list(out.glob("*.tfrecord")) and process.poll() is None:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: every process of the command
    _, errors = process.communicate(timeout=60)

    assert process.returncode == 130
    assert errors == b"interrupted\n"
    assert temporary(out) == []
    assert list(out.glob("*.tfrecord"))
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert ids_in(out) == list(range(300_000))


def processes_of_group(group):
    """Return the processes that a command started and that have not ended."""
    listed = subprocess.run(
        ["ps", "-e", "-o", "pgid=,stat=,pid="], capture_output=True, text=True, check=True
    )
    rows = [line.split() for line in listed.stdout.splitlines()]
    return [pid for pgid, stat, pid in rows if int(pgid) == group and not stat.startswith("Z")]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["CSV", "tar"])
def test_a_run_that_was_killed_is_gone_on_with_and_leaves_nothing(tmp_path, kind):
    if kind == "CSV":
        source = made.csv_file(tmp_path / "a.csv", 20_000)
    else:
        source = made.tar(tmp_path / "a.tar", 6_000)
    arguments = ["convert", source, "--shard-size", "200kB", "--workers", "2", "--to"]
    command = [sys.executable, "-m", "feedline.cli", *arguments]
    subprocess.run([*command, str(tmp_path / "whole")], check=True, stdout=subprocess.DEVNULL)
    out, kept = tmp_path / "out", {}
    for wanted in (1, 3):
        process = started([*command, str(out)])
        while len(list(out.glob("*.tfrecord"))) < wanted and process.poll() is None:
            time.sleep(0.002)
        process.kill()  # the command alone: what it started must notice by itself
        process.communicate()
        while processes_of_group(process.pid):
            time.sleep(0.01)
        now = {path.name: path.stat().st_ino for path in out.glob("*.tfrecord")}
        assert kept.items() <= now.items()
        kept = now

    subprocess.run([*command, str(out)], check=True, stdout=subprocess.DEVNULL)
    whole = {path.name: path.read_bytes() for path in (tmp_path / "whole").glob("*.tfrecord")}
    assert {path.name: path.read_bytes() for path in out.glob("*.tfrecord")} == whole
    assert temporary(out) == []
    now = {path.name: path.stat().st_ino for path in out.glob("*.tfrecord")}
    assert kept.items() <= now.items()
