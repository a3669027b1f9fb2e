import pytest

import feedline as tf
from feedline.errors import BuildError, InvalidArgumentError, NotFoundError

WHOLE = tf.lookup.TextFileIndex.WHOLE_LINE
NUMBER = tf.lookup.TextFileIndex.LINE_NUMBER


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "words.tsv"
    file.write_text("emerson\t10\nlake\t20\n")
    return file


def made(path, *arguments, default=-1, **more):
    pairs = tf.lookup.TextFileInitializer(path, *arguments, **more)
    return tf.lookup.StaticHashTable(pairs, default)


def test_columns_are_keys_and_values(path):
    assert made(path, tf.string, 0, tf.int64, 1).lookup(["lake", "x"]).tolist() == [20, -1]
    assert made(str(path), "int64", 1, "string", 0, default="").lookup(20) == "lake"


def test_lines_have_numbers(path):
    assert made(path, tf.string, WHOLE, tf.int64, NUMBER)["lake\t20"] == 1
    assert made(tf.constant(str(path)), tf.int64, NUMBER, tf.string, 0, default="?")[0] == "emerson"


def test_a_file_that_is_not_there_is_not_found(tmp_path):
    with pytest.raises(NotFoundError):
        made(tmp_path / "none", tf.string, WHOLE, tf.int64, NUMBER)


def test_what_does_not_fit_the_file_is_refused(path):
    with pytest.raises(InvalidArgumentError, match=r"vocab_size is 3, but .* has 2 lines"):
        made(path, tf.string, WHOLE, tf.int64, NUMBER, vocab_size=3)
    with pytest.raises(InvalidArgumentError, match="must have more than 2 columns"):
        made(path, tf.string, 0, tf.int64, 2)
    with pytest.raises(
        InvalidArgumentError, match=r"line 1 of .* must have a int64, got b'emerson'"
    ):
        made(path, tf.string, 1, tf.int64, 0)
    with pytest.raises(BuildError, match="line numbers must be int64, got object"):
        made(path, tf.string, NUMBER, tf.int64, 1)
