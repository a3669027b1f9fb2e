"""Feedline: tf.data's pipelines on NumPy arrays and plain Python functions.

``import feedline as tf`` turns tf.data input code into Feedline code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline import data, dtypes, errors, ragged, sparse
from feedline.dtypes import (
    DType,
    as_dtype,
    bool,  # noqa: A004  (TensorFlow's names are the API)
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)
from feedline.namespace import open_namespace
from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor
from feedline.spec import (
    OptionalSpec,
    RaggedTensorSpec,
    SparseTensorSpec,
    TensorSpec,
    TypeSpec,
)
from feedline.values.publishing import published as _published
from feedline.values.tensor import Tensor
from feedline.values.tensor_shape import TensorShape

if TYPE_CHECKING:
    from feedline import (
        audio,
        autograph,
        bitwise,
        config,
        debugging,
        image,
        io,
        keras,
        linalg,
        lookup,
        math,
        nest,
        nn,
        random,
        signal,
        strings,
        train,
        version,
    )
    from feedline.arrays.arithmetic import abs_ as abs  # noqa: A004
    from feedline.arrays.arithmetic import (
        add,
        add_n,
        clip_by_value,
        divide,
        floor,
        maximum,
        minimum,
        multiply,
        negative,
        scalar_mul,
        sign,
        square,
        subtract,
        truediv,
        truncatediv,
        truncatemod,
    )
    from feedline.arrays.arithmetic import pow_ as pow  # noqa: A004
    from feedline.arrays.arithmetic import round_ as round  # noqa: A004
    from feedline.arrays.bits import bitcast
    from feedline.arrays.blocks_of_pixels import batch_to_space, space_to_batch
    from feedline.arrays.casting import (
        cast,
        constant,
        convert_to_tensor,
        identity,
        identity_n,
        is_tensor,
        saturate_cast,
        stop_gradient,
    )
    from feedline.arrays.casting import complex_ as complex  # noqa: A004
    from feedline.arrays.comparing import (
        equal,
        greater,
        greater_equal,
        less,
        less_equal,
        logical_and,
        logical_not,
        logical_or,
        not_equal,
    )
    from feedline.arrays.creating import (
        eye,
        fill,
        linspace,
        meshgrid,
        one_hot,
        ones,
        ones_like,
        zeros,
        zeros_like,
    )
    from feedline.arrays.creating import range_ as range  # noqa: A004
    from feedline.arrays.functions import (
        acos,
        acosh,
        asin,
        asinh,
        atan,
        atan2,
        atanh,
        cos,
        cosh,
        exp,
        sigmoid,
        sin,
        sinh,
        sqrt,
        tan,
        tanh,
    )
    from feedline.arrays.joining import concat, pad, repeat, split, stack, tile, unstack
    from feedline.arrays.linear import einsum, matmul, norm, tensordot
    from feedline.arrays.norms import clip_by_global_norm, clip_by_norm
    from feedline.arrays.picking import (
        boolean_mask,
        gather,
        gather_nd,
        reverse,
        roll,
        strided_slice,
        where,
    )
    from feedline.arrays.picking import slice_ as slice  # noqa: A004
    from feedline.arrays.printing import print_ as print  # noqa: A004
    from feedline.arrays.reducing import (
        argmax,
        argmin,
        cumsum,
        reduce_all,
        reduce_any,
        reduce_logsumexp,
        reduce_max,
        reduce_mean,
        reduce_min,
        reduce_prod,
        reduce_sum,
    )
    from feedline.arrays.scattering import (
        dynamic_partition,
        dynamic_stitch,
        scatter_nd,
        tensor_scatter_nd_add,
        tensor_scatter_nd_max,
        tensor_scatter_nd_min,
        tensor_scatter_nd_sub,
        tensor_scatter_nd_update,
    )
    from feedline.arrays.sequences import (
        histogram_fixed_width,
        histogram_fixed_width_bins,
        reverse_sequence,
        sequence_mask,
        unravel_index,
    )
    from feedline.arrays.shaping import (
        broadcast_dynamic_shape,
        broadcast_static_shape,
        broadcast_to,
        ensure_shape,
        expand_dims,
        rank,
        reshape,
        shape,
        shape_n,
        size,
        squeeze,
        transpose,
    )
    from feedline.arrays.sorting import argsort, searchsorted, sort, unique, unique_with_counts
    from feedline.arrays.tensor_array import TensorArray
    from feedline.arrays.value_spec import type_spec_from_value
    from feedline.contexts import (
        control_dependencies,
        device,
        executing_eagerly,
        get_current_name_scope,
        get_logger,
        get_static_value,
        init_scope,
        inside_function,
        name_scope,
    )
    from feedline.debugging import Assert, assert_equal, assert_greater, assert_less, assert_rank
    from feedline.functions.control import (
        case,
        cond,
        map_fn,
        switch_case,
        vectorized_map,
        while_loop,
    )
    from feedline.functions.folding import foldl, foldr, scan
    from feedline.functions.function import function
    from feedline.functions.py_function import numpy_function, py_function
    from feedline.functions.traces import FunctionWarning
    from feedline.io.tensor_message import make_ndarray, make_tensor_proto
    from feedline.strings.writing import as_string
    from feedline.version import __version__

# One name in a line would make three screens of them.
# fmt: off
__all__ = [
    "Assert", "DType", "FunctionWarning", "OptionalSpec", "RaggedTensor", "RaggedTensorSpec",
    "SparseTensor", "SparseTensorSpec", "Tensor", "TensorArray", "TensorShape", "TensorSpec",
    "TypeSpec",
    "__version__", "abs", "acos", "acosh", "add", "add_n", "argmax", "argmin", "argsort",
    "as_dtype", "as_string", "asin", "asinh", "assert_equal", "assert_greater", "assert_less",
    "assert_rank", "atan", "atan2", "atanh", "audio", "autograph", "batch_to_space", "bitcast",
    "bitwise", "bool", "boolean_mask", "broadcast_dynamic_shape", "broadcast_static_shape",
    "broadcast_to", "case", "cast", "clip_by_global_norm", "clip_by_norm", "clip_by_value",
    "compat", "complex", "complex64", "complex128", "concat", "cond", "config", "constant",
    "control_dependencies", "convert_to_tensor", "cos", "cosh", "cumsum", "data", "debugging",
    "device", "distribute", "divide", "double", "dtypes", "dynamic_partition", "dynamic_stitch",
    "einsum", "ensure_shape", "equal", "errors", "executing_eagerly", "exp", "expand_dims", "eye",
    "fill", "float16", "float32", "float64", "floor", "foldl", "foldr", "function", "gather",
    "gather_nd", "get_current_name_scope", "get_logger", "get_static_value", "greater",
    "greater_equal", "half", "histogram_fixed_width", "histogram_fixed_width_bins", "identity",
    "identity_n", "image", "init_scope", "inside_function", "int8", "int16", "int32", "int64",
    "io", "is_tensor", "keras", "less", "less_equal", "linalg", "linspace", "logical_and",
    "logical_not", "logical_or", "lookup", "make_ndarray", "make_tensor_proto", "map_fn", "math",
    "matmul", "maximum", "meshgrid", "minimum", "multiply", "name_scope", "negative", "nest",
    "newaxis", "nn", "norm", "not_equal", "numpy_function", "one_hot", "ones", "ones_like", "pad",
    "pow", "print", "py_function", "ragged", "random", "range", "rank", "reduce_all", "reduce_any",
    "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum",
    "repeat", "reshape", "reverse", "reverse_sequence", "roll", "round", "saturate_cast",
    "scalar_mul", "scan", "scatter_nd", "searchsorted", "sequence_mask", "shape", "shape_n",
    "sigmoid", "sign", "signal", "sin", "sinh", "size", "slice", "sort", "space_to_batch",
    "sparse", "split", "sqrt", "square", "squeeze", "stack", "stop_gradient", "strided_slice",
    "string", "strings", "subtract", "switch_case", "tan", "tanh", "tensor_scatter_nd_add",
    "tensor_scatter_nd_max", "tensor_scatter_nd_min", "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update", "tensordot", "tile", "train", "transpose", "truediv",
    "truncatediv", "truncatemod", "type_spec_from_value", "uint8", "uint16", "uint32", "uint64",
    "unique", "unique_with_counts", "unravel_index", "unstack", "vectorized_map", "version",
    "where", "while_loop", "zeros", "zeros_like",
]
# fmt: on


newaxis = None

# What is loaded when it is asked for: all of it would slow every import.
_ROOMS = {
    "arrays.arithmetic": (
        "abs add add_n clip_by_value divide floor maximum minimum multiply negative pow round "
        "scalar_mul sign square subtract truediv truncatediv truncatemod"
    ),
    "arrays.bits": "bitcast",
    "arrays.blocks_of_pixels": "batch_to_space space_to_batch",
    "arrays.casting": (
        "cast complex constant convert_to_tensor identity identity_n is_tensor saturate_cast "
        "stop_gradient"
    ),
    "arrays.comparing": (
        "equal greater greater_equal less less_equal logical_and logical_not logical_or not_equal"
    ),
    "arrays.creating": "eye fill linspace meshgrid one_hot ones ones_like range zeros zeros_like",
    "arrays.functions": (
        "acos acosh asin asinh atan atan2 atanh cos cosh exp sigmoid sin sinh sqrt tan tanh"
    ),
    "arrays.joining": "concat pad repeat split stack tile unstack",
    "arrays.linear": "einsum matmul norm tensordot",
    "arrays.norms": "clip_by_global_norm clip_by_norm",
    "arrays.picking": "boolean_mask gather gather_nd reverse roll slice strided_slice where",
    "arrays.printing": "print",
    "arrays.reducing": (
        "argmax argmin cumsum reduce_all reduce_any reduce_logsumexp reduce_max "
        "reduce_mean reduce_min reduce_prod reduce_sum"
    ),
    "arrays.scattering": (
        "dynamic_partition dynamic_stitch scatter_nd tensor_scatter_nd_add "
        "tensor_scatter_nd_max tensor_scatter_nd_min tensor_scatter_nd_sub "
        "tensor_scatter_nd_update"
    ),
    "arrays.sequences": (
        "histogram_fixed_width histogram_fixed_width_bins reverse_sequence sequence_mask "
        "unravel_index"
    ),
    "arrays.shaping": (
        "broadcast_dynamic_shape broadcast_static_shape broadcast_to ensure_shape expand_dims "
        "rank reshape shape shape_n size squeeze transpose"
    ),
    "arrays.sorting": "argsort searchsorted sort unique unique_with_counts",
    "arrays.tensor_array": "TensorArray",
    "arrays.value_spec": "type_spec_from_value",
    "contexts": (
        "control_dependencies device executing_eagerly get_current_name_scope get_logger "
        "get_static_value init_scope inside_function name_scope"
    ),
    "debugging": "Assert assert_equal assert_greater assert_less assert_rank",
    "functions.control": "case cond map_fn switch_case vectorized_map while_loop",
    "functions.folding": "foldl foldr scan",
    "functions.function": "function",
    "functions.py_function": "numpy_function py_function",
    "functions.traces": "FunctionWarning",
    "io.tensor_message": "make_ndarray make_tensor_proto",
    "strings.writing": "as_string",
    "values.bfloat16": "bfloat16",
    "version": "__version__",
}
_MODULES = {
    *("audio", "autograph", "bitwise", "compat", "config", "debugging", "distribute", "image"),
    *("io", "keras", "linalg", "lookup", "math", "nest", "nn", "random", "signal", "strings"),
    *("testing", "train", "version"),
}

open_namespace(globals(), _ROOMS, modules=_MODULES, made_public=_published)
