"""Datasets of files can be transformed like any other, though their classes take arguments."""

import pickle
import sqlite3
import tarfile
from io import BytesIO

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import feedline as tf
from feedline.data import Dataset

ROWS = 4


def text(folder):
    (folder / "lines.txt").write_text("".join(f"{n}\n" for n in range(ROWS)))
    return tf.data.TextLineDataset(str(folder / "lines.txt"))


def records(folder):
    with tf.io.TFRecordWriter(str(folder / "r.tfrecord")) as writer:
        for n in range(ROWS):
            writer.write(b"%d" % n)
    return tf.data.TFRecordDataset(str(folder / "r.tfrecord"))


def fixed_length(folder):
    (folder / "fixed.bin").write_bytes(b"0123")
    return tf.data.FixedLengthRecordDataset(str(folder / "fixed.bin"), 1)


def csv(folder):
    (folder / "table.csv").write_text("".join(f"{n},{n}\n" for n in range(ROWS)))
    return tf.data.experimental.CsvDataset(str(folder / "table.csv"), [tf.int32, tf.int32])


def sql(folder):
    with sqlite3.connect(folder / "table.db") as connection:
        connection.execute("create table t (n integer)")
        connection.executemany("insert into t values (?)", [(n,) for n in range(ROWS)])
    connection.close()
    query = "select n from t order by n"
    return tf.data.experimental.SqlDataset("sqlite", str(folder / "table.db"), query, tf.int64)


def json_lines(folder):
    (folder / "lines.json").write_text("".join(f'{{"n": {n}}}\n' for n in range(ROWS)))
    return tf.data.JsonLinesDataset(str(folder / "lines.json"))


def numpy_file(folder):
    np.save(folder / "rows.npy", np.arange(ROWS))
    return tf.data.NumpyFileDataset(str(folder / "rows.npy"))


def tar(folder):
    with tarfile.open(folder / "files.tar", "w") as file:
        for n in range(ROWS):
            member = tarfile.TarInfo(f"{n}.txt")
            member.size = 1
            file.addfile(member, BytesIO(b"%d" % n))
    return tf.data.TarDataset(str(folder / "files.tar"))


def parquet_file(folder):
    parquet.write_table(pa.table({"n": list(range(ROWS))}), folder / "t.parquet")
    return tf.data.ParquetDataset(str(folder / "t.parquet"))


def arrow(folder):
    with pa.ipc.new_file(folder / "t.arrow", pa.schema([("n", pa.int64())])) as writer:
        writer.write_table(pa.table({"n": list(range(ROWS))}))
    return tf.data.ArrowDataset(str(folder / "t.arrow"))


def image_folder(folder):
    for n in range(ROWS):
        (folder / "a").mkdir(exist_ok=True)
        image = tf.io.encode_png(np.full((2, 2, 3), n, np.uint8))
        (folder / "a" / f"{n}.png").write_bytes(image)
    return tf.data.image_dataset_from_directory(
        str(folder), image_size=(2, 2), shuffle=False, batch_size=None, verbose=False
    )


SOURCES = [
    *(text, records, fixed_length, csv, sql, json_lines, numpy_file, tar, parquet_file, arrow),
    image_folder,
]
each_source = pytest.mark.parametrize("source", SOURCES)


def element(*parts):
    return parts[0] if len(parts) == 1 else parts


def zipped(*windows):
    return Dataset.zip(element(*windows))


STEPS = {
    "window and flat_map": lambda ds: ds.window(3).flat_map(lambda *w: zipped(*w).batch(3)),
    "window and interleave": lambda ds: ds.window(3).interleave(lambda *w: zipped(*w).batch(3)),
    "window and map": lambda ds: ds.window(3).flat_map(lambda *w: zipped(*w).map(element)).batch(3),
    "group_by_window": lambda ds: ds.group_by_window(
        lambda *row: 0, lambda key, window: window.batch(3), window_size=3
    ),
    "bucket_by_sequence_length": lambda ds: ds.bucket_by_sequence_length(
        lambda *row: 1, [2], [3, 3]
    ),
    "flat_map": lambda ds: ds.flat_map(lambda *row: Dataset.from_tensors(element(*row))).batch(3),
    "interleave": lambda ds: ds.interleave(
        lambda *row: Dataset.from_tensors(element(*row)), cycle_length=1
    ).batch(3),
}


@each_source
@pytest.mark.parametrize("step", STEPS)
def test_a_step_straight_on_files_gives_what_it_gives_of_their_elements(tmp_path, source, step):
    ds = source(tmp_path)

    found = list(STEPS[step](ds))
    expected = list(ds.batch(3))

    assert len(found) == 2
    for one, other in zip(found, expected, strict=True):
        tf.nest.map_structure(np.testing.assert_array_equal, one, other)


@each_source
def test_rejection_resample_straight_on_files_yields_pairs(tmp_path, source):
    ds = source(tmp_path)

    resampled = ds.rejection_resample(lambda *row: np.int64(0), [1.0, 0.0], [0.5, 0.5], seed=1)

    assert [int(label) for label, _ in resampled] == [0] * ROWS


@each_source
def test_a_class_of_files_makes_the_datasets_that_dataset_makes(tmp_path, source):
    ds = source(tmp_path)
    kind = type(ds)

    made = [
        kind.range(2),
        kind.counter().take(2),
        kind.random(seed=1).take(2),
        kind.from_tensors(1),
        kind.from_tensor_slices([1, 2]),
        kind.from_generator(lambda: iter([1]), output_signature=tf.TensorSpec((), tf.int64)),
        kind.zip((ds, ds)),
        kind.sample_from_datasets([ds, ds], seed=1),
        kind.choose_from_datasets([ds, ds], Dataset.range(2)),
        kind.list_files(str(tmp_path / "*")),
    ]

    assert {type(one) for one in made} == {Dataset}
    assert [len(list(one)) for one in made[:8]] == [2, 2, 2, 1, 2, 1, ROWS, 2 * ROWS]


@each_source
def test_a_dataset_of_files_is_pickled_with_its_class(tmp_path, source):
    ds = source(tmp_path)

    again = pickle.loads(pickle.dumps(ds))

    assert type(again) is type(ds)
    assert len(list(again)) == ROWS


def test_windows_of_a_folder_of_images_are_plain_datasets(tmp_path):
    images, _ = next(iter(image_folder(tmp_path).window(2)))

    assert type(images) is Dataset
