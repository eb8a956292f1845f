"""The JavaScript of the pages works as they describe."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import pontedeldiavolo as pdd
from support.paths import ROOT

HOWTO = ROOT / "docs" / "howto"
BLOCK = re.compile(r"^```(javascript|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FETCH = "const fetch = async (path) => ({ json: async () => JSON.parse(sent[path]) });\n"
GAME = pdd.Game.from_actions(pdd.Rules(pdd.Board(6, 6)), ["b2,c3", "red", "e4,e5"])


def printed(program: str, folder: Path) -> str:
    """Run a program with Node.js, and return its output."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    path = folder / "page.mjs"
    path.write_text(program, "utf-8")
    done = subprocess.run([node, str(path)], capture_output=True, check=True, text=True, timeout=60)
    return done.stdout


def javascript_of(page: Path) -> str:
    blocks = BLOCK.findall(page.read_text("utf-8"))
    return "\n".join(text for kind, text in blocks if kind == "javascript")


def test_javascript_prints_what_the_page_says(tmp_path: Path) -> None:
    page = HOWTO / "javascript.md"
    table = json.dumps(pdd.json.snapshot(GAME))
    documents = {"/game": pdd.json.dumps(GAME), "/snapshot": table}
    head = f"const sent = {json.dumps(documents)};\n{FETCH}"
    blocks = BLOCK.findall(page.read_text("utf-8"))
    shown = "".join(text for kind, text in blocks if kind == "text")
    assert printed(head + javascript_of(page), tmp_path) == shown


def test_clicks_of_the_reference_place_two_tiles(tmp_path: Path) -> None:
    table = json.dumps(pdd.json.snapshot(GAME))
    head = f"""const posted = [];
const fetch = async (path, request) =>
  request ? posted.push([path, request.body]) : {{ json: async () => ({table}) }};
"""
    # The first click on d3 is legal, the second click undoes it, and c3 is occupied.
    clicks = "for (const cell of ['d3', 'd3', 'c3', 'd3', 'a5']) click(cell);\n"
    program = head + javascript_of(ROOT / "docs/reference/json.md") + clicks
    said: Any = json.loads(printed(f"{program}console.log(JSON.stringify(posted));", tmp_path))
    assert said == [["/play", "d3,a5"]]


def test_parts_of_a_picture_are_shown_turn_by_turn(tmp_path: Path) -> None:
    parts = [{"turn": "2"}, {"from": "1", "until": "3"}, {"from": "3"}]
    head = f"""const parts = {json.dumps(parts)}.map((dataset) => ({{ dataset, style: {{}} }}));
const svg = {{ querySelectorAll: () => parts }};
"""
    foot = """for (const turn of [1, 2, 3]) {
  show(svg, turn);
  console.log(parts.map((part) => part.style.display).join(" "));
}"""
    shown = printed(head + javascript_of(HOWTO / "show.md") + foot, tmp_path)
    assert shown.splitlines() == ["none inline none", "inline inline none", "inline none inline"]
