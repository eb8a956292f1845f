"""Paths and nesting in JSON, for every reader of it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .errors import excerpt

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,39}")
_STRING_OR_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{]|[\]}]', re.DOTALL)
_DEPTHS = {"[": 1, "{": 1, "]": -1, "}": -1}


def path_below(step: str | int, path: str) -> str:
    """Return a path extended by one level at the front.

    Args:
        step: The field of an object or the index in a list that leads to *path*.
        path: The path from there; "" if there is no further level.
    """
    # Names that are not plain words are in brackets, shortened.
    if isinstance(step, int) or not _PLAIN_NAME.fullmatch(step):
        step = f"[{step if isinstance(step, int) else excerpt(step, 0)}]"
    dot = "" if path[:1] in ("", "[") else "."
    return f"{step}{dot}{path}"


def path_of(steps: Iterable[str | int]) -> str:
    """Return the path of some fields and indexes, such as ``value.line.moves[3].nags``."""
    path = ""
    for step in reversed([*steps]):
        path = path_below(step, path)
    return path


def find_too_deep(text: str, max_depth: int, start: int = 0) -> int | None:
    """Return the offset of the first bracket of a value that is nested too deeply.

    A reader calls this before Python's recursive parser runs, whose own limit depends on the
    depth of the calls around it.

    Args:
        text: The text with the value, which may be faulty.
        max_depth: The maximum depth of nested arrays and objects.
        start: The offset of the value in the text.

    Returns:
        The offset; ``None`` if no bracket before the end of the value is too deep.
    """
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text, start):
        depth += _DEPTHS.get(found[0], 0)
        if depth > max_depth:
            return found.start()
        if depth <= 0:
            break
    return None
