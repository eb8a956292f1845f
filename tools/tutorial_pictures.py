"""Make the screenshots of the tutorials: ``python -m tools.tutorial_pictures``.

Each is a PNG file in ``docs/pictures``: the web game of the third tutorial after the moves that its
page names, the replay page of the first, and the terminal of the second. The pictures are of what
the pages say, so run the program after a change of those pages or of the looks. It needs
Playwright, Chromium and the extra ``png``.
"""

from __future__ import annotations

import html
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from playwright.sync_api import sync_playwright
from tools.browsers import OPTIONS, WITH_WINDOWS, chromium

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))

import blocks  # the path to it is set above

import pontedeldiavolo as pdd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PICTURES = DOCS / "pictures"
GAME = (
    *("b2,e5", "red", "e2,e3", "b3,c2", "e1,f1", "a2,e6", "a5,b5", "d4,d5", "a6,b6", "c2-d4"),
    *("c1,a3", "f2,f3", "f5,d6", "pass", "a1,f6"),
)
"""The actions of the first tutorial."""
CLICKS = ("b2 e5", "red", "f1 f6", "c4 a6", "d1 c6", "b2 c4")
"""The clicks that the third tutorial names."""
WAIT_MS = 800
COLORS = 128
TERMINAL = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; padding: 14px 16px; background: #1c1c1c; color: #e6e6e6 }}
pre {{ margin: 0; font: 15px/1.45 "DejaVu Sans Mono", monospace }}
</style><pre>{}</pre>"""


@contextmanager
def web_game() -> Iterator[str]:
    """Serve the web game of the examples; yield its address."""
    command = [sys.executable, "examples/web_game.py", "0"]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=env) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def click(page: Page, name: str) -> None:
    """Click a cell or a button, and wait for the answer, if the page asks the server."""
    if name == "red":
        page.get_by_role("button", name="red").click()
    else:
        page.locator(f'[data-cell="{name}"]').first.click(force=True)
    page.wait_for_timeout(WAIT_MS)


def first_web_game(page: Page) -> None:
    """Show the web game after the bridge."""
    with web_game() as address:
        page.set_viewport_size({"width": 560, "height": 640})
        page.goto(address)
        for turn in CLICKS:
            for name in turn.split():
                click(page, name)
        page.screenshot(path=PICTURES / "first-web-game.png")


def first_game(page: Page) -> None:
    """Show the page that replays the game."""
    tags = {"First": "Ada", "Second": "Bo"}
    game = pdd.Game.from_actions(pdd.Rules(pdd.Board(6, 6)), GAME, tags=tags)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "first.html")
        file.write_text(str(pdd.html.replay(game, title="My first game")), "utf-8")
        page.set_viewport_size({"width": 900, "height": 780})
        page.goto(f"{file.as_uri()}#game-1-turn-10")
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=PICTURES / "first-game.png")


def first_bot(page: Page) -> None:
    """Show the terminal after the last match."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "bots.py").write_text(blocks.finished_bots(), "utf-8")
        env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        command = [sys.executable, "bots.py"]
        done = subprocess.run(
            command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True, env=env
        )
    # The content security policy of a page also holds for content that replaces it.
    page.goto("about:blank")
    page.set_viewport_size({"width": 560, "height": 110})
    page.set_content(TERMINAL.format(html.escape(f"$ python bots.py\n{done.stdout}")))
    page.screenshot(path=PICTURES / "first-bot.png", full_page=True)


def main() -> None:
    """Write all pictures."""
    with sync_playwright() as playwright:
        program = chromium(WITH_WINDOWS)
        browser = playwright.chromium.launch(executable_path=program, args=[*OPTIONS])
        page = browser.new_page(color_scheme="light", device_scale_factor=1.5)
        for draw in (first_web_game, first_game, first_bot):
            draw(page)
        browser.close()
    for path in PICTURES.glob("*.png"):
        # A palette takes a third of the bytes.
        Image.open(path).quantize(COLORS).save(path, optimize=True)


if __name__ == "__main__":
    main()
