"""TFRecord files written and read as TensorFlow's guide does."""

import numpy as np

from tests.realworld.library import tf

NUM_SHARDS = 3


def _bytes_feature(value):
    if isinstance(value, type(tf.constant(0))):
        value = value.numpy()
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))


def _float_feature(value):
    return tf.train.Feature(float_list=tf.train.FloatList(value=[value]))


def _int64_feature(value):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))


def serialize(flag, number, animal, weight):
    feature = {
        "flag": _int64_feature(int(flag)),
        "number": _int64_feature(number),
        "animal": _bytes_feature(animal),
        "weight": _float_feature(weight),
    }
    return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()


def pipeline_examples_through_py_function():
    rng = np.random.default_rng(3)
    n = 10
    flags = rng.choice([False, True], n)
    numbers = rng.integers(0, 5, n)
    animals = np.array([b"cat", b"dog", b"chicken", b"horse", b"goat"])[numbers]
    weights = rng.standard_normal(n)

    features = tf.data.Dataset.from_tensor_slices((flags, numbers, animals, weights))

    def tf_serialize(f0, f1, f2, f3):
        text = tf.py_function(serialize, (f0, f1, f2, f3), tf.string)
        return tf.reshape(text, ())

    serialized = features.map(tf_serialize)
    with tf.io.TFRecordWriter("all.tfrecord") as writer:
        for record in serialized:
            writer.write(record.numpy())

    raw = tf.data.TFRecordDataset(["all.tfrecord"])
    description = {
        "flag": tf.io.FixedLenFeature([], tf.int64, default_value=0),
        "number": tf.io.FixedLenFeature([], tf.int64, default_value=0),
        "animal": tf.io.FixedLenFeature([], tf.string, default_value=""),
        "weight": tf.io.FixedLenFeature([], tf.float32, default_value=0.0),
    }
    first = next(iter(raw))
    example = tf.train.Example()
    example.ParseFromString(first.numpy())
    names = {}
    for key, feature in example.features.feature.items():
        kind = feature.WhichOneof("kind")
        names[key] = str(np.array(getattr(feature, kind).value).shape) + kind

    def parse(record):
        return tf.io.parse_single_example(record, description)

    return {"parsed": raw.map(parse), "names": names, "repr": f"{first.dtype.name} {first.shape}"}


def pipeline_shards_interleaved():
    for shard in range(NUM_SHARDS):
        with tf.io.TFRecordWriter(f"train-{shard:05d}-of-{NUM_SHARDS:05d}.tfrecord") as writer:
            for i in range(4):
                writer.write(serialize(i % 2 == 0, 10 * shard + i, b"x" * i, i / 2))
    files = tf.data.Dataset.list_files("train-*.tfrecord", shuffle=False)
    ds = files.interleave(
        tf.data.TFRecordDataset,
        cycle_length=2,
        block_length=1,
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    options = tf.data.Options()
    options.deterministic = True
    ds = ds.with_options(options)
    features = {
        "number": tf.io.FixedLenFeature([], tf.int64),
        "weight": tf.io.FixedLenFeature([], tf.float32),
    }
    ds = ds.batch(5).map(lambda batch: tf.io.parse_example(batch, features))
    return ds.prefetch(1)
