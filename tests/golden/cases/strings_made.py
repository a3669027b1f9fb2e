"""strings_made: buckets, numbers as text, ngrams and characters."""

import numpy as np

from tests.golden.case import each, may_accept

TEXTS = ["", "a", "hello", "hello world, this is 23", "é" * 20, *("x" * n for n in (64, 65, 200))]

HASHED = {
    "plain": lambda tf: tf.strings.to_hash_bucket(TEXTS, 2**40),
    "fast": lambda tf: tf.strings.to_hash_bucket_fast(TEXTS, 2**40),
    "strong": lambda tf: tf.strings.to_hash_bucket_strong(TEXTS, 2**40, [1, 2]),
    "strong_negative": lambda tf: tf.strings.to_hash_bucket_strong(TEXTS, 1000, [-1, 2]),
    "strong_three": lambda tf: tf.strings.to_hash_bucket_strong(TEXTS, 1000, [1, 2, 3]),
    "no_buckets": lambda tf: tf.strings.to_hash_bucket_fast(TEXTS, 0),
    "one_bucket": lambda tf: tf.strings.to_hash_bucket_fast(TEXTS, 1),
    "ragged": lambda tf: tf.strings.to_hash_bucket_fast(
        tf.ragged.constant([["a"], ["b", "c"]]), 100
    ),
    "scalar": lambda tf: tf.strings.to_hash_bucket_fast("a", 100),
    "number": lambda tf: tf.strings.to_hash_bucket_fast(5, 100),
    "bytes": lambda tf: tf.strings.to_hash_bucket(np.array([[b"\xff\x00"]], object), 100),
}


@each(name=list(HASHED))
def case_hashed(tf, name):
    return HASHED[name](tf)


VALUES = {
    "int": [1, -5, 0],
    "int64": np.array([2**40, -(2**63)]),
    "uint8": np.array([7, 200], np.uint8),
    "uint64": np.array([2**64 - 1], np.uint64),
    "int8": np.array([-3], np.int8),
    "bool": [True, False],
    "float32": np.array(
        [1.5, 1e10, 1e-10, 0.1, 1 / 3, -0.0, 123456789, 1e-5, 1234567, np.inf, -np.inf, np.nan],
        np.float32,
    ),
    "float64": np.array([1.5, 0.1, 1 / 3, 1e22, -2.5e-7, 2.5, 3.5, 1e300]),
    "float16": np.array([0.1, 65504], np.float16),
    "complex64": np.array([1 + 2j], np.complex64),
    "complex128": np.array([1 / 3 - 2j, -0.0 + 1j]),
    "str": ["abc", "x", ""],
    "bytes": [b"\xff\x00b"],
}
STYLES = {
    "plain": {},
    "three": {"precision": 3},
    "none": {"precision": 0},
    "scientific": {"scientific": True},
    "shortest": {"shortest": True},
    "shortest_three": {"shortest": True, "precision": 3},
    "wide": {"width": 12},
    "zeros": {"width": 12, "fill": "0"},
    "left": {"width": 12, "fill": "-"},
    "sign": {"width": 12, "fill": "+"},
    "space": {"fill": " "},
    "left_two": {"width": 12, "fill": "-", "precision": 2},
    "zeros_two": {"width": 9, "fill": "0", "precision": 2},
    "both": {"scientific": True, "shortest": True},
    "long_fill": {"width": 4, "fill": "ab"},
    "odd_fill": {"width": 4, "fill": "x"},
    "no_width": {"width": -2, "fill": "0"},
    "negative": {"precision": -3},
}


@each(style=list(STYLES), value=list(VALUES))
def case_as_string(tf, style, value):
    return tf.strings.as_string(VALUES[value], **STYLES[style])


AS_STRING = {
    "top_level": lambda tf: tf.as_string([1, 2]),
    "rows": lambda tf: tf.strings.as_string([[1, 2], [3, 4]]),
    "scalar": lambda tf: tf.strings.as_string(1.25),
    "ragged": lambda tf: tf.strings.as_string(tf.ragged.constant([[1], [2, 3]])),
    "ragged_float": lambda tf: tf.strings.as_string(
        tf.ragged.constant([[1.5], [2.0, 3.25]]), precision=1
    ),
    "text": lambda tf: tf.strings.as_string("a"),
}


@each(name=list(AS_STRING))
def case_as_string_of(tf, name):
    return AS_STRING[name](tf)


FORMATTED = {
    "two": lambda tf: tf.strings.format("{} {}", (1, "a")),
    "range": lambda tf: tf.strings.format("x: {}", (tf.range(10),)),
    "rows": lambda tf: tf.strings.format("{}", (tf.reshape(tf.range(100), (10, 10)),)),
    "all": lambda tf: tf.strings.format("{}", (tf.range(10),), summarize=-1),
    "strings": lambda tf: tf.strings.format("{}", (tf.constant(["a", "b"]),)),
    "floats": lambda tf: tf.strings.format("{}", (tf.constant([1.5, 1 / 3, 1e10, 1e-10]),)),
    "doubles": lambda tf: tf.strings.format("{}", (np.array([1 / 3, 1e22]),)),
    "bools": lambda tf: tf.strings.format("{}", (np.array([True, False]),)),
    "list": lambda tf: tf.strings.format("{}", [[1, 2]]),
    "mismatch": lambda tf: tf.strings.format("{} {}", (1,)),
    "too_many": lambda tf: tf.strings.format("{}", (1, 2)),
    "placeholder": lambda tf: tf.strings.format("%s and {}", (1,), placeholder="%s"),
    "ragged": lambda tf: tf.strings.format("{}", (tf.ragged.constant([[1], [2, 3]]),)),
    "cube": lambda tf: tf.strings.format("{}", (tf.reshape(tf.range(24), (2, 3, 4)),)),
    "empty": lambda tf: tf.strings.format("{}", (tf.zeros([0], tf.int32),)),
    "nan": lambda tf: tf.strings.format("{}", (tf.constant([float("nan"), float("inf")]),)),
    "nothing": lambda tf: tf.strings.format("abc", ()),
    "escaped": lambda tf: tf.strings.format("{}", (tf.constant(['a\n"', "\t\\'"]),)),
    "rows_of_two": lambda tf: tf.strings.format(
        "{}", (tf.reshape(tf.range(100), (10, 10)),), summarize=2
    ),
    "uint8": lambda tf: tf.strings.format("{}", (tf.constant([200, 1], tf.uint8),)),
    "six": lambda tf: tf.strings.format("{}", (tf.range(6),)),
    "seven": lambda tf: tf.strings.format("{}", (tf.range(7),)),
}


@each(name=list(FORMATTED))
def case_formatted(tf, name):
    return FORMATTED[name](tf)


@may_accept
def case_format_of_a_number(tf):
    return tf.strings.format("{}", 1)


WORDS = ["a", "b", "c", "d"]


def ragged(tf):
    return tf.ragged.constant([["a"], [], ["b", "c", "d"]])


NGRAMS = {
    "two": lambda tf: tf.strings.ngrams(WORDS, 2),
    "separator": lambda tf: tf.strings.ngrams(WORDS, 2, separator="-"),
    "one_two": lambda tf: tf.strings.ngrams(WORDS, [1, 2]),
    "two_one": lambda tf: tf.strings.ngrams(WORDS, (2, 1)),
    "rows": lambda tf: tf.strings.ngrams([WORDS, WORDS], 2),
    "cube": lambda tf: tf.strings.ngrams([[WORDS, WORDS]], 2),
    "ragged": lambda tf: tf.strings.ngrams(ragged(tf), 2),
    "ragged_twice": lambda tf: tf.strings.ngrams(
        tf.ragged.constant([[["a", "b"], ["c"]], [[]]]), 2
    ),
    "pad": lambda tf: tf.strings.ngrams(WORDS, 3, pad_values="X"),
    "pads": lambda tf: tf.strings.ngrams(WORDS, 3, pad_values=("L", "R")),
    "pads_one": lambda tf: tf.strings.ngrams(WORDS, 3, pad_values=("L", "R"), padding_width=1),
    "pads_many": lambda tf: tf.strings.ngrams(WORDS, 3, pad_values=("L", "R"), padding_width=5),
    "width_alone": lambda tf: tf.strings.ngrams(WORDS, 3, padding_width=1),
    "short": lambda tf: tf.strings.ngrams(["a"], 3),
    "short_kept": lambda tf: tf.strings.ngrams(["a"], 3, preserve_short_sequences=True),
    "ragged_short": lambda tf: tf.strings.ngrams(ragged(tf), 3, preserve_short_sequences=True),
    "ragged_short_2_3": lambda tf: tf.strings.ngrams(
        ragged(tf), [2, 3], preserve_short_sequences=True
    ),
    "ragged_short_pads": lambda tf: tf.strings.ngrams(
        ragged(tf), [4], pad_values=("L", "R"), padding_width=1, preserve_short_sequences=True
    ),
    "ragged_pads": lambda tf: tf.strings.ngrams(ragged(tf), 2, pad_values=("L", "R")),
    "zero": lambda tf: tf.strings.ngrams(WORDS, 0),
    "no_width": lambda tf: tf.strings.ngrams(WORDS, []),
    "scalar": lambda tf: tf.strings.ngrams("a", 1),
    "pad_zero": lambda tf: tf.strings.ngrams(WORDS, 2, pad_values="X", padding_width=0),
    "one_pad": lambda tf: tf.strings.ngrams(WORDS, 1, pad_values="X"),
}


@each(name=list(NGRAMS))
def case_ngrams(tf, name):
    return NGRAMS[name](tf)


ENCODED = [
    *("héllo", "", b"a\xffb", b"\xc3", b"\xe6\x97", "日本", "a\0b\x01\n", "\U0001f600"),
    *(b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\x80", b"\xf8\x88\x80\x80\x80", b"\xe6\x97a"),
    *(
        b"\xf4\x90\x80\x80",
        b"\x80\x80",
        b"\xe0\x80\x80",
        b"a\xf0\x9fb",
        b"\xc3\xc3\xa9",
        b"\xfe\xff",
    ),
]


@each(errors=["replace", "ignore"])
def case_decoded(tf, errors):
    made = []
    for text in ENCODED:
        made.append(tf.strings.unicode_decode(text, "UTF-8", errors))
        made.append(tf.strings.unicode_split(text, "UTF-8", errors))
        made.append(tf.strings.unicode_transcode(text, "UTF-8", "UTF-8", errors))
    return made


@each(errors=["replace", "ignore"])
def case_decoded_with_offsets(tf, errors):
    texts = [text.encode() if isinstance(text, str) else text for text in ENCODED]
    return [
        *tf.strings.unicode_decode_with_offsets(texts, "UTF-8", errors),
        *tf.strings.unicode_split_with_offsets(texts, "UTF-8", errors),
        *tf.strings.unicode_decode_with_offsets("aéb", "UTF-8"),
    ]


@each(text=[b"a\xffb", b"\xc3", b"\xed\xa0\x80"])
def case_decoded_strictly(tf, text):
    return tf.strings.unicode_decode(text, "UTF-8", "strict")


ENCODINGS = [
    *("UTF-16-BE", "UTF-16-LE", "UTF-16", "UTF-32-BE", "UTF-32-LE", "UTF-32", "US-ASCII"),
    *("ISO-8859-1", "latin1", "ISO-8859-15", "windows-1250", "windows-1252", "windows-1253"),
    *(
        "windows-1251",
        "windows-1254",
        "windows-1255",
        "windows-1256",
        "windows-1257",
        "windows-1258",
    ),
    *("ISO-8859-7", "KOI8-R", "KOI8-U", "macintosh", "utf-8", "UTF8"),
]


@each(encoding=ENCODINGS)
def case_decoded_from(tf, encoding):
    texts = [
        *(bytes([number]) for number in range(0, 256, 1)),
        *(b"a\xe9\x00b", b"\x00a\x30\x42\xd8\x00", b"\xff\xfea\x00", b"\xfe\xff\x00a"),
        *(
            b"\xd8\x3d\xde\x00\x00a",
            b"\x00\x00\xfe\xff\x00\x00\x00a",
            b"\xff\xfe\x00\x00a\x00\x00\x00",
        ),
        b"\x00\x01\xf6\x00\x00\x11\x00\x00",
    ]
    return list(tf.strings.unicode_decode_with_offsets(texts, encoding))


UNICODE = {
    "unknown": lambda tf: tf.strings.unicode_decode("a", "nothing"),
    "no_name": lambda tf: tf.strings.unicode_decode("a", ""),
    "errors": lambda tf: tf.strings.unicode_decode("a", "UTF-8", errors="x"),
    "control": lambda tf: tf.strings.unicode_decode(
        "a\0\x01\n\t\x7f\x85b", "UTF-8", replace_control_characters=True
    ),
    "control_ignored": lambda tf: tf.strings.unicode_decode(
        "a\0\x01\n\t\x7f\x85b", "UTF-8", errors="ignore", replace_control_characters=True
    ),
    "replacement": lambda tf: tf.strings.unicode_decode(b"\xffa", "UTF-8", replacement_char=65),
    "list": lambda tf: tf.strings.unicode_decode(["ab", "é"], "UTF-8"),
    "rows": lambda tf: tf.strings.unicode_decode([["ab", "é"], ["", ""]], "UTF-8"),
    "ragged": lambda tf: tf.strings.unicode_decode(
        tf.ragged.constant([["ab", "é"], [""]]), "UTF-8"
    ),
    "encode": lambda tf: tf.strings.unicode_encode([104, 233], "UTF-8"),
    "encode_16": lambda tf: tf.strings.unicode_encode([104, 233, 0x1F600], "UTF-16-BE"),
    "encode_32": lambda tf: tf.strings.unicode_encode([104, 233, 0x1F600], "UTF-32-BE"),
    "encode_little": lambda tf: tf.strings.unicode_encode([104], "UTF-16-LE"),
    "encode_lower": lambda tf: tf.strings.unicode_encode([104], "utf-8"),
    "encode_bad": lambda tf: tf.strings.unicode_encode([104, 0xD800, 0x110000, -1], "UTF-8"),
    "encode_ignored": lambda tf: tf.strings.unicode_encode(
        [104, 0xD800, 0x110000, -1], "UTF-8", errors="ignore"
    ),
    "encode_strict": lambda tf: tf.strings.unicode_encode([0xD800], "UTF-8", errors="strict"),
    "encode_replaced": lambda tf: tf.strings.unicode_encode(
        [104, 0xD800], "UTF-8", replacement_char=66
    ),
    "encode_rows": lambda tf: tf.strings.unicode_encode([[104, 105], [106, 107]], "UTF-8"),
    "encode_cube": lambda tf: tf.strings.unicode_encode([[[104, 105], [106, 107]]], "UTF-8"),
    "encode_ragged": lambda tf: tf.strings.unicode_encode(
        tf.ragged.constant([[104], [105, 106], []]), "UTF-8"
    ),
    "encode_ragged_twice": lambda tf: tf.strings.unicode_encode(
        tf.ragged.constant([[[104]], [[105, 106], []]]), "UTF-8"
    ),
    "encode_scalar": lambda tf: tf.strings.unicode_encode(104, "UTF-8"),
    "encode_empty": lambda tf: tf.strings.unicode_encode(np.array([], np.int32), "UTF-8"),
    "script": lambda tf: tf.strings.unicode_script(
        [1, 0x3B1, 0x65, 0x30A2, 0x4E00, 0x10FFFF, 0x110000, -1, 0xD800, 0x1F600, 0x300, 0x5D0]
    ),
    "script_ragged": lambda tf: tf.strings.unicode_script(tf.ragged.constant([[1], [0x3B1, 0x65]])),
    "script_scalar": lambda tf: tf.strings.unicode_script(65),
    "transcode_16": lambda tf: tf.strings.unicode_transcode("aé", "UTF-8", "UTF-16-BE"),
    "transcode_32": lambda tf: tf.strings.unicode_transcode("aé", "UTF-8", "UTF-32-BE"),
    "transcode_latin": lambda tf: tf.strings.unicode_transcode(b"a\xe9", "ISO-8859-1", "UTF-8"),
    "transcode_strict": lambda tf: tf.strings.unicode_transcode(
        b"a\xe9b", "UTF-8", "UTF-8", errors="strict"
    ),
    "transcode_control": lambda tf: tf.strings.unicode_transcode(
        "a\x01\n\t\r\x7f", "UTF-8", "UTF-8", replace_control_characters=True
    ),
    "transcode_list": lambda tf: tf.strings.unicode_transcode(["a", "é"], "UTF-8", "UTF-16-BE"),
    "transcode_mark": lambda tf: tf.strings.unicode_transcode(b"\xef\xbb\xbfa", "UTF-8", "UTF-8"),
    "transcode_little": lambda tf: tf.strings.unicode_transcode("a", "UTF-8", "UTF-16-LE"),
    "split_16": lambda tf: tf.strings.unicode_split(b"\x00a\xd8\x3d\xde\x00", "UTF-16-BE"),
    "split_list": lambda tf: tf.strings.unicode_split(["ab", "é"], "UTF-8"),
}


@each(name=list(UNICODE))
def case_unicode(tf, name):
    return UNICODE[name](tf)


MAPPED = {
    "split": lambda tf, s: tf.strings.split(s),
    "length": lambda tf, s: tf.strings.length(s),
    "to_number": lambda tf, s: tf.strings.to_number(s, tf.int32),
    "decode": lambda tf, s: tf.strings.unicode_decode(s, "UTF-8"),
    "offsets": lambda tf, s: tf.strings.unicode_decode_with_offsets(s, "UTF-8"),
    "bytes": lambda tf, s: tf.strings.bytes_split(s),
    "join": lambda tf, s: tf.strings.join([s, "x"]),
    "substr": lambda tf, s: tf.strings.substr(s, 0, 1),
    "lower": lambda tf, s: tf.strings.lower(s),
    "hash": lambda tf, s: tf.strings.to_hash_bucket_fast(s, 7),
    "match": lambda tf, s: tf.strings.regex_full_match(s, "1."),
    "replace": lambda tf, s: tf.strings.regex_replace(s, r"\d", "x"),
    "strip": lambda tf, s: tf.strings.strip(s),
}


@each(name=list(MAPPED), batch=[None, 4])
def case_mapped(tf, name, batch):
    ds = tf.data.Dataset.range(10).map(lambda i: tf.strings.as_string(i * 7))
    return (ds if batch is None else ds.batch(batch)).map(lambda s: MAPPED[name](tf, s))
