"""What a test may not leave behind: processes, zombies, shared memory with a name."""

import glob
import os
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path


def children(pid=None):
    """Return the numbers of the processes that one started, those that have ended included."""
    pid = os.getpid() if pid is None else pid
    found = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        with suppress(OSError):  # a thread that has ended meanwhile
            found += map(int, Path(path).read_text().split())
    return found


def is_running(pid):
    """Whether a process exists and is no zombie."""
    try:
        is_zombie = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        # Its first thread may have ended before the others.
        return not is_zombie or len(os.listdir(f"/proc/{pid}/task")) > 1
    except OSError:
        return False


def ends(pids, seconds=20):
    """Wait for processes to end; return whether they did."""
    deadline = time.monotonic() + seconds
    while any(map(is_running, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not any(map(is_running, pids))


def shared_files():
    """Return the files in shared memory that are ours."""
    return glob.glob("/dev/shm/feedline-*")


def script(tmp_path, code):
    """Start a program in a file of its own, as a user would."""
    file = tmp_path / "script.py"
    file.write_text(textwrap.dedent(code))
    path = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path},
    )
