"""failures: what is said when a record is not what it was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from feedline.errors import DecodeError, InvalidArgumentError
from feedline.kernels.example import (
    BROKEN,
    BYTES,
    FLOATS,
    INTS,
    MISSING,
    NO_KIND,
    WRONG_KIND,
    RecordError,
    Wanted,
)

__all__ = ["Where", "kind_name"]

_KINDS = {BYTES: "string", FLOATS: "float32", INTS: "int64"}


def kind_name(kind: int) -> str:
    """Return the dtype of a kind of lists, by TensorFlow's name."""
    return _KINDS[kind]


class Where:
    """What an error says of the call and the records.

    Args:
        call: What the user called, with parentheses.
        names: The records' names, if the user gave any.
        single: Whether there is only one record, which needs no number.
    """

    def __init__(self, call: str, names: Sequence[Any] | None, single: bool) -> None:
        self.call = call
        self._names = names
        self._single = single
        self._unit = "record"

    def of_steps(self) -> Where:
        """Return the same for steps of records."""
        made = Where(self.call, None, False)
        made._unit = "step"
        return made

    def record(self, number: int) -> str:
        """Return which record it is."""
        name = "" if self._names is None else f" ({_text(self._names[number])})"
        return f"the record{name}" if self._single else f"{self._unit} {number}{name}"

    def failed(
        self, error: RecordError, wanted: Sequence[Wanted], lists: bool
    ) -> InvalidArgumentError:
        """Return the error to raise for what a parser found, in feature lists or elsewhere."""
        where = f"{self.call}: {self.record(error.record)}, byte {error.offset}"
        feature = wanted[error.feature] if error.feature >= 0 else None
        named = "" if feature is None else f"feature {_text(feature.key)}: "
        if error.fault == BROKEN:
            return DecodeError(
                f"{where}: {named}{error.what}. It is damaged, cut short, or no such record."
            )
        assert feature is not None
        if error.fault == MISSING:
            remedy = "Give the feature a default_value, or use VarLenFeature."
            if lists:
                remedy = "Set allow_missing=True, or use VarLenFeature."
            return InvalidArgumentError(
                f"{self.call}: {self.record(error.record)} has no feature "
                f"{_text(feature.key)} ({kind_name(feature.kind)}). {remedy}"
            )
        if error.fault == WRONG_KIND:
            found = kind_name(error.found)
            return InvalidArgumentError(
                f"{where}: {named}{kind_name(feature.kind)} is asked for, the record has {found}. "
                f"Ask for {found} and cast."
            )
        if error.fault == NO_KIND:
            return InvalidArgumentError(
                f"{where}: {named}a step has no values where {feature.size} are asked for. "
                "Use VarLenFeature or RaggedFeature."
            )
        return InvalidArgumentError(
            f"{where}: {named}{feature.size} values are asked for, the record has {error.found}. "
            "Ask for the shape it has, or use VarLenFeature or RaggedFeature."
        )

    def check_each(self, holds: Any, key: bytes, what: str) -> None:
        """Raise for the first record for which something does not hold."""
        if not np.all(holds):
            number = int(np.argmin(holds))
            raise InvalidArgumentError(
                f"{self.call}: {self.record(number)}: feature {_text(key)}: {what}"
            )


def _text(key: Any) -> str:
    return repr(key.decode(errors="replace")) if isinstance(key, bytes) else repr(key)
