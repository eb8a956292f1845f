"""The order of the pages, their titles, and the links at the top and bottom of each."""

from __future__ import annotations

import re
import shlex
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from support.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import metadata  # the path to it is set above
import translations  # the path to it is set above

DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if "_build" not in path.parts)
SIDEBAR = [
    "Start",
    "The game",
    "How-to: play and show",
    "How-to: apps and sites",
    "How-to: engines and learning",
    "How-to: data",
    "Reference",
    "Explanation",
]
TREE = re.compile(r'```\{toctree\}\n(?::.*\n)*?:caption: "?([^"\n]+)"?\n\n([^`]+)```')


def groups() -> dict[str, list[str]]:
    """Return the pages of each group of the sidebar."""
    text = (DOCS / "index.md").read_text("utf-8")
    return {caption: pages.split() for caption, pages in TREE.findall(text)}


def title_of(path: Path) -> str:
    found = re.search(r"^# (.+)$", path.read_text("utf-8"), re.MULTILINE)
    assert found is not None, path
    return found[1]


def test_the_sidebar_goes_from_the_first_steps_to_the_background() -> None:
    assert [*groups()] == SIDEBAR


def test_every_guide_is_in_one_group_of_few() -> None:
    guides = [page for caption, pages in groups().items() if "How-to" in caption for page in pages]
    files = {f"howto/{path.stem}" for path in DOCS.glob("howto/*.md")}
    assert Counter(guides) == Counter(files)
    assert all(len(pages) <= 11 for caption, pages in groups().items() if "How-to" in caption)


def test_no_two_pages_have_the_same_title() -> None:
    # speed_table.md is a part of a page.
    titles = Counter(
        title_of(path) for path in PAGES if path.stem not in ("changelog", "speed_table")
    )
    assert [title for title, count in titles.items() if count > 1] == []


@pytest.mark.parametrize("page", [*translations.GERMAN, *translations.ENGLISH, "index"])
def test_a_page_with_a_counterpart_links_to_it(page: str) -> None:
    context = linked(page)
    other = context["other_language"]
    is_german = page in translations.GERMAN
    assert other["code"] == ("en" if is_german else "de")
    target = other["address"].removeprefix("../").removesuffix(".html")
    assert (DOCS / f"{target}.md").exists()
    assert target.startswith("de/") != is_german
    if page != "index":
        assert linked(target)["other_language"]["address"] == f"../{page}.html"


def test_other_pages_have_no_language_switch() -> None:
    assert "other_language" not in linked("game/sources")


def test_the_german_sidebar_lists_the_german_pages() -> None:
    context = linked("de/regeln")
    shown = re.findall(r'href="([^"]+)"', context["furo_navigation_tree"])
    assert shown == [*(f"../{page}.html" for page in translations.GERMAN), "../index.html"]
    assert context["furo_navigation_tree"].count("current-page") == 2
    assert context["prev"]["link"] == "../de/index.html"
    assert context["next"]["link"] == "../de/strategie.html"
    assert linked("de/index")["prev"] is None
    assert linked("de/spielen")["next"] is None


def test_the_words_of_the_theme_are_german_on_german_pages() -> None:
    word = linked("de/regeln")["_"]
    assert word("On this page") == "Auf dieser Seite"
    assert word("\n  Skip to content\n") == "\n  Zum Inhalt\n"
    assert word("of %(name)s", name="Ada") == "of Ada"
    assert "_" not in linked("game/rules")


def linked(page: str) -> dict[str, Any]:
    """Return what the templates of a page get."""
    titles = {each: SimpleNamespace(astext=lambda each=each: each) for each in translations.GERMAN}
    app = SimpleNamespace(
        config=SimpleNamespace(html_baseurl="", root_doc="index"),
        builder=SimpleNamespace(get_target_uri="{}.html".format),
        env=SimpleNamespace(titles=titles),
    )
    context: dict[str, Any] = {"metatags": ""}
    translations.link_languages(app, page, "page.html", context, None)
    return context


def test_known_addresses_are_linked_at_the_bottom() -> None:
    urls = {"Issues": "https://example.invalid/issues", "Homepage": "https://example.invalid"}
    [link] = metadata.footer_links(urls)
    assert link["url"] == urls["Issues"]
    assert link["name"] == "Report a problem"
    assert metadata.footer_links({}) == []


def test_the_cheat_sheet_names_every_command_and_code_of_actions() -> None:
    error_codes = pytest.importorskip("error_codes", reason="Sphinx is not installed")
    commands = re.findall(r"\| \[`([\w-]+)`\]", (DOCS / "reference" / "cli.md").read_text("utf-8"))
    source = [(DOCS / "reference" / "cheat-sheet.md").read_text("utf-8")]
    error_codes.fill(None, "reference/cheat-sheet", source)
    table = source[0].partition("## Commands")[2].partition("\n## ")[0]
    assert len(commands) > 10
    assert [name for name in commands if not re.search(rf"`{name}\b", table)] == []
    assert "| `blocked` | Blocked, because" in source[0]
    assert "| `pair-exists` | " in source[0]
    assert "ends-differ" not in source[0]


def test_the_commands_of_the_cheat_sheet_have_the_arguments_that_they_need() -> None:
    click = pytest.importorskip("click", reason="not installed: click")
    main = pytest.importorskip("pontedeldiavolo.cli.main", reason="not installed: click").main
    page = (DOCS / "reference" / "cheat-sheet.md").read_text("utf-8")
    rows = re.findall(r"^\| (`.*?) \|", page.partition("## Commands")[2], re.MULTILINE)
    lines = [line for row in rows for line in re.findall(r"`([a-z][^`…]*)`", row)]
    assert "match mcts greedy --games 100" in lines
    for line in lines:
        name, *arguments = shlex.split(line)
        command = main.get_command(click.Context(main), name)
        assert command is not None, line
        try:
            command.make_context(name, arguments)
        except click.UsageError as error:
            pytest.fail(f"{line}: {error.format_message()}")
