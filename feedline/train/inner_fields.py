"""inner_fields: fields that hold messages: one, a list of them, or a map."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from feedline.kernels.messages import KINDS, is_canonical, map_entries, repeated_field
from feedline.kernels.wire import DELIMITED, WireError, fields
from feedline.train.containers import MessageList, MessageMap
from feedline.train.fields import Field, sized
from feedline.train.scalars import MOST_WRITTEN, only_field

if TYPE_CHECKING:
    from feedline.train.message import Message

__all__ = ["ManyMessages", "Mapped", "OneMessage"]

M = TypeVar("M", bound="Message")


class OneMessage(Field[M]):
    """A message inside another. In a oneof, setting one clears the others."""

    _remedy = "CopyFrom(), or the fields inside it"
    has_presence = True

    def __init__(self, number: int, kind: type[M], oneof: str | None = None) -> None:
        super().__init__(number)
        self._kind = kind
        self.oneof = oneof
        self.holds_maps = kind.holds_maps

    def _empty(self, message: Message) -> M:
        return self._kind.inside(message, self)

    def fill(self, message: Message, value: Any) -> None:
        """Set the message to a copy."""
        if value is not None:
            self.attach(message, self._kind.copied(value))

    def attach(self, message: Message, value: M) -> None:
        """Make a message part of another. In a oneof, the others are unset."""
        values = message.values
        values[self.name] = value
        if self.oneof is not None and len(values) > 1:
            for other in message.oneofs[self.oneof]:
                if other is not self:
                    message.drop(other)
        message.present = message.present | self._alone if message.present else self._alone

    def parse(self, message: Message, data: bytes, wire: int, value: Any, at: int) -> bool:
        """Merge with what was there."""
        if wire != DELIMITED:
            return False
        if self.name not in message.present:
            body = data[value[0] : value[1]]
            if is_canonical(body, KINDS[self._kind.__name__]):
                self.attach(message, self._kind.written_as(body))
                return True
        found = self.__get__(message, None)
        found.SetInParent()
        found.merge_bytes(data, *value)
        return True

    def written(self, value: Any) -> bytes | None:
        """Write a message that is written already."""
        body = self._kind.wire_of(value)
        return None if body is None else self.tag + sized(body)

    def opened(self, message: Message, wire: bytes) -> M | None:
        """Cut the message out."""
        body = only_field(wire)
        return None if body is None else self._kind.written_as(body)

    def cloned(self, value: Any, message: Message) -> M:
        """Copy the message."""
        made: M = value.clone()
        return made

    def encoded(self, value: Any, deterministic: bool) -> bytes:
        """Return the length and the message."""
        return self.tag + sized(value.SerializeToString(deterministic=deterministic))

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

    def written(self, value: Any) -> bytes | None:
        """Write messages that are written already."""
        if type(value) is not list:
            return None
        bodies = []
        for item in value:
            body = self._kind.wire_of(item)
            if body is None:
                return None
            bodies.append(self.tag + sized(body))
        return _not_large(b"".join(bodies))

    def opened(self, message: Message, wire: bytes) -> MessageList[M] | None:
        """Cut the messages out."""
        bodies = repeated_field(wire)
        if bodies is None:
            return None
        made = self._empty(message)
        made._items = [self._kind.written_as(body) for body in bodies]  # noqa: SLF001
        return made

    def cloned(self, value: Any, message: Message) -> MessageList[M]:
        """Copy the messages."""
        made = self._empty(message)
        made._items += [item.clone() for item in value]  # noqa: SLF001
        return made

    def encoded(self, value: Any, deterministic: bool) -> bytes:
        """Return the messages one after the other."""
        return b"".join(
            self.tag + sized(item.SerializeToString(deterministic=deterministic)) for item in value
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
    holds_maps = True

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

    def written(self, value: Any) -> bytes | None:
        """Write messages that are written already."""
        if type(value) is not dict:
            return None
        wire_of, parts = self._kind.wire_of, []
        for name, item in value.items():
            body = wire_of(item)
            if body is None or type(name) is not str:
                return None
            try:
                entry = b"\x0a" + sized(name.encode()) + b"\x12" + sized(body)
            except UnicodeEncodeError:
                return None
            parts.append(self.tag + sized(entry))
        return _not_large(b"".join(parts))

    def opened(self, message: Message, wire: bytes) -> MessageMap[M] | None:
        """Find the entries, and leave what is in them for later."""
        entries = map_entries(wire)
        if entries is None:
            return None
        made = self._empty(message)
        made._items.update(entries)  # noqa: SLF001
        return made

    def cloned(self, value: Any, message: Message) -> MessageMap[M]:
        """Copy the entries."""
        made = self._empty(message)
        items = value._items  # noqa: SLF001
        entries = {
            name: item if isinstance(item, bytes) else item.clone() for name, item in items.items()
        }
        made._items.update(entries)  # noqa: SLF001
        return made

    def encoded(self, value: Any, deterministic: bool) -> bytes:
        """Return the entries, sorted by name if that is asked for."""
        parts = []
        items = value._items  # noqa: SLF001
        # There are no maps in what is in a map: bytes are in order as they are.
        for name in sorted(items) if deterministic else items:
            body = items[name]
            if not isinstance(body, bytes):
                body = body.SerializeToString(deterministic=deterministic)
            entry = b"\x0a" + sized(name.encode()) + b"\x12" + sized(body)
            parts.append(self.tag + sized(entry))
        return b"".join(parts)

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


def _not_large(wire: bytes) -> bytes | None:
    return wire if len(wire) <= MOST_WRITTEN else None


def _braced(name: str, lines: Callable[[], Iterator[str]]) -> Iterator[str]:
    yield f"{name} {{"
    yield from (f"  {line}" for line in lines())
    yield "}"


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
