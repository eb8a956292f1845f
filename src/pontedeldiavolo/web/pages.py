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
INDENTATION: Final = re.compile(r"^ +", re.MULTILINE)
"""The spaces before a line of a script or a style. No text in them spans several lines."""


def page_files() -> dict[str, bytes]:
    """Return the contents of all files by name.

    Comments and indentation are for people who read the source. A browser gets neither, which
    saves a quarter of the compressed size.
    """
    own = {
        each.name: each.read_bytes()
        for each in files("pontedeldiavolo.web").joinpath("static").iterdir()
    }
    shared = {"replay.js": read_file("replay.js").encode(), "board.css": board_style().encode()}
    found = own | shared | picture_files()
    return {name: _for_browsers(name, content) for name, content in found.items()}


def _for_browsers(name: str, content: bytes) -> bytes:
    """Return a file without indentation, and without the comments that have lines of their own."""
    if not name.endswith((".js", ".css")):
        return content
    return INDENTATION.sub("", COMMENTS.sub("", content.decode())).encode()
