"""Training input: weighted mixtures, rejection, choice, shards by worker, Estimator's input_fn."""

import collections

import numpy as np

from tests.realworld.library import tf
from tests.realworld.pipeline import drawn


def pipeline_sampled_with_weights():
    datasets = [tf.data.Dataset.from_tensors(np.int64(k)).repeat() for k in range(3)]
    mixed = tf.data.Dataset.sample_from_datasets(
        datasets, weights=[0.2, 0.3, 0.5], seed=23, stop_on_empty_dataset=True
    )
    by_apply = tf.data.experimental.sample_from_datasets(datasets, [0.5, 0.25, 0.25], seed=1)
    return [mixed.take(40).batch(20), by_apply.take(20).batch(10)]


def pipeline_mixture_of_tasks():
    """Rates by size with a temperature and a limit, examples tagged by task, seeded, cut to a count."""
    sizes = {"short": 40, "long": 400, "tiny": 4}
    rates = {}
    for name, size in sizes.items():
        rate = min(size, 100)
        rates[name] = rate ** (1.0 / 2.0)
    datasets = [
        tf.data.Dataset.range(n).map(lambda x, name=name: {"x": x, "task": name}).repeat()
        for name, n in sizes.items()
    ]
    weights = np.array(list(rates.values()), np.float32)
    mixed = tf.data.Dataset.sample_from_datasets(datasets, weights=weights / weights.sum(), seed=42)
    counts = collections.Counter(e["task"].decode() for e in mixed.take(30).as_numpy_iterator())
    return [dict(counts), mixed.take(8)]


def pipeline_chosen_in_turn():
    datasets = [
        tf.data.Dataset.from_tensors("foo").repeat(),
        tf.data.Dataset.from_tensors("bar").repeat(),
        tf.data.Dataset.from_tensors("baz").repeat(),
    ]
    choice_dataset = tf.data.Dataset.range(3).repeat(2)
    result = tf.data.Dataset.choose_from_datasets(datasets, choice_dataset)
    old = tf.data.experimental.choose_from_datasets(
        datasets, tf.data.Dataset.range(2, output_type=tf.int64)
    )
    return [result, old]


def pipeline_rejection():
    """Classes resampled to equal parts: what is drawn is by chance, that few are left is not."""
    labels = np.array([0] * 180 + [1] * 20)
    np.random.RandomState(0).shuffle(labels)
    ds = tf.data.Dataset.from_tensor_slices((np.arange(200, dtype=np.float32), labels)).repeat(3)
    resampled = ds.rejection_resample(
        class_func=lambda features, label: label,
        target_dist=[0.5, 0.5],
        initial_dist=[0.9, 0.1],
        seed=5,
    )
    balanced = resampled.map(lambda extra_label, features_and_label: features_and_label)
    classes, total = [0, 0], 0
    for _, label in balanced.take(60):
        classes[int(label)] += 1
        total += 1
    return [total, min(classes) > 10, drawn(balanced.take(3), 0, 200)]


def pipeline_counts_of_classes():
    """reduce with a dict as state, fractions by take, unique labels, a count of positives."""
    labels = tf.data.Dataset.from_tensor_slices(
        (np.random.RandomState(3).rand(50) < 0.2).astype(np.int32)
    )

    def count(counts, label):
        class_1 = tf.cast(label == 1, tf.int32)
        class_0 = tf.cast(label == 0, tf.int32)
        return {"class_0": counts["class_0"] + class_0, "class_1": counts["class_1"] + class_1}

    counts = labels.take(40).reduce(initial_state={"class_0": 0, "class_1": 0}, reduce_func=count)
    counts = np.array([counts["class_0"].numpy(), counts["class_1"].numpy()]).astype(np.float32)
    fractions = counts / counts.sum()
    return [
        fractions,
        labels.unique(),
        labels.filter(lambda label: label > 0).reduce(0, lambda n, _: n + 1),
    ]


def pipeline_input_contexts():
    """dataset_fn of distribution strategies: shard by pipeline, batch for each replica."""
    contexts = [
        tf.distribute.InputContext(
            num_input_pipelines=2, input_pipeline_id=i, num_replicas_in_sync=4
        )
        for i in range(2)
    ]

    def dataset_fn(ctx):
        batch_size = ctx.get_per_replica_batch_size(16)
        d = tf.data.Dataset.range(30).map(lambda x: x * 10)
        if ctx and ctx.num_input_pipelines > 1:
            d = d.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
        return d.shuffle(100, seed=ctx.input_pipeline_id).batch(batch_size).prefetch(2)

    return [dataset_fn(ctx) for ctx in contexts]


def pipeline_shards_of_files():
    """Workers by files where there are enough, else by records; auto-shard policy off."""
    for k in range(4):
        with tf.io.TFRecordWriter(f"shard-{k}") as writer:
            for n in range(3):
                writer.write(b"%d.%d" % (k, n))
    files = sorted(tf.io.gfile.glob("shard-*"))

    def input_fn(num_workers, index, is_training):
        dataset = tf.data.Dataset.from_tensor_slices(files)
        if num_workers <= len(files):
            dataset = dataset.shard(num_workers, index)
        if is_training:
            dataset = dataset.shuffle(buffer_size=len(files), seed=index)
        dataset = dataset.interleave(
            lambda name: tf.data.TFRecordDataset(name, buffer_size=8 * 1024),
            cycle_length=2,
            num_parallel_calls=2,
        )
        options = tf.data.Options()
        options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
        options.experimental_optimization.apply_default_optimizations = True
        options.threading.private_threadpool_size = 2
        dataset = dataset.with_options(options)
        return dataset.batch(2, drop_remainder=is_training)

    return [input_fn(2, 1, True), input_fn(3, 0, False)]


def pipeline_estimator_input_fns():
    """input_fn by mode with a params dict, features and labels, predict without labels."""
    train_x = {"length": np.array([6.4, 5.0, 4.9]), "width": np.array([2.8, 2.3, 3.1])}
    train_y = np.array([2, 1, 0])

    def input_evaluation_set():
        return train_x, train_y

    def input_fn(features, labels, training=True, batch_size=2):
        dataset = tf.data.Dataset.from_tensor_slices((dict(features), labels))
        if training:
            dataset = dataset.shuffle(1000, seed=1).repeat()
        return dataset.batch(batch_size)

    def predict_fn(features, batch_size=2):
        return tf.data.Dataset.from_tensor_slices(dict(features)).batch(batch_size)

    features, labels = input_evaluation_set()
    return [
        input_fn(features, labels).take(3),
        input_fn(features, labels, training=False),
        predict_fn(features),
    ]


class _Params(dict):
    __getattr__ = dict.__getitem__


def pipeline_configured_reader():
    """A reader class by configuration: cycle, cache, shuffle, parser and transform as callables."""
    for k in range(2):
        with tf.io.TFRecordWriter(f"train_{k}.tfrecord") as writer:
            for n in range(5):
                example = tf.train.Example()
                example.features.feature["x"].float_list.value.extend([k, n])
                writer.write(example.SerializeToString())

    class InputReader:
        def __init__(
            self,
            params,
            dataset_fn=tf.data.TFRecordDataset,
            decoder_fn=None,
            parser_fn=None,
            transform_and_batch_fn=None,
        ):
            self._params, self._dataset_fn = params, dataset_fn
            self._decoder_fn, self._parser_fn, self._batch_fn = (
                decoder_fn,
                parser_fn,
                transform_and_batch_fn,
            )

        def _maybe_map_fn(self, dataset, fn):
            return (
                dataset
                if fn is None
                else dataset.map(fn, num_parallel_calls=tf.data.experimental.AUTOTUNE)
            )

        def read(self, input_context=None):
            files = tf.io.gfile.glob(self._params.input_path)
            files.sort()
            dataset = tf.data.Dataset.from_tensor_slices(files)
            if input_context and input_context.num_input_pipelines > 1:
                dataset = dataset.shard(
                    input_context.num_input_pipelines, input_context.input_pipeline_id
                )
            if self._params.is_training:
                dataset = dataset.repeat()
            dataset = dataset.interleave(
                map_func=self._dataset_fn,
                cycle_length=2,
                block_length=self._params.block_length,
                num_parallel_calls=tf.data.experimental.AUTOTUNE,
                deterministic=self._params.deterministic,
            )
            if self._params.is_training:
                dataset = dataset.shuffle(self._params.shuffle_buffer_size, seed=self._params.seed)
            dataset = self._maybe_map_fn(dataset, self._decoder_fn)
            if self._params.cache:
                dataset = dataset.cache()
            dataset = self._maybe_map_fn(dataset, self._parser_fn)
            if self._batch_fn is not None:
                dataset = self._batch_fn(dataset, input_context)
            else:
                dataset = dataset.batch(
                    self._params.global_batch_size, drop_remainder=self._params.drop_remainder
                )
            return dataset.prefetch(tf.data.experimental.AUTOTUNE)

    params = _Params(
        input_path="train_*.tfrecord",
        is_training=True,
        block_length=1,
        deterministic=True,
        shuffle_buffer_size=4,
        seed=3,
        cache=False,
        global_batch_size=4,
        drop_remainder=True,
    )
    reader = InputReader(
        params,
        decoder_fn=lambda v: tf.io.parse_single_example(
            v, {"x": tf.io.FixedLenFeature([2], tf.float32)}
        ),
        parser_fn=lambda d: (d["x"][0], {"y": d["x"][1] * 2}),
    )
    return reader.read().take(4)


def pipeline_one_vs_rest_by_zip():
    """Contrastive pairs: two shuffles zipped, labels equal or not, views stacked by nest."""
    x = np.arange(12, dtype=np.float32)
    y = np.arange(12) % 3
    one = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(12, seed=1)
    two = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(12, seed=2)
    pairs = tf.data.Dataset.zip((one, two))
    pairs = pairs.map(lambda a, b: ((a[0], b[0]), tf.cast(tf.equal(a[1], b[1]), tf.float32)))
    stacked = pairs.batch(4).map(
        lambda views, same: (tf.nest.map_structure(tf.negative, views), same)
    )
    return stacked


def pipeline_mixup_batches():
    """Batches mixed with their own reverse by a lambda of Beta-like weights given as data."""
    lam = np.linspace(0.1, 0.9, 6).astype(np.float32)
    images = np.random.RandomState(1).rand(6, 3, 3, 1).astype(np.float32)
    labels = tf.one_hot(np.arange(6) % 3, 3)
    ds = tf.data.Dataset.from_tensor_slices((images, labels, lam)).batch(3)

    def mix_up(images, labels, lam):
        batch_size = tf.shape(images)[0]
        x_l = tf.reshape(lam, (batch_size, 1, 1, 1))
        y_l = tf.reshape(lam, (batch_size, 1))
        mixed = images * x_l + tf.reverse(images, [0]) * (1 - x_l)
        return mixed, labels * y_l + tf.reverse(labels, [0]) * (1 - y_l)

    return ds.map(mix_up)


def pipeline_sonnet_loop():
    """Datasets for train and test of a small script, a partial'd process and one big test batch."""

    def process_batch(images, labels):
        images = tf.squeeze(images, axis=[-1])
        images = tf.cast(images, dtype=tf.float32)
        images = ((images / 255.0) - 0.5) * 2.0
        return images, tf.cast(labels, tf.int32)

    data = {
        "train": (
            np.random.RandomState(0).randint(0, 256, (9, 2, 2, 1), dtype=np.uint8),
            np.arange(9),
        )
    }

    def mnist(split, batch_size):
        dataset = tf.data.Dataset.from_tensor_slices(data[split])
        dataset = dataset.batch(batch_size).map(process_batch)
        dataset = dataset.repeat().shuffle(10, seed=2) if split == "test" else dataset
        return dataset.cache().prefetch(tf.data.experimental.AUTOTUNE)

    images, labels = tf.data.experimental.get_single_element(mnist("train", 100))
    variance = np.var(images.numpy() / 255.0)
    return [mnist("train", 4), images.shape.as_list(), labels, variance]
