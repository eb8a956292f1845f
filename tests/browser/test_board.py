"""The recipe of the documentation: a board that draws snapshots and takes clicks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pontedeldiavolo as pdd
from support.paths import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIDE = 6
PAGE = """<body style="margin: 0"><svg width="360" height="360"></svg><div></div>
<script>%s
const [svg, div] = [document.querySelector("svg"), document.querySelector("div")];
async function play(action) { show(svg, div, JSON.parse(await send(action)), play); }
play("");
</script>"""


def test_tiles_bridges_and_colours_by_clicks(page: Page) -> None:
    game = pdd.Game.new(pdd.Rules(pdd.Board(SIDE, SIDE)))

    def send(action: str) -> str:
        nonlocal game
        game = game.play(action) if action else game
        return json.dumps(pdd.json.snapshot(game)["value"])

    def click(text: str) -> None:
        cell, edge = pdd.parse_cell(text), 360 // SIDE
        page.mouse.click(edge * cell.column + 9, edge * (SIDE - 1 - cell.row) + 9)

    page.expose_function("send", send)
    script = (ROOT / "examples" / "board.js").read_text("utf-8")
    page.set_content(PAGE % script.replace("export ", ""))
    assert page.locator("rect").count() == SIDE * SIDE
    # A first click can be taken back, and one that cannot go on does nothing.
    for text in ("a1", "a1", "c3", "a1"):
        click(text)
    page.click("text=red")
    for text in ("a1", "b4", "d2"):
        click(text)
    page.wait_for_selector("rect[fill='#b2402f']")
    for text in ("b1", "c3", "a1"):
        click(text)
    page.wait_for_selector("polyline")
    assert [*map(pdd.format_action, game.actions)] == ["a1,c3", "red", "d2,b4", "a1-c3"]
    assert page.locator("button").count() == 0
