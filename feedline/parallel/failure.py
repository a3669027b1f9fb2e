"""Failure: an exception on its way from one process to another.

It arrives with its type, arguments, attributes and notes. Its traceback cannot travel; the
text of it is the exception's cause. One that cannot be pickled, or not be made again from
its pickle, arrives as a RemoteError that says what it was.
"""

from __future__ import annotations

import pickle
import traceback
from dataclasses import dataclass

import cloudpickle

from feedline.errors import RemoteError
from feedline.tracebacks import folded

__all__ = ["Failure", "RemoteTraceback"]


class RemoteTraceback(Exception):  # noqa: N818  (a text, never raised)
    """The traceback of another process, as text."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._text = text

    def __str__(self) -> str:
        return f"\n{self._text}"


@dataclass(frozen=True, slots=True)
class Failure:
    """What is left of an exception where it cannot go itself."""

    pickled: bytes | None
    kind: str
    message: str
    notes: tuple[str, ...]
    text: str
    stand_in: str = "RemoteError"

    @staticmethod
    def of(error: BaseException) -> Failure:
        """Return an exception in the form in which it travels."""
        kind, message = type(error), _text_of(error)
        pickled: bytes | None
        try:
            pickled = cloudpickle.dumps(error)
            pickle.loads(pickled)  # some are pickled well and cannot be made again
        except Exception:
            pickled = None
        stand_ins = _STAND_INS.items()
        return Failure(
            pickled,
            f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins."),
            message,
            tuple(map(str, getattr(error, "__notes__", ()))),
            "".join(traceback.format_exception(folded(error))).rstrip(),
            next((name for name, known in stand_ins if isinstance(error, known)), "RemoteError"),
        )

    def error(self) -> BaseException:
        """Return the exception."""
        error = self._loaded()
        if error is None:
            error = _STAND_INS[self.stand_in](
                f"{self.kind}: {self.message} (raised in another process, from which an "
                f"exception of type {self.kind} cannot be sent as it is)"
            )
        if not hasattr(error, "__notes__"):  # some classes say themselves what is pickled
            for note in self.notes:
                error.add_note(note)
        error.__cause__ = RemoteTraceback(self.text)
        return error

    def _loaded(self) -> BaseException | None:
        if self.pickled is None:
            return None
        try:
            error = pickle.loads(self.pickled)
        except Exception:
            return None
        return error if isinstance(error, BaseException) else None


# What comes in the place of one that cannot be sent. What is no Exception is not to be taken
# for one: nothing that ignores errors may swallow it.
_STAND_INS: dict[str, type[BaseException]] = {
    "RemoteError": RemoteError,
    "SystemExit": SystemExit,
    "KeyboardInterrupt": KeyboardInterrupt,
    "GeneratorExit": GeneratorExit,
}


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "(its text cannot be made)"
