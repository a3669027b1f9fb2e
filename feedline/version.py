"""version: which release this is, read from the installed package."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

__all__ = ["__version__"]

try:
    __version__ = version("feedline")
except PackageNotFoundError:  # run from a checkout that was not installed
    __version__ = "0.0.0+unknown"
