"""parse_sequence_example: records of tf.train.SequenceExample become dicts of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column, Dense, Ragged
from feedline.errors import BuildError
from feedline.graph.leaf_operation import leaf_operation
from feedline.graph.opaque import Opaque
from feedline.kernels.example import parse_examples, parse_feature_lists
from feedline.leaf_spec import TensorSpec
from feedline.parsing.compiled import Parser, context_parser, list_parser
from feedline.parsing.failures import Where
from feedline.parsing.output import Found, Output
from feedline.parsing.parse_example import found_in, is_single_leaf, names_of
from feedline.parsing.sequence_output import StepList
from feedline.parsing.serialized import is_single, records_in, records_of

__all__ = ["parse_sequence_example", "parse_single_sequence_example"]

_BATCH, _SINGLE = "parse_sequence_example()", "parse_single_sequence_example()"


def parse_sequence_example(
    serialized: Any,
    context_features: dict[str, Any] | None = None,
    sequence_features: dict[str, Any] | None = None,
    example_names: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return context, feature lists and their lengths of a batch of SequenceExamples.

    Args:
        serialized: A vector of byte strings.
        context_features: FixedLenFeature, VarLenFeature, RaggedFeature by name.
        sequence_features: FixedLenSequenceFeature, VarLenFeature, RaggedFeature by name.
        example_names: Names of the records, for errors.
        name: Has no effect.

    Example:
        >>> from feedline import io, train
        >>> record = train.SequenceExample()
        >>> for word in (b"a", b"b"):
        ...     step = record.feature_lists.feature_list["words"].feature.add()
        ...     step.bytes_list.value.append(word)
        >>> features = {"words": io.FixedLenSequenceFeature([], "string")}
        >>> batch = [record.SerializeToString()]
        >>> _, lists, lengths = io.parse_sequence_example(batch, sequence_features=features)
        >>> lists["words"].tolist(), lengths["words"].tolist()
        ([[b'a', b'b']], [2])
    """
    parsers = _parsers(_BATCH, context_features, sequence_features)
    context, lists, lengths = _parsed(serialized, *parsers, _BATCH, example_names)
    return context, lists, lengths


def parse_single_sequence_example(
    serialized: Any,
    context_features: dict[str, Any] | None = None,
    sequence_features: dict[str, Any] | None = None,
    example_name: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return context and feature lists of one SequenceExample.

    Args:
        serialized: One byte string.
        context_features: FixedLenFeature, VarLenFeature, RaggedFeature by name.
        sequence_features: FixedLenSequenceFeature, VarLenFeature, RaggedFeature by name.
        example_name: The name of the record, for errors.
        name: Has no effect.
    """
    parsers = _parsers(_SINGLE, context_features, sequence_features)
    if not isinstance(serialized, Opaque) and not is_single(serialized):
        raise BuildError(
            f"{_SINGLE}: serialized must be one record, got an array of shape "
            f"{np.shape(serialized)}. Use parse_sequence_example()."
        )
    context, lists, _ = _parsed(serialized, *parsers, _SINGLE, example_name)
    return context, lists


def _parsers(call: str, context: Any, lists: Any) -> tuple[Parser, Parser]:
    if not context and not lists:
        raise BuildError(
            f"{call}: context_features or sequence_features must name at least one feature."
        )
    return context_parser(context, call), list_parser(lists, call)


def _spec(serialized: Any, context: Parser, lists: Parser, call: str, names: Any) -> Any:
    single = is_single_leaf(serialized)

    def specs(parser: Parser) -> dict[str, Any]:
        found = [o.row_spec() if single else o.batch_spec() for o in parser.outputs]
        return dict(zip(parser.names, found, strict=True))

    lengths = TensorSpec(() if single else (None,), np.int64)
    return specs(context), specs(lists), dict.fromkeys(_with_lengths(lists), lengths)


def _columns(column: Any, context: Parser, lists: Parser, call: str, names: Any) -> list[Column]:
    return _results(*records_of(column, call), context, lists, Where(call, None, False))


@leaf_operation(spec=_spec, columns=_columns)
def _parsed(serialized: Any, context: Parser, lists: Parser, call: str, names: Any) -> Any:
    records = records_in(serialized, call)
    single = is_single(serialized)
    where = Where(call, names_of(names, single), single)
    splits = None if single else np.array([0, len(records)], np.int64)
    rows = [column.rows()[0] for column in _results(records, splits, context, lists, where)]
    first, second = len(context.names), len(context.names) + len(lists.names)
    return (
        dict(zip(context.names, rows[:first], strict=True)),
        dict(zip(lists.names, rows[first:second], strict=True)),
        dict(zip(_with_lengths(lists), rows[second:], strict=True)),
    )


_parsed.__name__ = "parse_sequence_example"


def _results(
    records: Bytes,
    splits: NDArray[np.int64] | None,
    context: Parser,
    lists: Parser,
    where: Where,
) -> list[Column]:
    """Return one column for each feature, each list, and the lengths of each dense list.

    ``splits``: where batches begin and end; None if each record is one by itself.
    """

    def made(outputs: Sequence[Output], found: Found) -> list[Column]:
        if splits is None:
            return [output.rows(found, where) for output in outputs]
        return [output.batches(found, splits, where) for output in outputs]

    in_context = found_in(records, context.wanted, where, parse_examples)
    in_lists = found_in(records, lists.wanted, where, parse_feature_lists)
    columns = [*made(context.outputs, in_context), *made(lists.outputs, in_lists)]
    for output in lists.outputs:
        if isinstance(output, StepList):
            lengths = output.lengths(in_lists)
            columns.append(Dense(lengths) if splits is None else Ragged(lengths, splits))
    return columns


def _with_lengths(lists: Parser) -> list[str]:
    """Return the names of the lists whose lengths are told."""
    pairs = zip(lists.names, lists.outputs, strict=True)
    return [name for name, output in pairs if isinstance(output, StepList)]
