import base64
import io
import re

import numpy as np
import pytest
from PIL import Image

import feedline as tf
from feedline.errors import BuildError

IMAGES = np.random.default_rng(0).integers(0, 256, (5, 6, 8, 3)).astype(np.uint8)
LABELS = np.arange(5)


def dataset(images=IMAGES, labels=LABELS):
    return tf.data.Dataset.from_tensor_slices((images, labels))


def texts_of(page):
    return re.findall(r"<figcaption>(.*?)</figcaption>", page)


@pytest.mark.parametrize("ds", [dataset(), dataset().batch(2), dataset().batch(3)])
def test_a_page_has_the_images_themselves_whether_batched_or_not(ds, tmp_path):
    ds.show(4, tmp_path / "a.html")

    page = (tmp_path / "a.html").read_text()
    found = re.findall(r"base64,([^\"]*)", page)
    pixels = [tf.io.decode_png(base64.b64decode(data)) for data in found]
    assert np.array_equal(pixels, IMAGES[:4])
    assert texts_of(page) == ["0", "1", "2", "3"]


def test_a_png_is_a_grid(tmp_path):
    dataset().show(5, tmp_path / "a.png")

    with Image.open(tmp_path / "a.png") as found:
        assert found.size == (3 * 134 + 6, 2 * 150 + 6)


def test_a_notebook_is_given_a_png():
    found = Image.open(io.BytesIO(dataset().show(2)._repr_png_()))

    assert found.format == "PNG"


def test_fewer_images_than_asked_for_are_shown():
    assert repr(dataset().show(100)) == "<ContactSheet of 5 images>"


def test_an_endless_dataset_is_read_no_further_than_needed():
    assert repr(dataset().repeat().show(7)) == "<ContactSheet of 7 images>"


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        (LABELS % 2, ["cat", "<dog>", "cat"]),
        (np.eye(2, dtype=np.float32)[LABELS % 2], ["cat", "<dog>", "cat"]),
        (LABELS + 1, ["<dog>", "2", "3"]),
        (np.float32([0.5, 1, 7, 8, 9]), ["0.5", "<dog>", "7.0"]),
        (np.array([b"x", b"y", b"z", b"", b""], object), ["x", "y", "z"]),
    ],
)
def test_labels_are_written_as_names_where_there_is_one(labels, shown):
    page = dataset(labels=labels).show(3, class_names=["cat", "<dog>"]).page()

    assert texts_of(page) == [text.replace("<", "&lt;").replace(">", "&gt;") for text in shown]


def test_images_without_labels_have_no_text():
    page = tf.data.Dataset.from_tensor_slices(IMAGES).batch(2).show(3).page()

    assert texts_of(page) == ["", "", ""]


def test_images_may_differ_in_size_and_lie_in_a_dict():
    ds = tf.data.Dataset.from_generator(
        lambda: ({"image": IMAGES[n, : n + 1], "label": n} for n in range(3)),
        output_signature={
            "image": tf.TensorSpec((None, 8, 3), tf.uint8),
            "label": tf.TensorSpec((), tf.int32),
        },
    )

    assert texts_of(ds.show().page()) == ["0", "1", "2"]


def test_elements_without_an_image_are_refused_with_their_shapes():
    with pytest.raises(BuildError, match=r"got leaves of shapes \[\(8, 5\)\]"):
        tf.data.Dataset.from_tensor_slices(np.zeros((3, 8, 5))).show()


def test_a_dataset_without_elements_is_refused():
    with pytest.raises(BuildError, match="has no elements to show"):
        dataset().take(0).show()


def test_at_least_one_is_shown():
    with pytest.raises(BuildError, match="n must be at least 1, got 0"):
        dataset().show(0)
