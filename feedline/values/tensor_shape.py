"""tensor_shape: the shape of a tensor, a tuple that also answers to TensorFlow's habits."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, SupportsIndex

from feedline.shapes import Shape, as_shape, merge_shapes, shapes_agree

__all__ = ["TensorShape"]


class TensorShape(tuple[int | None, ...]):
    """Lengths of axes; None stands for one that is not known.

    Example:
        >>> shape = TensorShape([2, None])
        >>> shape.as_list(), shape.rank, shape.num_elements(), shape[0]
        ([2, None], 2, None, 2)
        >>> shape == (2, None), shape.is_compatible_with([2, 7])
        (True, True)
    """

    # None for a rank that is not known: then the tuple is empty and says nothing.
    _known: bool

    def __new__(cls, dims: Any = None) -> TensorShape:
        """Make a shape of lengths, of one length, or None for an unknown rank."""
        if type(dims) is tuple:  # what arrays have
            self = super().__new__(cls, dims)
            if dims and (None in dims or min(dims) < 0):
                self = super().__new__(cls, as_shape(dims) or ())
            return self
        if isinstance(dims, TensorShape):
            return dims
        found = as_shape(dims)
        self = super().__new__(cls, found or ())
        if found is None:
            self._known = False
        return self

    @property
    def rank(self) -> int | None:
        """How many axes there are, None if that is not known."""
        return tuple.__len__(self) if self._is_known else None

    @property
    def ndims(self) -> int | None:
        """The same as rank."""
        return self.rank

    @property
    def dims(self) -> list[int | None] | None:
        """The lengths, None if the rank is not known."""
        return list(self) if self._is_known else None

    @property
    def _is_known(self) -> bool:
        known: bool = self.__dict__.get("_known", True)
        return known

    def _given(self) -> Shape:
        return tuple(self) if self._is_known else None

    def as_list(self) -> list[int | None]:
        """Return the lengths as a list."""
        if not self._is_known:
            raise ValueError("as_list() is not defined on a TensorShape of unknown rank.")
        return list(self)

    def num_elements(self) -> int | None:
        """Return how many numbers an array of this shape has, None if that is not known."""
        if not self._is_known or None in self:
            return None
        return math.prod(n for n in self if n is not None)

    def is_fully_defined(self) -> bool:
        """Whether every length is known."""
        return self._is_known and None not in self

    def is_compatible_with(self, other: Any) -> bool:
        """Whether one array could have both shapes."""
        return shapes_agree(self._given(), TensorShape(other)._given())

    def merge_with(self, other: Any) -> TensorShape:
        """Return the shape that knows what either knows."""
        theirs = TensorShape(other)
        self.assert_is_compatible_with(theirs)
        if not self._is_known or not theirs._is_known:
            return theirs if theirs._is_known else self
        return TensorShape(tuple(b if a is None else a for a, b in zip(self, theirs, strict=True)))

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """Return the narrowest shape that covers both."""
        return TensorShape(merge_shapes(self._given(), TensorShape(other)._given()))

    def concatenate(self, other: Any) -> TensorShape:
        """Return the lengths of both, one after the other."""
        theirs = TensorShape(other)
        if not self._is_known or not theirs._is_known:
            return TensorShape(None)
        return TensorShape(tuple.__add__(self, theirs))

    def with_rank(self, rank: int) -> TensorShape:
        """Return the shape if it has this many axes; unknown lengths if its rank is unknown."""
        if not self._is_known:
            return TensorShape((None,) * rank)
        if self.rank != rank:
            raise ValueError(f"the shape {self} must have rank {rank}.")
        return self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """Return the shape if it has this many axes or more, or an unknown rank."""
        if self.rank is not None and self.rank < rank:
            raise ValueError(f"the shape {self} must have rank at least {rank}.")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """Return the shape if it has this many axes or fewer, or an unknown rank."""
        if self.rank is not None and self.rank > rank:
            raise ValueError(f"the shape {self} must have rank at most {rank}.")
        return self

    def assert_has_rank(self, rank: int) -> None:
        """Raise ValueError if the shape cannot have this many axes."""
        if self.rank not in (None, rank):
            raise ValueError(f"the shape {self} must have rank {rank}.")

    def assert_same_rank(self, other: Any) -> None:
        """Raise ValueError if both have ranks that differ."""
        theirs = TensorShape(other)
        if None not in (self.rank, theirs.rank) and self.rank != theirs.rank:
            raise ValueError(f"the shapes {self} and {theirs} must have the same rank.")

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise ValueError if no array could have both shapes."""
        if not self.is_compatible_with(other):
            raise ValueError(f"the shapes {self} and {TensorShape(other)} are incompatible.")

    def assert_is_fully_defined(self) -> None:
        """Raise ValueError unless every length is known."""
        if not self.is_fully_defined():
            raise ValueError(f"the shape {self} is not fully defined.")

    # ---- as a tuple ----------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        if not self._is_known:
            return TensorShape(None) if isinstance(key, slice) else None
        found = tuple.__getitem__(self, key)
        return TensorShape(found) if isinstance(key, slice) else found

    def __len__(self) -> int:
        if not self._is_known:
            raise ValueError("a shape of unknown rank has no length.")
        return tuple.__len__(self)

    def __bool__(self) -> bool:
        return self._is_known and tuple.__len__(self) > 0

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def __mul__(self, count: SupportsIndex) -> TensorShape:
        return TensorShape(tuple.__mul__(self, count))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TensorShape):
            return self._is_known == other._is_known and tuple.__eq__(self, other)
        if other is None:  # as a shape it is that of an unknown rank
            return not self._is_known
        if isinstance(other, list):
            other = tuple(other)
        return self._is_known and tuple.__eq__(self, other) is True

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return tuple.__hash__(self) if self._is_known else hash(None)

    def __reduce__(self) -> Any:
        return TensorShape, (tuple(self) if self._is_known else None,)

    def __repr__(self) -> str:
        return f"TensorShape({list(self) if self._is_known else None})"

    def __str__(self) -> str:
        return _text(self) if self._is_known else "<unknown>"


def _text(lengths: Iterable[int | None]) -> str:
    return str(tuple(lengths))
