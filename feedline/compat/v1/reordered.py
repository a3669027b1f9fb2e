"""reordered: functions of today under the names, and with the parameters, of TensorFlow 1."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import Parameter, Signature
from typing import Any

from feedline.errors import BuildTypeError

__all__ = ["REORDERED", "reordered"]

_REDUCE = "input_tensor axis keepdims name reduction_indices=axis keep_dims=keepdims"
_ARG = "input axis name dimension=axis output_type"
_EXAMPLES = "serialized features name example_names"
_DECODE_CSV = "records record_defaults field_delim use_quote_delim name na_value select_cols"
_DECODE_RAW = "input_bytes out_type little_endian name bytes=input_bytes"
_SUBSTR = "input pos len name unit"
_NUMBER = "string_tensor=input out_type name input"
_BUCKET = "string_tensor=input num_buckets name input"
_JOIN = "inputs axis keep_dims=keepdims separator name reduction_indices=axis keepdims"
_ASSERT = "x y data summarize message name"

_REDUCTIONS = {
    name: (f"feedline.{name}", _REDUCE)
    for name in (
        *("reduce_all", "reduce_any", "reduce_logsumexp", "reduce_max", "reduce_mean"),
        *("reduce_min", "reduce_prod", "reduce_sum"),
    )
}
_ARGS = {name: (f"feedline.{name}", _ARG) for name in ("argmax", "argmin")}
_ASSERTS = {
    f"assert_{name}": (f"feedline.debugging.assert_{name}", _ASSERT)
    for name in ("equal", "greater", "greater_equal", "less", "less_equal", "none_equal")
}


def _elsewhere(home: str, names: str) -> dict[str, tuple[str, str]]:
    """Return functions that stood at the top, and whose parameters are what they were."""
    return {name: (f"{home}.{name}", "") for name in names.split()}


REORDERED: dict[str, dict[str, tuple[str, str]]] = {
    "feedline": {
        **_REDUCTIONS,
        **_ARGS,
        **_ASSERTS,
        "boolean_mask": ("feedline.boolean_mask", "tensor mask name axis"),
        "case": ("feedline.case", "pred_fn_pairs default exclusive strict name"),
        "cond": (
            "feedline.cond",
            "pred true_fn false_fn strict name fn1=true_fn fn2=false_fn",
        ),
        "constant": ("feedline.constant", "value dtype shape name"),
        "convert_to_tensor": (
            "feedline.convert_to_tensor",
            "value dtype name preferred_dtype=dtype_hint dtype_hint",
        ),
        "decode_csv": ("feedline.io.decode_csv", _DECODE_CSV),
        "decode_raw": ("feedline.io.decode_raw", _DECODE_RAW),
        "expand_dims": ("feedline.expand_dims", "input axis name dim=axis"),
        "gather": ("feedline.gather", "params indices validate_indices name axis batch_dims"),
        "gather_nd": ("feedline.gather_nd", "params indices name batch_dims"),
        "norm": ("feedline.norm", "tensor ord axis keepdims name keep_dims=keepdims"),
        "ones_like": ("feedline.ones_like", "tensor=input dtype name"),
        "pad": ("feedline.pad", "tensor paddings mode name constant_values"),
        "parse_example": ("feedline.io.parse_example", _EXAMPLES),
        "parse_single_example": ("feedline.io.parse_single_example", _EXAMPLES),
        "py_func": ("feedline.numpy_function", "func inp Tout stateful name"),
        "random_crop": ("feedline.image.random_crop", ""),
        "random_normal": ("feedline.random.normal", ""),
        "random_shuffle": ("feedline.random.shuffle", ""),
        "random_uniform": ("feedline.random.uniform", ""),
        "reduce_join": ("feedline.strings.reduce_join", _JOIN),
        "regex_replace": ("feedline.strings.regex_replace", ""),
        "scalar_mul": ("feedline.scalar_mul", ""),
        "set_random_seed": ("feedline.random.set_seed", ""),
        "shape": ("feedline.shape", "input name out_type"),
        "size": ("feedline.size", "input name out_type"),
        "sparse_tensor_to_dense": ("feedline.sparse.to_dense", ""),
        "squeeze": ("feedline.squeeze", "input axis name squeeze_dims=axis"),
        "string_join": ("feedline.strings.join", ""),
        "string_strip": ("feedline.strings.strip", ""),
        "string_to_hash_bucket": ("feedline.strings.to_hash_bucket", _BUCKET),
        "string_to_hash_bucket_fast": ("feedline.strings.to_hash_bucket_fast", ""),
        "string_to_hash_bucket_strong": ("feedline.strings.to_hash_bucket_strong", ""),
        "string_to_number": ("feedline.strings.to_number", _NUMBER),
        "substr": ("feedline.strings.substr", _SUBSTR),
        "transpose": ("feedline.transpose", "a perm name conjugate"),
        "truncated_normal": ("feedline.random.truncated_normal", ""),
        "zeros_like": ("feedline.zeros_like", "tensor=input dtype name"),
        **_elsewhere(
            "feedline.io",
            "FixedLenFeature FixedLenSequenceFeature SparseFeature VarLenFeature decode_base64 "
            "decode_compressed decode_json_example encode_base64 matching_files "
            "parse_single_sequence_example parse_tensor read_file serialize_tensor write_file",
        ),
        **_elsewhere(
            "feedline.math",
            "ceil cumprod expm1 floordiv floormod is_finite is_inf is_nan log log1p "
            "logical_xor mod reciprocal rint rsqrt squared_difference",
        ),
    },
    "feedline.debugging": _ASSERTS,
    "feedline.image": {
        "crop_and_resize": (
            "feedline.image.crop_and_resize",
            "image boxes box_ind=box_indices crop_size method extrapolation_value name box_indices",
        ),
        "resize_image_with_crop_or_pad": ("feedline.image.resize_with_crop_or_pad", ""),
        "sample_distorted_bounding_box": (
            "feedline.image.sample_distorted_bounding_box",
            "image_size bounding_boxes seed seed2 min_object_covered aspect_ratio_range "
            "area_range max_attempts use_image_if_no_bounding_boxes name",
        ),
    },
    "feedline.io": {
        "decode_csv": ("feedline.io.decode_csv", _DECODE_CSV),
        "decode_raw": ("feedline.io.decode_raw", _DECODE_RAW),
        "parse_example": ("feedline.io.parse_example", _EXAMPLES),
        "parse_single_example": ("feedline.io.parse_single_example", _EXAMPLES),
    },
    "feedline.math": {**_REDUCTIONS, **_ARGS},
    "feedline.nn": {
        "depthwise_conv2d": (
            "feedline.nn.depthwise_conv2d",
            "input filter strides padding rate=dilations name data_format dilations",
        ),
        "depthwise_conv2d_native": (
            "feedline.nn.depthwise_conv2d",
            "input filter strides padding data_format dilations name",
        ),
    },
    "feedline.random": {"set_random_seed": ("feedline.random.set_seed", "")},
    "feedline.strings": {
        "length": ("feedline.strings.length", "input name unit"),
        "reduce_join": ("feedline.strings.reduce_join", _JOIN),
        "substr": ("feedline.strings.substr", _SUBSTR),
        "to_hash_bucket": ("feedline.strings.to_hash_bucket", _BUCKET),
        "to_number": ("feedline.strings.to_number", _NUMBER),
    },
}
"""By namespace and old name: where it lives today, and the old parameters in their order.

"dim=axis" is a parameter that was called dim and is called axis; no parameters are the same ones.
"""


def reordered(name: str, home: str, parameters: str) -> Any:
    """Return what lives at ``home`` today, with the parameters it had before.

    Example:
        >>> import feedline as tf
        >>> reordered("sum", "feedline.reduce_sum", "input_tensor dim=axis")([[1], [2]], dim=0)
        array([3], dtype=int32)
    """
    space, _, own = home.rpartition(".")
    function = getattr(import_module(space), own)
    return _with_parameters(name, function, parameters) if parameters else function


def _with_parameters(name: str, function: Callable[..., Any], parameters: str) -> Any:
    pairs = [part.partition("=") for part in parameters.split()]
    today = {old: new or old for old, _, new in pairs}
    kind = Parameter.POSITIONAL_OR_KEYWORD
    signature = Signature([Parameter(old, kind, default=None) for old in today])

    def call(*args: Any, **kwargs: Any) -> Any:
        given: dict[str, Any] = {}
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise BuildTypeError(f"{name}(): {error}. It takes {', '.join(today)}.") from None
        for old, value in bound.arguments.items():
            if today[old] in given:
                raise BuildTypeError(
                    f"{name}(): {old} is another name of {today[old]}: give only one of them."
                )
            if value is not None and old != "name":
                given[today[old]] = value
        if "data" in given:
            raise BuildTypeError(f"{name}(): data is not shown in errors. Put it into message.")
        return function(**given)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = function.__doc__
    call.__signature__ = signature  # type: ignore[attr-defined]
    return call
