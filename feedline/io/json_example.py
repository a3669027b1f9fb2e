"""json_example: protobuf's JSON form of tf.train.Example becomes its wire format."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from typing import Any

import numpy as np

from feedline.errors import DecodeError
from feedline.graph.leaf_operation import leaf_operation
from feedline.strings.lifted import each_of, rule_for, spec_like
from feedline.strings.texts import as_bytes
from feedline.train import Example

__all__ = ["decode_json_example"]

_CALL = "decode_json_example()"
_NAMES = {"bytesList": "bytes_list", "floatList": "float_list", "int64List": "int64_list"}
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")


def _decoded(items: list[Any]) -> list[bytes]:
    return list(map(_decoded_one, as_bytes(items)))


@leaf_operation(spec=spec_like(), columns=rule_for(_decoded))
def decode_json_example(json_examples: Any, name: str | None = None) -> Any:
    """Return Examples written as JSON in the form that parse_example() reads.

    Args:
        json_examples: Strings, each an Example in protobuf's JSON: bytes as base64.
        name: Has no effect.

    Example:
        >>> text = '{"features": {"feature": {"x": {"int64List": {"value": ["3"]}}}}}'
        >>> Example.FromString(decode_json_example(text)).features.feature["x"].int64_list.value
        [3]
    """
    return each_of(_CALL, _decoded, json_examples)


def _decoded_one(text: bytes) -> bytes:
    try:
        found = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise DecodeError(f"{_CALL}: {text[:40]!r} is no JSON: {error}.") from error
    example = Example()
    features = _fields(found, "the Example", {"features"}).get("features")
    if features is not None:
        example.features.SetInParent()
        entries = _fields(features, "features", {"feature"}).get("feature")
        for name, value in _object(entries or {}, "features.feature").items():
            _fill(example.features.feature[name], value, name)
    return example.SerializeToString()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(where, "an object", value)
    return value


def _fields(value: Any, where: str, names: set[str]) -> dict[str, Any]:
    """Return the fields of an object by their names in the message."""
    found = {_NAMES.get(name, name): item for name, item in _object(value, where).items()}
    for name in found:
        if name not in names:
            raise DecodeError(
                f"{_CALL}: {where} has no field {name!r}. It has: {', '.join(sorted(names))}."
            )
    return found


def _fill(feature: Any, value: Any, name: str) -> None:
    where = f"feature {name!r}"
    if value is None:
        raise _wrong(where, "an object", value)
    lists = _fields(value, where, set(_NAMES.values()))
    kinds = {kind: one for kind, one in lists.items() if one is not None}
    if len(kinds) > 1:
        raise DecodeError(f"{_CALL}: {where} may have one list, got {', '.join(kinds)}.")
    for kind, one in kinds.items():
        target = getattr(feature, kind)
        target.SetInParent()
        items = _fields(one, where, {"value"}).get("value") or []
        if not isinstance(items, list):
            raise _wrong(where, "a list", items)
        target.value.extend([_READERS[kind](item, where) for item in items])


def _bytes(item: Any, where: str) -> bytes:
    if not isinstance(item, str) or not _BASE64.fullmatch(item):
        raise _wrong(where, "base64", item)
    bare = item.rstrip("=").replace("-", "+").replace("_", "/")
    if len(bare) % 4 == 1:
        raise _wrong(where, "base64", item)
    return b64decode(bare + "=" * (-len(bare) % 4))


def _float(item: Any, where: str) -> float:
    named = {"NaN": np.nan, "Infinity": np.inf, "-Infinity": -np.inf}
    if isinstance(item, str) and item in named:
        return float(named[item])
    try:
        number = float("x" if isinstance(item, bool) else item)
    except (TypeError, ValueError, OverflowError):
        raise _wrong(where, "numbers", item) from None
    if not abs(number) <= float(np.finfo(np.float32).max):
        raise _wrong(where, "numbers that fit float32", item)
    return number


def _int(item: Any, where: str) -> int:
    if isinstance(item, str) and re.fullmatch(r"-?[0-9]+", item):
        number = int(item)
    elif isinstance(item, int) and not isinstance(item, bool):
        number = item
    elif isinstance(item, float) and item.is_integer():
        number = int(item)
    else:
        raise _wrong(where, "integers", item)
    if not -(1 << 63) <= number < 1 << 63:
        raise _wrong(where, "integers of 64 bits", item)
    return number


_READERS: dict[str, Any] = {"bytes_list": _bytes, "float_list": _float, "int64_list": _int}


def _wrong(where: str, wanted: str, found: Any) -> DecodeError:
    return DecodeError(f"{_CALL}: {where} must hold {wanted}, got {found!r}.")
