"""keras: the functions of keras.utils that make datasets. TensorFlow's own Keras is Keras 3."""

import tempfile
from pathlib import Path

import numpy as np

from tests.golden.case import each, may_accept


def _texts(folder, classes="ab", count=5):
    """Files that say who they are, one of them in a folder below, and one of no interest."""
    for label in classes:
        for number in range(count):
            inside = "deeper" if number == 3 else "."
            path = Path(folder, label, inside, f"{number}.txt")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{label}{number} says more")
        Path(folder, label, "notes.md").write_text("no text")
    Path(folder, ".hidden").mkdir()


def _read(ds, plain):
    if plain:
        return list(ds)
    return [[texts, labels] for texts, labels in ds]


def _text_datasets(tf, classes="ab", count=5, **settings):
    """What one or two iterations over each dataset give, and its classes."""
    with tempfile.TemporaryDirectory() as folder:
        _texts(folder, classes, count)
        made = tf.keras.utils.text_dataset_from_directory(folder, verbose=False, **settings)
        plain = settings.get("label_mode", "int") is None or "labels" in settings
        parts = list(made) if isinstance(made, (list, tuple)) else [made]
        return [
            [str(part.element_spec).count("shape"), part.class_names, _read(part, plain)]
            + ([_read(part, plain)] if settings.get("shuffle", True) else [])
            for part in parts
        ]


@each(mode=["int", "binary", "categorical", None])
def case_texts_in_order(tf, mode):
    return _text_datasets(tf, label_mode=mode, shuffle=False, batch_size=4)


@each(seed=[0, 42], size=[2, None])
def case_texts_shuffled(tf, seed, size):
    return _text_datasets(tf, "abc", seed=seed, batch_size=size)


@each(part=["training", "validation", "both"], shuffle=[False, True])
def case_texts_divided(tf, part, shuffle):
    return _text_datasets(
        tf, validation_split=0.3, subset=part, shuffle=shuffle, seed=7, batch_size=3
    )


@each(length=[None, 2, 50])
def case_texts_cut(tf, length):
    return _text_datasets(tf, max_length=length, shuffle=False)


def case_texts_of_some_classes(tf):
    return _text_datasets(tf, "abc", class_names=["c", "a"], shuffle=False)


def case_texts_without_labels(tf):
    return _text_datasets(tf, labels=None, seed=3)


@each(
    settings=[
        {"label_mode": "x"},
        {"label_mode": "binary", "class_names": ["a"]},
        {"validation_split": 2.0, "subset": "both"},
        {"subset": "training"},
        {"validation_split": 0.5, "subset": "both"},
        {"class_names": ["z"]},
        {"format": "x"},
    ]
)
def case_texts_refused(tf, settings):
    return _text_datasets(tf, **settings)


# ---- windows over time --------------------------------------------------------------------


def _windows(tf, data, targets, length, **settings):
    ds = tf.keras.utils.timeseries_dataset_from_array(data, targets, length, **settings)
    twice = range(2 if settings.get("shuffle") else 1)
    return [int(ds.cardinality()), [_read(ds, targets is None) for _ in twice]]


@each(stride=[1, 2, 5], rate=[1, 3], size=[4, None])
def case_windows(tf, stride, rate, size):
    rows = np.arange(20).reshape(10, 2)
    return _windows(tf, rows, None, 3, sequence_stride=stride, sampling_rate=rate, batch_size=size)


@each(start=[None, 0, 2], end=[None, 8])
def case_windows_of_a_part(tf, start, end):
    rows = np.arange(10, dtype=np.float32)
    return _windows(tf, rows, rows * 10, 3, start_index=start, end_index=end)


def case_windows_and_what_comes_next(tf):
    rows = np.arange(10)
    return _windows(tf, rows[:-3], rows[3:], 3, batch_size=2)


def case_windows_with_few_targets(tf):
    return _windows(tf, np.arange(10), np.arange(4) * 10, 3)


def case_windows_of_lists(tf):
    return _windows(tf, [1.5, 2.5, 3.5, 4.5], [1, 2, 3, 4], 2)


@each(seed=[1, 9], size=[2, None])
def case_windows_shuffled(tf, seed, size):
    rows = np.arange(12)
    return _windows(tf, rows, rows * 10, 3, shuffle=True, seed=seed, batch_size=size)


def case_windows_longer_than_the_data(tf):
    return _windows(tf, np.arange(3), None, 5)


@each(
    settings=[
        {"start_index": -1},
        {"start_index": 10},
        {"end_index": 10},
        {"start_index": 5, "end_index": 5},
        {"sampling_rate": 0},
        {"sequence_stride": 10},
        {"format": "x"},
    ]
)
def case_windows_refused(tf, settings):
    return _windows(tf, np.arange(10), None, 3, **settings)


# ---- two parts, and arrays ----------------------------------------------------------------


def _halves(tf, data, **settings):
    return [
        [part.element_spec, int(part.cardinality()), list(part)]
        for part in tf.keras.utils.split_dataset(data, **settings)
    ]


@each(left=[None, 0.25, 3, 0.5], right=[None, 0.2, 2])
def case_split(tf, left, right):
    return _halves(tf, tf.data.Dataset.range(10), left_size=left, right_size=right)


@each(seed=[0, 5])
def case_split_shuffled(tf, seed):
    return _halves(tf, np.arange(12.0).reshape(6, 2), left_size=0.5, shuffle=True, seed=seed)


@each(drop=[False, True])
def case_split_batches(tf, drop):
    ds = tf.data.Dataset.range(9).batch(2, drop_remainder=drop)
    return _halves(tf, ds, left_size=0.5)


def case_split_structures(tf):
    ds = tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3, 4], "b": [[0.5], [1.5], [2.5], [3.5]]})
    return _halves(tf, ds.map(lambda d: (d, d["a"])), right_size=1)


def case_split_arrays(tf):
    return _halves(tf, (np.arange(4), np.arange(8.0).reshape(4, 2)), left_size=0.5)


@each(sizes=[(0, None), (1.0, None), (10, None), (0.6, 0.6), (6, 6), (0.01, None), ("a", None)])
def case_split_refused(tf, sizes):
    left, right = sizes
    return _halves(tf, tf.data.Dataset.range(10), left_size=left, right_size=right)


@may_accept
def case_split_of_nothing(tf):
    return _halves(tf, tf.data.Dataset.range(0), left_size=0.5)


@each(classes=[None, 5])
def case_to_categorical(tf, classes):
    return [
        tf.keras.utils.to_categorical(labels, classes)
        for labels in ([0, 2, 1], [[0], [3]], [[0, 1], [2, 3]], np.int64(2), [1.9, 0.2])
    ]


def case_to_categorical_in_a_map(tf):
    ds = tf.data.Dataset.range(4).map(lambda x: tf.keras.utils.to_categorical(x, 4))
    return ds.batch(2)


@each(axis=[0, 1, -1], order=[1, 2])
def case_normalize(tf, axis, order):
    rows = np.array([[3.0, 4.0, 0.0], [0.0, 0.0, 0.0], [1.0, -1.0, 2.0]])
    return tf.keras.utils.normalize(rows, axis, order)


@each(padding=["pre", "post"], truncating=["pre", "post"], length=[None, 2, 5])
def case_pad_sequences(tf, padding, truncating, length):
    rows = [[1], [2, 3], [], [4, 5, 6]]
    return tf.keras.preprocessing.sequence.pad_sequences(
        rows, length, padding=padding, truncating=truncating, value=-1
    )


def case_pad_sequences_of_rows(tf):
    return tf.keras.utils.pad_sequences([[[1, 2]], [[3, 4], [5, 6]]], dtype="float32", value=0.5)


def case_pad_sequences_of_strings(tf):
    return tf.keras.utils.pad_sequences([["a"], ["b", "c"]], dtype=object, value="-").tolist()


@each(
    settings=[
        {"sequences": [1, 2]},
        {"sequences": 3},
        {"sequences": [[1]], "padding": "x"},
        {"sequences": [[1]], "truncating": "x"},
        {"sequences": [[1]], "value": "x"},
        {"sequences": [[[1]], [[1, 2]]]},
    ]
)
def case_pad_sequences_refused(tf, settings):
    return tf.keras.utils.pad_sequences(**settings)


# ---- sounds -------------------------------------------------------------------------------


def _sounds(tf, **settings):
    """What iterations over each dataset of sounds of different lengths give, and its classes."""
    with tempfile.TemporaryDirectory() as folder:
        for label in "ab":
            Path(folder, label).mkdir()
            for number in range(4):
                sound = [[number / 8, -0.5]] * (number + 1 if label == "a" else 3)
                content = tf.audio.encode_wav(tf.constant(sound, tf.float32), 8000)
                tf.io.write_file(f"{folder}/{label}/{number}.wav", content)
        made = tf.keras.utils.audio_dataset_from_directory(folder, verbose=False, **settings)
        parts = list(made) if isinstance(made, (list, tuple)) else [made]
        plain = "labels" in settings or settings.get("label_mode", "int") is None
        return [type(made).__name__ == "tuple"] + [
            [part.class_names, _read(part, plain), _read(part, plain)] for part in parts
        ]


@each(mode=["int", "categorical", None])
def case_sounds_in_order(tf, mode):
    return _sounds(tf, label_mode=mode, shuffle=False, batch_size=3)


@each(size=[3, None], part=[None, "both"])
def case_sounds_shuffled(tf, size, part):
    split = 0.25 if part else None
    return _sounds(tf, seed=5, batch_size=size, validation_split=split, subset=part)


@each(length=[2, 6])
def case_sounds_of_one_length(tf, length):
    return _sounds(tf, output_sequence_length=length, shuffle=False)


def case_sounds_without_labels(tf):
    return _sounds(tf, labels=None, shuffle=False)


@each(size=[3, None])
def case_sounds_ragged(tf, size):
    return _sounds(tf, ragged=True, shuffle=False, batch_size=size)


@each(settings=[{"ragged": True, "output_sequence_length": 2}, {"sampling_rate": 0}])
def case_sounds_refused(tf, settings):
    return _sounds(tf, **settings)


def case_seeds_are_drawn_from_the_program(tf):
    before = np.random.get_state()
    np.random.seed(7)
    texts = _text_datasets(tf, "abc")
    windows = _windows(tf, np.arange(12), None, 3, shuffle=True)
    np.random.set_state(before)
    return [texts, windows]
