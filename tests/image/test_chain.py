"""Operations on images that become one pass give what they give one by one, bit for bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import feedline as tf
from feedline.graph import fusion, vectorizer
from feedline.graph.function_spec import recorded_for
from feedline.testing import CHECKS

DRAWS = np.random.default_rng(5)
SIZES = DRAWS.integers(12, 30, (9, 2))
VARIED = [DRAWS.integers(0, 256, (h, w, 3)).astype(np.uint8) for h, w in SIZES]
SAME = [DRAWS.integers(0, 256, (15, 20, 3)).astype(np.uint8) for _ in range(9)]
FLOATS = [image.astype(np.float32) / 255 - 0.5 for image in SAME]
IMAGES = {"varied": VARIED, "same": SAME, "floats": FLOATS}
MEAN, STD = np.float32([0.4, 0.5, 0.6]), np.float32([0.2, 0.3, 0.25])


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(vectorizer, "_BEFORE_TRYING", 0)
    monkeypatch.setattr(vectorizer, "_SMALLEST_BLOCK", 1)


def _source(images):
    spec = tf.TensorSpec((None, None, 3), images[0].dtype)
    if len({image.shape for image in images}) == 1:
        return tf.data.Dataset.from_tensor_slices(np.stack(images))
    return tf.data.Dataset.from_generator(lambda: iter(images), output_signature=spec)


def _passes(function, images):
    return recorded_for(function, _source(images).element_spec).program.passes


CROPS = {
    "none": lambda x: x,
    "box": lambda x: tf.image.crop_to_bounding_box(x, 2, 1, 9, 10),
    "middle": lambda x: tf.image.central_crop(x, 0.7),
    "random": lambda x: tf.image.random_crop(x, (10, 11, 3), seed=3),
    "two": lambda x: tf.image.crop_to_bounding_box(tf.image.central_crop(x, 0.9), 1, 1, 7, 8),
}
BEFORE = {
    "none": lambda x: x,
    "cast": lambda x: tf.cast(x, tf.float32) / 255.0,
    "convert": lambda x: tf.image.convert_image_dtype(x, tf.float32),
}
SIZED = {
    "bilinear": lambda x: tf.image.resize(x, (7, 9)),
    "antialias": lambda x: tf.image.resize(x, (5, 6), antialias=True),
    "larger": lambda x: tf.image.resize(x, (40, 33)),
    "nearest": lambda x: tf.image.resize(x, (7, 9), "nearest"),
    "area": lambda x: tf.image.resize(x, (7, 9), "area"),
    "bicubic": lambda x: tf.image.resize(x, (7, 9), "bicubic", antialias=True),
    "part": lambda x: tf.image.random_resized_crop(x, (7, 9), seed=5),
}
FLIPS = {
    "none": lambda x: x,
    "left_right": tf.image.flip_left_right,
    "up_down": tf.image.flip_up_down,
    "random": lambda x: tf.image.random_flip_left_right(x, seed=4),
    "both": lambda x: tf.image.random_flip_up_down(tf.image.flip_left_right(x), seed=4),
}
AFTER = {
    "none": lambda x: x,
    "cast": lambda x: tf.cast(x, tf.float32),
    "scale": lambda x: tf.cast(x, tf.float32) / 127.5 - 1.0,
    "normalize": lambda x: tf.image.normalize(x, MEAN, STD),
    "clip": lambda x: tf.clip_by_value(tf.cast(x, tf.float32) * 0.01, 0.25, 0.5),
}


def _same(function, images):
    dataset = _source(images).map(function)
    mapped = list(dataset)
    assert "vectorised" in str(dataset.explain())
    one_by_one = list(_source(images).map(function, vectorize=False))
    assert len(mapped) == len(images)
    for ours, theirs in zip(mapped, one_by_one, strict=True):
        assert ours.dtype == theirs.dtype
        assert np.array_equal(ours, theirs)


@settings(max_examples=150)
@given(
    *(st.sampled_from(list(choices)) for choices in (IMAGES, CROPS, BEFORE, SIZED, FLIPS, AFTER))
)
def test_a_chain_is_its_operations_one_by_one(images, crop, before, sized, flip, after):
    def function(x):
        assert tf.random  # named here, so that it is seen that the function draws
        return AFTER[after](FLIPS[flip](SIZED[sized](BEFORE[before](CROPS[crop](x)))))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vectorizer, "_BEFORE_TRYING", 0)
        patch.setattr(vectorizer, "_SMALLEST_BLOCK", 1)
        _same(function, IMAGES[images])


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("flip", list(FLIPS))
@pytest.mark.parametrize("images", list(IMAGES))
def test_a_part_of_known_size_needs_no_resize(flip, images):
    def function(x):
        assert tf.random  # named here, so that it is seen that the function draws
        return AFTER["scale"](FLIPS[flip](CROPS["random"](x)))

    assert len(_passes(function, IMAGES[images])) == 1
    _same(function, IMAGES[images])


def test_explain_names_what_runs_as_one_pass():
    def function(x):
        x = tf.image.resize(tf.image.crop_to_bounding_box(x, 2, 1, 9, 10), (7, 9))
        return tf.image.flip_left_right(x) / 255.0

    mapped = _source(VARIED).map(function)

    wanted = "vectorised; in one pass: crop_to_bounding_box, resize, flip, divide"
    assert wanted in str(mapped.explain())
    list(mapped)
    assert wanted in str(mapped.explain())


@pytest.mark.usefixtures("at_once")
def test_what_is_used_twice_is_not_joined():
    def function(x):
        resized = tf.image.resize(x, (7, 9))
        return resized, resized / 255.0

    assert _passes(function, SAME) == []
    pairs = list(_source(SAME).map(function))
    assert all(np.array_equal(first / np.float32(255), second) for first, second in pairs)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.image.resize(tf.image.flip_left_right(x), (7, 9)),
        lambda x: tf.image.resize(x, (7, 9), preserve_aspect_ratio=True) / 255.0,
        lambda x: tf.cast(x, tf.float32) / 255.0,
        lambda x: tf.image.resize(x, (7, 9)) * tf.reduce_mean(tf.image.resize(x, (7, 9))),
        lambda x: tf.image.resize(x, (7, 9)) * np.ones((7, 9, 1), np.float32),
        lambda x: tf.cast(tf.image.resize(x, (7, 9)), tf.float64) / 255.0,
    ],
    ids=["flip first", "ratio", "no size", "other value", "other shape", "float64"],
)
def test_what_does_not_fit_into_a_pass_stays_apart(function):
    assert all("cast" not in names or "resize" in names for names in _passes(function, SAME))
    _same(function, SAME)


@pytest.mark.usefixtures("at_once")
def test_two_chains_in_one_function_are_two_passes():
    def function(x):
        return {"a": tf.image.resize(x, (7, 9)) / 255.0, "b": tf.image.resize(x, (3, 3)) - 1.0}

    assert _passes(function, VARIED) == ["resize, divide", "resize, subtract"]
    for image, made in zip(VARIED, _source(VARIED).map(function), strict=True):
        assert np.array_equal(made["a"], function(image)["a"])
        assert np.array_equal(made["b"], function(image)["b"])


@pytest.mark.usefixtures("at_once")
def test_an_image_that_is_too_small_fails_where_it_stands():
    def function(x):
        return tf.image.resize(tf.image.crop_to_bounding_box(x, 0, 0, 12, 12), (4, 4)) / 255.0

    images = [*VARIED[:3], np.zeros((5, 40, 3), np.uint8), *VARIED[3:]]
    iterator = iter(_source(images).map(function))

    assert [next(iterator).shape for _ in range(3)] == [(4, 4, 3)] * 3
    with pytest.raises(ValueError, match="height is 5"):
        next(iterator)


JPEGS = [tf.image.encode_jpeg(image) for image in VARIED]


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("channels", [0, 1, 3])
def test_images_are_decoded_in_the_same_pass(channels):
    def function(data):
        image = tf.image.decode_jpeg(data, channels=channels)
        return tf.image.random_flip_left_right(tf.image.resize(image, (7, 9)), seed=1) / 255.0

    mapped = tf.data.Dataset.from_tensor_slices(JPEGS).map(function)
    one_by_one = tf.data.Dataset.from_tensor_slices(JPEGS).map(function, vectorize=False)

    assert "in one pass: decode_jpeg, resize, random_flip, divide" in str(mapped.explain())
    assert mapped.element_spec.shape == (7, 9, channels or None)
    for ours, theirs in zip(mapped, one_by_one, strict=True):
        assert np.array_equal(ours, theirs)


@pytest.mark.usefixtures("at_once")
def test_a_damaged_image_fails_where_it_stands():
    def function(data):
        return tf.image.resize(tf.image.decode_jpeg(data, channels=3), (7, 9)) / 255.0

    data = [*JPEGS[:4], JPEGS[4][:30], *JPEGS[5:]]
    iterator = iter(tf.data.Dataset.from_tensor_slices(data).map(function))

    assert [next(iterator).shape for _ in range(4)] == [(7, 9, 3)] * 4
    with pytest.raises(ValueError, match="decode_jpeg"):
        next(iterator)
    assert [image.shape for image in iterator] == [(7, 9, 3)] * 4


def augmented(data):
    image = tf.image.random_resized_crop(tf.image.decode_jpeg(data, channels=3), (7, 9), seed=1)
    return tf.image.random_flip_left_right(image) / 255.0


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("check", CHECKS)
def test_a_pass_conforms(check):
    check(tf.data.Dataset.from_tensor_slices(JPEGS * 2).map(augmented))


def test_only_known_functions_join_operations():
    assert [function.__name__ for function in fusion.FUSERS] == ["fuse_images"]
