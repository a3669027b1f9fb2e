"""Messages through Python's logging."""

import logging

import pytest

import feedline as tf

log = tf.compat.v1.logging


@pytest.fixture(autouse=True)
def level():
    before = logging.getLogger("feedline").level
    yield
    logging.getLogger("feedline").setLevel(before)


def test_messages_have_their_level(caplog):
    log.set_verbosity(log.INFO)
    log.debug("no")
    log.info("a %d", 1)
    log.warn("b")
    log.error("c")
    log.fatal("d")
    log.vlog(log.WARN, "e")
    log.flush()

    assert [(one.levelname, one.getMessage()) for one in caplog.records] == [
        ("INFO", "a 1"),
        ("WARNING", "b"),
        ("ERROR", "c"),
        ("CRITICAL", "d"),
        ("WARNING", "e"),
    ]
    assert log.get_verbosity() == log.INFO


def test_messages_are_logged_now_and_then(caplog):
    for number in range(5):
        log.log_every_n(log.ERROR, "every %d", 2, number)
        log.log_first_n(log.ERROR, "first %d", 2, number)
        log.log_if(log.ERROR, "if %d", number == 3, number)

    assert [one.getMessage() for one in caplog.records] == [
        *("every 0", "first 0", "first 1", "every 2", "if 3", "every 4"),
    ]
