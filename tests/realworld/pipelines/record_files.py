"""TFRecord files as people write and read them: feature functions, SequenceExamples, shards."""

import os

import numpy as np

from tests.realworld.library import tf
from tests.realworld.pipeline import missing


def _bytes_feature(value):
    """Returns a bytes_list from a string / byte."""
    if isinstance(value, type(tf.constant(0))):
        value = value.numpy()
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))


def _float_feature(value):
    return tf.train.Feature(float_list=tf.train.FloatList(value=[value]))


def _int64_feature(value):
    if not isinstance(value, (list, tuple, np.ndarray)):
        value = [value]
    return tf.train.Feature(int64_list=tf.train.Int64List(value=value))


def pipeline_tutorial_features():
    """Four features from NumPy, serialize in py_function, tf.data's TFRecord written and read."""
    n = 12
    rng = np.random.RandomState(0)
    feature0 = rng.choice([False, True], n)
    feature1 = rng.randint(0, 5, n)
    strings = np.array([b"cat", b"dog", b"chicken", b"horse", b"goat"])
    feature2 = strings[feature1]
    feature3 = rng.randn(n)

    def serialize_example(f0, f1, f2, f3):
        feature = {
            "feature0": _int64_feature(int(f0)),
            "feature1": _int64_feature(int(f1)),
            "feature2": _bytes_feature(f2),
            "feature3": _float_feature(f3),
        }
        return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()

    serialized = serialize_example(False, 4, b"goat", 0.9876)
    proto = tf.train.Example.FromString(serialized)
    shown = [
        proto.features.feature["feature2"].bytes_list.value[0],
        len(serialized),
        str(_float_feature(np.exp(1))),
    ]

    features_dataset = tf.data.Dataset.from_tensor_slices((feature0, feature1, feature2, feature3))

    def tf_serialize_example(f0, f1, f2, f3):
        tf_string = tf.py_function(
            lambda a, b, c, d: serialize_example(a.numpy(), b.numpy(), c.numpy(), d.numpy()),
            (f0, f1, f2, f3),
            tf.string,
        )
        return tf.reshape(tf_string, ())

    serialized_features_dataset = features_dataset.map(tf_serialize_example)
    with tf.io.TFRecordWriter("test.tfrecord") as writer:
        for record in serialized_features_dataset:
            writer.write(record.numpy())
    raw_dataset = tf.data.TFRecordDataset(["test.tfrecord"])
    feature_description = {
        "feature0": tf.io.FixedLenFeature([], tf.int64, default_value=0),
        "feature1": tf.io.FixedLenFeature([], tf.int64, default_value=0),
        "feature2": tf.io.FixedLenFeature([], tf.string, default_value=""),
        "feature3": tf.io.FixedLenFeature([], tf.float32, default_value=0.0),
    }

    def _parse_function(example_proto):
        return tf.io.parse_single_example(example_proto, feature_description)

    result = {}
    for raw_record in raw_dataset.take(1):
        example = tf.train.Example()
        example.ParseFromString(raw_record.numpy())
        for key, feature in example.features.feature.items():
            kind = feature.WhichOneof("kind")
            result[key] = np.array(getattr(feature, kind).value)
    return [
        shown,
        {k: v.tolist() for k, v in result.items()},
        raw_dataset.map(_parse_function).batch(5),
    ]


def pipeline_shards_by_number():
    """Records round-robin into sharded files with zero-padded names, list_files, interleave, repeat."""
    shards = 3
    writers = [tf.io.TFRecordWriter("set-%.5d-of-%.5d" % (i, shards)) for i in range(shards)]
    for n in range(11):
        example = tf.train.Example(
            features=tf.train.Features(
                feature={"n": _int64_feature(n), "sq": _int64_feature([n, n * n])}
            )
        )
        writers[n % shards].write(example.SerializeToString())
    for writer in writers:
        writer.close()
    files = tf.data.Dataset.list_files("set-*-of-*", shuffle=True, seed=4)
    dataset = files.interleave(
        tf.data.TFRecordDataset,
        cycle_length=3,
        block_length=2,
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=True,
    )
    counts = sum(1 for _ in tf.data.TFRecordDataset(tf.io.gfile.glob("set-*")))
    described = {
        "n": tf.io.FixedLenFeature((), tf.int64),
        "sq": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
    }
    options = tf.data.Options()
    options.deterministic = True
    dataset = dataset.with_options(options)
    return [
        counts,
        dataset.map(lambda s: tf.io.parse_single_example(s, described)).batch(
            4, drop_remainder=True
        ),
    ]


def pipeline_sequence_examples():
    """Context and frames: FixedLenSequenceFeature, ragged and sparse lists, padded batches."""

    def build(k):
        frames = [
            tf.train.Feature(float_list=tf.train.FloatList(value=[k, t])) for t in range(k + 1)
        ]
        tags = [
            tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"x"] * (t % 2 + 1)))
            for t in range(k + 1)
        ]
        return tf.train.SequenceExample(
            context=tf.train.Features(
                feature={"id": _int64_feature(k), "name": _bytes_feature(f"clip{k}".encode())}
            ),
            feature_lists=tf.train.FeatureLists(
                feature_list={
                    "frames": tf.train.FeatureList(feature=frames),
                    "tags": tf.train.FeatureList(feature=tags),
                }
            ),
        )

    with tf.io.TFRecordWriter("clips.tfrecord") as writer:
        for k in range(4):
            writer.write(build(k).SerializeToString())
    contexts = {
        "id": tf.io.FixedLenFeature([], dtype=tf.int64),
        "name": tf.io.FixedLenFeature([], tf.string),
    }
    sequences = {
        "frames": tf.io.FixedLenSequenceFeature([2], tf.float32),
        "tags": tf.io.VarLenFeature(tf.string),
    }

    def parse(record):
        context, features = tf.io.parse_single_sequence_example(
            record, context_features=contexts, sequence_features=sequences
        )
        length = tf.shape(features["frames"])[0]
        tags = tf.sparse.to_dense(features["tags"], default_value="")
        return {
            "id": context["id"],
            "name": context["name"],
            "frames": features["frames"],
            "length": length,
            "tags": tags[:, 0],
        }

    ds = tf.data.TFRecordDataset("clips.tfrecord")
    batched = ds.batch(4).map(
        lambda records: tf.io.parse_sequence_example(
            records, contexts, {"frames": tf.io.FixedLenSequenceFeature([2], tf.float32)}
        )
    )
    context, frames, lengths = next(iter(batched))
    return [ds.map(parse).padded_batch(2), context, frames, lengths]


def pipeline_image_records_class():
    """A class that writes PNG bytes with sizes and text, and reads them cast and resized."""

    class Writer:
        def __init__(self, path):
            self.writer = tf.io.TFRecordWriter(path)

        def __enter__(self):
            return self

        def __exit__(self, *args):
            self.writer.close()

        def add(self, image, text):
            encoded = tf.io.encode_png(image)
            feature = {
                "image/encoded": _bytes_feature(encoded.numpy()),
                "image/height": _int64_feature(image.shape[0]),
                "image/width": _int64_feature(image.shape[1]),
                "image/text": _bytes_feature(text.encode("utf8")),
                "image/boxes": tf.train.Feature(
                    float_list=tf.train.FloatList(value=np.linspace(0, 1, 4 * (image.shape[0] % 3)))
                ),
            }
            self.writer.write(
                tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()
            )

    with Writer("images.tfrecord") as out:
        for k in range(4):
            out.add(
                np.random.RandomState(k).randint(0, 256, (4 + k, 5, 3)).astype(np.uint8),
                f"Bild {k} ü",
            )

    keys_to_features = {
        "image/encoded": tf.io.FixedLenFeature((), tf.string, ""),
        "image/height": tf.io.FixedLenFeature((), tf.int64, -1),
        "image/text": tf.io.FixedLenFeature((), tf.string),
        "image/boxes": tf.io.VarLenFeature(tf.float32),
        "image/absent": tf.io.FixedLenFeature((), tf.string, default_value="none"),
    }

    def parse(value):
        parsed = tf.io.parse_single_example(serialized=value, features=keys_to_features)
        image = tf.io.decode_image(parsed["image/encoded"], channels=3, expand_animations=False)
        image.set_shape([None, None, 3])
        image = tf.image.convert_image_dtype(image, dtype=tf.float32)
        image = tf.image.pad_to_bounding_box(image, 0, 0, 8, 8)
        boxes = tf.reshape(tf.sparse.to_dense(parsed["image/boxes"], default_value=-1), [-1, 4])
        boxes = tf.pad(boxes, [[0, 2 - tf.shape(boxes)[0]], [0, 0]], constant_values=-1.0)
        return {
            "image": image,
            "boxes": boxes,
            "height": parsed["image/height"],
            "text": parsed["image/text"],
            "absent": parsed["image/absent"],
        }

    return tf.data.TFRecordDataset("images.tfrecord").map(parse).batch(2)


def pipeline_serialized_tensors():
    """serialize_tensor into bytes features, parse_tensor and ensure_shape back, several dtypes."""
    arrays = {
        "half": np.arange(6, dtype=np.float16).reshape(2, 3),
        "flags": np.array([[True, False]]),
        "names": np.array([b"a", b"bc"]),
    }
    example = tf.train.Example(
        features=tf.train.Features(
            feature={k: _bytes_feature(tf.io.serialize_tensor(v)) for k, v in arrays.items()}
        )
    )
    with tf.io.TFRecordWriter("tensors.tfrecord", "ZLIB") as writer:
        writer.write(example.SerializeToString())
    description = {k: tf.io.FixedLenFeature([], tf.string) for k in arrays}

    def parse(record):
        parsed = tf.io.parse_single_example(record, description)
        half = tf.ensure_shape(tf.io.parse_tensor(parsed["half"], tf.float16), [2, 3])
        return (
            half,
            tf.io.parse_tensor(parsed["flags"], tf.bool),
            tf.io.parse_tensor(parsed["names"], out_type=tf.string),
        )

    return tf.data.TFRecordDataset("tensors.tfrecord", compression_type="ZLIB").map(parse)


def pipeline_ragged_features():
    """RaggedFeature with partitions and plain, parsed in batches, reduced by rows."""

    def serialized(k):
        feature = {
            "values": tf.train.Feature(
                float_list=tf.train.FloatList(value=[float(v) for v in range(k + 2)])
            ),
            "lengths": _int64_feature([k, 2]),
            "words": tf.train.Feature(
                bytes_list=tf.train.BytesList(value=[b"w%d" % v for v in range(k)])
            ),
        }
        return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()

    spec = {
        "words": tf.io.RaggedFeature(tf.string),
        "rows": tf.io.RaggedFeature(
            tf.float32, value_key="values", partitions=[tf.io.RaggedFeature.RowLengths("lengths")]
        ),
    }
    ds = tf.data.Dataset.from_tensor_slices([serialized(k) for k in range(4)])
    batched = ds.batch(2).map(lambda s: tf.io.parse_example(s, spec))

    def reduce(features):
        return {
            "joined": tf.strings.reduce_join(features["words"], axis=-1, separator=" "),
            "sums": tf.reduce_sum(features["rows"], axis=2),
            "counts": features["words"].row_lengths(),
        }

    return [batched, batched.map(reduce)]


def pipeline_records_from_v1_code():
    """compat.v1 names: python_io writer, parse_single_example, decode_raw, one-shot iterator."""
    v1 = tf.compat.v1
    with v1.python_io.TFRecordWriter("old.tfrecord") as writer:
        for k in range(3):
            raw = np.full((2, 2), k, np.uint8).tobytes()
            example = tf.train.Example(
                features=tf.train.Features(
                    feature={"raw": _bytes_feature(raw), "label": _int64_feature(k)}
                )
            )
            writer.write(example.SerializeToString())

    def parser(serialized):
        features = v1.parse_single_example(
            serialized,
            features={
                "raw": v1.FixedLenFeature([], tf.string),
                "label": v1.FixedLenFeature([], tf.int64),
            },
        )
        image = v1.decode_raw(features["raw"], tf.uint8)
        image = tf.reshape(v1.to_float(image), [2, 2])
        return image, v1.to_int32(features["label"])

    dataset = v1.data.TFRecordDataset("old.tfrecord").map(parser).repeat(2).batch(2)
    count = sum(1 for _ in v1.python_io.tf_record_iterator("old.tfrecord"))
    return [count, tf.data.Dataset.zip((dataset, dataset)).map(lambda a, b: a)]


@missing("cache(filename)")
def pipeline_checked_and_cached_files():
    """gfile throughout: makedirs, exists, GFile writes and reads, walk, remove, a cache on disk."""
    folder = os.path.join("data", "train")
    if not tf.io.gfile.exists(folder):
        tf.io.gfile.makedirs(folder)
    for k in range(3):
        with tf.io.gfile.GFile(os.path.join(folder, f"{k}.txt"), "w") as f:
            f.write(f"number {k}\nsecond line\n")
    names = sorted(tf.io.gfile.listdir(folder))
    with tf.io.gfile.GFile(os.path.join(folder, "0.txt")) as f:
        first = f.readline()
    tf.io.gfile.remove(os.path.join(folder, "2.txt"))
    walked = [
        (root.replace(os.sep, "/"), sorted(files)) for root, _, files in tf.io.gfile.walk("data")
    ]
    ds = tf.data.Dataset.list_files(folder + "/*.txt", shuffle=False)
    ds = ds.map(
        lambda path: (
            tf.io.read_file(path),
            tf.strings.regex_replace(path, r".*/(\d+)\.txt", r"\1"),
        )
    )
    ds = ds.cache(os.path.join("data", "cache"))
    list(ds)
    return [names, first, walked, tf.io.gfile.isdir("data"), ds]
