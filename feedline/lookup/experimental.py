"""Tables that can be changed: ``tf.lookup.experimental``."""

from feedline.lookup.mutable import DenseHashTable, MutableHashTable
from feedline.namespace import open_namespace

__all__ = ["DenseHashTable", "MutableHashTable"]

open_namespace(globals())
