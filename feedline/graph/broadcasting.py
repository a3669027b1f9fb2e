"""broadcasting: the rule of functions of each number by itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.graph.exactness import is_settled, kinds_of, on_paths
from feedline.graph.rows import Rows, aligned

__all__ = ["Elementwise"]


class Elementwise:
    """The rule of a function that broadcasts its operands."""

    __slots__ = ("_function",)

    def __init__(self, function: Any) -> None:
        self._function = function

    def __call__(self, *operands: Any, **kwargs: Any) -> Any:
        """Call the function on whole blocks."""
        if not is_settled(self._function, kinds_of(operands)):
            if kwargs:
                raise NotImplementedError
            operands = tuple(on_paths(self._function, operands))
        if any(isinstance(value, Rows) for value in kwargs.values()):
            lined = aligned(*operands, *kwargs.values())
            kwargs = dict(zip(kwargs, lined[len(operands) :], strict=True))
            operands = tuple(lined[: len(operands)])
        else:
            operands = tuple(aligned(*operands))
        if max(map(np.ndim, operands)) == 1 and any(map(np.iscomplexobj, operands)):
            # NumPy rounds single complex numbers in another way than arrays of them.
            raise NotImplementedError
        return self._function(*operands, **kwargs)
