"""Make the links of the readme absolute, so that they work on PyPI."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"<picture>.*?</picture>\n*", re.DOTALL)
IMAGE = re.compile(r'(src(?:set)?=")(?!https?:)([^"]+)')
LINK = re.compile(r"\[([^]]+)\]\((?!https?:|#)([^)]+)\)")


def absolute(readme: str, repository: str) -> str:
    """Return the readme with absolute links, or without links if the address is not known."""
    if not repository:
        return LINK.sub(r"\1", PICTURE.sub("", readme))
    base = repository.rstrip("/")
    return LINK.sub(rf"[\1]({base}/blob/HEAD/\2)", IMAGE.sub(rf"\1{base}/raw/HEAD/\2", readme))


class ReadmeHook(MetadataHookInterface):
    """A build hook that reads the readme and the repository's address in ``[project.urls]``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Put the readme into the metadata of the package."""
        text = Path(self.root, "README.md").read_text("utf-8")
        text = absolute(text, metadata.get("urls", {}).get("Repository", ""))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
