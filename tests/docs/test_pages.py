"""Pages about installation, tutorials, speed and the web service say what is so."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

from pontedeldiavolo.web.routes import ROUTES
from support.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import measured  # the path to it is set above

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LISTS = PROJECT["optional-dependencies"].items()
EXTRAS = {name: sorted(re.split(r"[<>=]", each)[0] for each in needed) for name, needed in LISTS}
FILES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [path for path in FILES if "_build" not in path.parts]
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


PAGE = (ROOT / "docs" / "howto" / "web-service.md").read_text("utf-8")


def test_every_refusal_of_the_example_is_shown() -> None:
    source = (ROOT / "examples" / "server.py").read_text("utf-8")
    page = PAGE.partition("## Push")[0]
    shown = {*re.findall(r'(?s)\n(\d{3}) \{\s*"error": .*?"code": "([\w-]+)"', page)}
    raised = {*re.findall(r'SiteError\((\d+), "([\w-]+)"', source)}
    assert len(raised) > 10
    assert raised <= shown


def test_every_request_of_the_own_page_is_in_a_table() -> None:
    documented = {*re.findall(r"^\| `(GET|POST) (/\S*)` \|", PAGE, re.MULTILINE)}
    served = {(each.method, each.path.replace("{game}", "{id}")) for each in ROUTES}
    assert documented == served | {("POST", "/uploads"), ("POST", "/games/{id}/draw")}


def filled(text: str, page: str = "page") -> str:
    source = [text]
    measured.fill_marks(None, page, source)
    return source[0]


def test_rows_of_a_table_of_speeds_are_chosen() -> None:
    found = filled("@measured speed: Complete random games: turns per second | 10×10@")
    head, _dashes, *rows = found.split("\n")
    # A single row stands as a column.
    assert head == "| case | 10×10 |"
    assert rows[0].startswith("| apply_unchecked | ")
    figures = " | ".join(row.split(" | ")[1].removesuffix(" |") for row in rows)
    table = (ROOT / "docs/explanation/speed_table.md").read_text("utf-8")
    assert f"| 10×10 | {figures} |" in table
    whole = filled("@measured speed: Complete random games: turns per second@")
    assert whole.startswith("| case | apply_unchecked | apply | plain |")
    assert len(whole.split("\n")) > 6


def test_targets_are_left_out() -> None:
    assert "target" not in filled("@measured speed: Times and sizes@")


@pytest.mark.parametrize("rest", ["No such table", "Times and sizes | nothing begins so"])
def test_what_no_table_has_is_an_error(rest: str) -> None:
    with pytest.raises(ValueError, match=r"^(speed_table\.md has no table|no row of)"):
        filled(f"@measured speed: {rest}@")


def test_instructions_and_advice_have_a_row_for_each_figure() -> None:
    assert filled("@measured instructions@").count("\n") == 1 + len(measured.TASKS)
    assert "| centre | `white` | " in filled("@measured advice@")


def test_the_load_of_a_hostile_client_is_in_both_languages() -> None:
    """The German table has no word of the English one."""
    found = json.loads((ROOT / "benchmarks" / "load.json").read_text("utf-8"))
    english, german = (filled("@measured load@", page) for page in ("howto/play", "de/spielen"))
    for name, each in found["attacks"].items():
        row = f"{each['alone']:.1f} | {each['attacked']:.1f} | {each['ratio']:.1f} |"
        assert f"| {name} | {row}" in english
        assert row.replace(".", ",") in german
        assert name not in german
    assert found["date"] in english
    assert found["machine"] in german


def test_every_mark_of_the_pages_is_filled() -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        assert "@measured" not in filled(page.read_text("utf-8"))
