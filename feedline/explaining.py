"""explaining: the plan of a dataset as text, and what the latest iteration over it did."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING, Any

from feedline import pipeline
from feedline.iterator import latest_stats
from feedline.plan.explain import Explanation, explain_text

if TYPE_CHECKING:
    from feedline.dataset import Dataset

__all__ = ["described", "explain"]

_LONGEST = 2_000


def explain(self: Dataset[Any], phase: str | None = None, *, runtime: bool = False) -> str:
    """Return the plan as asked and as it will run, with the lines that built it.

    Beside every function that could run on many elements at once it says "vectorised",
    or why it is called on each element, with the line that is the reason.

    Args:
        phase: "asked" or "rewritten" for one of the two alone.
        runtime: Whether to add what the latest iteration did: rates, times, how many
            worked on what, and every decision of the tuner with its reason.

    Example:
        >>> import feedline as tf
        >>> tf.data.Dataset.range(9).take(3).explain("asked")  # doctest: +ELLIPSIS
        take(count=3)                                      ...
          range(start=0, stop=9, step=1, dtype=int64)  ...
    """
    plan, fired = pipeline.rewritten(self.node, self.options())
    notes = pipeline.how_functions_run(plan, self.options())
    text = explain_text(self.node, plan, fired, phase, notes)
    if not runtime:
        return text
    stats = latest_stats(self.node)
    ran = "not iterated over yet" if stats is None else str(stats)
    return Explanation(f"{text}\nas it ran\n{indent(ran, '  ')}")


def described(dataset: Dataset[Any]) -> str:
    """Return a dataset in a line: its element_spec, as far as no function must run, and last step.

    Example:
        >>> import feedline as tf
        >>> tf.data.Dataset.range(3).take(2)  # doctest: +NORMALIZE_WHITESPACE
        <Dataset element_spec=TensorSpec(shape=(), dtype=tf.int64, name=None),
        last step take(count=2)>
    """
    spec = dataset.known_spec
    shown = "not known before a function runs" if spec is None else repr(spec)
    if len(shown) > _LONGEST:
        shown = f"{shown[:_LONGEST]}..."
    return f"<{type(dataset).__name__} element_spec={shown}, last step {dataset.node.label}>"
