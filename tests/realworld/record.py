"""record: run every pipeline with TensorFlow and write what it gives to ``expected/``.

    python tests/realworld/record.py [module ...]

needs TensorFlow 2.21 and Pillow (the tests themselves need no TensorFlow). Read the diff before
committing it.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # read when TensorFlow is imported
sys.path.insert(0, str(HERE.parents[1]))

import tensorflow as tf  # noqa: E402

from tests.realworld import library  # noqa: E402
from tests.realworld.pipeline import Pipeline, all_pipelines  # noqa: E402
from tests.realworld.summary import summary  # noqa: E402


def record(pipeline: Pipeline) -> Any:
    """Return what TensorFlow gives."""
    tf.random.set_seed(None)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return summary(pipeline.run())
        finally:
            os.chdir(HERE)


def main(wanted: list[str]) -> None:
    """Record the modules asked for, or all."""
    library.choose(tf)
    modules: dict[str, dict[str, Any]] = {}
    failed = 0
    for pipeline in all_pipelines():
        if wanted and pipeline.module not in wanted:
            continue
        entries = modules.setdefault(pipeline.module, {})
        try:
            entries[pipeline.name] = record(pipeline)
        except Exception:
            failed += 1
            sys.stdout.write(f"---- {pipeline} fails with TensorFlow\n{traceback.format_exc()}\n")
    for module, entries in modules.items():
        lines = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in entries.items())
        (HERE / "expected" / f"{module}.json").write_text(f"{{\n{lines}\n}}\n")
    count = sum(map(len, modules.values()))
    sys.stdout.write(f"TensorFlow {tf.__version__}: {count} pipelines written, {failed} failed\n")


if __name__ == "__main__":
    main(sys.argv[1:])
