"""The German pages show the boards and judge the actions of the English ones."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pontedeldiavolo as pdd
from support.paths import ROOT

DOCS = ROOT / "docs"
PAIRS = {
    "de/index": "game/summary",
    "de/regeln": "game/rules",
    "de/strategie": "game/strategy",
    "de/spielen": "howto/play",
}
ROW = re.compile(r"^\d+ [wr.](?: [wr.])*$")
MARK = re.compile(r"@[a-z]+ \w+@")


def lines_of(page: str) -> list[str]:
    return (DOCS / f"{page}.md").read_text("utf-8").splitlines()


def boards(page: str) -> list[str]:
    parts = (ROW.match, MARK.fullmatch, re.compile(r"bridges [a-z]\d").match)
    return [line for line in lines_of(page) if any(match(line) for match in parts)]


@pytest.mark.parametrize("german", PAIRS)
def test_pages_of_both_languages_show_the_same_boards(german: str) -> None:
    assert boards(german) == boards(PAIRS[german])


def test_boards_are_asked_about_the_same_actions() -> None:
    english = "\n".join(lines_of("game/rules"))
    calls = re.findall(r'judge\([^()]*?((?:"[^"\n]+"(?:, )?)+)(, to_move=RED)?\)', english)
    expected = [(" ".join(re.findall('"([^"]+)"', texts)), bool(red)) for texts, red in calls]
    german = "\n".join(lines_of("de/regeln"))
    asked = re.findall(r"^:ask(-red)?: (.+)$", german, re.MULTILINE)
    assert [(texts, bool(red)) for red, texts in asked] == expected


def test_pages_of_both_languages_are_paired() -> None:
    assert runpy.run_path(str(DOCS / "translations.py"))["GERMAN"] == PAIRS
    pages = (path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.glob("de/*.md"))
    assert {*pages} == {*PAIRS}


@pytest.mark.parametrize(
    ("base", "prefix"), [("", "../"), ("https://example.invalid/", "https://example.invalid/")]
)
def test_pages_link_to_each_other(base: str, prefix: str) -> None:
    link_languages = runpy.run_path(str(DOCS / "translations.py"))["link_languages"]
    builder = SimpleNamespace(get_target_uri="{}.html".format)
    config = SimpleNamespace(html_baseurl=base, root_doc="index")
    titles = {page: SimpleNamespace(astext=str) for page in PAIRS}
    app = SimpleNamespace(config=config, builder=builder, env=SimpleNamespace(titles=titles))
    heads = []
    for page in ("de/regeln", "game/rules", "game/sources"):
        context: dict[str, Any] = {"metatags": ""}
        link_languages(app, page, "page.html", context, None)
        assert context.get("language") == ("de" if page == "de/regeln" else None)
        heads.append(context["metatags"])
    assert heads[0] == heads[1]
    assert heads[0].splitlines()[1:] == [
        f'<link rel="alternate" hreflang="en" href="{prefix}game/rules.html">',
        f'<link rel="alternate" hreflang="de" href="{prefix}de/regeln.html">',
    ]
    assert heads[2] == ""


def test_the_advice_of_the_pages_is_that_of_the_example() -> None:
    advice = runpy.run_path(str(ROOT / "examples" / "advice.py"))["ADVICE"]
    found = json.loads(Path(DOCS, "game", "advice.json").read_text("utf-8"))
    names = [MARK.fullmatch(line) for line in lines_of("game/strategy")]
    assert [each[0].split()[1][:-1] for each in names if each] == [*advice]
    for name, (text, actions) in advice.items():
        assert found[name]["state"] == pdd.format_state(pdd.parse_state(text))
        assert tuple(tried["action"] for tried in found[name]["tried"]) == actions
        state = pdd.parse_state(text)
        assert all(pdd.parse_action(action) in state.legal_actions for action in actions)
        assert all(sum(tried["games"]) == found["games"] for tried in found[name]["tried"])
