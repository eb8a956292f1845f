"""Files and functions of the package are short, and regular expressions the same in any Python.

Python before 3.11.5 goes on at a wrong place after a possessive group that fails behind its first
character, so these groups hold neither alternatives nor groups.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pontedeldiavolo as pdd

LONGEST_FUNCTION, LONGEST_FILE = 40, 600
FILES = sorted(Path(pdd.__file__).parent.rglob("*.py"))
ENDS = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+")
"""The ends of possessive groups."""
SIMPLE = re.compile(r"\((?:\?:)?(?:\[\^?\]?(?:[^\]\\]|\\.)*\]|\\.|[^()\[\]\\|])*" + ENDS.pattern)
"""Possessive groups of characters, sets and their repetitions."""


def too_long(path: Path) -> Iterator[str]:
    text = path.read_text("utf-8")
    if len(text.splitlines()) > LONGEST_FILE:
        yield str(path)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield f"{path}: {node.name} has {lines} lines"


def test_nothing_is_too_long() -> None:
    assert len(FILES) > 100
    assert [each for path in FILES for each in too_long(path)] == []


def test_what_is_too_long_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "long.py"
    path.write_text("def f():\n" + "    x = 1\n" * LONGEST_FUNCTION, "utf-8")
    assert len([*too_long(path)]) == 1
    path.write_text("x = 1\n" * (LONGEST_FILE + 1), "utf-8")
    assert [*too_long(path)] == [str(path)]


def test_possessive_groups_are_simple() -> None:
    for path in FILES:
        text = path.read_text("utf-8")
        found = {match.end() for match in SIMPLE.finditer(text)}
        assert {match.end() for match in ENDS.finditer(text)} <= found, path
