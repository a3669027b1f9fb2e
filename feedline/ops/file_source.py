"""file_source: what sources that read files have in common.

The names of the files are the elements of an input, so a dataset of names will do. Every file
is a small dataset of its own; they are read one after the other, or several in turn, as
interleave() reads the datasets that a function makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from feedline.block import Block
from feedline.column import Objects
from feedline.engine.function import Function
from feedline.errors import BuildError, BuildTypeError, check_integer
from feedline.files import paths_of
from feedline.ops.file_origin import origin_in_files
from feedline.ops.files_in_order import FilesInOrderExec
from feedline.ops.from_generator import Once
from feedline.ops.from_tensor_slices import FromTensorSlices
from feedline.ops.interleave import InterleaveExec
from feedline.options import AUTOTUNE
from feedline.plan.declared import declared_spec
from feedline.plan.node import Node, Traits, UnaryNode
from feedline.plan.rewrite import walk
from feedline.spec import TensorSpec, string
from feedline.structure import LEAF

if TYPE_CHECKING:
    from feedline.engine.exec import Exec, State
    from feedline.engine.run import Run
    from feedline.quarantine import Origin

__all__ = [
    "FileSourceNode",
    "check_buffer_size",
    "check_parallel_reads",
    "names_node",
]

# How many elements are taken of one file before the next has its turn: all of them.
_WHOLE = 1 << 62
# As interleave() has it: the order must not depend on the machine.
_AUTOTUNED_READS = 16


def names_node(call: str, filenames: Any) -> Node:
    """Return the node whose elements are the names of the files.

    Args:
        call: The call that got them.
        filenames: A name, a list or array of names, or a dataset of names.
    """
    node = getattr(filenames, "node", None)
    if not isinstance(node, Node):
        paths = paths_of(filenames, call)
        block = Block(LEAF, (Objects(list(paths)),), len(paths))
        return FromTensorSlices(block, TensorSpec((), string))
    spec = declared_spec(node)
    if spec is None or (isinstance(spec, TensorSpec) and spec.dtype == string and not spec.shape):
        return node
    raise BuildTypeError(
        f"{call}: filenames must be names of files, or a dataset of single names, got a dataset "
        f"of {spec}."
    )


def check_parallel_reads(call: str, num_parallel_reads: Any) -> int:
    """Return how many files are read in turn: 1 for one after the other."""
    if num_parallel_reads is None:
        return 1
    number = check_integer(call, "num_parallel_reads", num_parallel_reads)
    if number == AUTOTUNE:
        return _AUTOTUNED_READS
    if number < 1:
        raise BuildError(
            f"{call}: num_parallel_reads must be at least 1, AUTOTUNE or None, got {number}."
        )
    return number


def check_buffer_size(call: str, buffer_size: Any, default: int, least: int = 0) -> int:
    """Return how many bytes are read at once; 0 and None stand for the default."""
    if buffer_size is None:
        return default
    number = check_integer(call, "buffer_size", buffer_size)
    if number < least:
        raise BuildError(f"{call}: buffer_size must be at least {least}, got {number}.")
    return number or default


@dataclass(frozen=True)
class FileSourceNode(UnaryNode):
    """The elements of files, ``cycle_length`` of which are read in turn."""

    cycle_length: int = field(default=1, kw_only=True)
    replayed: Once = field(default_factory=Once, kw_only=True, repr=False, compare=False)

    traits: ClassVar[Traits] = Traits(rows="any")

    @property
    def operator(self) -> str:
        """The class that users make such a dataset with: it has the name of the node's."""
        return type(self).__name__.removesuffix("Node")

    @property
    def read_files(self) -> Sequence[str]:
        """Those whose names lie in memory, unless they say so themselves."""
        found: list[str] = []
        for node in walk(self.input):
            if isinstance(node, FromTensorSlices) and not node.names_files:
                found.extend(node.texts())
        return found

    def reader(self, path: str, run: Run) -> Exec:
        """Return what reads one file."""
        raise NotImplementedError(type(self).__name__)

    def reads_ahead(self, path: str) -> bool:
        """Whether what reads this file has more of it read meanwhile."""
        return False

    def lower(self, run: Run) -> InterleaveExec:
        """Open files as their turn comes; of one after the other, what is skipped is not read."""
        plain = InterleaveExec(
            run.open(self.input),
            Function(self._file, self.place, may_change=False),
            run,
            0,
            cycle_length=self.cycle_length,
            block_length=1 if self.cycle_length > 1 else _WHOLE,
            reads=self.cycle_length if self.cycle_length > 1 and run.is_parallel else 0,
            ordered=self.cycle_length == 1 or run.is_ordered(None),
            reads_ahead=self._all_read_ahead(),
        )
        return FilesInOrderExec.of(plain) if self.cycle_length == 1 else plain

    def _all_read_ahead(self) -> bool:
        """Whether it is known of every file, before it is opened, that more is read meanwhile."""
        if self.cycle_length > 1 or not isinstance(self.input, FromTensorSlices):
            return False
        names = self.input.block.rows()
        return all(isinstance(name, str) and self.reads_ahead(name) for name in names)

    def _file(self, name: Any) -> OneFile:
        return OneFile(self.file_of(name))

    def file_of(self, name: Any) -> OneFileNode:
        """Return the plan of one file."""
        return OneFileNode(name_of(name, self.operator), self, site=self.site)

    def origin_of(self, state: State, run: Run) -> Origin | None:
        """Which record of which file."""
        return None if "then" in state else origin_in_files(self, state, run)


def name_of(name: Any, call: str) -> str:
    """Return a name that came out of a dataset."""
    if isinstance(name, bytes):
        return name.decode("utf-8", "surrogateescape")
    if isinstance(name, str):
        return str(name)
    kind = f"an array of shape {name.shape}" if isinstance(name, np.ndarray) else repr(name)
    raise BuildTypeError(f"{call}(): filenames must be a dataset of single names, got {kind}.")


@dataclass(frozen=True)
class OneFileNode(Node):
    """The elements of one file."""

    path: str
    source: FileSourceNode = field(repr=False)

    traits: ClassVar[Traits] = Traits(keeps_order=True)

    def lower(self, run: Run) -> Exec:
        """Read the file."""
        return self.source.reader(self.path, run)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """What the source declares."""
        return self.source.spec(inputs)


@dataclass(frozen=True, slots=True)
class OneFile:
    """What the engine is given for one file: it has a node, as a dataset has."""

    node: OneFileNode
