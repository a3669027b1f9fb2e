"""feedline.io: the public names of tf.io."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.io import gfile
from feedline.io.base64 import decode_base64, encode_base64
from feedline.io.decode_compressed import decode_compressed
from feedline.io.decode_csv import decode_csv
from feedline.io.decode_raw import decode_raw
from feedline.io.json_example import decode_json_example
from feedline.io.tensors import parse_tensor, serialize_tensor
from feedline.io.whole_files import matching_files, read_file, write_file
from feedline.namespace import open_namespace
from feedline.parsing.features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    RaggedFeature,
    SparseFeature,
    VarLenFeature,
)
from feedline.parsing.parse_example import parse_example, parse_single_example
from feedline.parsing.parse_sequence_example import (
    parse_sequence_example,
    parse_single_sequence_example,
)
from feedline.tfrecord.options import TFRecordOptions
from feedline.tfrecord.writer import TFRecordWriter
from feedline.values.publishing import publish

if TYPE_CHECKING:
    from feedline.image import (
        decode_and_crop_jpeg,
        decode_bmp,
        decode_gif,
        decode_image,
        decode_jpeg,
        decode_png,
        decode_webp,
        encode_jpeg,
        encode_png,
        extract_jpeg_shape,
        is_jpeg,
    )

__all__ = [
    "FixedLenFeature",
    "FixedLenSequenceFeature",
    "RaggedFeature",
    "SparseFeature",
    "TFRecordOptions",
    "TFRecordWriter",
    "VarLenFeature",
    "decode_and_crop_jpeg",
    "decode_base64",
    "decode_bmp",
    "decode_compressed",
    "decode_csv",
    "decode_gif",
    "decode_image",
    "decode_jpeg",
    "decode_json_example",
    "decode_png",
    "decode_raw",
    "decode_webp",
    "encode_base64",
    "encode_jpeg",
    "encode_png",
    "extract_jpeg_shape",
    "gfile",
    "is_jpeg",
    "matching_files",
    "parse_example",
    "parse_sequence_example",
    "parse_single_example",
    "parse_single_sequence_example",
    "parse_tensor",
    "read_file",
    "serialize_tensor",
    "write_file",
]

# Functions on images have two homes in TensorFlow; here they live in the other one, which is
# loaded when one of them is asked for.
_ROOMS = {
    "image": (
        "decode_and_crop_jpeg decode_bmp decode_gif decode_image decode_jpeg decode_png "
        "decode_webp encode_jpeg encode_png extract_jpeg_shape is_jpeg"
    ),
}

publish(globals(), __all__)
open_namespace(globals(), _ROOMS)
