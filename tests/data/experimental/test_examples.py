"""Datasets of Examples: what the recorded cases in tests/golden do not say."""

import pytest

import feedline as tf
from feedline.data.experimental import make_batched_features_dataset, parse_example_dataset
from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.testing import CHECKS, check_resume_in_fresh_process, check_traits

FEATURES = {"x": tf.io.FixedLenFeature([], tf.int64)}


def record(number):
    return tf.train.Example(
        features={"feature": {"x": {"int64_list": {"value": [number]}}}}
    ).SerializeToString()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    for number in range(3):
        with tf.io.TFRecordWriter(folder / f"{number}.tfrecord") as writer:
            for row in range(4):
                writer.write(record(10 * number + row))
    return folder


# Without check_traits: it iterates twice, and every iteration has an order of its own.
PROMISES = [*(each for each in CHECKS if each is not check_traits), check_resume_in_fresh_process]


@pytest.mark.parametrize("check", PROMISES)
def test_conforms(folder, check):
    check(
        make_batched_features_dataset(
            f"{folder}/*", 5, FEATURES, num_epochs=2, shuffle_seed=3, reader_num_threads=2
        )
    )


@pytest.mark.parametrize("threads", [3, tf.data.AUTOTUNE])
def test_sloppy_gives_up_the_order_and_nothing_else(folder, threads):
    ds = make_batched_features_dataset(
        f"{folder}/*",
        5,
        FEATURES,
        num_epochs=1,
        reader_num_threads=threads,
        sloppy_ordering=True,
    )

    found = sorted(int(x) for batch in ds for x in batch["x"])
    assert found == [0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23]


def test_a_label_leaves_the_features(folder):
    both = {**FEATURES, "y": tf.io.FixedLenFeature([], tf.int64, -1)}
    ds = make_batched_features_dataset(
        f"{folder}/*", 3, both, label_key="x", shuffle=False, num_epochs=1
    )
    features, label = next(iter(ds))

    assert list(features) == ["y"]
    assert label.tolist() == [0, 1, 2]


def test_a_label_must_be_a_feature(folder):
    with pytest.raises(BuildError, match=r"label_key must be one of the features \['x'\], got 'y'"):
        make_batched_features_dataset(f"{folder}/*", 3, FEATURES, label_key="y")


def test_a_reader_must_give_records(folder):
    with pytest.raises(SpecError, match="must have serialized Examples as elements"):
        make_batched_features_dataset(
            f"{folder}/*", 3, FEATURES, reader=lambda path: tf.data.Dataset.range(3)
        )


def test_single_records_are_refused():
    with pytest.raises(BuildTypeError, match=r"Use batch\(\) before"):
        tf.data.Dataset.from_tensors(record(1)).apply(parse_example_dataset(FEATURES))
