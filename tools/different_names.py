"""different_names: names of TensorFlow that are here and are another thing in some way.

Grouped by namespace or class; several names with one difference stand in one line. What differs
only in its parameters need not be listed: docs/names.md says it by itself.
"""

from __future__ import annotations

__all__ = ["DIFFERENT"]

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
        "get_logger": 'the logger is named "feedline"',
        "make_tensor_proto": "the message has dtype, tensor_shape and SerializeToString() only",
        "gather_nd": "no `bad_indices_policy`: a bad index is an error",
    },
    "tf.data": {
        "Dataset Iterator": "made by its methods, not called: there is no `variant_tensor`",
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
        "index_table_from_dataset table_from_dataset": "`hasher_spec` is a name, of one hash",
    },
}
