"""A state continues only with the files it was saved with, whatever reads them and where."""

import io
import os
import shutil
import tarfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import feedline as tf
from feedline.errors import CheckpointError

Dataset = tf.data.Dataset
ROWS = 40


def numbers(seed):
    return [seed * 1000 + number for number in range(ROWS)]


def write_lines(path, seed):
    path.write_text("".join(f"{number}\n" for number in numbers(seed)))


def write_records(path, seed):
    with tf.io.TFRecordWriter(str(path)) as writer:
        for number in numbers(seed):
            writer.write(b"%06d" % number)


def write_json(path, seed):
    path.write_text("".join(f'{{"x": {number}}}\n' for number in numbers(seed)))


def write_tar(path, seed):
    with tarfile.open(path, "w") as archive:
        for number in numbers(seed):
            member = tarfile.TarInfo(f"{number:06d}.txt")
            member.size = 6
            archive.addfile(member, io.BytesIO(b"%06d" % number))


def write_arrow(path, seed):
    table = pa.table({"x": numbers(seed)})
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def write_array(path, seed):
    with path.open("wb") as file:
        np.save(file, np.array(numbers(seed)))


def write_image(path, seed):
    pixels = np.full((4, 4, 3), seed, np.uint8)
    path.write_bytes(bytes(tf.io.encode_png(pixels)))


READS = {
    "text": (write_lines, tf.data.TextLineDataset),
    "tfrecord": (write_records, tf.data.TFRecordDataset),
    "parallel reads": (write_records, lambda n: tf.data.TFRecordDataset(n, num_parallel_reads=2)),
    "sharded": (write_records, lambda names: tf.data.TFRecordDataset(names).shard(2, 1)),
    "fixed length": (
        lambda path, seed: path.write_bytes(b"".join(b"%06d" % n for n in numbers(seed))),
        lambda names: tf.data.FixedLengthRecordDataset(names, 6),
    ),
    "csv": (write_lines, lambda names: tf.data.experimental.CsvDataset(names, [tf.int64])),
    "json lines": (write_json, tf.data.JsonLinesDataset),
    "numpy": (write_array, tf.data.NumpyFileDataset),
    "parquet": (
        lambda path, seed: pq.write_table(pa.table({"x": numbers(seed)}), path),
        tf.data.ParquetDataset,
    ),
    "arrow": (write_arrow, tf.data.ArrowDataset),
    "tar": (write_tar, tf.data.TarDataset),
    "interleave": (
        write_lines,
        lambda names: Dataset.from_tensor_slices(names).interleave(
            tf.data.TextLineDataset, cycle_length=2
        ),
    ),
    "parallel interleave": (
        write_records,
        lambda names: Dataset.from_tensor_slices(names).interleave(
            tf.data.TFRecordDataset, cycle_length=2, num_parallel_calls=2
        ),
    ),
    "flat_map": (
        write_lines,
        lambda names: Dataset.from_tensor_slices(names).flat_map(
            lambda name: tf.data.TextLineDataset(name).skip(1)
        ),
    ),
}


def swapped(names):
    """Each file has the other's name."""
    shutil.move(names[0], names[0] + ".kept")
    shutil.move(names[1], names[0])
    shutil.move(names[0] + ".kept", names[1])
    return names


def replaced(names):
    """The first is another file of the same size."""
    time = os.stat(names[0]).st_mtime_ns + 1_000_000_000
    with open(names[0], "r+b") as file:
        content = file.read()
        file.seek(0)
        file.write(content)
    os.utime(names[0], ns=(time, time))
    return names


def shortened(names):
    """The first ends before its end, and has kept its time."""
    kept = os.stat(names[0])
    os.truncate(names[0], kept.st_size // 2)
    os.utime(names[0], ns=(kept.st_atime_ns, kept.st_mtime_ns))
    return names


def renamed(names):
    """The first has another name, and the pipeline reads it under that."""
    os.rename(names[0], names[0] + "x")
    return [names[0] + "x", names[1]]


def gone(names):
    """The first is there no more."""
    os.remove(names[0])
    return names


CHANGES = [swapped, replaced, shortened, renamed, gone]


@pytest.fixture
def files(tmp_path):
    """Write two files that differ in time of change too."""

    def made(write):
        paths = [tmp_path / name for name in ("a.x", "b.x")]
        for seed, path in enumerate(paths, 1):
            write(path, seed)
            os.utime(path, ns=(seed, seed * 1_000_000_000))
        return [str(path) for path in paths]

    return made


def advanced(ds):
    it = iter(ds)
    for _ in range(3):
        next(it)
    return it


def first_after(ds, state):
    """Return the first element after a state: files that functions open are compared by then."""
    with iter(ds) as it:
        it.load_state_dict(state)
        return next(it)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("source", READS)
def test_files_that_are_not_as_they_were_are_refused(files, source, change):
    write, reads = READS[source]
    names = files(write)
    with advanced(reads(names)) as it:
        state = it.state_dict()
    names = change(names)
    with pytest.raises(CheckpointError, match="saved with other files"):
        first_after(reads(names), state)


@pytest.mark.parametrize("source", READS)
def test_files_that_hold_the_same_go_on_if_that_is_said(files, source):
    write, reads = READS[source]
    names = files(write)
    it = advanced(reads(names))
    state = it.state_dict()
    replaced(names)
    with iter(reads(names)) as again:
        again.load_state_dict(state, check_files=False)

        assert [str(one) for one in again] == [str(one) for one in it]


@pytest.mark.parametrize("change", CHANGES)
def test_images_of_a_folder_are_compared(tmp_path, change):
    for label, name in enumerate(["a", "b"], 1):
        (tmp_path / name).mkdir()
        write_image(tmp_path / name / f"{name}.png", label)
        os.utime(tmp_path / name / f"{name}.png", ns=(label, label))

    def read():
        return tf.data.image_dataset_from_directory(
            tmp_path, image_size=(4, 4), batch_size=1, shuffle=False
        )

    ds = read()
    with iter(ds) as it:
        next(it)
        state = it.state_dict()
    change([str(tmp_path / "a" / "a.png"), str(tmp_path / "b" / "b.png")])
    if change is renamed:
        os.rename(tmp_path / "a" / "a.pngx", tmp_path / "a" / "z.png")
        ds = read()
    with iter(ds) as other, pytest.raises(CheckpointError, match="saved with other files"):
        other.load_state_dict(state)


@pytest.mark.parametrize("executor", ["inline", "threads", "background"])
def test_every_executor_compares_files_that_functions_open(files, executor):
    names = files(write_lines)
    ds = READS["interleave"][1](names).with_options(tf.data.Options(executor=executor))
    with advanced(ds) as it:
        state = it.state_dict()
    replaced(names)
    with pytest.raises(CheckpointError, match="saved with other files"):
        first_after(ds, state)
    with iter(ds) as again:
        again.load_state_dict(state, check_files=False)

        assert len(list(again)) == 2 * ROWS - 3
