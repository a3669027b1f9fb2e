"""tfrecord: TFRecord files, read, indexed and written."""
