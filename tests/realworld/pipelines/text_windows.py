"""Text pipelines of tutorials: skip-grams, characters, translation pairs, language-model windows."""

import os

import numpy as np

from tests.realworld.library import tf

SENTENCES = [
    "the wide road shimmered in the hot sun",
    "a quick fox, they say, jumps over lazy dogs!",
    "words keep company with other words",
    "",
    "the sun sets; the road goes on and on",
]


def pipeline_skip_grams():
    """Sentences as ids, then (target, context, label) by hand with a sampled distribution."""
    path = "poem.txt"
    with open(path, "w") as file:
        file.write("\n".join(SENTENCES))
    lines = tf.data.TextLineDataset(path).filter(
        lambda line: tf.cast(tf.strings.length(line), bool)
    )

    def standardize(line):
        lower = tf.strings.lower(line)
        return tf.strings.split(tf.strings.regex_replace(lower, "[%s]" % r"!\.,;", ""))

    vocabulary, index = {"<pad>": 0}, 1
    for tokens in lines.map(standardize):
        for token in tokens.numpy():
            if token.decode() not in vocabulary:
                vocabulary[token.decode()] = index
                index += 1
    targets, contexts, labels = [], [], []
    for tokens in lines.map(standardize).as_numpy_iterator():
        ids = [vocabulary[token.decode("utf-8")] for token in tokens]
        for position, word in enumerate(ids):
            for other in range(max(0, position - 1), min(len(ids), position + 2)):
                if other == position:
                    continue
                context_class = tf.expand_dims(tf.constant([ids[other]], dtype="int64"), 1)
                negatives = tf.constant(
                    [(ids[other] + k) % len(vocabulary) for k in (3, 5)], tf.int64
                )
                context = tf.concat([tf.squeeze(context_class, 1), negatives], 0)
                label = tf.constant([1] + [0] * 2, dtype="int64")
                targets.append(word)
                contexts.append(context)
                labels.append(label)
    targets, contexts, labels = np.array(targets), np.array(contexts), np.array(labels)
    dataset = tf.data.Dataset.from_tensor_slices(((targets, contexts), labels))
    dataset = dataset.shuffle(1000, seed=7).batch(16, drop_remainder=True)
    return dataset.cache().prefetch(buffer_size=tf.data.AUTOTUNE)


def pipeline_character_windows():
    """Characters to ids, chunks of one more than the window, input and target one apart."""
    text = " ".join(SENTENCES)
    vocabulary = sorted(set(text))
    char_to_id = {char: i for i, char in enumerate(vocabulary)}
    as_ids = np.array([char_to_id[char] for char in text])
    chunks = tf.data.Dataset.from_tensor_slices(as_ids).batch(17, drop_remainder=True)

    def split_input_target(chunk):
        input_text = chunk[:-1]
        target_text = chunk[1:]
        return input_text, target_text

    return chunks.map(split_input_target).shuffle(100, seed=3).batch(4, drop_remainder=True)


def pipeline_unicode_characters():
    """unicode_split of the whole text, looked up with a table made by hand."""
    text = "Zoë äß — naïve café " * 6
    chars = tf.strings.unicode_split(text, input_encoding="UTF-8")
    known = sorted(set(text))
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(
            known, list(range(1, len(known) + 1)), value_dtype=tf.int64
        ),
        0,
    )
    ids = tf.data.Dataset.from_tensor_slices(table.lookup(chars))
    sequences = ids.batch(11, drop_remainder=True)
    return sequences.map(lambda s: (s[:-1], s[1:])).batch(3)


def pipeline_character_windows_by_window():
    """The same with window(shift=1) and flat_map, one-hot inputs."""
    encoded = np.array([ord(c) % 7 for c in SENTENCES[0]], dtype=np.uint8)
    n_steps = 9
    dataset = tf.data.Dataset.from_tensor_slices(encoded)
    dataset = dataset.repeat().window(n_steps + 1, shift=3, drop_remainder=True)
    dataset = dataset.flat_map(lambda window: window.batch(n_steps + 1))
    dataset = dataset.shuffle(50, seed=5).batch(4)
    dataset = dataset.map(lambda windows: (windows[:, :-1], windows[:, 1:]))
    dataset = dataset.map(lambda x, y: (tf.one_hot(x, depth=7), y))
    return dataset.prefetch(1).take(3)


def pipeline_stateful_windows():
    """One window of each of several streams, zipped and stacked for a stateful net."""
    encoded = np.arange(120) % 11
    parts = np.array_split(encoded, 4)
    datasets = []
    for part in parts:
        dataset = tf.data.Dataset.from_tensor_slices(part)
        dataset = dataset.window(6, shift=5, drop_remainder=True)
        dataset = dataset.flat_map(lambda window: window.batch(6))
        datasets.append(dataset)
    dataset = tf.data.Dataset.zip(tuple(datasets)).map(lambda *windows: tf.stack(windows))
    return dataset.map(lambda w: (w[:, :-1], w[:, 1:]))


PAIRS = [
    ("Go on.", "Weiter so."),
    ("¿Where are you?", "Wo bist du?"),
    ("I am   cold!", "Mir ist kalt!"),
    ("She reads a long book, slowly.", "Sie liest langsam ein langes Buch."),
    ("Ça va", "Es geht"),
]


def pipeline_translation_pairs():
    """Cleaning with regular expressions, [START] and [END], ids through a table, ragged to dense."""
    inputs = np.array([a for a, _ in PAIRS])
    targets = np.array([b for _, b in PAIRS])
    is_train = np.random.RandomState(1).uniform(size=(len(targets),)) < 0.8

    def tf_lower_and_split_punct(text):
        text = tf.strings.lower(text)
        text = tf.strings.regex_replace(text, r"[^ a-z.?!,¿]", "")
        text = tf.strings.regex_replace(text, r"[.?!,¿]", r" \0 ")
        text = tf.strings.strip(text)
        return tf.strings.join(["[START]", text, "[END]"], separator=" ")

    raw = tf.data.Dataset.from_tensor_slices((inputs, targets)).shuffle(10, seed=1).batch(3)
    seen = set()
    for a, b in raw:
        for text in (tf_lower_and_split_punct(a), tf_lower_and_split_punct(b)):
            for line in text.numpy():
                seen.update(line.decode().split())
    keys = tf.constant(sorted(seen))
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(keys, tf.range(2, tf.size(keys) + 2)), default_value=1
    )

    def to_ids(text):
        tokens = tf.strings.split(tf_lower_and_split_punct(text))
        return tf.RaggedTensor.from_row_splits(table.lookup(tokens.values), tokens.row_splits)

    def process_text(context, target):
        context = to_ids(context).to_tensor()
        target = to_ids(target)
        targ_in = target[:, :-1].to_tensor()
        targ_out = target[:, 1:].to_tensor()
        return (context, targ_in), targ_out

    return [is_train, raw.map(process_text, tf.data.AUTOTUNE)]


def pipeline_subword_pairs_with_py_function():
    """An encoder in Python behind py_function, set_shape, a length filter, padded_batch."""
    max_length = 9

    def encode(lang1, lang2):
        one = [30] + [c % 29 for c in lang1.numpy()] + [31]
        two = [30] + [c % 29 for c in lang2.numpy()] + [31]
        return one, two

    def tf_encode(pt, en):
        result_pt, result_en = tf.py_function(encode, [pt, en], [tf.int64, tf.int64])
        result_pt.set_shape([None])
        result_en.set_shape([None])
        return result_pt, result_en

    def filter_max_length(x, y, max_length=max_length):
        return tf.logical_and(tf.size(x) <= max_length, tf.size(y) <= max_length + 3)

    examples = tf.data.Dataset.from_tensor_slices(([a for a, _ in PAIRS], [b for _, b in PAIRS]))
    train_dataset = examples.map(tf_encode)
    train_dataset = train_dataset.filter(filter_max_length)
    train_dataset = train_dataset.cache()
    train_dataset = train_dataset.shuffle(20, seed=2).padded_batch(2)
    return train_dataset.prefetch(tf.data.experimental.AUTOTUNE)


def pipeline_question_answer_dicts():
    """A chatbot's decoder inputs: the target without its first or last token, as dicts."""
    questions = np.random.RandomState(0).randint(1, 50, (8, 7)).astype(np.int32)
    answers = np.random.RandomState(1).randint(1, 50, (8, 7)).astype(np.int32)
    dataset = tf.data.Dataset.from_tensor_slices(
        (
            {"inputs": questions, "dec_inputs": answers[:, :-1]},
            {"outputs": answers[:, 1:]},
        )
    )
    return dataset.cache().shuffle(20000, seed=4).batch(3).prefetch(tf.data.experimental.AUTOTUNE)


def pipeline_labelled_books():
    """Three text files, a label for each in a loop, concatenated, vocabulary, take and skip."""
    names = ["cowper.txt", "derby.txt", "butler.txt"]
    for k, name in enumerate(names):
        with open(name, "w", encoding="utf-8") as file:
            file.writelines(f"Line {n} of book {k}: {SENTENCES[(n + k) % 3]}\n" for n in range(5))

    def labeler(example, index):
        return example, tf.cast(index, tf.int64)

    labeled = []
    for i, name in enumerate(names):
        lines_dataset = tf.data.TextLineDataset(name)
        labeled_dataset = lines_dataset.map(lambda ex: labeler(ex, i))
        labeled.append(labeled_dataset)
    all_labeled = labeled[0]
    for labeled_dataset in labeled[1:]:
        all_labeled = all_labeled.concatenate(labeled_dataset)
    all_labeled = all_labeled.shuffle(50, reshuffle_each_iteration=False, seed=9)
    words = {}
    for text, label in all_labeled:
        for word in tf.strings.split(tf.strings.lower(text)).numpy():
            words[word] = words.get(word, 0) + 1
    vocab = sorted(words, key=lambda w: (-words[w], w))[:12]
    init = tf.lookup.KeyValueTensorInitializer(
        vocab, range(2, len(vocab) + 2), key_dtype=tf.string, value_dtype=tf.int64
    )
    vocab_table = tf.lookup.StaticVocabularyTable(init, 1)

    def preprocess_text(text, label):
        tokenized = tf.strings.split(tf.strings.lower(text))
        return vocab_table.lookup(tokenized), label

    encoded = all_labeled.map(preprocess_text)
    train = encoded.skip(4).shuffle(50, seed=1).padded_batch(4)
    valid = encoded.take(4).padded_batch(4, padded_shapes=([None], []))
    return [train, valid, vocab]


def pipeline_lines_of_many_files():
    """list_files in order, interleave of TextLineDataset with a skipped header, a line filter."""
    for k in range(4):
        with open(f"part-{k}.txt", "w") as file:
            file.write("header\n" + "\n".join(f"{k}.{n} " + "x" * (n % 3) for n in range(6)))
    files = tf.data.Dataset.list_files("part-*.txt", shuffle=False)

    def basename(path):
        return tf.strings.split(path, os.sep)[-1]

    lines = files.interleave(
        lambda path: tf.data.TextLineDataset(path).skip(1).map(lambda line: (line, basename(path))),
        cycle_length=2,
        block_length=2,
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    lines = lines.filter(lambda line, _: tf.not_equal(tf.strings.substr(line, -1, 1), " "))
    return lines.map(lambda line, name: {"text": tf.strings.strip(line), "file": name}).batch(5)


def pipeline_directory_of_texts():
    """text_dataset_from_directory with a split, labels inferred from folders."""
    for k, name in enumerate(["neg", "pos"]):
        os.makedirs(os.path.join("reviews", name), exist_ok=True)
        for n in range(6):
            with open(os.path.join("reviews", name, f"{n}.txt"), "w") as file:
                file.write(f"review {n} <br /> is {name}")
    directory = "reviews"
    train = tf.keras.utils.text_dataset_from_directory(
        directory, batch_size=4, validation_split=0.25, subset="training", seed=42
    )
    valid = tf.keras.utils.text_dataset_from_directory(
        directory, batch_size=4, validation_split=0.25, subset="validation", seed=42
    )
    names = train.class_names

    def clean(text, label):
        lowercase = tf.strings.lower(text)
        return tf.strings.regex_replace(lowercase, "<br />", " "), label

    return [
        names,
        train.map(clean).cache().prefetch(buffer_size=tf.data.AUTOTUNE),
        valid.map(clean),
    ]
