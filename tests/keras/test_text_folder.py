"""Folders of texts: what the recorded cases in tests/golden do not say."""

import pickle

import pytest

import feedline as tf
from feedline.errors import BuildError, NotFoundError

load = tf.keras.utils.text_dataset_from_directory


@pytest.fixture
def folder(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        for number in range(3):
            (tmp_path / name / f"{number}.txt").write_text(f"{name}{number}")
    return tmp_path


def test_what_was_found_is_printed(folder, capsys):
    load(folder, validation_split=0.4, subset="both", seed=1)

    assert capsys.readouterr().out.splitlines() == [
        "Found 6 files belonging to 2 classes.",
        "Using 4 files for training.",
        "Using 2 files for validation.",
    ]


def test_it_knows_its_files_also_after_pickling(folder):
    ds = pickle.loads(pickle.dumps(load(folder, shuffle=False, verbose=False)))

    assert ds.class_names == ["a", "b"]
    assert ds.file_paths[0] == str(folder / "a" / "0.txt")


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"format": "grain"}, r"text_dataset_from_directory\(\): format must be 'tf'"),
        ({"max_length": -1}, "max_length must be at least 0"),
        ({"batch_size": 0}, "batch_size must be at least 1"),
        (
            {"validation_split": 0.01, "subset": "validation", "seed": 1},
            "there are no text files for validation .* Files that end in .txt are read",
        ),
    ],
)
def test_settings_that_cannot_be_are_refused(folder, settings, text):
    with pytest.raises(BuildError, match=text):
        load(folder, verbose=False, **settings)


def test_a_folder_that_is_not_there_is_named():
    with pytest.raises(NotFoundError, match="there is no folder '/no/such/folder'"):
        load("/no/such/folder")
