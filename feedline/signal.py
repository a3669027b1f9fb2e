"""signal: TensorFlow's ``signal`` names: parts of signals, their windows and spectra."""

from __future__ import annotations

from feedline.arrays.fourier import (
    dct,
    fft,
    fft2d,
    fft3d,
    fftshift,
    idct,
    ifft,
    ifft2d,
    ifft3d,
    ifftshift,
    inverse_stft,
    irfft,
    irfft2d,
    irfft3d,
    mfccs_from_log_mel_spectrograms,
    rfft,
    rfft2d,
    rfft3d,
    stft,
)
from feedline.arrays.framing import (
    frame,
    overlap_and_add,
)
from feedline.arrays.mel import (
    linear_to_mel_weight_matrix,
)
from feedline.arrays.windows import (
    hamming_window,
    hann_window,
    inverse_stft_window_fn,
    kaiser_bessel_derived_window,
    kaiser_window,
    vorbis_window,
)
from feedline.namespace import open_namespace
from feedline.values.publishing import publish

__all__ = [
    "dct",
    "fft",
    "fft2d",
    "fft3d",
    "fftshift",
    "frame",
    "hamming_window",
    "hann_window",
    "idct",
    "ifft",
    "ifft2d",
    "ifft3d",
    "ifftshift",
    "inverse_stft",
    "inverse_stft_window_fn",
    "irfft",
    "irfft2d",
    "irfft3d",
    "kaiser_bessel_derived_window",
    "kaiser_window",
    "linear_to_mel_weight_matrix",
    "mfccs_from_log_mel_spectrograms",
    "overlap_and_add",
    "rfft",
    "rfft2d",
    "rfft3d",
    "stft",
    "vorbis_window",
]

publish(globals(), __all__)
open_namespace(globals())
