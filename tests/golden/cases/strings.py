"""strings: TensorFlow's functions on strings."""

import numpy as np

from tests.golden.case import each, raises

NUMBERS = [
    *("1", "+1", "-1", " 1", "1 ", "\t1\n", "1.5", ".5", "5.", "1e3", "1E3", "1e400", "-1e400"),
    *("1e-400", "1e-45", "inf", "-inf", "Inf", "INFINITY", "nan", "NaN", "nan(1)"),
    *("0x10", "0x1p3", "-0x10", "0X1A", "+inf", "0x1.8p1", "1e+5", "01", "-0", "0.1", "16777217"),
    *("3.4028235e38", "3.4028236e38", "1.7976931348623159e308", "\x0b1", "\x0c1"),
    *("2147483647", "-2147483648", "9223372036854775807", "18446744073709551615"),
    *("0.1000000000000000055511151231257827", "1.00000005960464477540", "8.589973e9"),
]
WHOLE = ["1", "+1", "-1", " 1", "1 ", "\t1\n", "01", "007", "-0", "2147483647", "-2147483648"]
NO_NUMBERS = [
    *("", "  ", "1_0", "1,5", "1e", "e5", "+", "--1", "0b1", "1.5.5", "1\0", "1d", "infin", "in"),
    *("1 2", "1e 5", "- 1", "0x", "٣", "+-1", ".", "0x.p1", "1.e", "nan(", "one"),
]


@each(dtype=["float32", "float64"])
def case_to_number(tf, dtype):
    return tf.strings.to_number(NUMBERS, getattr(tf, dtype))


@each(dtype=["int32", "int64"])
def case_to_whole_number(tf, dtype):
    return tf.strings.to_number(WHOLE, getattr(tf, dtype))


@each(dtype=["uint32", "uint64"])
def case_to_unsigned_number(tf, dtype):
    return tf.strings.to_number(["1", "+1", " 1 ", "007", "4294967295"], getattr(tf, dtype))


@each(number=list(range(len(NO_NUMBERS))))
def case_to_number_refused(tf, number):
    return tf.strings.to_number(NO_NUMBERS[number])


@each(
    text=["1.0", "1e3", "", "0x10", "9223372036854775808", "x", "nan"],
    dtype=["int64", "uint64"],
)
def case_to_whole_number_refused(tf, text, dtype):
    if text == "9223372036854775808":
        text = text + "000"
    return tf.strings.to_number(text, getattr(tf, dtype))


TO_NUMBER = {
    "scalar": lambda tf: tf.strings.to_number("1.5"),
    "bytes": lambda tf: tf.strings.to_number(b"7", tf.int32),
    "rows": lambda tf: tf.strings.to_number([["1", "2"], ["3", "4"]]),
    "ragged": lambda tf: tf.strings.to_number(tf.ragged.constant([["1", "2"], ["3"]])),
    "int32_high": lambda tf: tf.strings.to_number("2147483648", tf.int32),
    "int32_low": lambda tf: tf.strings.to_number("-2147483649", tf.int32),
    "uint32_high": lambda tf: tf.strings.to_number("4294967296", tf.uint32),
    "uint32_minus": lambda tf: tf.strings.to_number("-1", tf.uint32),
    "uint64_minus_0": lambda tf: tf.strings.to_number("-0", tf.uint64),
    "uint64": lambda tf: tf.strings.to_number("18446744073709551615", tf.uint64),
    "int8": lambda tf: tf.strings.to_number("1", tf.int8),
    "float16": lambda tf: tf.strings.to_number("1", tf.float16),
    "number": lambda tf: tf.strings.to_number(3),
    "one_bad": lambda tf: tf.strings.to_number(["1", "x2"]),
    "keyword": lambda tf: tf.strings.to_number(input=["1"], out_type=tf.int64),
    "empty": lambda tf: tf.strings.to_number(tf.zeros([0, 2], tf.string)),
}


@each(name=list(TO_NUMBER))
def case_to_number_of(tf, name):
    return TO_NUMBER[name](tf)


SPACED = ["a b c", "  a  b ", "", "   ", "a\tb\nc\x0bd\x0ce\rf", "a\x1cb", "a\xa0b", "a\u2003b c"]
COMMAS = ["a,b,c", ",a,,b,", "", ",", "a", "é,ü"]


@each(maxsplit=[-2, -1, 0, 1, 2, 10])
def case_split(tf, maxsplit):
    return [
        *(tf.strings.split(text, maxsplit=maxsplit) for text in SPACED),
        tf.strings.split(SPACED, maxsplit=maxsplit),
        *(tf.strings.split(text, ",", maxsplit) for text in COMMAS),
    ]


SPLIT = {
    "long_sep": lambda tf: tf.strings.split("a<>b<><>c", "<>"),
    "empty_sep": lambda tf: tf.strings.split("a b", sep=""),
    "bytes": lambda tf: tf.strings.split(b"a b \xff"),
    "list": lambda tf: tf.strings.split(["a b", "c", ""]),
    "nothing": lambda tf: tf.strings.split(tf.zeros([0], tf.string)),
    "rows": lambda tf: tf.strings.split([["a b", "c"], ["", "d e f"]]),
    "cube": lambda tf: tf.strings.split([[["a b", "c"], ["", "d e f"]]], sep=" "),
    "ragged": lambda tf: tf.strings.split(tf.ragged.constant([["a b", "c"], [""], []])),
    "sep_array": lambda tf: tf.strings.split(["a b"], [","]),
    "number": lambda tf: tf.strings.split(1),
    "bytes_scalar": lambda tf: tf.strings.bytes_split("hé"),
    "bytes_list": lambda tf: tf.strings.bytes_split(["ab", "", "c"]),
    "bytes_rows": lambda tf: tf.strings.bytes_split([["ab"], ["c"]]),
    "bytes_ragged": lambda tf: tf.strings.bytes_split(tf.ragged.constant([["ab"], ["c", ""]])),
}


@each(name=list(SPLIT))
def case_splitting(tf, name):
    return SPLIT[name](tf)


LETTERS = [["a", "b"], ["c", "d"]]


def ragged(tf):
    return tf.ragged.constant([["a", "b"], ["c"], []])


JOIN = {
    "two": lambda tf: tf.strings.join(["a", "b"]),
    "separator": lambda tf: tf.strings.join(["a", "b", "é"], separator="-"),
    "arrays": lambda tf: tf.strings.join(LETTERS),
    "scalar_and_array": lambda tf: tf.strings.join([["a", "b"], "x", ["c", "d"]], "/"),
    "shapes_differ": lambda tf: tf.strings.join([["a", "b"], ["c"]]),
    "nothing": lambda tf: tf.strings.join([]),
    "one": lambda tf: tf.strings.join(["a"]),
    "of_array": lambda tf: tf.strings.join(tf.constant(["a", "b"])),
    "ragged": lambda tf: tf.strings.join([ragged(tf), "x"]),
    "raggeds": lambda tf: tf.strings.join([ragged(tf), "+", ragged(tf)], "-"),
    "ragged_and_array": lambda tf: tf.strings.join([ragged(tf), [["p"], ["q"]]]),
    "numbers": lambda tf: tf.strings.join([1, 2]),
    "rows": lambda tf: tf.strings.join([[["a", "b"]], [["c", "d"]]], "/"),
    "reduce_empty": lambda tf: tf.strings.reduce_join(tf.zeros([0], tf.string)),
    "reduce_empty_rows": lambda tf: tf.strings.reduce_join(tf.zeros([0, 2], tf.string), 0),
    "reduce_scalar": lambda tf: tf.strings.reduce_join("a"),
    "reduce_twice": lambda tf: tf.strings.reduce_join(LETTERS, [0, 0]),
    "reduce_ragged": lambda tf: tf.strings.reduce_join(ragged(tf), separator="-"),
    "reduce_ragged_0": lambda tf: tf.strings.reduce_join(ragged(tf), 0, separator="-"),
    "reduce_ragged_1": lambda tf: tf.strings.reduce_join(ragged(tf), 1, separator="-"),
    "reduce_ragged_last": lambda tf: tf.strings.reduce_join(ragged(tf), -1, separator="-"),
    "reduce_ragged_both": lambda tf: tf.strings.reduce_join(ragged(tf), [0, 1], separator="-"),
    "reduce_ragged_kept": lambda tf: tf.strings.reduce_join(ragged(tf), 1, keepdims=True),
    "segments": lambda tf: tf.strings.unsorted_segment_join(["a", "b", "c"], [0, 1, 0], 2),
    "segments_sep": lambda tf: tf.strings.unsorted_segment_join(
        ["a", "b", "c"], [0, 1, 0], 3, separator="-"
    ),
    "segments_rows": lambda tf: tf.strings.unsorted_segment_join(LETTERS, [0, 0], 1, separator=":"),
    "segments_cells": lambda tf: tf.strings.unsorted_segment_join(
        LETTERS, [[0, 1], [1, 0]], 2, separator=":"
    ),
    "segments_wide": lambda tf: tf.strings.unsorted_segment_join(
        [["a", "b", "c"], ["d", "e", "f"]], [1, 0], 2, separator=":"
    ),
    "segments_negative": lambda tf: tf.strings.unsorted_segment_join(["a"], [-1], 2),
    "segments_high": lambda tf: tf.strings.unsorted_segment_join(["a"], [5], 2),
    "segments_few": lambda tf: tf.strings.unsorted_segment_join(["a", "b"], [0], 2),
    "segments_scalar": lambda tf: tf.strings.unsorted_segment_join("a", 0, 2),
    "segments_nothing": lambda tf: tf.strings.unsorted_segment_join(
        tf.zeros([0], tf.string), tf.zeros([0], tf.int32), 2
    ),
}


@each(name=list(JOIN))
def case_join(tf, name):
    return JOIN[name](tf)


@each(axis=[None, 0, 1, -1, [0, 1], [1, 0], []], keepdims=[False, True])
def case_reduce_join(tf, axis, keepdims):
    return tf.strings.reduce_join(LETTERS, axis, keepdims=keepdims, separator=".")


@raises(ValueError)
@each(axis=[-3, 2])
def case_reduce_join_no_axis(tf, axis):
    return tf.strings.reduce_join(LETTERS, axis)


CASED = ["ABC éÉ ß", "İ ǅ ΑΣ ΑΣ.", "ﬁ", "I\u0307", "", "ÀÖ×ÿ"]


@each(encoding=["", "utf-8"], way=["lower", "upper"])
def case_cased(tf, encoding, way):
    return getattr(tf.strings, way)(CASED, encoding=encoding)


CHANGED = {
    "lower_scalar": lambda tf: tf.strings.lower("AbC"),
    "lower_rows": lambda tf: tf.strings.lower(np.array([["A", "B"]], object)),
    "lower_bytes": lambda tf: tf.strings.lower(b"\xffA\xc3"),
    "lower_bad_utf8": lambda tf: tf.strings.lower(b"\xff\xc3A", encoding="utf-8"),
    "lower_ragged": lambda tf: tf.strings.lower(tf.ragged.constant([["AB"], ["C", "D"]])),
    "lower_empty": lambda tf: tf.strings.lower(tf.zeros([0, 3], tf.string)),
    "lower_encoding": lambda tf: tf.strings.lower("A", encoding="UTF-8"),
    "upper_encoding": lambda tf: tf.strings.upper("A", encoding="latin1"),
    "upper_number": lambda tf: tf.strings.upper(3),
    "strip": lambda tf: tf.strings.strip(
        ["  a b\n\t\x0b\x0c\r", "\x1ca", "\x00a", "\xa0a\xa0", "\x85a", "", " \n "]
    ),
    "strip_scalar": lambda tf: tf.strings.strip(b" x "),
    "strip_ragged": lambda tf: tf.strings.strip(tf.ragged.constant([[" a"], []])),
}


@each(name=list(CHANGED))
def case_changed(tf, name):
    return CHANGED[name](tf)


MEASURED = ["abc", "é", "日本", b"\xff\x80a", b"\x80\x80", b"\xf0\x9f", ""]


@each(unit=["BYTE", "UTF8_CHAR"])
def case_length(tf, unit):
    return tf.strings.length(MEASURED, unit=unit)


LENGTH = {
    "scalar": lambda tf: tf.strings.length("abc"),
    "ragged": lambda tf: tf.strings.length(tf.ragged.constant([["AB"], ["C", "D"]])),
    "unit": lambda tf: tf.strings.length("a", unit="byte"),
    "rows": lambda tf: tf.strings.length([["a", "bc"]]),
}


@each(name=list(LENGTH))
def case_length_of(tf, name):
    return LENGTH[name](tf)


PLACES = [(0, 2), (1, 3), (-2, 2), (-2, 1), (2, 100), (5, 1), (-5, 5), (0, -1), (1, -2), (0, 0)]


@each(unit=["BYTE", "UTF8_CHAR"])
def case_substr(tf, unit):
    texts = ["hello", b"h\xc3\xa9\xc3\xa9\xe6\x97\xa5\xe6\x9c\xac"]
    return [tf.strings.substr(text, pos, size, unit=unit) for text in texts for pos, size in PLACES]


@each(batch=[None, 1, 2], rest=[False, True], pos=[1, [0, 1], [[0], [1], [2]]])
def case_substr_spec(tf, batch, rest, pos):
    ds = tf.data.Dataset.from_tensor_slices(["hello", "world"])
    ds = ds if batch is None else ds.batch(batch, drop_remainder=not rest)
    return ds.map(lambda text: tf.strings.substr(text, pos, np.ones_like(pos)))


@each(unit=["BYTE", "UTF8_CHAR"], pos=[6, -6, -100])
def case_substr_outside(tf, unit, pos):
    return tf.strings.substr("hello", pos, 1, unit=unit)


SUBSTR = {
    "each": lambda tf: tf.strings.substr(["hello", "world"], [0, 1], [2, 3]),
    "all": lambda tf: tf.strings.substr(["hello", "world"], 1, 2),
    "one": lambda tf: tf.strings.substr("hello", [0, 1, 2], [1, 1, 1]),
    "grid": lambda tf: tf.strings.substr([["hello"], ["world"]], [0, 1, 2], [1, 1, 1]),
    "shapes": lambda tf: tf.strings.substr(["hello", "world"], [0, 1], 2),
    "int64": lambda tf: tf.strings.substr(["hello"], np.int64(1), np.int64(2)),
    "ragged": lambda tf: tf.strings.substr(tf.ragged.constant([["AB"], ["C", "D"]]), 0, 1),
    "one_short": lambda tf: tf.strings.substr(["hello", "w"], 3, 1),
    "bad_utf8": lambda tf: tf.strings.substr(b"a\xffb\x80c", 1, 2, unit="UTF8_CHAR"),
    "str": lambda tf: tf.strings.substr("héé日本", 1, 3, unit="UTF8_CHAR"),
    "str_bytes": lambda tf: tf.strings.substr("héé日本", 1, 4),
    "unit": lambda tf: tf.strings.substr("a", 0, 1, unit="CHAR"),
}


@each(name=list(SUBSTR))
def case_substr_of(tf, name):
    return SUBSTR[name](tf)
