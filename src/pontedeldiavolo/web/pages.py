"""The static files of the page, including those that it shares with pages of games."""

from __future__ import annotations

from importlib.resources import files

from pontedeldiavolo.html.page import board_style, read_file

from .pictures import picture_files


def page_files() -> dict[str, bytes]:
    """Return the contents of all files by name."""
    own = files("pontedeldiavolo.web").joinpath("static").iterdir()
    shared = {"replay.js": read_file("replay.js").encode(), "board.css": board_style().encode()}
    return {each.name: each.read_bytes() for each in own} | shared | picture_files()
