"""version: which release this is, and of which TensorFlow it has the names.

Programs compare ``tf.__version__`` with versions of TensorFlow. It is TensorFlow's, whose names
and results these are, and says after a plus which Feedline this is, as packages do that were
built in another way: "2.21.0+feedline.0.1.0" is 2.21.0 to who compares, and Feedline to who reads.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from feedline.namespace import open_namespace

__all__ = ["RELEASE", "VERSION", "__version__"]

try:
    RELEASE = version("feedline")
except PackageNotFoundError:  # run from a checkout that was not installed
    RELEASE = "0.0.0+unknown"

VERSION = __version__ = f"2.21.0+feedline.{RELEASE.replace('+', '.')}"

open_namespace(globals())
