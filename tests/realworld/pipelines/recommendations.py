"""Recommendation pipelines: rating files, histories, click logs in binary, ragged hotness."""

import json
import os

import numpy as np

from tests.realworld.library import tf
from tests.realworld.pipeline import drawn


def _ratings(n=24):
    rng = np.random.RandomState(4)
    return {
        "user_id": np.array([str(u) for u in rng.randint(1, 6, n)]),
        "movie_title": np.array([f"Movie {m} (19{90 + m})" for m in rng.randint(0, 8, n)]),
        "user_rating": rng.randint(1, 6, n).astype(np.float32),
        "timestamp": (880_000_000 + rng.randint(0, 10_000, n)).astype(np.int64),
    }


def pipeline_two_towers():
    """Ratings as dicts narrowed by map, unique titles from a big batch, a seeded split, cached."""
    ratings = tf.data.Dataset.from_tensor_slices(_ratings())
    movies = ratings.map(lambda x: {"movie_title": x["movie_title"]})
    ratings = ratings.map(lambda x: {"movie_title": x["movie_title"], "user_id": x["user_id"]})
    movies = movies.map(lambda x: x["movie_title"])
    shuffled = ratings.shuffle(100_000, seed=42, reshuffle_each_iteration=False)
    train = shuffled.take(18)
    test = shuffled.skip(18).take(6)
    movie_titles = movies.batch(1_000)
    user_ids = ratings.batch(1_000_000).map(lambda x: x["user_id"])
    unique_movie_titles = np.unique(np.concatenate(list(movie_titles)))
    unique_user_ids = np.unique(np.concatenate(list(user_ids)))
    cached_train = train.shuffle(100_000, seed=7).batch(8).cache()
    cached_test = test.batch(4096).cache()
    return [unique_movie_titles[:3], unique_user_ids, cached_train, cached_test]


def pipeline_timestamps_in_buckets():
    """Minimum and maximum by reduce, buckets by linspace, statistics of a batch of everything."""
    ratings = tf.data.Dataset.from_tensor_slices(_ratings())
    timestamps = np.concatenate(list(ratings.map(lambda x: x["timestamp"]).batch(100)))
    largest = timestamps.max()
    smallest = (
        ratings.map(lambda x: x["timestamp"])
        .reduce(tf.cast(np.iinfo(np.int64).max, tf.int64), tf.minimum)
        .numpy()
        .min()
    )
    buckets = np.linspace(smallest, largest, num=10)

    def bucketize(x):
        place = tf.searchsorted(tf.constant(buckets), [tf.cast(x["timestamp"], tf.float64)])
        return tf.squeeze(place), x["user_rating"] / 5.0

    return [int(largest), int(smallest), ratings.map(bucketize).batch(6)]


def pipeline_negative_samples_by_table():
    """User and movie ids through tables, uniform negatives from a hash of the row, pairs unbatched."""
    data = _ratings(10)
    users = sorted(set(data["user_id"]))
    user_table = tf.lookup.StaticVocabularyTable(
        tf.lookup.KeyValueTensorInitializer(users, tf.range(len(users), dtype=tf.int64)),
        num_oov_buckets=1,
    )
    ds = tf.data.Dataset.from_tensor_slices(data)

    def with_negatives(x):
        user = user_table.lookup(x["user_id"])
        positive = tf.strings.to_hash_bucket_fast(x["movie_title"], 100)
        negatives = (positive + tf.range(1, 4, dtype=tf.int64) * 7) % 100
        items = tf.concat([[positive], negatives], axis=0)
        labels = tf.one_hot(0, 4)
        return {"user": tf.fill([4], user), "item": items}, labels

    return ds.map(with_negatives).unbatch().batch(8, drop_remainder=True)


def pipeline_histories_by_user():
    """group_by_window over users as keys, each group batched to one padded history."""
    data = _ratings(30)
    ds = tf.data.Dataset.from_tensor_slices((data["user_id"], data["user_rating"]))
    ds = ds.group_by_window(
        key_func=lambda user, _: tf.strings.to_number(user, tf.int64),
        reduce_func=lambda key, group: group.batch(50).map(
            lambda u, r: (key, tf.reduce_mean(r), r[:5])
        ),
        window_size=50,
    )
    return ds.padded_batch(3)


def pipeline_sequences_with_lag():
    """Rows of a CSV with lists in strings, split into numbers, target the last, inputs the rest."""
    with open("sequences.csv", "w") as file:
        file.write("user_id|movie_ids|ratings|sex\n")
        for user in range(6):
            ids = ",".join(f"movie_{(user * 3 + k) % 11}" for k in range(4))
            file.write(
                f"user_{user}|{ids}|{','.join(str(1.0 + (user + k) % 5) for k in range(4))}|{'MF'[user % 2]}\n"
            )

    def process(features):
        movie_ids = tf.strings.split(features["movie_ids"], ",").to_tensor()
        features["target_movie_id"] = movie_ids[:, -1]
        features["sequence_movie_ids"] = movie_ids[:, :-1]
        ratings = tf.strings.to_number(
            tf.strings.split(features.pop("ratings"), ","), tf.dtypes.float32
        ).to_tensor()
        target = ratings[:, -1]
        features["sequence_ratings"] = ratings[:, :-1]
        del features["movie_ids"]
        return dict(features), target

    dataset = tf.data.experimental.make_csv_dataset(
        "sequences.csv",
        batch_size=4,
        column_names=["user_id", "movie_ids", "ratings", "sex"],
        num_epochs=1,
        header=True,
        field_delim="|",
        shuffle=False,
    ).map(process)
    return dataset


class _BinaryLog:
    """A memory-mapped click log: rows read by index behind py_function, shapes known to Python."""

    def __init__(self, folder, batch_size, sizes):
        self._labels = np.memmap(os.path.join(folder, "label.bin"), dtype=bool, mode="r")
        self._dense = np.memmap(
            os.path.join(folder, "dense.bin"), dtype=np.float16, mode="r"
        ).reshape(-1, 3)
        self._cats = [
            np.memmap(os.path.join(folder, f"cat_{i}.bin"), dtype=np.int8, mode="r")
            for i in range(len(sizes))
        ]
        self._batch = batch_size
        self._n = len(self._labels) // batch_size

    def __len__(self):
        return self._n

    def __getitem__(self, idx):
        if idx >= self._n:
            raise IndexError()
        rows = slice(idx * self._batch, (idx + 1) * self._batch)
        label = self._labels[rows].astype(np.float32)[:, np.newaxis]
        cats = [c[rows].astype(np.int32)[:, np.newaxis] for c in self._cats]
        return (self._dense[rows].astype(np.float32), cats), label

    def op(self):
        def load(idx):
            (dense, cats), label = self[int(idx)]
            return [dense, label, *cats]

        def unflatten(idx):
            out = tf.py_function(load, [idx], [tf.float32, tf.float32, tf.int32, tf.int32])
            for tensor, width in zip(out, [3, 1, 1, 1]):
                tensor.set_shape([self._batch, width])
            return (out[0], tuple(out[2:])), out[1]

        return tf.data.Dataset.range(len(self)).map(unflatten).prefetch(2)


def pipeline_click_log_in_binary():
    rng = np.random.RandomState(8)
    (rng.rand(17) < 0.4).tofile("label.bin")
    rng.rand(17, 3).astype(np.float16).tofile("dense.bin")
    for i, size in enumerate([10, 100]):
        rng.randint(0, size, 17).astype(np.int8).tofile(f"cat_{i}.bin")
    return _BinaryLog(".", 4, [10, 100]).op()


def _serialize_composite(value):
    components = tf.nest.flatten(value, expand_composites=True)
    return tf.io.serialize_tensor(tf.stack([tf.io.serialize_tensor(t) for t in components]))


def _deserialize_composite(serialized, type_spec):
    data = tf.io.parse_tensor(serialized, tf.string)
    specs = tf.nest.flatten(type_spec, expand_composites=True)
    components = [tf.io.parse_tensor(data[i], out_type=spec.dtype) for i, spec in enumerate(specs)]
    return tf.nest.pack_sequence_as(type_spec, components, expand_composites=True)


def pipeline_prebatched_features():
    """Batches serialized whole: dense, half precision and ragged; metadata in JSON; zipped readers."""
    rng = np.random.RandomState(2)
    hot = tf.RaggedTensor.from_row_lengths(
        values=tf.constant(rng.randint(0, 20, 9).astype(np.int32)),
        row_lengths=tf.constant([2, 3, 0, 4]),
    )
    for name, serialize in {
        "numerical": lambda: tf.io.serialize_tensor(
            tf.cast(rng.rand(4, 3), dtype=tf.float16)
        ).numpy(),
        "hot": lambda: _serialize_composite(hot).numpy(),
        "label": lambda: tf.io.serialize_tensor(tf.cast([[1], [0], [0], [1]], tf.int8)).numpy(),
    }.items():
        os.makedirs(name, exist_ok=True)
        with tf.io.TFRecordWriter(os.path.join(name, "data_0.tfrecords")) as writer:
            for _ in range(2):
                features = tf.train.Features(
                    feature={
                        "data": tf.train.Feature(bytes_list=tf.train.BytesList(value=[serialize()]))
                    }
                )
                writer.write(tf.train.Example(features=features).SerializeToString())
    with open("format.json", "w") as f:
        json.dump({"dtype": tf.float16.name, "multihot": False}, f)
    with open("format.json") as f:
        dtype = tf.dtypes.as_dtype(json.load(f)["dtype"])
    description = {"data": tf.io.FixedLenFeature([], tf.string, default_value="")}

    def reader(name, parse):
        dataset = tf.data.TFRecordDataset(
            [os.path.join(name, "data_0.tfrecords")], num_parallel_reads=8
        )
        return dataset.map(
            lambda proto: parse(tf.io.parse_single_example(proto, description)["data"]),
            num_parallel_calls=4,
            deterministic=True,
        )

    spec = tf.RaggedTensorSpec(
        dtype=tf.int32, shape=[4, None], row_splits_dtype=tf.int32, ragged_rank=1
    )
    numerical = reader(
        "numerical", lambda x: tf.reshape(tf.io.parse_tensor(x, out_type=dtype), [4, 3])[1:3, ...]
    )
    label = reader("label", lambda x: tf.reshape(tf.io.parse_tensor(x, tf.int8), [4, 1]))
    hot = reader("hot", lambda x: _deserialize_composite(x, spec))
    return tf.data.Dataset.zip(((numerical, (hot,)), label))


def pipeline_multi_hot_padded():
    """Values and row lengths beside each other put together as ragged, cut to a hotness."""
    hotness = {"genres": 3}
    batch = {
        "genres": (np.array([[1], [2], [3], [4], [5], [6]]), np.array([[1], [4], [1]])),
        "user": np.array([[1], [2], [3]]),
    }

    @tf.function
    def pad_batch(batch):
        batch = batch.copy()
        for feature, width in hotness.items():
            multihot_tuple = batch[feature]
            values = multihot_tuple[0][:, 0]
            row_lengths = multihot_tuple[1][:, 0]
            padded = tf.RaggedTensor.from_row_lengths(
                values, row_lengths, validate=False
            ).to_tensor(default_value=-1, shape=[None, width])
            batch[feature] = padded
        return batch

    return [pad_batch(batch), tf.data.Dataset.from_tensors(batch).map(pad_batch)]


def pipeline_sparse_features_to_dense():
    """VarLen ids and weights of Examples: parse_example of a batch, to_dense, sparse lengths."""

    def example(i):
        return tf.train.Example(
            features=tf.train.Features(
                feature={
                    "ids": tf.train.Feature(int64_list=tf.train.Int64List(value=range(i))),
                    "weights": tf.train.Feature(
                        float_list=tf.train.FloatList(value=[0.5 * k for k in range(i)])
                    ),
                    "user": tf.train.Feature(
                        bytes_list=tf.train.BytesList(value=[f"u{i}".encode()])
                    ),
                    "score": tf.train.Feature(float_list=tf.train.FloatList(value=[i / 4])),
                }
            )
        ).SerializeToString()

    ds = tf.data.Dataset.from_tensor_slices([example(i) for i in range(5)]).batch(3)
    spec = {
        "ids": tf.io.VarLenFeature(tf.int64),
        "weights": tf.io.VarLenFeature(tf.float32),
        "user": tf.io.FixedLenFeature([1], tf.string),
        "score": tf.io.FixedLenFeature([], tf.float32, default_value=0.0),
    }

    def parse(serialized):
        parsed = tf.io.parse_example(serialized, spec)
        label = tf.cast(parsed.pop("score") > 0.4, tf.int32)
        ids = tf.sparse.to_dense(parsed["ids"], default_value=-1)
        counts = tf.reduce_sum(tf.cast(ids >= 0, tf.int32), axis=-1)
        weights = tf.RaggedTensor.from_sparse(parsed["weights"])
        return {
            "ids": ids,
            "counts": counts,
            "weights": tf.reduce_sum(weights, axis=1),
            "user": tf.squeeze(parsed["user"], axis=-1),
        }, label

    return ds.map(parse)


def pipeline_batched_features_dataset():
    """make_batched_features_dataset over shards, with a label key."""
    for shard in range(2):
        with tf.io.TFRecordWriter(f"features-{shard}.tfrecord") as writer:
            for n in range(4):
                example = tf.train.Example()
                example.features.feature["age"].int64_list.value.append(shard * 4 + n)
                example.features.feature["clicked"].float_list.value.append(float(n % 2))
                writer.write(example.SerializeToString())
    return tf.data.experimental.make_batched_features_dataset(
        file_pattern="features-*.tfrecord",
        batch_size=3,
        features={
            "age": tf.io.FixedLenFeature([], tf.int64),
            "clicked": tf.io.FixedLenFeature([], tf.float32),
        },
        reader=tf.data.TFRecordDataset,
        label_key="clicked",
        num_epochs=1,
        shuffle=False,
        reader_num_threads=1,
    )


def pipeline_synthetic_clicks():
    """Endless random batches of a shape, as benchmarks draw them."""

    def generate(_):
        numerical = tf.random.uniform(shape=[4, 2], dtype=tf.float32)
        labels = tf.cast(tf.random.uniform(shape=[4, 1], maxval=2, dtype=tf.int32), tf.float32)
        return numerical, labels

    ds = tf.data.experimental.Counter().map(generate).take(3)
    return drawn(ds, 0.0, 1.0)
