"""The descriptions of pages in ``llms.txt``."""

from __future__ import annotations

import sys

import pytest

from support.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

pytest.importorskip("sphinx", reason="not installed: nox -s docs")

import metadata  # the path to it is set above
from docutils import nodes
from docutils.utils import new_document
from sphinx.addnodes import pending_xref

TITLES = {"game/summary": nodes.title(text="The rules on one page")}


def page_with(*parts: nodes.Node) -> nodes.document:
    """Return a page with one paragraph."""
    page = new_document("page")
    page += nodes.paragraph("", "", *parts)
    return page


def link(domain: str, target: str, text: str = "") -> pending_xref:
    """Return a link as it is in a page that was read; a text of its own makes it explicit."""
    return pending_xref(
        "",
        nodes.inline(text=text or target),
        refdomain=domain,
        reftarget=target,
        refdoc="game/rules",
        refexplicit=bool(text),
    )


@pytest.mark.parametrize(
    ("domain", "target"), [("std", "summary"), ("std", "/game/summary"), ("doc", "game/summary")]
)
def test_a_link_without_a_text_has_the_title_of_its_page(domain: str, target: str) -> None:
    page = page_with(nodes.Text("See "), link(domain, target), nodes.Text("."))
    assert metadata.description(page, TITLES) == 'See "The rules on one page".'


def test_a_link_with_a_text_keeps_it() -> None:
    page = page_with(link("std", "/game/summary", "a summary"), nodes.Text(" and "))
    page[0] += link("py", "pontedeldiavolo.Game")
    assert metadata.description(page, TITLES) == "a summary and pontedeldiavolo.Game"


def test_a_description_does_not_end_with_a_colon() -> None:
    assert metadata.description(page_with(nodes.Text("Do this:")), {}) == "Do this."


def test_a_page_without_a_paragraph_has_an_empty_description() -> None:
    assert metadata.description(new_document("page"), {}) == ""
