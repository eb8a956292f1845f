"""Write the files that readers can download, and link to them with the role ``static``."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

import blocks
import typescript
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import SphinxError

import pontedeldiavolo as pdd

SCHEMA: Final = "pontedeldiavolo.schema.json"
"""The JSON schema of all documents."""
VECTORS: Final = Path(__file__).parents[1] / "tests" / "data" / "compatibility" / "0.1.0"
"""The folder of the conformance vectors."""


def write(folder: Path) -> None:
    """Write the files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SCHEMA).write_text(json.dumps(pdd.json.schema(), indent=2) + "\n", "utf-8")
    for name in ("conformance.json", "conformance.schema.json"):
        shutil.copy(VECTORS / name, folder)
    (folder / "bots.py").write_text(blocks.finished_bots(), "utf-8")
    shutil.copyfile(typescript.TYPES, folder / typescript.TYPES.name)


def static(
    _role: str, _source: str, text: str, _line: int, inliner: Any, *_: Any
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Return a link to a static file by its name, for the role ``static``."""
    env = inliner.document.settings.env
    folders = [Path(env.app.confdir, name) for name in env.config.html_static_path]
    if not any((folder / text).is_file() for folder in folders):
        raise SphinxError(f"no static file: {text}")
    address = f"{'../' * env.docname.count('/')}_static/{text}"
    return [nodes.reference("", text, refuri=address)], []


def setup(app: Sphinx) -> None:
    """Add the role."""
    app.add_role("static", static)
