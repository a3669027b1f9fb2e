"""sql_dataset: the rows that a query of a database gives."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote

import numpy as np

from feedline.block import Block
from feedline.column import Column, Dense, Objects
from feedline.engine.exec import Exec, State, count_in
from feedline.errors import (
    BuildError,
    BuildTypeError,
    CheckpointError,
    FileError,
    InvalidArgumentError,
    NotFoundError,
)
from feedline.ops.from_generator import Once
from feedline.plan.node import Node, Traits
from feedline.spec import TensorSpec, string
from feedline.structure import Structure, structure_of

if TYPE_CHECKING:
    from feedline.engine.run import Run

__all__ = ["SqlDatasetNode", "sql_dataset"]

_CALL = "SqlDataset()"
_TYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "bool", "float64", "object")
_NUMBER = re.compile(rb"\s*([+-]?\d+)?(\.\d*)?([eE][+-]?\d+)?")


# ---- what the user calls ---------------------------------------------------


def sql_dataset(
    driver_name: str, data_source_name: Any, query: str, output_types: Any
) -> SqlDatasetNode:
    """Return the plan of ``feedline.data.experimental.SqlDataset``, which says what is what."""
    if driver_name not in ("sqlite", b"sqlite"):
        raise BuildError(f"{_CALL}: driver_name must be 'sqlite', got {driver_name!r}.")
    if not isinstance(query, (str, bytes)):
        raise BuildTypeError(f"{_CALL}: query must be a string, got {query!r}.")
    structure = structure_of(output_types)
    dtypes = structure.flatten(output_types)
    specs = []
    for dtype in dtypes:
        if isinstance(dtype, list) or TensorSpec((), dtype).dtype.name not in _TYPES:
            known = ", ".join(_TYPES).replace("object", "string")
            raise BuildTypeError(f"{_CALL}: output_types must be some of {known}, got {dtype!r}.")
        specs.append(TensorSpec((), dtype))
    text = query.decode() if isinstance(query, bytes) else query
    return SqlDatasetNode(os.fsdecode(data_source_name), text, structure.pack(specs))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class SqlDatasetNode(Node):
    """The rows of ``query``."""

    data_source_name: str
    query: str
    element_spec: Any = field(repr=False)
    replayed: Once = field(default_factory=Once, kw_only=True, repr=False, compare=False)

    traits: ClassVar[Traits] = Traits(keeps_order=True)

    @property
    def operator(self) -> str:
        """The class that users make such a dataset with."""
        return "SqlDataset"

    @property
    def read_files(self) -> Sequence[str]:
        """The database."""
        return (self.data_source_name,)

    def lower(self, run: Run) -> SqlExec:
        """Run the query anew for every pass."""
        return SqlExec(self, run)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """As declared."""
        return self.element_spec


# ---- what runs -------------------------------------------------------------


class SqlExec(Exec):
    """A query, and how many of its rows were taken."""

    def __init__(self, node: SqlDatasetNode, run: Run) -> None:
        self._node = node
        self._run = run
        self._structure: Structure = structure_of(node.element_spec)
        self._dtypes = [spec.dtype for spec in self._structure.flatten(node.element_spec)]
        self._connection: sqlite3.Connection | None = None
        self._cursor: sqlite3.Cursor | None = None
        self._at = 0
        self._ended = False

    def pull(self, limit: int) -> Block | None:
        """Take the next rows."""
        cursor = self._opened()
        if cursor is None:
            return None
        try:
            rows = cursor.fetchmany(limit)
        except sqlite3.Error as error:
            raise self._failure(error) from error
        if not rows:
            self.close()
            return None
        start, self._at = self._at, self._at + len(rows)
        pairs = zip(zip(*rows, strict=True), self._dtypes, strict=True)
        columns = tuple(_column(values, dtype) for values, dtype in pairs)
        block = Block(self._structure, columns, len(rows))
        if not self._run.with_ids:
            return block
        return replace(block, ids=self._run.scope.ids(np.arange(start, self._at)))

    def _opened(self) -> sqlite3.Cursor | None:
        """Return the query, where it stood when the state was saved."""
        if self._cursor is None and not self._ended:
            # Set first: if this fails, it is the end, and not to be tried for ever.
            self._ended = True
            path = self._node.data_source_name
            if not os.path.exists(path):
                raise NotFoundError(f"{path}: there is no such database. Check the path.")
            try:
                # Read alone: a query that would change something fails.
                self._connection = sqlite3.connect(
                    f"file:{quote(os.path.abspath(path))}?mode=ro",
                    uri=True,
                    check_same_thread=False,
                )
                cursor = self._connection.execute(self._node.query)
                self._check_columns(cursor)
                self._skip_rows(cursor, self._at)
            except sqlite3.Error as error:
                raise self._failure(error) from error
            self._cursor, self._ended = cursor, False
        return self._cursor

    def _check_columns(self, cursor: sqlite3.Cursor) -> None:
        count = len(cursor.description or ())
        if count != len(self._dtypes):
            raise InvalidArgumentError(
                f"{_CALL}: the query gives {count} columns, output_types has {len(self._dtypes)}. "
                "There must be one for each."
            )

    def _skip_rows(self, cursor: sqlite3.Cursor, count: int) -> None:
        if not count:
            return
        self._node.replayed.warn(
            f"{self._node.place}: a query cannot be entered in the middle, so it is run again and "
            "its first rows are passed over. They must come in the same order: use ORDER BY."
        )
        left = count
        while left:
            rows = cursor.fetchmany(min(left, 1 << 12))
            if not rows:
                raise CheckpointError(
                    f"{self._node.place}: the query gives {count - left} rows, but {count} were "
                    "read when the state was saved."
                )
            left -= len(rows)

    def _failure(self, error: sqlite3.Error) -> FileError:
        failure = FileError(
            f"{self._node.data_source_name}: {type(error).__name__}: {error}, in the query "
            f"{self._node.query!r:.300}."
        )
        failure.add_note(f"in {self._node.place}")
        return failure

    def counters(self) -> State:
        """Return how many rows were taken."""
        return {"at": self._at}

    def resume(self, counters: State) -> None:
        """Go past as many rows, before the next is taken."""
        self._at = count_in(counters, "at")

    def close(self) -> None:
        """Close the database."""
        self._ended = True
        self._cursor = None
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _column(values: Sequence[Any], dtype: np.dtype[Any]) -> Column:
    """Return values as SQLite converts them: NULL is 0 or empty, text begins with its number."""
    if dtype == string:
        return Objects([_text(value) for value in values])
    convert: Callable[[Any], Any] = _real if dtype.kind == "f" else _whole
    numbers = [convert(value) for value in values]
    if dtype.kind == "b":
        return Dense(np.array([number != 0 for number in numbers], np.bool_))
    if dtype.kind == "f":
        return Dense(np.array(numbers, np.float64))
    limits = np.iinfo(dtype)
    for number in numbers:
        if not limits.min <= number <= limits.max:
            raise InvalidArgumentError(
                f"{_CALL}: {number} does not fit {dtype}. Give a wider dtype in output_types."
            )
    return Dense(np.array(numbers, dtype))


def _text(value: Any) -> str | bytes:
    if value is None:
        return ""
    if isinstance(value, float):
        return format(value, ".15g") if value != int(value) else f"{value:.1f}"
    return value if isinstance(value, (str, bytes)) else str(value)


def _whole(value: Any) -> int:
    if isinstance(value, (int, float)):
        return int(value)
    if value is None:
        return 0
    written = value.encode() if isinstance(value, str) else value
    found = _NUMBER.match(written)
    return int(found[1] or 0) if found else 0


def _real(value: Any) -> float:
    if isinstance(value, (int, float)):
        return float(value)
    if value is None:
        return 0.0
    written = value.encode() if isinstance(value, str) else value
    found = _NUMBER.match(written)
    return float(found[0]) if found and (found[1] or (found[2] or b".") != b".") else 0.0
