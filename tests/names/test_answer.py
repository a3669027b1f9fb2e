"""What is said about names that are not here."""

import subprocess
import sys

import pytest

import feedline as tf
from feedline.names.absent import ABSENT
from feedline.namespace import AbsentError


@pytest.mark.parametrize(
    ("space", "name", "said"),
    [
        (tf, "Variable", "module 'feedline' has no attribute 'Variable': there are no variables"),
        (tf, "GradientTape", "there are no gradients"),
        (tf, "Session", "there are no sessions"),
        (tf, "placeholder", "there are no placeholders"),
        (tf, "estimator", "Layers are Keras's"),
        (tf, "parse_single_example", "use tf.io.parse_single_example"),
        (tf, "log", "use tf.math.log"),
        (tf, "random_uniform", "use tf.random.uniform"),
        (tf, "stak", r"\. Did you mean tf\.stack\?"),
        (tf.io, "parse_singel_example", r"\. Did you mean tf\.io\.parse_single_example\?"),
        (tf.io.gfile, "Exists", "use tf.io.gfile.exists"),
        (tf.data, "make_one_shot_iterator", r"use iter\(dataset\)"),
        (tf.math, "decode_jpeg", "use tf.io.decode_jpeg"),
        (tf.image, "resize_images", "use tf.image.resize and its method="),
        (tf.strings, "lenght", r"\. Did you mean tf\.strings\.length\?"),
        (tf.train, "Checkpoint", "docs/resume.md"),
    ],
)
def test_a_missing_name_says_what_to_use(space, name, said):
    with pytest.raises(AttributeError, match=said):
        getattr(space, name)

    assert not hasattr(space, name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("make_one_shot_iterator", r"'Dataset' object has no attribute .*: use iter\(dataset\)"),
        ("output_shapes", "use element_spec"),
        ("shape", "use element_spec"),
        ("suffle", r"\. Did you mean tf\.data\.Dataset\.shuffle\?"),
        ("nothing", "has no attribute 'nothing'"),
    ],
)
def test_a_wrong_attribute_of_a_dataset_says_what_to_use(name, said):
    ds = tf.data.Dataset.range(3)

    with pytest.raises(AttributeError, match=said):
        getattr(ds, name)
    assert getattr(ds, name, None) is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("snapshot", r"type object 'Dataset' has no attribute 'snapshot': use cache\(filename\)"),
        ("from_generators", r"use from_generator\(\)"),
        ("from_tensor_slice", r"Did you mean tf\.data\.Dataset\.from_tensor_slices\?"),
    ],
)
def test_a_wrong_class_method_of_a_dataset_says_what_to_use(name, said):
    with pytest.raises(AttributeError, match=said):
        getattr(tf.data.Dataset, name)
    assert not hasattr(tf.data.TFRecordDataset, name)


def test_a_wrong_attribute_of_an_iterator_says_what_to_use():
    with pytest.raises(AttributeError, match="nothing is to be initialized"):
        _ = iter(tf.data.Dataset.range(3)).initializer


@pytest.mark.parametrize("value", [1.5, "a", b"\xff", [1, 2]])
def test_a_wrong_attribute_of_a_tensor_says_what_to_use(value):
    with pytest.raises(AttributeError, match=r"no graphs to evaluate: .* see numpy\(\)"):
        tf.constant(value).eval()


def test_a_property_that_fails_is_not_taken_for_missing():
    ds = tf.data.Dataset.range(3).map(lambda x: x.no_such_attribute)

    with pytest.raises(AttributeError, match="no_such_attribute"):
        _ = ds.element_spec


def test_a_private_name_is_missing_without_much_ado():
    with pytest.raises(AttributeError) as caught:
        _ = tf._nothing

    assert str(caught.value) == "module 'feedline' has no attribute '_nothing'"
    assert type(caught.value) is AttributeError


IMPORTS = [
    ("from feedline import Variable", "there are no variables"),
    ("from feedline import log", "use tf.math.log"),
    ("import feedline.raw_ops", "there are no operators"),
    ("from feedline.saved_model import load", "does not train"),
]


@pytest.mark.parametrize(("line", "said"), IMPORTS, ids=[line for line, _ in IMPORTS])
def test_importing_a_missing_name_says_what_to_use(line, said):
    with pytest.raises(ImportError, match=said):
        exec(line)


def test_importing_a_name_nobody_knows_fails_as_ever():
    with pytest.raises(ImportError, match="cannot import name 'nothing_known'"):
        exec("from feedline import nothing_known")
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'feedline\.nothing_known'"):
        exec("import feedline.nothing_known")


def test_every_reason_is_reached_by_asking():
    for names in ABSENT["tf"]:
        # feedline.tools is a package of the command's, which is there once it was imported.
        for name in set(names.split()) - {"*", "bfloat16", "tools"}:
            with pytest.raises(AbsentError) as caught:
                getattr(tf, name)
            assert caught.value.reason


def test_bfloat16_says_what_to_install():
    code = """
import sys
sys.modules["ml_dtypes"] = None
import feedline as tf
for ask in (lambda: tf.bfloat16, lambda: tf.as_dtype("bfloat16")):
    try:
        ask()
    except (AttributeError, tf.errors.BuildTypeError) as error:
        print("pip install ml_dtypes" in str(error))
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, check=True, text=True
    )

    assert done.stdout.split() == ["True", "True"]


def test_a_class_that_needs_a_library_that_is_not_there_is_missing():
    code = """
import sys
sys.modules["pyarrow"] = None
import feedline as tf
assert not hasattr(tf.data, "ParquetDataset")
try:
    from feedline.data import ParquetDataset
except ImportError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, check=True, text=True
    )

    assert done.stdout.startswith("ParquetDataset needs pyarrow, which is not installed")


def test_asking_whether_there_is_a_name_looks_nothing_up(monkeypatch):
    def no_lookup(*_):
        raise AssertionError("looked up")

    monkeypatch.setattr("feedline.names.answer.reason", no_lookup)

    assert not hasattr(tf.data.Dataset.range(3), "nbytes")
    assert not hasattr(tf, "nothing_at_all")
