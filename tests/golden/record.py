"""record: run every case with TensorFlow and write what it gives to ``expected/``.

    python tests/golden/record.py [group ...]

needs TensorFlow 2.21 (the tests themselves do not). Read the diff before committing it: an
expected value is a fact about tf.data, never something to bring in line with Feedline.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # read when TensorFlow is imported
sys.path.insert(0, str(HERE.parents[1]))

import tensorflow as tf  # noqa: E402

from tests.golden.case import Case, all_cases  # noqa: E402
from tests.golden.encoding import MOST_ELEMENTS, encode, spec_text  # noqa: E402

EXPECTED = HERE / "expected"


def record(case: Case) -> dict[str, Any]:
    """Return what TensorFlow gives."""
    try:
        result = case.run(tf)
    except Exception as error:
        return {"error": {"when": "build", "type": type(error).__name__}}
    if not isinstance(result, tf.data.Dataset):
        return {"value": encode(result)}
    entry: dict[str, Any] = {
        "spec": spec_text(result.element_spec),
        "cardinality": int(result.cardinality()),
        "elements": [],
    }
    try:
        for element in result:
            entry["elements"].append(encode(element))
            if len(entry["elements"]) > MOST_ELEMENTS:
                raise SystemExit(f"{case}: more than {MOST_ELEMENTS} elements")
    except tf.errors.OpError as error:
        entry["error"] = {"when": "iterate", "type": type(error).__name__}
    return entry


def write(group: str, entries: dict[str, Any]) -> None:
    """Write one file: a line per element, so that a diff shows which one changed."""
    lines = ["{", f'"tensorflow": {json.dumps(tf.__version__)},', '"cases": {']
    for number, (name, entry) in enumerate(entries.items()):
        fields = []
        for key, value in entry.items():
            text = json.dumps(value)
            if key == "elements" and value:
                text = "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]"
            fields.append(f" {json.dumps(key)}: {text}")
        comma = "," if number < len(entries) - 1 else ""
        lines.append(f"{json.dumps(name)}: {{\n" + ",\n".join(fields) + f"\n}}{comma}")
    lines.append("}}")
    text = "\n".join(lines) + "\n"
    assert json.loads(text)["cases"] == entries
    (EXPECTED / f"{group}.json").write_text(text)


def main(wanted: list[str]) -> None:
    """Record the groups asked for, or all."""
    warnings.simplefilter("ignore")
    groups: dict[str, dict[str, Any]] = {}
    for case in all_cases():
        if not wanted or case.group in wanted:
            groups.setdefault(case.group, {})[case.name] = record(case)
    EXPECTED.mkdir(exist_ok=True)
    for group, entries in groups.items():
        write(group, entries)
    errors = sum("error" in entry for entries in groups.values() for entry in entries.values())
    count = sum(map(len, groups.values()))
    sys.stdout.write(
        f"TensorFlow {tf.__version__}: {count} cases written ({errors} end in an error), "
        f"{len(groups)} groups\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
