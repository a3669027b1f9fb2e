"""fields: what a message is made of. Each kind of field reads, writes and shows itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from feedline.kernels.wire import DELIMITED, varint
from feedline.train.containers import ScalarList
from feedline.train.scalars import Scalar

if TYPE_CHECKING:
    from feedline.train.message import Message

__all__ = ["Field", "Scalars", "sized"]

V = TypeVar("V")


class Field(ABC, Generic[V]):
    """One field of a class of messages: what its attribute gives, how it lies on the wire.

    Args:
        number: Its number on the wire.
    """

    name = ""
    oneof: str | None = None
    has_presence = False
    holds_maps = False

    def __init__(self, number: int) -> None:
        self.number = number
        # How it begins on the wire if it has a length, as every field here has.
        self.tag = varint(number << 3 | DELIMITED)

    def __set_name__(self, owner: type[Message], name: str) -> None:
        self.name = name
        self._place = f"{owner.__name__}.{name}"
        self._alone = frozenset({name})
        # Not one list for all classes: a class's own fields alone.
        owner.fields = {**owner.fields, name: self}

    @overload
    def __get__(self, message: None, owner: Any) -> Field[V]: ...
    @overload
    def __get__(self, message: Message, owner: Any) -> V: ...
    def __get__(self, message: Message | None, owner: Any) -> Any:
        if message is None:
            return self
        wire = message.wire
        if wire is not None:
            message.open(wire)
        found = message.values.get(self.name)
        if found is None:
            found = message.values[self.name] = self._empty(message)
        return found

    def __set__(self, message: Message, value: Any) -> None:
        raise AttributeError(
            f"{type(message).__name__}.{self.name} cannot be assigned. Change it in place: "
            f"{self._remedy}."
        )

    _remedy: str

    @abstractmethod
    def _empty(self, message: Message) -> V: ...

    @abstractmethod
    def fill(self, message: Message, value: Any) -> None:
        """Set the field to what a constructor was given."""

    @abstractmethod
    def parse(self, message: Message, data: bytes, wire: int, value: Any, at: int) -> bool:
        """Add what stands on the wire; False if that is something else."""

    @abstractmethod
    def encoded(self, value: Any, deterministic: bool) -> bytes:
        """Return the field as it goes on the wire."""

    @abstractmethod
    def merge(self, message: Message, value: Any) -> None:
        """Add the field of another message."""

    @abstractmethod
    def text(self, value: Any) -> Iterator[str]:
        """Yield the lines of protobuf's text format."""

    @abstractmethod
    def cloned(self, value: Any, message: Message) -> V:
        """Return a copy of the field for another message."""

    @abstractmethod
    def written(self, value: Any) -> bytes | None:
        """Return what a constructor was given, on the wire; None if it takes more than this."""

    @abstractmethod
    def opened(self, message: Message, wire: bytes) -> V | None:
        """Return the field of a message that is written so; None if other fields are in it."""

    def is_set(self, message: Message) -> bool:
        """Whether the field is written to the wire."""
        return bool(message.values.get(self.name))


class Scalars(Field[ScalarList[V]]):
    """A list of values of one kind."""

    _remedy = "append(), extend(), value[:] = ..."

    def __init__(self, number: int, scalar: Scalar) -> None:
        super().__init__(number)
        self._scalar = scalar

    def _empty(self, message: Message) -> ScalarList[V]:
        return ScalarList(message, self._place, self._scalar)

    def fill(self, message: Message, value: Any) -> None:
        """Set the values."""
        self.__get__(message, None).extend(value)

    def parse(self, message: Message, data: bytes, wire: int, value: Any, at: int) -> bool:
        """Add values, packed or not."""
        found = self._scalar.decoded(data, wire, value, at)
        if found is None:
            return False
        self.__get__(message, None)._items += found  # noqa: SLF001  (they need no check)
        return True

    def written(self, value: Any) -> bytes | None:
        """Write the values; None also if there is one that is not right."""
        return self._scalar.written(value)

    def opened(self, message: Message, wire: bytes) -> ScalarList[V] | None:
        """Read the values."""
        items = self._scalar.opened(wire)
        if items is None:
            return None
        made = self._empty(message)
        made._items = items  # noqa: SLF001
        return made

    def cloned(self, value: Any, message: Message) -> ScalarList[V]:
        """Copy the values."""
        made = self._empty(message)
        made._items += value._items  # noqa: SLF001
        return made

    def encoded(self, value: Any, deterministic: bool) -> bytes:
        """Return the values, packed where they can be."""
        return self._scalar.encoded(self.number, list(value))

    def merge(self, message: Message, value: Any) -> None:
        """Add the values."""
        self.__get__(message, None).extend(list(value))

    def text(self, value: Any) -> Iterator[str]:
        """One line for each value."""
        for item in value:
            yield f"{self.name}: {self._scalar.text(item)}"


def sized(body: bytes) -> bytes:
    """Return bytes with their length in front."""
    size = len(body)
    return (_SHORT[size] if size < 0x80 else varint(size)) + body


_SHORT = [bytes([number]) for number in range(0x80)]
