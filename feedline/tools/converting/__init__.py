"""Folders of images, CSV, JSON lines, Parquet and tar archives made into TFRecord files."""
