"""TFRecord files that TensorFlow wrote: which records come, and in which order."""

from pathlib import Path

from tests.golden.case import each

FILES = Path(__file__).parents[1] / "files" / "tfrecord"
TURNS = [str(FILES / f"tensorflow_turn_{number}.tfrecord") for number in range(7)]


def case_one_file(tf):
    return tf.data.TFRecordDataset(str(FILES / "tensorflow_plain.tfrecord"))


@each(kind=["GZIP", "ZLIB"])
def case_compressed(tf, kind):
    return tf.data.TFRecordDataset(str(FILES / f"tensorflow_{kind.lower()}.tfrecord"), kind)


@each(number=[None, 1, 2, 3, 4, 10])
def case_files_in_turn(tf, number):
    return tf.data.TFRecordDataset(TURNS, num_parallel_reads=number)


@each(number=[None, 2])
def case_a_dataset_of_names(tf, number):
    names = tf.data.Dataset.from_tensor_slices(TURNS).skip(2)
    return tf.data.TFRecordDataset(names, num_parallel_reads=number)


@each(size=[0, 1, 1000])
def case_buffer_size(tf, size):
    return tf.data.TFRecordDataset(TURNS, buffer_size=size)


def case_no_files(tf):
    return tf.data.TFRecordDataset([])


def case_names_are_flattened(tf):
    return tf.data.TFRecordDataset([TURNS[:2], TURNS[2:4]])


def case_interleaved_by_hand(tf):
    names = tf.data.Dataset.from_tensor_slices(TURNS)
    return names.interleave(tf.data.TFRecordDataset, cycle_length=3, block_length=2)


def case_shuffled(tf):
    return tf.data.TFRecordDataset(TURNS).shuffle(5, seed=3).batch(4)


def case_a_shard(tf):
    return tf.data.TFRecordDataset(TURNS).shard(3, 1).skip(1).repeat(2)


@each(arguments=[(5,), ("x", None, None, 0), ("x", None, None, -2)])
def case_wrong_arguments(tf, arguments):
    return tf.data.TFRecordDataset(*arguments)


def case_a_dataset_of_numbers(tf):
    return tf.data.TFRecordDataset(tf.data.Dataset.range(3))
