"""Which names of Keras are here, and what is said of the others."""

import subprocess
import sys

import pytest

import feedline as tf


@pytest.mark.parametrize(
    ("space", "name", "said"),
    [
        (tf.keras, "layers", "use Keras 3 itself: import keras"),
        (tf.keras, "random", "use Keras 3 itself: import keras"),
        (tf.keras, "Model", "use Keras 3 itself: import keras"),
        (tf.keras.utils, "get_file", "nothing is downloaded here"),
        (tf.keras.utils, "plot_model", "use Keras 3 itself"),
        (tf.keras.preprocessing, "image", "use Keras 3 itself"),
        (tf.keras.preprocessing.sequence, "skipgrams", "use Keras 3 itself"),
    ],
)
def test_what_is_not_here_says_so(space, name, said):
    assert not hasattr(space, name)
    with pytest.raises(AttributeError, match=said):
        getattr(space, name)


@pytest.mark.parametrize("name", ["image", "text"])
def test_a_function_is_the_same_under_its_older_name(name):
    name = f"{name}_dataset_from_directory"

    assert getattr(tf.keras.preprocessing, name) is getattr(tf.keras.utils, name)


def test_images_are_those_of_tf_data():
    ours = tf.data.image_dataset_from_directory

    assert tf.keras.utils.image_dataset_from_directory is ours


def test_keras_is_not_loaded():
    code = """
import sys
import feedline as tf
tf.keras.utils.pad_sequences
assert "keras" not in sys.modules
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)
