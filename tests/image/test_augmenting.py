"""RandAugment and TrivialAugment: which changes, how strong."""

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.image import augmenting
from feedline.image.pillow_changes import CHANGES, changed

IMAGE = np.random.default_rng(0).integers(0, 256, (16, 20, 3), np.uint8)
F14 = list(CHANGES)


def strengths(monkeypatch, call, times=600):
    """Return the strengths that each change was called with."""
    found = {name: [] for name in F14}

    def note(image, name, strength, _fill):
        found[name].append(strength)
        return image

    monkeypatch.setattr(augmenting, "changed", note)
    tf.random.set_seed(0)
    for _ in range(times):
        call()
    return found


def test_rand_augment_chooses_among_fourteen_changes_alike(monkeypatch):
    found = strengths(monkeypatch, lambda: tf.image.rand_augment(IMAGE, 3, 9))

    counts = [len(values) for values in found.values()]
    assert len(counts) == 14
    assert sum(counts) == 1800
    assert min(counts) > 80


@pytest.mark.parametrize(
    ("magnitude", "expected"),
    [
        (
            10,
            {
                "rotate": {-30, 30},
                "shear_x": {-0.3, 0.3},
                "shear_y": {-0.3, 0.3},
                "translate_x": {-9, 9},
                "translate_y": {-7.2, 7.2},
                "color": {0.1, 1.9},
                "contrast": {0.1, 1.9},
                "brightness": {0.1, 1.9},
                "sharpness": {0.1, 1.9},
                "posterize": {4},
                "solarize": {0},
            },
        ),
        (
            0,
            {
                "rotate": {0},
                "shear_x": {0},
                "shear_y": {0},
                "translate_x": {0},
                "translate_y": {0},
                "color": {1},
                "contrast": {1},
                "brightness": {1},
                "sharpness": {1},
                "posterize": {8},
                "solarize": {256},
            },
        ),
    ],
)
def test_rand_augment_has_the_strengths_of_the_paper(monkeypatch, magnitude, expected):
    found = strengths(monkeypatch, lambda: tf.image.rand_augment(IMAGE, 2, magnitude))

    for name, values in expected.items():
        assert {round(value, 6) for value in found[name]} == values, name


def test_trivial_augment_has_the_wide_strengths_of_the_paper(monkeypatch):
    found = strengths(monkeypatch, lambda: tf.image.trivial_augment(IMAGE), times=6000)

    assert {round(abs(s) / 135 * 30, 6) for s in found["rotate"]} == set(range(31))
    assert max(found["shear_x"]) == pytest.approx(0.99)
    assert min(found["translate_x"]) == -32
    assert max(found["translate_y"]) == 32
    assert max(found["brightness"]) == pytest.approx(1.99)
    assert min(found["brightness"]) == pytest.approx(0.01)
    assert set(found["posterize"]) == {2, 3, 4, 5, 6, 7, 8}
    assert (min(found["solarize"]), max(found["solarize"])) == (0, 256)


def test_a_magnitude_of_zero_changes_nothing_but_by_what_has_no_strength():
    still = {"rotate", "shear_x", "shear_y", "translate_x", "translate_y", "posterize", "solarize"}
    still |= {"identity", "color", "contrast", "brightness", "sharpness"}
    neutral = {"posterize": 8, "solarize": 256, "color": 1, "contrast": 1, "brightness": 1}

    for name in still:
        strength = neutral.get(name, 1 if name == "sharpness" else 0)
        assert np.array_equal(changed(IMAGE, name, strength, (0,)), IMAGE), name


def test_every_change_does_what_it_is_called():
    image = IMAGE.astype(int)

    assert np.array_equal(
        changed(IMAGE, "solarize", 128, (0,)), np.where(image < 128, image, 255 - image)
    )
    assert np.array_equal(changed(IMAGE, "posterize", 4, (0,)), image & 0xF0)
    assert np.array_equal(changed(IMAGE, "brightness", 0, (0,)), 0 * image)
    assert np.array_equal(changed(IMAGE, "translate_x", 3, (7,))[:, :-3], IMAGE[:, 3:])
    assert (changed(IMAGE, "translate_x", 3, (7,))[:, -3:] == 7).all()
    assert np.array_equal(changed(IMAGE, "translate_y", -2, (1, 2, 3))[2:], IMAGE[:-2])
    assert (changed(IMAGE, "translate_y", -2, (1, 2, 3))[:2] == [1, 2, 3]).all()
    assert np.array_equal(changed(IMAGE, "rotate", 180, (0,)), IMAGE[::-1, ::-1])
    gray = changed(IMAGE, "color", 0, (0,))
    assert (gray == gray[..., :1]).all()
    stretched = changed(IMAGE // 4 + 50, "autocontrast", 0, (0,))
    assert stretched.min() == 0
    assert stretched.max() >= 254
    assert changed(IMAGE // 4 + 50, "equalize", 0, (0,)).max() == 255
    assert np.array_equal(changed(IMAGE, "shear_x", 0.5, (0,))[0], IMAGE[0])


def test_grey_images_stay_grey():
    for name in F14:
        assert changed(IMAGE[..., :1], name, 1, (0,)).shape == (16, 20, 1)
    assert tf.image.rand_augment(IMAGE[..., :1]).shape == (16, 20, 1)


def test_no_layers_change_nothing():
    assert np.array_equal(tf.image.rand_augment(IMAGE, 0), IMAGE)


def test_the_image_given_is_not_changed_and_not_shared():
    before = IMAGE.copy()

    for _ in range(30):
        tf.image.trivial_augment(IMAGE)[:] = 0

    assert np.array_equal(IMAGE, before)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tf.image.rand_augment(IMAGE, 2, 11), BuildError, "from 0 to 10.*got 11"),
        (lambda: tf.image.rand_augment(IMAGE, -1), BuildError, "num_layers must be at least 0"),
        (lambda: tf.image.rand_augment(IMAGE / 255), BuildTypeError, "must be uint8, got float64"),
        (lambda: tf.image.trivial_augment(IMAGE[..., :2]), InvalidArgumentError, "1 or 3 channels"),
        (lambda: tf.image.trivial_augment(IMAGE[0]), BuildError, "must have 3 axes"),
        (lambda: tf.image.rand_augment(IMAGE, fill=(1, 2)), BuildError, "fill must be a number"),
        (lambda: tf.image.rand_augment(IMAGE, fill=300), BuildError, "fill must be a number"),
    ],
)
def test_wrong_arguments_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
