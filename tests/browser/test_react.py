"""The React component of the examples, bundled and clicked in a real browser."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import pontedeldiavolo as pdd
from support.paths import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

MODULES = ROOT / ".scripts" / "node_modules"
MAIN = """
import { createRoot } from "react-dom/client";
import { Board } from "./examples/Board";

const root = createRoot(document.querySelector("main"));
window.played = [];
const play = (action) => window.played.push(action);
const words = { red: "Rot", blocked: "blockiert" };
window.show = (snapshot) =>
  root.render(<Board snapshot={snapshot} play={play} words={words} />);
"""


@pytest.fixture
def board(page: Page, tmp_path: Path) -> Page:
    esbuild = MODULES / ".bin" / "esbuild"
    if not esbuild.exists() or shutil.which("node") is None:
        pytest.skip("not installed: npm ci in .scripts")
    out = tmp_path / "bundle.js"
    options = ("--bundle", "--loader=tsx", "--jsx=automatic", f"--outfile={out}")
    done = subprocess.run(
        [str(esbuild), *options],
        input=MAIN,
        cwd=ROOT,
        env={"NODE_PATH": str(MODULES)},
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    page.set_content("<main style='width: 30rem'></main>")
    page.add_script_tag(content=out.read_text("utf-8"))
    return page


def shown(board: Page, game: pdd.Game) -> None:
    """Render a game, and wait for its sentence, because React draws later."""
    snapshot: Any = pdd.json.snapshot(game)["value"]
    board.evaluate("(snapshot) => window.show(snapshot)", snapshot)
    sentences = snapshot["sentences"]
    board.get_by_text(sentences["result"] or sentences["state"]).wait_for()


def test_clicks_on_the_component_are_actions(board: Page, keep: Path) -> None:
    rules = pdd.Rules(pdd.Board(28, 6))
    game = pdd.Game.new(rules)
    shown(board, game)
    board.get_by_role("button", name="b2, water", exact=True).click()
    assert board.locator("circle").count() == 28 * 6
    board.get_by_role("button", name="d2, water", exact=True).press("Enter")
    assert board.evaluate("window.played") == ["b2,d2"]
    game = game.play("b2,d2")
    shown(board, game)
    board.get_by_role("button", name="Rot", exact=True).click()
    game = game.play("red").play("ab5,ab6")
    shown(board, game)
    board.get_by_role("button", name="b2, white", exact=True).click()
    board.get_by_role("button", name="d2, white", exact=True).click()
    assert board.evaluate("window.played") == ["b2,d2", "red", "b2-d2"]
    game = game.play("b2-d2")
    shown(board, game)
    assert board.locator("polyline").count() == 1
    assert board.get_by_role("button", name="c2, blockiert", exact=True).is_visible()
    # A finished game has a result and no further clicks.
    shown(board, game.resign(pdd.Seat.FIRST))
    assert board.locator("circle").count() == 0
    board.screenshot(path=keep)
