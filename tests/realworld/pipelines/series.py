"""Time series: windows by window and flat_map, by slices, by Keras' function, by rows."""

import numpy as np

from tests.realworld.library import tf


def _series(n=40):
    return (np.arange(n) * 0.5 + np.sin(np.arange(n))).astype(np.float32)


def pipeline_windowed_dataset():
    """The course's function: expand_dims, window, flat_map, shuffle, split into x and y."""

    def windowed_dataset(series, window_size, batch_size, shuffle_buffer):
        series = tf.expand_dims(series, axis=-1)
        dataset = tf.data.Dataset.from_tensor_slices(series)
        dataset = dataset.window(window_size + 1, shift=1, drop_remainder=True)
        dataset = dataset.flat_map(lambda window: window.batch(window_size + 1))
        dataset = dataset.shuffle(shuffle_buffer, seed=42)
        dataset = dataset.map(lambda window: (window[:-1], window[1:]))
        return dataset.batch(batch_size).prefetch(1)

    return windowed_dataset(_series(), 6, 8, 20)


def pipeline_forecast_windows():
    series = _series(20)
    ds = tf.data.Dataset.from_tensor_slices(series)
    ds = ds.window(5, shift=1, drop_remainder=True)
    ds = ds.flat_map(lambda w: w.batch(5))
    shown = [
        val.numpy() for window in tf.data.Dataset.range(4).window(2, shift=1) for val in window
    ]
    return [shown, ds.batch(8).prefetch(1)]


def pipeline_timeseries_from_array():
    data = np.stack([_series(30), np.arange(30, dtype=np.float32)], axis=1)
    ds = tf.keras.utils.timeseries_dataset_from_array(
        data=data[:-8], targets=data[8:, 0], sequence_length=8, sampling_rate=1, batch_size=5
    )
    other = tf.keras.preprocessing.timeseries_dataset_from_array(
        data,
        None,
        sequence_length=6,
        sequence_stride=3,
        sampling_rate=2,
        shuffle=True,
        seed=5,
        batch_size=3,
    )
    return [ds, other]


class _WindowGenerator:
    """Widths, label columns by name, slices, a plot-free version of the weather tutorial."""

    def __init__(self, input_width, label_width, shift, columns, label_columns=None):
        self.label_columns = label_columns
        self.column_indices = {name: i for i, name in enumerate(columns)}
        self.total = input_width + shift
        self.input_width, self.label_width = input_width, label_width
        self.input_slice = slice(0, input_width)
        self.labels_slice = slice(self.total - label_width, None)

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
            sequence_length=self.total,
            sequence_stride=1,
            shuffle=True,
            batch_size=7,
            seed=9,
        )
        return ds.map(self.split_window)


def pipeline_weather_windows():
    data = np.random.RandomState(1).rand(30, 3)
    window = _WindowGenerator(4, 1, 2, ["T", "p", "wv"], ["T"])
    example = tf.stack([np.array(data[:6]), np.array(data[10:16])])
    inputs, labels = window.split_window(example)
    return [
        inputs.shape.as_list(),
        labels.shape.as_list(),
        str(labels.shape),
        labels,
        window.make_dataset(data),
    ]


def pipeline_windows_by_slices():
    """batch to dense windows, features from the first steps and labels from the last."""
    feature_length, label_length = 5, 2
    range_ds = tf.data.Dataset.range(30)
    features = range_ds.batch(feature_length, drop_remainder=True)
    labels = range_ds.batch(feature_length).skip(1).map(lambda labels: labels[:label_length])
    both = tf.data.Dataset.zip((features, labels))
    nested = range_ds.window(4, shift=7, stride=2)

    def sub_to_batch(sub):
        return sub.batch(4, drop_remainder=True)

    return [both, nested.flat_map(sub_to_batch)]


def pipeline_windows_of_structures():
    """A window's element is a dict of datasets: zip of their batches, one shift per stride."""
    ds = tf.data.Dataset.from_tensor_slices({"x": np.arange(12), "y": _series(12)})

    def make_window_dataset(ds, window_size=4, shift=2, stride=1):
        windows = ds.window(window_size, shift=shift, stride=stride)

        def sub_to_batch(sub):
            return tf.data.Dataset.zip(
                {k: v.batch(window_size, drop_remainder=True) for k, v in sub.items()}
            )

        return windows.flat_map(sub_to_batch)

    return make_window_dataset(ds, stride=2)


def pipeline_several_shops():
    """One windowed dataset per series, joined by interleave over ids with nested datasets."""
    table = np.random.RandomState(3).randint(0, 100, (3, 12)).astype(np.float32)
    values = tf.constant(table)

    def windows_of(shop):
        row = tf.gather(values, shop)
        inner = tf.data.Dataset.from_tensor_slices(row).window(4, shift=3, drop_remainder=True)
        inner = inner.flat_map(lambda w: w.batch(4))
        return inner.map(lambda w: {"shop": shop, "past": w[:3], "next": w[3]})

    return tf.data.Dataset.range(3).interleave(windows_of, cycle_length=3, block_length=1).batch(4)


def pipeline_scanned_averages():
    """Moving averages and differences with scan, a running maximum carried as state."""
    ds = tf.data.Dataset.from_tensor_slices(_series(15))

    def smooth(state, value):
        mean, peak = state
        mean = 0.9 * mean + 0.1 * value
        peak = tf.maximum(peak, value)
        return (mean, peak), {"value": value, "mean": mean, "over": value >= peak}

    return ds.scan((tf.constant(0.0), tf.constant(-np.inf, tf.float32)), smooth).batch(5)


def pipeline_calendar_features():
    """Time stamps to sine and cosine of the day, weekday one-hot, lags by roll and concat."""
    stamps = np.arange(16) * 3600 * 5 + 1_600_000_000
    ds = tf.data.Dataset.from_tensor_slices((stamps.astype(np.int64), _series(16)))

    def features(stamp, value):
        day = 24 * 60 * 60
        angle = tf.cast(stamp % day, tf.float32) * (2 * np.pi / day)
        weekday = tf.one_hot((stamp // day + 4) % 7, 7)
        return tf.concat([[tf.sin(angle), tf.cos(angle), value], weekday], axis=0)

    return ds.map(features).batch(8)


def pipeline_train_validation_by_position():
    """Every fourth element to validation by enumerate and filter, the rest to training."""
    ds = tf.data.Dataset.from_tensor_slices(_series(12))
    is_validation = lambda i, x: i % 4 == 0
    is_training = lambda i, x: not is_validation(i, x)
    recover = lambda i, x: x
    validation = ds.enumerate().filter(is_validation).map(recover)
    training = ds.enumerate().filter(is_training).map(recover)
    return [validation.batch(10), training.batch(10)]


def pipeline_padded_histories():
    """Histories of each length cut and padded on the left, with a mask and the last value."""
    rows = tf.ragged.constant([[1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0], [8.0]])
    ds = tf.data.Dataset.from_tensor_slices(rows)

    def left_pad(history):
        history = history[-4:]
        missing = 4 - tf.shape(history)[0]
        padded = tf.pad(history, [[missing, 0]])
        mask = tf.concat([tf.zeros([missing]), tf.ones_like(history)], 0)
        return padded, mask, history[-1]

    return ds.map(left_pad).batch(3)
