"""feedline.compat.v1: names of TensorFlow 1 that can mean here what they mean there.

Names whose meaning never changed are those of feedline. Graphs, sessions, placeholders and
queues are not here; what to use instead is in the error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.compat.v1.namespaces import open_old_namespace

if TYPE_CHECKING:
    from feedline.compat.v1 import (
        data,
        debugging,
        gfile,
        image,
        io,
        linalg,
        logging,
        math,
        nn,
        python_io,
        random,
        sparse,
        strings,
    )
    from feedline.compat.v1.functions import (
        div,
        enable_eager_execution,
        enable_resource_variables,
        enable_v2_behavior,
        enable_v2_tensorshape,
        executing_eagerly_outside_functions,
        name_scope,
        sparse_to_dense,
        string_split,
        to_double,
        to_float,
        to_int32,
        to_int64,
        where,
    )

__all__ = [
    "data",
    "debugging",
    "div",
    "enable_eager_execution",
    "enable_resource_variables",
    "enable_v2_behavior",
    "enable_v2_tensorshape",
    "executing_eagerly_outside_functions",
    "gfile",
    "image",
    "io",
    "linalg",
    "logging",
    "math",
    "name_scope",
    "nn",
    "python_io",
    "random",
    "sparse",
    "sparse_to_dense",
    "string_split",
    "strings",
    "to_double",
    "to_float",
    "to_int32",
    "to_int64",
    "where",
]

_ROOMS = {
    "compat.v1.functions": (
        "div enable_eager_execution enable_resource_variables enable_v2_behavior "
        "enable_v2_tensorshape executing_eagerly_outside_functions name_scope sparse_to_dense "
        "string_split to_double to_float to_int32 to_int64 where"
    ),
}

_MODULES = [
    "data",
    "debugging",
    "gfile",
    "image",
    "io",
    "linalg",
    "logging",
    "math",
    "nn",
    "python_io",
    "random",
    "sparse",
    "strings",
]

open_old_namespace(globals(), "feedline", _ROOMS, modules=_MODULES)
