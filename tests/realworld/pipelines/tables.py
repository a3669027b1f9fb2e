"""Tabular pipelines: census and titanic files, CSV in every form, feature columns by hand."""

import functools

import numpy as np

from tests.realworld.library import tf
from tests.realworld.pipeline import missing

CENSUS = """age,workclass,education_num,capital_gain,hours,income
39,State-gov,13,2174,40.5,<=50K
50,Self-emp,13,0,13,>50K
38,Private,9,,40,<=50K
53,Private,7,0,40,>50K
28,?,13,0,,<=50K
37,"Local, gov",14,15024,40,>50K
49,Private,5,0,16,<=50K
"""


def _census():
    with open("census.csv", "w") as file:
        file.write(CENSUS)
    return "census.csv"


def _columns():
    lines = [line.split(",") for line in CENSUS.replace('"Local, gov"', "Local").splitlines()]
    names, rows = lines[0], lines[1:]
    return {name: [row[k] for row in rows] for k, name in enumerate(names)}


def pipeline_census_with_decode_csv():
    """Estimator's input_fn: TextLineDataset, decode_csv with defaults, zip of names, pop of the label."""
    path = _census()
    defaults = [[0], [""], [0], [0], [0.0], [""]]
    names = CENSUS.splitlines()[0].split(",")

    def parse_csv(value):
        tf.print("Parsing", path, output_stream="file://parsing.log")
        columns = tf.io.decode_csv(value, record_defaults=defaults)
        features = dict(zip(names, columns))
        labels = features.pop("income")
        classes = tf.equal(labels, ">50K")
        return features, classes

    def input_fn(data_file, num_epochs, shuffle, batch_size):
        assert tf.io.gfile.exists(data_file), "%s not found." % data_file
        dataset = tf.data.TextLineDataset(data_file).skip(1)
        if shuffle:
            dataset = dataset.shuffle(buffer_size=7, seed=3)
        dataset = dataset.map(parse_csv, num_parallel_calls=5)
        dataset = dataset.repeat(num_epochs)
        return dataset.batch(batch_size)

    return input_fn(path, 2, True, 4)


def pipeline_make_csv_dataset():
    path = _census()
    dataset = tf.data.experimental.make_csv_dataset(
        path,
        batch_size=3,
        label_name="income",
        na_value="?",
        num_epochs=1,
        shuffle=False,
        ignore_errors=False,
    )
    shown = []
    for batch, label in dataset.take(1):
        for key, value in batch.items():
            shown.append("{:20s}: {}".format(key, value.numpy()))
        shown.append(label.numpy())
    return [shown, dataset]


def pipeline_pack_numeric_columns():
    """The classic: selected columns, defaults, numbers packed in one column, normalized."""
    path = _census()
    numeric = ["age", "education_num", "hours"]
    dataset = tf.data.experimental.make_csv_dataset(
        path,
        batch_size=2,
        select_columns=["age", "workclass", "education_num", "hours", "income"],
        column_defaults=[0.0, "none", 0.0, 35.0, "<=50K"],
        label_name="income",
        num_epochs=1,
        shuffle=True,
        shuffle_seed=4,
        shuffle_buffer_size=20,
    )

    class PackNumericFeatures(object):
        def __init__(self, names):
            self.names = names

        def __call__(self, features, labels):
            numeric_features = [features.pop(name) for name in self.names]
            numeric_features = [tf.cast(feat, tf.float32) for feat in numeric_features]
            features["numeric"] = tf.stack(numeric_features, axis=-1)
            return features, labels

    packed = dataset.map(PackNumericFeatures(numeric))
    mean, std = np.array([40.0, 10.0, 30.0]), np.array([9.0, 3.0, 12.0])

    def normalize_numeric_data(data, mean, std):
        return (data - mean) / std

    normalizer = functools.partial(normalize_numeric_data, mean=mean, std=std)
    example, labels = next(iter(packed))
    return [packed, normalizer(example["numeric"]), labels.numpy()]


def pipeline_csv_dataset_with_types():
    path = _census()
    types = [
        tf.int32,
        tf.string,
        tf.int32,
        tf.constant([1], tf.int64),
        tf.constant([-1.0]),
        tf.string,
    ]
    dataset = tf.data.experimental.CsvDataset(path, types, header=True)
    some = tf.data.experimental.CsvDataset(path, [tf.float32, ""], header=True, select_cols=[0, 1])
    kept = dataset.filter(lambda *columns: columns[0] > 37)

    def pack(*row):
        label = row[-1]
        features = tf.stack(
            [tf.cast(row[0], tf.float32), tf.cast(row[3], tf.float32), row[4]], 1 - 1
        )
        return features, label

    return [kept.map(pack).batch(3), some.batch(7), [line[1].numpy() for line in dataset.take(2)]]


def pipeline_gzipped_rows_of_numbers():
    """HIGGS-like: a gzipped CSV of floats only, packed per batch of rows and unbatched again."""
    import gzip

    rows = np.random.RandomState(0).rand(11, 5).round(4)
    with gzip.open("higgs.csv.gz", "wt") as file:
        file.writelines(",".join(map(str, row)) + "\n" for row in rows)
    ds = tf.data.experimental.CsvDataset("higgs.csv.gz", [float()] * 5, compression_type="GZIP")

    def pack_row(*row):
        label = row[0]
        features = tf.stack(row[1:], 1)
        return features, label

    packed_ds = ds.batch(4).map(pack_row).unbatch()
    validate_ds = packed_ds.take(3).cache()
    train_ds = packed_ds.skip(3).take(8).cache()
    train_ds = train_ds.shuffle(8, seed=1).repeat().batch(3)
    return [validate_ds.batch(2), train_ds.take(4)]


def pipeline_dictionary_of_columns():
    """A frame's dict of arrays and lists, a label popped, to dataset, shuffle, batch."""
    columns = _columns()
    frame = {
        name: np.array(values) for name, values in columns.items() if name in ("age", "workclass")
    }
    frame["age"] = frame["age"].astype(np.int64)
    target = np.where(np.array(columns["income"]) == ">50K", 1, 0)

    def df_to_dataset(frame, shuffle=True, batch_size=4):
        df = frame.copy()
        df = {key: np.array(value)[:, tf.newaxis] for key, value in frame.items()}
        ds = tf.data.Dataset.from_tensor_slices((dict(df), target))
        if shuffle:
            ds = ds.shuffle(buffer_size=len(target), seed=8)
        ds = ds.batch(batch_size)
        return ds.prefetch(batch_size)

    [(train_features, label_batch)] = df_to_dataset(frame).take(1)
    return [
        list(train_features.keys()),
        train_features["age"],
        label_batch,
        df_to_dataset(frame, False),
    ]


def pipeline_feature_columns_by_hand():
    """Buckets, crosses by hash, embeddings by gather, indicator rows, in plain functions of tensors."""
    columns = _columns()
    features = {
        "age": np.array(columns["age"], dtype=np.float32),
        "workclass": np.array(columns["workclass"]),
        "education_num": np.array(columns["education_num"], dtype=np.int32),
    }
    boundaries = [30.0, 40.0, 50.0]
    embedding = tf.constant(np.random.RandomState(1).rand(10, 2).astype(np.float32))

    def transform(row):
        age_bucket = tf.searchsorted(tf.constant(boundaries), row["age"][None], side="right")[0]
        crossed = tf.strings.join(
            [tf.strings.as_string(age_bucket), row["workclass"]], separator="_X_"
        )
        crossed_id = tf.strings.to_hash_bucket_fast(crossed, 10)
        return {
            "bucket": tf.one_hot(age_bucket, len(boundaries) + 1),
            "crossed": crossed_id,
            "embedded": tf.gather(embedding, crossed_id),
            "scaled": (tf.cast(row["education_num"], tf.float32) - 10.0) / 3,
            "bucket_by_sum": tf.reduce_sum(tf.cast(row["age"] >= boundaries, tf.int32)),
        }

    return tf.data.Dataset.from_tensor_slices(features).map(transform).batch(4)


def pipeline_titanic_slices():
    """Columns by a loop over slices of dicts, nested structures, strings beside numbers."""
    titanic = {
        "sex": np.array(["male", "female", "female"], dtype=object),
        "age": np.array([22.0, 38.0, 26.0]),
        "alone": np.array(["n", "n", "y"]),
        "class": {"pclass": [3, 1, 3], "deck": ["unknown", "C", "unknown"]},
    }
    survived = [0, 1, 1]

    def slices(features):
        for i in range(len(survived)):
            yield {name: values[i] for name, values in features.items() if name != "class"}

    shown = []
    for example in slices(titanic):
        for name, value in example.items():
            shown.append(f"{name:8s}: {value}")
    ds = tf.data.Dataset.from_tensor_slices((titanic, survived))
    first = next(iter(ds))
    kinds = tf.nest.map_structure(lambda t: t.dtype.name, first)
    return [shown, kinds, ds.batch(2), [x["sex"].numpy().decode() for x, _ in ds]]


def pipeline_numeric_frame():
    """Numbers of a frame as float64, a target, class weights as a third component."""
    data = np.random.RandomState(5).rand(9, 3)
    target = np.array([0, 0, 0, 0, 1, 0, 0, 1, 0])
    neg, pos = np.bincount(target)
    weights = {0: (1 / neg) * (9 / 2.0), 1: (1 / pos) * (9 / 2.0)}
    sample_weight = np.array([weights[int(t)] for t in target])
    ds = tf.data.Dataset.from_tensor_slices((data, target, sample_weight))
    ds = ds.map(
        lambda x, y, w: (tf.cast(x, tf.float32), tf.expand_dims(y, -1), tf.cast(w, "float32"))
    )
    return ds.shuffle(100, seed=13).batch(4)


@missing("the epochs of repeat() that an iteration left early has begun are not counted")
def pipeline_oversampled_rows():
    """Two classes apart, each shuffled and repeated, sampled half and half, steps by ceil."""
    features = np.arange(20, dtype=np.float32).reshape(10, 2)
    labels = np.array([0, 0, 0, 1, 0, 0, 1, 0, 0, 0])
    bool_labels = labels != 0

    def make_ds(features, labels):
        ds = tf.data.Dataset.from_tensor_slices((features, labels))
        return ds.shuffle(10, seed=2).repeat()

    pos_ds = make_ds(features[bool_labels], labels[bool_labels])
    neg_ds = make_ds(features[~bool_labels], labels[~bool_labels])
    resampled = tf.data.Dataset.sample_from_datasets([pos_ds, neg_ds], weights=[0.5, 0.5], seed=3)
    resampled = resampled.batch(5).prefetch(2)
    steps = int(np.ceil(2.0 * 8 / 5))
    means = [label.numpy().mean() for _, label in resampled.take(2)]
    return [resampled.take(steps), means]


def pipeline_fixed_width_rows():
    """Batches of raw bytes: FixedLengthRecordDataset with a header, decode_raw, slices, bitcast."""
    table = np.zeros(6, dtype=[("id", "<i4"), ("value", "<f4"), ("flag", "u1"), ("_", "u1", 3)])
    table["id"], table["value"], table["flag"] = range(6), np.linspace(0, 1, 6), [0, 1] * 3
    with open("rows.bin", "wb") as file:
        file.write(b"HEAD" + table.tobytes())
    ds = tf.data.FixedLengthRecordDataset(["rows.bin"], record_bytes=12, header_bytes=4)

    def decode(record):
        raw = tf.io.decode_raw(record, tf.uint8)
        number = tf.bitcast(raw[:4], tf.int32)
        value = tf.bitcast(raw[4:8], tf.float32)
        return number, tf.reshape(value, []), tf.cast(raw[8], tf.bool)

    return ds.map(decode).batch(3)


def pipeline_missing_values_in_lines():
    """Empty fields found by tf.strings.length, numbers with to_number, other rows filtered out."""
    rows = ["1.5,a,3", "2.5,,4", ",b,5", "4.5,d,6"]
    ds = tf.data.Dataset.from_tensor_slices(rows)
    parts = ds.map(lambda line: tf.strings.split([line], ",").values)
    full = parts.filter(lambda p: tf.reduce_all(tf.strings.length(p) > 0))
    filled = parts.map(lambda p: tf.where(tf.equal(p, ""), tf.fill(tf.shape(p), "0"), p))
    return [
        full.map(
            lambda p: (tf.strings.to_number(p[0]), p[1], tf.strings.to_number(p[2], tf.int64))
        ),
        filled.map(lambda p: tf.strings.to_number(tf.stack([p[0], p[2]]))),
    ]
