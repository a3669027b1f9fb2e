"""different_names: names of TensorFlow that are here and are another thing in some way.

Grouped by namespace or class; several names with one difference stand in one line. What differs
only in its parameters need not be listed: docs/names.md says it by itself.
"""

from __future__ import annotations

__all__ = ["DIFFERENT"]

_LAST_DIGITS = "the last digits of floats may differ"
_DRAWS = "inside functions of datasets the numbers are others: they belong to the element"
_NORMAL = f"the last bits may differ; {_DRAWS}"
_PATTERNS = "RE2's patterns without `\\C`; a group of `rewrite` that is not there is an error"

DIFFERENT: dict[str, dict[str, str]] = {
    "tf": {
        "RaggedTensor RaggedTensorSpec": "made by the from_ methods and from dtype and shape only",
        "fill ones ones_like zeros zeros_like": "no `layout`: arrays are not spread over devices",
        "executing_eagerly": "True inside functions too: they are Python there as well",
        "inside_function": "False inside functions too",
        "init_scope": "no effect: nothing is moved out of a function",
        "device": "no effect: the processor does it, as in TensorFlow where no GPU is",
        "control_dependencies": "no effect: what stands before is done before",
        "function": (
            "`autograph` and `jit_compile` change nothing: there is no AutoGraph and no XLA; "
            "`experimental_follow_type_hints` is refused"
        ),
        "Tensor": "a NumPy array, number or string as well: `y = x; y += 1` changes `x` too",
        "get_logger": 'the logger is named "feedline"',
        "make_tensor_proto": "the message has dtype, tensor_shape and SerializeToString() only",
        "gather_nd": "no `bad_indices_policy`: a bad index is an error",
    },
    "tf.data": {
        "Dataset Iterator": "made by its methods, not called: there is no `variant_tensor`",
        "TFRecordDataset": "after damage the next whole record is read, see docs/tfrecord.md",
        "TextLineDataset": "lines are `str`, bytes with `encoding=None`; damaged GZIP is an error",
    },
    "tf.data.Dataset": {
        "fingerprint": "another hash: equal for equal pipelines, but not TensorFlow's",
        "interleave": "`cycle_length` is 16 where it is left out, on every machine",
    },
    "tf.io": {
        "parse_example parse_single_example": "lists in several pieces are read, as protobuf does",
        "RaggedFeature": "partitions are checked always, not only with `validate=True`",
    },
    "tf.image": {
        "adjust_gamma psnr rgb_to_yiq rgb_to_yuv sobel_edges ssim "
        "ssim_multiscale total_variation yiq_to_rgb yuv_to_rgb": _LAST_DIGITS,
        "adjust_hue": "a `delta` beyond -1 to 1 is refused in every place",
        "combined_non_max_suppression": "boxes with equal scores may come in another order",
        "non_max_suppression_padded": "with an `iou_threshold` of 0 one of overlapping boxes stays",
    },
    "tf.strings": {
        "as_string format": "the result is `str`",
        "lower upper": "with `encoding` they follow Python's Unicode, which knows more letters",
        "regex_full_match": "RE2's patterns without `\\C`, see docs/strings.md",
        "regex_replace": _PATTERNS,
        "unicode_decode unicode_decode_with_offsets unicode_split unicode_split_with_offsets "
        "unicode_transcode": "of encodings those that docs/strings.md lists",
    },
    "tf.random": {
        "normal truncated_normal gamma": _NORMAL,
        "categorical poisson shuffle uniform": _DRAWS,
    },
    "tf.autograph": {"set_verbosity": "no effect: no function is rewritten, nothing is told"},
    "tf.autograph.experimental": {"do_not_convert": "the function as it is, not one around it"},
    "tf.config": {
        "run_functions_eagerly experimental_run_functions_eagerly": (
            "functions of datasets run plainly as well, as after enable_debug_mode()"
        ),
        "get_soft_device_placement set_soft_device_placement": "True always; False is refused",
    },
    "tf.config.experimental": {
        "enable_op_determinism": "draws without a seed are not refused",
        "set_memory_growth": "always an error, as for a CPU: there are no GPUs to set it for",
    },
    "tf.config.threading": {
        "get_inter_op_parallelism_threads set_inter_op_parallelism_threads "
        "get_intra_op_parallelism_threads set_intra_op_parallelism_threads": (
            "the default of Options.threading, which a pipeline may say otherwise"
        ),
    },
    "tf.errors": {
        "OpError": "`error_code` is that of the class; a text alone is enough to make one",
    },
    "tf.data.experimental": {
        "Optional": "made by from_value() and empty(), not called",
        "CsvDataset make_csv_dataset": "strings are `str`, bytes with `encoding=None`",
        "SqlDataset": "a number that does not fit its dtype is an error",
        "copy_to_device prefetch_to_device": "devices other than the host are refused",
        "index_table_from_dataset table_from_dataset": "`hasher_spec` is a name, of one hash",
    },
}
