"""mixup and cutmix on batches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError

LABELS = np.eye(6, dtype=np.float32)
# Every image holds its own number alone, so that a result tells what it was mixed of.
NUMBERS = np.ones((6, 8, 10, 3), np.float32) * np.arange(6, dtype=np.float32)[:, None, None, None]


@given(st.integers(0, 9999), st.floats(0.05, 5))
def test_mixup_mixes_labels_like_images(seed, alpha):
    tf.random.set_seed(seed)
    images, labels = tf.image.mixup(NUMBERS, LABELS, alpha)

    assert images.dtype == labels.dtype == np.float32
    assert np.allclose(labels.sum(1), 1, atol=1e-6)
    assert (labels > 0).sum(1).max() <= 2
    assert np.allclose(images[:, 0, 0, 0], labels @ np.arange(6), atol=1e-5)
    assert (images == images[:, :1, :1, :1]).all()


@given(st.integers(0, 9999))
def test_cutmix_mixes_labels_by_area(seed):
    tf.random.set_seed(seed)
    images, labels = tf.image.cutmix(NUMBERS, LABELS)

    for number, (image, shares) in enumerate(zip(images[..., 0], labels, strict=True)):
        areas = np.array([(image == other).mean() for other in range(6)])
        assert np.allclose(areas, shares, atol=1e-5)
        taken = np.argwhere(image != number)
        if len(taken):
            (top, left), (bottom, right) = taken.min(0), taken.max(0) + 1
            assert len(taken) == (bottom - top) * (right - left)


def test_all_areas_occur():
    tf.random.set_seed(0)
    kept = [tf.image.cutmix(NUMBERS, LABELS)[1].max() for _ in range(300)]

    assert min(kept) < 0.55
    assert max(kept) > 0.97


def test_bytes_are_mixed_as_floats_and_cut_as_bytes():
    images = NUMBERS.astype(np.uint8)

    assert tf.image.mixup(images, LABELS)[0].dtype == np.float32
    assert tf.image.cutmix(images, LABELS)[0].dtype == np.uint8


@pytest.mark.parametrize("alpha", [1e-6, 1e-3])
def test_a_tiny_alpha_leaves_images_whole(alpha):
    tf.random.set_seed(1)
    for _ in range(20):
        images, labels = tf.image.mixup(NUMBERS, LABELS, alpha)
        assert np.isfinite(images).all()
        assert set(labels.max(1).round(3).tolist()) <= {1.0}


@pytest.mark.parametrize("mix", [tf.image.mixup, tf.image.cutmix])
def test_in_a_map_draws_belong_to_the_batch(mix):
    images = np.random.default_rng(0).integers(0, 256, (256, 6, 5, 3), np.uint8)
    labels = np.eye(4, dtype=np.float32)[np.arange(256) % 4]

    def made(repeats=1, **settings):
        options = tf.data.Options()
        options.seed = 2
        ds = tf.data.Dataset.from_tensor_slices((images, labels)).batch(4)
        ds = ds.map(mix, **settings).repeat(repeats).with_options(options)
        return [(image.tobytes(), label.tobytes()) for image, label in ds]

    assert made() == made(num_parallel_calls=2) == made(vectorize=False)
    assert made(2)[:64] == made()
    assert made(2)[64:] != made()


def test_a_map_of_whole_batches_is_vectorised():
    images, labels = np.zeros((400, 4, 4, 3), np.uint8), np.zeros((400, 2), np.float32)
    ds = tf.data.Dataset.from_tensor_slices((images, labels)).batch(4).map(tf.image.mixup)

    list(ds)

    assert "vectorised" in str(ds.explain())
    assert ds.element_spec[0].dtype == np.float32


@pytest.mark.parametrize("mix", [tf.image.mixup, tf.image.cutmix])
def test_wrong_arguments_are_refused(mix):
    with pytest.raises(BuildError, match=r"images must be a batch.*after batch\(\)"):
        mix(NUMBERS[0], LABELS)
    with pytest.raises(BuildTypeError, match=r"labels must be floats, got int64. Use one_hot"):
        mix(NUMBERS, np.arange(6))
    with pytest.raises(InvalidArgumentError, match="a label for each of 6 images"):
        mix(NUMBERS, LABELS[:5])
    with pytest.raises(BuildError, match="alpha must be above 0, got 0"):
        mix(NUMBERS, LABELS, 0)
