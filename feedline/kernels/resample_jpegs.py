"""resample_jpegs: JPEGs decoded, cut out, resized, mirrored and made floats, each in one go."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.native import native
from feedline.kernels.resample import Step, packed_recipe

__all__ = ["jpeg_sizes", "jpeg_sizes_twin", "resample_jpegs", "resample_jpegs_twin"]


def jpeg_sizes_twin(
    data: NDArray[np.uint8],  # noqa: ARG001
    offsets: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return height and width of JPEGs, zeros for those that decode_jpeg() does not know.

    JPEG ``i`` is ``data[offsets[i]:offsets[i + 1]]``. The twin knows none.
    """
    return np.zeros((len(offsets) - 1, 2), np.int64)


def resample_jpegs_twin(  # noqa: PLR0913
    data: NDArray[np.uint8],  # noqa: ARG001
    offsets: NDArray[np.int64],
    sizes: NDArray[np.int64],  # noqa: ARG001
    out: NDArray[np.float32],  # noqa: ARG001
    method: str,  # noqa: ARG001
    antialias: bool,  # noqa: ARG001
    boxes: NDArray[np.int64] | None = None,  # noqa: ARG001
    flips: NDArray[np.uint8] | None = None,  # noqa: ARG001
    before: Sequence[Step] = (),  # noqa: ARG001
    after: Sequence[Step] = (),  # noqa: ARG001
) -> NDArray[np.bool_]:
    """Write what resample() makes of the pixels of JPEGs, and return for which that was possible.

    The others must be decoded by somebody else: that is what the twin says of all of them.

    Args:
        data: The bytes of the JPEGs.
        offsets: Where each begins, and the last ends.
        sizes: What jpeg_sizes() found; zeros for those that are not to be decoded here.
        out: float32 ``(n, height, width, channels)``, contiguous; 1 or 3 channels.
        method: As in resample(), and so is all that follows.
        antialias: Whether kernels grow where an axis gets shorter.
        boxes: Which part is meant of each.
        flips: How each is mirrored.
        before: Steps on the numbers of the images.
        after: Steps on the numbers of the results.
    """
    return np.zeros(len(offsets) - 1, np.bool_)


def _jpeg_sizes(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    sizes = native.jpeg_sizes(np.ascontiguousarray(data), np.ascontiguousarray(offsets))
    found: NDArray[np.int64] = sizes.reshape(-1, 2)
    return found


def _resample_jpegs(  # noqa: PLR0913
    data: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    sizes: NDArray[np.int64],
    out: NDArray[np.float32],
    method: str,
    antialias: bool,
    boxes: NDArray[np.int64] | None = None,
    flips: NDArray[np.uint8] | None = None,
    before: Sequence[Step] = (),
    after: Sequence[Step] = (),
) -> NDArray[np.bool_]:
    done = native.resample_jpegs(
        np.ascontiguousarray(data),
        np.ascontiguousarray(offsets),
        np.ascontiguousarray(sizes, np.int64).reshape(-1),
        out,
        *packed_recipe(method, antialias, boxes, flips, before, after),
    )
    found: NDArray[np.bool_] = done.view(np.bool_)
    return found


jpeg_sizes = jpeg_sizes_twin if native is None else _jpeg_sizes
resample_jpegs = resample_jpegs_twin if native is None else _resample_jpegs
