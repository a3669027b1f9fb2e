"""Fourier transforms, which NumPy makes line by line."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.graph.rows import shifted, shifted_one
from feedline.graph.rule import batched

__all__ = []


_ONE_AXIS: list[Any] = [
    *(np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft, np.fft.hfft, np.fft.ihfft),
]
_ALL_AXES: list[Any] = [np.fft.fftn, np.fft.ifftn, np.fft.rfftn, np.fft.irfftn]
_TWO_AXES: list[Any] = [np.fft.fft2, np.fft.ifft2, np.fft.rfft2, np.fft.irfft2]


def _along_one(function: Any) -> None:
    @batched(function, fresh=True)
    def run(a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
        return function(a.array, n, shifted_one(axis, a.ndim), norm)


for _function in _ONE_AXIS:
    _along_one(_function)


def _along_some(function: Any, default: Any) -> None:
    @batched(function, fresh=True)
    def run(a: Any, s: Any = None, axes: Any = default, norm: Any = None) -> Any:
        if axes is None and s is not None:
            raise NotImplementedError
        return function(a.array, s, shifted(axes, a.ndim), norm)


for _function in _ALL_AXES:
    _along_some(_function, None)
for _function in _TWO_AXES:
    _along_some(_function, (-2, -1))


def _shift(function: Any) -> None:
    @batched(function, fresh=True)
    def run(x: Any, axes: Any = None) -> Any:
        return function(x.array, shifted(axes, x.ndim))


_shift(np.fft.fftshift)
_shift(np.fft.ifftshift)
