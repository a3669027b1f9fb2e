"""library: the module that the pipelines know as ``tf``.

Whoever loads the pipelines says which one it is, before the first of them is imported.
"""

from __future__ import annotations

from typing import Any

tf: Any = None


def choose(module: Any) -> None:
    """Let the pipelines run with TensorFlow, or with Feedline."""
    global tf
    assert tf is None or tf is module, "the pipelines are bound to another library already"
    tf = module
