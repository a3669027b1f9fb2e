"""feedline.data.experimental: the public names of tf.data.experimental."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from feedline.data.experimental.csv_files import make_csv_dataset
    from feedline.data.experimental.files import CsvDataset, SqlDataset

__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "SHARD_HINT",
    "UNKNOWN_CARDINALITY",
    "AutoShardPolicy",
    "AutotuneAlgorithm",
    "AutotuneOptions",
    "CsvDataset",
    "DatasetInitializer",
    "DistributeOptions",
    "ExternalStatePolicy",
    "OptimizationOptions",
    "Optional",
    "Reducer",
    "ServiceOptions",
    "SqlDataset",
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
    "make_csv_dataset",
    "pad_to_cardinality",
    "prefetch_to_device",
    "table_from_dataset",
    "to_variant",
]

# Loaded when they are asked for: they need modules that most programs do not.
_LATE = {
    "CsvDataset": "files",
    "SqlDataset": "files",
    "make_csv_dataset": "csv_files",
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module 'feedline.data.experimental' has no attribute {name!r}")
    module = import_module(f"feedline.data.experimental.{_LATE[name]}")
    found = globals()[name] = getattr(module, name)
    return found
