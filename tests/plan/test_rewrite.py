from dataclasses import replace

from feedline.dataset import Dataset
from feedline.plan.node import RandomNode
from feedline.plan.rewrite import number_random_nodes, restarted, rewrite, walk
from tests.plan.test_node import BigStep, Draw, Join, Source

TWO = Join((BigStep(Source(1), "a"), Source(2)))


def smaller(node):
    return replace(node, size=node.size - 1) if isinstance(node, Source) and node.size else None


def test_walking_yields_inputs_before_what_reads_them():
    assert [node.operator for node in walk(TWO)] == ["source", "big_step", "source", "join"]


def test_a_rule_is_applied_until_it_has_nothing_more_to_say():
    assert rewrite(TWO, smaller) == Join((BigStep(Source(0), "a"), Source(0)))


def test_a_rule_that_says_nothing_leaves_the_very_same_plan():
    assert rewrite(TWO, lambda node: None) is TWO


def test_a_rule_sees_inputs_that_are_rewritten_already():
    seen = []
    rewrite(TWO, lambda node: smaller(node) or seen.append(node))

    assert seen[-1] == Join((BigStep(Source(0), "a"), Source(0)))


def test_random_nodes_are_numbered_from_the_sources_up():
    plan = Draw(Join((Draw(Source(1)), BigStep(Draw(Source(2)), "a"))))
    numbers = [node.number for node in walk(number_random_nodes(plan)) if isinstance(node, Draw)]

    assert numbers == [0, 1, 2]


def test_a_step_added_at_the_end_leaves_the_numbers_before_it_alone():
    plan = Draw(Source(1))
    longer = number_random_nodes(Draw(BigStep(plan, "a")))

    assert [node.number for node in walk(longer) if isinstance(node, Draw)] == [0, 1]
    assert number_random_nodes(plan).number == 0


def test_numbering_keeps_the_counts_of_rounds():
    plan = Draw(Source(1))

    assert number_random_nodes(plan).rounds is plan.rounds


def test_a_restarted_plan_counts_iterations_from_the_first_and_keeps_seeds():
    ds = Dataset.range(3).shuffle(3, reshuffle_each_iteration=False).shuffle(3).batch(2)
    fixed, counted = (node.rounds for node in walk(ds.node) if isinstance(node, RandomNode))
    seed = fixed.fixed_seed(None, 0)
    counted.start(5)

    first, second = (n.rounds for n in walk(restarted(ds.node)) if isinstance(n, RandomNode))

    assert (first.fixed_seed(None, 0), second.start(1), counted.start(1)) == (seed, 0, 5)
