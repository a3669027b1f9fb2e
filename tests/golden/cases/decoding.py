"""decoding: decode_raw, decode_compressed, base64, JSON, and tensors as byte strings."""

import gzip
import zlib

import numpy as np

from tests.golden.case import each

RAW = {
    "one": (b"\x01\x00\x02\x00", "int16", {}),
    "big_endian": (b"\x01\x00\x02\x00", "int16", {"little_endian": False}),
    "several": ([b"\x01\x00\x02\x00", b"\x03\x00\x04\x00"], "int16", {}),
    "two_axes": ([[b"ab", b"cd"], [b"ef", b"gh"]], "uint8", {}),
    "none": (b"", "int16", {}),
    "shorter": (b"\x01\x00\x02\x00", "int16", {"fixed_length": 2}),
    "longer": ([b"\x01\x00\x02\x00", b"\x07"], "int16", {"fixed_length": 6}),
    "floats": (b"\x00\x00\x80\x3f\x00\x00\x00\xc0", "float32", {}),
    "doubles": (b"\x00" * 8, "float64", {}),
    "halves": (b"\x00\x3c", "float16", {}),
    "flags": (b"\x00\x01\x02", "bool", {}),
    "complex": (b"\x00\x00\x80\x3f\x00\x00\x00\x40", "complex64", {}),
    "complex_big": (b"\x3f\x80\x00\x00\x40\x00\x00\x00", "complex64", {"little_endian": False}),
    "text": (["ab", "cd"], "uint8", {}),
    "not_a_multiple": (b"\x01\x00\x02", "int16", {}),
    "different_lengths": ([b"\x01\x00\x02\x00", b"\x03\x00"], "int16", {}),
    "wrong_fixed_length": (b"\x01\x00", "int16", {"fixed_length": 3}),
    "no_fixed_length": (b"\x01\x00", "int16", {"fixed_length": 0}),
    "strings": (b"\x01\x00", "string", {}),
}


@each(how=list(RAW))
def case_decode_raw(tf, how):
    value, dtype, settings = RAW[how]
    return tf.io.decode_raw(value, getattr(tf, dtype), **settings)


WORDS = np.array([bytes([i, 0] * (i % 4)) for i in range(9)], object)


@each(dtype=["uint8", "int16"], fixed_length=[None, 8, 2])
def case_map_decode_raw(tf, dtype, fixed_length):
    ds = tf.data.Dataset.from_tensor_slices(WORDS)
    return ds.map(lambda w: tf.io.decode_raw(w, getattr(tf, dtype), fixed_length=fixed_length))


GZIPPED = gzip.compress(b"abc", mtime=0)
COMPRESSED = {
    "zlib": (zlib.compress(b"abc"), "ZLIB"),
    "gzip": ([GZIPPED, gzip.compress(b"", mtime=0)], "GZIP"),
    "none": (b"abc", ""),
    "not_zlib": (b"abc", "ZLIB"),
    "unknown": (b"abc", "LZ"),
}


@each(how=list(COMPRESSED))
def case_decode_compressed(tf, how):
    return tf.io.decode_compressed(*COMPRESSED[how])


@each(pad=[False, True])
def case_encode_base64(tf, pad):
    return tf.io.encode_base64([b"a", b"ab", b"abc", b"", b"\xff\xfe a"], pad=pad)


BASE64 = [b"__4gYQ", b"YQ==", b"", b"YR", b"//4g", b"Y", b"Y!==", b"YQ=", b"YQ \n", b"YQ==YQ=="]


@each(number=list(range(len(BASE64))))
def case_decode_base64(tf, number):
    return tf.io.decode_base64(BASE64[number])


def case_map_base64(tf):
    ds = tf.data.Dataset.from_tensor_slices(WORDS)
    return ds.map(lambda word: tf.io.decode_base64(tf.io.encode_base64(word)))


def _feature(kind, values):
    return '{"features": {"feature": {"a": {"KIND": {"value": VALUES}}}}}'.replace(
        "KIND", kind
    ).replace("VALUES", values)


JSON = {
    "integers": _feature("int64List", '["1", 2, 1e2, 3.0]'),
    "floats": _feature("floatList", '[1.5, "NaN", "Infinity", 2, "3.5"]'),
    "bytes": _feature("bytesList", '["YWI=", "_-8", ""]'),
    "snake_case": _feature("int64_list", "[1]"),
    "empty": "{}",
    "null": '{"features": null}',
    "no_values": '{"features": {"feature": {"a": {"int64List": {}}}}}',
    "cut_short": '{"features":',
    "unknown": '{"featuresx": {}}',
    "half": _feature("int64List", "[1.5]"),
    "two_kinds": '{"features": {"feature": {"a": {"int64List": {}, "floatList": {}}}}}',
    "not_base64": _feature("bytesList", '["*"]'),
    "list": "[]",
    "too_large": _feature("floatList", "[1e300]"),
    "twice": '{"features": {"feature": {"a": {}, "a": {}}}}',
}


@each(how=list(JSON))
def case_decode_json_example(tf, how):
    found = tf.io.decode_json_example(JSON[how])
    features = {
        "a": tf.io.VarLenFeature({"floats": tf.float32, "bytes": tf.string}.get(how, tf.int64))
    }
    return tf.io.parse_single_example(found, features)


def case_decode_json_examples(tf):
    found = tf.io.decode_json_example([JSON["integers"], "{}"])
    return tf.io.parse_example(found, {"a": tf.io.VarLenFeature(tf.int64)})


TENSORS = {
    "float32": np.float32([1, 2]),
    "int32_scalar": np.int32(3),
    "int64_matrix": np.array([[1, 2], [3, 4]]),
    "bool": np.array([True, False]),
    "strings": np.array([b"ab", b""], object),
    "string": b"x",
    "text": "text",
    "float16": np.float16([1.5]),
    "float64": np.float64([1.5]),
    "uint8": np.uint8([1]),
    "complex64": np.complex64([1 + 2j]),
    "complex128": np.complex128([1j]),
    "no_rows": np.zeros((0, 3), np.float32),
    "uint64": np.uint64([2**63]),
    "uint32": np.uint32([7]),
    "int8": np.int8([-1]),
    "uint16": np.uint16([9]),
    "int16": np.int16([-9]),
    "list": [1, 2],
    "number": 2.5,
    "flag": True,
}


@each(what=list(TENSORS))
def case_serialize_tensor(tf, what):
    return tf.io.serialize_tensor(TENSORS[what])


@each(what=list(TENSORS))
def case_parse_tensor(tf, what):
    dtypes = {"strings": "string", "text": "string", "list": "int32", "number": "float32"}
    dtypes |= {"int32_scalar": "int32", "int64_matrix": "int64", "no_rows": "float32"}
    dtypes |= {"flag": "bool"}
    dtype = getattr(tf, dtypes.get(what, what))
    return tf.io.parse_tensor(tf.io.serialize_tensor(TENSORS[what]), dtype)


def shape(*lengths):
    dims = b"".join(b"\x12" + bytes([len(d)]) + d for d in (b"\x08" + n for n in lengths))
    return b"\x12" + bytes([len(dims)]) + dims


FLOATS = b"\x00\x00\x80\x3f\x00\x00\x00\x40"
PROTOS = {
    "values": (b"\x08\x01" + shape(b"\x02") + b"\x2a\x08" + FLOATS, "float32"),
    "last_repeated": (b"\x08\x01" + shape(b"\x03") + b"\x2a\x08" + FLOATS, "float32"),
    "no_values": (b"\x08\x01" + shape(b"\x03"), "float32"),
    "too_many": (b"\x08\x01" + shape(b"\x01") + b"\x2a\x08" + FLOATS, "float32"),
    "unpacked": (b"\x08\x01" + shape(b"\x01") + b"\x2d" + FLOATS[:4], "float32"),
    "wrapped": (b"\x08\x05" + shape(b"\x01") + b"\x38\xf0\xa2\x04", "int16"),
    "half": (b"\x08\x13" + shape(b"\x01") + b"\x68\x80\x7c", "float16"),
    "strings": (b"\x08\x07" + shape(b"\x02") + b"\x42\x01a", "string"),
    "complex": (b"\x08\x08" + shape(b"\x01") + b"\x4a\x08" + FLOATS, "complex64"),
    "flags": (b"\x08\x0a" + shape(b"\x02") + b"\x5a\x02\x01\x00", "bool"),
    "another_dtype": (b"\x08\x01" + shape(b"\x02") + b"\x2a\x08" + FLOATS, "int32"),
    "no_proto": (b"abc", "int32"),
    "nothing": (b"", "float32"),
    "short_content": (b"\x08\x01" + shape(b"\x02") + b"\x22\x03abc", "float32"),
    "negative": (b"\x08\x01" + shape(b"\xff" * 9 + b"\x01") + b"\x2a\x04" + FLOATS[:4], "float32"),
    "huge": (b"\x08\x01" + shape(b"\x80\x80\x80\x80\x80\x80\x20"), "float32"),
}


@each(how=list(PROTOS))
def case_parse_tensor_proto(tf, how):
    data, dtype = PROTOS[how]
    return tf.io.parse_tensor(data, getattr(tf, dtype))


def case_map_tensors(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.arange(12.0, dtype=np.float32).reshape(6, 2))
    ds = ds.map(tf.io.serialize_tensor)
    return ds.map(lambda text: tf.ensure_shape(tf.io.parse_tensor(text, tf.float32), [2]) * 2)


def case_parse_several_tensors(tf):
    return tf.io.parse_tensor([tf.io.serialize_tensor(1)], tf.int32)
