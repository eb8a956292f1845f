"""Regular expressions of the package mean the same in every supported Python.

Python before 3.11.5 continues in a wrong place if a possessive group fails after its first
character. So possessive groups contain neither alternatives nor groups.
"""

from __future__ import annotations

import re
from pathlib import Path

import pontedeldiavolo as pdd

FILES = sorted(Path(pdd.__file__).parent.rglob("*.py"))
ENDS = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+")
"""The ends of possessive groups."""
SIMPLE = re.compile(r"\((?:\?:)?(?:\[\^?\]?(?:[^\]\\]|\\.)*\]|\\.|[^()\[\]\\|])*" + ENDS.pattern)
"""Possessive groups of characters, sets and their repetitions."""


def test_possessive_groups_are_simple() -> None:
    for path in FILES:
        text = path.read_text("utf-8")
        found = {match.end() for match in SIMPLE.finditer(text)}
        assert {match.end() for match in ENDS.finditer(text)} <= found, path
