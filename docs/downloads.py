"""Files that readers can download, made while the pages are built, and links to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.docutils import SphinxRole

import pontedeldiavolo as pdd

SCHEMA: Final = "pontedeldiavolo.schema.json"
"""The JSON schema of all documents."""


def write(folder: Path) -> None:
    """Write the files into a folder of static files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SCHEMA).write_text(json.dumps(pdd.json.schema(), indent=2) + "\n", "utf-8")


class Static(SphinxRole):
    """A link to a static file by its name."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the link."""
        folders = [Path(self.env.app.confdir, name) for name in self.config.html_static_path]
        if not any((folder / self.text).is_file() for folder in folders):
            raise SphinxError(f"no static file: {self.text}")
        address = f"{'../' * self.env.docname.count('/')}_static/{self.text}"
        return [nodes.reference("", self.text, refuri=address)], []


def setup(app: Sphinx) -> None:
    """Add the role."""
    app.add_role("static", Static())
