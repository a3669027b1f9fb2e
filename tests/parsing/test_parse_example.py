"""parse_example and parse_single_example: on whole blocks, and what goes wrong.

What they give for every kind of feature is compared with TensorFlow in tests/golden.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.data import Dataset
from feedline.errors import DecodeError, InvalidArgumentError
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

io = tf.io


def record(number):
    kinds = {bytes: "bytes_list", float: "float_list", int: "int64_list"}
    values = {
        "x": [number + 0.5, -1.0],
        "label": [number],
        "name": [b"n%d" % number],
        "some": list(range(number % 4)),
        "words": [b"w"] * (number % 3),
    }
    features = {
        key: {kinds[type(found[0])]: {"value": found}} for key, found in values.items() if found
    }
    return tf.train.Example(features={"feature": features}).SerializeToString()


RECORDS = np.array([record(number) for number in range(300)], object)
FIXED = {
    "x": io.FixedLenFeature([2], tf.float32),
    "label": io.FixedLenFeature([], tf.int64),
    "name": io.FixedLenFeature([], tf.string),
    "d": io.FixedLenFeature([2], tf.string, ["a", "b"]),
}
VARYING = {
    "some": io.VarLenFeature(tf.int64),
    "words": io.VarLenFeature(tf.string),
    "steps": io.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
    "rows": io.RaggedFeature(tf.int64, value_key="more"),
    "texts": io.RaggedFeature(tf.string, value_key="others"),
}
CASES = [
    ("fixed", lambda text: io.parse_single_example(text, FIXED)),
    ("varying", lambda text: io.parse_single_example(text, VARYING)),
    (
        "computed with",
        lambda text: (
            tf.cast(io.parse_single_example(text, FIXED)["x"], tf.float64) * 2,
            tf.reshape(io.parse_single_example(text, FIXED)["x"], [2, 1]),
        ),
    ),
]
FUNCTIONS = pytest.mark.parametrize("fn", [fn for _, fn in CASES], ids=[name for name, _ in CASES])


def source():
    return Dataset.from_tensor_slices(RECORDS)


@FUNCTIONS
def test_records_of_a_block_are_parsed_at_once(fn):
    ds = source().map(fn)

    assert_same_elements(list(ds), list(source().map(fn, vectorize=False)))
    assert "vectorised" in ds.explain()


@FUNCTIONS
@pytest.mark.parametrize("size", [64, 7])
def test_batches_are_the_same_as_from_records_one_by_one(fn, size):
    rows = source().map(fn).take(5).batch(size) if fn is CASES[1][1] else source().map(fn)
    plain = source().map(fn, vectorize=False)
    plain = plain.take(5).batch(size) if fn is CASES[1][1] else plain

    assert_same_elements(list(rows), list(plain))


@pytest.mark.parametrize("features", [FIXED, VARYING], ids=["fixed", "varying"])
@pytest.mark.parametrize("size", [32, 7, 1])
def test_batches_of_a_block_are_parsed_at_once(features, size):
    def fn(texts):
        return io.parse_example(texts, features)

    ds = source().batch(size).map(fn)

    assert_same_elements(list(ds), list(source().batch(size).map(fn, vectorize=False)))
    assert "vectorised" in ds.explain()


def test_the_two_ways_to_batches_give_the_same():
    first = source().batch(32).map(lambda texts: io.parse_example(texts, FIXED))
    second = source().map(lambda text: io.parse_single_example(text, FIXED)).batch(32)

    assert_same_elements(list(first), list(second))
    assert first.element_spec == second.element_spec


def test_the_spec_is_known_without_a_record():
    empty = Dataset.from_generator(lambda: iter(()), output_signature=tf.TensorSpec((), tf.string))
    spec = empty.map(lambda text: io.parse_single_example(text, FIXED | VARYING)).element_spec

    assert spec["x"] == tf.TensorSpec((2,), tf.float32)
    assert spec["name"] == tf.TensorSpec((), tf.string)
    assert spec["some"] == tf.SparseTensorSpec((None,), tf.int64)
    assert spec["steps"] == tf.TensorSpec((None,), tf.int64)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", ["fixed", "varying"])
def test_conforms(check, name):
    short = Dataset.from_tensor_slices(RECORDS[:40])
    check(short.map(dict(CASES)[name]))


def test_resumes_in_a_fresh_process():
    short = Dataset.from_tensor_slices(RECORDS[:40])
    check_resume_in_fresh_process(short.batch(4).map(parse_fixed))


def parse_fixed(texts):
    return io.parse_example(texts, FIXED)


@pytest.fixture
def files(tmp_path):
    names = [str(tmp_path / f"{part}.tfrecord") for part in range(3)]
    for part, name in enumerate(names):
        with io.TFRecordWriter(name) as writer:
            for text in RECORDS[part * 100 : (part + 1) * 100]:
                writer.write(text)
    return names


@pytest.mark.parametrize("features", [FIXED, VARYING], ids=["fixed", "varying"])
def test_records_of_files_are_never_objects_on_their_way(files, features):
    def one(text):
        return io.parse_single_example(text, features)

    def many(texts):
        return io.parse_example(texts, features)

    ds = Dataset.from_tensor_slices(RECORDS)
    records = tf.data.TFRecordDataset(files)

    assert_same_elements(list(records.map(one)), list(ds.map(one, vectorize=False)))
    batches = records.batch(32).map(many)
    assert_same_elements(list(batches), list(ds.batch(32).map(many, vectorize=False)))
    assert "vectorised" in batches.explain()
    shuffled = records.shuffle(50, seed=3).batch(32).map(many)
    plain = ds.shuffle(50, seed=3).batch(32).map(many, vectorize=False)
    assert_same_elements(list(shuffled), list(plain))


def test_parsed_records_are_shuffled_as_columns(files):
    ds = tf.data.TFRecordDataset(files).map(lambda text: io.parse_single_example(text, FIXED))
    found = np.concatenate([batch["label"] for batch in ds.shuffle(64, seed=1).batch(32)])
    order = np.array(list(Dataset.range(300).shuffle(64, seed=1)))

    assert found.tolist() == order.tolist()


def test_features_made_inside_the_function_are_as_good():
    ds = source().map(
        lambda text: io.parse_single_example(text, {"label": io.FixedLenFeature([], np.int64)})
    )

    assert [int(found["label"]) for found in ds] == list(range(300))
    assert "vectorised" in ds.explain()


def test_features_that_change_are_noticed():
    default = [1]
    features = {"q": io.FixedLenFeature([1], tf.int64, default)}
    before = io.parse_single_example(RECORDS[0], features)["q"].tolist()
    default[0] = 2
    after = io.parse_single_example(RECORDS[0], features)["q"].tolist()

    assert (before, after) == ([1], [2])


def test_a_bad_record_in_a_block_is_named_by_its_element():
    records = RECORDS.copy()
    records[150] = records[150][:-3]
    ds = Dataset.from_tensor_slices(records)

    iterator = iter(ds.map(lambda text: io.parse_single_example(text, FIXED)))
    found = [next(iterator) for _ in range(150)]
    with pytest.raises(DecodeError, match=r"parse_single_example\(\): the record, byte") as raised:
        next(iterator)

    assert len(found) == 150
    assert "element 150" in raised.value.__notes__[0]
    assert int(next(iterator)["label"]) == 151


def test_a_bad_record_in_a_batch_is_named_by_its_place():
    records = RECORDS[:8].copy()
    records[5] = tf.train.Example().SerializeToString()

    with pytest.raises(InvalidArgumentError, match=r"record 5 has no feature 'label' \(int64\)"):
        io.parse_example(records, FIXED)
    with pytest.raises(InvalidArgumentError, match=r"record 5 \('f'\) has no feature"):
        io.parse_example(records, FIXED, example_names=list("abcdefgh"))


def test_errors_can_be_ignored():
    records = RECORDS[:40].copy()
    records[7] = b"\xff"
    ds = Dataset.from_tensor_slices(records).map(lambda t: io.parse_single_example(t, FIXED))

    assert [int(found["label"]) for found in ds.ignore_errors()] == [*range(7), *range(8, 40)]


def test_text_and_other_types_are_told_apart():
    assert io.parse_single_example("", {"q": io.VarLenFeature(tf.int64)})["q"].shape == (0,)
    with pytest.raises(TypeError, match="serialized must be bytes, got 3"):
        io.parse_example([3], FIXED)


@given(st.lists(st.integers(0, 299), max_size=20))
def test_any_records_make_a_batch_of_what_they_give_alone(index):
    chosen = RECORDS[np.array(index, np.int64)]
    batch = io.parse_example(chosen, FIXED)
    alone = [io.parse_single_example(text, FIXED) for text in chosen]

    assert batch["label"].tolist() == [int(found["label"]) for found in alone]
    assert batch["name"].tolist() == [found["name"] for found in alone]
    assert batch["x"].tolist() == [found["x"].tolist() for found in alone]
