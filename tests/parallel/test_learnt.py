from feedline.parallel.learnt import Learnt, LearntStage
from feedline.parallel.stage import Stage


def test_a_stage_is_known_by_its_number_and_label():
    learnt = Learnt()
    learnt.keep([("a", LearntStage("threads", 3, 0.0))], {"prefetch": 4})

    assert learnt.stage([Stage("a")]) == LearntStage("threads", 3, 0.0)
    assert learnt.stage([Stage("b")]) is None
    assert learnt.stage([Stage("a"), Stage("a")]) is None
    assert learnt.depths == {"prefetch": 4}


def test_depths_stay_when_none_are_known():
    learnt = Learnt()
    learnt.keep([], {"prefetch": 4})
    learnt.keep([], {})

    assert learnt.depths == {"prefetch": 4}
