"""feedline.keras: those functions of tf.keras that make datasets. They do not need Keras.

Models, layers and everything else of Keras are Keras's own: ``import keras``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.namespace import open_namespace

if TYPE_CHECKING:
    from feedline.keras import preprocessing, utils

__all__ = ["preprocessing", "utils"]

open_namespace(globals(), modules=__all__)
