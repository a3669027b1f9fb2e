"""Whether files are still those that they were."""

import json
import os

import pytest

from feedline.files.versions import difference, versions


@pytest.fixture
def paths(tmp_path):
    made = [tmp_path / name for name in "abc"]
    for path in made:
        path.write_text(path.name * 3)
        os.utime(path, ns=(1, 1))
    return [str(path) for path in made]


def test_files_that_nobody_touched_are_the_same(paths):
    assert difference(json.loads(json.dumps(versions(paths))), paths) is None


def test_a_folder_may_be_moved_or_named_otherwise(paths, tmp_path, monkeypatch):
    saved = versions(paths)
    monkeypatch.chdir(tmp_path)
    assert difference(saved, ["a", "b", "c"]) is None
    tmp_path.rename(tmp_path.parent / "moved")
    assert difference(saved, [str(tmp_path.parent / "moved" / name) for name in "abc"]) is None


def test_another_order_is_told(paths):
    assert "another order" in difference(versions(paths), [paths[0], paths[2], paths[1]])


def test_another_number_is_told(paths):
    assert difference(versions(paths), paths[:2]) == (
        "it was reading 3 files, and here there are 2"
    )


def test_the_file_that_has_another_size_is_named(paths):
    saved = versions(paths)
    with open(paths[1], "a") as file:
        file.write("more")
    assert difference(saved, paths) == f"{paths[1]} has another size now, or is not there"
    os.unlink(paths[1])
    assert difference(saved, paths) == f"{paths[1]} has another size now, or is not there"


def test_a_file_that_was_copied_is_told_from_one_that_differs(paths):
    saved = versions(paths)
    os.utime(paths[2], ns=(2, 2))
    found = difference(saved, paths)
    assert found.startswith(f"{paths[2]} has the same name and size")
    assert "copied" in found


@pytest.mark.parametrize("saved", [None, 3, [], {}, {"marks": 3}, {"marks": "", "count": "x"}])
def test_a_damaged_entry_is_a_difference(paths, saved):
    assert difference(saved, paths)


def test_any_number_of_files_takes_three_kilobytes_at_most():
    names = [f"gs://bucket/name-{number}" for number in range(20_000)]
    saved = versions(names)
    assert len(json.dumps(saved)) < 3 * 1024
    swapped = [*names[:5005], names[5006], names[5005], *names[5007:]]
    assert "one of the 20 files from gs://bucket/name-5000 on" in difference(saved, swapped)
