"""encoding: floats as the bytes of a WAV file."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given
from feedline.audio.wav_format import written_wav
from feedline.errors import InvalidArgumentError
from feedline.graph.leaf_operation import leaf_operation
from feedline.leaf_spec import TensorSpec, string

__all__ = ["encode_wav"]


def encode_wav(audio: Any, sample_rate: Any, name: str | None = None) -> Any:  # noqa: ARG001
    """Return a WAV file of 16 bits as bytes; what is beyond -1 and 1 is cut off.

    Args:
        audio: Floats of the shape ``(samples, channels)``.
        sample_rate: How many samples are a second.
        name: No effect.

    Example:
        >>> encode_wav([[0.5], [-1.0]], sample_rate=8000)[:4]
        b'RIFF'
    """
    return _encoded(given(audio, np.float32), given(sample_rate))


@leaf_operation(spec=lambda *_: TensorSpec((), string))
def _encoded(audio: Any, rate: Any) -> bytes:
    if np.ndim(audio) != 2 or audio.dtype.kind != "f":
        raise InvalidArgumentError(
            "encode_wav(): audio must be floats of the shape (samples, channels), got "
            f"{audio.dtype} of the shape {np.shape(audio)}."
        )
    if not 0 < audio.shape[1] < 2**16:
        raise InvalidArgumentError(
            f"encode_wav(): there must be 1 to {2**16 - 1} channels, got {audio.shape[1]}."
        )
    if not 0 < int(rate) < 2**32:
        raise InvalidArgumentError(
            f"encode_wav(): sample_rate must be from 1 to {2**32 - 1}, got {rate}."
        )
    if audio.size * 2 + 36 >= 2**32:
        raise InvalidArgumentError(f"encode_wav(): a file has no room for {audio.size} numbers.")
    return written_wav(_integers(audio), int(rate))


_encoded.__name__ = "encode_wav"


def _integers(audio: NDArray[Any]) -> NDArray[np.int16]:
    scaled = audio.astype(np.float32).astype(np.float64) * 32768
    scaled = np.nan_to_num(scaled, nan=0.0)
    # Halves go away from zero.
    rounded = np.trunc(scaled + np.copysign(0.5, scaled))
    return np.clip(rounded, -32768, 32767).astype(np.int16)
