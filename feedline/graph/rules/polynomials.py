"""Polynomials given by their coefficients."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.graph.rows import Rows
from feedline.graph.rule import batched, loops

__all__ = []


@batched(np.polyval)
def _polyval(p: Any, x: Any) -> Any:
    if isinstance(p, (Rows, np.poly1d)):
        raise NotImplementedError
    if x.array.dtype.kind == "c" or np.iscomplexobj(p):
        raise NotImplementedError
    return np.polyval(p, x.array)


loops(np.polyadd, np.polyder, np.polyint, np.polysub)
loops(np.polyfit, exact=False)
loops(np.vander, fresh=True)
