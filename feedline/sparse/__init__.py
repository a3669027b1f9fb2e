"""Values that store only the places that are not zero: ``tf.sparse``."""

from typing import TYPE_CHECKING

from feedline.namespace import open_namespace
from feedline.sparse.tensor import SparseTensor
from feedline.values.publishing import published as _published

if TYPE_CHECKING:
    from feedline.sparse.combining import (
        add,
        map_values,
        maximum,
        minimum,
        reduce_max,
        reduce_sum,
        sparse_dense_matmul,
    )
    from feedline.sparse.converting import eye, fill_empty_rows, from_dense, to_indicator
    from feedline.sparse.counting import bincount
    from feedline.sparse.shaping import (
        concat,
        expand_dims,
        reorder,
        reset_shape,
        reshape,
        retain,
        split,
        transpose,
    )
    from feedline.sparse.shaping import slice_ as slice  # noqa: A004
    from feedline.sparse.tensor import to_dense

__all__ = [
    "SparseTensor",
    "add",
    "bincount",
    "concat",
    "expand_dims",
    "eye",
    "fill_empty_rows",
    "from_dense",
    "map_values",
    "maximum",
    "minimum",
    "reduce_max",
    "reduce_sum",
    "reorder",
    "reset_shape",
    "reshape",
    "retain",
    "slice",
    "sparse_dense_matmul",
    "split",
    "to_dense",
    "to_indicator",
    "transpose",
]

_ROOMS = {
    "sparse.combining": (
        "add map_values maximum minimum reduce_max reduce_sum sparse_dense_matmul"
    ),
    "sparse.converting": "eye fill_empty_rows from_dense to_indicator",
    "sparse.counting": "bincount",
    "sparse.shaping": (
        "concat expand_dims reorder reset_shape reshape retain slice split transpose"
    ),
    "sparse.tensor": "to_dense",
}

open_namespace(globals(), _ROOMS, made_public=_published)
