"""record: with TensorFlow, write ``tensorflow_*.tfrecord`` and read ``feedline_*.tfrecord``.

    python tests/golden/files/tfrecord/record.py

What TensorFlow read of both is written to ``read_by_tensorflow.json``. The files of Feedline are
made before, without TensorFlow:

    python -m tests.golden.files.tfrecord.write_feedline
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # read when TensorFlow is imported
sys.path.insert(0, str(HERE.parents[3]))

import tensorflow as tf  # noqa: E402

from tests.golden.files.tfrecord.what import digests, kind_of, write_all  # noqa: E402


def main() -> None:
    """Write, read, and say what was read."""
    write_all(tf, HERE, "tensorflow")
    entries = {}
    for path in sorted(HERE.glob("*.tfrecord")):
        ds = tf.data.TFRecordDataset(str(path), kind_of(path.name))
        entries[path.name] = {
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "records": digests([record.numpy() for record in ds]),
        }
    text = json.dumps({"tensorflow": tf.__version__, "files": entries}, indent=1)
    (HERE / "read_by_tensorflow.json").write_text(text + "\n")
    sys.stdout.write(f"TensorFlow {tf.__version__}: {len(entries)} files read\n")


if __name__ == "__main__":
    main()
