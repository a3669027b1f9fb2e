"""A program ends quietly and soon, whatever reads a pipeline at that moment."""

import pytest

from tests.parallel.leftovers import script

EXECUTORS = [None, "inline", "threads", "processes", "background"]

HEAD = """
    import sys, threading, time
    import feedline as tf

    with tf.io.TFRecordWriter({file!r}) as writer:
        for number in range(3000):
            writer.write(b"%d" % number)
    with open({file!r} + ".txt", "w") as text:
        text.write("line\\n" * 3000)

    def records():
        return tf.data.TFRecordDataset([{file!r}] * 4, num_parallel_reads=2)

    def lines():
        return tf.data.TextLineDataset({file!r} + ".txt")

    def numbers():
        ds = tf.data.Dataset.range(100_000).shuffle(100)
        return ds.map(lambda x: int(x), num_parallel_calls=2, vectorize=False)

    def run(ds):
        options = tf.data.Options(executor={executor!r})
        return ds.repeat().prefetch(2).with_options(options)
"""

IN_GLOBALS = """
    its = [iter(run(ds)) for ds in (records(), lines(), numbers())]
    for it in its:
        next(it)
"""

IN_CYCLES = """
    def abandon(it):
        it.itself = it
        next(it)

    for ds in (records(), lines(), numbers()):
        abandon(iter(run(ds)))
"""

IN_THREADS = """
    def read(ds, has_read):
        while True:
            for n, _ in enumerate(run(ds).take(500)):
                if n == 10:
                    has_read.set()

    for ds in (records(), lines(), numbers()):
        has_read = threading.Event()
        threading.Thread(target=read, args=(ds, has_read), daemon=True).start()
        has_read.wait()
"""


def ended(process):
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


@pytest.mark.parametrize("alive", [IN_GLOBALS, IN_CYCLES, IN_THREADS])
@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_program_ends_quietly_while_iterators_are_alive(tmp_path, executor, alive):
    head = HEAD.format(file=str(tmp_path / "records"), executor=executor)

    assert ended(script(tmp_path, head + alive)) == (0, "", "")


HANGING = """
    def hang(x):
        if x == 20:
            open({begun!r}, "w").close()
            time.sleep(100_000)
        return int(x)

    ds = tf.data.Dataset.range(100).map(hang, num_parallel_calls=2, vectorize=False)
    ds = ds.with_options(tf.data.Options(executor={executor!r}))
    threading.Thread(target=list, args=(ds,), daemon=True).start()
    while not os.path.exists({begun!r}):
        time.sleep(0.01)
"""


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_function_that_hangs_does_not_keep_a_program_from_ending(tmp_path, executor):
    code = HANGING.format(begun=str(tmp_path / "begun"), executor=executor)
    head = "\n    import os, threading, time\n    import feedline as tf\n"

    assert ended(script(tmp_path, head + code)) == (0, "", "")


def test_a_kernel_that_runs_in_a_daemon_thread_does_not_abort_the_program(tmp_path):
    code = """
        import threading
        import numpy as np
        import feedline as tf

        image = np.zeros((2000, 2000, 3), np.uint8)
        begun = threading.Event()

        def work():
            while True:
                tf.image.resize(image, (1500, 1500))
                begun.set()

        threading.Thread(target=work, daemon=True).start()
        begun.wait()
    """

    assert ended(script(tmp_path, code)) == (0, "", "")


def test_hooks_of_the_program_that_come_later_find_iterators_closed(tmp_path):
    code = """
        import atexit

        def late():
            print(list(it), flush=True)

        atexit.register(late)
        import feedline as tf
        it = iter(tf.data.Dataset.range(3))
    """

    assert ended(script(tmp_path, code)) == (0, "[]\n", "")
