"""The documentation in a browser: search, accessibility, phones, and the size of the front page.

``sphinx-build`` must have built the pages; ``PONTE_SITE`` names their folder. Without pages the
tests are skipped. ``-m slow`` tests all pages, in both themes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus

import pytest

from support.folders import served
from support.paths import ROOT
from support.screens import violations

if TYPE_CHECKING:
    from playwright.sync_api import Page, Response

SITE = Path(os.environ.get("PONTE_SITE", ROOT / "docs" / "_build" / "html"))
TYPES = (
    *("index", "start/first-game", "howto/train", "howto/translate", "game/summary", "game/rules"),
    *("game/solved", "game/glossary", "de/regeln", "de/index", "explanation/speed"),
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
MAX_BYTES = 500_000
"""The maximum number of bytes that the front page loads before somebody plays."""
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


def test_the_front_page_is_small(page: Page, site: str) -> None:
    sizes: dict[str, int] = {}

    def note(response: Response) -> None:
        sizes[response.url] = len(response.body())

    page.on("response", note)
    page.goto(f"{site}/index.html", wait_until="networkidle")
    assert len(sizes) > 5
    assert sum(sizes.values()) < MAX_BYTES, sizes
