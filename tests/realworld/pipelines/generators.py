"""from_generator in all its forms, and classes that hand out batches."""

import itertools

import numpy as np

from tests.realworld.library import tf


def pipeline_types_and_shapes():
    def count(stop):
        i = 0
        while i < stop:
            yield i
            i += 1

    def gen_series():
        rng = np.random.RandomState(1)
        for i in range(6):
            size = rng.randint(0, 6)
            yield i, rng.normal(size=(size,))

    ds_counter = tf.data.Dataset.from_generator(
        count, args=[7], output_types=tf.int32, output_shapes=()
    )
    shown = [batch.numpy() for batch in ds_counter.repeat().batch(5).take(3)]
    ds_series = tf.data.Dataset.from_generator(
        gen_series, output_types=(tf.int32, tf.float32), output_shapes=((), (None,))
    )
    batches = ds_series.shuffle(20, seed=1).padded_batch(4)
    ids, sequences = next(iter(batches))
    return [shown, ids.numpy(), sequences, ds_series]


def pipeline_signatures():
    """Ragged, sparse, optional lists and dicts of numbers in output_signature."""

    def gen():
        ragged_tensor = tf.ragged.constant([[1, 2], [3]], dtype=tf.int32)
        for k in range(2):
            yield {
                "count": k,
                "text": f"n{k}",
                "ragged": ragged_tensor,
                "pair": (np.float64(k), [k, k + 1]),
            }

    return tf.data.Dataset.from_generator(
        gen,
        output_signature={
            "count": tf.TensorSpec(shape=(), dtype=tf.int32),
            "text": tf.TensorSpec(shape=(), dtype=tf.string),
            "ragged": tf.RaggedTensorSpec(shape=(2, None), dtype=tf.int32),
            "pair": (tf.TensorSpec((), tf.float32), tf.TensorSpec((2,), tf.int64)),
        },
    )


def pipeline_only_types():
    """Types alone: shapes are unknown until set_shape or reshape in a map."""

    def gen():
        for i in itertools.count(1):
            yield (i, [1] * (i % 4))

    ds = tf.data.Dataset.from_generator(
        gen, (tf.int64, tf.int64), (tf.TensorShape([]), tf.TensorShape([None]))
    )
    plain = tf.data.Dataset.from_generator(gen, (tf.int64, tf.int64)).take(5)

    def fix(number, ones):
        number.set_shape([])
        ones.set_shape([None])
        return number, ones

    return [list(ds.take(3).as_numpy_iterator()), plain.map(fix).padded_batch(2)]


class _Sequence:
    """Like a Keras Sequence: __len__, __getitem__, on_epoch_end, handed over by a lambda."""

    def __init__(self, x, y, batch_size, shuffle):
        self.x, self.y, self.batch_size, self.shuffle = x, y, batch_size, shuffle
        self.epoch = 0
        self.on_epoch_end()

    def __len__(self):
        return int(np.ceil(len(self.x) / float(self.batch_size)))

    def on_epoch_end(self):
        self.indices = np.arange(len(self.x))
        if self.shuffle:
            np.random.RandomState(self.epoch).shuffle(self.indices)
        self.epoch += 1

    def __getitem__(self, idx):
        rows = self.indices[idx * self.batch_size : (idx + 1) * self.batch_size]
        return self.x[rows], self.y[rows]

    def __call__(self):
        for i in range(len(self)):
            yield self[i]
        self.on_epoch_end()


def pipeline_sequence_object():
    sequence = _Sequence(np.arange(22, dtype=np.float32).reshape(11, 2), np.arange(11) % 3, 4, True)
    dataset = tf.data.Dataset.from_generator(
        lambda: sequence(),
        output_signature=(
            tf.TensorSpec(shape=(None, 2), dtype=tf.float32),
            tf.TensorSpec(shape=(None,), dtype=tf.int64),
        ),
    )
    dataset = dataset.apply(tf.data.experimental.assert_cardinality(3))
    two_epochs = [labels.numpy() for _ in range(2) for _, labels in dataset]
    return [len(dataset), two_epochs]


def pipeline_generator_per_file():
    """interleave of generators with args: the path arrives as bytes, decoded in Python."""
    for k in range(3):
        np.savez(
            f"part{k}.npz", x=np.arange(k * 4, k * 4 + 4, dtype=np.float32), y=np.arange(4) % 2
        )

    def generator(file_name, scale):
        with np.load(file_name.decode("utf-8")) as content:
            for x, y in zip(content["x"], content["y"]):
                yield x * scale, y

    names = tf.data.Dataset.from_tensor_slices([f"part{k}.npz" for k in range(3)])
    ds = names.interleave(
        lambda name: tf.data.Dataset.from_generator(
            generator,
            (tf.float32, tf.int64),
            (tf.TensorShape([]), tf.TensorShape([])),
            args=(name, 0.5),
        ),
        cycle_length=2,
        block_length=2,
    )
    return ds.batch(5)


def pipeline_two_passes_and_counts():
    """A generator function run anew for each pass; enumerate, skip and len by counting."""
    passes = []

    def gen():
        passes.append(1)
        yield from zip(range(5), "abcde")

    ds = tf.data.Dataset.from_generator(
        gen, output_types=(tf.int32, tf.string), output_shapes=([], [])
    )
    n = sum(1 for _ in ds)
    epoch = [(int(i), s.numpy().decode()) for i, s in ds.skip(2)]
    passes_so_far = len(passes)
    return [
        n,
        epoch,
        passes_so_far,
        int(ds.cardinality()),
        ds.cardinality() == tf.data.UNKNOWN_CARDINALITY,
    ]


def pipeline_rows_of_several_sizes():
    """Images of any size from a generator: crops by tf.image in the map, numbers by dtype."""

    def rows():
        for k in range(4):
            yield (
                np.random.RandomState(k).randint(0, 255, (5 + k, 6, 3)),
                {"size": (5 + k, 6), "name": b"im%d" % k},
            )

    ds = tf.data.Dataset.from_generator(
        rows,
        output_types=(tf.uint8, {"size": tf.int32, "name": tf.string}),
        output_shapes=([None, None, 3], {"size": [2], "name": []}),
    )

    def crop(image, info):
        image = tf.image.central_crop(image, 0.5)
        image = tf.image.resize(tf.cast(image, tf.float32), [3, 3])
        return image / 255.0, tf.cast(info["size"][0] * info["size"][1], tf.float32), info["name"]

    return ds.map(crop).batch(2)


def pipeline_batch_iterator_by_hand():
    """iter and next with a default, get_next_as_optional, as_numpy_iterator and zip with Python."""
    ds = tf.data.Dataset.range(5).map(lambda x: {"x": x, "half": x / 2})
    iterator = iter(ds)
    seen = [next(iterator)["x"].numpy()]
    optional = iterator.get_next_as_optional()
    seen.append(optional.has_value().numpy())
    seen.append(optional.get_value()["half"].numpy())
    while True:
        try:
            seen.append(int(iterator.get_next()["x"]))
        except tf.errors.OutOfRangeError:
            break
    end = next(iterator, None)
    pairs = [(a, float(b["half"])) for a, b in zip("xyz", ds.as_numpy_iterator())]
    return [seen, end, pairs, ds.element_spec]


def pipeline_errors_ignored():
    """Elements that fail left out: check_numerics, ignore_errors as method and by apply."""
    values = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 0.0, 4.0])
    checked = values.map(lambda x: tf.debugging.check_numerics(1.0 / x, "error"))
    by_apply = checked.apply(tf.data.experimental.ignore_errors())
    try:
        list(checked)
    except tf.errors.InvalidArgumentError as e:
        failure = isinstance(e, tf.errors.OpError), e.error_code
    return [failure, by_apply, checked.ignore_errors()]
