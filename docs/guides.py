"""Add tables of contents and links to guides to the reference.

Each section begins with a table of its entries and their first sentences. Each entry ends with
links to the guides that use its name most often.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

DOCS: Final = Path(__file__).parent
FOLDERS: Final = ("start", "howto", "explanation")
"""The folders of the guides."""
PACKAGE: Final = "pontedeldiavolo"
REFERENCE: Final = "reference/"
MAX_GUIDES: Final = 3
"""The maximum number of links at the end of an entry."""
AMBIGUOUS: Final = ("json",)
"""Submodules whose names other packages have too; they count only after ``pdd.``."""
CITATION: Final = re.compile(r" ?\[S\d[^]]*\]")
SENTENCE: Final = re.compile(r".*?[.:](?=\s|$)", re.DOTALL)


@cache
def texts() -> dict[str, str]:
    """Return the source of each guide by its name."""
    paths = (path for folder in FOLDERS for path in sorted((DOCS / folder).glob("*.md")))
    return {str(path.relative_to(DOCS).with_suffix("")): path.read_text("utf-8") for path in paths}


def pattern_of(name: str) -> re.Pattern[str]:
    """Return a pattern for mentions of a public name, such as ``Cell`` or ``players.match``."""
    *modules, last = name.split(".")
    prefix = rf"(?:pdd|{PACKAGE})\." if not modules or modules[-1] in AMBIGUOUS else ""
    return re.compile(rf"\b{prefix}{re.escape('.'.join([*modules[-1:], last]))}\b")


def guides_of(name: str) -> list[str]:
    """Return the guides that mention a public name, the most frequent mentions first."""
    pattern = pattern_of(name)
    counts = {page: len(pattern.findall(text)) for page, text in texts().items()}
    found = sorted(filter(counts.__getitem__, counts), key=counts.__getitem__, reverse=True)
    if not found and name.count(".") > 1:
        # The formats of records share the names of their functions.
        return guides_of(name.rpartition(".")[0])
    return found


def add_to_entries(app: Sphinx, page: nodes.document) -> None:
    """Add the tables and links to a page of the reference."""
    if not app.env.docname.startswith(REFERENCE):
        return
    for section in list(page.findall(nodes.section)):
        entries = [each for each in section.children if is_entry(each)]
        if entries:
            section.insert(section.index(entries[0]), table_of(entries))
        for entry in entries:
            add_guides(entry)


def is_entry(node: nodes.Node) -> bool:
    """Return whether a node is the entry of a public name."""
    return isinstance(node, addnodes.desc) and node["domain"] == "py" and bool(node[0]["ids"])


def name_of(entry: addnodes.desc) -> str:
    """Return the name of an entry without the package."""
    signature = entry[0]
    name = f"{signature['module']}.{signature['fullname']}"
    return name.removeprefix(f"{PACKAGE}.")


def table_of(entries: list[addnodes.desc]) -> nodes.table:
    """Return a table of the names and first sentences of entries."""
    body = nodes.tbody()
    for entry in entries:
        link = nodes.reference("", "", internal=True, refid=entry[0]["ids"][0])
        link += nodes.literal("", name_of(entry))
        body += row([nodes.paragraph("", "", link), nodes.paragraph("", summary_of(entry))])
    head = nodes.thead("", row([nodes.paragraph("", text) for text in ("name", "summary")]))
    columns = [nodes.colspec(colwidth=width) for width in (1, 2)]
    group = nodes.tgroup("", *columns, head, body, cols=2)
    return nodes.table("", group, classes=["summary"])


def row(cells: list[nodes.paragraph]) -> nodes.row:
    """Return a row of a table."""
    return nodes.row("", *(nodes.entry("", cell) for cell in cells))


def summary_of(entry: addnodes.desc) -> str:
    """Return the first sentence of an entry."""
    for content in entry.findall(addnodes.desc_content):
        for each in content.findall(nodes.paragraph):
            text = CITATION.sub("", " ".join(each.astext().split()))
            found = SENTENCE.match(text)
            # All summaries end with a full stop.
            return f"{(found[0] if found else text).rstrip('.:')}."
    return ""


def add_guides(entry: addnodes.desc) -> None:
    """Add links to guides at the end of an entry."""
    guides = guides_of(name_of(entry))[:MAX_GUIDES]
    if guides:
        contents = [each for each in entry.children if isinstance(each, addnodes.desc_content)]
        contents[0] += nodes.paragraph("", "Guides: ", *links_to(guides), classes=["guides"])


def links_to(pages: list[str]) -> Iterator[nodes.Node]:
    """Yield links to pages, which show the titles of the pages."""
    for number, page in enumerate(pages):
        if number:
            yield nodes.Text(" · ")
        link = addnodes.pending_xref(
            "",
            reftype="doc",
            refdomain="std",
            reftarget=f"/{page}",
            refexplicit=False,
            refwarn=True,
        )
        link += nodes.inline("", page)
        yield link


def setup(app: Sphinx) -> None:
    """Connect :func:`add_to_entries`."""
    app.connect("doctree-read", add_to_entries)
