"""The script that finds bad habits of English finds them, and nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import english  # the path to it is set above


@pytest.mark.parametrize(
    "text",
    [
        "What is sent is the action.",
        "The server checks it. Whoever opens the page can play.",
        "# What is known",
        "- Whatever is wrong is an error.",
        "Where nobody reads the output, it ends.\n\nYes. Where nobody reads it, it ends.",
        "The game begins anew.",
        "It takes memory out of all proportion to its length.",
        "Return a set moved by so many columns.",
        "TypeError: If it is none.",
        "Canonical are small letters.",
        "A format after the manner of PGN.",
        "games that it plays in thought",
    ],
)
def test_habits_are_found(text: str) -> None:
    assert list(english.findings(text))


@pytest.mark.parametrize(
    "text",
    [
        "What is a sandbank?",
        "It prints what a reader needs.",
        "```python\n# What is sent\nprint()\n```\n\nPlain words.",
        ">>> print('dice')  # What is it",
        "A tile of your own colour.",
    ],
)
def test_plain_words_and_code_pass(text: str) -> None:
    assert list(english.findings(text)) == []


def test_lines_are_counted() -> None:
    text = "One.\n\n```\nanew\n```\n\nIt begins anew.\n"
    assert list(english.findings(text)) == [(6, "anew.")]


def test_docstrings_are_read(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text('"""One."""\n\nSIZE = 1\n"""Two."""\n\n\ndef f():\n    """Three."""\n', "utf-8")
    assert sorted(english.docstrings(path)) == [(1, "One."), (4, "Two."), (8, "Three.")]


def test_pages_and_docstrings_have_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert english.main() == 0, capsys.readouterr().out
