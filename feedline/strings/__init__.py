"""Functions on strings: ``tf.strings``.

Every function takes a single string, an array of them of any shape, or a RaggedTensor, and
gives what TensorFlow gives, but that a ``str`` stays a ``str`` where TensorFlow has bytes.
"""

from feedline.namespace import open_namespace
from feedline.strings.changing import lower, strip, upper
from feedline.strings.formatting import format_ as format
from feedline.strings.hashing import to_hash_bucket, to_hash_bucket_fast, to_hash_bucket_strong
from feedline.strings.joining import join, unsorted_segment_join
from feedline.strings.measuring import length, substr
from feedline.strings.ngram import ngrams
from feedline.strings.numbers import to_number
from feedline.strings.reduce_joining import reduce_join
from feedline.strings.regex import regex_full_match, regex_replace
from feedline.strings.scripts import unicode_script
from feedline.strings.splitting import bytes_split, split
from feedline.strings.unicode import (
    unicode_decode,
    unicode_decode_with_offsets,
    unicode_split,
    unicode_split_with_offsets,
)
from feedline.strings.unicode_writing import unicode_encode, unicode_transcode
from feedline.strings.writing import as_string
from feedline.values.publishing import publish

__all__ = [
    "as_string",
    "bytes_split",
    "format",
    "join",
    "length",
    "lower",
    "ngrams",
    "reduce_join",
    "regex_full_match",
    "regex_replace",
    "split",
    "strip",
    "substr",
    "to_hash_bucket",
    "to_hash_bucket_fast",
    "to_hash_bucket_strong",
    "to_number",
    "unicode_decode",
    "unicode_decode_with_offsets",
    "unicode_encode",
    "unicode_script",
    "unicode_split",
    "unicode_split_with_offsets",
    "unicode_transcode",
    "unsorted_segment_join",
    "upper",
]

publish(globals(), __all__)

open_namespace(globals())
