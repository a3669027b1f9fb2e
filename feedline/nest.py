"""nest: structures of lists, tuples, dicts and dataclasses, with TensorFlow's rules.

The leaves of a dict come in the order of its keys. Unlike in the elements of a dataset, a
list is a branch here, and so are a range and the views of a dict. Ragged and sparse values, which
are made of several tensors, are leaves unless ``expand_composites`` asks for those.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import (
    Callable,
    ItemsView,
    Iterator,
    KeysView,
    Mapping,
    Sequence,
    ValuesView,
)
from typing import Any

from feedline.composites import is_composite, parts_of, put_together
from feedline.errors import BuildError, BuildTypeError
from feedline.namespace import open_namespace

__all__ = [
    "assert_same_structure",
    "flatten",
    "is_nested",
    "map_structure",
    "pack_sequence_as",
]


# What is a branch, and comes back as a list.
_LISTED = (KeysView, ValuesView, ItemsView, range)


def is_nested(seq: Any) -> bool:
    """Whether a value is a branch: a list, a tuple, a dict or a dataclass.

    Example:
        >>> is_nested([1]), is_nested("text")
        (True, False)
    """
    return isinstance(seq, (list, tuple, Mapping, *_LISTED)) or (
        dataclasses.is_dataclass(seq)
        and not isinstance(seq, type)
        and not getattr(type(seq), "__feedline_leaf__", False)
    )


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """Return the leaves of a structure as a list.

    Args:
        structure: Anything; what is not a branch is a leaf.
        expand_composites: Whether ragged and sparse values are branches of their tensors.

    Example:
        >>> flatten({"b": [1, 2], "a": (3,)})
        [3, 1, 2]
    """
    return list(_leaves(structure, expand_composites))


def pack_sequence_as(
    structure: Any, flat_sequence: Sequence[Any], expand_composites: bool = False
) -> Any:
    """Return a structure like ``structure`` with the leaves of ``flat_sequence``.

    Args:
        structure: Says what to build.
        flat_sequence: As many leaves as it has.
        expand_composites: Whether ragged and sparse values are branches of their tensors.

    Example:
        >>> pack_sequence_as({"b": [1, 2], "a": (3,)}, [30, 10, 20])
        {'b': [10, 20], 'a': (30,)}
    """
    count = len(flatten(structure, expand_composites))
    if len(flat_sequence) != count:
        raise BuildError(
            f"pack_sequence_as(): flat_sequence must have {count} leaves as the structure has, "
            f"got {len(flat_sequence)}."
        )
    return _packed(structure, iter(flat_sequence), expand_composites)


def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Return ``func`` of the leaves of one structure, or of several of the same structure.

    Args:
        func: Called with one leaf of each structure.
        *structure: At least one.
        **kwargs: ``check_types``, ``expand_composites`` as TensorFlow has them.

    Example:
        >>> map_structure(lambda a, b: a + b, {"x": [1, 2]}, {"x": [10, 20]})
        {'x': [11, 22]}
    """
    check_types = kwargs.pop("check_types", True)
    expand = bool(kwargs.pop("expand_composites", False))
    if kwargs:
        raise BuildTypeError(f"map_structure(): unknown arguments {sorted(kwargs)}.")
    if not callable(func):
        raise BuildTypeError(f"map_structure(): func must be callable, got {func!r}.")
    if not structure:
        raise BuildError("map_structure(): at least one structure must be given.")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types, expand)
    leaves = zip(*(_leaves(one, expand) for one in structure), strict=True)
    return _packed(structure[0], iter([func(*each) for each in leaves]), expand)


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Raise unless two values have the same structure.

    Args:
        nest1: One.
        nest2: The other.
        check_types: Whether the types of branches must agree too.
        expand_composites: Whether ragged and sparse values are branches of their tensors.

    Example:
        >>> assert_same_structure((1, [2]), (3, [4]))
    """
    is_branch = _is_branch(nest1, expand_composites)
    if is_branch != _is_branch(nest2, expand_composites):
        raise BuildError(f"the two structures differ: {nest1!r} and {nest2!r}.")
    if not is_branch:
        return
    if check_types and _kind(nest1) is not _kind(nest2):
        raise BuildTypeError(
            f"the two structures differ in type: {type(nest1).__name__} and {type(nest2).__name__}."
        )
    mine, theirs = _children(nest1), _children(nest2)
    if len(mine) != len(theirs) or (
        isinstance(nest1, Mapping) and isinstance(nest2, Mapping) and set(nest1) != set(nest2)
    ):
        raise BuildError(f"the two structures differ: {nest1!r} and {nest2!r}.")
    for one, other in zip(mine, theirs, strict=True):
        assert_same_structure(one, other, check_types, expand_composites)


def _is_branch(structure: Any, expand: bool) -> bool:
    return is_nested(structure) or (expand and is_composite(structure))


def _sorted_keys(mapping: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(mapping)
    except TypeError:
        return list(mapping)


def _children(structure: Any) -> list[Any]:
    if isinstance(structure, Mapping):
        return [structure[key] for key in _sorted_keys(structure)]
    if isinstance(structure, (list, tuple, *_LISTED)):
        return list(structure)
    if is_composite(structure):
        return parts_of(structure)
    return [getattr(structure, field.name) for field in _fields(structure)]


def _fields(structure: Any) -> list[dataclasses.Field[Any]]:
    return [field for field in dataclasses.fields(structure) if field.init]


def _kind(structure: Any) -> type:
    if isinstance(structure, Mapping):
        return Mapping
    return type(structure)


def _leaves(structure: Any, expand: bool = False) -> Iterator[Any]:
    if not _is_branch(structure, expand):
        yield structure
        return
    for child in _children(structure):
        yield from _leaves(child, expand)


def _packed(structure: Any, leaves: Iterator[Any], expand: bool) -> Any:
    if not _is_branch(structure, expand):
        return next(leaves)
    children = [_packed(child, leaves, expand) for child in _children(structure)]
    kind = type(structure)
    if isinstance(structure, _LISTED):
        return children
    if isinstance(structure, Mapping):
        by_key = dict(zip(_sorted_keys(structure), children, strict=True))
        pairs = [(key, by_key[key]) for key in structure]
        if isinstance(structure, defaultdict):
            return kind(structure.default_factory, pairs)
        return kind(pairs) if isinstance(structure, dict) else dict(pairs)
    if hasattr(kind, "_fields"):
        return kind(*children)
    if isinstance(structure, (list, tuple)):
        return kind(children)
    if is_composite(structure):
        return put_together(structure, iter(children))
    names = [field.name for field in _fields(structure)]
    return kind(**dict(zip(names, children, strict=True)))


open_namespace(globals())
