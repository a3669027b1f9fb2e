import json
import sys

import pytest

from feedline.cli.main import main
from tests.tools.made import records, tfrecord


def test_a_whole_file_is_described(tmp_path, capsys):
    path = tfrecord(tmp_path / "f.tfrecord", records())

    assert main(["inspect", path, "--examples", "1"]) == 0
    text = capsys.readouterr().out
    assert "20 records of" in text
    assert '\n    "id": tf.io.FixedLenFeature([], tf.int64),  # 0 to 19\n' in text
    assert "image: PNG 4 x 3" in text
    assert "record 1:" not in text
    assert "DAMAGED" not in text


def test_damage_is_printed_with_its_place_and_exits_with_1(tmp_path, capsys):
    path = tmp_path / "f.tfrecord"
    tfrecord(path, records())
    data = bytearray(path.read_bytes())
    data[30] ^= 1
    path.write_bytes(data[:-1])

    assert main(["inspect", str(path)]) == 1
    text = capsys.readouterr().out
    assert "DAMAGED" in text
    assert "record 0, byte 0" in text
    assert "truncated" in text


def test_the_code_can_be_pasted(tmp_path, capsys):
    path = tfrecord(tmp_path / "f.tfrecord", records(), "GZIP")
    main(["inspect", path, "--json"])
    (report,) = json.loads(capsys.readouterr().out)
    names = {}
    exec(report["code"], names)

    assert len(list(names["ds"])) == 20
    assert (report["records"], report["compression"], report["damage"]) == (20, "GZIP", [])


def test_patterns_name_many_files(tmp_path, capsys):
    for number in range(3):
        tfrecord(tmp_path / f"f{number}.tfrecord", [b"x"])

    assert main(["inspect", str(tmp_path / "*.tfrecord")]) == 0
    assert "3 files, 3 records, damaged places: 0" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["nothing.tfrecord", "*.nothing"])
def test_a_file_that_is_not_there_is_said_on_stderr(tmp_path, capsys, name):
    assert main(["inspect", str(tmp_path / name)]) == 1
    assert "feedline inspect: " in capsys.readouterr().err


def test_records_that_are_no_examples_are_shown_as_they_are(tmp_path, capsys):
    main(["inspect", tfrecord(tmp_path / "f", [b"some text", b"\xff" * 100])])

    text = capsys.readouterr().out
    assert "The records are no Examples." in text
    assert "'some text'" in text
    assert "... 100 B" in text


def test_on_a_terminal_there_is_a_bar(tmp_path, capsys, monkeypatch):
    path = tfrecord(tmp_path / "f", [b"x" * 100] * 5_000)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    assert main(["inspect", path]) == 0
    assert "5,000 records" in capsys.readouterr().out
