"""numerical: labels as vectors, vectors of length 1, and sequences as one array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.creating import one_hot
from feedline.arrays.shaping import squeeze
from feedline.errors import BuildError, BuildTypeError
from feedline.graph.symbol import Symbol
from feedline.values.publishing import published

__all__ = ["normalize", "pad_sequences", "to_categorical"]


def to_categorical(x: Any, num_classes: int | None = None) -> Any:
    """Return vectors with a 1 at the place that each integer names.

    As in Keras, arrays and lists become float64, and tensors, such as those that a function of
    ``map`` gets, become float32 tensors.

    Args:
        x: Integers from 0; a last axis of length 1 is left out.
        num_classes: How long the vectors are; by default long enough for all. Tensors need it.

    Example:
        >>> import feedline as tf
        >>> tf.keras.utils.to_categorical([0, 2])
        array([[1., 0., 0.],
               [0., 0., 1.]])
    """
    call = "to_categorical()"
    if isinstance(x, Symbol) or getattr(type(x), "is_tensor_type", False):
        if num_classes is None:
            raise BuildError(f"{call}: num_classes must be given for a tensor.")
        if len(x.shape) > 1 and x.shape[-1] == 1:
            x = published(squeeze)(x, axis=-1)
        return published(one_hot)(x, num_classes)
    labels = np.array(x, np.int64)
    shape = labels.shape[:-1] if labels.ndim > 1 and labels.shape[-1] == 1 else labels.shape
    flat = labels.reshape(-1)
    length = num_classes or int(flat.max(initial=-1)) + 1
    if flat.size and not -length <= flat.min() <= flat.max() < length:
        raise BuildError(
            f"{call}: x must be from 0 to num_classes - 1, which is {length - 1}, got "
            f"{flat.min()} to {flat.max()}."
        )
    found = np.zeros((len(flat), length))
    found[np.arange(len(flat)), flat] = 1
    return found.reshape(*shape, length)


def normalize(x: Any, axis: int = -1, order: int = 2) -> NDArray[Any]:
    """Return an array divided by its norms along an axis; what has none stays as it is.

    Args:
        x: An array of floats.
        axis: Along which norms are taken.
        order: Of the norm.

    Example:
        >>> import numpy as np
        >>> import feedline as tf
        >>> tf.keras.utils.normalize(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
        [[0.6, 0.8], [0.0, 0.0]]
    """
    if not isinstance(x, np.ndarray):
        raise BuildTypeError(
            f"normalize(): x must be an array, got {x!r} of type {type(x).__name__}. Use "
            "np.asarray()."
        )
    norms = np.atleast_1d(np.linalg.norm(x, order, axis))
    norms[norms == 0] = 1
    scaled: NDArray[Any] = x / np.expand_dims(norms, axis or -1)
    return scaled


def pad_sequences(
    sequences: Sequence[Any],
    maxlen: int | None = None,
    dtype: Any = "int32",
    padding: str = "pre",
    truncating: str = "pre",
    value: Any = 0.0,
) -> NDArray[Any]:
    """Return sequences of different lengths as the rows of one array.

    Args:
        sequences: Lists or arrays, whose items have one shape.
        maxlen: How long the rows are; by default as long as the longest sequence.
        dtype: Of the result; ``object`` for strings.
        padding: "pre" or "post": on which side short sequences are filled up.
        truncating: "pre" or "post": on which side long sequences are cut.
        value: What they are filled with.

    Example:
        >>> import feedline as tf
        >>> tf.keras.utils.pad_sequences([[1], [2, 3], [4, 5, 6]], maxlen=2).tolist()
        [[0, 1], [2, 3], [5, 6]]
    """
    call = "pad_sequences()"
    for name, side in (("padding", padding), ("truncating", truncating)):
        if side not in ("pre", "post"):
            raise BuildError(f"{call}: {name} must be 'pre' or 'post', got {side!r}.")
    if not hasattr(sequences, "__len__"):
        raise BuildTypeError(f"{call}: sequences must be a list of them, got {sequences!r}.")
    strange = [one for one in sequences if not hasattr(one, "__len__")]
    if strange:
        raise BuildTypeError(f"{call}: sequences must be lists or arrays, one is {strange[0]!r}.")
    kind = np.dtype(dtype)
    if isinstance(value, str) and kind.kind not in "OUS":
        raise BuildError(f"{call}: value={value!r} does not fit dtype {kind}. Use dtype=object.")
    longest = max(map(len, sequences), default=0)
    length = longest if maxlen is None else maxlen
    items = next((np.asarray(one).shape[1:] for one in sequences if len(one)), ())
    rows = np.full((len(sequences), length, *items), value, dtype)
    for number, sequence in enumerate(sequences):
        kept = np.asarray(sequence[-length:] if truncating == "pre" else sequence[:length], dtype)
        if len(sequence) and kept.shape[1:] != items:
            raise BuildError(
                f"{call}: the items of all sequences must have one shape: {items} came first, "
                f"those of sequence {number} have {kept.shape[1:]}."
            )
        if not len(kept):
            continue
        if padding == "post":
            rows[number, : len(kept)] = kept
        else:
            rows[number, -len(kept) :] = kept
    return rows
