"""Values whose rows differ in length: ``tf.ragged``."""

from typing import TYPE_CHECKING

from feedline.namespace import open_namespace
from feedline.ragged.tensor import RaggedTensor
from feedline.values.publishing import published as _published

if TYPE_CHECKING:
    from feedline.ragged.constants import constant
    from feedline.ragged.functions import (
        boolean_mask,
        map_flat_values,
        row_splits_to_segment_ids,
        segment_ids_to_row_splits,
        stack,
    )
    from feedline.ragged.functions import range_ as range  # noqa: A004

__all__ = [
    "RaggedTensor",
    "boolean_mask",
    "constant",
    "map_flat_values",
    "range",
    "row_splits_to_segment_ids",
    "segment_ids_to_row_splits",
    "stack",
]

_ROOMS = {
    "ragged.constants": "constant",
    "ragged.functions": (
        "boolean_mask map_flat_values range row_splits_to_segment_ids "
        "segment_ids_to_row_splits stack"
    ),
}

open_namespace(globals(), _ROOMS, made_public=_published)
