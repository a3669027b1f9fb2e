"""containers: the lists and maps inside messages. A change marks the message as set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping, MutableSequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from feedline.errors import BuildError, BuildTypeError
from feedline.train.scalars import FLOAT, INT64, Scalar

if TYPE_CHECKING:
    from feedline.train.message import Message

__all__ = ["MessageList", "MessageMap", "ScalarList"]

V = TypeVar("V")
M = TypeVar("M", bound="Message")

_DTYPES: dict[str, Any] = {FLOAT.name: np.dtype(np.float32), INT64.name: np.dtype(np.int64)}


class Owned:
    """What belongs to a message, which is set when it is changed."""

    __slots__ = ("_owner",)

    def __init__(self, owner: Message) -> None:
        # Of an owner that is set nothing is wanted. They would keep each other alive until Python
        # looks for such pairs, which takes longer than everything else here.
        self._owner = owner if owner.may_be_unset else None

    def _set_owner(self) -> None:
        owner, self._owner = self._owner, None
        if owner is not None:
            owner.SetInParent()


class ScalarList(Owned, MutableSequence[V], Generic[V]):
    """The values of a repeated field."""

    __slots__ = ("_field", "_items", "_scalar")

    def __init__(self, owner: Message, field: str, scalar: Scalar) -> None:
        super().__init__(owner)
        self._field = field
        self._scalar = scalar
        self._items: list[V] = []

    def _checked(self, values: Iterable[Any]) -> list[V]:
        found: list[V] = self._scalar.checked(self._field, values)
        return found

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: Any) -> Any:
        return self._items[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._items[index] = (
            self._checked(value) if isinstance(index, slice) else self._checked([value])[0]
        )
        self._set_owner()

    def __delitem__(self, index: Any) -> None:
        del self._items[index]
        self._set_owner()

    def append(self, value: Any) -> None:
        """Add a value at the end."""
        found = self._scalar.one(value)
        self._items.append(self._checked([value])[0] if found is None else found)
        if self._owner is not None:
            self._set_owner()

    def insert(self, index: int, value: Any) -> None:
        """Put a value before ``index``."""
        self._items[index:index] = self._checked([value])
        self._set_owner()

    def extend(self, values: Iterable[Any]) -> None:
        """Add values at the end."""
        self._items += self._checked(values)
        self._set_owner()

    def sort(self, **kwargs: Any) -> None:
        """Sort in place, as a list does."""
        self._items.sort(**kwargs)

    def MergeFrom(self, other: ScalarList[V]) -> None:
        """Add the values of another list."""
        self.extend(list(other))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ScalarList):
            return self._items == other._items
        return self._items == other

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return the values with the dtype they have on the wire."""
        items: list[Any] = self._items
        return np.array(items, dtype or _DTYPES.get(self._scalar.name))

    def __repr__(self) -> str:
        return repr(self._items)


class MessageList(Owned, MutableSequence[M], Generic[M]):
    """The messages of a repeated field. What is put in is copied."""

    __slots__ = ("_items", "_kind")

    def __init__(self, owner: Message, kind: type[M]) -> None:
        super().__init__(owner)
        self._kind = kind
        self._items: list[M] = []

    def add(self, **fields: Any) -> M:
        """Add a new message at the end and return it."""
        made = self._kind(**fields)
        self._items.append(made)
        self._set_owner()
        return made

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: Any) -> Any:
        return self._items[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        raise BuildTypeError(
            "a message in a list cannot be replaced. Use list[i].CopyFrom(message)."
        )

    def __delitem__(self, index: Any) -> None:
        del self._items[index]
        self._set_owner()

    def insert(self, index: int, value: Any) -> None:
        """Put a copy of a message, or of a dict of its fields, before ``index``."""
        self._items.insert(index, self._kind.copied(value))
        self._set_owner()

    def extend(self, values: Iterable[Any]) -> None:
        """Add copies of messages, or of dicts of their fields, at the end."""
        self._items += [self._kind.copied(value) for value in values]
        self._set_owner()

    def sort(self, **kwargs: Any) -> None:
        """Sort in place, as a list does."""
        self._items.sort(**kwargs)

    def MergeFrom(self, other: MessageList[M]) -> None:
        """Add copies of the messages of another list."""
        self.extend(list(other))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MessageList):
            return self._items == other._items
        return self._items == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._items)


class MessageMap(Owned, MutableMapping[str, M], Generic[M]):
    """Messages by name. Asking for one that is not there makes it, as in protobuf.

    What was read stays bytes until it is asked for.
    """

    __slots__ = ("_items", "_kind")

    def __init__(self, owner: Message, kind: type[M]) -> None:
        super().__init__(owner)
        self._kind = kind
        self._items: dict[str, M | bytes] = {}

    def __getitem__(self, key: Any) -> M:
        name = key if type(key) is str else _name(key)
        found = self._items.get(name)
        if found is None:
            found = self._items[name] = self._kind()
            self._set_owner()
        return self._opened(name, found) if isinstance(found, bytes) else found

    def _opened(self, name: str, wire: bytes) -> M:
        made = self._items[name] = self._kind.written_as(wire)
        return made

    def get_or_create(self, key: Any) -> M:
        """Return the message of that name, a new one if there is none."""
        return self[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        raise BuildError(
            f"a message in a map cannot be assigned. Use map[{key!r}].CopyFrom(message)."
        )

    def put(self, key: Any, value: Any) -> None:
        """Set the message of that name to a copy of a message, or of a dict of its fields."""
        self._items[_name(key)] = self._kind.copied(value)
        self._set_owner()

    def __delitem__(self, key: Any) -> None:
        del self._items[_name(key)]
        self._set_owner()

    def __contains__(self, key: object) -> bool:
        return _name(key) in self._items

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the message of that name, ``default`` if there is none."""
        name = _name(key)
        found = self._items.get(name, default)
        return self._opened(name, found) if isinstance(found, bytes) else found

    def pop(self, key: Any, *default: Any) -> Any:
        """Take a message out."""
        found = self._items.pop(_name(key), *default)
        self._set_owner()
        return self._kind.written_as(found) if isinstance(found, bytes) else found

    def MergeFrom(self, other: MessageMap[M]) -> None:
        """Put copies of the messages of another map in the places of those of their names."""
        for key, value in other.items():
            self.put(key, value)

    def __repr__(self) -> str:
        return repr(dict(self.items()))


def _name(key: Any) -> str:
    if isinstance(key, bytes):
        return key.decode()
    if not isinstance(key, str):
        raise BuildTypeError(f"a name must be a str, got {key!r} of type {type(key).__name__}.")
    return str(key)
