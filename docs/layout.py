"""Put boards beside their text, and name the links for playing on from them.

On a wide screen a board of the pages in ``FOLDERS`` stands to the left of the paragraph before it,
of its verdicts and of its link; on a narrow one the order is that of the source. The links of a
page all have the same text. Screen readers read the beginning of the text about the board as well.
"""

from __future__ import annotations

import re
from collections import Counter
from html import escape
from textwrap import shorten
from typing import Final

from docutils import nodes
from drawing import Html
from sphinx.application import Sphinx

PICTURE: Final = "picture"
PLAY_ON: Final = "play-on"
FOLDERS: Final = ("game/", "de/")
STRATEGY: Final = ("game/strategy", "de/strategie")
"""Pages on which a list and a paragraph about the board follow it."""
FRONT_PAGE: Final = "index"
"""The page whose first paragraphs all stand beside the board."""
AFTER_PICTURES: Final = 600
"""The priority of a listener that runs after the boards are drawn."""
MAX_LABEL: Final = 90
MIN_LABEL: Final = 25
"""A shorter sentence does not tell one board from another."""
PERCENT: Final = re.compile(r"(?<=\d) %")
CODE: Final = (nodes.literal, nodes.FixedTextElement)
"""Nodes whose text stays as it is."""
SENTENCE: Final = re.compile(r".*?[.:!?](?=\s|$)", re.DOTALL)


def arrange(app: Sphinx, page: nodes.document) -> None:
    """Name the links for playing on, and put boards beside their text."""
    keep_percentages(page)
    name_links(page)
    name = app.env.docname
    if name.startswith(FOLDERS) or name == FRONT_PAGE:
        for each in [*page.findall(Html)]:
            if each["kind"] == PICTURE and isinstance(each.parent, nodes.section):
                put_beside(each, name)


def keep_percentages(page: nodes.document) -> None:
    """Let no line end between a number and its sign for per cent."""
    for text in [*page.findall(nodes.Text)]:
        if PERCENT.search(text) and not isinstance(text.parent, CODE):
            text.parent.replace(text, nodes.Text(PERCENT.sub("\N{NO-BREAK SPACE}%", text)))


def put_beside(picture: Html, page: str) -> None:
    """Move a picture and the text about it into a row."""
    parent = picture.parent
    place = parent.index(picture)
    first = place
    while first > 0 and is_text(parent[first - 1]):
        first -= 1
        if page != FRONT_PAGE:
            break
    end = place + 1
    while end < len(parent) and belongs(parent[end], page):
        end += 1
    parts = parent.children[first:end]
    if len(parts) > 1:
        row = nodes.container("", *parts, classes=["board-row"])
        parent[first:end] = [row]


def is_text(node: nodes.Node) -> bool:
    """Return whether a node can be the text before a picture."""
    return isinstance(node, nodes.paragraph) or (isinstance(node, Html) and not node["kind"])


def belongs(node: nodes.Node, page: str) -> bool:
    """Return whether a node after a picture is about it."""
    if isinstance(node, nodes.line_block):
        return "verdicts" in node["classes"]
    if isinstance(node, Html):
        return bool(node["kind"] == PLAY_ON)
    return page in STRATEGY and isinstance(node, nodes.bullet_list | nodes.paragraph)


def name_links(page: nodes.document) -> None:
    """Give each link for playing on a name that contains its text and is unique on the page."""
    counts: Counter[str] = Counter()
    title = ""
    lead = ""
    for node in page.findall():
        if isinstance(node, nodes.title):
            title = node.astext()
            lead = ""
        elif isinstance(node, nodes.paragraph):
            lead = node.astext()
        elif isinstance(node, Html) and node["kind"] == PLAY_ON:
            about = beginning(lead)
            if len(about) < MIN_LABEL:
                about = title
            counts[about] += 1
            if counts[about] > 1:
                about = f"{about} ({counts[about]})"
            text = re.sub("<[^>]+>", "", node["html"])
            label = escape(f"{text}: {about}")
            node["html"] = node["html"].replace("<a ", f'<a aria-label="{label}" ', 1)


def beginning(text: str) -> str:
    """Return the first sentence of a text, shortened if it is long."""
    found = SENTENCE.match(text)
    return shorten(found[0] if found else text, MAX_LABEL, placeholder=" …")
