"""Measure clicks on the page of ``pontedeldiavolo serve``: the size of the answer, and its time.

The program starts a server on this machine with a temporary folder, plays a game at random to its
middle, and opens its page in Chromium. Then it clicks on two cells, measures from the second click
to the next picture on the screen, and takes the action back, again and again.

    python -m benchmarks.clicks --write

``--write`` stores the figures in ``clicks.json``. It needs Playwright and Chromium, as the tests in
``tests/browser`` do, and contacts no other machine.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import platform
import random
from http import HTTPStatus
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from tools.browsers import OPTIONS, WITH_WINDOWS, chromium

import pontedeldiavolo as pdd

from .load import HOST, Client, act, processor, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response

FILE: Final = Path(__file__).with_suffix(".json")
RULES: Final = "tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"
MIDDLES: Final = {"10x10": 24, "26x26": 180}
"""The boards, and the number of plies before the clicks: half of those of a game at random."""
CLICKS: Final = 50
MEASURE: Final = """
([cell]) => new Promise((done) => {
  const button = document.querySelector(`#cells [data-cell="${cell}"]`);
  const picture = document.getElementById("picture");
  const begin = performance.now();
  const observer = new MutationObserver(() => {
    observer.disconnect();
    // The second frame begins when the first one has been painted.
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begin)));
  });
  observer.observe(picture, { childList: true, subtree: true });
  button.click();
})
"""
"""Clicks on a cell, and returns the milliseconds until the picture with the answer is painted."""

BACK: Final = "(count) => document.querySelectorAll('#moves li').length === count"
"""Tells whether the list has as many moves as before."""


def begun(client: Client, board: str) -> dict[str, Any]:
    """Return a game that has been played at random to its middle, with both seats."""
    rng = random.Random(board)
    game: dict[str, Any] = client.ask("POST", "/games", rules=f"{board} {RULES}").data
    for _ in range(MIDDLES[board]):
        played = act(client, game, rng)
        if played is None:
            raise RuntimeError("the server has refused an action")
        game |= {"version": played[1]["version"]}
    return game


def opened(browser: Browser, port: int, game: dict[str, Any]) -> Page:
    """Return the page of a game, as its player sees it."""
    address = f"http://{HOST}:{port}/"
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.goto(address)
    page.evaluate("([id, token]) => localStorage.setItem(`ponte-${id}`, token)", owner(game))
    page.goto(f"{address}#{game['id']}")
    page.reload()
    page.wait_for_selector("#picture svg")
    return page


def owner(game: dict[str, Any]) -> list[str]:
    """Return the ID of a game and the token of its player."""
    return [game["id"], game["token"]]


def measured(page: Page, client: Client, game: dict[str, Any], clicks: int) -> dict[str, float]:
    """Return the medians of many clicks in the same position."""
    answers: list[Response] = []
    page.on("response", lambda found: answers.append(found) if "/actions" in found.url else None)
    rng = random.Random(1)
    record = client.ask("GET", f"/games/{game['id']}/record")
    if record.status != HTTPStatus.OK:
        raise RuntimeError(f"the server has not given the record: {record}")
    pairs = pdd.records.loads(record.data).state.legal_actions.pairs
    plies = page.locator("#moves li").count()
    milliseconds: list[float] = []
    sizes: list[int] = []
    sent: list[int] = []
    for _ in range(clicks):
        pair = pairs.sample(rng)
        page.click(f'#cells [data-cell="{pair.a}"]')
        milliseconds.append(page.evaluate(MEASURE, [str(pair.b)]))
        # The news of the action may have been faster than its answer.
        while not answers:
            page.wait_for_timeout(10)
        answer = answers.pop()
        sizes.append(len(answer.body()))
        sent.append(answer.request.sizes()["responseBodySize"])
        page.click("#undo:enabled")
        page.wait_for_function(BACK, arg=plies)
    return {
        "bytes": median(sizes),
        "largest_bytes": max(sizes),
        "bytes_sent": median(sent),
        "milliseconds": round(median(milliseconds), 1),
        "slowest_milliseconds": round(max(milliseconds), 1),
    }


def main() -> None:
    """Measure and print the figures; with ``--write`` store them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--clicks", type=int, default=CLICKS, help="the number of clicks")
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    given = parser.parse_args()
    # Imported here: --help needs no browser.
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - see above

    boards: dict[str, dict[str, float]] = {}
    with served() as port, sync_playwright() as playwright:
        program = chromium(WITH_WINDOWS)
        browser = playwright.chromium.launch(executable_path=program, args=[*OPTIONS])
        version = browser.version
        for board, plies in MIDDLES.items():
            client = Client(port, "198.51.100.1")
            game = begun(client, board)
            page = opened(browser, port, game)
            # While the page was opened, the server may have closed the idle connection.
            client = Client(port, "198.51.100.1")
            boards[board] = {"plies": plies, **measured(page, client, game, given.clicks)}
            print(f"{board}: {json.dumps(boards[board])}", flush=True)
            page.close()
        browser.close()
    found = {
        "machine": f"{processor()} ({os.cpu_count()}), {platform.system()}",
        "python": platform.python_version(),
        "chromium": version,
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "clicks": given.clicks,
        "boards": boards,
        "load": round(os.getloadavg()[1], 1) if hasattr(os, "getloadavg") else 0,
    }
    if given.write:
        FILE.write_text(f"{json.dumps(found, indent=1, ensure_ascii=False)}\n", "utf-8")


if __name__ == "__main__":
    main()
