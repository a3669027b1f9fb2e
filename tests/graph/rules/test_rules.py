"""Every function of the table does the same for a block as for its elements one by one."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedline.graph.exactness import MANY_WAYS
from feedline.graph.op import resolved
from feedline.graph.rows import Rows
from feedline.graph.rule import RULES
from feedline.graph.same import same_values
from feedline.graph.untraceable import Untraceable
from tests.graph.rules.cases import Drawn, OneChange, Plain
from tests.graph.rules.recording import Constant, at_once, one_by_one, recorded
from tests.graph.rules.table import TABLE

each_entry = pytest.mark.parametrize("entry", TABLE, ids=[entry.name for entry in TABLE])


@pytest.fixture(autouse=True)
def _quiet():
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def blocks_of(case, rng, length):
    return [operand.block(rng, length) for operand in case.operands]


def are_single_integers(case):
    """Whether results may wrap around, of which NumPy warns for single numbers alone."""
    return all(o.shape == () and np.dtype(o.dtype).kind in "iu" for o in case.operands)


def holds_less_zeros(operands):
    """Whether there are zeros with a minus sign, which some blocks leave to their elements."""
    arrays = [np.asarray(getattr(o, "array", o)) for o in operands if not isinstance(o, Constant)]
    return any((np.signbit(a.real) & (a == 0)).any() for a in arrays if a.dtype.kind in "fc")


def outcome(function, *args):
    try:
        return function(*args), None
    except (Exception, Untraceable) as error:
        return None, error


@each_entry
@settings(max_examples=12, deadline=None, database=None, derandomize=True)
@given(random=st.randoms(use_true_random=False), seed=st.integers(0, 2**31))
def test_a_block_gives_what_its_elements_give(entry, random, seed):
    case = entry.make(Drawn(random))
    rng = np.random.default_rng(seed)
    samples, values = (blocks_of(case, rng, random.randint(1, 5)) for _ in range(2))
    varying = random.randrange(len(samples))
    for place in range(len(samples)):
        if place != varying and random.random() < 0.3:
            samples[place] = values[place] = Constant(samples[place][0])

    expected, error = outcome(one_by_one, case.call, samples)
    program, refusal = outcome(recorded, case.call, samples)

    if MANY_WAYS in str(refusal):
        return  # a single complex number, or a power of an array without axes
    assert (program is None) == (expected is None), refusal or error
    if program is not None:
        for operands in (samples, values):
            found, departed = outcome(at_once, program, operands)
            wanted, failure = outcome(one_by_one, case.call, operands)
            left = are_single_integers(case) or holds_less_zeros(operands)
            assert found is not None or failure or left, departed
            assert found is None or all(map(same_values, found, wanted)), f"{found} is not {wanted}"


def ordinary(entry):
    case = entry.make(Plain())
    return case.call, blocks_of(case, np.random.default_rng(5), 4)


def arguments(op, operands):
    """The operands of a recorded operation whose operands are all inputs; else None."""
    values = dict(enumerate(operands))
    try:
        args = [resolved(argument, values.__getitem__) for argument in op.args]
        kwargs = {key: resolved(value, values.__getitem__) for key, value in op.kwargs.items()}
    except KeyError:
        return None
    return args, kwargs


@each_entry
def test_an_ordinary_call_runs_as_the_table_says(entry):
    program = recorded(*ordinary(entry))

    assert any(op.run is None for op in program.ops) == entry.loops


# NumPy may round these in another way for many elements: single numbers, and ord=3.
LEFT_TO_ELEMENTS = {"np.sinc": {(0, 1)}, "np.linalg.norm, ord": {(2, 4)}}


@pytest.mark.parametrize("entry", [e for e in TABLE if not e.loops], ids=lambda e: e.name)
def test_with_any_one_other_argument_it_runs_at_once_too(entry):
    unchanged = OneChange(-1, 0)
    entry.make(unchanged)
    changes = [(p, n) for p, count in enumerate(unchanged.counts) for n in range(1, count)]
    left = set()
    for place, number in changes:
        case = entry.make(OneChange(place, number))
        blocks = blocks_of(case, np.random.default_rng(5), 4)
        _, failure = outcome(one_by_one, case.call, blocks)
        if failure is None and any(op.run is None for op in recorded(case.call, blocks).ops):
            left.add((place, number))

    assert left <= LEFT_TO_ELEMENTS.get(entry.name, set())


@each_entry
def test_a_block_without_elements_gives_none(entry):
    call, blocks = ordinary(entry)
    program = recorded(call, blocks)
    if not entry.loops:
        wanted = one_by_one(call, blocks)

        found = at_once(program, [block[:0] for block in blocks])

        assert [array.dtype for array in found] == [array.dtype for array in wanted]
        assert [array.shape for array in found] == [(0, *array.shape[1:]) for array in wanted]


@each_entry
@settings(max_examples=4, deadline=None, database=None, derandomize=True)
@given(random=st.randoms(use_true_random=False))
def test_what_is_said_to_be_fresh_shares_no_memory(entry, random):
    case = entry.make(Drawn(random))
    blocks = blocks_of(case, np.random.default_rng(5), 3)
    program, _ = outcome(recorded, case.call, blocks)
    for op in program.ops if program is not None else ():
        found = arguments(op, blocks)
        if op.fresh and found is not None:
            rows = arguments(op, [Rows(block) for block in blocks])
            firsts = arguments(op, [block[0] for block in blocks])
            for made in (op.run(*rows[0], **rows[1]), op.fn(*firsts[0], **firsts[1])):
                parts = made if isinstance(made, (tuple, list)) else [made]
                assert not any(np.may_share_memory(p, b) for p in parts for b in blocks)


@pytest.mark.parametrize("function", [np.take, np.multiply.outer], ids=["take", "outer"])
def test_a_rule_takes_what_is_the_same_for_all_elements_first(function):
    # By the rule alone: what it fails with would be left to the elements, which is slower.
    rule, table = RULES[function].run, np.arange(12).reshape(3, 4)
    indices = np.array([[0, 3], [1, 2], [3, 3]])

    assert np.array_equal(rule(table, Rows(indices)), [function(table, row) for row in indices])
