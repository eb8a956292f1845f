"""The JavaScript of the page for JavaScript prints what the page says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from support.paths import ROOT

PAGE = ROOT / "docs" / "howto" / "javascript.md"
BLOCK = re.compile(r"^```(javascript|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FETCH = "const fetch = async (path) => ({ json: async () => JSON.parse(sent[path]) });\n"


def test_javascript_prints_what_the_page_says(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    game = pdd.Game.from_actions(pdd.Rules(pdd.Board(6, 6)), ["b2,c3", "red", "e4,e5"])
    documents = {
        "/game": pdd.json.dumps(game),
        "/table": json.dumps(pdd.json.snapshot(game)),
    }
    blocks = BLOCK.findall(PAGE.read_text("utf-8"))
    program = "\n".join(text for kind, text in blocks if kind == "javascript")
    path = tmp_path / "page.mjs"
    head = f"const sent = {json.dumps(documents)};\n{FETCH}"
    path.write_text(head + program, "utf-8")
    done = subprocess.run([node, str(path)], capture_output=True, check=True, text=True, timeout=60)
    assert done.stdout == "".join(text for kind, text in blocks if kind == "text")
