"""What one process at a time may work on."""

import subprocess
import sys
import threading

import pytest

from feedline.files.claim import Claim

HOLDER = """
import sys, time
from feedline.files.claim import Claim
claim = Claim.of(sys.argv[1])
print("held", flush=True)
time.sleep(60)
"""


def test_a_claim_is_had_by_one_until_it_is_released(tmp_path):
    mine = Claim.of(str(tmp_path))

    assert Claim.of(str(tmp_path)) is None
    mine.release()
    mine.release()
    with Claim.of(str(tmp_path)):
        assert Claim.of(str(tmp_path)) is None
    assert Claim.of(str(tmp_path)) is not None


def test_a_process_that_was_killed_holds_nothing(tmp_path):
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE)
    holder.stdout.readline()

    assert Claim.of(str(tmp_path)) is None
    holder.kill()
    holder.communicate()
    assert Claim.of(str(tmp_path)) is not None


def test_a_claim_can_be_waited_for(tmp_path):
    mine = Claim.of(str(tmp_path))
    threading.Timer(0.05, mine.release).start()

    with Claim.awaited(str(tmp_path)):
        assert Claim.of(str(tmp_path)) is None


def test_a_file_system_without_locks_is_told(tmp_path, monkeypatch):
    def refuse(number, flags):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("feedline.files.claim.fcntl.flock", refuse)

    assert not Claim.of(str(tmp_path)).is_certain
    monkeypatch.undo()
    assert Claim.of(str(tmp_path)).is_certain


def test_what_is_not_there_cannot_be_claimed(tmp_path):
    with pytest.raises(FileNotFoundError):
        Claim.of(str(tmp_path / "no"))
