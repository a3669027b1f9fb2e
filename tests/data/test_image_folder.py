import pickle

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError, NotFoundError

load = tf.data.image_dataset_from_directory


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Nine images: of number n all pixels are n, and its class is a, b or c by turns."""
    root = tmp_path_factory.mktemp("images")
    for n in range(9):
        image = np.full((4 + n, 6, 3), n, np.uint8)
        inside = "deeper/" if n > 5 else ""
        tf.io.write_file(root / "abc"[n % 3] / f"{inside}{n}.png", tf.io.encode_png(image))
    tf.io.write_file(root / "a" / "notes.txt", "no image")
    tf.io.write_file(root / ".hidden" / "notes.txt", "no class")
    return root


def numbers(ds):
    """Which images a dataset of batches has, in order."""
    return [int(image[0, 0, 0]) for images, *_ in ds for image in images]


def quiet(folder, **settings):
    return load(folder, **{"verbose": False, "image_size": (3, 2), "shuffle": False, **settings})


def test_images_come_by_class_and_name_with_labels(folder):
    ds = quiet(folder, batch_size=4)

    assert numbers(ds) == [0, 3, 6, 1, 4, 7, 2, 5, 8]
    assert [labels.tolist() for _, labels in ds] == [[0, 0, 0, 1], [1, 1, 2, 2], [2]]
    assert ds.class_names == ["a", "b", "c"]
    assert ds.file_paths[2] == str(folder / "a" / "deeper" / "6.png")
    assert [spec.shape for spec in ds.element_spec] == [(None, 3, 2, 3), (None,)]


def test_a_seed_gives_the_order_of_keras(folder):
    ds = quiet(folder, shuffle=True, seed=42, batch_size=4)

    # Recorded from keras 3.15.1 on TensorFlow 2.21, for the same nine files.
    assert "".join(path[-5] for path in ds.file_paths) == "537086412"
    assert numbers(ds) == [4, 2, 6, 1, 0, 7, 3, 8, 5]
    assert numbers(ds) == [5, 8, 7, 1, 2, 3, 6, 4, 0]


@pytest.mark.parametrize(
    ("settings", "dtype", "first"),
    [
        ({"label_mode": "int"}, np.int32, 0),
        ({"label_mode": "categorical"}, np.float32, [1, 0, 0]),
        ({"label_mode": "binary", "class_names": ["c", "a"]}, np.float32, [0]),
        ({"labels": [5, *range(8)]}, np.int32, 5),
    ],
)
def test_labels_come_in_every_form(folder, settings, dtype, first):
    _, labels = next(iter(quiet(folder, **settings)))

    assert labels.dtype == dtype
    assert labels[0].tolist() == first


@pytest.mark.parametrize("settings", [{"labels": None}, {"label_mode": None}])
def test_without_labels_images_come_alone(folder, settings):
    ds = quiet(folder, **settings)

    assert next(iter(ds)).shape == (9, 3, 2, 3)
    assert ds.class_names is None


def test_the_two_parts_are_all_there_is(folder):
    both = quiet(folder, validation_split=0.3, subset="both", shuffle=True, seed=1)
    parts = [
        quiet(folder, validation_split=0.3, subset=part, shuffle=True, seed=1)
        for part in ("training", "validation")
    ]

    assert [len(ds.file_paths) for ds in both] == [7, 2]
    assert [ds.file_paths for ds in both] == [ds.file_paths for ds in parts]
    assert sorted(numbers(both[0]) + numbers(both[1])) == list(range(9))


@pytest.mark.parametrize(
    ("settings", "shape"),
    [
        ({"color_mode": "grayscale"}, (9, 3, 2, 1)),
        ({"color_mode": "rgba"}, (9, 3, 2, 4)),
        ({"data_format": "channels_first"}, (9, 3, 3, 2)),
        ({"image_size": 5}, (9, 5, 5, 3)),
        ({"crop_to_aspect_ratio": True}, (9, 3, 2, 3)),
        ({"pad_to_aspect_ratio": True}, (9, 3, 2, 3)),
        ({"batch_size": None}, (3, 2, 3)),
    ],
)
def test_images_come_in_every_form(folder, settings, shape):
    images, _ = next(iter(quiet(folder, **settings)))

    assert images.shape == shape
    assert images.dtype == np.float32


def test_cropping_fills_the_image_and_padding_does_not(folder):
    crop, _ = next(iter(quiet(folder, class_names=["c"], crop_to_aspect_ratio=True)))
    pad, _ = next(iter(quiet(folder, class_names=["c"], pad_to_aspect_ratio=True)))

    assert (crop[0] == 2).all()
    assert pad[0].min() == 0


def test_what_was_found_is_printed(folder, capsys):
    load(folder, validation_split=0.3, subset="both", seed=1)
    load(folder, labels=None)

    assert capsys.readouterr().out.splitlines() == [
        "Found 9 files belonging to 3 classes.",
        "Using 7 files for training.",
        "Using 2 files for validation.",
        "Found 9 files.",
    ]


def test_it_survives_pickling(folder):
    ds = pickle.loads(pickle.dumps(quiet(folder)))

    assert ds.class_names == ["a", "b", "c"]
    assert len(ds.file_paths) == 9


def test_a_sheet_names_the_classes(folder):
    assert "<figcaption>c</figcaption>" in quiet(folder).show(9).page()


def test_a_damaged_file_is_named_by_its_element(folder, tmp_path):
    tf.io.write_file(tmp_path / "a" / "0.jpg", b"no image")

    with pytest.raises(tf.errors.DecodeError, match="are no image") as caught:
        list(quiet(tmp_path))
    assert "element 0" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"label_mode": "x"}, "label_mode must be"),
        ({"color_mode": "x"}, "color_mode must be"),
        ({"interpolation": "x"}, "interpolation must be one of bilinear"),
        ({"image_size": (1, 2, 3)}, "image_size must be a height and a width"),
        ({"data_format": "x"}, "data_format must be"),
        ({"format": "grain"}, "format must be 'tf'"),
        ({"batch_size": 0}, "batch_size must be at least 1"),
        ({"subset": "x"}, "subset must be"),
        ({"subset": "training"}, "must be given together"),
        ({"validation_split": 2, "subset": "both"}, "between 0 and 1, got 2"),
        ({"validation_split": 0.5, "subset": "both", "shuffle": True}, "needs a seed"),
        ({"validation_split": 0.01, "subset": "validation"}, "no images for validation"),
        ({"class_names": ["z"]}, r"which are \['a', 'b', 'c'\]; got \['z'\]"),
        ({"class_names": ["a"], "labels": None}, "need labels='inferred'"),
        ({"labels": [1]}, "1 were given, and .* has 9 files"),
        ({"label_mode": "binary"}, "needs 2 classes, found"),
        ({"crop_to_aspect_ratio": True, "pad_to_aspect_ratio": True}, "only one of"),
    ],
)
def test_settings_that_cannot_be_are_refused(folder, settings, text):
    with pytest.raises(BuildError, match=text):
        quiet(folder, **settings)


def test_labels_of_another_kind_are_refused(folder):
    with pytest.raises(BuildTypeError, match="labels must be 'inferred', None, or a list"):
        quiet(folder, labels="x")


def test_a_folder_that_is_not_there_is_named():
    with pytest.raises(NotFoundError, match="there is no folder '/no/such/folder'"):
        quiet("/no/such/folder")
