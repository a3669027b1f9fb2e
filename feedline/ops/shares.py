"""Shares: the distribution of classes wanted, and the one there is, given or counted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import CheckpointError

__all__ = ["Shares"]

# How many classes are counted before the estimate of their distribution is renewed, and the
# count every class starts with: TensorFlow's.
_ESTIMATE_EVERY = 32
_SMOOTHING = 10


class Shares:
    """The distribution of classes wanted, and the one there is, given or counted."""

    def __init__(self, target: tuple[float, ...], initial: tuple[float, ...] | None) -> None:
        self._target = np.array(target, np.float32)
        self._initial = None if initial is None else np.array(initial, np.float32)
        self.seen = np.full(len(target), _SMOOTHING, np.int64)

    def restore(self, seen: Any) -> None:
        """Go on with the classes that a state says were seen."""
        found = np.array(seen, np.int64)
        if found.shape != self.seen.shape or (found < 1).any():
            raise CheckpointError("the state is damaged: what it says of classes is not so.")
        self.seen = found

    @property
    def every(self) -> int:
        """After how many elements the distribution changes; 1 if it never does."""
        return _ESTIMATE_EVERY if self._initial is None else 1

    def count(self, classes: NDArray[np.int64]) -> None:
        """Add to the classes seen; unknown ones do not count."""
        known = classes[(classes >= 0) & (classes < len(self.seen))]
        self.seen = self.seen + np.bincount(known, minlength=len(self.seen))

    def _ratios(self) -> NDArray[np.float32]:
        initial = self._initial
        if initial is None:
            initial = (self.seen / self.seen.sum()).astype(np.float32)
        ratios: NDArray[np.float32] = self._target / (initial + np.finfo(np.float32).tiny)
        return ratios

    def acceptance(self) -> NDArray[np.float32]:
        """Return how likely an element of each class is to be accepted."""
        ratios = self._ratios()
        least = ratios.min()
        with np.errstate(invalid="ignore"):
            accepted: NDArray[np.float32] = (ratios - least) / (ratios.max() - least)
        return accepted

    def weights(self) -> NDArray[np.float32]:
        """Return how often to take from the input as it is, and from what is accepted."""
        least = self._ratios().min()
        return np.array([least, np.float32(1) - least], np.float32)
