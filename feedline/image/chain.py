"""chain: operations on an image, one after the other, that become one pass over its pixels.

    decode -> cut out -> resize -> mirror -> cast, scale and shift

Each of them may be missing. What is between two of them must be used by nothing else. The
numbers are those of the operations one by one, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.fusion import fuser, uses_of
from feedline.graph.op import LeafForm, Op, Ref
from feedline.graph.rule import named
from feedline.graph.symbol import astype
from feedline.image.chain_run import Pass
from feedline.image.image_operation import operation_of
from feedline.kernels.resample import Step

__all__ = ["Flip", "Link", "Part", "Resize", "Source", "link"]


@dataclass(frozen=True)
class Source:
    """An image is made of something else, for each element.

    ``make`` is called in place of the operation: it gets a memoryview where the operation
    gets bytes. ``name`` is what the user called. ``jpeg_channels``: of JPEGs, where the kernels
    for these give the same pixels; 0 where they may not.
    """

    make: Callable[..., Any]
    name: str
    jpeg_channels: int = 0


@dataclass(frozen=True)
class Part:
    """A part is cut out.

    ``box`` gets the height and width of an image and ``args`` of its element, and returns
    top, left, height and width. ``size`` is known if it is the same for all.
    """

    box: Callable[..., tuple[int, int, int, int]]
    args: tuple[Any, ...]
    size: tuple[int, int] | None = None


@dataclass(frozen=True)
class Resize:
    """The image gets a size; what ``part`` says is cut out before."""

    size: tuple[int, int]
    method: str
    antialias: bool
    part: Part | None = None


@dataclass(frozen=True)
class Flip:
    """The image is mirrored where ``chosen`` is true: bit 1 left to right, bit 2 top to bottom."""

    bits: int
    chosen: Any


@dataclass(frozen=True)
class _Steps:
    """Every number is changed by itself."""

    steps: tuple[Step, ...]


Link = Source | Part | Resize | Flip

# What an operation does, told by its arguments as they were recorded; None if it is no link.
_LINKS: dict[Any, Callable[..., Link | None]] = {}
_NAMES: dict[Any, str] = {}


def link(function: Any, name: str) -> Callable[[Any], Any]:
    """Let the decorated function say what an operation on images does in a chain.

    It gets the arguments as they were recorded: a Ref in place of what differs between
    elements. The first of them is the image, but for a Source.

    Args:
        function: An ``image_operation`` or a ``leaf_operation``.
        name: What the user calls.
    """

    def register(describe: Any) -> Any:
        # Recorded is the operation on arrays, or what is called for each object.
        for recorded in (operation_of(function), getattr(function, "__wrapped__", function)):
            _LINKS[recorded] = describe
            _NAMES[recorded] = name
        return describe

    return register


# ---- finding chains -------------------------------------------------------------------


@dataclass(frozen=True)
class _Chain:
    """Some links that are known to follow each other."""

    ops: tuple[Op, ...]
    source: Source | None = None
    image: Ref | None = None
    parts: tuple[Part, ...] = ()
    resize: Resize | None = None
    flips: tuple[Flip, ...] = ()
    before: tuple[Step, ...] = ()
    after: tuple[Step, ...] = field(default=())

    def longer(self, op: Op, found: Link | _Steps) -> _Chain | None:
        """Return the chain with one link more, None if it cannot follow."""
        chain = replace(self, ops=(*self.ops, op))
        if isinstance(found, Part):
            early = self.resize is None and not self.flips
            return replace(chain, parts=(*self.parts, found)) if early else None
        if isinstance(found, Resize):
            if self.resize is not None or self.flips:
                return None
            parts = self.parts if found.part is None else (*self.parts, found.part)
            return replace(chain, resize=found, parts=parts)
        if isinstance(found, Flip):
            return replace(chain, flips=(*self.flips, found))
        if isinstance(found, _Steps):
            if self.resize is None and not self.flips:
                return replace(chain, before=(*self.before, *found.steps))
            return replace(chain, after=(*self.after, *found.steps))
        return None

    @property
    def size(self) -> tuple[int, int] | None:
        """That of the results, None if they have different ones."""
        if self.resize is not None:
            return self.resize.size
        return self.parts[-1].size if self.parts else None

    def as_op(self) -> Op | None:
        """Return one operation for all, None if the chain cannot run as one."""
        last = self.ops[-1]
        form = last.forms[0]
        size = self.size
        if len(self.ops) < 2 or size is None or not _is_image(form):
            return None
        method = "nearest" if self.resize is None else self.resize.method
        is_stepped = bool(self.before or self.after)
        if form.dtype == np.uint8 and (is_stepped or method != "nearest"):
            return None
        run = Pass(
            source=None if self.source is None else self.source.make,
            jpeg_channels=0 if self.source is None else self.source.jpeg_channels,
            boxes=tuple(part.box for part in self.parts),
            method=method,
            antialias=self.resize is not None and self.resize.antialias,
            bits=tuple(flip.bits for flip in self.flips),
            before=self.before,
            after=self.after,
            shape=(*size, form.shape[2] if form.shape else None),
            dtype=form.dtype,
            name=", ".join(self._names()),
        )
        first = self.ops[0]
        given = self.image if self.source is None else (first.args, first.kwargs)
        args = (
            given,
            tuple(part.args for part in self.parts),
            tuple(flip.chosen for flip in self.flips),
        )
        return Op(run, args, {}, last.outs, last.forms, True, run, fresh=True, exact=True)

    def _names(self) -> list[str]:
        names = [_name_of(op) for op in self.ops]
        return names if self.source is None else [self.source.name, *names[1:]]


@fuser
def fuse_images(ops: Sequence[Op], outputs: Sequence[Any]) -> Sequence[Op]:
    """Return operations with every chain of operations on images as one of them."""
    chains = _chains_of(ops, uses_of(ops, outputs))
    placed: dict[int, Op] = {}
    gone: set[int] = set()
    for number, chain in chains.items():
        joined = chain.as_op()
        if joined is not None:
            placed[number] = joined
            gone.update(op.outs[0] for op in chain.ops)
    if not placed:
        return ops
    return [
        placed.get(op.outs[0], op) if len(op.outs) == 1 else op
        for op in ops
        if len(op.outs) != 1 or op.outs[0] not in gone or op.outs[0] in placed
    ]


def _chains_of(ops: Sequence[Op], uses: dict[int, int]) -> dict[int, _Chain]:
    """Return chains that are as long as can be, by the number of what they make."""
    chains: dict[int, _Chain] = {}
    for op in ops:
        found = _link_of(op)
        if found is None or len(op.outs) != 1:
            continue
        if isinstance(found, Source):
            chains[op.outs[0]] = _Chain((op,), source=found)
        elif op.args and isinstance(op.args[0], Ref):
            number = op.args[0].number
            begun = chains.get(number) if uses[number] == 1 else None
            chain = None if begun is None else begun.longer(op, found)
            if chain is not None:
                del chains[number]
            else:
                chain = _Chain((), image=op.args[0]).longer(op, found)
            if chain is not None:
                chains[op.outs[0]] = chain
    return chains


def _is_image(form: LeafForm) -> bool:
    is_sized = form.shape is not None and len(form.shape) == 3 and None not in form.shape[:2]
    return is_sized and form.dtype in (np.uint8, np.float32)


def _name_of(op: Op) -> str:
    function = getattr(op.fn, "function", op.fn)
    if function in _NAMES:
        return _NAMES[function]
    return "cast" if function is astype else named(function).removeprefix("np.")


# ---- links ----------------------------------------------------------------------------


def _link_of(op: Op) -> Link | _Steps | None:
    describe = _LINKS.get(getattr(op.fn, "function", op.fn))
    if describe is not None:
        return describe(*op.args, **op.kwargs)
    return _steps_of(op) if op.single and op.forms[0].dtype == np.float32 else None


_BINARY: dict[Any, str] = {
    np.add: "add",
    np.subtract: "subtract",
    np.multiply: "multiply",
    np.true_divide: "divide",
}


def _steps_of(op: Op) -> _Steps | None:
    """Return what an operation on each number does, if it makes float32 of what it gets."""
    shape = op.forms[0].shape
    if shape is None or len(shape) != 3:
        return None
    channels = shape[2]
    if op.fn is astype:
        return _Steps(()) if not op.kwargs else None
    if op.kwargs or not op.args:
        return None
    if op.fn is np.clip and len(op.args) == 3:
        low, high = (_constants(value, channels) for value in op.args[1:])
        if low is None or high is None:
            return None
        return _Steps((("at_least", low), ("at_most", high)))
    name = _BINARY.get(op.fn)
    if name is None or len(op.args) != 2 or not isinstance(op.args[0], Ref):
        return None
    constants = _constants(op.args[1], channels)
    return None if constants is None else _Steps(((name, constants),))


def _constants(value: Any, channels: int | None) -> NDArray[np.float32] | None:
    """Return one number, or one for each channel; None if a constant is anything else."""
    if not isinstance(value, (int, float, np.ndarray, np.generic)):
        return None
    array = np.asarray(value)
    if array.dtype.kind not in "iuf" or array.ndim > 3 or any(n != 1 for n in array.shape[:-1]):
        return None
    return array.reshape(-1).astype(np.float32) if array.size in (1, channels) else None
