"""What stands in the braces of a comment: text with escapes, and annotations of a move."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pontedeldiavolo.game.tags import first_unfit

_ESCAPE = re.compile(r"\\(?:[\\}n]|\[%)")
_PART = re.compile(rf"{_ESCAPE.pattern}|\[%([a-z]++)(?: ([^\]]*+))?\] ?")
_MEANING = {"\\\\": "\\", "\\}": "}", "\\n": "\n", "\\[%": "[%"}


def read_braces(raw: str, annotations: dict[str, str] | None) -> str:
    """Return the text that stands in braces, without the annotations in it.

    Args:
        raw: What is between the braces.
        annotations: Where to put them. One whose name is there already, or that no move could
            have, stays in the text; without a place for any, all of them do.
    """
    text = unwrapped(raw).replace("\t", " ")
    if annotations is None or "[%" not in text:
        return _unescaped(text)

    def part(found: re.Match[str]) -> str:
        name, value = found.groups("")
        if not name:
            return _MEANING[found.group()]
        value = _unescaped(value).strip(" ")
        if name in annotations or first_unfit(value) >= 0:
            return _unescaped(found.group())
        annotations[name] = value
        return ""

    # Nothing begins behind the last bracket: to look for it from each "[%" could take very long.
    end = text.rfind("]") + 1
    end += text.startswith(" ", end)
    return _PART.sub(part, text[:end]) + _unescaped(text[end:])


def unwrapped(text: str) -> str:
    """Return a text in one line: a blank for each line break and the blanks around it."""
    first, *rest = text.split("\n")
    if not rest:
        return text
    # Line by line: a pattern would look at a run of blanks again from each of them.
    *middle, last = rest
    inner = (line.lstrip(" \t").rstrip(" \t\r") for line in middle)
    return " ".join([first.rstrip(" \t\r"), *inner, last.lstrip(" \t")])


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _MEANING[found.group()], text)


def in_braces(comment: str, annotations: Mapping[str, str]) -> str:
    """Return a comment in its braces, behind annotations by name; nothing if there is nothing."""
    parts = [
        f"[%{f'{name} {_escaped(annotations[name])}'.rstrip(' ')}]" for name in sorted(annotations)
    ]
    if comment:
        parts.append(_escaped(comment).replace("\n", "\\n").replace("[%", "\\[%"))
    return f"{{{' '.join(parts)}}}" if parts else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("}", "\\}")
