"""compiled: features as a user writes them become what a parser looks for.

What cannot be asked for is refused here, before any record is looked at.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from feedline.errors import BuildError, BuildTypeError
from feedline.graph.numpy_view import ScalarType
from feedline.graph.symbol import Symbol
from feedline.kernels.example import BYTES, FLOATS, INTS, Wanted
from feedline.leaf_spec import TensorSpec
from feedline.parsing import features as f
from feedline.parsing.failures import kind_name
from feedline.parsing.output import FixedLen, FixedLenSequence, Output, VarLen
from feedline.parsing.partitions import Partition
from feedline.parsing.ragged_output import RaggedOutput, SparseOutput
from feedline.parsing.sequence_output import RaggedList, SparseList, StepList
from feedline.shapes import as_shape

__all__ = ["Parser", "context_parser", "example_parser", "list_parser"]

_KINDS = {np.dtype(np.float32): FLOATS, np.dtype(np.int64): INTS, np.dtype(object): BYTES}


@dataclass(frozen=True)
class Parser:
    """What is looked for in records, and what is made of it."""

    names: tuple[str, ...]
    outputs: tuple[Output, ...]
    wanted: tuple[Wanted, ...]


def example_parser(features: Any, call: str) -> Parser:
    """Return the parser of the features of an Example."""
    return _remembered(features, call, _in_example)


def context_parser(features: Any, call: str) -> Parser:
    """Return the parser of the context of a SequenceExample."""
    return _remembered(features or {}, call, _in_context)


def list_parser(features: Any, call: str) -> Parser:
    """Return the parser of the feature lists of a SequenceExample."""
    return _remembered(features or {}, call, _in_lists)


# Features are nearly always the same ones as at the call before.
_recent: list[tuple[Any, Any, dict[str, tuple[Any, Any]], Parser]] = []
_MOST_RECENT = 8


def _remembered(features: Any, call: str, made: Callable[..., Output]) -> Parser:
    if not isinstance(features, Mapping):
        raise BuildTypeError(
            f"{call}: features must be a dict from names to features, got {features!r}."
        )
    for known_call, known_made, known, parser in _recent:
        if (
            known_made is made
            and known_call == call
            and len(known) == len(features)
            and all(
                features.get(name) is feature and _frozen(feature) == before
                for name, (feature, before) in known.items()
            )
        ):
            return parser
    names = tuple(sorted(features, key=_key_of))
    outputs = tuple(made(call, name, features[name]) for name in names)
    parser = Parser(names, outputs, _merged(call, outputs))
    if not any(map(_can_change, features.values())):
        known = {name: (feature, _frozen(feature)) for name, feature in features.items()}
        _recent.insert(0, (call, made, known, parser))
        del _recent[_MOST_RECENT:]
    return parser


def _frozen(feature: Any) -> tuple[Any, ...]:
    """Return the parts of a feature, as they are now."""
    return tuple([tuple(part) if isinstance(part, list) else part for part in feature])


def _can_change(feature: Any) -> bool:
    """Whether a feature may hold something else at the next call without its looking so."""
    plain = (int, float, str, bytes, type(None), np.generic, tuple)
    return any(
        isinstance(part, (np.ndarray, Symbol))
        or (isinstance(part, list) and not all(isinstance(item, plain) for item in part))
        for part in feature
    )


def _merged(call: str, outputs: Sequence[Output]) -> tuple[Wanted, ...]:
    """Return what all outputs need, each key once."""
    found: dict[bytes, tuple[Wanted, Output]] = {}
    for output in outputs:
        for one in output.wanted():
            known, other = found.setdefault(one.key, (one, output))
            if known.kind != one.kind:
                raise BuildError(
                    f"{call}: feature {one.key.decode()!r} is asked for as "
                    f"{kind_name(known.kind)} and as {kind_name(one.kind)}."
                )
            if known != one or _family(output) != _family(other):
                raise BuildError(
                    f"{call}: feature {one.key.decode()!r} is asked for in two ways that do not "
                    f"go together: {_family(other)} and {_family(output)}."
                )
    return tuple(one for one, _ in found.values())


def _family(output: Output) -> str:
    if isinstance(output, (RaggedOutput, RaggedList)):
        return "ragged"
    return "sparse" if isinstance(output, (VarLen, SparseOutput, SparseList)) else "dense"


# ---- the features of an Example ---------------------------------------------------------


def _in_example(call: str, name: Any, feature: Any) -> Output:
    if isinstance(feature, f.FixedLenFeature):
        return _fixed(call, name, feature)
    if isinstance(feature, f.FixedLenSequenceFeature):
        return _fixed_sequence(call, name, feature)
    if isinstance(feature, f.SparseFeature):
        return _sparse(call, name, feature)
    return _in_context(call, name, feature)


def _in_context(call: str, name: Any, feature: Any) -> Output:
    if isinstance(feature, f.FixedLenFeature):
        return _fixed(call, name, feature)
    if isinstance(feature, f.VarLenFeature):
        return VarLen(_key_of(name), _kind(call, name, feature.dtype))
    if isinstance(feature, f.RaggedFeature):
        return _ragged(call, name, feature)
    raise _unsupported(call, name, feature)


def _fixed(call: str, name: Any, feature: f.FixedLenFeature) -> FixedLen:
    kind = _kind(call, name, feature.dtype)
    shape = _shape(call, name, feature)
    default = feature.default_value
    if default is None:
        return FixedLen(_key_of(name), kind, shape, None)
    return FixedLen(_key_of(name), kind, shape, _default(call, name, default, kind, shape))


def _fixed_sequence(call: str, name: Any, feature: f.FixedLenSequenceFeature) -> FixedLenSequence:
    kind = _kind(call, name, feature.dtype)
    shape = _shape(call, name, feature)
    if not feature.allow_missing:
        raise BuildError(
            f"{call}: feature {name!r}: a FixedLenSequenceFeature must have allow_missing=True "
            "here, for an Example cannot tell a missing feature from an empty one."
        )
    if math.prod(shape) == 0:
        raise BuildError(f"{call}: feature {name!r}: a step of shape {shape} has no values.")
    fill: Any = b"" if kind == BYTES else 0
    if feature.default_value is not None:
        (fill,) = _default(call, name, feature.default_value, kind, ())
    return FixedLenSequence(_key_of(name), kind, shape, fill)


def _sparse(call: str, name: Any, feature: f.SparseFeature) -> SparseOutput:
    kind = _kind(call, name, feature.dtype)
    for part in ("index_key", "value_key"):
        if not getattr(feature, part):
            raise BuildError(f"{call}: feature {name!r}: SparseFeature needs a {part}.")
    keys = feature.index_key
    keys = [keys] if isinstance(keys, (str, bytes)) else list(keys)
    sizes = np.asarray(feature.size, object).reshape(-1).tolist()
    if len(keys) != len(sizes):
        raise BuildError(
            f"{call}: feature {name!r}: SparseFeature needs a size for each index_key, got "
            f"{len(sizes)} and {len(keys)}."
        )
    return SparseOutput(
        tuple(map(_key_of, keys)),
        _key_of(feature.value_key),
        kind,
        tuple(operator.index(size) for size in sizes),
        bool(feature.already_sorted),
    )


_PARTITIONS = (f.RowSplits, f.RowLengths, f.RowStarts, f.RowLimits, f.ValueRowIds)


def _ragged(call: str, name: Any, feature: f.RaggedFeature) -> RaggedOutput:
    kind = _kind(call, name, feature.dtype)
    splits = _dtype(feature.row_splits_dtype)
    if splits not in (np.int32, np.int64):
        raise BuildError(
            f"{call}: feature {name!r}: row_splits_dtype must be int32 or int64, got {splits}."
        )
    partitions = []
    for partition in feature.partitions:
        if isinstance(partition, f.UniformRowLength):
            length = operator.index(partition.length)
            if length < 1:
                raise BuildError(
                    f"{call}: feature {name!r}: rows must have at least 1 value, got {partition}."
                )
            partitions.append(Partition("UniformRowLength", length=length))
        elif isinstance(partition, _PARTITIONS):
            partitions.append(Partition(type(partition).__name__, _key_of(partition.key)))
        else:
            kinds = ", ".join(kind.__name__ for kind in (*_PARTITIONS, f.UniformRowLength))
            raise BuildTypeError(
                f"{call}: feature {name!r}: a partition is one of {kinds}, got {partition!r}."
            )
    key = name if feature.value_key is None else feature.value_key
    return RaggedOutput(_key_of(key), kind, tuple(partitions), splits)


# ---- the feature lists of a SequenceExample ------------------------------------------------


def _in_lists(call: str, name: Any, feature: Any) -> Output:
    if isinstance(feature, f.VarLenFeature):
        return SparseList(_key_of(name), _kind(call, name, feature.dtype))
    if isinstance(feature, f.RaggedFeature):
        return RaggedList(_ragged(call, name, feature))
    if not isinstance(feature, f.FixedLenSequenceFeature):
        raise _unsupported(call, name, feature)
    if feature.default_value is not None:
        raise BuildError(
            f"{call}: feature {name!r}: in a SequenceExample, FixedLenSequenceFeature has no "
            f"default_value, got {feature.default_value!r}. Missing lists have no steps."
        )
    kind = _kind(call, name, feature.dtype)
    shape = _shape(call, name, feature)
    return StepList(_key_of(name), kind, shape, not feature.allow_missing)


# ---- parts of features ------------------------------------------------------------------


def _unsupported(call: str, name: Any, feature: Any) -> BuildError:
    return BuildError(
        f"{call}: feature {name!r}: {type(feature).__name__} cannot be asked for here, got "
        f"{feature!r}. See the features in feedline.io."
    )


def _key_of(name: Any) -> bytes:
    if isinstance(name, bytes):
        return name
    if isinstance(name, str):
        return name.encode()
    raise BuildTypeError(f"the name of a feature must be a str, got {name!r}.")


def _dtype(dtype: Any) -> np.dtype[Any]:
    return dtype.dtype if isinstance(dtype, ScalarType) else TensorSpec((), dtype).dtype


def _kind(call: str, name: Any, dtype: Any) -> int:
    if dtype is None:
        raise BuildError(f"{call}: feature {name!r}: a dtype is missing.")
    found = _dtype(dtype)
    if found not in _KINDS:
        near = "float32" if found.kind == "f" else "int64" if found.kind in "iub" else "string"
        raise BuildTypeError(
            f"{call}: feature {name!r}: records hold float32, int64 and string, got {found}. "
            f"Ask for {near} and cast."
        )
    return _KINDS[found]


def _shape(call: str, name: Any, feature: Any) -> tuple[int, ...]:
    if feature.shape is None:
        raise BuildError(f"{call}: feature {name!r}: a shape is missing; [] is a single value.")
    single = isinstance(feature.shape, (int, np.integer))
    shape = as_shape([feature.shape] if single else feature.shape)
    if shape is None or None in shape:
        raise BuildError(
            f"{call}: feature {name!r}: shape must be known, got {feature.shape!r}. Use "
            "FixedLenSequenceFeature, VarLenFeature or RaggedFeature for what varies."
        )
    return tuple(length for length in shape if length is not None)


def _default(
    call: str, name: Any, value: Any, kind: int, shape: tuple[int, ...]
) -> tuple[Any, ...]:
    """Return the values of a default, which must be as many as the shape has."""
    if isinstance(value, Symbol):
        value = value.read()
    flat = np.asarray(value, object).reshape(-1).tolist()
    if len(flat) != math.prod(shape):
        raise BuildError(
            f"{call}: feature {name!r}: default_value must have as many values as shape "
            f"{list(shape)}, got {value!r}."
        )
    try:
        if kind == BYTES:
            return tuple(map(_key_of, flat))
        if kind == INTS:
            whole = np.array([operator.index(one) for one in flat], np.int64)
            return tuple(whole.tolist())
        return tuple(float(np.float32(one)) for one in flat)
    except (TypeError, ValueError, OverflowError) as error:
        raise BuildTypeError(
            f"{call}: feature {name!r}: default_value must be {kind_name(kind)}, got {value!r}."
        ) from error
