"""testing: the promises every pipeline keeps, as checks anyone can run on theirs.

Each check takes a dataset, iterates over it several times, and raises AssertionError
with the first difference. The dataset must be finite and small: check_resume() cuts it
at every position.

Example:
    >>> import feedline as tf
    >>> ds = tf.data.Dataset.range(20).shuffle(7, seed=1).batch(3)
    >>> check(ds)
"""

from __future__ import annotations

import gc
import itertools
import json
import pickle
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterable
from typing import Any

import cloudpickle
import numpy as np

from feedline import pipeline
from feedline.dataset import Dataset
from feedline.graph.same import same_leaves
from feedline.options import INFINITE_CARDINALITY, Options
from feedline.plan.verify import cardinality_of
from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor
from feedline.spec import LeafSpec, TensorSpec, array_spec
from feedline.structure import structure_of
from feedline.values.tensor import as_plain

__all__ = [
    "CHECKS",
    "assert_same",
    "assert_same_elements",
    "check",
    "check_access",
    "check_block_sizes",
    "check_cardinality",
    "check_close",
    "check_pickle",
    "check_processes",
    "check_resume",
    "check_resume_in_fresh_process",
    "check_spec",
    "check_threads",
    "check_traits",
]

_BLOCK_SIZES = (1, 2, 3, 7, 64)
_MOST_CUTS = 100


def check(ds: Dataset[Any]) -> None:
    """Run every check on ``ds``, except the one that starts a process."""
    for promise in CHECKS:
        promise(ds)


def check_block_sizes(ds: Dataset[Any]) -> None:
    """The elements and their order are the same for every block size."""
    start = iter(ds).state_dict()
    expected = _run(ds, start)
    for size in _BLOCK_SIZES:
        assert_same_elements(_run(_with_block_size(ds, size), start), expected)


def check_resume(ds: Dataset[Any]) -> None:
    """A state taken after any element, written as JSON, continues exactly, at any block size."""
    start = iter(ds).state_dict()
    expected = _run(ds, start)
    sizes = itertools.cycle([None, *_BLOCK_SIZES])
    for cut in _cuts(len(expected)):
        saved = _state_after(_with_block_size(ds, next(sizes)), start, cut)
        assert_same_elements(_run(_with_block_size(ds, next(sizes)), saved), expected[cut:])


def check_resume_in_fresh_process(ds: Dataset[Any]) -> None:
    """States continue exactly in a new process that got nothing but the dataset and the state."""
    start = iter(ds).state_dict()
    expected = _run(ds, start)
    cuts = _cuts(len(expected))[:: max(1, len(expected) // 5)]
    states = [_state_after(ds, start, cut) for cut in cuts]
    code = "from feedline.testing import _serve; _serve()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=cloudpickle.dumps((ds, states, sys.path)),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    for cut, rest in zip(cuts, pickle.loads(done.stdout), strict=True):
        assert_same_elements(rest, [_frozen(element) for element in expected[cut:]])


def check_threads(ds: Dataset[Any]) -> None:
    """The elements and their order are the same whatever is computed ahead, and by whom.

    A state that is saved in one thread continues in many, and the other way round.
    """
    plain, threads = _with_executor(ds, "inline"), _with_executor(ds, "threads").prefetch(3)
    start = iter(plain).state_dict()
    expected = _run(plain, start)
    assert_same_elements(_run(threads, start), expected)
    ways = itertools.cycle([(plain, threads), (threads, plain), (threads, threads)])
    for cut in _cuts(len(expected))[:: max(1, len(expected) // 10)]:
        before, then = next(ways)
        saved = _state_after(before, start, cut)
        assert_same_elements(_run(then, saved), expected[cut:])


def check_processes(ds: Dataset[Any], executor: str = "processes") -> None:
    """The elements are the same with functions, or everything, in another process.

    Args:
        ds: The dataset. Its functions must be ones that can be sent.
        executor: "processes", or "background" for the whole pipeline.
    """
    # A copy: processes that are kept from one iteration to the next end with it.
    ds = pickle.loads(cloudpickle.dumps(ds))
    plain, elsewhere = _with_executor(ds, "inline"), _with_executor(ds, executor)
    start = iter(plain).state_dict()
    expected = _run(plain, start)
    assert_same_elements(_run(elsewhere, start), expected)
    half = len(expected) // 2
    assert_same_elements(_run(elsewhere, _state_after(plain, start, half)), expected[half:])
    assert_same_elements(_run(plain, _state_after(elsewhere, start, half)), expected[half:])


def check_access(ds: Dataset[Any]) -> None:
    """Where elements can be read by index, they are those of an iteration, draws included."""
    it = iter(ds)
    saved = it.state_dict()
    rounds = dict(enumerate(saved["rounds"]))
    access = pipeline.open_access(ds.node, saved["seed"], rounds)
    if access is None:
        return
    expected = _run(ds, saved)
    assert len(access) == len(expected), f"len() is {len(access)}, there are {len(expected)}"
    for index in reversed(range(len(expected))):
        (row,) = access.run(index, index + 1).rows()
        assert_same(row, expected[index])


def check_spec(ds: Dataset[Any]) -> None:
    """Every element fits element_spec."""
    elements = list(ds)
    if not elements:
        return
    spec = ds.element_spec
    structure = structure_of(spec)
    for number, element in enumerate(elements):
        for leaf, declared in zip(structure.flatten(element), structure.flatten(spec), strict=True):
            assert _fits(leaf, declared), f"element {number}: {leaf!r} is not {declared}"


def check_cardinality(ds: Dataset[Any]) -> None:
    """A cardinality that is known is true."""
    known = ds.cardinality()
    if known >= 0:
        count = len(list(ds))
        assert count == known, f"cardinality() is {known}, there are {count}"


def check_traits(ds: Dataset[Any]) -> None:
    """What the last step declares about rows, order and values is what it does."""
    node = ds.node
    if len(node.inputs) != 1 or cardinality_of(node.inputs[0]) == INFINITE_CARDINALITY:
        return
    traits = node.traits
    before, after = list(Dataset[Any](node.inputs[0])), list(ds)
    if traits.rows == "same":
        assert len(before) == len(after), f"rows='same', but {len(before)} became {len(after)}"
    if traits.rows == "fewer":
        assert len(before) >= len(after), f"rows='fewer', but {len(before)} became {len(after)}"
    if traits.rows == "more" and cardinality_of(node) != 0:
        assert len(before) <= len(after), f"rows='more', but {len(before)} became {len(after)}"
    if traits.keeps_order and traits.keeps_values:
        rest = iter(before)
        for element in after:
            found = any(_same(element, candidate) for candidate in rest)
            assert found, f"keeps_order and keeps_values, but {element!r} is not next in the input"


def check_pickle(ds: Dataset[Any]) -> None:
    """A dataset sent through pickle yields the same elements from the same state."""
    start = iter(ds).state_dict()
    copy = pickle.loads(cloudpickle.dumps(ds))
    assert_same_elements(_run(copy, start), _run(ds, start))


def check_close(ds: Dataset[Any]) -> None:
    """An iterator that is dropped or closed early leaves no thread and no object behind."""
    threads = threading.active_count()
    with iter(ds) as it:
        for _ in itertools.islice(it, 2):
            pass
    assert next(it, None) is None, "a closed iterator must be over"
    it = iter(ds)
    for _ in itertools.islice(it, 2):
        pass
    alive = weakref.ref(it)
    del it
    _wait_until(lambda: alive() is None)
    assert alive() is None, "something keeps a dropped iterator alive"
    _wait_until(lambda: threading.active_count() <= threads)
    assert threading.active_count() <= threads, "a thread was left behind"


def _wait_until(is_so: Callable[[], bool]) -> None:
    """Collect garbage until something is so: threads may be finishing what they do."""
    for _ in range(100):
        if is_so():
            return
        gc.collect()
        time.sleep(0.01)


CHECKS: list[Callable[[Dataset[Any]], None]] = [
    check_block_sizes,
    check_resume,
    check_threads,
    check_access,
    check_spec,
    check_cardinality,
    check_traits,
    check_pickle,
    check_close,
]


def assert_same_elements(found: Iterable[Any], expected: Iterable[Any]) -> None:
    """Raise AssertionError unless two runs yield the same elements in the same order."""
    missing = object()
    pairs = itertools.zip_longest(found, expected, fillvalue=missing)
    for number, (one, other) in enumerate(pairs):
        assert one is not missing, f"ends before element {number}, which should be {other!r}"
        assert other is not missing, f"element {number} is {one!r}, but there should be no more"
        try:
            assert_same(one, other)
        except AssertionError as error:
            raise AssertionError(f"element {number}: {error}") from None


def assert_same(found: Any, expected: Any) -> None:
    """Raise AssertionError unless two elements have equal structures, dtypes and values."""
    one, other = structure_of(found), structure_of(expected)
    assert one == other, f"structure {one} is not {other}"
    for mine, theirs in zip(one.flatten(found), other.flatten(expected), strict=True):
        assert _same_leaf(mine, theirs), f"{mine!r} is not {theirs!r}"


def _same(found: Any, expected: Any) -> bool:
    try:
        assert_same(found, expected)
    except AssertionError:
        return False
    return True


def _same_leaf(one: Any, other: Any) -> bool:
    one, other = as_plain(one), as_plain(other)
    if type(one) is not type(other):
        return False
    if isinstance(one, (np.ndarray, np.generic)):
        equal_nan = one.dtype.kind in "fcmM"
        same_type = one.dtype == other.dtype and one.shape == other.shape
        return same_type and bool(np.array_equal(one, other, equal_nan=equal_nan))
    if isinstance(one, Dataset):
        return _same(tuple(one), tuple(other))
    return same_leaves(one, other)


def _frozen(element: Any) -> Any:
    """Return an element with nested datasets as tuples, so that it can leave the process."""
    if isinstance(element, Dataset):
        return tuple(_frozen(inner) for inner in element)
    structure = structure_of(element)
    if structure.is_leaf:
        return element
    return structure.pack([_frozen(leaf) for leaf in structure.flatten(element)])


def _fits(leaf: Any, declared: LeafSpec) -> bool:
    if isinstance(leaf, (np.ndarray, np.generic, str, bytes)):
        return isinstance(array_spec(declared), TensorSpec) and declared.is_compatible_with(leaf)
    if isinstance(leaf, (RaggedTensor, SparseTensor)):
        return leaf.dtype == declared.dtype
    return True


def _with_block_size(ds: Dataset[Any], size: int | None) -> Dataset[Any]:
    return ds if size is None else ds.with_options(Options(block_size=size))


def _with_executor(ds: Dataset[Any], executor: str) -> Dataset[Any]:
    return ds.with_options(Options(executor=executor))


def _run(ds: Dataset[Any], state: dict[str, Any]) -> list[Any]:
    it = iter(ds)
    it.load_state_dict(state)
    return list(it)


def _state_after(ds: Dataset[Any], start: dict[str, Any], count: int) -> dict[str, Any]:
    it = iter(ds)
    it.load_state_dict(start)
    for _ in itertools.islice(it, count):
        pass
    written = json.dumps(it.state_dict())
    saved: dict[str, Any] = pickle.loads(pickle.dumps(json.loads(written)))
    return saved


def _cuts(length: int) -> list[int]:
    step = max(1, length // _MOST_CUTS)
    return [*range(0, length, step), length]


def _serve() -> None:
    ds, states, path = pickle.load(sys.stdin.buffer)
    sys.path[:] = path
    rest = [[_frozen(element) for element in _run(ds, state)] for state in states]
    sys.stdout.buffer.write(cloudpickle.dumps(rest))
