"""audio: WAV files read and written."""

import struct

import numpy as np

from tests.golden.case import each

NUMBERS = struct.pack("<6h", 0, 1, -1, 32767, -32768, 100)
LOUD = np.float32([0, 0.5, -1, 1, 2, -3]).reshape(-1, 2)
HALVES = np.float32([0.5, 1.5, -0.5, -1.5, 0.49, np.nan, np.inf, -np.inf]).reshape(-1, 1) / 32768


def chunk(kind, data, length=None):
    return kind + struct.pack("<I", len(data) if length is None else length) + data


def wav(channels=1, before=b"", between=b"", after=b"", samples=None, **other):
    """A WAV file; ``other`` says what of its format is not as it should be."""
    says = {"kind": 1, "rate": 8000, "bits": 16, "more": b"", "align": 2 * channels} | other
    per_second = other.get("per_second", says["rate"] * says["align"])
    form = (says["kind"], channels, says["rate"], per_second, says["align"], says["bits"])
    body = before + chunk(b"fmt ", struct.pack("<HHIIHH", *form) + says["more"]) + between
    return (
        b"RIFF"
        + struct.pack("<I", 99)
        + b"WAVE"
        + body
        + (samples or chunk(b"data", NUMBERS))
        + after
    )


FILES = {
    "mono": wav(),
    "stereo": wav(2),
    "three_channels": wav(3),
    "long_format": wav(more=b"\0\0"),
    "longer_format": wav(more=b"\0" * 24),
    "list_between": wav(between=chunk(b"LIST", b"abcd")),
    "odd_list_between": wav(between=chunk(b"LIST", b"abc")),
    "odd_list_padded": wav(between=chunk(b"LIST", b"abc") + b"\0"),
    "list_before": wav(before=chunk(b"LIST", b"abcd")),
    "junk_before": wav(before=chunk(b"JUNK", b"abcd") + chunk(b"bext", b"")),
    "list_after": wav(after=chunk(b"LIST", b"abcd")),
    "junk_after": wav(after=b"xx"),
    "two_samples": wav(after=chunk(b"data", b"\1\0")),
    "cut_off": wav()[:-2],
    "cut_in_the_format": wav()[:30],
    "no_samples": wav(samples=chunk(b"LIST", b"abcd")),
    "empty_samples": wav(samples=chunk(b"data", b"")),
    "samples_too_long": wav(samples=chunk(b"data", NUMBERS, 1000)),
    "samples_far_too_long": wav(samples=chunk(b"data", NUMBERS, 2**31 - 1)),
    "samples_too_long_to_be": wav(samples=chunk(b"data", NUMBERS, 2**32 - 1)),
    "odd_samples": wav(samples=chunk(b"data", NUMBERS + b"\1")),
    "list_too_long": wav(between=chunk(b"LIST", b"abcd", 5000)),
    "list_too_long_to_be": wav(between=chunk(b"LIST", b"abcd", 2**32 - 8)),
    "floats": wav(kind=3),
    "bytes": wav(bits=8, align=1),
    "wide": wav(bits=24, align=3),
    "no_channels": wav(0),
    "no_rate": wav(rate=0),
    "large_rate": wav(rate=2**31 - 1),
    "wrong_align": wav(align=9),
    "wrong_per_second": wav(per_second=9),
    "nothing": b"",
    "other_letters": b"RIFX" + wav()[4:],
    "no_wave": wav().replace(b"WAVE", b"WAVX"),
}


@each(name=list(FILES))
def case_decode(tf, name):
    return tf.audio.decode_wav(FILES[name])


@each(channels=[-1, 0, 1, 2, 4, -2])
def case_channels(tf, channels):
    return tf.audio.decode_wav(FILES["stereo"], desired_channels=channels)


@each(samples=[-1, 0, 2, 9, -2])
def case_samples(tf, samples):
    return tf.audio.decode_wav(FILES["mono"], desired_samples=samples).audio


def case_two_files(tf):
    return tf.audio.decode_wav([FILES["mono"]])


@each(channels=[-1, 2], samples=[-1, 3])
def case_mapped(tf, channels, samples):
    files = [FILES["mono"], FILES["stereo"], FILES["long_format"]]
    return tf.data.Dataset.from_tensor_slices(files).map(
        lambda x: tf.audio.decode_wav(x, channels, samples)
    )


def case_mapped_audio(tf):
    def loud(data):
        audio, rate = tf.audio.decode_wav(data, desired_channels=1, desired_samples=8)
        return tf.squeeze(audio, axis=-1) * 2, tf.cast(rate, tf.float32)

    return tf.data.Dataset.from_tensor_slices([FILES["mono"], FILES["stereo"]]).map(loud)


def case_mapped_damaged(tf):
    files = [FILES["mono"], FILES["cut_off"]]
    return tf.data.Dataset.from_tensor_slices(files).map(lambda x: tf.audio.decode_wav(x)[0])


ENCODED = {
    "loud": lambda tf: tf.audio.encode_wav(LOUD, 8000),
    "halves": lambda tf: tf.audio.encode_wav(HALVES, 44100),
    "none": lambda tf: tf.audio.encode_wav(LOUD[:0], 8000),
    "lists": lambda tf: tf.audio.encode_wav([[0.25], [0.5]], sample_rate=16000),
    "one_axis": lambda tf: tf.audio.encode_wav(LOUD[0], 8000),
    "no_channels": lambda tf: tf.audio.encode_wav(LOUD[:, :0], 8000),
    "no_rate": lambda tf: tf.audio.encode_wav(LOUD, 0),
    "there_and_back": lambda tf: tf.audio.decode_wav(tf.audio.encode_wav(LOUD, 8000)),
}


@each(name=list(ENCODED))
def case_encode(tf, name):
    return ENCODED[name](tf)


def case_mapped_encode(tf):
    return tf.data.Dataset.from_tensor_slices(LOUD[None]).map(
        lambda x: tf.audio.encode_wav(x, 8000)
    )
