"""record_names: write the public names of TensorFlow that input code uses to ``names.json``.

    python tests/golden/record_names.py

needs TensorFlow 2.21. ``tools/names_page.py`` makes docs/names.md of it.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # read when TensorFlow is imported
sys.path.insert(0, str(HERE.parents[1]))

import tensorflow as tf  # noqa: E402

from tools.public_names import CLASSES, NAMESPACES, named, public_names, signature  # noqa: E402


def recorded(place: str) -> dict[str, str]:
    """Return the names of one module or class, and what they are."""
    # The class that elements have; tf.Tensor itself lacks numpy().
    space = type(tf.constant(1)) if place == "tf.Tensor" else named(tf, place)
    return {name: signature(space, name) for name in public_names(space)}


if __name__ == "__main__":
    names = {place: recorded(place) for place in [*NAMESPACES, *CLASSES]}
    text = json.dumps({"tensorflow": tf.__version__, "names": names}, indent=1)
    (HERE / "names.json").write_text(f"{text}\n")
    count = sum(map(len, names.values()))
    sys.stdout.write(f"TensorFlow {tf.__version__}: {count} names written\n")
