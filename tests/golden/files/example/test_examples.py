"""Records that TensorFlow wrote are read, and those that Feedline writes TensorFlow read."""

import hashlib
import json
from pathlib import Path

import pytest

import feedline as tf
from tests.golden.case import all_cases
from tests.golden.encoding import encode
from tests.golden.test_golden import EXPECTED

HERE = Path(__file__).parent
parsing = next(case.fn.__globals__ for case in all_cases() if case.group == "parsing")
THEIRS = list(tf.data.TFRecordDataset(str(HERE / "from_tensorflow.tfrecord")))
OURS = [*parsing["records"](tf), *parsing["rows"](tf), *parsing["sequences"](tf)]


def same(found, case):
    return encode(found) == EXPECTED["parsing"][case]["value"]


@pytest.mark.parametrize("spec", parsing["RIGHT"])
def test_examples_of_tensorflow_are_parsed_as_it_does(spec):
    found = tf.io.parse_example(THEIRS[:3], parsing["SPECS"][spec](tf.io, tf))

    assert same(found, f"parse_example[spec={spec}]")


@pytest.mark.parametrize("spec", parsing["RIGHT_LISTS"])
def test_sequence_examples_of_tensorflow_are_parsed_as_it_does(spec):
    context, lists = parsing["LISTS"][spec](tf.io, tf)
    found = tf.io.parse_sequence_example(THEIRS[5:], context, lists)

    assert same(found, f"parse_sequence_example[spec={spec}]")


@pytest.mark.parametrize("number", range(7))
def test_messages_of_tensorflow_are_those_of_feedline(number):
    kind = tf.train.Example if number < 5 else tf.train.SequenceExample

    assert kind.FromString(THEIRS[number]) == kind.FromString(OURS[number])


def test_what_feedline_writes_is_what_tensorflow_read():
    evidence = json.loads((HERE / "to_tensorflow.json").read_text())

    assert evidence["sha256"] == hashlib.sha256(b"".join(OURS)).hexdigest()
    assert evidence["same"]
    assert evidence["messages_are_equal"]
