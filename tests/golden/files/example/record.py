"""record: Examples go from TensorFlow to Feedline and from Feedline to TensorFlow.

    python tests/golden/files/example/record.py

needs TensorFlow 2.21 (the tests do not). It writes beside this file

from_tensorflow.tfrecord  the records of the golden cases of parsing, written by TensorFlow
to_tensorflow.json        what TensorFlow made of the same records written by Feedline: a hash
                          of their bytes, and whether it parsed them to the same results
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # read when TensorFlow is imported
os.environ["FEEDLINE_NATIVE"] = "0"  # of another interpreter, if it is there
sys.path.insert(0, str(HERE.parents[3]))

import tensorflow as tf  # noqa: E402

from feedline import train  # noqa: E402
from tests.golden.cases import parsing  # noqa: E402
from tests.golden.encoding import encode  # noqa: E402


class Ours:
    """What the cases need of Feedline to write records."""

    train = train


def all_records(library: Any) -> list[bytes]:
    """Return the records of the golden cases, written by a library."""
    return [*parsing.records(library), *parsing.rows(library), *parsing.sequences(library)]


def results(records: list[bytes]) -> list[Any]:
    """Return what TensorFlow makes of records, by every spec of the golden cases."""
    examples, rows, sequences = records[:3], records[3:5], records[5:]
    found = [
        tf.io.parse_example(examples, parsing.SPECS[name](tf.io, tf)) for name in parsing.RIGHT
    ]
    for partition in list(parsing.PARTITIONS)[:10]:
        feature = tf.io.RaggedFeature(
            tf.int64, value_key="v", partitions=parsing.PARTITIONS[partition](tf.io.RaggedFeature)
        )
        found.append(tf.io.parse_example(rows, {"r": feature}))
    for name in parsing.RIGHT_LISTS:
        context, lists = parsing.LISTS[name](tf.io, tf)
        found.append(tf.io.parse_sequence_example(sequences, context, lists))
    return [encode(one) for one in found]


def main() -> None:
    """Write both files."""
    warnings.simplefilter("ignore")
    theirs, ours = all_records(tf), all_records(Ours)
    with tf.io.TFRecordWriter(str(HERE / "from_tensorflow.tfrecord")) as writer:
        for record in theirs:
            writer.write(record)
    evidence = {
        "tensorflow": tf.__version__,
        "records": len(ours),
        "sha256": hashlib.sha256(b"".join(ours)).hexdigest(),
        "results": len(results(theirs)),
        "same": results(ours) == results(theirs),
        "messages_are_equal": all(
            kind.FromString(a) == kind.FromString(b)
            for kind, a, b in zip(
                [tf.train.Example] * 5 + [tf.train.SequenceExample] * 2, ours, theirs, strict=True
            )
        ),
    }
    (HERE / "to_tensorflow.json").write_text(json.dumps(evidence, indent=1) + "\n")
    sys.stdout.write(json.dumps(evidence) + "\n")


if __name__ == "__main__":
    main()
