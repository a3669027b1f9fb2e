"""The page about rules lists those there are, in order."""

import re
from pathlib import Path

from feedline.optimize import RULES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text()
ROWS = re.findall(r"^\| `(\w+)` \| .* \| (?:`(\w+)`)? ?\| .* \|$", PAGE, re.MULTILINE)


def test_the_page_lists_the_rules_in_order():
    assert [name for name, _ in ROWS] == [rule.name for rule in RULES]


def test_the_page_names_the_option_that_switches_a_rule():
    assert [option for _, option in ROWS] == [rule.option or "" for rule in RULES]
