"""The documentation in a browser: search, accessibility, phones, and the size of the front page.

``sphinx-build`` must have built the pages; ``PONTE_SITE`` names their folder. Without pages the
tests are skipped. ``-m slow`` tests all pages, in both themes.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus

import pytest

from support.folders import served
from support.paths import DATA, ROOT
from support.screens import violations

if TYPE_CHECKING:
    from playwright.sync_api import Page, PdfMargins, Response

SITE = Path(os.environ.get("PONTE_SITE", ROOT / "docs" / "_build" / "html"))
TYPES = (
    *("index", "start/first-game", "howto/train", "howto/translate", "game/summary", "game/rules"),
    *("game/solved", "game/glossary", "de/regeln", "de/index", "explanation/speed"),
    *("reference/cheat-sheet", "howto/records", "de/spielen"),
    *("reference/cli", "reference/json", "reference/errors", "reference/api/state"),
    *("changelog", "genindex", "py-modindex", "404", "search"),
    *("_modules/index", "_modules/pontedeldiavolo/state/state"),
)
"""A page of every type."""
FIRST_HITS = {
    "1x1": ("game/rules",),
    "tie": ("game/rules",),
    "draw": ("game/rules",),
    "computer opponent": ("howto/player",),
    "AI": ("howto/player",),
    "bot": ("howto/player",),
    "NumPy": ("howto/batch", "reference/batch"),
    "Jupyter": ("howto/notebook",),
    "FastAPI": ("howto/web-service",),
    "export png": ("howto/show",),
    "undo": ("howto/records",),
    "licence": ("explanation/credits",),
    "license": ("explanation/credits",),
    "tutorial": ("start/first-game",),
    "German": ("de/regeln",),
    "Deutsch": ("de/regeln",),
    "install": ("start/installation",),
    "rules": ("game/rules", "game/summary"),
    "save game": ("howto/store", "howto/records"),
    "legal moves": ("howto/engine",),
    "Elo": ("howto/match",),
}
"""Pages that the search lists first."""
QUERIES = json.loads((DATA / "queries.json").read_text("utf-8"))
"""What a reader types, and the pages of which one should be first."""
FRESH_QUERIES = json.loads((DATA / "fresh_queries.json").read_text("utf-8"))
"""The same, in English and German, each written before the search knew of it."""
SHARE = 0.9
"""The share of these queries that must find their page first."""
MAX_BYTES = 500_000
"""The maximum number of bytes that the front page loads before somebody plays."""
EXERCISES = """async () => {
  const text = await (await fetch(location.href)).text();
  const page = new DOMParser().parseFromString(text, "text/html");
  return [...page.querySelectorAll(".exercise")].map((each) => each.outerHTML).join("");
}"""
"""A script that returns the exercises of a page as they came from the server."""
OUT_OF_REACH = """() => {
  const width = document.documentElement.clientWidth;
  const out = [];
  for (const each of document.querySelectorAll("details")) each.open = true;
  if (document.documentElement.scrollWidth > width) out.push("the page");
  const parts = "article :is(table, pre, code, svg, img, input, button, dt.sig)";
  for (const part of document.querySelectorAll(parts)) {
    const box = part.getBoundingClientRect();
    if (box.width === 0 || (box.left >= -1 && box.right <= width + 1)) continue;
    const scrolls = (each) => /auto|scroll/.test(getComputedStyle(each).overflowX);
    let around = part.parentElement;
    while (around !== document.body && !scrolls(around)) around = around.parentElement;
    if (around === document.body || around.getBoundingClientRect().right > width + 1)
      out.push(`${part.tagName} ${part.textContent.trim().slice(0, 60)}`);
  }
  return out;
}"""
"""A script that lists parts of the page that nobody can reach, even by scrolling."""


def pages() -> list[str]:
    """Return the names of all pages, with the source code of one module."""
    found = (path.relative_to(SITE).with_suffix("").as_posix() for path in SITE.rglob("*.html"))
    return sorted(
        name
        for name in found
        if not name.startswith(("_downloads", "_modules", "_static")) or name in TYPES
    )


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    if not (SITE / "index.html").exists():
        if "PONTE_SITE" in os.environ:
            pytest.fail(f"no pages in {SITE}")
        pytest.skip("the documentation is not built: nox -s docs")
    with served(SITE) as address:
        yield address


def errors(page: Page) -> list[str]:
    """Collect the errors of the console."""
    found: list[str] = []
    page.on("console", lambda said: found.append(said.text) if said.type == "error" else None)
    return found


def faults(page: Page, site: str, name: str, theme: Any) -> list[object]:
    """Return the violations of accessibility on a page, and the errors of its scripts."""
    page.emulate_media(color_scheme=theme)
    said = errors(page)
    page.goto(f"{site}/{name}.html")
    found = [
        (each["id"], [node["html"][:200] for node in each["nodes"]][:5])
        for each in violations(page)
    ]
    return [*found, *said]


@pytest.mark.parametrize("name", TYPES)
def test_no_page_has_obstacles(page: Page, site: str, name: str) -> None:
    assert faults(page, site, name, "dark" if len(name) % 2 else "light") == []


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", pages())
def test_no_page_at_all_has_obstacles(page: Page, site: str, name: str, theme: str) -> None:
    assert faults(page, site, name, theme) == []


def test_a_phone_reaches_everything(page: Page, site: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    found = {}
    for name in pages():
        page.goto(f"{site}/{name}.html")
        found[name] = page.evaluate(OUT_OF_REACH)
    assert {name: parts for name, parts in found.items() if parts} == {}


@pytest.mark.parametrize("query", FIRST_HITS)
def test_the_first_hit_of_a_search(page: Page, site: str, query: str) -> None:
    page.goto(f"{site}/search.html?q={quote_plus(query)}")
    link = page.locator("ul.search > li > a").first.get_attribute("href")
    assert link is not None
    assert link.split(".html")[0].split("?")[0] in FIRST_HITS[query]


RANKED = (
    """query => Search._performSearch(...Search._parseQuery(query)).map((result) => result[0])"""
)


def searching(page: Page, site: str) -> Page:
    page.goto(f"{site}/search.html?q=rules")
    page.wait_for_function("Search.hasIndex()")
    return page


@pytest.mark.parametrize("queries", [QUERIES, FRESH_QUERIES], ids=["known", "fresh"])
def test_queries_of_readers_find_their_page_first(
    page: Page, site: str, queries: dict[str, list[str]]
) -> None:
    searching(page, site)
    missed = {}
    for query, wanted in queries.items():
        # Sphinx shows the last result first.
        found = page.evaluate(RANKED, query)[::-1]
        if not found or found[0] not in wanted:
            missed[query] = found[:3]
    assert len(queries) >= 120
    assert len(missed) <= (1 - SHARE) * len(queries), missed


@pytest.mark.parametrize("query", ["Installation", "rules", "game", "Elo", "GameState", "apply"])
def test_a_page_appears_once(page: Page, site: str, query: str) -> None:
    found = searching(page, site).evaluate(RANKED, query)
    assert len(found) > 2
    assert len(set(found)) == len(found)


def test_names_are_found_from_the_beginnings_of_their_words(page: Page, site: str) -> None:
    search = "word => Search.performObjectSearch(word, new Set([word])).map((result) => result[1])"
    names = searching(page, site).evaluate(search, "elo")
    assert names
    assert all("below" not in name for name in names)
    assert "pontedeldiavolo.GameState" in page.evaluate(search, "state")


@pytest.mark.parametrize("query", ["sandbank", "corner", "opening"])
def test_snippets_are_prose(page: Page, site: str, query: str) -> None:
    page.goto(f"{site}/search.html?q={query}", wait_until="networkidle")
    page.locator("ul.search p.context").nth(3).wait_for()
    snippets = page.locator("ul.search p.context").all_inner_texts()
    assert len(snippets) > 3
    for text in snippets:
        assert not text.lstrip(".").strip().startswith("Ponte del Diavolo, "), text
        assert "Play on from here" not in text


@pytest.mark.parametrize(("name", "most"), [("game/solved", 180_000), ("game/rules", 120_000)])
def test_pages_with_many_boards_are_small(page: Page, site: str, name: str, most: int) -> None:
    """The exercises of the rules do not count."""
    page.goto(f"{site}/{name}.html")
    size = (SITE / f"{name}.html").stat().st_size
    exercises = page.evaluate(EXERCISES)
    assert size - len(exercises.encode()) < most


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_board_has_the_colours_of_the_theme(page: Page, site: str, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    page.goto(f"{site}/game/rules.html")
    color = "e => getComputedStyle(e).fill"
    sea = page.locator("svg.pontedeldiavolo rect").nth(1)
    assert sea.evaluate(color) == {"light": "rgb(163, 210, 216)", "dark": "rgb(28, 77, 93)"}[theme]
    other = {"light": "dark", "dark": "light"}[theme]
    page.evaluate("theme => { document.body.dataset.theme = theme }", other)
    assert sea.evaluate(color) == {"light": "rgb(163, 210, 216)", "dark": "rgb(28, 77, 93)"}[other]


@pytest.mark.parametrize("name", ["game/rules", "de/regeln", "game/strategy", "index"])
def test_boards_stand_beside_their_text_on_wide_screens(page: Page, site: str, name: str) -> None:
    beside = """() => [...document.querySelectorAll(".board-row")].map((row) => {
      const board = row.querySelector(".board").getBoundingClientRect();
      const texts = [...row.children].filter((each) => !each.matches(".board"));
      return texts.every((each) => each.getBoundingClientRect().left >= board.right);
    })"""
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{site}/{name}.html")
    found = page.evaluate(beside)
    assert found
    assert all(found)
    page.set_viewport_size({"width": 390, "height": 844})
    assert not any(page.evaluate(beside))


@pytest.mark.parametrize("name", ["index", "game/rules", "howto/web-service"])
def test_parts_of_the_header_do_not_touch_on_a_phone(page: Page, site: str, name: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site}/{name}.html")
    shown = """() => [".nav-overlay-icon", ".brand", ".theme-toggle", ".toc-header-icon"]
      .map((part) => document.querySelector(`.mobile-header ${part}`).getBoundingClientRect())
      .filter((box) => box.width > 0)
      .map((box) => [box.left, box.right])"""
    boxes = page.evaluate(shown)
    assert len(boxes) >= 3
    assert boxes[0][0] >= 0
    assert boxes[-1][1] <= 390
    assert all(after[0] - before[1] >= 4 for before, after in pairwise(boxes))


def test_links_for_playing_on_have_names(page: Page, site: str) -> None:
    page.goto(f"{site}/game/rules.html")
    names = page.eval_on_selector_all(".play-on a", "all => all.map((each) => each.ariaLabel)")
    if not names:
        pytest.skip("the documentation was built without Pyodide")
    assert len(names) > 10
    assert len(set(names)) == len(names)
    assert all(name.startswith("Play on from here: ") for name in names)


def test_the_page_for_unknown_addresses_works_under_a_path(page: Page, tmp_path: Path) -> None:
    (tmp_path / "en").symlink_to(SITE.resolve(), target_is_directory=True)
    with served(tmp_path) as address:
        missing = (SITE / "404.html").read_text("utf-8")
        page.route(
            "**/nothing/at/all.html",
            lambda route: route.fulfill(status=404, content_type="text/html", body=missing),
        )
        page.goto(f"{address}/en/nothing/at/all.html")
        links = page.locator("a")
        if 'type="module"' in missing:
            page.wait_for_function("document.links[0].href.endsWith('/en/index.html')")
        assert links.count() > 2
        for number in range(links.count()):
            href = links.nth(number).evaluate("link => link.href")
            assert page.request.get(href).ok, href


def test_the_cheat_sheet_fits_on_two_pages(page: Page, site: str) -> None:
    page.goto(f"{site}/reference/cheat-sheet.html")
    edge = "12mm"
    margin: PdfMargins = {"top": edge, "right": edge, "bottom": edge, "left": edge}
    printed = page.pdf(format="A4", margin=margin)
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 2


def test_names_in_code_are_links(page: Page, site: str) -> None:
    page.goto(f"{site}/howto/states.html")
    if page.locator("a.sphinx-codeautolink-a").count() == 0:
        pytest.skip("sphinx-codeautolink is not installed")
    method = page.locator("a.sphinx-codeautolink-a", has_text="apply").first
    assert (method.get_attribute("href") or "").endswith("#pontedeldiavolo.GameState.apply")


@pytest.mark.parametrize(
    ("name", "text", "target"),
    [("game/rules", "Deutsch", "de/regeln"), ("de/spielen", "English", "howto/play")],
)
def test_a_page_leads_to_its_other_language(
    page: Page, site: str, name: str, text: str, target: str
) -> None:
    page.goto(f"{site}/{name}.html")
    page.locator(".other-language a", has_text=text).click()
    assert page.url == f"{site}/{target}.html"


def test_the_front_page_has_a_title_for_people(page: Page, site: str) -> None:
    page.goto(f"{site}/index.html")
    assert page.title() == "Ponte del Diavolo in Python"


def test_the_front_page_is_small(page: Page, site: str) -> None:
    sizes: dict[str, int] = {}

    def note(response: Response) -> None:
        sizes[response.url] = len(response.body())

    page.on("response", note)
    page.goto(f"{site}/index.html", wait_until="networkidle")
    assert len(sizes) > 5
    assert sum(sizes.values()) < MAX_BYTES, sizes
