"""Which names of TensorFlow 1 are here, where they come from, and what is said of the others."""

import importlib
import subprocess
import sys

import pytest

import feedline as tf
from feedline.errors import BuildTypeError

v1 = tf.compat.v1


def test_version_two_is_feedline_itself():
    assert tf.compat.v2 is tf
    assert importlib.import_module("feedline.compat.v2") is tf


@pytest.mark.parametrize(
    "name",
    ["stack", "io.read_file", "math.log", "nest.flatten", "random.uniform", "image.flip_up_down"],
)
def test_what_never_changed_is_the_same_thing(name):
    old, new = v1, tf
    for part in name.split("."):
        old, new = getattr(old, part), getattr(new, part)

    assert old is new


@pytest.mark.parametrize(
    "space",
    [
        "",
        "io",
        "math",
        "strings",
        "image",
        "random",
        "debugging",
        "data",
        "data.experimental",
        "sparse",
    ],
)
def test_every_listed_name_is_there(space):
    found = importlib.import_module("feedline.compat.v1")
    for part in filter(None, space.split(".")):
        found = getattr(found, part)

    assert [name for name in dir(found) if not hasattr(found, name)] == []


@pytest.mark.parametrize(
    ("space", "name", "said"),
    [
        (v1, "disable_v2_behavior", "delete the line, and loop over the dataset"),
        (v1, "placeholder", "there are no placeholders"),
        (v1, "Session", "there are no graphs and no sessions"),
        (v1, "app", "absl.app"),
        (v1, "flags", "argparse"),
        (v1, "while_loop", "TensorFlow 1's differs"),
        (v1.image, "extract_patches", "use tf.image"),
        (v1.strings, "spilt", "Did you mean"),
    ],
)
def test_what_is_another_thing_is_not_here_and_says_so(space, name, said):
    assert not hasattr(space, name)
    with pytest.raises(AttributeError, match=said):
        getattr(space, name)


def test_a_parameter_has_one_of_its_names_only():
    with pytest.raises(BuildTypeError, match="reduction_indices is another name of axis"):
        v1.reduce_sum([1], axis=0, reduction_indices=0)
    with pytest.raises(
        BuildTypeError, match=r"reduce_sum\(\): .*'dim'. It takes input_tensor, axis"
    ):
        v1.reduce_sum([1], dim=0)


def test_what_errors_would_show_is_refused():
    v1.assert_equal([1], [1], message="same")
    with pytest.raises(BuildTypeError, match="Put it into message"):
        v1.assert_equal([1], [1], data=[1])


def test_old_names_run_on_blocks_and_in_functions():
    def total(x):
        return v1.to_float(v1.reduce_sum(x, reduction_indices=[1], keep_dims=True))

    ds = tf.data.Dataset.from_tensors(tf.constant([[1, 2], [3, 4]])).map(total)

    assert next(iter(ds)).tolist() == [[3.0], [7.0]]
    assert tf.function(total)([[1, 2]]).tolist() == [[3.0]]


def test_a_rate_is_how_far_apart_weights_are():
    image, weights = tf.ones((1, 5, 5, 1)), tf.ones((2, 2, 1, 1))

    old = v1.nn.depthwise_conv2d(image, weights, [1, 1, 1, 1], "VALID", rate=[2, 2])

    assert old.shape == (1, 3, 3, 1)
    native = v1.nn.depthwise_conv2d_native(image, weights, [1, 1, 1, 1], "VALID", dilations=[1] * 4)
    assert native.shape == (1, 4, 4, 1)


def test_image_functions_take_the_parameters_that_they_had():
    image = tf.reshape(tf.range(48), (4, 4, 3))
    boxes = [[0.0, 0.0, 1.0, 1.0]]

    padded = v1.image.resize_image_with_crop_or_pad(image, 2, 6)
    parts = v1.image.crop_and_resize(image[tf.newaxis], boxes, box_ind=[0], crop_size=[2, 2])
    sampled = v1.image.sample_distorted_bounding_box(
        [4, 4, 3], [boxes], min_object_covered=1.0, aspect_ratio_range=[1.0, 1.0]
    )

    assert padded.tolist() == tf.image.resize_with_crop_or_pad(image, 2, 6).tolist()
    assert parts[0, ..., 0].tolist() == [[0.0, 9.0], [36.0, 45.0]]
    assert sampled[1].tolist() == [4, 4, -1]


def test_a_scope_without_a_name_has_its_default_one():
    with v1.name_scope("input"), v1.name_scope(None, "decode", values=[tf.ones(2)]) as scope:
        assert scope == "input/decode/"
    with v1.name_scope("crop", "decode", [1]) as scope:
        assert scope == "crop/"


def test_namespaces_can_be_imported():
    gfile = importlib.import_module("feedline.compat.v1.io").gfile

    assert gfile is tf.io.gfile
    assert importlib.import_module("feedline.compat.v1.strings") is v1.strings
    assert v1.keras is tf.keras


def test_nothing_of_it_is_loaded_before_it_is_asked_for():
    code = """
import sys
import feedline
assert not [module for module in sys.modules if module.startswith("feedline.compat")]
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)
