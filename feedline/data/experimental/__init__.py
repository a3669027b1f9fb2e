"""feedline.data.experimental: the public names of tf.data.experimental."""

from __future__ import annotations

from feedline.data.experimental.device import copy_to_device, prefetch_to_device
from feedline.data.experimental.forward import (
    at,
    cardinality,
    dense_to_ragged_batch,
    from_list,
    get_next_as_optional,
    get_structure,
)
from feedline.data.experimental.variant import from_variant, to_variant
from feedline.debug_mode import enable_debug_mode
from feedline.lookup import DatasetInitializer, index_table_from_dataset, table_from_dataset
from feedline.ops.assert_cardinality import assert_cardinality
from feedline.ops.group_by_reducer import Reducer, group_by_reducer
from feedline.ops.pad_to_cardinality import pad_to_cardinality
from feedline.optional import Optional
from feedline.options import (
    AUTOTUNE,
    INFINITE_CARDINALITY,
    SHARD_HINT,
    UNKNOWN_CARDINALITY,
    AutoShardPolicy,
    AutotuneAlgorithm,
    AutotuneOptions,
    DistributeOptions,
    ExternalStatePolicy,
    OptimizationOptions,
    ServiceOptions,
    ThreadingOptions,
)

__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "SHARD_HINT",
    "UNKNOWN_CARDINALITY",
    "AutoShardPolicy",
    "AutotuneAlgorithm",
    "AutotuneOptions",
    "DatasetInitializer",
    "DistributeOptions",
    "ExternalStatePolicy",
    "OptimizationOptions",
    "Optional",
    "Reducer",
    "ServiceOptions",
    "ThreadingOptions",
    "assert_cardinality",
    "at",
    "cardinality",
    "copy_to_device",
    "dense_to_ragged_batch",
    "enable_debug_mode",
    "from_list",
    "from_variant",
    "get_next_as_optional",
    "get_structure",
    "group_by_reducer",
    "index_table_from_dataset",
    "pad_to_cardinality",
    "prefetch_to_device",
    "table_from_dataset",
    "to_variant",
]
