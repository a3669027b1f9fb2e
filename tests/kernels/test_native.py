"""The native module, and doing without it."""

import ast
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import feedline
from feedline.kernels.mix_ids import mix_ids
from feedline.kernels.native import native
from feedline.kernels.philox import philox_stream

STUB = Path(feedline.__file__).with_name("_native.pyi")
OFF = os.environ.get("FEEDLINE_NATIVE") == "0"


def test_the_stub_lists_what_is_compiled():
    listed = {item.name for item in ast.parse(STUB.read_text()).body if hasattr(item, "name")}

    assert OFF or listed == {name for name in dir(native) if not name.startswith("_")}


def test_the_wrong_dtype_is_refused_not_converted():
    with pytest.raises(TypeError):
        mix_ids(np.array([0.5]), 1)


def test_kernels_run_on_several_threads_at_once():
    results = [None] * 4

    def work(number):
        results[number] = philox_stream(number, 0, 0, 100_000)

    threads = [threading.Thread(target=work, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for number, result in enumerate(results):
        assert np.array_equal(result, philox_stream(number, 0, 0, 100_000))


def test_without_the_native_module_it_is_said_once_and_the_twins_serve():
    code = """
import sys
sys.modules["feedline._native"] = None
import feedline as tf
print([int(x) for x in tf.data.Dataset.range(8).shuffle(4, seed=1)])
"""
    environment = {**os.environ, "FEEDLINE_NATIVE": "1"}
    run = [sys.executable, "-c", code]
    answer = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)

    with_native = [int(x) for x in feedline.data.Dataset.range(8).shuffle(4, seed=1)]
    assert answer.stdout.strip() == str(with_native)
    assert answer.stderr.count("RuntimeWarning: Feedline's native kernels are not available") == 1
