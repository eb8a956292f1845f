"""Installation and tutorials: commands name what exists, and code fits on a phone."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = {
    name: sorted(re.split(r"[<>=]", each)[0] for each in needed)
    for name, needed in PROJECT["optional-dependencies"].items()
}
PAGES = [
    path
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if "_build" not in path.parts
]
NARROW = [
    *(ROOT / "docs" / name for name in ("index.md", "game/rules.md", "de/regeln.md")),
    *sorted((ROOT / "docs" / "start").glob("*.md")),
]
"""The front page, the rules and the tutorials."""
MOST_COLUMNS = 60
INSTALLED = re.compile(r"pip install[^\n`]*?(?:pontedeldiavolo|\.)\[([\w,]+)\]")
BLOCK = re.compile(r"^```\{?(\w+)\}?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_table_of_extras_is_that_of_the_project() -> None:
    page = (ROOT / "docs" / "start" / "installation.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", page, re.MULTILINE)
    assert {name: sorted(needed.split(", ")) for name, needed in rows} == EXTRAS


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_pages_install_extras_that_exist(path: Path) -> None:
    for names in INSTALLED.findall(path.read_text("utf-8")):
        assert set(names.split(",")) <= EXTRAS.keys()


@pytest.mark.parametrize("path", NARROW, ids=lambda path: path.stem)
def test_code_fits_on_a_phone(path: Path) -> None:
    for kind, block in BLOCK.findall(path.read_text("utf-8")):
        lines = block.splitlines()
        if kind == "doctest":
            lines = [line for line in lines if line.startswith((">>> ", "... "))]
        if kind in {"doctest", "testcode", "console", "python"}:
            assert max(map(len, lines)) <= MOST_COLUMNS, lines


@pytest.mark.parametrize("name", ["web_game.py", "web_game.html"])
def test_code_that_tutorials_include_does_too(name: str) -> None:
    lines = (ROOT / "examples" / name).read_text("utf-8").splitlines()
    assert max(map(len, lines)) <= MOST_COLUMNS
