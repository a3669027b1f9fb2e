"""Folders of sounds: what the recorded cases in tests/golden do not say."""

import pytest

import feedline as tf
from feedline.errors import BuildError

load = tf.keras.utils.audio_dataset_from_directory


@pytest.fixture
def folder(tmp_path):
    for name in "ab":
        sound = tf.audio.encode_wav([[0.5], [-0.5]], 8000)
        tf.io.write_file(f"{tmp_path}/{name}/1.wav", sound)
    return tmp_path


def test_it_knows_its_files(folder):
    ds = load(folder, shuffle=False, verbose=False)

    assert ds.class_names == ["a", "b"]
    assert ds.file_paths == [str(folder / name / "1.wav") for name in "ab"]


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"sampling_rate": 8000}, "sounds are not resampled here"),
        ({"ragged": True, "output_sequence_length": 3}, "only one of ragged and"),
        ({"label_mode": "x"}, r"audio_dataset_from_directory\(\): label_mode must be"),
        ({"output_sequence_length": -2}, "output_sequence_length must be at least"),
    ],
)
def test_settings_that_cannot_be_are_refused(folder, settings, text):
    with pytest.raises(BuildError, match=text):
        load(folder, verbose=False, **settings)


def test_a_folder_without_sounds_says_which_files_are_read(tmp_path):
    (tmp_path / "a").mkdir()

    with pytest.raises(BuildError, match=r"there are no audio files .* end in \.wav are read"):
        load(tmp_path, verbose=False)


def test_a_damaged_file_is_named_by_its_element(folder):
    (folder / "b" / "1.wav").write_bytes(b"no sound")

    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        list(load(folder, shuffle=False, verbose=False))
    assert "element 1" in "".join(caught.value.__notes__)
