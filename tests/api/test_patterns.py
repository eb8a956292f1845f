"""Regular expressions of the package mean the same in every Python.

Python before 3.11.5 goes on at a wrong place after a possessive group that fails behind its first
character, so these groups hold neither alternatives nor groups.
"""

import re

from support.paths import ROOT

ENDS = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+")
"""The ends of possessive groups."""
SIMPLE = re.compile(r"\((?:\?:)?(?:\[\^?\]?(?:[^\]\\]|\\.)*\]|\\.|[^()\[\]\\|])*" + ENDS.pattern)
"""Possessive groups of characters, sets and their repetitions."""


def test_possessive_groups_are_simple() -> None:
    for path in sorted((ROOT / "src").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found = {match.end() for match in SIMPLE.finditer(text)}
        assert {match.end() for match in ENDS.finditer(text)} <= found, path
