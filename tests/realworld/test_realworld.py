"""Every pipeline gives with Feedline what it gave with TensorFlow: see README.md beside this."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import feedline
from tests.realworld import library
from tests.realworld.pipeline import Pipeline, all_pipelines
from tests.realworld.summary import close, summary

# A function whose loops go over values runs as plain Python, and says so.
pytestmark = pytest.mark.filterwarnings("ignore::feedline.FunctionWarning")

library.choose(feedline)
PIPELINES = all_pipelines()
EXPECTED = {
    path.stem: json.loads(path.read_text())
    for path in sorted((Path(__file__).parent / "expected").glob("*.json"))
}


def differences(found: Any, wanted: Any, place: str = "result") -> list[str]:
    """Return where two summaries differ, in lines to read."""
    if close(found, wanted):
        return []
    if isinstance(wanted, dict) and isinstance(found, dict) and found.keys() == wanted.keys():
        unlike = [k for k in wanted if not close({k: found[k]}, {k: wanted[k]})]
        return [d for k in unlike for d in differences(found[k], wanted[k], f"{place}[{k!r}]")]
    if isinstance(wanted, list) and isinstance(found, list) and len(found) == len(wanted):
        pairs = enumerate(zip(found, wanted, strict=True))
        return [d for i, (f, w) in pairs for d in differences(f, w, f"{place}[{i}]")]
    return [f"{place}:\n  found    {found}\n  expected {wanted}"]


def run(pipeline: Pipeline) -> list[str]:
    feedline.random.set_seed(None)  # as record.py: one that another pipeline set is not meant here
    found = json.loads(json.dumps(summary(pipeline.run())))
    return differences(found, EXPECTED[pipeline.module][pipeline.name])


# NumPy warns where TensorFlow divides by zero in silence, and Feedline where it is slow.
@pytest.mark.filterwarnings(
    "ignore::RuntimeWarning", "ignore::feedline.functions.traces.FunctionWarning"
)
@pytest.mark.parametrize("pipeline", PIPELINES, ids=str)
def test_pipeline_gives_what_it_gives_with_tensorflow(pipeline, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if pipeline.missing is None:
        found = run(pipeline)
        assert not found, "\n".join(found)
        return
    try:
        same = not run(pipeline)
    except Exception:
        same = False
    assert not same, f"it runs now: take the mark off ({pipeline.missing})"


def test_every_pipeline_is_recorded_and_every_recording_run():
    names = {(pipeline.module, pipeline.name) for pipeline in PIPELINES}
    assert names == {(module, name) for module in EXPECTED for name in EXPECTED[module]}
