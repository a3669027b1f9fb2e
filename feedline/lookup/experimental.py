"""Tables that can be changed: ``tf.lookup.experimental``."""

from feedline.lookup.mutable import DenseHashTable, MutableHashTable

__all__ = ["DenseHashTable", "MutableHashTable"]
