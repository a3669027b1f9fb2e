"""The kinds of pipelines that an introduction to tf.data walks through, one habit after another."""

import itertools

import numpy as np

from tests.realworld.inputs import write
from tests.realworld.library import tf


def pipeline_iterate_and_reduce():
    dataset = tf.data.Dataset.from_tensor_slices([8, 3, 0, 8, 2, 1])
    lines = [str(elem.numpy()) for elem in dataset]
    it = iter(dataset)
    lines.append(f"{next(it).numpy()} then {next(it).numpy()}")
    total = dataset.reduce(0, lambda state, value: state + value).numpy()
    return {"lines": lines, "total": total, "length": len(dataset)}


def pipeline_structures():
    rng = np.random.default_rng(0)
    left = tf.data.Dataset.from_tensor_slices(rng.random((4, 10), dtype=np.float32))
    right = tf.data.Dataset.from_tensor_slices(
        (rng.random(4, dtype=np.float32), rng.integers(0, 100, (4, 20), dtype=np.int32))
    )
    both = tf.data.Dataset.zip((left, right))
    shapes = []
    for a, (b, c) in both:
        shapes.append("shapes: {a.shape}, {b.shape}, {c.shape}".format(a=a, b=b, c=c))
    sparse = tf.data.Dataset.from_tensors(
        tf.SparseTensor(indices=[[0, 0], [1, 2]], values=[1, 2], dense_shape=[3, 4])
    )
    kind = sparse.element_spec.value_type.__name__
    return {"both": both, "shapes": shapes, "sparse": sparse, "kind": kind}


def count(stop):
    i = 0
    while i < stop:
        yield i
        i += 1


def pipeline_generator_with_args():
    counter = tf.data.Dataset.from_generator(
        count, args=[25], output_types=tf.int32, output_shapes=()
    )
    batches = [b.numpy() for b in counter.repeat().batch(10).take(4)]
    return {"batches": batches, "spec": counter.element_spec}


def pipeline_generator_of_series():
    def series():
        rng = np.random.default_rng(5)
        for i in itertools.count():
            size = rng.integers(0, 10)
            yield i, rng.normal(size=(size,))
            if i == 11:
                return

    ds = tf.data.Dataset.from_generator(
        series, output_types=(tf.int32, tf.float32), output_shapes=((), (None,))
    )
    return ds.shuffle(20, seed=1).padded_batch(5)


def pipeline_generator_with_signature():
    images = np.random.default_rng(1).integers(0, 255, (9, 4, 4, 3)).astype(np.float32)
    labels = np.eye(3, dtype=np.float32)[np.arange(9) % 3]

    def flow():
        for start in range(0, 9, 4):
            yield images[start : start + 4] / 255.0, labels[start : start + 4]

    return tf.data.Dataset.from_generator(
        lambda: flow(),
        output_signature=(
            tf.TensorSpec(shape=(None, 4, 4, 3), dtype=tf.float32),
            tf.TensorSpec(shape=(None, 3), dtype=tf.float32),
        ),
    )


def pipeline_lines_of_files():
    names = ["cowper.txt", "derby.txt", "butler.txt"]
    paths = [write(n, "\n".join(f"{n[0]}{i} line" for i in range(4)) + "\n") for n in names]
    first = [line.numpy() for line in tf.data.TextLineDataset(paths).take(3)]
    files_ds = tf.data.Dataset.from_tensor_slices(paths)
    lines_ds = files_ds.interleave(tf.data.TextLineDataset, cycle_length=3)
    woven = []
    for i, line in enumerate(lines_ds.take(9)):
        if i % 3 == 0:
            woven.append("")
        woven.append(line.numpy().decode())
    return {"first": first, "woven": woven}


def survived(line):
    return tf.not_equal(tf.strings.substr(line, 0, 1), "0")


def pipeline_lines_filtered_and_parsed():
    header = "survived,sex,age,fare,deck,alone\n"
    rows = ["0,male,22.0,7.25,unknown,n", "1,female,38.0,71.3,C,n", "1,female,26.0,7.9,,y"]
    write("titanic.csv", header + "\n".join(rows) + "\n")
    lines = tf.data.TextLineDataset("titanic.csv")
    kept = lines.skip(1).filter(survived)
    types = [tf.int32, tf.string, tf.float32, tf.float32, tf.string, tf.string]
    parsed = tf.data.experimental.CsvDataset(
        "titanic.csv", types[:4], header=True, select_cols=[0, 1, 2, 3]
    )
    defaults = [999, "x", 0.0, 0.0, "none", "none"]
    decoded = lines.skip(1).map(lambda line: tf.io.decode_csv(line, record_defaults=defaults))
    table = tf.data.experimental.make_csv_dataset(
        "titanic.csv",
        batch_size=2,
        label_name="survived",
        select_columns=["survived", "age", "fare"],
        num_epochs=1,
        shuffle=False,
    )
    seen = []
    for feature_batch, label_batch in table.take(1):
        seen.append(f"'survived': {label_batch}")
        for key, value in feature_batch.items():
            seen.append(f"  {key!r:10s}: {value}")
    return {"kept": kept, "parsed": parsed, "decoded": decoded, "table": table, "seen": seen}


def pipeline_batches_side_by_side():
    inc = tf.data.Dataset.range(100)
    dec = tf.data.Dataset.range(0, -100, -1)
    dataset = tf.data.Dataset.zip((inc, dec)).batch(7, drop_remainder=True)
    shown = [[arr.numpy() for arr in batch] for batch in dataset.take(2)]
    return {"shown": shown, "spec": dataset.element_spec}


def pipeline_padded_with_fill():
    dataset = tf.data.Dataset.range(12)
    dataset = dataset.map(lambda x: tf.fill([tf.cast(x, tf.int32)], x))
    return dataset.padded_batch(4, padded_shapes=(None,))


def pipeline_epochs_and_shuffle():
    lines = tf.data.Dataset.range(10)
    dataset = tf.data.Dataset.zip((tf.data.experimental.Counter().take(10), lines))
    dataset = dataset.shuffle(buffer_size=4, seed=11).batch(3)
    sizes = []
    for epoch in range(2):
        for batch in dataset:
            sizes.append(f"{epoch}: {batch[0].shape}")
        sizes.append("End of epoch: " + str(epoch))
    return {"sizes": sizes, "twice": dataset.repeat(2)}


def pipeline_windows_for_series():
    range_ds = tf.data.Dataset.range(60)

    def dense_1_step(batch):
        return batch[:-1], batch[1:]

    predicted = range_ds.batch(10, drop_remainder=True).map(dense_1_step)

    def label_next_5_steps(batch):
        return (batch[:-5], batch[-5:])

    ahead = range_ds.batch(15, drop_remainder=True).map(label_next_5_steps)

    def make_window_dataset(ds, window_size=5, shift=1, stride=1):
        windows = ds.window(window_size, shift=shift, stride=stride)

        def sub_to_batch(sub):
            return sub.batch(window_size, drop_remainder=True)

        return windows.flat_map(sub_to_batch)

    strided = make_window_dataset(range_ds, window_size=10, shift=5, stride=3)
    dense_labels = strided.map(dense_1_step)
    lengths = [len(list(sub_ds)) for sub_ds in range_ds.window(7, shift=20)]
    first = next(iter(range_ds.batch(8, drop_remainder=True).zip(range_ds.skip(3).batch(2))))
    return {
        "predicted": predicted.take(2),
        "ahead": ahead,
        "dense": dense_labels.take(2),
        "lengths": lengths,
        "first": first,
    }


def class_func(features, label):
    return label


def pipeline_resampled():
    rng = np.random.default_rng(2)
    labels = (rng.random(200) < 0.1).astype(np.int32)
    features = {"amount": rng.random(200).astype(np.float32)}
    ds = tf.data.Dataset.from_tensor_slices((features, labels))

    def count_class(counts, batch):
        features, labels = batch
        class_1 = tf.cast(labels == 1, tf.int32)
        class_0 = tf.cast(labels == 0, tf.int32)
        counts["class_0"] += tf.reduce_sum(class_0)
        counts["class_1"] += tf.reduce_sum(class_1)
        return counts

    counts = ds.batch(16).reduce({"class_0": 0, "class_1": 0}, count_class)
    counts = np.array([counts["class_0"].numpy(), counts["class_1"].numpy()]).astype(np.float32)
    fractions = counts / counts.sum()

    negative = ds.filter(lambda features, label: label == 0).repeat()
    positive = ds.filter(lambda features, label: label == 1).repeat()
    balanced = tf.data.Dataset.sample_from_datasets([negative, positive], [0.5, 0.5], seed=3)
    some = [labels.numpy() for _, labels in balanced.batch(10).take(3)]

    resampled = ds.rejection_resample(
        class_func, target_dist=[0.5, 0.5], initial_dist=fractions, seed=4
    )
    plain = resampled.map(lambda extra, features_and_label: features_and_label)
    structure = plain.element_spec
    return {"fractions": fractions, "some": some, "structure": structure}


def pipeline_element_of_dataset():
    ds = tf.data.Dataset.range(5).map(lambda x: x * x).batch(5)
    square = tf.data.experimental.get_single_element(ds)
    lookup = {int(i): int(v) for i, v in enumerate(square)}
    filtered = (
        tf.data.Dataset.range(10).filter(lambda x: tf.math.equal(x % 3, 0)).enumerate(start=5)
    )
    return {"square": square, "lookup": list(lookup.values()), "filtered": filtered}
