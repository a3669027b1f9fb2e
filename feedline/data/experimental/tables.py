"""tables: lookup tables of the elements of datasets, which live in feedline.lookup."""

from __future__ import annotations

from feedline.lookup.from_datasets import index_table_from_dataset, table_from_dataset
from feedline.lookup.initializers import DatasetInitializer

__all__ = ["DatasetInitializer", "index_table_from_dataset", "table_from_dataset"]
