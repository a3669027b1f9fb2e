from feedline.engine.meter import Meter
from tests.engine.fakes import Step


def test_a_meter_begins_at_nothing():
    meter = Meter(Step())

    assert (meter.num_elements, meter.num_blocks, meter.busy_ns) == (0, 0, 0)
    assert meter.step.label == "numbers"
