"""feedline.random.experimental: the names that TensorFlow keeps there."""

from __future__ import annotations

from feedline.namespace import open_namespace
from feedline.random.generator import Generator
from feedline.random.splitting import fold_in as stateless_fold_in
from feedline.random.splitting import split as stateless_split
from feedline.random.stateless import stateless_shuffle

__all__ = ["Generator", "stateless_fold_in", "stateless_shuffle", "stateless_split"]

open_namespace(globals())
