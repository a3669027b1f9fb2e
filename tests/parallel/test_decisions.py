from feedline.parallel.decisions import Decision, Decisions


def test_a_decision_reads_as_a_line():
    line = str(Decision(1.5, "map(fn=f)", "inline", "threads x 2", "takes 90% of the time"))

    assert line == "   1.50 s  map(fn=f): inline -> threads x 2: takes 90% of the time"


def test_only_the_latest_are_kept():
    log = Decisions()
    for number in range(1000):
        log.add(Decision(number, "", "", "", ""))

    assert [log.all()[0].at_s, log.all()[-1].at_s, len(log.all())] == [800, 999, 200]
