"""Buttons for running the examples of a page, and reasons for those that a browser cannot run.

``docs/runnable.json`` says which examples have the button; :mod:`blocks` describes it. The script
``assets/run.js`` runs them in a worker, with the Python that the boards for playing use.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any, Final

import blocks
import boards
import playing
from docutils import nodes
from sphinx.application import Sphinx

KINDS: Final = ("doctest", "testcode")
SENTENCES: Final = {
    "numpy": "This example does not run in the page: it needs NumPy and Numba.",
    "rich": "This example does not run in the page: it needs packages for the terminal.",
    "pictures": "This example does not run in the page: it needs packages for PNG pictures.",
    "hypothesis": "This example does not run in the page: it needs Hypothesis.",
    "package": "This example does not run in the page: it needs a package that browsers lack.",
    "threads": "This example does not run in the page: a browser starts no threads for it.",
    "processes": "This example does not run in the page: a browser starts no other programs.",
    "files": "This example does not run in the page: it reads files of the project.",
    "network": "This example does not run in the page: it needs a server.",
    "asyncio": "This example does not run in the page: its event loop cannot run there.",
    "earlier": "This example and those below it without a button or a reason do not run in the "
    "page: they need an earlier one that does not.",
    "slow": "This example does not run in the page: it would take too long there.",
    "other": "This example does not run in the page: its output would differ there.",
}
"""The sentence for each reason of the list."""


def add_buttons(app: Sphinx, page: nodes.document) -> None:
    """Put each example that runs into an element for the script, and write reasons below others."""
    if boards.pyodide is None or app.builder.format != "html":
        return
    known = blocks.known().get(app.env.docname, {})
    are_later_explained = False
    for node in list(page.findall(_is_example)):
        kind = node["testnodetype"]
        text = node.get("test") or node.astext()
        code = known.get(blocks.digest_of(kind, text))
        is_hidden = isinstance(node, nodes.comment)
        around: list[nodes.Node] = [node]
        if code == "" and is_hidden:
            around = [_raw(f'<script type="text/plain" data-runs="{kind}">{escape(text)}</script>')]
        elif code == "":
            around = [_raw(f'<div class="runs" data-runs="{kind}">'), node, _raw("</div>")]
        elif code is not None and not is_hidden:
            if code != "earlier" or not are_later_explained:
                around.append(_raw(f'<p class="runs-not">{SENTENCES[code]}</p>'))
            # One sentence explains all such examples of a page.
            are_later_explained = are_later_explained or code == "earlier"
        if around != [node]:
            node.parent.replace(node, around)


def _is_example(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Element) and node.get("testnodetype") in KINDS


def _raw(html: str) -> nodes.raw:
    return nodes.raw("", html, format="html")


def add_script(
    app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Load the script and the style of examples on pages that have some."""
    if 'class="runs"' in context.get("body", ""):
        app.add_css_file("run.css")
        app.add_js_file("run.js", loading_method="defer")


def fill_size(app: Sphinx, error: Exception | None) -> None:
    """Write the number of bytes that a reader loads into the script."""
    if error is None and boards.pyodide is not None and app.builder.format == "html":
        script = Path(app.outdir) / "_static" / "run.js"
        text = script.read_text("utf-8")
        script.write_text(
            text.replace('"@bytes@"', str(playing.bytes_fetched(boards.pyodide))), "utf-8"
        )


def setup(app: Sphinx) -> None:
    """Connect the functions above; the boards of examples are drawn before."""
    app.connect("doctree-read", add_buttons, priority=700)
    app.connect("html-page-context", add_script)
    app.connect("build-finished", fill_size)
