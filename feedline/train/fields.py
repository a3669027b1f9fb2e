"""fields: what a message is made of. Each kind of field reads, writes and shows itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from feedline.kernels.wire import DELIMITED, WireError, fields, varint
from feedline.train.containers import MessageList, MessageMap, ScalarList
from feedline.train.scalars import Scalar

if TYPE_CHECKING:
    from feedline.train.message import Message

__all__ = ["Field", "ManyMessages", "Mapped", "OneMessage", "Scalars"]

V = TypeVar("V")
M = TypeVar("M", bound="Message")


class Field(ABC, Generic[V]):
    """One field of a class of messages: what its attribute gives, how it lies on the wire.

    Args:
        number: Its number on the wire.
    """

    name = ""
    oneof: str | None = None
    has_presence = False

    def __init__(self, number: int) -> None:
        self.number = number

    def __set_name__(self, owner: type[Message], name: str) -> None:
        self.name = name
        # Not one list for all classes: a class's own fields alone.
        owner.fields = {**owner.fields, name: self}

    @overload
    def __get__(self, message: None, owner: Any) -> Field[V]: ...
    @overload
    def __get__(self, message: Message, owner: Any) -> V: ...
    def __get__(self, message: Message | None, owner: Any) -> Any:
        if message is None:
            return self
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
        return ScalarList(message, self.name, self._scalar)

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


class OneMessage(Field[M]):
    """A message inside another. In a oneof, setting one clears the others."""

    _remedy = "CopyFrom(), or the fields inside it"
    has_presence = True

    def __init__(self, number: int, kind: type[M], oneof: str | None = None) -> None:
        super().__init__(number)
        self._kind = kind
        self.oneof = oneof

    def _empty(self, message: Message) -> M:
        return self._kind.inside(message, self)

    def fill(self, message: Message, value: Any) -> None:
        """Set the message to a copy."""
        if value is not None:
            self.attach(message, self._kind.copied(value))

    def attach(self, message: Message, value: M) -> None:
        """Make a message part of another. In a oneof, the others are unset."""
        if self.oneof is not None:
            for other in message.fields.values():
                if other.oneof == self.oneof and other is not self:
                    message.drop(other)
        message.values[self.name] = value
        message.present.add(self.name)

    def parse(self, message: Message, data: bytes, wire: int, value: Any, at: int) -> bool:
        """Merge with what was there."""
        if wire != DELIMITED:
            return False
        found = self.__get__(message, None)
        found.SetInParent()
        found.merge_bytes(data, *value)
        return True

    def cloned(self, value: Any, message: Message) -> M:
        """Copy the message."""
        made: M = value.clone()
        return made

    def encoded(self, value: Any, deterministic: bool) -> bytes:
        """Return the length and the message."""
        return _delimited(self.number, value.SerializeToString(deterministic=deterministic))

    def merge(self, message: Message, value: Any) -> None:
        """Merge the messages."""
        found = self.__get__(message, None)
        found.MergeFrom(value)
        found.SetInParent()

    def text(self, value: Any) -> Iterator[str]:
        """Show the message in braces."""
        yield from _braced(self.name, value.text)

    def is_set(self, message: Message) -> bool:
        """Whether it was set, if only to an empty message."""
        return self.name in message.present


class ManyMessages(Field[MessageList[M]]):
    """A list of messages."""

    _remedy = "add(), append(), extend()"

    def __init__(self, number: int, kind: type[M]) -> None:
        super().__init__(number)
        self._kind = kind

    def _empty(self, message: Message) -> MessageList[M]:
        return MessageList(message, self._kind)

    def fill(self, message: Message, value: Any) -> None:
        """Set the messages to copies."""
        self.__get__(message, None).extend(value)

    def parse(self, message: Message, data: bytes, wire: int, value: Any, at: int) -> bool:
        """Add a message."""
        if wire != DELIMITED:
            return False
        self.__get__(message, None).add().merge_bytes(data, *value)
        return True

    def cloned(self, value: Any, message: Message) -> MessageList[M]:
        """Copy the messages."""
        made = self._empty(message)
        made._items += [item.clone() for item in value]  # noqa: SLF001
        return made

    def encoded(self, value: Any, deterministic: bool) -> bytes:
        """Return the messages one after the other."""
        return b"".join(
            _delimited(self.number, item.SerializeToString(deterministic=deterministic))
            for item in value
        )

    def merge(self, message: Message, value: Any) -> None:
        """Add copies."""
        self.__get__(message, None).extend(value)

    def text(self, value: Any) -> Iterator[str]:
        """Show each message in braces."""
        for item in value:
            yield from _braced(self.name, item.text)


class Mapped(Field[MessageMap[M]]):
    """Messages by name."""

    _remedy = "map[name].CopyFrom(message)"

    def __init__(self, number: int, kind: type[M]) -> None:
        super().__init__(number)
        self._kind = kind

    def _empty(self, message: Message) -> MessageMap[M]:
        return MessageMap(message, self._kind)

    def fill(self, message: Message, value: Any) -> None:
        """Set the messages to copies."""
        self.merge(message, {} if value is None else value)

    def parse(self, message: Message, data: bytes, wire: int, value: Any, at: int) -> bool:
        """Put one entry in the place of an earlier one of its name."""
        if wire != DELIMITED:
            return False
        name, made = "", self._kind()
        for number, inner, span, where in fields(data, *value):
            if number == 1 and inner == DELIMITED:
                try:
                    name = bytes(data[span[0] : span[1]]).decode()
                except UnicodeDecodeError:
                    raise WireError(where, "a name is not UTF-8") from None
            elif number == 2 and inner == DELIMITED:
                made.merge_bytes(data, *span)
        self.__get__(message, None)._items[name] = made  # noqa: SLF001
        return True

    def cloned(self, value: Any, message: Message) -> MessageMap[M]:
        """Copy the entries."""
        made = self._empty(message)
        entries = {name: value.get(name).clone() for name in value}
        made._items.update(entries)  # noqa: SLF001
        return made

    def encoded(self, value: Any, deterministic: bool) -> bytes:
        """Return the entries, sorted by name if that is asked for."""
        parts = []
        items = value._items  # noqa: SLF001
        for name in sorted(items) if deterministic else items:
            body = items[name].SerializeToString(deterministic=deterministic)
            parts.append(_delimited(1, name.encode()) + _delimited(2, body))
        return b"".join(_delimited(self.number, part) for part in parts)

    def merge(self, message: Message, value: Any) -> None:
        """Put copies in the places of those of the same names."""
        found = self.__get__(message, None)
        for key, item in value.items():
            found.put(key, item)

    def text(self, value: Any) -> Iterator[str]:
        """Show each entry in braces, in the order of the names."""
        for name in sorted(value):
            yield f"{self.name} {{"
            yield f'  key: "{_escaped(name)}"'
            yield from (f"  {line}" for line in _braced("value", value.get(name).text))
            yield "}"


def _delimited(number: int, body: bytes) -> bytes:
    return varint(number << 3 | DELIMITED) + varint(len(body)) + body


def _braced(name: str, lines: Callable[[], Iterator[str]]) -> Iterator[str]:
    yield f"{name} {{"
    yield from (f"  {line}" for line in lines())
    yield "}"


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
