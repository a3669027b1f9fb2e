import pytest

from feedline.tools.example_bytes import FLOAT, INT, TEXT, example_bytes
from feedline.tools.feature_summary import RecordSummary
from feedline.train import SequenceExample
from tests.tools.made import records


def summary_of(items):
    summary = RecordSummary()
    for item in items:
        summary.add(item)
    return summary


def test_the_code_names_every_feature_with_what_it_holds():
    assert summary_of(records()).code().splitlines() == [
        "features = {",
        '    "id": tf.io.FixedLenFeature([], tf.int64),  # 0 to 19',
        '    "image": tf.io.FixedLenFeature([], tf.string),  # PNG 4 to 5 x 3',
        '    "words": tf.io.RaggedFeature(tf.string),  # 0 to 2 values',
        '    "x": tf.io.FixedLenFeature([2], tf.float32),  # -1 to 9.5',
        "}",
    ]


def test_a_feature_that_some_records_lack_has_a_default():
    items = [example_bytes({"a": (INT, [1]), "b": (INT, [2])}), example_bytes({"a": (INT, [1])})]

    assert "tf.int64, default_value=0),  # 2, in 1 of 2" in summary_of(items).code()


def test_a_feature_of_two_kinds_is_said_to_be_one():
    items = [example_bytes({"a": (INT, [1])}), example_bytes({"a": (FLOAT, [1.5])})]

    assert '# "a": holds float_list and int64_list' in summary_of(items).code()


def test_lists_of_steps_are_sequence_features():
    record = SequenceExample()
    record.context.feature["n"].int64_list.value.append(2)
    for word in (b"a", b"b"):
        record.feature_lists.feature_list["words"].feature.add().bytes_list.value.append(word)
    found = summary_of([record.SerializeToString()])

    assert found.kind == "SequenceExample"
    assert '"words": tf.io.FixedLenSequenceFeature([], tf.string)' in found.code()


@pytest.mark.parametrize(
    ("items", "kind"),
    [
        ([b"text"], "bytes"),
        ([b""], "Example"),
        ([example_bytes({"a": (TEXT, [b"x"])}), b"\xff\xff"], "mixed"),
    ],
)
def test_records_that_are_no_examples_are_told_apart(items, kind):
    assert summary_of(items).kind == kind
