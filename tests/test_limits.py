import gzip
import io
import tracemalloc
from threading import Thread

import numpy as np
import pytest
from PIL import Image

import feedline as tf
from feedline.errors import BuildError, DecodeError
from feedline.limits import MAX_IMAGE_PIXELS, image_pixels_limited, max_image_pixels
from tests.image.files import FILES

JPEGS = np.array([FILES["s420.jpg"]] * 4, object)


def test_without_a_setting_the_default_holds():
    with image_pixels_limited(None):
        assert max_image_pixels() == MAX_IMAGE_PIXELS


def test_a_limit_ends_with_its_block():
    with image_pixels_limited(5):
        assert max_image_pixels() == 5
    assert max_image_pixels() == MAX_IMAGE_PIXELS


def test_a_limit_is_that_of_one_thread():
    seen = []
    with image_pixels_limited(5):
        thread = Thread(target=lambda: seen.append(max_image_pixels()))
        thread.start()
        thread.join()

    assert seen == [MAX_IMAGE_PIXELS]


def limited(ds, most):
    options = tf.data.Options()
    options.max_image_pixels = most
    return ds.with_options(options)


def decoded_shape(data):
    return tf.shape(tf.io.decode_jpeg(data, channels=3))


def pipelines(source):
    return {
        "map": source.map(lambda data: tf.io.decode_jpeg(data, channels=3)),
        "plain map": source.map(decoded_shape, vectorize=False),
        "filter": source.filter(lambda data: tf.io.decode_jpeg(data).shape[0] > 0),
        "take_while": source.take_while(lambda data: tf.io.decode_jpeg(data).shape[0] > 0),
        "scan": source.scan(0, lambda n, data: (n + tf.io.decode_jpeg(data).shape[0], n)),
        "flat_map": source.flat_map(
            lambda data: tf.data.Dataset.from_tensors(tf.io.decode_jpeg(data))
        ),
    }


@pytest.mark.parametrize("name", ["map", "plain map", "filter", "take_while", "scan", "flat_map"])
def test_the_option_reaches_every_function_of_a_pipeline(name):
    ds = pipelines(tf.data.Dataset.from_tensor_slices(JPEGS))[name]

    assert len(list(limited(ds, 13 * 17))) == 4
    with pytest.raises(DecodeError, match="13 x 17 pixels, and at most 220 are allowed"):
        list(limited(ds, 220))


def test_a_limit_below_one_is_refused():
    with pytest.raises(BuildError, match="max_image_pixels must be at least 1, got 0"):
        tf.data.Options().max_image_pixels = 0


@pytest.mark.parametrize(
    "source",
    [
        lambda path: tf.data.TextLineDataset(path, "GZIP"),
        lambda path: tf.data.JsonLinesDataset(path, compression_type="GZIP"),
        lambda path: tf.data.experimental.CsvDataset(path, [tf.string], compression_type="GZIP"),
    ],
)
def test_a_line_without_an_end_is_an_error_and_not_more_memory(tmp_path, source):
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b'"a"\n' + bytes(1 << 26)))
    ds = source(str(path)).with_options(tf.data.Options(max_line_bytes=1 << 20, executor="inline"))
    it = iter(ds)
    next(it)

    tracemalloc.start()
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"byte 4.*longer than 1048576 bytes"):
        next(it)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1 << 24
    assert next(it, None) is None


def test_compressed_records_may_be_longer_than_lines(tmp_path):
    path = tmp_path / "records.gz"
    path.write_bytes(gzip.compress(bytes(3 << 20)))
    ds = tf.data.FixedLengthRecordDataset(str(path), 1 << 20, compression_type="GZIP")

    records = list(ds.with_options(tf.data.Options(max_line_bytes=10)))

    assert [len(record) for record in records] == [1 << 20] * 3


def test_a_jpeg_with_hundreds_of_scans_is_refused():
    buffer = io.BytesIO()
    Image.new("RGB", (16, 16), "red").save(buffer, "JPEG", progressive=True)
    data = buffer.getvalue()
    last = data.rindex(b"\xff\xda")
    many = data[:last] + data[last:-2] * 200 + data[-2:]

    assert tf.io.decode_jpeg(data).shape == (16, 16, 3)
    with pytest.raises(tf.errors.InvalidArgumentError, match="scans, and no program makes more"):
        tf.io.decode_jpeg(many)


def test_what_looks_like_scans_in_a_thumbnail_is_none():
    buffer = io.BytesIO()
    Image.new("RGB", (16, 16), "red").save(
        buffer, "JPEG", progressive=True, comment=b"\xff\xda" * 300
    )

    assert tf.io.decode_jpeg(buffer.getvalue()).shape == (16, 16, 3)
