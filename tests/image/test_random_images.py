"""What is drawn for images belongs to their element; tests/golden has TensorFlow's numbers."""

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.testing import CHECKS

COUNT = 60
IMAGES = np.random.default_rng(0).integers(0, 256, (COUNT, 12, 10, 3), np.uint8)
I = tf.image  # noqa: E741

RANDOM = {
    "brightness": lambda x: I.random_brightness(x, 0.4),
    "contrast": lambda x: I.random_contrast(x, 0.2, 1.8),
    "hue": lambda x: I.random_hue(x, 0.4),
    "saturation": lambda x: I.random_saturation(x, 0.2, 1.8),
    "jpeg quality": lambda x: I.random_jpeg_quality(x, 5, 95),
    "crop": lambda x: I.random_crop(x, [5, 6, 3]),
    "flip left right": lambda x: I.random_flip_left_right(x),
    "flip up down": lambda x: I.random_flip_up_down(x),
    "resized crop": lambda x: I.random_resized_crop(x, [6, 5]),
    "erasing": lambda x: I.random_erasing(x, 0.9),
    "rand augment": lambda x: I.rand_augment(x),
    "trivial augment": lambda x: I.trivial_augment(x),
}
SEEDED = {
    "brightness": lambda x: I.random_brightness(x, 0.4, seed=5),
    "contrast": lambda x: I.random_contrast(x, 0.2, 1.8, seed=5),
    "hue": lambda x: I.random_hue(x, 0.4, seed=5),
    "saturation": lambda x: I.random_saturation(x, 0.2, 1.8, seed=5),
    "jpeg quality": lambda x: I.random_jpeg_quality(x, 5, 95, seed=5),
    "crop": lambda x: I.random_crop(x, [5, 6, 3], seed=5),
    "flip left right": lambda x: I.random_flip_left_right(x, seed=5),
    "flip up down": lambda x: I.random_flip_up_down(x, seed=5),
    "resized crop": lambda x: I.random_resized_crop(x, [6, 5], seed=5),
    "erasing": lambda x: I.random_erasing(x, 0.9, seed=5),
    "rand augment": lambda x: I.rand_augment(x, seed=5),
    "trivial augment": lambda x: I.trivial_augment(x, seed=5),
}
# Every draw comes from a map over a batch too, one for each of its images.
EACH_OF_A_BATCH = ["flip left right", "flip up down", "resized crop", "erasing", "rand augment"]
EVERY = pytest.mark.parametrize("name", RANDOM)


def images_with(fn, count=COUNT, seed=7, repeats=1, **settings):
    options = tf.data.Options()
    options.seed = seed
    ds = tf.data.Dataset.from_tensor_slices(IMAGES[:count]).map(fn, **settings)
    return np.stack(list(ds.repeat(repeats).with_options(options)))


@EVERY
def test_workers_and_blocks_do_not_change_what_is_drawn(name):
    made = images_with(RANDOM[name])

    assert np.array_equal(made, images_with(RANDOM[name], vectorize=False))
    assert np.array_equal(made, images_with(RANDOM[name], num_parallel_calls=3))
    assert np.array_equal(made[:7], images_with(RANDOM[name], count=7))


@EVERY
def test_the_next_epoch_and_another_seed_draw_anew(name):
    made = images_with(RANDOM[name], repeats=2)

    assert not np.array_equal(made[:COUNT], made[COUNT:])
    assert not np.array_equal(made[:COUNT], images_with(RANDOM[name], seed=8))


@EVERY
def test_a_seed_makes_every_iteration_the_same(name):
    made = images_with(SEEDED[name], seed=None)

    assert np.array_equal(made, images_with(SEEDED[name], seed=None))


@EVERY
def test_a_map_runs_on_whole_blocks_and_knows_its_spec(name):
    ds = tf.data.Dataset.from_tensor_slices(IMAGES).map(RANDOM[name])
    spec = ds.element_spec

    first = next(iter(ds))
    list(ds)

    assert spec == tf.TensorSpec(first.shape, first.dtype)
    assert "vectorised" in str(ds.explain())


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", ["crop", "flip left right", "brightness", "rand augment"])
def test_conforms(name, check):
    options = tf.data.Options()
    options.seed = 3
    ds = tf.data.Dataset.from_tensor_slices(IMAGES[:9]).with_options(options)

    check(ds.map(RANDOM[name]))


@pytest.mark.parametrize("name", EACH_OF_A_BATCH)
def test_every_image_of_a_batch_has_draws_of_its_own(name):
    same = np.repeat(IMAGES[:1], 40, axis=0)
    ds = tf.data.Dataset.from_tensor_slices(same).batch(40).map(RANDOM[name])

    (made,) = list(ds)

    assert len({image.tobytes() for image in made}) > 1
    assert len(made) == 40


@EVERY
def test_images_of_different_sizes_have_the_draws_of_their_element(name):
    images = [np.full((10 + n % 5, 12, 3), 3 * n, np.uint8) for n in range(45)]

    def made(**settings):
        options = tf.data.Options()
        options.seed = 7
        ds = tf.data.Dataset.from_generator(
            lambda: iter(images), output_signature=tf.TensorSpec((None, None, 3), tf.uint8)
        )
        return [image.tobytes() for image in ds.map(RANDOM[name], **settings).with_options(options)]

    assert made() == made(vectorize=False) == made(num_parallel_calls=2)


def test_what_is_made_of_decoded_images_is_known_before_they_are_decoded():
    files = [bytes(tf.io.encode_jpeg(image[: 8 + n % 3])) for n, image in enumerate(IMAGES)]

    def augment(contents):
        image = I.random_hue(I.decode_jpeg(contents, channels=3), 0.1)
        crop = I.random_flip_left_right(I.random_crop(image, [5, 6, 3]))
        return crop, I.random_resized_crop(image, [4, 4]), I.rgb_to_grayscale(image)

    ds = tf.data.Dataset.from_tensor_slices(files).map(augment)

    assert ds.element_spec == (
        tf.TensorSpec((5, 6, 3), tf.uint8),
        tf.TensorSpec((4, 4, 3), tf.float32),
        tf.TensorSpec((None, None, 1), tf.uint8),
    )
    assert [len(gray) for _, _, gray in ds] == [8 + n % 3 for n in range(COUNT)]


@EVERY
def test_outside_of_a_pipeline_draws_go_on_from_a_seed(name):
    tf.random.set_seed(11)
    first = [RANDOM[name](IMAGES[0]) for _ in range(30)]
    tf.random.set_seed(11)

    again = [RANDOM[name](IMAGES[0]) for _ in range(30)]

    assert np.array_equal(first, again)
    assert len({image.tobytes() for image in first}) > 1


@EVERY
def test_a_function_draws_at_every_call(name):
    fn = tf.function(RANDOM[name])

    made = {np.asarray(fn(IMAGES[0])).tobytes() for _ in range(30)}

    assert len(made) > 1


@EVERY
def test_a_seed_that_is_no_integer_is_refused(name):
    calls = {
        "brightness": lambda: I.random_brightness(IMAGES[0], 0.4, seed="x"),
        "contrast": lambda: I.random_contrast(IMAGES[0], 0.2, 1.8, seed="x"),
        "hue": lambda: I.random_hue(IMAGES[0], 0.4, seed="x"),
        "saturation": lambda: I.random_saturation(IMAGES[0], 0.2, 1.8, seed="x"),
        "jpeg quality": lambda: I.random_jpeg_quality(IMAGES[0], 5, 95, seed="x"),
        "crop": lambda: I.random_crop(IMAGES[0], [5, 6, 3], seed="x"),
        "flip left right": lambda: I.random_flip_left_right(IMAGES[0], seed="x"),
        "flip up down": lambda: I.random_flip_up_down(IMAGES[0], seed="x"),
        "resized crop": lambda: I.random_resized_crop(IMAGES[0], [6, 5], seed="x"),
        "erasing": lambda: I.random_erasing(IMAGES[0], seed="x"),
        "rand augment": lambda: I.rand_augment(IMAGES[0], seed="x"),
        "trivial augment": lambda: I.trivial_augment(IMAGES[0], seed="x"),
    }
    with pytest.raises(BuildTypeError, match="seed must be an integer or None, got 'x'"):
        calls[name]()


# ---- crops and flips ---------------------------------------------------------------------


def test_every_place_of_a_crop_occurs():
    value = np.arange(5)

    places = {int(I.random_crop(value, [3])[0]) for _ in range(200)}

    assert places == {0, 1, 2}


def test_a_crop_is_a_copy():
    value = np.zeros((4, 4, 3), np.uint8)

    I.random_crop(value, [4, 4, 3])[:] = 1

    assert not value.any()


def test_a_flip_is_one_of_two():
    image = np.arange(12).reshape(2, 2, 3)
    kinds = {I.random_flip_up_down(image).tobytes() for _ in range(100)}

    assert kinds == {image.tobytes(), image[::-1].tobytes()}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: I.random_crop(IMAGES[0], [20, 5, 3]), InvalidArgumentError, "at least as large"),
        (lambda: I.random_crop(IMAGES[0], [5, 3]), InvalidArgumentError, "at least as large"),
        (lambda: I.random_crop(IMAGES[0], [-1, 5, 3]), BuildError, "lengths of at least 0"),
        (lambda: I.random_flip_up_down(IMAGES[0, 0]), InvalidArgumentError, "got 2"),
        (lambda: I.random_flip_up_down(IMAGES[:0, :0]), InvalidArgumentError, "not be empty"),
        (lambda: I.random_brightness(IMAGES[0], -1), BuildError, "must not be negative, got -1"),
        (lambda: I.random_hue(IMAGES[0], 0.7), BuildError, "at most 0.5, got 0.7"),
        (lambda: I.random_contrast(IMAGES[0], 2, 1), BuildError, "upper must be above lower"),
        (lambda: I.random_saturation(IMAGES[0], -1, 1), BuildError, "lower must not be negative"),
        (lambda: I.random_jpeg_quality(IMAGES[0], 5, 101), BuildError, "from 0 to 100"),
        (lambda: I.random_jpeg_quality(IMAGES[0], 50, 50), BuildError, "must be below"),
        (lambda: I.adjust_jpeg_quality(IMAGES[0], 101), BuildError, "from 0 to 100, got 101"),
        (lambda: I.adjust_jpeg_quality(IMAGES, 50), InvalidArgumentError, "1 or 3 channels"),
        (lambda: I.stateless_random_saturation(IMAGES[0], 1, 2), BuildError, "two integers"),
        (lambda: I.stateless_random_hue(IMAGES[0], 0.1, (1,)), BuildError, r"shape \[2\]"),
    ],
)
def test_wrong_arguments_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
