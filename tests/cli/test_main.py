import subprocess
import sys
from pathlib import Path

import pytest

from feedline.cli.help_text import help_text
from feedline.cli.main import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cli.md"


def test_the_page_shows_the_help_as_it_is_now():
    """Written by ``python -m feedline.cli.help_text docs/cli.md``."""
    assert PAGE.read_text() == help_text()


def test_the_version_is_printed(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])

    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("feedline ")


def test_without_a_command_the_usage_is_printed(capsys):
    with pytest.raises(SystemExit) as ended:
        main([])

    assert ended.value.code == 2
    assert "usage: feedline" in capsys.readouterr().err


def test_help_needs_nothing_heavy():
    code = (
        "import sys; from feedline.cli.main import parser; parser().format_help(); "
        "print([m for m in ('rich', 'pyarrow', 'fsspec', 'isal') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


def test_it_runs_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "feedline.cli", "inspect", "/nowhere"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "/nowhere" in done.stderr
