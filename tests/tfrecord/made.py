"""TFRecord files for tests: made, damaged, compressed."""

import gzip
import zlib

from tests.kernels.tfrecords import framed, header

__all__ = ["DAMAGES", "PACK", "framed", "header", "put"]

PACK = {"": bytes, "GZIP": gzip.compress, "ZLIB": zlib.compress}


def put(path, data):
    path.write_bytes(data)
    return str(path)


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


WORDS = framed(b"one", b"", b"three")

# What is wrong, the file, the records before it, those after it, what the error says.
DAMAGES = {
    "bad length": (
        flipped(WORDS, 20),
        [b"one"],
        [],
        r"record 1, byte 19: the length of the record has another checksum",
    ),
    "bad checksum of a length": (flipped(WORDS, 28), [b"one"], [], "record 1, byte 19: the length"),
    "bad data": (
        flipped(WORDS, 13),
        [],
        [b"", b"three"],
        "record 0, byte 0: the 3 bytes of the record have another checksum",
    ),
    "bad checksum of data": (
        flipped(WORDS, 33),
        [b"one"],
        [b"three"],
        "record 1, byte 19: the 0 b",
    ),
    "cut in data": (
        WORDS[:-5],
        [b"one", b""],
        [],
        "record 2, byte 35: 16 bytes are left of a record of 21",
    ),
    "cut in a header": (
        WORDS[:25],
        [b"one"],
        [],
        "record 1, byte 19: the 6 bytes that follow are t",
    ),
    "garbage at the end": (
        WORDS + b"garbage, more than a header",
        [b"one", b"", b"three"],
        [],
        "record 3, byte 56: the length",
    ),
    "a little garbage at the end": (
        WORDS + b"x",
        [b"one", b"", b"three"],
        [],
        "record 3, byte 56: the 1 bytes that follow are too few",
    ),
    "a length of 2**60": (
        framed(b"one") + header(2**60) + bytes(50),
        [b"one"],
        [],
        f"record 1, byte 19: 62 bytes are left of a record of {2**60 + 16}",
    ),
    "no TFRecord file": (
        b"once upon a time, there was a text file",
        [],
        [],
        "this is no TFRecord file, or it is damaged from the start",
    ),
    "zeros": (bytes(64), [], [], "this is no TFRecord file, or it is damaged from the start"),
    "compressed": (
        gzip.compress(WORDS),
        [],
        [],
        "no TFRecord file, but GZIP data. Give compression_type='GZIP'",
    ),
    "deflated": (
        zlib.compress(WORDS),
        [],
        [],
        "no TFRecord file, but ZLIB data. Give compression_type='ZLIB'",
    ),
    "an archive": (b"PK\x03\x04" + bytes(30), [], [], "but a zip archive. Read the files in it as"),
}
