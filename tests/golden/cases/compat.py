"""compat: names of TensorFlow 1 that mean the same here."""

import pathlib
import tempfile

import numpy as np

from tests.golden.case import each, raises

WORDS = ["a b  c", "", " x", "y,z;w"]


# ---- text ---------------------------------------------------------------------------------


@each(value=["é", b"\xc3\xa9", bytearray(b"x"), 3])
def case_as_bytes(tf, value):
    return tf.compat.as_bytes(value)


@each(value=["é", b"\xc3\xa9", 3])
def case_as_text(tf, value):
    return [tf.compat.as_text(value), tf.compat.as_str(value)]


@raises(UnicodeDecodeError)
@each(encoding=["latin-1", "utf-8"])
def case_as_text_of_some_encoding(tf, encoding):
    return tf.compat.as_text(b"\xe9", encoding)


def case_as_str_any(tf):
    return [tf.compat.as_str_any(value) for value in (b"a", "é", 3, None)]


def case_path_to_str(tf):
    return [tf.compat.path_to_str(value) for value in (pathlib.PurePosixPath("a/b"), "x", b"x")]


def case_dimension_value(tf):
    return [tf.compat.dimension_value(value) for value in (3, None)]


# ---- functions ----------------------------------------------------------------------------


@each(sep=[None, ",", ",;", ""], skip=[True, False], kind=["SparseTensor", "RaggedTensor"])
def case_string_split(tf, sep, skip, kind):
    return tf.compat.v1.string_split(WORDS, sep, skip, result_type=kind)


def case_string_split_delimiter(tf):
    return tf.compat.v1.string_split(["a,b"], delimiter=",").values


@each(source=["a b", [["a b"]]])
def case_string_split_needs_a_vector(tf, source):
    return tf.compat.v1.string_split(tf.constant(source))


def case_string_split_in_a_map(tf):
    ds = tf.data.Dataset.from_tensor_slices(["a,b", "c", "d,,e"])
    ds = ds.map(lambda line: tf.compat.v1.string_split([line], ",").values)
    return ds.map(lambda parts: (parts[0], tf.size(parts)))


@each(source=["a b", ["a b", "c"]], kind=["SparseTensor", "RaggedTensor"])
def case_strings_split(tf, source, kind):
    return tf.compat.v1.strings.split(source, result_type=kind)


def case_casts(tf):
    v1 = tf.compat.v1
    values = [1.7, -1.7]
    return [v1.to_float([1, 2]), v1.to_double([1]), v1.to_int32(values), v1.to_int64(values)]


@each(values=[([7, -7], 2), ([7.0, -7.0], 2.0)])
def case_div(tf, values):
    return tf.compat.v1.div(*values)


def case_where(tf):
    where, chosen = tf.compat.v1.where, [True, False]
    return [
        where(chosen),
        where(chosen, [1, 2], [3, 4]),
        where(chosen, [[1, 2], [3, 4]], [[5, 6], [7, 8]]),
        where([[True, False]], [[1, 2]], [[3, 4]]),
    ]


def case_sparse_to_dense(tf):
    dense = tf.compat.v1.sparse_to_dense
    return [
        dense([1, 3], [5], 1),
        dense([[0, 1], [1, 0]], [2, 2], [5.0, 6.0], -1.0),
        dense(2, [3], 7),
    ]


def case_reductions(tf):
    v1, x = tf.compat.v1, [[1.0, 2.0], [3.0, 5.0]]
    return [
        v1.reduce_sum(x),
        v1.reduce_sum(x, 1),
        v1.reduce_mean(x, reduction_indices=[0]),
        v1.reduce_max(x, 1, keep_dims=True),
        v1.math.reduce_min(x, axis=0, keepdims=True),
        v1.argmax(x, dimension=1),
        v1.argmin(x, 0, output_type=tf.int32),
        v1.reduce_any([[True, False]], reduction_indices=1),
    ]


def case_shapes(tf):
    v1, x = tf.compat.v1, np.arange(6).reshape(1, 6)
    return [
        v1.expand_dims(x, dim=0),
        v1.expand_dims(x, -1),
        v1.squeeze(x, squeeze_dims=[0]),
        v1.shape(x, "s", tf.int64),
        v1.size(x, out_type=tf.int64),
        v1.transpose(x, [1, 0], "t"),
        v1.gather(x, [2, 0], axis=1),
        v1.boolean_mask([1, 2], [True, False], "m"),
        v1.pad([1], [[1, 1]], "CONSTANT", None, 7),
        v1.zeros_like([1, 2], tf.float32),
        v1.ones_like(tensor=[1, 2]),
        v1.constant(3, tf.int64, [2], "c"),
        v1.convert_to_tensor([1], preferred_dtype=tf.float32),
    ]


def case_choices(tf):
    v1, yes = tf.compat.v1, tf.constant(True)
    return [
        v1.cond(yes, lambda: 1, lambda: 2),
        v1.cond(yes, fn1=lambda: 1, fn2=lambda: 2),
        v1.case([(yes, lambda: 3)], default=lambda: 4),
        v1.gather_nd([[1, 2], [3, 4]], [[0, 1]], "g"),
        v1.norm([[3.0, 4.0]], axis=1, keep_dims=True),
    ]


def case_strings(tf):
    v1 = tf.compat.v1
    return [
        v1.string_to_number(["1.5"]),
        v1.string_to_number(string_tensor=["2"], out_type=tf.int32),
        v1.substr(["hello"], 1, 3),
        v1.string_join(["a", "b"], "-"),
        v1.string_strip([" a "]),
        v1.regex_replace(["aab"], "a+", "x"),
        v1.string_to_hash_bucket_fast(["a", "b"], 10),
        v1.reduce_join([["a", "b"]], 1),
        v1.strings.length(["abc"]),
        v1.strings.length(["é"], "n", "UTF8_CHAR"),
    ]


def case_numbers(tf):
    v1 = tf.compat.v1
    return [
        v1.log([1.0]),
        v1.is_nan([1.0, float("nan")]),
        v1.floormod([5], 3),
        v1.decode_raw(b"\x01\x00", tf.uint8, True, "r"),
        v1.decode_csv(["1,x"], [[0], ["d"]], ",", True, "n"),
        v1.py_func(lambda x: x + np.float32(1), [tf.constant(2.0)], tf.float32),
    ]


@each(settings=[{"axis": 0, "reduction_indices": 0}, {"nothing": 1}])
def case_reductions_refused(tf, settings):
    return tf.compat.v1.reduce_sum([1], **settings)


def case_enable(tf):
    v1 = tf.compat.v1
    return [v1.enable_eager_execution(), v1.enable_v2_behavior(), v1.enable_resource_variables()]


# ---- records and files --------------------------------------------------------------------


def _record(tf, number):
    train = tf.compat.v1.train
    value = train.Feature(int64_list=train.Int64List(value=[number]))
    return train.Example(features=train.Features(feature={"a": value})).SerializeToString()


def case_parse(tf):
    v1 = tf.compat.v1
    features = {"a": v1.FixedLenFeature([], tf.int64)}
    records = [_record(tf, 1), _record(tf, 2)]
    return [
        v1.parse_single_example(records[0], features, "n"),
        v1.parse_example(records, features, "n", ["x", "y"]),
        v1.io.parse_single_example(records[1], features),
        v1.parse_example(records, {"b": v1.VarLenFeature(tf.string)}),
    ]


@each(kind=["NONE", "ZLIB", "GZIP"])
def case_record_files(tf, kind):
    v1 = tf.compat.v1
    with tempfile.TemporaryDirectory() as folder:
        packed = getattr(v1.python_io.TFRecordCompressionType, kind)
        options = v1.python_io.TFRecordOptions(packed)
        with v1.python_io.TFRecordWriter(f"{folder}/x", options) as writer:
            writer.write(b"one")
            writer.write(b"two")
        return [
            list(v1.python_io.tf_record_iterator(f"{folder}/x", options)),
            list(v1.io.tf_record_iterator(f"{folder}/x", options)),
        ]


def case_gfile(tf):
    gfile = tf.compat.v1.gfile
    with tempfile.TemporaryDirectory() as folder:
        gfile.MakeDirs(f"{folder}/a/b")
        gfile.MkDir(f"{folder}/c")
        with gfile.Open(f"{folder}/a/x.txt", "w") as file:
            file.write("text")
        gfile.Copy(f"{folder}/a/x.txt", f"{folder}/c/y.txt")
        gfile.Rename(f"{folder}/c/y.txt", f"{folder}/c/z.txt")
        with gfile.FastGFile(f"{folder}/c/z.txt", "rb") as file:
            read = file.read()
        found = [
            read,
            gfile.Exists(f"{folder}/c/y.txt"),
            gfile.IsDirectory(f"{folder}/a"),
            sorted(gfile.ListDirectory(f"{folder}/a")),
            [path[len(folder) :] for path in sorted(gfile.Glob(f"{folder}/*/*.txt"))],
            gfile.Stat(f"{folder}/c/z.txt").length,
            sorted(top[len(folder) :] for top, _, _ in gfile.Walk(folder)),
        ]
        gfile.Remove(f"{folder}/c/z.txt")
        gfile.DeleteRecursively(f"{folder}/a")
        return [*found, sorted(gfile.ListDirectory(folder))]


# ---- datasets -----------------------------------------------------------------------------


def case_one_shot_iterator(tf):
    ds = tf.compat.v1.data.Dataset.range(3)
    iterator = ds.map(lambda x: x * 2).filter(lambda x: x > 0).make_one_shot_iterator()
    return [iterator.get_next(), iterator.get_next()]


def case_one_shot_iterator_of_any_dataset(tf):
    iterator = tf.compat.v1.data.make_one_shot_iterator(tf.data.Dataset.range(2))
    return [iterator.get_next(), iterator.get_next()]


def case_one_shot_iterator_at_its_end(tf):
    return tf.compat.v1.data.Dataset.range(0).make_one_shot_iterator().get_next()


@raises(RuntimeError)
def case_initializable_iterator(tf):
    return tf.compat.v1.data.Dataset.range(3).make_initializable_iterator()


@raises(RuntimeError)
def case_initializable_iterator_of_any_dataset(tf):
    return tf.compat.v1.data.make_initializable_iterator(tf.data.Dataset.range(3))


def case_output_shapes(tf):
    data = tf.compat.v1.data
    ds = data.Dataset.from_tensors({"a": 1, "b": ("x", [1.0])}).batch(2)
    shapes = [ds.output_shapes["a"], *ds.output_shapes["b"]]
    types = [ds.output_types["a"], *ds.output_types["b"]]
    return [
        [list(shape) for shape in shapes],
        types == [tf.int32, tf.string, tf.float32],
        [str(data.get_output_shapes(ds) == ds.output_shapes)],
    ]


def case_legacy_functions(tf):
    ds = tf.compat.v1.data.Dataset.range(6).map_with_legacy_function(lambda x: x * 2)
    ds = ds.filter_with_legacy_function(lambda x: x > 4)
    batch = tf.compat.v1.data.experimental.map_and_batch_with_legacy_function
    return ds.apply(batch(lambda x: x + 1, 2))


def case_old_datasets_are_datasets(tf):
    data = tf.compat.v1.data
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "x").write_text("a\nb")
        ds = data.TextLineDataset(f"{folder}/x")
        kinds = [isinstance(one, data.Dataset) for one in (ds, ds.take(1), data.Dataset.range(1))]
        return [kinds, list(ds), ds.make_one_shot_iterator().get_next()]
