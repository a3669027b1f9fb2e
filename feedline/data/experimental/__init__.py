"""feedline.data.experimental: the public names of tf.data.experimental."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.data.experimental.device import copy_to_device, prefetch_to_device
from feedline.data.experimental.forward import (
    at,
    cardinality,
    dense_to_ragged_batch,
    from_list,
    get_next_as_optional,
    get_single_element,
    get_structure,
)
from feedline.data.experimental.variant import from_variant, to_variant
from feedline.debug_mode import enable_debug_mode
from feedline.namespace import open_namespace
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
    from feedline.data.experimental.examples import (
        make_batched_features_dataset,
        parse_example_dataset,
    )
    from feedline.data.experimental.files import CsvDataset, SqlDataset
    from feedline.data.experimental.sources import (
        Counter,
        RandomDataset,
        choose_from_datasets,
        sample_from_datasets,
    )
    from feedline.data.experimental.transformations import (
        bucket_by_sequence_length,
        dense_to_sparse_batch,
        enumerate_dataset,
        group_by_window,
        ignore_errors,
        map_and_batch,
        parallel_interleave,
        rejection_resample,
        scan,
        shuffle_and_repeat,
        take_while,
        unbatch,
        unique,
    )
    from feedline.data.experimental.writing import TFRecordWriter
    from feedline.lookup.from_datasets import index_table_from_dataset, table_from_dataset
    from feedline.lookup.initializers import DatasetInitializer

__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "SHARD_HINT",
    "UNKNOWN_CARDINALITY",
    "AutoShardPolicy",
    "AutotuneAlgorithm",
    "AutotuneOptions",
    "Counter",
    "CsvDataset",
    "DatasetInitializer",
    "DistributeOptions",
    "ExternalStatePolicy",
    "OptimizationOptions",
    "Optional",
    "RandomDataset",
    "Reducer",
    "ServiceOptions",
    "SqlDataset",
    "TFRecordWriter",
    "ThreadingOptions",
    "assert_cardinality",
    "at",
    "bucket_by_sequence_length",
    "cardinality",
    "choose_from_datasets",
    "copy_to_device",
    "dense_to_ragged_batch",
    "dense_to_sparse_batch",
    "enable_debug_mode",
    "enumerate_dataset",
    "from_list",
    "from_variant",
    "get_next_as_optional",
    "get_single_element",
    "get_structure",
    "group_by_reducer",
    "group_by_window",
    "ignore_errors",
    "index_table_from_dataset",
    "make_batched_features_dataset",
    "make_csv_dataset",
    "map_and_batch",
    "pad_to_cardinality",
    "parallel_interleave",
    "parse_example_dataset",
    "prefetch_to_device",
    "rejection_resample",
    "sample_from_datasets",
    "scan",
    "shuffle_and_repeat",
    "table_from_dataset",
    "take_while",
    "to_variant",
    "unbatch",
    "unique",
]

# Loaded when they are asked for: they need modules that most programs do not.
_ROOMS = {
    "data.experimental.csv_files": "make_csv_dataset",
    "data.experimental.examples": "make_batched_features_dataset parse_example_dataset",
    "data.experimental.files": "CsvDataset SqlDataset",
    "data.experimental.sources": (
        "Counter RandomDataset choose_from_datasets sample_from_datasets"
    ),
    "data.experimental.transformations": (
        "bucket_by_sequence_length dense_to_sparse_batch enumerate_dataset group_by_window "
        "ignore_errors map_and_batch parallel_interleave rejection_resample scan "
        "shuffle_and_repeat take_while unbatch unique"
    ),
    "data.experimental.writing": "TFRecordWriter",
    "lookup.from_datasets": "index_table_from_dataset table_from_dataset",
    "lookup.initializers": "DatasetInitializer",
}

open_namespace(globals(), _ROOMS)
