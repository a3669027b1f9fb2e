"""How a TFRecord file is compressed."""

import zlib

import pytest

from feedline.errors import BuildError, BuildTypeError
from feedline.io import TFRecordOptions

DATA = b"the same thing again and again, the same thing " * 50


def packed(**settings):
    packer = TFRecordOptions("ZLIB", **settings).packer()
    return packer.compress(DATA) + packer.flush()


@pytest.mark.parametrize(
    "settings",
    [
        {"compression_level": 0},
        {"compression_level": 9, "mem_level": 1},
        {"window_bits": 9},
        {"window_bits": -15},
        {"window_bits": 31},
        {"compression_strategy": zlib.Z_HUFFMAN_ONLY},
    ],
)
def test_every_setting_changes_what_is_written(settings):
    bits = settings.get("window_bits", 15)

    assert packed(**settings) != packed()
    assert zlib.decompress(packed(**settings), bits) == DATA


def test_defaults_are_those_of_tensorflow():
    usual = zlib.compressobj(-1, zlib.DEFLATED, 15, 9, 0)

    assert packed() == usual.compress(DATA) + usual.flush()
    assert TFRecordOptions().packer() is None
    assert TFRecordOptions("").packer() is None


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"compression_type": "gzip"}, "compression_type must be 'GZIP', 'ZLIB', '' or None"),
        ({"compression_type": 3}, "compression_type must be"),
        ({"compression_level": 10}, "compression_level must be from -1 to 9, got 10"),
        ({"mem_level": 0}, "mem_level must be from 1 to 9, got 0"),
        ({"input_buffer_size": 0}, "input_buffer_size must be from 1"),
        ({"output_buffer_size": -5}, "output_buffer_size must be from 1"),
        ({"window_bits": 16}, "window_bits must be one of 9, 10,"),
        ({"flush_mode": 4}, r"flush_mode must be one of 0 \(Z_NO_FLUSH\), 1 \(Z_PARTIAL_FLUSH\)"),
        ({"compression_method": 9}, r"compression_method must be one of 8 \(Z_DEFLATED\)"),
        ({"compression_strategy": 7}, "compression_strategy must be one of 0"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, says):
    with pytest.raises(BuildError, match=says):
        TFRecordOptions(**settings)


def test_settings_must_be_integers():
    with pytest.raises(BuildTypeError, match="mem_level must be an integer"):
        TFRecordOptions("GZIP", mem_level="high")


@pytest.mark.parametrize(
    ("value", "kind"),
    [(None, ""), (0, ""), (1, "ZLIB"), (2, "GZIP"), ("GZIP", "GZIP"), (TFRecordOptions(1), "ZLIB")],
)
def test_any_way_to_say_the_compression_has_a_name(value, kind):
    assert TFRecordOptions.get_compression_type_string(value) == kind
