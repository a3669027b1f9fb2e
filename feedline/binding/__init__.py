"""Binding: a function keeps the variables it had when it was given to a step of a pipeline.

::

    mentioned   which variables code reads and writes, found out once per code object
    bound       a function with the variables it has now
    sending     bound functions in pickles: by name where nothing is lost that way
"""

from __future__ import annotations

from feedline.binding.bound import bindable, bound, bound_together
from feedline.binding.sending import HoldsFunctions

__all__ = ["HoldsFunctions", "bindable", "bound", "bound_together"]
