"""Tables from keys to values: ``tf.lookup``.

Strings are compared by their UTF-8 bytes: a vocabulary of ``str`` finds ``bytes`` keys.
"""

from feedline.lookup import experimental
from feedline.lookup.initializers import KeyValueTensorInitializer
from feedline.lookup.static import StaticHashTable, StaticVocabularyTable
from feedline.lookup.text_file import TextFileIndex, TextFileInitializer
from feedline.namespace import open_namespace

__all__ = [
    "KeyValueTensorInitializer",
    "StaticHashTable",
    "StaticVocabularyTable",
    "TextFileIndex",
    "TextFileInitializer",
    "experimental",
]

open_namespace(globals())
