import numpy as np
import pytest

from feedline.graph.composed import Composed, Conjunction, MapThenFilter, place_of_failure


def test_each_function_gets_what_a_step_of_a_pipeline_would_hand_on():
    composed = Composed((lambda x: [x, 2], lambda a, b: a.dtype.itemsize + b), ("f", "g"))

    assert composed(1) == 6
    assert composed(np.int64(1)) == 10
    assert composed.__name__ == "<lambda> then <lambda>"


def test_a_conjunction_stops_at_the_first_that_says_no():
    seen = []
    both = Conjunction((lambda x: x > 2, lambda x: seen.append(x) or True), ("p", "q"), bool)

    assert [both(x) for x in (1, 3)] == [False, True]
    assert seen == [3]


def test_a_map_then_a_filter_gives_the_result_and_whether_it_is_wanted():
    both = MapThenFilter((lambda x: [x, x], lambda a, b: a + b > 3), ("f", "p"), bool)

    assert both(1) == ((1, 1), False)
    assert both(2) == ((2, 2), True)


def test_an_error_says_which_function_raised_it():
    composed = Composed((lambda x: x, lambda x: 1 // x), ("map(f)", "map(g)"))

    with pytest.raises(ZeroDivisionError) as raised:
        composed.with_functions([lambda x: x, lambda x: 1 // int(x)])(0)

    assert place_of_failure(raised.value, "?") == "map(g)"
    assert place_of_failure(ValueError(), "map(f)") == "map(f)"
