"""windows: weights that let the parts of a signal fade in and out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from feedline.arrays.framing import length_given
from feedline.arrays.given import dtype_of
from feedline.errors import BuildError

__all__ = [
    "hamming_window",
    "hann_window",
    "inverse_stft_window_fn",
    "kaiser_bessel_derived_window",
    "kaiser_window",
    "vorbis_window",
]


def hann_window(
    window_length: Any, periodic: Any = True, dtype: Any = np.float32, name: str | None = None
) -> Any:
    """Return a Hann window: a raised cosine that begins at zero.

    Args:
        window_length: How many numbers.
        periodic: Whether an even window leaves its last number out, as for spectra.
        dtype: A float dtype.
        name: No effect.

    Example:
        >>> hann_window(4).tolist()
        [0.0, 0.5, 1.0, 0.5]
    """
    return _raised_cosine("hann_window()", window_length, periodic, dtype, 0.5, 0.5)


def hamming_window(
    window_length: Any, periodic: Any = True, dtype: Any = np.float32, name: str | None = None
) -> Any:
    """Return a Hamming window: a raised cosine that begins at 0.08."""
    return _raised_cosine("hamming_window()", window_length, periodic, dtype, 0.54, 0.46)


def _raised_cosine(call: str, length: Any, periodic: Any, dtype: Any, a: float, b: float) -> Any:
    kind = _float_of(call, dtype)
    count = length_given(call, "window_length", length)
    if count == 1:
        return np.ones(1, kind)
    # As in TensorFlow, a periodic window of odd length is the symmetric one.
    period = count if periodic and count % 2 == 0 else count - 1
    angle = kind(2 * math.pi) * np.arange(count).astype(kind) / kind(period)
    return kind(a) - kind(b) * np.cos(angle)


def kaiser_window(
    window_length: Any, beta: float = 12.0, dtype: Any = np.float32, name: str | None = None
) -> Any:
    """Return a Kaiser window; ``beta`` says how steep it is."""
    kind = _float_of("kaiser_window()", dtype)
    made = np.kaiser(length_given("kaiser_window()", "window_length", window_length), beta)
    return made.astype(kind)


def kaiser_bessel_derived_window(
    window_length: Any, beta: float = 12.0, dtype: Any = np.float32, name: str | None = None
) -> Any:
    """Return a window made of the running sum of a Kaiser window."""
    call = "kaiser_bessel_derived_window()"
    half = length_given(call, "window_length", window_length) // 2
    total = np.cumsum(kaiser_window(half + 1, beta, dtype))
    rising = np.sqrt(total[:-1] / total[-1])
    return np.concatenate([rising, rising[::-1]])


def vorbis_window(window_length: Any, dtype: Any = np.float32, name: str | None = None) -> Any:
    """Return the window of the Vorbis format."""
    kind = _float_of("vorbis_window()", dtype)
    count = length_given("vorbis_window()", "window_length", window_length)
    place = np.arange(count).astype(kind) + kind(0.5)
    inner = np.sin(kind(math.pi) / kind(count) * place)
    return np.sin(kind(math.pi / 2) * (inner * inner))


def inverse_stft_window_fn(
    frame_step: Any,
    forward_window_fn: Callable[..., Any] = hann_window,
    name: str | None = None,
) -> Callable[..., Any]:
    """Return the function that makes the window for :func:`inverse_stft`.

    Args:
        frame_step: How far apart the parts of the signal begin.
        forward_window_fn: What made the window for :func:`stft`.
        name: No effect.
    """
    step = length_given("inverse_stft_window_fn()", "frame_step", frame_step)

    def window_fn(frame_length: Any, dtype: Any = np.float32) -> Any:
        length = length_given("inverse_stft_window_fn()", "frame_length", frame_length)
        forward = np.asarray(forward_window_fn(length, dtype=dtype))
        parts = -(-length // step)
        squares = np.pad(forward * forward, (0, parts * step - length)).reshape(parts, step)
        total = np.zeros(step, squares.dtype)
        for row in squares:
            total += row
        return forward / np.tile(total, parts)[:length]

    return window_fn


def _float_of(call: str, dtype: Any) -> Any:
    found = dtype_of(dtype)
    if found.kind != "f":
        raise BuildError(f"{call}: dtype must be a float dtype, got {found}.")
    return found.type
