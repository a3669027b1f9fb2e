"""parse_example: records of tf.train.Example become a dict of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column
from feedline.errors import BuildError
from feedline.graph.leaf_operation import leaf_operation
from feedline.graph.opaque import Opaque
from feedline.kernel_threads import kernel_threads
from feedline.kernels.example import (
    FeatureValues,
    RecordError,
    Wanted,
    parse_examples,
    parse_feature_lists,
)
from feedline.parsing.compiled import Parser, example_parser
from feedline.parsing.failures import Where
from feedline.parsing.output import Found
from feedline.parsing.serialized import is_single, records_in, records_of

__all__ = ["found_in", "is_single_leaf", "names_of", "parse_example", "parse_single_example"]

_BATCH, _SINGLE = "parse_example()", "parse_single_example()"


def parse_example(
    serialized: Any,
    features: dict[str, Any],
    example_names: Any = None,
    name: str | None = None,
) -> dict[str, Any]:
    """Return the features of a batch of serialized Examples.

    Args:
        serialized: A vector of byte strings; one by itself gives what parse_single_example()
            gives.
        features: What to look for, by name: FixedLenFeature, FixedLenSequenceFeature,
            VarLenFeature, SparseFeature, RaggedFeature.
        example_names: Names of the records, for errors.
        name: Has no effect.

    Example:
        >>> from feedline import io, train
        >>> record = train.Example(features={"feature": {"x": {"int64_list": {"value": [3]}}}})
        >>> batch = [record.SerializeToString()] * 2
        >>> io.parse_example(batch, {"x": io.FixedLenFeature([], "int64")})
        {'x': array([3, 3])}
    """
    if not features:
        raise BuildError(f"{_BATCH}: features must name at least one feature, got {features!r}.")
    return _parsed(serialized, example_parser(features, _BATCH), _BATCH, example_names)


def parse_single_example(
    serialized: Any,
    features: dict[str, Any],
    example_names: Any = None,
    name: str | None = None,
) -> dict[str, Any]:
    """Return the features of one serialized Example.

    In a function given to map() all records of a block are parsed at once.

    Args:
        serialized: One byte string.
        features: What to look for, by name: FixedLenFeature, FixedLenSequenceFeature,
            VarLenFeature, SparseFeature, RaggedFeature.
        example_names: The name of the record, for errors.
        name: Has no effect.

    Example:
        >>> from feedline import io, train
        >>> record = train.Example(features={"feature": {"x": {"int64_list": {"value": [3]}}}})
        >>> features = {"x": io.FixedLenFeature([], "int64")}
        >>> io.parse_single_example(record.SerializeToString(), features)
        {'x': np.int64(3)}
    """
    if not features:
        raise BuildError(f"{_SINGLE}: features must name at least one feature, got {features!r}.")
    parser = example_parser(features, _SINGLE)
    if not isinstance(serialized, Opaque) and not is_single(serialized):
        raise BuildError(
            f"{_SINGLE}: serialized must be one record, got an array of shape "
            f"{np.shape(serialized)}. Use parse_example()."
        )
    return _parsed(serialized, parser, _SINGLE, example_names)


def is_single_leaf(serialized: Any) -> bool:
    """Whether a value, or what stands for one in a recorded function, is one record."""
    return is_single(serialized.samples[0] if isinstance(serialized, Opaque) else serialized)


def _spec(serialized: Any, parser: Parser, call: str, names: Any) -> Any:
    if is_single_leaf(serialized):
        found = [output.row_spec() for output in parser.outputs]
    else:
        found = [output.batch_spec() for output in parser.outputs]
    return dict(zip(parser.names, found, strict=True))


def _columns(column: Any, parser: Parser, call: str, names: Any) -> Sequence[Column]:
    """Parse the records of a whole block: one each, or a batch each."""
    where = Where(call, None, False)
    records, splits = records_of(column, call)
    found = _found(records, parser, where)
    if splits is None:
        return [output.rows(found, where) for output in parser.outputs]
    return [output.batches(found, splits, where) for output in parser.outputs]


@leaf_operation(spec=_spec, columns=_columns)
def _parsed(serialized: Any, parser: Parser, call: str, names: Any) -> dict[str, Any]:
    records = records_in(serialized, call)
    single = is_single(serialized)
    where = Where(call, names_of(names, single), single)
    found = _found(records, parser, where)
    if single:
        columns = [output.rows(found, where) for output in parser.outputs]
    else:
        splits: NDArray[np.int64] = np.array([0, len(records)], np.int64)
        columns = [output.batches(found, splits, where) for output in parser.outputs]
    return {n: column.rows()[0] for n, column in zip(parser.names, columns, strict=True)}


_parsed.__name__ = "parse_example"


def _found(records: Bytes, parser: Parser, where: Where) -> Found:
    return found_in(records, parser.wanted, where, parse_examples, kernel_threads())


def found_in(
    records: Bytes, wanted: Sequence[Wanted], where: Where, parse: Any, *threads: int
) -> Found:
    """Return what a parser finds, or raise an error that says where it failed."""
    try:
        values: list[FeatureValues] = parse(records.data, records.offsets, wanted, *threads)
    except RecordError as error:
        raise where.failed(error, wanted, parse is parse_feature_lists) from None
    return Found(len(records), dict(zip([one.key for one in wanted], values, strict=True)))


def names_of(names: Any, single: bool) -> list[Any] | None:
    """Return the names of records that a user gave."""
    if names is None or (not single and len(names) == 0):
        return None
    return [names] if single else list(names)
