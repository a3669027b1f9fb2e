"""mel: frequencies as people hear them."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.arrays.creating import linspace
from feedline.arrays.framing import length_given
from feedline.arrays.given import dtype_of
from feedline.errors import BuildError

__all__ = ["linear_to_mel_weight_matrix"]


def linear_to_mel_weight_matrix(
    num_mel_bins: Any = 20,
    num_spectrogram_bins: Any = 129,
    sample_rate: Any = 8000,
    lower_edge_hertz: float = 125.0,
    upper_edge_hertz: float = 3800.0,
    dtype: Any = np.float32,
    name: str | None = None,
) -> Any:
    """Return the matrix that makes mel spectrograms of spectrograms: ``matmul(spectrogram, it)``.

    Args:
        num_mel_bins: How many bands it makes.
        num_spectrogram_bins: How many frequencies there are, from 0 to half the sample rate.
        sample_rate: Samples per second.
        lower_edge_hertz: Where the lowest band begins.
        upper_edge_hertz: Where the highest band ends.
        dtype: A float dtype.
        name: No effect.

    Example:
        >>> linear_to_mel_weight_matrix(2, 5).shape
        (5, 2)
    """
    call = "linear_to_mel_weight_matrix()"
    kind = dtype_of(dtype).type
    if dtype_of(dtype).kind != "f":
        raise BuildError(f"{call}: dtype must be a float dtype, got {dtype_of(dtype)}.")
    bands = length_given(call, "num_mel_bins", num_mel_bins)
    bins = length_given(call, "num_spectrogram_bins", num_spectrogram_bins)
    rate = float(sample_rate)
    if rate <= 0 or not 0 <= lower_edge_hertz < upper_edge_hertz <= rate / 2:
        raise BuildError(
            f"{call}: 0 <= lower_edge_hertz < upper_edge_hertz <= sample_rate / 2 must hold, "
            f"got {lower_edge_hertz}, {upper_edge_hertz} and {sample_rate}."
        )
    # The frequency zero is in no band.
    hertz = linspace(kind(0), kind(rate) / kind(2), bins)[1:]
    places = _mel(hertz)[:, None]
    edges = linspace(_mel(kind(lower_edge_hertz)), _mel(kind(upper_edge_hertz)), bands + 2)
    low, middle, high = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (places - low) / (middle - low), (high - places) / (high - middle)
    return np.pad(np.maximum(kind(0), np.minimum(rising, falling)), [(1, 0), (0, 0)])


def _mel(hertz: Any) -> Any:
    kind = hertz.dtype.type
    return kind(1127.0) * np.log(kind(1) + hertz / kind(700.0))
