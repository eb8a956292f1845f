"""The examples of the pages: doctests, and code with its output.

``docs/runnable.json`` says for each whether it gives the shown output in a browser, or why not.
``python -m tools.runnable`` writes that list.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from doctest import DocTestParser
from pathlib import Path
from textwrap import dedent
from typing import Final

from attrs import frozen

DOCS: Final = Path(__file__).parent
LIST: Final = DOCS / "runnable.json"
FENCE: Final = re.compile(
    r"^( *)```\{(doctest|testcode|testoutput)\}\n((?: *:[\w-]+:[^\n]*\n)*)(.*?)^\1```$",
    re.DOTALL | re.MULTILINE,
)


@frozen
class Block:
    """An example of a page."""

    kind: str
    """``doctest`` or ``testcode``."""
    text: str
    """Its text; a doctest has prompts and outputs."""
    output: str = ""
    """The output of code; that of a doctest is in its text."""
    options: str = ""

    @property
    def digest(self) -> str:
        """The key of the example in the list."""
        return digest_of(self.kind, self.text)

    @property
    def source(self) -> str:
        """The code without prompts and outputs."""
        if self.kind != "doctest":
            return self.text
        return "".join(each.source for each in DocTestParser().get_examples(self.text))


def digest_of(kind: str, text: str) -> str:
    """Return the digest of an example."""
    return hashlib.sha256(f"{kind}\n{text.strip()}".encode()).hexdigest()[:16]


def blocks_of(text: str) -> list[Block]:
    """Return the examples of a page."""
    return list(_scanned(text))


def _scanned(text: str) -> Iterator[Block]:
    found = [
        Block(each[2], dedent(each[4]).strip("\n"), options=dedent(each[3]))
        for each in FENCE.finditer(text)
    ]
    for number, block in enumerate(found):
        following = found[number + 1] if number + 1 < len(found) else None
        output = following.text if following and following.kind == "testoutput" else ""
        if block.kind != "testoutput":
            yield Block(block.kind, block.text, output, block.options)


def finished_bots() -> str:
    """Return the finished file of the second tutorial, which keeps only the last match."""
    page = (DOCS / "start" / "first-bot.md").read_text("utf-8")
    codes = [each.text for each in blocks_of(page) if each.kind == "testcode"]
    matches = [each for each in codes if each.startswith("match =")]
    return "\n\n".join(f"{each}\n" for each in codes if each not in matches[:-1])


def pages() -> dict[str, list[Block]]:
    """Return the examples of all pages that have some, by the name of the page."""
    found = {}
    for path in sorted(DOCS.rglob("*.md")):
        name = path.relative_to(DOCS).with_suffix("").as_posix()
        if not name.startswith("_build"):
            found[name] = blocks_of(path.read_text("utf-8"))
    return {name: some for name, some in found.items() if some}


def known() -> dict[str, dict[str, str]]:
    """Return the list: for each page and digest an empty text, or the code of a reason."""
    if not LIST.exists():
        return {}
    found: dict[str, dict[str, str]] = json.loads(LIST.read_text("utf-8"))
    return found
