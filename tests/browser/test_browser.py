"""The browser of the tests reaches no other machine; pages of the documentation work in it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from subprocess import DEVNULL, PIPE, Popen
from typing import TYPE_CHECKING

import pytest

import pontedeldiavolo as pdd
from support.paths import ROOT, screenshots

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


def test_screenshots_are_kept_where_wanted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PONTE_SCREENSHOTS", str(tmp_path))
    assert screenshots() == tmp_path
    monkeypatch.delenv("PONTE_SCREENSHOTS")
    assert screenshots() == ROOT / "build" / "screenshots"


def test_the_browser_reaches_no_other_machine(page: Page, strangers: list[str]) -> None:
    with page.expect_event("requestfailed"):
        page.set_content("<img src='https://example.invalid/a.png'>")
    assert strangers.pop() == "https://example.invalid/a.png"


SIDE = 6
PAGE = """<body style="margin: 0"><svg width="360" height="360"></svg><div></div>
<script>%s
const [svg, div] = [document.querySelector("svg"), document.querySelector("div")];
const words = { red: "Rot" };
async function play(action) { show(svg, div, JSON.parse(await send(action)), play, words); }
play("");
</script>"""
OPENING = "Player 1 opens the game with two white tiles."
MIDDLE = """(cell) => {
  const box = document.querySelector(`[data-cell="${cell}"]`).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


@pytest.fixture
def address() -> Iterator[str]:
    program = [sys.executable, str(ROOT / "examples" / "web_game.py"), "0"]
    with Popen(program, stdout=PIPE, stderr=DEVNULL, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.kill()


def test_a_game_by_clicks(page: Page, address: str) -> None:
    def click(cell: str) -> None:
        page.mouse.click(*page.evaluate(MIDDLE, cell))

    def said(place: str, text: str) -> None:
        page.locator(f"#{place}", has_text=text).wait_for()

    def place(first: str, second: str) -> None:
        click(first)
        said("state", f"the first is on {first}")
        click(second)

    page.goto(address)
    said("state", OPENING)
    place("b2", "b2")
    said("state", OPENING)
    place("b2", "c4")
    page.get_by_role("button", name="red").click()
    said("state", "Red to move")
    click("b2")
    said("message", "Already taken by a tile: b2.")
    place("f1", "f6")
    said("state", "White to move")
    click("b2")
    said("message", "A bridge from b2: click its other end.")
    assert page.locator(".selected").get_attribute("data-cell") == "b2"
    click("e2")
    said("message", "A bridge spans")
    assert page.locator(".selected").count() == 0
    click("d2")
    said("state", "the first is on d2")
    click("d2")
    page.locator("#state", has_not_text="the first is on").wait_for()
    click("b2")
    said("message", "A bridge from b2: click its other end.")
    click("c4")
    said("state", "Red to move")
    assert page.locator('.bridge[data-bridge="b2-c4"]').count() == 1


def test_tiles_bridges_and_colours_by_clicks(page: Page) -> None:
    game = pdd.Game.new(pdd.Rules(pdd.Board(SIDE, SIDE)))

    def send(action: str) -> str:
        nonlocal game
        game = game.play(action) if action else game
        return json.dumps(pdd.json.snapshot(game)["value"])

    def click(text: str) -> None:
        cell = pdd.parse_cell(text)
        edge = 360 // SIDE
        page.mouse.click(edge * cell.column + 9, edge * (SIDE - 1 - cell.row) + 9)

    page.expose_function("send", send)
    script = (ROOT / "examples" / "board.js").read_text("utf-8")
    page.set_content(PAGE % script.replace("export ", ""))
    assert page.locator("rect").count() == SIDE * SIDE
    # A first click can be undone, and a second click that fits no action does nothing.
    for text in ("a1", "a1", "c3", "a1"):
        click(text)
    assert page.locator("button").all_text_contents() == ["white", "Rot"]
    page.click("text=Rot")
    for text in ("a1", "b4", "d2"):
        click(text)
    page.wait_for_selector("rect[fill='#b2402f']")
    for text in ("b1", "c3", "a1"):
        click(text)
    page.wait_for_selector("polyline")
    assert [*map(pdd.format_action, game.actions)] == ["a1,c3", "red", "d2,b4", "a1-c3"]
    assert page.locator("button").count() == 0
