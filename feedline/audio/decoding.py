"""decoding: the bytes of a WAV file as floats."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np

from feedline.audio.wav_format import read_wav
from feedline.errors import BuildTypeError, InvalidArgumentError
from feedline.graph.leaf_operation import leaf_operation
from feedline.leaf_spec import TensorSpec

__all__ = ["DecodeWav", "decode_wav"]


class DecodeWav(NamedTuple):
    """Samples, and how many are a second."""

    audio: Any
    sample_rate: Any


def decode_wav(
    contents: Any,
    desired_channels: int = -1,
    desired_samples: int = -1,
    name: str | None = None,  # noqa: ARG001
) -> DecodeWav:
    """Return the samples of a 16-bit WAV file as float32 from -1 to 1, and the sample rate.

    Args:
        contents: The bytes of the file.
        desired_channels: How many channels to return: what is missing repeats the last one.
        desired_samples: How many samples to return: zeros where there are fewer.
        name: No effect.

    Example:
        >>> from feedline.audio import encode_wav
        >>> sound = decode_wav(encode_wav([[0.5], [-1.0]], sample_rate=8000))
        >>> sound.audio.tolist(), int(sound.sample_rate)
        ([[0.5], [-1.0]], 8000)
    """
    channels = _count("desired_channels", desired_channels)
    samples = _count("desired_samples", desired_samples)
    return _decoded(contents, channels, samples)


def _count(name: str, value: Any) -> int | None:
    found = operator.index(value)
    if found < -1:
        raise InvalidArgumentError(
            f"decode_wav(): {name} must be -1, for all, or from 0 on, got {found}."
        )
    return None if found == -1 else found


def _spec(_contents: Any, channels: int | None, samples: int | None) -> DecodeWav:
    return DecodeWav(TensorSpec((samples, channels), np.float32), TensorSpec((), np.int32))


@leaf_operation(spec=_spec)
def _decoded(contents: Any, channels: int | None, samples: int | None) -> DecodeWav:
    if not isinstance(contents, (bytes, str)):
        raise BuildTypeError(
            f"decode_wav(): contents must be the bytes of one file, got {type(contents).__name__}."
        )
    numbers, rate = read_wav(contents.encode() if isinstance(contents, str) else bytes(contents))
    if channels is not None:
        numbers = numbers[:, np.minimum(np.arange(channels), numbers.shape[1] - 1)]
    if samples is not None:
        numbers = numbers[:samples]
        numbers = np.pad(numbers, [(0, samples - len(numbers)), (0, 0)])
    audio = numbers.astype(np.float32) / np.float32(32768)
    return DecodeWav(audio, np.uint32(rate).astype(np.int32))


_decoded.__name__ = "decode_wav"
