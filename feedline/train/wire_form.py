"""wire_form: messages that stay bytes in wire format until somebody looks into them.

A message that was read, or made all at once, is bytes in wire format until somebody looks into
it: then its fields become objects, and those of messages inside it are bytes in their turn. So a
record that is built and written, or read for a few of its features, costs little more than that.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Self

from feedline.kernels.messages import KINDS, is_canonical
from feedline.train.scalars import MOST_WRITTEN

if TYPE_CHECKING:
    from feedline.train.fields import Field
    from feedline.train.inner_fields import OneMessage
    from feedline.train.message import Message

__all__ = ["WireForm"]

# What a message has once its fields are objects.
_LIVE = ("present", "_unknown", "values")
_NOTHING: frozenset[str] = frozenset()
# Larger ones would be copied too often, from message to message, until they are objects.
_MOST_READ = 1 << 16


class WireForm:
    """What a message is made of: bytes, or fields that are objects."""

    __slots__ = ("_parent", "_unknown", "present", "values", "wire")
    _parent: tuple[Message, OneMessage[Any]] | None
    wire: bytes | None
    """The bytes that stand for the message; None once its fields are objects."""

    fields: ClassVar[dict[str, Field[Any]]] = {}
    oneofs: ClassVar[dict[str, list[Field[Any]]]] = {}
    holds_maps: ClassVar[bool] = False
    by_number: ClassVar[dict[int, Field[Any]]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        every = cls.fields.values()
        cls.by_number = {field.number: field for field in every}
        names = [field.oneof for field in every if field.oneof is not None]
        cls.oneofs = {name: [f for f in every if f.oneof == name] for name in names}
        cls.holds_maps = any(field.holds_maps for field in every)

    def begin(self) -> None:
        """Have fields that are objects, none of them yet."""
        self.values: dict[str, Any] = {}
        self.present: frozenset[str] = _NOTHING
        self._unknown = b""
        self.wire = None

    @classmethod
    def written_as(cls, wire: bytes) -> Self:
        """Return the message that canonical bytes stand for."""
        made = cls.__new__(cls)
        made._parent = None  # noqa: SLF001
        made.wire = wire
        return made

    @classmethod
    def wire_of(cls, value: Any) -> bytes | None:
        """Return the bytes that stand for a message, if some do."""
        wire = value.wire if type(value) is cls else None
        return wire if wire is None or len(wire) <= MOST_WRITTEN else None

    def __getattr__(self, name: str) -> Any:
        # What a message has that is no bytes: it must become such a message now.
        if name not in _LIVE:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        # Unless another thread was faster.
        wire = self.wire
        if wire is not None:
            self.open(wire)
        return object.__getattribute__(self, name)

    def open(self, wire: bytes) -> None:
        """Make objects of the fields."""
        message: Any = self
        values: dict[str, Any] = {}
        field = self.by_number.get(wire[0] >> 3) if wire else None
        found = None if field is None else field.opened(message, wire)
        if wire and found is None:
            self.begin()
            self.merge_bytes(wire, 0, len(wire))
            return
        if field is not None:
            values[field.name] = found
        # In this order: another thread that reads the message finds it whole at any moment.
        self.present = frozenset(values) if field and field.has_presence else _NOTHING
        self._unknown = b""
        self.values = values
        self.wire = None

    def become(self, wire: bytes) -> None:
        """Forget the objects: bytes stand for the message now."""
        self.wire = wire
        for name in _LIVE:
            with suppress(AttributeError):
                delattr(self, name)

    @classmethod
    def stands_for(cls, serialized: Any) -> bool:
        """Whether bytes can stand for a message of this class."""
        if type(serialized) is not bytes or len(serialized) > _MOST_READ:
            return False
        return bool(is_canonical(serialized, KINDS[cls.__name__]))

    def merge_bytes(self, data: bytes, start: int, stop: int) -> None:
        """Add what a part of some bytes stands for, or raise WireError."""
        raise NotImplementedError
