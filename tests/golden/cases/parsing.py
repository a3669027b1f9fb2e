"""parsing: tf.train's messages, and parse_example and its kin on them."""

import numpy as np

from tests.golden.case import each, may_accept


def feature(tf, values):
    """A Feature of the kind of its values; None is one that is not set."""
    train = tf.train
    if values is None or isinstance(values, train.Feature):
        return values or train.Feature()
    if values and isinstance(values[0], bytes):
        return train.Feature(bytes_list=train.BytesList(value=values))
    if values and isinstance(values[0], float):
        return train.Feature(float_list=train.FloatList(value=values))
    return train.Feature(int64_list=train.Int64List(value=values))


def record(tf, **values):
    features = {name: feature(tf, value) for name, value in values.items()}
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def sequence(tf, context=None, **lists):
    train = tf.train
    context = {name: feature(tf, value) for name, value in (context or {}).items()}
    found = {
        name: train.FeatureList(feature=[feature(tf, step) for step in steps])
        for name, steps in lists.items()
    }
    return train.SequenceExample(
        context=train.Features(feature=context),
        feature_lists=train.FeatureLists(feature_list=found),
    ).SerializeToString()


def records(tf):
    return [
        record(tf, x=[1.0, 2.0], i=[1, 2, -3], s=[b"a", b"b\x00c"], one=[7], t=[b"q"]),
        record(tf, x=[3.5, -0.0], i=[], s=[b"d"], one=[-(2**63)], t=[b""]),
        record(tf, x=[float("inf"), 1e-30], one=[2**63 - 1], t=[b"\xff\xfe"]),
    ]


SPECS = {
    "fixed": lambda io, tf: {
        "x": io.FixedLenFeature([2], tf.float32),
        "one": io.FixedLenFeature([], tf.int64),
        "t": io.FixedLenFeature([], tf.string),
    },
    "fixed_reshaped": lambda io, tf: {
        "x": io.FixedLenFeature([2, 1], tf.float32),
        "one": io.FixedLenFeature((1,), tf.int64),
        "t": io.FixedLenFeature([1, 1], tf.string),
    },
    "defaults": lambda io, tf: {
        "p": io.FixedLenFeature([], tf.float32, default_value=0.5),
        "q": io.FixedLenFeature([2], tf.int64, default_value=[4, -5]),
        "r": io.FixedLenFeature([2], tf.string, default_value=["a", b"b"]),
        "u": io.FixedLenFeature([], tf.string, default_value=""),
    },
    "varying": lambda io, tf: {
        "i": io.VarLenFeature(tf.int64),
        "s": io.VarLenFeature(tf.string),
        "x": io.VarLenFeature(tf.float32),
        "none": io.VarLenFeature(tf.int64),
    },
    "sequences": lambda io, tf: {
        "i": io.FixedLenSequenceFeature([], tf.int64, allow_missing=True, default_value=-1),
        "s": io.FixedLenSequenceFeature([], tf.string, allow_missing=True),
        "x": io.FixedLenSequenceFeature([2], tf.float32, allow_missing=True),
        "none": io.FixedLenSequenceFeature([3], tf.float32, allow_missing=True),
    },
    "ragged": lambda io, tf: {
        "i": io.RaggedFeature(tf.int64),
        "s": io.RaggedFeature(tf.string, row_splits_dtype=tf.int64),
        "y": io.RaggedFeature(tf.float32, value_key="x"),
        "none": io.RaggedFeature(tf.float32),
    },
    "wrong_dtype": lambda io, tf: {"x": io.FixedLenFeature([2], tf.int64)},
    "wrong_dtype_varying": lambda io, tf: {"x": io.VarLenFeature(tf.int64)},
    "wrong_dtype_ragged": lambda io, tf: {"x": io.RaggedFeature(tf.string)},
    "wrong_count": lambda io, tf: {"x": io.FixedLenFeature([], tf.float32)},
    "wrong_multiple": lambda io, tf: {
        "i": io.FixedLenSequenceFeature([2], tf.int64, allow_missing=True)
    },
    "missing": lambda io, tf: {"y": io.FixedLenFeature([2], tf.float32)},
    "empty_is_not_missing": lambda io, tf: {"i": io.FixedLenFeature([], tf.int64, 3)},
    "unknown_length": lambda io, tf: {"x": io.FixedLenFeature([None], tf.float32)},
    "no_shape": lambda io, tf: {"x": io.FixedLenFeature(None, tf.float32)},
    "no_dtype": lambda io, tf: {"x": io.FixedLenFeature([2], None)},
    "no_dtype_varying": lambda io, tf: {"x": io.VarLenFeature(None)},
    "default_too_long": lambda io, tf: {"y": io.FixedLenFeature([2], tf.float32, [1.0, 2.0, 3.0])},
    "default_too_short": lambda io, tf: {"y": io.FixedLenFeature([2], tf.float32, 1.0)},
    "default_of_another_dtype": lambda io, tf: {"y": io.FixedLenFeature([], tf.int64, 1.5)},
    "not_allowed_to_miss": lambda io, tf: {"i": io.FixedLenSequenceFeature([], tf.int64)},
    "two_dtypes": lambda io, tf: {
        "i": io.RaggedFeature(tf.int64),
        "j": io.RaggedFeature(tf.float32, value_key="i"),
    },
    "sparse_and_ragged": lambda io, tf: {
        "i": io.VarLenFeature(tf.int64),
        "j": io.RaggedFeature(tf.int64, value_key="i"),
    },
    "dense_and_ragged": lambda io, tf: {
        "x": io.FixedLenFeature([2], tf.float32),
        "j": io.RaggedFeature(tf.float32, value_key="x"),
    },
    "nothing": lambda io, tf: {},
    "no_feature": lambda io, tf: {"x": 3},
}
RIGHT = ["fixed", "fixed_reshaped", "defaults", "varying", "sequences", "ragged"]


@each(spec=list(SPECS))
def case_parse_example(tf, spec):
    return tf.io.parse_example(records(tf), SPECS[spec](tf.io, tf))


@each(spec=list(SPECS))
def case_parse_single_example(tf, spec):
    return tf.io.parse_single_example(records(tf)[0], SPECS[spec](tf.io, tf))


@each(spec=RIGHT)
def case_parse_single_example_of_nothing_but_what_is_needed(tf, spec):
    return tf.io.parse_single_example(records(tf)[2], SPECS[spec](tf.io, tf))


@each(spec=RIGHT)
def case_parse_example_of_one_by_itself(tf, spec):
    return tf.io.parse_example(records(tf)[1], SPECS[spec](tf.io, tf))


@each(spec=RIGHT)
def case_parse_example_of_none(tf, spec):
    return tf.io.parse_example(np.array([], "S1"), SPECS[spec](tf.io, tf))


def dataset(tf):
    return tf.data.Dataset.from_tensor_slices(np.array(records(tf) * 3, object))


@each(spec=RIGHT)
def case_map_parse_single_example(tf, spec):
    features = SPECS[spec](tf.io, tf)
    return dataset(tf).map(lambda text: tf.io.parse_single_example(text, features))


@each(spec=["fixed", "fixed_reshaped", "defaults", "varying"])
def case_map_parse_single_example_and_batch(tf, spec):
    features = SPECS[spec](tf.io, tf)
    return dataset(tf).map(lambda text: tf.io.parse_single_example(text, features)).batch(4)


@each(spec=RIGHT)
def case_batch_and_map_parse_example(tf, spec):
    features = SPECS[spec](tf.io, tf)
    return dataset(tf).batch(2).map(lambda texts: tf.io.parse_example(texts, features))


def case_parsed_and_cast(tf):
    features = SPECS["fixed"](tf.io, tf)

    def fn(text):
        found = tf.io.parse_single_example(text, features)
        return tf.reshape(found["x"], [1, 2]) * 2.0, tf.cast(found["one"], tf.int32), found["t"]

    return dataset(tf).map(fn)


@each(spec=["wrong_dtype", "wrong_count", "missing"])
def case_map_parse_fails(tf, spec):
    features = SPECS[spec](tf.io, tf)
    return dataset(tf).map(lambda text: tf.io.parse_single_example(text, features))


# ---- partitions and sparse features -----------------------------------------------


def rows(tf):
    return [
        record(
            tf,
            v=[1, 2, 3, 4],
            splits=[0, 1, 4],
            lengths=[1, 3],
            starts=[0, 1],
            limits=[1, 4],
            ids=[0, 1, 1, 1],
            outer=[0, 2],
            place=[3, 1, 0],
            w=[1.0, 2.0, 3.0],
        ),
        record(
            tf,
            v=[5, 6],
            splits=[0, 0, 2],
            lengths=[0, 2],
            starts=[0, 0],
            limits=[0, 2],
            ids=[1, 1],
            outer=[0, 1, 2],
            place=[2, 2],
            w=[5.0, 6.0],
        ),
    ]


PARTITIONS = {
    "splits": lambda r: [r.RowSplits("splits")],
    "lengths": lambda r: [r.RowLengths("lengths")],
    "starts": lambda r: [r.RowStarts("starts")],
    "limits": lambda r: [r.RowLimits("limits")],
    "ids": lambda r: [r.ValueRowIds("ids")],
    "uniform": lambda r: [r.UniformRowLength(2)],
    "uniform_twice": lambda r: [r.UniformRowLength(1), r.UniformRowLength(2)],
    "nested": lambda r: [r.RowSplits("outer"), r.RowLengths("lengths")],
    "uniform_inside": lambda r: [r.RowLengths("lengths"), r.UniformRowLength(1)],
    "uniform_outside": lambda r: [r.UniformRowLength(1), r.RowLengths("lengths")],
    "wrong": lambda r: [r.RowLengths("splits")],
    "text": lambda r: ["lengths"],
}


@each(how=list(PARTITIONS), single=[False, True])
def case_partitions(tf, how, single):
    ragged = tf.io.RaggedFeature
    parts = PARTITIONS[how](ragged)
    features = {"r": ragged(tf.int64, value_key="v", partitions=parts, validate=True)}
    parse = tf.io.parse_single_example if single else tf.io.parse_example
    return parse(rows(tf)[0] if single else rows(tf), features)


SPARSE = {
    "one": ("place", "w", 5),
    "sorted": ("place", "w", 5, True),
    "two_axes": (["place", "place"], "w", [5, 6]),
    "list_of_one": (["place"], "w", [5]),
    "too_large": ("place", "w", 2),
    "different_counts": ("place", "v", 5),
    "no_value_key": ("place", "", 5),
}


@each(how=list(SPARSE), single=[False, True])
def case_sparse_feature(tf, how, single):
    index, value, size, *rest = SPARSE[how]
    dtype = tf.int64 if value == "v" else tf.float32
    features = {"r": tf.io.SparseFeature(index, value, dtype, size, *rest)}
    parse = tf.io.parse_single_example if single else tf.io.parse_example
    return parse(rows(tf)[0] if single else rows(tf), features)


def case_sparse_feature_beside_its_values(tf):
    features = {
        "r": tf.io.SparseFeature("place", "w", tf.float32, 5),
        "w": tf.io.VarLenFeature(tf.float32),
    }
    return tf.io.parse_example(rows(tf), features)


# ---- sequences ----------------------------------------------------------------------


def sequences(tf):
    return [
        sequence(
            tf,
            {"c": [1], "v": [b"a", b"b"]},
            x=[[1.0, 2.0], [3.0, 4.0]],
            i=[[1, 2, 3], [], [4]],
            s=[[b"a"], [b"b", b"c"]],
            gap=[[1], None, [2]],
        ),
        sequence(tf, {"c": [2]}, x=[[5.0, 6.0]], i=[[7]], s=[], gap=[]),
    ]


LISTS = {
    "context": lambda io, tf: (
        {
            "c": io.FixedLenFeature([], tf.int64),
            "v": io.VarLenFeature(tf.string),
            "d": io.FixedLenFeature([2], tf.float32, [1.0, 2.0]),
        },
        None,
    ),
    "ragged_context": lambda io, tf: (
        {"v": io.RaggedFeature(tf.string)},
        {"i": io.RaggedFeature(tf.int64), "s": io.RaggedFeature(tf.string, None, (), tf.int64)},
    ),
    "steps": lambda io, tf: (None, {"x": io.FixedLenSequenceFeature([2], tf.float32)}),
    "steps_of_strings": lambda io, tf: (
        None,
        {"s": io.RaggedFeature(tf.string), "none": io.RaggedFeature(tf.int64)},
    ),
    "empty_is_not_missing": lambda io, tf: (
        None,
        {"x": io.FixedLenSequenceFeature([2], tf.float32, allow_missing=True)},
    ),
    "varying": lambda io, tf: (
        None,
        {"i": io.VarLenFeature(tf.int64), "s": io.VarLenFeature(tf.string)},
    ),
    "missing_but_allowed": lambda io, tf: (
        None,
        {
            "q": io.FixedLenSequenceFeature([3], tf.float32, allow_missing=True),
            "p": io.VarLenFeature(tf.float32),
        },
    ),
    "gaps": lambda io, tf: (None, {"gap": io.VarLenFeature(tf.int64)}),
    "ragged_gaps": lambda io, tf: (None, {"gap": io.RaggedFeature(tf.int64)}),
    "uniform": lambda io, tf: (
        None,
        {"i": io.RaggedFeature(tf.int64, None, [io.RaggedFeature.UniformRowLength(1)])},
    ),
    "same_name": lambda io, tf: (
        {"c": io.FixedLenFeature([], tf.int64)},
        {"c": io.VarLenFeature(tf.int64)},
    ),
    "wrong_count": lambda io, tf: (None, {"x": io.FixedLenSequenceFeature([], tf.float32)}),
    "wrong_dtype": lambda io, tf: (None, {"x": io.FixedLenSequenceFeature([2], tf.int64)}),
    "wrong_dtype_varying": lambda io, tf: (None, {"x": io.VarLenFeature(tf.int64)}),
    "missing": lambda io, tf: (None, {"q": io.FixedLenSequenceFeature([], tf.float32)}),
    "missing_in_context": lambda io, tf: ({"q": io.FixedLenFeature([], tf.int64)}, None),
    "fixed_gaps": lambda io, tf: (None, {"gap": io.FixedLenSequenceFeature([], tf.int64)}),
    "default": lambda io, tf: (
        None,
        {"q": io.FixedLenSequenceFeature([], tf.float32, True, 3.0)},
    ),
    "fixed_list": lambda io, tf: (None, {"x": io.FixedLenFeature([2], tf.float32)}),
    "sequence_in_context": lambda io, tf: (
        {"v": io.FixedLenSequenceFeature([], tf.string, allow_missing=True)},
        None,
    ),
    "sparse_in_context": lambda io, tf: ({"c": io.SparseFeature("c", "c", tf.int64, 3)}, None),
    "nothing": lambda io, tf: (None, None),
}
RIGHT_LISTS = list(LISTS)[:11]


@each(spec=list(LISTS))
def case_parse_sequence_example(tf, spec):
    context, lists = LISTS[spec](tf.io, tf)
    return tf.io.parse_sequence_example(sequences(tf), context, lists)


@each(spec=list(LISTS))
def case_parse_single_sequence_example(tf, spec):
    context, lists = LISTS[spec](tf.io, tf)
    return tf.io.parse_single_sequence_example(sequences(tf)[0], context, lists)


@each(spec=["context", "steps", "varying", "ragged_context"])
def case_map_parse_single_sequence_example(tf, spec):
    context, lists = LISTS[spec](tf.io, tf)
    ds = tf.data.Dataset.from_tensor_slices(np.array(sequences(tf) * 3, object))
    return ds.map(lambda text: tf.io.parse_single_sequence_example(text, context, lists))


@each(spec=["context", "steps", "varying", "ragged_context"])
def case_batch_and_map_parse_sequence_example(tf, spec):
    context, lists = LISTS[spec](tf.io, tf)
    ds = tf.data.Dataset.from_tensor_slices(np.array(sequences(tf) * 3, object)).batch(4)
    return ds.map(lambda texts: tf.io.parse_sequence_example(texts, context, lists))


# ---- the wire ------------------------------------------------------------------------


def delimited(number, body):
    assert len(body) < 128
    return bytes([number << 3 | 2, len(body)]) + body


def entry(key, value):
    return delimited(1, delimited(1, key) + delimited(2, value))


def ints(*values):
    return delimited(3, delimited(1, bytes(values)))


WIRE = {
    "twice": delimited(1, entry(b"a", ints(1)) + entry(b"a", ints(2))),
    "twice_then_empty": delimited(1, entry(b"a", ints(1)) + entry(b"a", b"")),
    "twice_first_of_another_kind": delimited(1, entry(b"a", b"\x0a\x00") + entry(b"a", ints(5))),
    "features_twice": delimited(1, entry(b"a", ints(1))) + delimited(1, entry(b"b", ints(2))),
    "value_before_key": delimited(1, delimited(1, delimited(2, ints(5)) + delimited(1, b"a"))),
    "unknown_fields": b"\x12\x01z" + delimited(1, entry(b"a", ints(1))) + b"\x18\x05",
    "not_packed": delimited(1, entry(b"a", delimited(3, b"\x08\x07"))),
    "broken_but_not_wanted": delimited(1, entry(b"a", ints(1)) + entry(b"c", b"\xff")),
    "cut_short": delimited(1, entry(b"a", ints(1)))[:-1],
    "no_message": b"\x0f\x0f\x0f",
}
PIECES = {
    "unknown_in_entry": delimited(
        1, delimited(1, delimited(1, b"a") + delimited(2, ints(5)) + b"\x18\x01")
    ),
    "list_twice": delimited(1, entry(b"a", ints() + ints(2))),
    "two_kinds": delimited(1, entry(b"a", b"\x0a\x00" + ints(2))),
    "two_pieces": delimited(1, entry(b"a", delimited(3, b"\x0a\x00\x0a\x01\x02"))),
}


@each(how=list(WIRE), single=[False, True])
def case_wire(tf, how, single):
    features = {"a": tf.io.FixedLenFeature([], tf.int64)}
    if single:
        return tf.io.parse_single_example(WIRE[how], features)
    return tf.io.parse_example([WIRE[how]], features)


# Protobuf reads these, and so does Feedline; TensorFlow's own parser does not.
@may_accept
@each(how=list(PIECES))
def case_wire_in_pieces(tf, how):
    return tf.io.parse_example([PIECES[how]], {"a": tf.io.FixedLenFeature([], tf.int64)})
