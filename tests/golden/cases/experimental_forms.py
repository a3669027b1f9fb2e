"""experimental_forms: methods of Dataset in the old form they have in tf.data.experimental."""

import tempfile

import numpy as np

from tests.golden.case import each, may_accept


def _numbers(tf, n=7):
    return tf.data.Dataset.range(n)


def case_counter(tf):
    return tf.data.experimental.Counter(5, -2, tf.int32).take(4)


@each(seed=[0, 3], again=[None, False, True])
def case_random_dataset(tf, seed, again):
    ds = tf.data.experimental.RandomDataset(seed, again)
    assert isinstance(ds, tf.data.Dataset)
    return [[int(x) for x in ds.take(3)] for _ in range(2)]


@each(cycle=[1, 2, 3, 5], length=[1, 2, 3])
def case_parallel_interleave(tf, cycle, length):
    def count(i, x):
        return tf.data.Dataset.range(x).map(lambda v: v + 10 * i)

    sizes = tf.data.Dataset.from_tensor_slices(np.array([3, 1, 0, 4, 2, 5, 0, 2])).enumerate()
    return sizes.apply(tf.data.experimental.parallel_interleave(count, cycle, length))


@each(setting=["cycle_length", "block_length", "buffer_output_elements", "prefetch_input_elements"])
def case_parallel_interleave_refuses(tf, setting):
    settings = {"cycle_length": 2, setting: -4}
    interleave = tf.data.experimental.parallel_interleave(lambda x: _numbers(tf), **settings)
    return _numbers(tf).apply(interleave)


@each(drop=[False, True], batches=[None, 2])
def case_map_and_batch(tf, drop, batches):
    double = tf.data.experimental.map_and_batch(
        lambda x: x * 2, 3, num_parallel_batches=batches, drop_remainder=drop
    )
    return _numbers(tf).apply(double)


@each(settings=[(0, None, None), (2, 0, None), (2, None, 0), (2, 1, 1)])
def case_map_and_batch_refuses(tf, settings):
    size, batches, calls = settings
    batch = tf.data.experimental.map_and_batch(
        lambda x: x, size, num_parallel_batches=batches, num_parallel_calls=calls
    )
    return _numbers(tf).apply(batch)


@each(buffer=[3, 20], count=[1, 2, None, -1], seed=[0, 5])
def case_shuffle_and_repeat(tf, buffer, count, seed):
    ds = _numbers(tf).apply(tf.data.experimental.shuffle_and_repeat(buffer, count, seed))
    count = int(ds.cardinality())
    ds = ds.take(30)
    return [count, [[int(x) for x in ds] for _ in range(1 if count < 0 else 3)]]


@each(settings=[(0, 2), (3, 0), (3, -2)])
def case_shuffle_and_repeat_refuses(tf, settings):
    return _numbers(tf).apply(tf.data.experimental.shuffle_and_repeat(*settings))


@each(stop=[False, True])
def case_choose(tf, stop):
    choice = _numbers(tf, 2).repeat(4)
    both = [_numbers(tf, 3), _numbers(tf, 1)]
    return tf.data.experimental.choose_from_datasets(both, choice, stop)


def case_choose_goes_on_by_default(tf):
    both = [_numbers(tf, 3), _numbers(tf, 1)]
    return tf.data.experimental.choose_from_datasets(both, _numbers(tf, 2).repeat(4))


@each(stop=[False, True])
def case_sample(tf, stop):
    both = [_numbers(tf, 3), _numbers(tf, 1)]
    return tf.data.experimental.sample_from_datasets(both, [0.5, 0.5], 3, stop)


def case_group_by_window(tf):
    group = tf.data.experimental.group_by_window(lambda x: x % 2, lambda _, w: w.batch(2), 2)
    return _numbers(tf).apply(group)


@each(to_boundary=[False, True], drop=[False, True])
def case_bucket_by_sequence_length(tf, to_boundary, drop):
    ds = _numbers(tf).map(lambda n: tf.fill([n % 3 + 1], n))
    bucket = tf.data.experimental.bucket_by_sequence_length(
        lambda x: tf.size(x),
        [3, 5],
        [2, 2, 2],
        padding_values=tf.constant(-1, tf.int64),
        pad_to_bucket_boundary=to_boundary,
        drop_remainder=drop,
    )
    return ds.apply(bucket)


def case_dense_to_sparse_batch(tf):
    ds = _numbers(tf, 4).map(lambda n: tf.fill([n], n))
    return ds.apply(tf.data.experimental.dense_to_sparse_batch(2, [5]))


def case_enumerate_dataset(tf):
    return _numbers(tf, 3).apply(tf.data.experimental.enumerate_dataset(7))


def case_ignore_errors(tf):
    ds = tf.data.Dataset.from_tensor_slices([1.0, 0.0, 4.0])
    ds = ds.map(lambda x: tf.debugging.check_numerics(1.0 / x, "no number"))
    return ds.apply(tf.data.experimental.ignore_errors())


def case_rejection_resample(tf):
    even = tf.data.experimental.rejection_resample(lambda x: x % 2, [1.0, 0.0], [0.5, 0.5], 3)
    return _numbers(tf, 20).apply(even)


def case_scan(tf):
    state = tf.constant(0, tf.int64)
    return _numbers(tf).apply(tf.data.experimental.scan(state, lambda s, x: (s + x, s * x)))


def case_take_while(tf):
    return _numbers(tf).apply(tf.data.experimental.take_while(lambda x: x < 3))


def case_unbatch(tf):
    return _numbers(tf).batch(3).apply(tf.data.experimental.unbatch())


def case_unique(tf):
    return _numbers(tf).map(lambda x: x % 3).apply(tf.data.experimental.unique())


@each(count=[0, 1, 2])
def case_get_single_element(tf, count):
    return tf.data.experimental.get_single_element(_numbers(tf, count))


# ---- records ------------------------------------------------------------------------------


def _record(tf, number):
    train = tf.train
    values = {
        "a": train.Feature(int64_list=train.Int64List(value=[number])),
        "b": train.Feature(bytes_list=train.BytesList(value=[b"x"] * (number % 3))),
        "c": train.Feature(float_list=train.FloatList(value=[number / 2] * (number % 2))),
    }
    return train.Example(features=train.Features(feature=values)).SerializeToString()


def _features(tf):
    return {
        "a": tf.io.FixedLenFeature([], tf.int64),
        "b": tf.io.VarLenFeature(tf.string),
        "c": tf.io.RaggedFeature(tf.float32),
    }


@each(calls=[1, 3, -1])
def case_parse_example_dataset(tf, calls):
    records = tf.data.Dataset.from_tensor_slices([_record(tf, n) for n in range(5)])
    parse = tf.data.experimental.parse_example_dataset(_features(tf), calls)
    return records.batch(2).apply(parse)


def case_parse_example_dataset_needs_batches(tf):
    records = tf.data.Dataset.from_tensor_slices([_record(tf, 1)])
    return records.apply(tf.data.experimental.parse_example_dataset(_features(tf)))


def case_parse_example_dataset_needs_features(tf):
    return _numbers(tf).apply(tf.data.experimental.parse_example_dataset(None))


def _in_files(tf, folder):
    for number, size in enumerate([4, 1, 6, 3]):
        with tf.io.TFRecordWriter(f"{folder}/{number}.tfrecord") as writer:
            for row in range(size):
                writer.write(_record(tf, 10 * number + row))
    return f"{folder}/*.tfrecord"


def _batches(tf, count=8, **settings):
    """What iterations over batches of records give: one, if TensorFlow reads into the next."""
    with tempfile.TemporaryDirectory() as folder:
        ds = tf.data.experimental.make_batched_features_dataset(
            _in_files(tf, folder), 4, _features(tf), **settings
        )
        spec = ds.element_spec
        label_free = spec[0] if isinstance(spec, tuple) else spec
        times = 1 if settings.get("num_epochs") is None else 2
        rows = [[_row(batch) for batch in ds.take(count)] for _ in range(times)]
        return [sorted(label_free), int(ds.cardinality()), rows]


def _row(batch):
    if not isinstance(batch, tuple):
        return batch["a"]
    features, label = batch
    return [label, features["b"], features["c"]]


@each(epochs=[1, 2, None], threads=[None, 3], label=[None, "a"])
def case_batched_features_in_order(tf, epochs, threads, label):
    return _batches(
        tf, shuffle=False, num_epochs=epochs, reader_num_threads=threads, label_key=label
    )


@each(epochs=[1, 3, None], threads=[None, 2], buffer=[3, 10000], drop=[False, True])
def case_batched_features_shuffled(tf, epochs, threads, buffer, drop):
    return _batches(
        tf,
        shuffle_seed=7,
        num_epochs=epochs,
        reader_num_threads=threads,
        shuffle_buffer_size=buffer,
        drop_final_batch=drop,
        prefetch_buffer_size=1,
    )


def case_batched_features_of_pairs(tf):
    def with_keys(path, key):
        return tf.data.TFRecordDataset(path).map(lambda record: (key, record))

    return _batches(tf, reader=with_keys, reader_args=["k"], shuffle=False, num_epochs=1)


@may_accept
def case_batched_features_needs_its_label(tf):
    return _batches(tf, label_key="none")


def case_batched_features_without_files(tf):
    return tf.data.experimental.make_batched_features_dataset("/nowhere/*.x", 4, _features(tf))


@each(kind=[None, "", "GZIP", "ZLIB"])
def case_record_writer(tf, kind):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/records"
        ds = _numbers(tf, 3).map(tf.strings.as_string)
        tf.data.experimental.TFRecordWriter(path, kind).write(ds)
        return list(tf.data.TFRecordDataset(path, kind))


@each(what=["numbers", "pairs", "list"])
def case_record_writer_refuses(tf, what):
    with tempfile.TemporaryDirectory() as folder:
        ds = {
            "numbers": _numbers(tf, 3),
            "pairs": tf.data.Dataset.from_tensors(("a", "b")),
            "list": ["a"],
        }[what]
        return tf.data.experimental.TFRecordWriter(f"{folder}/records").write(ds)
