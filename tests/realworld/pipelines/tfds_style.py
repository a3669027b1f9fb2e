"""Code around datasets that somebody else made: splits, counts, conversions, small services."""

import collections
import functools

import numpy as np

from tests.realworld.inputs import picture
from tests.realworld.library import tf
from tests.realworld.pipeline import drawn

Info = collections.namedtuple("Info", ["num_examples", "class_names"])


def load(split="train", n=12, as_supervised=False):
    """A builder's stand-in: dictionaries of an image, a label and an id."""
    images = np.stack([picture(i, 6, 6) for i in range(n)])
    ds = tf.data.Dataset.from_tensor_slices(
        {"image": images, "label": np.arange(n) % 3, "id": [f"{split}-{i}" for i in range(n)]}
    )
    if as_supervised:
        ds = ds.map(lambda d: (d["image"], d["label"]))
    return ds, Info(n, ["cat", "dog", "owl"])


def normalize_img(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def pipeline_train_and_test():
    ds_train, info = load(as_supervised=True)
    ds_test, _ = load("test", 5, as_supervised=True)
    ds_train = ds_train.map(normalize_img, num_parallel_calls=tf.data.AUTOTUNE)
    ds_train = ds_train.cache()
    ds_train = ds_train.shuffle(info.num_examples, seed=3)
    ds_train = ds_train.batch(8)
    ds_train = ds_train.prefetch(tf.data.AUTOTUNE)
    ds_test = ds_test.map(normalize_img).batch(4).cache().prefetch(tf.data.AUTOTUNE)
    names = [info.class_names[label] for _, label in ds_test.unbatch().take(3)]
    return {"train": ds_train, "test": ds_test, "names": names}


def pipeline_split_by_share_and_by_number():
    ds, info = load()
    ds = ds.shuffle(info.num_examples, seed=5, reshuffle_each_iteration=False)

    def get_dataset_partitions(ds, ds_size, train_split=0.8, val_split=0.1, test_split=0.1):
        assert round(train_split + val_split + test_split, 5) == 1
        train_size = int(train_split * ds_size)
        val_size = int(val_split * ds_size)
        train = ds.take(train_size)
        val = ds.skip(train_size).take(val_size)
        test = ds.skip(train_size).skip(val_size)
        return train, val, test

    parts = get_dataset_partitions(ds.map(lambda d: d["id"]), info.num_examples)

    def is_test(x, y):
        return x % 4 == 0

    def is_train(x, y):
        return not is_test(x, y)

    def recover(x, y):
        return y

    test = ds.enumerate().filter(is_test).map(recover)
    train = ds.enumerate().filter(lambda x, y: tf.logical_not(is_test(x, y))).map(recover)
    ids = lambda d: [e["id"].numpy().decode() for e in d]  # noqa: E731
    every_third = ds.shard(num_shards=3, index=1)
    return {
        "parts": [list(part.as_numpy_iterator()) for part in parts],
        "test": ids(test),
        "train": ids(train),
        "third": ids(every_third),
    }


def pipeline_counts_and_weights():
    ds, info = load()
    counter = collections.Counter(int(label) for label in ds.map(lambda d: d["label"]))
    by_numpy = np.bincount(np.fromiter(ds.map(lambda d: d["label"]), np.int64))
    hist = ds.batch(5).reduce(
        tf.zeros([3], tf.int64),
        lambda acc, d: acc + tf.math.bincount(d["label"], minlength=3, dtype=tf.int64),
    )
    mean_and_count = ds.reduce(
        (tf.zeros([3]), 0),
        lambda state, d: (
            state[0] + tf.reduce_mean(tf.cast(d["image"], tf.float32), axis=[0, 1]),
            state[1] + 1,
        ),
    )
    mean = (mean_and_count[0] / tf.cast(mean_and_count[1], tf.float32)).numpy()
    weights = {k: info.num_examples / (3 * v) for k, v in counter.items()}
    return {
        "counts": sorted(counter.items()),
        "numpy": by_numpy,
        "hist": hist.numpy(),
        "mean": mean,
        "weights": [round(w, 4) for w in weights.values()],
        "card": int(ds.cardinality()),
        "known": ds.cardinality().numpy() == info.num_examples,
        "unknown": (
            ds.filter(lambda d: d["label"] > 0).cardinality() == tf.data.UNKNOWN_CARDINALITY
        ).numpy(),
        "infinite": bool(ds.repeat().cardinality() == tf.data.INFINITE_CARDINALITY),
    }


def pipeline_asserted_cardinality():
    ds, _ = load()
    ds = ds.flat_map(lambda d: tf.data.Dataset.from_tensors(d["label"]).repeat(2))
    ds = ds.apply(tf.data.experimental.assert_cardinality(24))
    steps = len(ds.batch(5))
    wrong = ds.take(3).apply(tf.data.experimental.assert_cardinality(4))
    try:
        list(wrong)
        failed = False
    except tf.errors.FailedPreconditionError:
        failed = True
    return {"steps": steps, "failed": failed, "ds": ds.batch(24)}


def pipeline_helpers_with_partial_and_kwargs():
    ds, info = load()

    def preprocess(features, size, mean=0.0, std=1.0, num_classes=None, key="image"):
        features = dict(features)
        image = tf.image.resize(tf.cast(features.pop(key), tf.float32), size)
        features[key] = (image - mean) / std
        if num_classes:
            features["one_hot"] = tf.one_hot(features["label"], num_classes)
        return features

    fn = functools.partial(preprocess, size=[3, 3], mean=[10.0, 20.0, 30.0], num_classes=3)
    pipeline = [fn, lambda d: {**d, "flag": tf.strings.regex_full_match(d["id"], ".*[02468]")}]
    for step in pipeline:
        ds = ds.map(step, num_parallel_calls=2)
    first = next(ds.take(1).as_numpy_iterator())
    return {"ds": ds.batch(6), "keys": sorted(first), "type": type(first["image"]).__name__}


def pipeline_labels_from_loops():
    datasets = []
    for i in range(3):
        lines = tf.data.Dataset.from_tensor_slices([f"{i}{j}" for j in range(3)])
        datasets.append(lines.map(lambda text: (text, i)))
    merged = datasets[0]
    for other in datasets[1:]:
        merged = merged.concatenate(other)
    chosen = tf.data.Dataset.choose_from_datasets(
        datasets, tf.data.Dataset.range(3).repeat(3), stop_on_empty_dataset=True
    )
    return {"merged": merged.shuffle(9, seed=2), "chosen": chosen.batch(9)}


def pipeline_iterators_by_hand():
    ds, _ = load()
    iterator = iter(ds.map(lambda d: d["label"]).repeat(1))
    taken = []
    while True:
        try:
            taken.append(next(iterator).numpy())
        except StopIteration:
            break
    it = iter(ds.batch(5))
    images = it.get_next()["image"]
    optional = it.get_next_as_optional()
    rest = (
        it.get_next_as_optional().has_value().numpy(),
        it.get_next_as_optional().has_value().numpy(),
    )
    return {
        "taken": taken,
        "shape": images.shape.as_list(),
        "ndim": images.shape.ndims,
        "value": optional.get_value()["label"],
        "rest": list(rest),
        "spec": it.element_spec["image"],
    }


def pipeline_mosaic_of_four():
    ds, _ = load(as_supervised=True)

    def mosaic(images, labels):
        top = tf.concat([images[0], images[1]], axis=1)
        bottom = tf.concat([images[2], images[3]], axis=1)
        whole = tf.concat([top, bottom], axis=0)
        whole.set_shape([12, 12, 3])
        return whole, tf.sort(labels, direction="DESCENDING")

    return ds.batch(4, drop_remainder=True).map(mosaic).batch(2)


def pipeline_random_dataset_of_noise():
    def sample(index):
        image = tf.random.normal([4, 4, 1])
        noise = tf.random.truncated_normal([2], stddev=0.1)
        return image, noise, tf.random.uniform([], 0, 10, dtype=tf.int32)

    ds = tf.data.Dataset.range(6).map(sample).batch(3)
    return drawn(ds, -8, 10)


def pipeline_stateless_by_index():
    ds, _ = load(as_supervised=True)

    def augment(index, pair):
        image, label = pair
        seed = tf.stack([index, tf.cast(label, tf.int64)])
        image = tf.image.stateless_random_flip_left_right(image, seed=seed)
        image = tf.image.stateless_random_hue(image, 0.2, seed)
        image = tf.image.stateless_random_jpeg_quality(image, 60, 90, seed)
        image = tf.image.stateless_random_saturation(image, 0.5, 1.0, seed)
        return tf.image.stateless_random_crop(image, [4, 4, 3], seed), label

    shapes = [
        f"{image.shape} {label.dtype.name}" for image, label in ds.enumerate().map(augment).take(1)
    ]
    flips = ds.enumerate().map(
        lambda i, p: tf.image.stateless_random_flip_up_down(p[0], seed=(i, 2))
    )
    noise = tf.data.Dataset.range(3).map(
        lambda i: tf.random.stateless_uniform(
            [4], seed=[i, 1], minval=0, maxval=100, dtype=tf.int32
        )
    )
    return {"shapes": shapes, "flips": flips.batch(12), "noise": noise}
