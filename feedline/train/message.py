"""message: what all of protobuf's messages can do, as far as everyday code asks for it.

A message inside another is made when it is first asked for, and counts as set from its
first change on. Fields that are not known are kept and written again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NoReturn, Self

from feedline.errors import BuildError, BuildTypeError, DecodeError
from feedline.kernels.wire import WireError, fields
from feedline.train.fields import Field
from feedline.train.inner_fields import OneMessage
from feedline.train.wire_form import WireForm

__all__ = ["Message"]


class Message(WireForm):
    """Base of the messages. Fields are given by name; messages also as dicts of their fields.

    The methods have protobuf's names.
    """

    __slots__ = ()
    __feedline_leaf__: ClassVar[bool] = True

    def __init__(self, **given: Any) -> None:
        self._parent = None
        if len(given) == 1:
            [(name, value)] = given.items()
            field = self.fields.get(name)
            self.wire = None if field is None or value is None else field.written(value)
            if self.wire is not None:
                return
        self.begin()
        for name, value in given.items():
            field = self._field(name)
            if value is not None:
                field.fill(self, value)

    @classmethod
    def inside(cls, parent: Message, field: OneMessage[Any]) -> Self:
        """Return an empty message that becomes part of another when it is changed."""
        made = cls.__new__(cls)
        made.begin()
        made._parent = (parent, field)  # noqa: SLF001
        return made

    @classmethod
    def copied(cls, value: Any) -> Self:
        """Return a copy of a message of this class, or the message of a dict of fields."""
        if isinstance(value, dict):
            return cls(**value)
        if type(value) is not cls:
            raise BuildTypeError(
                f"a {cls.__name__} or a dict of its fields is needed, got {value!r} of type "
                f"{type(value).__name__}."
            )
        copy: Self = value.clone()
        return copy

    def clone(self) -> Self:
        """Return a copy that is part of no other message."""
        if self.wire is not None:
            return type(self).written_as(self.wire)
        made = type(self)()
        made._unknown = self._unknown  # noqa: SLF001
        made.present = self.present
        for name, value in self.values.items():
            field = self.fields[name]
            if not field.has_presence or name in self.present:
                made.values[name] = field.cloned(value, made)
        return made

    # ---- presence -------------------------------------------------------------------

    @property
    def may_be_unset(self) -> bool:
        """Whether the message is not yet known to be set in the one it is part of."""
        return self._parent is not None

    def SetInParent(self) -> None:
        """Mark the message as set in the one it is part of."""
        if self._parent is None:
            return
        (parent, field), self._parent = self._parent, None
        field.attach(parent, self)
        parent.SetInParent()

    def HasField(self, field_name: str) -> bool:
        """Whether a message inside this one is set, or any of a oneof."""
        if field_name in self.oneofs:
            return self.WhichOneof(field_name) is not None
        field = self._field(field_name)
        if not field.has_presence:
            raise BuildError(
                f"{type(self).__name__}.{field_name} is a list or a map, which is never unset. "
                f"Ask for len({field_name})."
            )
        return field.is_set(self)

    def WhichOneof(self, oneof_group: str) -> str | None:
        """Return which field of a oneof is set."""
        if oneof_group not in self.oneofs:
            self._unknown_name(oneof_group)
        field = next((f for f in self.oneofs[oneof_group] if f.is_set(self)), None)
        return None if field is None else field.name

    def ClearField(self, field_name: str) -> None:
        """Unset a field, or whichever of a oneof is set."""
        if field_name in self.oneofs:
            which = self.WhichOneof(field_name)
            if which is None:
                return
            field_name = which
        self.drop(self._field(field_name))
        self.SetInParent()

    def Clear(self) -> None:
        """Unset everything."""
        for field in self.fields.values():
            self.drop(field)
        self._unknown = b""
        self.SetInParent()

    def ListFields(self) -> list[tuple[Field[Any], Any]]:
        """Return the fields that are set and their values."""
        return [(f, self.values[f.name]) for f in self.fields.values() if f.is_set(self)]

    def IsInitialized(self) -> bool:
        """Every message is: no field is required."""
        return True

    def drop(self, field: Field[Any]) -> None:
        """Unset a field."""
        self.values.pop(field.name, None)
        if field.name in self.present:
            self.present -= {field.name}

    def _field(self, name: str) -> Field[Any]:
        if name not in self.fields:
            self._unknown_name(name)
        return self.fields[name]

    def _unknown_name(self, name: str) -> NoReturn:
        known = ", ".join(self.fields)
        raise BuildError(f"{type(self).__name__} has no field {name!r}. It has: {known}.")

    # ---- merging ----------------------------------------------------------------------

    def MergeFrom(self, other: Self) -> None:
        """Add what is set in another message of the same class."""
        if type(other) is not type(self):
            raise BuildTypeError(
                f"a {type(self).__name__} can only be merged with its like, "
                f"got a {type(other).__name__}."
            )
        for field, value in other.ListFields():
            field.merge(self, value)
        self._unknown += other._unknown
        self.SetInParent()

    def CopyFrom(self, other: Self) -> None:
        """Become a copy of another message."""
        if other is not self:
            copy = type(self).copied(other)
            self.Clear()
            self.MergeFrom(copy)

    # ---- bytes ------------------------------------------------------------------------

    def SerializeToString(self, *, deterministic: bool | None = None) -> bytes:
        """Return the message in protobuf's wire format.

        Args:
            deterministic: True sorts maps by name, so that equal messages give equal bytes.
        """
        ordered = bool(deterministic)
        if self.wire is not None and not (ordered and self.holds_maps):
            return self.wire
        values = self.values
        parts = [
            field.encoded(values[name], ordered)
            for name, field in self.fields.items()
            if name in values and field.is_set(self)
        ]
        return b"".join([*parts, self._unknown])

    SerializePartialToString = SerializeToString

    def ByteSize(self) -> int:
        """Return how many bytes the message takes on the wire."""
        return len(self.SerializeToString())

    @classmethod
    def FromString(cls, s: bytes) -> Self:
        """Return the message that bytes in wire format stand for."""
        if cls.stands_for(s):
            return cls.written_as(s)
        made = cls()
        made.MergeFromString(s)
        return made

    def ParseFromString(self, serialized: bytes) -> int:
        """Become the message that bytes in wire format stand for; return how many they are."""
        if self.stands_for(serialized):
            self.become(serialized)
            self.SetInParent()
            return len(serialized)
        self.Clear()
        return self.MergeFromString(serialized)

    def MergeFromString(self, serialized: bytes) -> int:
        """Add what bytes in wire format stand for; return how many they are."""
        if not isinstance(serialized, (bytes, bytearray, memoryview)):
            raise BuildTypeError(
                f"{type(self).__name__} is read from bytes, got {serialized!r} of type "
                f"{type(serialized).__name__}."
            )
        data = bytes(serialized)
        try:
            self.merge_bytes(data, 0, len(data))
        except WireError as error:
            raise DecodeError(
                f"{type(self).__name__}: byte {error.offset} of {len(data)}: {error.what}. "
                "The bytes are damaged, cut short, or something else."
            ) from None
        self.SetInParent()
        return len(data)

    def merge_bytes(self, data: bytes, start: int, stop: int) -> None:
        """Add what a part of some bytes stands for, or raise WireError."""
        by_number = self.by_number
        for number, wire, value, at in fields(data, start, stop):
            field = by_number.get(number)
            if field is None or not field.parse(self, data, wire, value, at):
                after = value[1] if isinstance(value, tuple) else None
                self._keep(data, at, after, stop)

    def _keep(self, data: bytes, at: int, after: int | None, stop: int) -> None:
        """Keep a field that is not known."""
        if after is None:  # a varint: it ends with the second byte that is below 128
            after = at
            for _ in range(2):
                while data[after] > 0x7F:
                    after += 1
                after += 1
        self._unknown += data[at : min(after, stop)]

    def DiscardUnknownFields(self) -> None:
        """Forget what was read and is not known, here and in all messages inside."""
        self._unknown = b""
        for _, value in self.ListFields():
            inner = value.values() if hasattr(value, "keys") else value
            for item in [value] if isinstance(value, Message) else inner:
                if isinstance(item, Message):
                    item.DiscardUnknownFields()

    # ---- as other things ----------------------------------------------------------------

    def text(self) -> Iterator[str]:
        """Yield the lines of protobuf's text format."""
        for field, value in self.ListFields():
            yield from field.text(value)

    def __repr__(self) -> str:
        return "".join(f"{line}\n" for line in self.text())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        if self.wire is not None and self.wire == other.wire:
            return True
        mine = self.SerializeToString(deterministic=True)
        return mine == other.SerializeToString(deterministic=True)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return type(self).FromString, (self.SerializeToString(),)

    def __deepcopy__(self, memo: Any) -> Self:
        return type(self).copied(self)
