"""kept: what was worked out about a plan, so that it is not worked out again.

It lives with the node that ends the plan and goes when that goes. It is not part of the
node: it does not count when nodes are compared, and copies and pickles begin with nothing.
"""

from __future__ import annotations

from typing import Any

__all__ = ["Kept"]


class Kept(dict[Any, Any]):
    """Values by a key of whoever keeps them."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Kept, ()
