from feedline.engine.run import Run
from feedline.ids import Scope
from feedline.options import Options
from feedline.parallel.workers import Workers
from tests.engine.fakes import NumbersExec


class Numbers:
    label = "numbers()"
    ahead = 0

    def __init__(self):
        self.runs = []

    def lower(self, run):
        self.runs.append(run)
        return NumbersExec(10)


def a_run(**settings):
    given = {"seed": 1, "rounds": {0: 3}, "with_ids": False, "prepare": lambda node: node}
    options = Options(block_size=settings.pop("block_size", None))
    return Run(options, **{**given, **settings}, workers=Workers(options))


def test_an_opened_node_is_a_stream():
    assert a_run().open(Numbers()).read(20).rows() == list(range(10))


def test_blocks_are_no_larger_than_the_option_says():
    assert a_run(block_size=4).open(Numbers()).pull(9).length == 4


def test_a_node_that_is_opened_twice_has_one_meter():
    run, node = a_run(), Numbers()
    first, second = run.open(node), run.open(node)

    assert first.meter is second.meter
    assert run.open(Numbers()).meter is not first.meter


def test_a_nested_plan_is_prepared_and_has_a_scope_and_rounds_of_its_own():
    prepared, node = Numbers(), Numbers()
    run = a_run(prepare=lambda _: prepared)
    run.open_nested(node, parent_id=7)
    (nested,) = prepared.runs

    assert node.runs == []
    assert nested.scope == Scope().nested(7)
    assert nested.rounds == {}
    assert run.meters == {}


def test_keys_depend_on_the_seed_the_node_and_the_round():
    keys = {
        a_run().key(0),
        a_run().key(1),
        a_run(seed=2).key(0),
        a_run(rounds={0: 4}).key(0),
    }

    assert len(keys) == 4
    assert a_run().key(0) == a_run().key(0)


def test_the_round_of_a_node_counts_iterations_and_epochs():
    run = a_run().scoped(Scope(epoch=5))

    assert run.round_of(0) == 8
    assert run.round_of(9) == 5
