"""fourier: signals as sums of waves, and back.

Numbers are those of NumPy's transforms, which may differ from TensorFlow's in the last bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from feedline.arrays.framing import frame, length_given, overlap_and_add
from feedline.arrays.given import axes_of, given, given_dtype, static_ints
from feedline.arrays.windows import hann_window
from feedline.errors import BuildError

__all__ = [
    "dct",
    "fft",
    "fft2d",
    "fft3d",
    "fftshift",
    "idct",
    "ifft",
    "ifft2d",
    "ifft3d",
    "ifftshift",
    "inverse_stft",
    "irfft",
    "irfft2d",
    "irfft3d",
    "mfccs_from_log_mel_spectrograms",
    "rfft",
    "rfft2d",
    "rfft3d",
    "stft",
]


def _complex_of(call: str, value: Any, rank: int) -> Any:
    array = given(value)
    if given_dtype(value) is None:
        array = array.astype(np.complex64)
    return _checked(call, array, "c", "complex64 or complex128", rank)


def _real_of(call: str, value: Any, rank: int) -> Any:
    return _checked(call, given(value), "f", "float32 or float64", rank)


def _checked(call: str, array: Any, kind: str, wanted: str, rank: int) -> Any:
    if array.dtype.kind != kind or array.dtype == np.float16:
        raise BuildError(f"{call}: {wanted} is needed, got {array.dtype}. Use cast().")
    if array.ndim < rank:
        raise BuildError(f"{call}: {rank} axes are needed, got the shape {array.shape}.")
    return array


def _made_complex(name: str, function: Callable[..., Any], rank: int) -> Callable[..., Any]:
    def call(input: Any, name: str | None = None) -> Any:
        return function(_complex_of(f"{title}()", input, rank), axes=tuple(range(-rank, 0)))

    title = call.__name__ = call.__qualname__ = name
    inverse = "back " if name.startswith("i") else ""
    call.__doc__ = (
        f"Return Fourier transforms {inverse}over the last {rank} axes of complex numbers."
    )
    return call


def _made_real(name: str, function: Callable[..., Any], rank: int) -> Callable[..., Any]:
    inverse = name.startswith("i")

    def call(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
        array = given(input_tensor)
        if not inverse and (array.dtype.kind in "iu" or array.dtype == np.float16):
            array = array.astype(np.float32)
        array = (_complex_of if inverse else _real_of)(f"{title}()", array, rank)
        lengths = None
        if fft_length is not None:
            lengths = static_ints(fft_length)
            if lengths is None or len(lengths) != rank:
                raise BuildError(
                    f"{title}(): fft_length must be {rank} integers that are known, "
                    f"got {fft_length!r}."
                )
        return function(array, lengths, tuple(range(-rank, 0)))

    title = call.__name__ = call.__qualname__ = name
    what = "the numbers that have" if inverse else "the halves, which tell the rest, of"
    call.__doc__ = f"Return {what} Fourier transforms of real numbers over the last {rank} axes."
    return call


def _over_last(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a transform over one axis with the face of those over several."""

    def call(array: Any, lengths: Any = None, axes: Any = None) -> Any:
        return function(array, None if lengths is None else lengths[0])

    return call


fft = _made_complex("fft", _over_last(np.fft.fft), 1)
ifft = _made_complex("ifft", _over_last(np.fft.ifft), 1)
fft2d = _made_complex("fft2d", np.fft.fft2, 2)
ifft2d = _made_complex("ifft2d", np.fft.ifft2, 2)
fft3d = _made_complex("fft3d", np.fft.fftn, 3)
ifft3d = _made_complex("ifft3d", np.fft.ifftn, 3)
rfft = _made_real("rfft", _over_last(np.fft.rfft), 1)
irfft = _made_real("irfft", _over_last(np.fft.irfft), 1)
rfft2d = _made_real("rfft2d", np.fft.rfft2, 2)
irfft2d = _made_real("irfft2d", np.fft.irfft2, 2)
rfft3d = _made_real("rfft3d", np.fft.rfftn, 3)
irfft3d = _made_real("irfft3d", np.fft.irfftn, 3)


def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """Return a spectrum with the frequency zero in the middle."""
    return np.fft.fftshift(given(x), axes_of(axes))


def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """Return a spectrum with the frequency zero back at the beginning."""
    return np.fft.ifftshift(given(x), axes_of(axes))


# ---- parts of a signal -------------------------------------------------------------------


def stft(
    signals: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Any:
    """Return the Fourier transforms of overlapping parts of signals.

    Args:
        signals: Along the last axis.
        frame_length: How long a part is.
        frame_step: How far apart they begin.
        fft_length: How long a transform is; by default the next power of two.
        window_fn: Makes the weights of a part, of its length and ``dtype``; None for none.
        pad_end: Whether parts that end outside the signal are there, filled with zeros.
        name: No effect.

    Example:
        >>> stft(np.ones(400, np.float32), frame_length=255, frame_step=128).shape
        (2, 129)
    """
    array = _real_of("stft()", signals, 1)
    length = length_given("stft()", "frame_length", frame_length)
    parts = frame(array, length, frame_step, pad_end)
    if window_fn is not None:
        parts = parts * np.asarray(window_fn(length, dtype=array.dtype))
    return rfft(parts, [_transform_length("stft()", fft_length, length)])


def inverse_stft(
    stfts: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window,
    name: str | None = None,
) -> Any:
    """Return signals put together of the Fourier transforms of their parts.

    Args:
        stfts: What :func:`stft` made.
        frame_length: How long a part was.
        frame_step: How far apart they began.
        fft_length: How long a transform was; by default the next power of two.
        window_fn: Makes the weights of a part; see ``inverse_stft_window_fn``.
        name: No effect.
    """
    call = "inverse_stft()"
    array = _complex_of(call, stfts, 2)
    length = length_given(call, "frame_length", frame_length)
    size = _transform_length(call, fft_length, length)
    parts = irfft(array, [size])[..., :length]
    if size < length:
        parts = np.pad(parts, [(0, 0)] * (array.ndim - 1) + [(0, length - size)])
    if window_fn is not None:
        parts = parts * np.asarray(window_fn(length, dtype=parts.dtype))
    return overlap_and_add(parts, frame_step)


def _transform_length(call: str, fft_length: Any, frame_length: int) -> int:
    if fft_length is None:
        return 1 << (frame_length - 1).bit_length()
    return length_given(call, "fft_length", fft_length)


# ---- cosines -----------------------------------------------------------------------------


def dct(
    input: Any,
    type: int = 2,
    n: Any = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Any:
    """Return discrete cosine transforms along the last axis.

    Args:
        input: The numbers.
        type: 1, 2, 3 or 4.
        n: How many numbers to take; zeros are added where there are fewer.
        axis: Must be -1.
        norm: None, or "ortho" to keep lengths.
        name: No effect.
    """
    array = _real_of("dct()", input, 1)
    _check_dct("dct()", type, axis, norm)
    length = array.shape[-1]
    if n is not None:
        length, had = length_given("dct()", "n", n), length
        array = array[..., :length]
        if length > had:
            array = np.pad(array, [(0, 0)] * (array.ndim - 1) + [(0, length - had)])
    return _dct(array, type, norm, length)


def idct(
    input: Any,
    type: int = 2,
    n: Any = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Any:
    """Return the inverse of :func:`dct`, up to a factor of ``2 * length`` without ``norm``.

    Args:
        input: The numbers.
        type: Which one to undo: 1, 2, 3 or 4.
        n: Must be None.
        axis: Must be -1.
        norm: None, or "ortho" to keep lengths.
        name: No effect.
    """
    _check_dct("idct()", type, axis, norm)
    if n is not None:
        raise BuildError(f"idct(): n must be None, got {n!r}.")
    return dct(input, {1: 1, 2: 3, 3: 2, 4: 4}[type], norm=norm)


def _check_dct(call: str, type: Any, axis: Any, norm: Any) -> None:
    if type not in (1, 2, 3, 4) or axis != -1 or norm not in (None, "ortho"):
        raise BuildError(
            f"{call}: type must be 1 to 4, axis -1 and norm None or 'ortho', "
            f"got {type!r}, {axis!r} and {norm!r}."
        )
    if type == 1 and norm == "ortho":
        raise BuildError(f"{call}: norm='ortho' is not there for type 1.")


def _dct(array: Any, type: int, norm: str | None, length: int) -> Any:
    kind = array.dtype.type
    if type == 1:
        if length < 2:
            raise BuildError(f"dct(): type 1 needs two numbers at least, got {length}.")
        return np.real(rfft(np.concatenate([array, array[..., -2:0:-1]], -1)))
    if type == 4:
        doubled = np.pad(array, [(0, 0)] * (array.ndim - 1) + [(0, length)])
        made = _dct(doubled, 2, None, 2 * length)[..., 1::2]
        return made if norm is None else made * kind(math.sqrt(0.5) / math.sqrt(length))
    angles = np.arange(length).astype(kind) * kind(math.pi * 0.5) / kind(length)
    if type == 2:
        turn = kind(2) * np.exp(-1j * angles).astype(np.result_type(kind, np.complex64))
        made = np.real(rfft(array, [2 * length])[..., :length] * turn)
        if norm is None:
            return made
        first = 0.5 / math.sqrt(length)
        return made * np.array([first] + [first * math.sqrt(2)] * (length - 1), kind)
    if norm is None:
        array = array * kind(length)
    else:
        first = math.sqrt(length)
        array = array * np.array([first] + [first * math.sqrt(0.5)] * (length - 1), kind)
    turn = kind(2) * np.exp(1j * angles).astype(np.result_type(kind, np.complex64))
    return irfft(turn * array, [2 * length])[..., :length]


def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: str | None = None) -> Any:
    """Return the cepstral coefficients of logarithms of mel spectrograms."""
    array = _real_of("mfccs_from_log_mel_spectrograms()", log_mel_spectrograms, 1)
    bins = array.shape[-1]
    if not bins:
        raise BuildError("mfccs_from_log_mel_spectrograms(): there must be mel bins, got none.")
    return dct(array) * array.dtype.type(1 / math.sqrt(2 * bins))
