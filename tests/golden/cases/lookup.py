"""lookup: tables of every kind, on values of every kind, and inside map."""

import tempfile
from pathlib import Path

import numpy as np

from tests.golden.case import each, spec_of_results

WORDS = ["emerson", "lake", "palmer"]
TEXTS = ["lake", "x", "yy", "emerson", "", "a much longer string than sixteen", "z" * 100]


def table(tf, keys=None, values=None, default=-1):
    pairs = tf.lookup.KeyValueTensorInitializer(
        tf.constant(WORDS if keys is None else keys),
        tf.constant([1, 2, 3] if values is None else values),
    )
    return tf.lookup.StaticHashTable(pairs, default)


def vocabulary(tf, buckets=3):
    ids = tf.range(3, dtype=tf.int64)
    return tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(WORDS, ids), buckets)


def file_of(tf, content, *arguments, default=-1, **more):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vocabulary.txt"
        path.write_bytes(content)
        pairs = tf.lookup.TextFileInitializer(str(path), *arguments, **more)
        return tf.lookup.StaticHashTable(pairs, default)


def changed(tf):
    made = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)
    made.insert(tf.constant(["a", "b", "c"]), tf.constant([1, 2, 3], tf.int64))
    made.insert("b", 20)
    made.remove(tf.constant(["a", "z"]))
    return made


def dense(tf, **keys):
    made = tf.lookup.experimental.DenseHashTable(
        tf.int64, tf.int64, **{"default_value": -1, "empty_key": 0, "deleted_key": -1, **keys}
    )
    made.insert(tf.constant([1, 2], tf.int64), tf.constant([10, 20], tf.int64))
    return made


LINES = b"emerson 10\nlake 20\npalmer 30\n"
WHOLE, NUMBER = -2, -1

FOUND = {
    "array": lambda tf: table(tf).lookup(tf.constant([["lake", "x"]])),
    "scalar": lambda tf: table(tf).lookup(tf.constant("palmer")),
    "item": lambda tf: table(tf)[tf.constant(["lake"])],
    "ragged": lambda tf: table(tf).lookup(tf.ragged.constant([["lake"], [], ["x", "palmer"]])),
    "sparse": lambda tf: table(tf).lookup(tf.SparseTensor([[0, 0], [1, 1]], ["lake", "q"], [2, 2])),
    "size": lambda tf: table(tf).size(),
    "default": lambda tf: table(tf).default_value,
    "strings": lambda tf: table(tf, np.array([1, 2, 3]), WORDS, "").lookup(
        tf.constant([3, 4], tf.int64)
    ),
    "floats": lambda tf: table(tf, values=[0.5, 1.5, 2.5], default=-1.0).lookup(
        tf.constant(["lake", "x"])
    ),
    "same_pair_twice": lambda tf: table(tf, ["a", "a", "b"], [1, 1, 2]).size(),
    "other_value": lambda tf: table(tf, ["a", "a", "b"], [1, 2, 2]),
    "fewer_values": lambda tf: table(tf, ["a", "b"], [1]),
    "key_dtype": lambda tf: table(tf).lookup(tf.constant([1])),
    "default_of_another_dtype": lambda tf: table(tf, default="x"),
    "buckets": lambda tf: vocabulary(tf).lookup(tf.constant(TEXTS)),
    "buckets_many": lambda tf: vocabulary(tf, 2**31).lookup(tf.constant(TEXTS)),
    "buckets_ragged": lambda tf: vocabulary(tf).lookup(tf.ragged.constant([["lake"], ["x", "yy"]])),
    "buckets_size": lambda tf: vocabulary(tf).size(),
    "no_buckets": lambda tf: vocabulary(tf, 0),
    "buckets_alone": lambda tf: tf.lookup.StaticVocabularyTable(
        None, 5, lookup_key_dtype=tf.string
    ).lookup(tf.constant(TEXTS)),
    "buckets_of_integers": lambda tf: tf.lookup.StaticVocabularyTable(
        tf.lookup.KeyValueTensorInitializer(
            tf.constant([10, 20], tf.int64), tf.constant([0, 1], tf.int64)
        ),
        100,
    ).lookup(tf.constant([10, 11, -3, 2**40], tf.int64)),
    "buckets_int32": lambda tf: tf.lookup.StaticVocabularyTable(
        tf.lookup.KeyValueTensorInitializer(["a"], tf.constant([0])), 3
    ),
    "buckets_of_another_kind": lambda tf: tf.lookup.StaticVocabularyTable(
        tf.lookup.KeyValueTensorInitializer(["a"], tf.constant([0], tf.int64)),
        3,
        lookup_key_dtype=tf.int64,
    ),
    "columns": lambda tf: file_of(tf, LINES, tf.string, 0, tf.int64, 1, delimiter=" ").lookup(
        tf.constant(["lake", "x"])
    ),
    "columns_back": lambda tf: file_of(
        tf, LINES, tf.int64, 1, tf.string, 0, delimiter=" ", default="-"
    ).lookup(tf.constant([10, 20, 5], tf.int64)),
    "lines": lambda tf: file_of(tf, LINES, tf.string, WHOLE, tf.int64, NUMBER).lookup(
        tf.constant(["lake 20", "lake"])
    ),
    "lines_back": lambda tf: file_of(
        tf, LINES, tf.int64, NUMBER, tf.string, WHOLE, default="?"
    ).lookup(tf.constant([0, 2, 3], tf.int64)),
    "offset": lambda tf: file_of(
        tf, LINES, tf.string, WHOLE, tf.int64, NUMBER, value_index_offset=5
    ).lookup(tf.constant(["lake 20"])),
    "two_lines": lambda tf: file_of(
        tf, LINES, tf.string, WHOLE, tf.int64, NUMBER, vocab_size=2
    ).size(),
    "too_few_lines": lambda tf: file_of(
        tf, LINES, tf.string, WHOLE, tf.int64, NUMBER, vocab_size=4
    ),
    "windows_lines": lambda tf: file_of(
        tf, b"a\r\nb\r\nc", tf.string, WHOLE, tf.int64, NUMBER
    ).lookup(tf.constant(["b", "c"])),
    "empty_line": lambda tf: file_of(tf, b"a\n\nb\n", tf.string, WHOLE, tf.int64, NUMBER),
    "line_twice": lambda tf: file_of(tf, b"a\na\n", tf.string, WHOLE, tf.int64, NUMBER),
    "no_such_column": lambda tf: file_of(tf, LINES, tf.string, 0, tf.int64, 1),
    "not_a_number": lambda tf: file_of(tf, b"a b\n", tf.string, 0, tf.int64, 1, delimiter=" "),
    "number_of_line_as_text": lambda tf: file_of(tf, LINES, tf.string, NUMBER, tf.int64, WHOLE),
    "strange_index": lambda tf: file_of(tf, LINES, tf.string, -3, tf.int64, NUMBER),
    "mutable": lambda tf: changed(tf).lookup(tf.constant(["a", "b", "c"])),
    "mutable_size": lambda tf: changed(tf).size(),
    "mutable_defaults": lambda tf: changed(tf).lookup(
        tf.constant(["q", "b"]), tf.constant([7, 8], tf.int64)
    ),
    "mutable_lists": lambda tf: changed(tf).insert(["d"], [4]),
    "mutable_shape": lambda tf: changed(tf).insert(
        tf.constant(["d"]), tf.constant([4, 5], tf.int64)
    ),
    "dense": lambda tf: dense(tf).lookup(tf.constant([1, 5], tf.int64)),
    "dense_erased": lambda tf: (lambda made: (made.erase(tf.constant([1], tf.int64)), made.size()))(
        dense(tf)
    )[1],
    "dense_empty_key": lambda tf: dense(tf).lookup(tf.constant([0], tf.int64)),
    "dense_deleted_key": lambda tf: dense(tf, deleted_key=2),
    "dense_same_keys": lambda tf: dense(tf, deleted_key=0),
}


@each(name=list(FOUND))
def case_found(tf, name):
    return FOUND[name](tf)


def case_rows_of_a_mutable_table(tf):
    made = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, [0.0, 0.5])
    made.insert(tf.constant(["a"]), tf.constant([[1.0, 2.0]]))
    return made.lookup(tf.constant([["a", "b"]]))


def case_exported(tf):
    keys, values = table(tf).export()
    order = np.argsort(values.numpy())
    return tf.constant(keys.numpy()[order]), tf.constant(values.numpy()[order])


@each(parallel=[None, 2])
def case_words_of_lines(tf, parallel):
    known = vocabulary(tf)
    lines = tf.data.Dataset.from_tensor_slices(["lake emerson", "", "palmer x lake y"])
    split = lines.map(
        lambda line: known.lookup(tf.strings.split(line)), num_parallel_calls=parallel
    )
    return split.padded_batch(3, padding_values=np.int64(-1))


def case_labels(tf):
    known = table(tf)
    pairs = tf.data.Dataset.from_tensor_slices((np.arange(4), ["lake", "x", "emerson", "palmer"]))
    return pairs.map(lambda number, label: (number, known.lookup(label))).batch(3)


def case_numbers_to_words(tf):
    words = table(tf, np.array([0, 1, 2]), WORDS, "?")
    return tf.data.Dataset.range(5).map(words.lookup)


@spec_of_results
def case_a_mutable_table_in_map(tf):
    made = changed(tf)
    return tf.data.Dataset.from_tensor_slices(["a", "b", "c"]).map(lambda word: made[word] + 1)


def case_ragged_batches(tf):
    known = vocabulary(tf)
    lines = tf.data.Dataset.from_tensor_slices(["lake emerson", "", "palmer x lake y"])
    return lines.batch(2).map(lambda batch: known.lookup(tf.strings.split(batch)).to_tensor(-1))
