"""A chain that begins with JPEGs: those that kernels know and all others, side by side."""

import io

import numpy as np
import pytest
from PIL import Image

import feedline as tf
from feedline.image import chain_run
from tests.kernels.test_jpeg import needs_it, pixels_of, written


def png_of(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "png")
    return file.getvalue()


def mixed():
    pixels = [pixels_of(seed, 30 + seed, 50 - seed, "walk") for seed in range(6)]
    return [
        written(pixels[0]),
        png_of(pixels[1]),
        written(pixels[2], progressive=True),
        written(pixels[3], is_grey=True),
        written(pixels[4], subsampling=1),
        written(pixels[5], subsampling=0, restart_marker_blocks=3),
    ]


def prepare(data):
    image = tf.io.decode_jpeg(data, channels=3)
    image = tf.image.resize(image, (24, 20)) / 255.0
    return tf.image.flip_left_right(image)


def prepare_part(data):
    image = tf.io.decode_jpeg(data, channels=3)[3:25, 4:30]
    return tf.image.resize(image, (24, 20))


@pytest.mark.parametrize("fn", [prepare, prepare_part])
@pytest.mark.parametrize("block_size", [1, 4, 100])
def test_images_of_all_kinds_come_out_as_if_each_were_alone(fn, block_size):
    options = tf.data.Options()
    options.block_size = block_size
    ds = tf.data.Dataset.from_tensor_slices(mixed()).map(fn).batch(4).with_options(options)
    found = np.concatenate(list(ds))

    np.testing.assert_array_equal(found, [fn(data) for data in mixed()])


@needs_it
def test_records_of_a_file_go_to_the_kernel_where_they_lie(tmp_path, monkeypatch):
    path = str(tmp_path / "images.tfrecord")
    with tf.io.TFRecordWriter(path) as writer:
        for data in mixed() * 20:
            writer.write(data)
    decoded_elsewhere = []
    images = chain_run.Pass._images

    def counted(self, given, length, rows):
        decoded_elsewhere.append((length, len(rows)))
        return images(self, given, length, rows)

    monkeypatch.setattr(chain_run.Pass, "_images", counted)
    found = list(tf.data.TFRecordDataset(path).map(prepare))

    np.testing.assert_array_equal(found, [prepare(data) for data in mixed() * 20])
    # The first are gone through one by one; PNG, progressive and grey as colours are the others.
    total, others = np.sum(decoded_elsewhere, 0)
    assert total >= 48
    assert abs(others - total / 2) <= 3


@pytest.mark.parametrize("damage", ["cut short", "no image"])
def test_a_damaged_image_is_named_and_the_others_are_there(damage):
    good = mixed()
    bad = good[0][:300] if damage == "cut short" else b"no image at all"
    ds = tf.data.Dataset.from_tensor_slices([*good, bad, *good]).map(prepare)
    with pytest.raises(tf.errors.InvalidArgumentError, match="element 6"):
        list(ds)
    found = list(ds.ignore_errors())

    np.testing.assert_array_equal(found, [prepare(data) for data in good * 2])


def test_the_limit_of_pixels_holds(tmp_path):
    path = str(tmp_path / "images.tfrecord")
    with tf.io.TFRecordWriter(path) as writer:
        for _ in range(40):
            writer.write(mixed()[0])
    options = tf.data.Options()
    options.max_image_pixels = 1000
    ds = tf.data.TFRecordDataset(path).map(prepare).with_options(options)
    with pytest.raises(tf.errors.InvalidArgumentError, match="max_image_pixels"):
        list(ds)
