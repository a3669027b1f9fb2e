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
        "gather_nd": "no `bad_indices_policy`: a bad index is an error",
    },
    "tf.data": {
        "Dataset Iterator": "made by its methods, not called: there is no `variant_tensor`",
    },
    "tf.errors": {
        "OpError": "`error_code` is that of the class; a text alone is enough to make one",
    },
    "tf.data.experimental": {
        "Optional": "made by from_value() and empty(), not called",
        "index_table_from_dataset table_from_dataset": "`hasher_spec` is a name, of one hash",
    },
}
