"""Windows over series: a generator class, windows of datasets, forecasting from arrays."""

import numpy as np

from tests.realworld.library import tf

rng = np.random.default_rng(17)
COLUMNS = ["p", "T", "rh", "wv"]
SERIES = np.cumsum(rng.normal(size=(40, 4)), axis=0).astype(np.float32)


class WindowGenerator:
    def __init__(self, input_width, label_width, shift, frames, label_columns=None):
        self.train, self.val = frames
        self.label_columns = label_columns
        if label_columns is not None:
            self.label_columns_indices = {name: i for i, name in enumerate(label_columns)}
        self.column_indices = {name: i for i, name in enumerate(COLUMNS)}
        self.input_width, self.label_width, self.shift = input_width, label_width, shift
        self.total_window_size = input_width + shift
        self.input_slice = slice(0, input_width)
        self.label_start = self.total_window_size - self.label_width
        self.labels_slice = slice(self.label_start, None)

    def split_window(self, features):
        inputs = features[:, self.input_slice, :]
        labels = features[:, self.labels_slice, :]
        if self.label_columns is not None:
            labels = tf.stack(
                [labels[:, :, self.column_indices[name]] for name in self.label_columns], axis=-1
            )
        inputs.set_shape([None, self.input_width, None])
        labels.set_shape([None, self.label_width, None])
        return inputs, labels

    def make_dataset(self, data):
        data = np.array(data, dtype=np.float32)
        ds = tf.keras.utils.timeseries_dataset_from_array(
            data=data,
            targets=None,
            sequence_length=self.total_window_size,
            sequence_stride=1,
            shuffle=False,
            batch_size=8,
        )
        return ds.map(self.split_window)

    @property
    def example(self):
        result = getattr(self, "_example", None)
        if result is None:
            result = next(iter(self.make_dataset(self.train)))
            self._example = result
        return result


def pipeline_window_generator():
    window = WindowGenerator(6, 2, 2, (SERIES[:28], SERIES[28:]), label_columns=["T"])
    stacked = tf.stack([SERIES[: window.total_window_size], SERIES[10 : 10 + 8]])
    inputs, labels = window.split_window(stacked)
    example_inputs, example_labels = window.example
    shapes = [f"Inputs shape: {inputs.shape}", f"Labels shape: {labels.shape}"]
    shapes.append(f"(batch, time, features): {example_inputs.shape} {example_labels.shape}")
    return {"shapes": shapes, "val": window.make_dataset(window.val), "labels": labels}


def windowed_dataset(series, window_size, batch_size, shuffle_buffer):
    series = tf.expand_dims(series, axis=-1)
    ds = tf.data.Dataset.from_tensor_slices(series)
    ds = ds.window(window_size + 1, shift=1, drop_remainder=True)
    ds = ds.flat_map(lambda w: w.batch(window_size + 1))
    ds = ds.shuffle(shuffle_buffer, seed=5)
    ds = ds.map(lambda w: (w[:-1], w[1:]))
    return ds.batch(batch_size).prefetch(1)


def pipeline_course_windows():
    return windowed_dataset(SERIES[:, 0], 5, 8, 10)


def pipeline_windows_of_tuples():
    features = {"past": SERIES[:, :2], "known": SERIES[:, 2:]}
    ds = tf.data.Dataset.from_tensor_slices((features, SERIES[:, 0]))
    ds = ds.window(4, shift=3, drop_remainder=True)

    def join(f, t):
        return tf.data.Dataset.zip(({k: v.batch(4) for k, v in f.items()}, t.batch(4)))

    ds = ds.flat_map(join)
    return ds.map(lambda f, t: ({**f, "mean": tf.reduce_mean(f["past"], axis=0)}, t[-1])).batch(6)


def pipeline_forecast_from_array():
    target = np.roll(SERIES[:, 1], -3)
    ds = tf.keras.preprocessing.timeseries_dataset_from_array(
        SERIES, target, sequence_length=5, sampling_rate=2, sequence_stride=3, batch_size=4
    )
    for batch in ds.take(1):
        inputs, targets = batch
    return {"ds": ds, "in": inputs.numpy().shape, "out": targets.numpy().shape}


def pipeline_normalised_and_split():
    n = len(SERIES)
    ds = tf.data.Dataset.from_tensor_slices(SERIES.astype("float64"))
    train = ds.take(int(n * 0.7))
    mean = train.reduce(np.zeros(4), lambda acc, row: acc + row) / int(n * 0.7)
    scaled = ds.skip(int(n * 0.7)).map(lambda row: tf.cast((row - mean) / 2.0, tf.float32))
    delta = scaled.batch(2, drop_remainder=True).map(lambda two: two[1] - two[0])
    return {"mean": mean, "delta": delta.batch(10)}
