"""The static files of the page, including those that it shares with pages of games."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Final

from pontedeldiavolo.html.page import board_style, read_file

from .pictures import picture_files

COMMENTS: Final = re.compile(
    r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)\n", re.DOTALL | re.MULTILINE
)
"""Comments in scripts and styles that have lines of their own."""


def page_files() -> dict[str, bytes]:
    """Return the contents of all files by name.

    Comments are for people who read the source. A browser gets none, which saves a quarter of the
    compressed size.
    """
    own = {
        each.name: each.read_bytes()
        for each in files("pontedeldiavolo.web").joinpath("static").iterdir()
    }
    shared = {"replay.js": read_file("replay.js").encode(), "board.css": board_style().encode()}
    found = own | shared | picture_files()
    return {name: _without_comments(name, content) for name, content in found.items()}


def _without_comments(name: str, content: bytes) -> bytes:
    """Return a file without the comments that have lines of their own."""
    if not name.endswith((".js", ".css")):
        return content
    return COMMENTS.sub("", content.decode()).encode()
