"""Words to ids: tables from files and tensors, hashing, one-hot and multi-hot, alignments."""

import numpy as np

from tests.realworld.library import tf

WORDS = ["[PAD]", "[UNK]", "the", "sun", "road", "on", "##s", "goes"]
LINES = ["the sun goes on", "on the road", "roads the unknown", "sun sun"]


def _vocabulary_file():
    with open("vocab.txt", "w") as file:
        file.write("\n".join(WORDS) + "\n")
    return "vocab.txt"


def pipeline_table_from_a_file():
    path = _vocabulary_file()
    init = tf.lookup.TextFileInitializer(
        filename=path,
        key_dtype=tf.string,
        key_index=tf.lookup.TextFileIndex.WHOLE_LINE,
        value_dtype=tf.int64,
        value_index=tf.lookup.TextFileIndex.LINE_NUMBER,
    )
    table = tf.lookup.StaticHashTable(init, default_value=1)
    back = tf.lookup.StaticHashTable(
        tf.lookup.TextFileInitializer(
            path,
            tf.int64,
            tf.lookup.TextFileIndex.LINE_NUMBER,
            tf.string,
            tf.lookup.TextFileIndex.WHOLE_LINE,
        ),
        default_value="[UNK]",
    )
    ds = tf.data.Dataset.from_tensor_slices(LINES).map(tf.strings.split)
    ids = ds.map(table.lookup)
    return {
        "size": table.size().numpy(),
        "ids": ids.padded_batch(4, padding_values=tf.constant(0, tf.int64)),
        "words": ids.map(lambda x: tf.strings.reduce_join(back.lookup(x), separator=" ")),
    }


def pipeline_vocabulary_table_with_buckets():
    path = _vocabulary_file()
    table = tf.lookup.StaticVocabularyTable(
        tf.lookup.TextFileInitializer(
            path,
            tf.string,
            tf.lookup.TextFileIndex.WHOLE_LINE,
            tf.int64,
            tf.lookup.TextFileIndex.LINE_NUMBER,
        ),
        num_oov_buckets=3,
        lookup_key_dtype=tf.string,
    )
    cls = table.lookup(tf.constant(b"[CLS]"))
    ds = tf.data.Dataset.from_tensor_slices(LINES)

    def encode(line):
        tokens = tf.strings.split(line, sep=" ")
        return tf.concat([[cls], table.lookup(tokens)], axis=0)

    return [cls, table.size() - 3, ds.map(encode)]


def pipeline_two_column_file():
    with open("labels.csv", "w") as file:
        file.write("cat,3\ndog,5\nbird,8\n")
    table = tf.lookup.StaticHashTable(
        tf.lookup.TextFileInitializer(
            "labels.csv",
            key_dtype=tf.string,
            key_index=0,
            value_dtype=tf.int64,
            value_index=1,
            delimiter=",",
        ),
        -1,
    )
    labels = tf.constant(["dog", "cat", "mouse"])
    return [
        table.lookup(labels),
        table[labels],
        tf.data.Dataset.from_tensor_slices(labels).map(table.lookup),
    ]


def pipeline_mutable_table():
    """Counts grown by insert, keys with sorted, removal."""
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)
    table.insert(tf.constant(["a", "b", "c"]), tf.constant([1, 2, 3], tf.int64))
    table.remove(tf.constant(["c"]))
    keys, values = table.export()
    ds = tf.data.Dataset.from_tensor_slices([["b", "z"], ["c", "a"]]).map(table.lookup)
    return [
        table.lookup(tf.constant(["b", "z"])),
        table.size(),
        sorted(keys.numpy()),
        tf.sort(values),
        ds,
    ]


def pipeline_class_names_to_one_hot():
    """Characters of captchas: enumerate a sorted set, table behind map, reversed for labels."""
    labels = ["2b8", "77c", "c2b"]
    characters = sorted(set(ch for label in labels for ch in label))
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(
            tf.constant(characters), tf.constant([i for i, _ in enumerate(characters)], tf.int32)
        ),
        -1,
    )

    def encode_single_sample(label):
        ids = table.lookup(tf.strings.unicode_split(label, input_encoding="UTF-8"))
        return {
            "label": ids,
            "one_hot": tf.one_hot(ids, len(characters)),
            "length": tf.strings.length(label),
        }

    ds = tf.data.Dataset.from_tensor_slices(np.array(labels))
    return ds.map(encode_single_sample, num_parallel_calls=tf.data.AUTOTUNE).batch(2)


def pipeline_hashed_words():
    """The hashing trick: to_hash_bucket_fast, bigrams by ngrams, counts by unsorted_segment_sum."""
    ds = tf.data.Dataset.from_tensor_slices(LINES)

    def encode(line):
        words = tf.strings.split(tf.strings.lower(line))
        bigrams = tf.strings.ngrams(words, 2, separator="_")
        ids = tf.strings.to_hash_bucket_fast(tf.concat([words, bigrams], 0), 50)
        ones = tf.ones_like(ids)
        bag = tf.math.unsorted_segment_sum(ones, ids, 50)
        return ids, tf.cast(bag > 0, tf.float32), tf.reduce_sum(bag)

    return ds.map(encode)


def pipeline_genres_multi_hot():
    """Pipe-separated genres, looked up and turned into a multi-hot row by reduce_max of one_hot."""
    rows = ["1::Toy (1995)::Animation|Comedy", "2::Heat::Action", "3::None::"]
    genres = ["Action", "Animation", "Comedy", "Drama"]
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(genres, np.arange(4, dtype=np.int64)), default_value=-1
    )

    def parse(line):
        movie, title, names = tf.unstack(tf.strings.split(line, "::"), 3)
        ids = table.lookup(tf.strings.split(names, "|"))
        multi_hot = tf.reduce_max(tf.one_hot(ids, len(genres), dtype=tf.int32), axis=0)
        year = tf.strings.regex_replace(title, r".*\((\d{4})\).*", r"\1")
        return tf.strings.to_number(movie, tf.int32), title, multi_hot, year

    return tf.data.Dataset.from_tensor_slices(rows).map(parse)


def pipeline_alignments():
    """Pharaoh alignments: split twice, numbers, a sparse tensor, dense and transposed, checked."""
    lines = ["0-0 1-2 1-3 2-1", "0-1 2-2"]

    def matrix(line):
        pairs = tf.strings.split([line]).values
        numbers = tf.strings.to_number(tf.strings.split(pairs, sep="-").values, out_type=tf.int64)
        indices = tf.reshape(numbers, [-1, 2])
        values = tf.ones([tf.shape(indices)[0]], dtype=tf.float32)
        largest = tf.reduce_max(indices, axis=0)
        check = tf.debugging.assert_less(
            largest, tf.constant([3, 4], tf.int64), message=tf.strings.format("bad line {}", [line])
        )
        with tf.control_dependencies([check]):
            sparse = tf.sparse.SparseTensor(indices, values, tf.constant([3, 4], tf.int64))
            return tf.transpose(tf.sparse.to_dense(sparse, validate_indices=False))

    return tf.data.Dataset.from_tensor_slices(lines).map(matrix).batch(2)


def pipeline_subwords_to_words():
    """Subword tokens grouped by joiner marks: regex_full_match, roll, where, from_row_starts."""
    tokens = tf.constant(["He@@", "llo", "W@@", "orl@@", "d", "!"])

    def words_of(tokens):
        right = tf.strings.regex_full_match(tokens, ".*@@")
        left = tf.strings.regex_full_match(tokens, "@@.*")
        subword = tf.logical_or(tf.roll(right, shift=1, axis=0), left)
        starts = tf.squeeze(tf.where(tf.logical_not(subword)), -1)
        return tf.RaggedTensor.from_row_starts(tokens, starts)

    ragged = words_of(tokens)
    ds = tf.data.Dataset.from_tensors(tokens).map(words_of)
    dense = ds.map(lambda r: tf.RaggedTensor.from_tensor(r.to_tensor(), padding="").flat_values)
    return [ragged, ragged.to_tensor(), ds, dense, ragged.to_list(), ragged.bounding_shape()]


def pipeline_tokens_to_characters():
    """Characters of words: codepoints, casing, a padded 3D batch cut to a maximum."""
    ds = tf.data.Dataset.from_tensor_slices(["Straße OK", "été 12", "x"]).batch(3)

    def encode(lines):
        words = tf.strings.split(lines)
        chars = tf.strings.unicode_decode(words, "UTF-8")
        dense = chars.to_tensor(default_value=0)
        upper = tf.strings.upper(lines, encoding="utf-8")
        return {
            "chars": dense[:, :2, :4],
            "upper": upper,
            "lengths": tf.strings.length(lines, unit="UTF8_CHAR"),
            "back": tf.strings.unicode_encode(chars, "UTF-8"),
        }

    return ds.map(encode)


def pipeline_words_dropped():
    """Word dropout with a mask drawn from numbers, at least one kept by tf.cond."""

    def drop(line):
        words = tf.strings.split(line)
        num_words = tf.shape(words, out_type=tf.int64)[0]
        keep_mask = tf.strings.to_hash_bucket_fast(words, 3) < 1
        keep_ind = tf.where(keep_mask)
        keep_ind = tf.cond(
            tf.equal(tf.shape(keep_ind)[0], 0),
            true_fn=lambda: tf.expand_dims(num_words - 1, 0),
            false_fn=lambda: tf.squeeze(keep_ind, -1),
        )
        return tf.gather(words, keep_ind)

    return tf.data.Dataset.from_tensor_slices(LINES).map(drop)
