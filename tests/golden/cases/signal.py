"""signal: parts of signals, windows and spectra."""

import numpy as np

from tests.golden.case import each

SIGNAL = np.sin(np.arange(40, dtype=np.float32) * 0.7) + np.float32(0.25)
FRAMES = np.arange(12, dtype=np.float32).reshape(3, 4)
COMPLEX = (np.arange(8) + 1j * np.arange(8)[::-1]).astype(np.complex64)


def rounded(value):
    """Results of functions that are not rounded alike everywhere, to three places."""
    return np.round(np.asarray(value), 3) + np.asarray(value).dtype.type(0)


EXACT = {
    "frame": lambda tf: tf.signal.frame([1, 2, 3, 4, 5], 3, 2),
    "frame_short": lambda tf: tf.signal.frame([1, 2], 3, 2),
    "frame_padded": lambda tf: tf.signal.frame([1, 2, 3, 4, 5, 6], 3, 2, pad_end=True, pad_value=9),
    "frame_apart": lambda tf: tf.signal.frame(SIGNAL[:10], 2, 4),
    "frame_axis": lambda tf: tf.signal.frame(FRAMES, 2, 1, axis=0),
    "frame_batch": lambda tf: tf.signal.frame(FRAMES, 2, 2),
    "overlap_and_add": lambda tf: tf.signal.overlap_and_add(FRAMES, 2),
    "overlap_and_add_ones": lambda tf: tf.signal.overlap_and_add(FRAMES, 1),
    "overlap_and_add_apart": lambda tf: tf.signal.overlap_and_add(FRAMES, 3),
    "overlap_and_add_gaps": lambda tf: tf.signal.overlap_and_add(FRAMES, 4),
    "fftshift": lambda tf: tf.signal.fftshift([0.0, 1.0, 2.0, 3.0, 4.0]),
    "ifftshift": lambda tf: tf.signal.ifftshift([0.0, 1.0, 2.0, 3.0, 4.0]),
    "hann_one": lambda tf: tf.signal.hann_window(1),
    "stft_shape": lambda tf: tf.shape(tf.signal.stft(SIGNAL, 12, 4)),
    "stft_padded_shape": lambda tf: tf.shape(tf.signal.stft(SIGNAL, 12, 5, pad_end=True)),
    "fft_real": lambda tf: tf.signal.rfft([1, 2, 3]),
    "mel_edges": lambda tf: tf.signal.linear_to_mel_weight_matrix(upper_edge_hertz=5000.0),
}


@each(name=list(EXACT))
def case_exact(tf, name):
    return EXACT[name](tf)


ROUNDED = {
    "hann": lambda tf: tf.signal.hann_window(8),
    "hann_symmetric": lambda tf: tf.signal.hann_window(8, periodic=False),
    "hann_odd": lambda tf: tf.signal.hann_window(7),
    "hann_double": lambda tf: tf.signal.hann_window(5, dtype=tf.float64),
    "hamming": lambda tf: tf.signal.hamming_window(8),
    "kaiser": lambda tf: tf.signal.kaiser_window(6),
    "kaiser_derived": lambda tf: tf.signal.kaiser_bessel_derived_window(6),
    "vorbis": lambda tf: tf.signal.vorbis_window(6),
    "inverse_window": lambda tf: tf.signal.inverse_stft_window_fn(3)(8, dtype=tf.float32),
    "fft": lambda tf: tf.signal.fft(COMPLEX),
    "ifft": lambda tf: tf.signal.ifft(COMPLEX),
    "fft2d": lambda tf: tf.signal.fft2d(COMPLEX.reshape(2, 4)),
    "ifft2d": lambda tf: tf.signal.ifft2d(COMPLEX.reshape(2, 4)),
    "fft3d": lambda tf: tf.signal.fft3d(COMPLEX.reshape(2, 2, 2)),
    "rfft": lambda tf: tf.signal.rfft(SIGNAL[:9]),
    "rfft_length": lambda tf: tf.signal.rfft(SIGNAL[:9], [16]),
    "rfft_cut": lambda tf: tf.signal.rfft(SIGNAL[:9], fft_length=[4]),
    "rfft_double": lambda tf: tf.signal.rfft(tf.constant(SIGNAL[:9].astype(np.float64))),
    "irfft": lambda tf: tf.signal.irfft(COMPLEX),
    "irfft_length": lambda tf: tf.signal.irfft(COMPLEX, [9]),
    "rfft2d": lambda tf: tf.signal.rfft2d(FRAMES),
    "rfft2d_length": lambda tf: tf.signal.rfft2d(FRAMES, [4, 6]),
    "irfft2d": lambda tf: tf.signal.irfft2d(COMPLEX.reshape(2, 4)),
    "stft": lambda tf: tf.signal.stft(SIGNAL, frame_length=12, frame_step=6),
    "stft_magnitude": lambda tf: tf.abs(tf.signal.stft(SIGNAL, 16, 8, fft_length=32)),
    "stft_hamming": lambda tf: tf.signal.stft(SIGNAL, 8, 8, window_fn=tf.signal.hamming_window),
    "stft_bare": lambda tf: tf.signal.stft(SIGNAL, 8, 8, window_fn=None, pad_end=True),
    "inverse_stft": lambda tf: tf.signal.inverse_stft(tf.signal.stft(SIGNAL, 8, 4), 8, 4),
    "inverse_stft_exact": lambda tf: tf.signal.inverse_stft(
        tf.signal.stft(SIGNAL, 8, 4), 8, 4, window_fn=tf.signal.inverse_stft_window_fn(4)
    ),
    "mel": lambda tf: tf.signal.linear_to_mel_weight_matrix(4, 17, 8000, 80.0, 3600.0),
    "mel_double": lambda tf: tf.signal.linear_to_mel_weight_matrix(3, 9, dtype=tf.float64),
    "mfccs": lambda tf: tf.signal.mfccs_from_log_mel_spectrograms(FRAMES),
    "dct": lambda tf: tf.signal.dct(FRAMES),
    "dct_ortho": lambda tf: tf.signal.dct(FRAMES, norm="ortho"),
    "dct_1": lambda tf: tf.signal.dct(FRAMES, type=1),
    "dct_3": lambda tf: tf.signal.dct(FRAMES, type=3),
    "dct_3_ortho": lambda tf: tf.signal.dct(FRAMES, type=3, norm="ortho"),
    "dct_4": lambda tf: tf.signal.dct(FRAMES, type=4),
    "dct_4_ortho": lambda tf: tf.signal.dct(FRAMES, type=4, norm="ortho"),
    "dct_longer": lambda tf: tf.signal.dct(FRAMES, n=6),
    "dct_shorter": lambda tf: tf.signal.dct(FRAMES, n=2),
    "idct": lambda tf: tf.signal.idct(FRAMES),
    "idct_ortho": lambda tf: tf.signal.idct(FRAMES, norm="ortho"),
}


@each(name=list(ROUNDED))
def case_rounded(tf, name):
    return rounded(ROUNDED[name](tf))
