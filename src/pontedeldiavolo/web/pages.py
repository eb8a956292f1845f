"""The static files of the page, including those that it shares with pages of games."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from pontedeldiavolo.html.page import board_style, compact, compact_style, read_file

from .pictures import picture_files

SHARED: Final = ("replay.js", "parts.js", "tokens.css", "parts.css")
"""Files of pages of games that this page has as well."""


def page_files() -> dict[str, bytes]:
    """Return the contents of all files by name.

    Comments and indents are for people who read the source. A browser gets none, which saves a
    quarter of the compressed size.
    """
    own = {
        each.name: each.read_bytes()
        for each in files("pontedeldiavolo.web").joinpath("static").iterdir()
    }
    shared = {name: read_file(name).encode() for name in SHARED}
    shared["board.css"] = board_style().encode()
    found = own | shared | picture_files()
    return {name: _compact(name, content) for name, content in found.items()}


def _compact(name: str, content: bytes) -> bytes:
    """Return a script or a style sheet as a browser gets it; other files as they are."""
    if name.endswith(".js"):
        return compact(content.decode()).encode()
    if name.endswith(".css"):
        return compact_style(content.decode()).encode()
    return content
