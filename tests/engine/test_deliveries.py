import json

from feedline.engine.deliveries import Delivery, order_in, written


def test_a_place_knows_what_was_handed_on_after_it():
    first = Delivery()
    second = first.add(3, 5)
    last = second.add(0, 2)

    assert first.since() == [[3, 5], [0, 2]]
    assert second.since() == [[0, 2]]
    assert last.since() == []


def test_a_written_state_is_json_and_leaves_the_state_alone():
    place = Delivery()
    state = {"in": [{"then": place, "n": 1}], "n": 2}
    place.add(7, 8)

    assert json.loads(json.dumps(written(state))) == {"in": [{"then": [[7, 8]], "n": 1}], "n": 2}
    assert state["in"][0]["then"] is place


def test_an_order_is_read_from_a_place_or_from_what_was_written():
    place = Delivery()
    place.add(7, 8)

    assert order_in(place) == order_in([[7, 8]]) == [[7, 8]]
