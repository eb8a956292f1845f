"""Links within the built pages lead somewhere, to the anchor."""

from __future__ import annotations

import os
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from support.paths import ROOT

SITE = Path(os.environ.get("PONTE_SITE", ROOT / "docs" / "_build" / "html"))
LINKS = {"a": "href", "link": "href", "img": "src", "script": "src", "source": "srcset"}


class Links(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = {""}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors.add(given.get("id") or "")
        link = given.get(LINKS.get(tag, ""))
        if link and given.get("rel") != "canonical":
            self.links.add(link)


def links_of(path: Path) -> Links:
    """Read a page."""
    found = Links()
    found.feed(path.read_text("utf-8"))
    return found


def test_links_within_the_pages_lead_to_anchors() -> None:
    if not (SITE / "index.html").exists():
        pytest.skip("the documentation is not built: nox -s docs")
    # The page of the board makes its parts by a script, and 404.html stands for any address.
    pages = {
        path: links_of(path)
        for path in SITE.rglob("*.html")
        if "_static" not in path.parts and path.name != "404.html"
    }
    broken = []
    for page, found in pages.items():
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            there = pages.get(target)
            anchor = unquote(parts.fragment)
            if not target.exists() or (there and anchor not in there.anchors):
                broken.append((str(page.relative_to(SITE)), link))
    assert len(pages) > 50
    assert broken == []
