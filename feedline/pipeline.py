"""The straight line from what was asked to what runs. Read this file first.

asked      the plan as the chain of methods built it
rewritten  the plan after the rules of optimize/
running    streams over operators, pulled by an Iterator
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from feedline.block import Block
from feedline.debug_mode import plain, with_debug_mode
from feedline.defaults import with_defaults
from feedline.engine.meter import Meter
from feedline.engine.run import Lowerable, Run
from feedline.errors import BuildError, SpecError
from feedline.files.read_once import check_can_be_sent, only_looking
from feedline.ids import draw_seed, mix
from feedline.ops.ignore_errors import IgnoreErrors
from feedline.ops.transparent import TransparentNode, without_transparent
from feedline.ops.watched import check_lists_on_disk
from feedline.ops.with_options import options_of
from feedline.optimize import RULES, Rule
from feedline.parallel.honoured import honoured
from feedline.parallel.learnt import Learnt
from feedline.parallel.tasks import Lane
from feedline.parallel.workers import Workers
from feedline.plan.declared import spec_of_step
from feedline.plan.node import Node, NumberedNode, RandomNode
from feedline.plan.rewrite import files_of, fold, number_random_nodes, rewrite, walk
from feedline.plan.verify import verify
from feedline.seeding import NOTHING_INHERITED, Inherited, global_seed
from feedline.spec import merge_specs, spec_of, zeros_of

if TYPE_CHECKING:
    from feedline.engine.access import Access
    from feedline.engine.served import Beginning
    from feedline.engine.stream import Stream
    from feedline.options import Options

__all__ = [
    "element_spec",
    "first_rounds",
    "how_functions_run",
    "look_plainly",
    "open_access",
    "rewritten",
    "signature",
    "start",
    "start_in_background",
    "start_rounds",
]

# How many elements are looked at where only running a function tells what comes out.
_SAMPLE = 3
_CHANCES = 10


def rewritten(asked: Node, options: Options) -> tuple[Node, list[str]]:
    """Return the plan after every rule that is not skipped, and the names of those that fired."""
    found = _optimized(asked, rules_on(options))
    return found.plan(asked), list(found.fired)


def rules_on(options: Options) -> tuple[Rule, ...]:
    """Return the rules that the settings allow."""
    known = [rule.name for rule in RULES]
    if unknown := sorted(set(options.skip_rules or ()) - set(known)):
        raise BuildError(f"skip_rules: unknown rules {unknown}. Known: {', '.join(known)}.")
    return tuple(rule for rule in RULES if rule.is_on(options))


@dataclass(slots=True)
class _Optimized:
    """What rules made of a plan: ``changed``, or None if they left it as it was asked."""

    changed: Node | None
    fired: tuple[str, ...]
    # Only the whole plan is asked for this, not those that functions make.
    _with_ids: bool | None = None

    def plan(self, asked: Node) -> Node:
        return asked if self.changed is None else self.changed

    def with_ids(self, asked: Node) -> bool:
        if self._with_ids is None:
            self._with_ids = any(node.reads_ids for node in walk(self.plan(asked)))
        return self._with_ids


def _optimized(asked: Node, rules: tuple[Rule, ...]) -> _Optimized:
    """Return what the rules make of a plan; it is kept, unless functions were asked for it.

    Functions make plans by the thousand: what concerns none of their nodes costs nothing.
    """
    kept: _Optimized | None = asked.kept.get(rules)
    if kept is not None:
        return kept
    plan, kinds = asked, _kinds(asked)
    if _any_of(kinds, NumberedNode):
        plan = number_random_nodes(plan)
    if _any_of(kinds, TransparentNode):
        plan = rewrite(plan, without_transparent)
    fired, holds = [], True
    for rule in rules:
        if _any_of(kinds, rule.about):
            holds = holds and not rule.asks
            better = rewrite(plan, rule.apply)
            if better is not plan:
                verify(better, before=plan, rule=rule.name)
                plan, kinds = better, _kinds(better)
                fired.append(rule.name)
    # A plan that kept itself would live until a garbage collection.
    found = _Optimized(None if plan is asked else plan, tuple(fired))
    if holds:
        asked.kept[rules] = found
    return found


def _kinds(root: Node) -> set[type[Node]]:
    return {type(node) for node in walk(root)}


def _any_of(kinds: set[type[Node]], sought: type[Node] | tuple[type[Node], ...]) -> bool:
    return any(issubclass(kind, sought) for kind in kinds)


def start_rounds(asked: Node) -> dict[int, int]:
    """Return, for each random node, which pass over it comes first in the iteration that starts.

    The next iteration begins after all passes that this one may make, however many it does:
    what is read ahead must not decide which order comes next.
    """
    seed = _settings(asked).seed
    return {node.number: node.start_round(passes, seed) for node, passes in _counted(asked)}


def _counted(asked: Node) -> list[tuple[RandomNode, int]]:
    """Return the random nodes of a plan and how many passes over them one iteration makes."""
    counted: list[tuple[RandomNode, int]] | None = asked.kept.get("passes")
    if counted is None:
        verify(asked)
        counted = _passes(number_random_nodes(asked), _settings(asked))
        asked.kept["passes"] = counted
    return counted


def _passes(root: Node, options: Options) -> list[tuple[RandomNode, int]]:
    """Return the random nodes of a plan, inputs first, and how many passes over it make."""
    found: list[tuple[RandomNode, int]] = []
    # With the steps above that make several passes of one: the nearest first.
    waiting: list[tuple[Node, tuple[Any, ...]]] = [(root, ())]
    while waiting:
        node, above = waiting.pop()
        if isinstance(node, RandomNode):
            found.append((node, _passes_over(above, options)))
        if type(node).passes_below is not Node.passes_below:
            above = (node, above)
        waiting.extend((child, above) for child in node.inputs)
    return found[::-1]


def _passes_over(above: tuple[Any, ...], options: Options) -> int:
    passes = 1
    while above:
        node, above = above
        passes = node.passes_below(passes, options)
    return passes


def _settings(asked: Node) -> Options:
    """Return the settings of a whole plan."""
    options: Options | None = asked.kept.get("options")
    if options is None:
        options = asked.kept["options"] = honoured(options_of(asked))
    return with_debug_mode(with_defaults(options))


def first_rounds(asked: Node) -> dict[int, int]:
    """Return the same for the first iteration, without counting it."""
    seed = _settings(asked).seed
    return {node.number: node.first_round(seed) for node, _ in _counted(asked)}


def start(
    asked: Node,
    seed: int | None,
    rounds: Mapping[int, int],
    *,
    check_files: bool = True,
    inherited: Inherited = NOTHING_INHERITED,
) -> tuple[Run, Stream]:
    """Return a run and its open stream: nothing has been read yet.

    Args:
        asked: The plan.
        seed: For random nodes that were given none; found here if None.
        rounds: What start_rounds() gave, now or when the state to resume was saved.
        check_files: Whether a state continues only with the files it was saved with.
        inherited: What followed from the seed of the program, if ``seed`` is given.
    """
    plan, run = _prepared(asked, seed, rounds, counts=True, inherited=inherited)
    if not check_files:
        run = replace(run, checks_files=False)
    if run.options.executor == "background":
        return run, _in_background(asked, run)
    return run, _opened(plan, run)


def start_in_background(asked: Node, beginning: Beginning) -> tuple[Run, Stream]:
    """Return the same in the process that was started for it."""
    plan, run = _prepared(
        asked,
        beginning.seed,
        beginning.rounds,
        counts=True,
        is_background=True,
        inherited=beginning.inherited,
    )
    run = replace(run, checks_files=beginning.check_files)
    return run, _opened(plan, run)


def _in_background(asked: Node, run: Run) -> Stream:
    """Return the stream of what another process computes."""
    check_lists_on_disk(asked)
    for path in files_of(asked):
        check_can_be_sent(path)
    # Only now: most pipelines need none of what it imports.
    background = import_module("feedline.engine.background")
    operator = background.BackgroundExec(
        background.Served(asked, start_in_background),
        background.Beginning(run.seed, dict(run.rounds), run.checks_files, run.inherited),
        run.workers.background,
        run.options.restart_workers is True,
        _ignores_errors(asked),
        asked.place,
    )
    stream = run.stream(operator, Meter(asked))
    return run.ahead_in(stream, Lane(1, computes=False))[0]


def _ignores_errors(asked: Node) -> bool:
    """Whether failures of the last step that shows are left out."""
    while isinstance(asked, TransparentNode):
        asked = asked.input
    return isinstance(asked, IgnoreErrors)


def _opened(plan: Node, run: Run) -> Stream:
    stream = run.open(plan)
    if run.workers.is_parallel and not plan.ahead and run.options.injects_prefetch:
        stream = run.ahead(stream, None)
    return stream


def open_access(asked: Node, seed: int | None, rounds: Mapping[int, int]) -> Access | None:
    """Return the elements by index, if every step of the plan allows it."""
    plan, run = _prepared(asked, seed, rounds, counts=False)
    return plan.access(run.by_index())


def look_plainly(asked: Node, seed: int | None, rounds: Mapping[int, int]) -> tuple[Node, Run]:
    """Return the plan that would run, and a run that looks at it one element at a time, here."""
    plan, run = _prepared(asked, seed, rounds, counts=False)
    return plan, replace(run, options=plain(run.options))


def _prepared(
    asked: Node,
    seed: int | None,
    rounds: Mapping[int, int],
    counts: bool,
    is_background: bool = False,
    inherited: Inherited = NOTHING_INHERITED,
) -> tuple[Node, Run]:
    options = _settings(asked)
    if is_background:
        options = replace(options, executor=None)
    if seed is None:
        inherited = _inherited(asked)
        seed = _fresh_seed(inherited.program) if options.seed is None else options.seed
    rules = rules_on(options)
    found = _optimized(asked, rules)
    for_nested = tuple(rule for rule in rules if rule.nested)

    def prepare(nested: Lowerable) -> Lowerable:
        assert isinstance(nested, Node)
        return _optimized(nested, for_nested).plan(nested)

    with_ids = found.with_ids(asked)
    shaping = {rule.name for rule in rules if rule.shapes_states}
    fired = [name for name in found.fired if name in shaping]
    shaped_by = (*fired, *_shaping_nested(asked, rules))
    run = Run(
        options,
        seed,
        rounds,
        with_ids,
        prepare,
        counts=counts,
        rules=shaped_by,
        plan=found.plan(asked),
        inherited=inherited,
        workers=Workers(options, _learnt(asked) if counts else None, kept=asked.kept),
    )
    return found.plan(asked), run


def _inherited(asked: Node) -> Inherited:
    """Return what an iteration that begins now has of the seed of the program."""
    if _settings(asked).seed is not None:
        return Inherited(global_seed(), {})
    seeds = {node.number: node.inherited_seeds for node, _ in _counted(asked)}
    steps = {number: found for number, found in seeds.items() if found is not None}
    return Inherited(global_seed(), steps)


def _fresh_seed(program: int | None) -> int:
    """Return a seed that follows from that of the program, if it has one."""
    return draw_seed() if program is None else mix(program) >> 11


def _learnt(asked: Node) -> Learnt:
    """Return what iterations before this one found out about how the plan runs best."""
    learnt: Learnt = asked.kept.setdefault("learnt", Learnt())
    return learnt


def _shaping_nested(asked: Node, rules: tuple[Rule, ...]) -> list[str]:
    """Return what a state must know of plans that functions will make: which rules are off."""
    shaping = [rule for rule in RULES if rule.nested and rule.shapes_states]
    off = [rule.name for rule in shaping if rule not in rules]
    makes = off and any(node.traits.makes_datasets for node in walk(asked))
    return [f"no {name}" for name in off] if makes else []


def element_spec(asked: Node) -> Any:
    """Return the spec of the elements.

    Where a user's function decides, it is recorded; if that cannot be done, the first
    elements are computed and looked at.
    """
    is_remote = _settings(asked).executor == "background"
    return fold(asked, partial(_spec_of, is_remote=is_remote))


def _spec_of(asked: Node, inputs: list[Any], *, is_remote: bool) -> Any:
    """Return the spec of the elements of a step, given those of its inputs.

    ``is_remote`` says that another process will run the step.
    """
    declared = asked.spec(inputs)
    if declared is None:
        declared = asked.spec_by_recording(inputs)
    if declared is not None:
        return declared
    if asked.traits.makes_datasets:
        return _spec_of_made(asked, inputs, is_remote=is_remote)
    if "seen_spec" in asked.kept:
        return asked.kept["seen_spec"]
    seen = _look_at(asked, _SAMPLE, is_remote=is_remote)
    if seen is not None:
        asked.kept["seen_spec"] = spec = merge_specs([spec_of(row) for row in seen.rows()])
        return spec
    guessed = asked.spec_of_nothing(inputs)
    if guessed is None:
        raise SpecError(
            f"element_spec: {asked.place} yields no element to look at, and only running it "
            "could tell what its elements are."
        )
    return guessed


def how_functions_run(plan: Node, options: Options) -> dict[int, str]:
    """Return for nodes of a plan, by identity, how their functions run. Runs none of them."""
    notes: dict[int, str] = {}
    options = with_debug_mode(with_defaults(options))

    def step(node: Node, inputs: list[Any]) -> Any:
        """Note how a step runs; return the spec of its elements, None if it is not known."""
        known = all(spec is not None for spec in node.inputs_of_spec(inputs))
        note = node.how_it_runs(inputs if known else None, options)
        if note is not None:
            notes[id(node)] = note
        return spec_of_step(node, inputs)

    fold(plan, step)
    return notes


def _spec_of_made(asked: Node, inputs: Sequence[Any], *, is_remote: bool) -> Any:
    """Return the spec of the datasets that a function makes of elements: of one that can tell."""
    seen = _look_at(asked.inputs[0], 1, is_remote=is_remote)
    example = seen or Block.of([zeros_of(inputs[0])])
    try:
        return asked.spec_of_made(example, inputs)
    except Exception:
        more = _look_at(asked.inputs[0], _CHANCES, is_remote=is_remote) or example
        for number in range(1, more.length):
            with suppress(Exception):
                return asked.spec_of_made(more.slice(number, number + 1), inputs)
        raise


def _look_at(node: Node, count: int, *, is_remote: bool) -> Block | None:
    """Return up to ``count`` elements; those that fail are passed over, but not for ever.

    A generator that runs once must begin where it goes on: ``is_remote`` says in which process.
    """
    plan, run = _prepared(node, 0, {}, counts=False)
    away = is_remote and any(one.traits.runs_once for one in walk(node))
    stream = _in_background(node, run) if away else _opened(plan, run)
    found: list[Block] = []
    failures: list[Exception] = []
    try:
        while len(found) < count and len(failures) <= _CHANCES:
            try:
                with only_looking():
                    one = stream.read(1)
            except Exception as error:
                failures.append(error)
                continue
            if one is None:
                break
            found.append(one)
    finally:
        stream.close()
    if failures and not found:
        raise failures[0]  # nothing was there to see, and this says why
    return Block.concat(found) if found else None


def signature(asked: Node) -> list[str]:
    """Return the steps of a plan as text: what a saved state must agree with."""
    steps: tuple[str, ...] | None = asked.kept.get("signature")
    if steps is None:
        steps = tuple(node.signature for node in walk(asked) if node.signature)
        asked.kept["signature"] = steps
    return list(steps)
