import numpy as np
import pytest

import feedline as tf
from feedline import strings as s
from feedline.data import Dataset
from feedline.errors import BuildError
from tests.strings.compare import NUMERALS, WORDS, check_blocks

ON_BLOCKS = {
    "lower": lambda x: s.lower(x),
    "upper_utf8": lambda x: s.upper(x, encoding="utf-8"),
    "strip": lambda x: s.strip(x),
    "length": lambda x: s.length(x),
    "length_chars": lambda x: s.length(x, unit="UTF8_CHAR"),
    "substr": lambda x: s.substr(x, 0, 1, unit="UTF8_CHAR"),
    "split": lambda x: s.split(x),
    "split_by": lambda x: s.split(x, " "),
    "bytes_split": lambda x: s.bytes_split(x),
    "join": lambda x: s.join([x, "-", x], separator="+"),
    "reduce_join": lambda x: s.reduce_join(x, separator="+"),
    "ngrams": lambda x: s.ngrams(s.split(x), 2),
    "regex_replace": lambda x: s.regex_replace(x, "[a-z]", "_"),
    "regex_full_match": lambda x: s.regex_full_match(x, r"\d+"),
    "hash": lambda x: s.to_hash_bucket(x, 1000),
    "hash_fast": lambda x: s.to_hash_bucket_fast(x, 1000),
    "hash_strong": lambda x: s.to_hash_bucket_strong(x, 1000, [1, 2]),
    "unicode_decode": lambda x: s.unicode_decode(x, "UTF-8"),
    "unicode_offsets": lambda x: s.unicode_decode_with_offsets(x, "UTF-8"),
    "unicode_split": lambda x: s.unicode_split(x, "UTF-8"),
    "unicode_split_offsets": lambda x: s.unicode_split_with_offsets(x, "UTF-8"),
    "unicode_encode": lambda x: s.unicode_encode(s.unicode_decode(x, "UTF-8"), "UTF-16-BE"),
    "unicode_transcode": lambda x: s.unicode_transcode(x, "UTF-8", "UTF-16-BE"),
    "unicode_script": lambda x: s.unicode_script(s.unicode_decode(x, "UTF-8")),
    "several": lambda x: s.length(s.lower(s.strip(x))) + 1,
}


@pytest.mark.parametrize("name", ON_BLOCKS)
def test_whole_blocks_give_what_elements_one_by_one_give(name):
    assert check_blocks(ON_BLOCKS[name], WORDS)


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """Records of a file, which lie in one buffer."""
    path = tmp_path_factory.mktemp("lines") / "lines.tfrecord"
    with tf.io.TFRecordWriter(path) as writer:
        for word in WORDS:
            writer.write(word.encode())
    return tf.data.TFRecordDataset(str(path))


@pytest.mark.parametrize("name", ON_BLOCKS)
def test_records_in_one_buffer_give_what_each_gives_alone(lines, name):
    ds = lines.map(ON_BLOCKS[name])

    assert list(map(repr, ds)) == list(map(repr, lines.map(ON_BLOCKS[name], vectorize=False)))
    assert "vectorised" in ds.explain()


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64, np.uint32])
def test_numbers_are_read_from_whole_blocks(dtype):
    words = [word.replace("-", "") for word in NUMERALS]

    assert check_blocks(lambda x: s.to_number(s.strip(x), dtype) + 1, words)


def test_numbers_are_written_from_whole_blocks():
    ds = Dataset.from_tensor_slices(np.linspace(-5, 5, 200))
    written = ds.map(lambda x: s.as_string(x, precision=2))

    assert list(written) == [f"{x:.2f}" for x in np.linspace(-5, 5, 200)]
    assert "vectorised" in written.explain()


def test_an_error_names_the_element_it_is_about():
    ds = Dataset.from_tensor_slices(np.array(["1"] * 90 + ["x"] + ["2"] * 9, object))

    with pytest.raises(BuildError, match="got 'x'") as raised:
        list(ds.map(lambda x: s.to_number(x)))

    assert "element 90" in raised.value.__notes__[0]


def test_an_argument_that_differs_between_elements_is_looked_at_for_each():
    texts = np.array(["hello world"] * 100, object)
    ds = Dataset.from_tensor_slices((texts, np.arange(100) % 11))

    found = list(ds.map(lambda text, place: s.substr(text, place, 1)))

    assert "".join(found[:11]) == "hello world"


def test_the_spec_is_known_without_elements():
    def unknown():
        raise AssertionError("nothing needs to be read")
        yield ""

    ds = Dataset.from_generator(unknown, output_signature=tf.TensorSpec((), tf.string))

    assert ds.map(lambda x: s.to_number(x, tf.int32)).element_spec == tf.TensorSpec((), tf.int32)
    assert ds.map(lambda x: s.split(x)).element_spec == tf.TensorSpec((None,), tf.string)
    assert ds.batch(4).map(lambda x: s.length(x)).element_spec == tf.TensorSpec((None,), tf.int32)
    rows = ds.batch(4).map(lambda x: s.split(x)).element_spec
    assert rows == tf.RaggedTensorSpec((None, None), tf.string, 1)


def test_ragged_elements_keep_their_rows():
    ds = Dataset.from_tensor_slices(np.array(["A b", "C", "D e F"] * 40, object)).batch(3)
    mapped = ds.map(lambda x: s.lower(s.split(x)))

    assert next(iter(mapped)).to_list() == [[b"a", b"b"], [b"c"], [b"d", b"e", b"f"]]


def test_a_recorded_function_may_call_them():
    @tf.function
    def f(x):
        return s.lower("AB"), x + 1

    assert f(np.int64(1))[0] == "ab"
