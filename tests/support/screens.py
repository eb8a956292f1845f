"""A page in a browser, and the actions of a player on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from attrs import frozen

import pontedeldiavolo as pdd
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.messages import LANGUAGES
from support.http_client import BY_AN_ISLAND, SMALL

ENGLISH = LANGUAGES["en"]

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PATIENCE = 20_000
"""The maximum milliseconds in which a page must react."""
TINY = "5x4 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"


@frozen
class Screen:
    """A page, and the address of its server."""

    page: Page
    address: str

    def arrive(self, path: str = "/") -> Screen:
        self.page.goto(f"{self.address}{path}")
        return self

    def begin(
        self,
        rules: str = TINY,
        opponent: str = "none",
        seat: str = "both",
        start: str = "",
        minutes: str = "",
    ) -> Screen:
        self.arrive()
        self.choose(opponent, seat)
        self.page.click("#more summary")
        self.page.select_option("#rules", "")
        self.page.fill("#rules-text", rules)
        self.page.fill("#minutes", minutes)
        if start:
            self.page.fill("#setup", start)
        self.page.click("#begin")
        self.page.wait_for_selector("#game")
        return self

    def choose(self, opponent: str = "none", seat: str = "both") -> None:
        """Choose a way to play on the start page, the level, and who begins."""
        way = "computer" if opponent != "none" else "both" if seat == "both" else "link"
        self.page.click(f"label[for='way-{way}']")
        if way == "computer":
            self.page.click(f"#level-chips label:has([value='{opponent}'])")
        if way != "both":
            self.page.click(f"#begins-chips label:has([value='{seat}'])")

    def cell(self, cell: object) -> Locator:
        return self.page.locator(f"#cells button[data-cell='{cell}']")

    def click(self, *cells: object) -> Screen:
        """Click on cells, and wait for the response to each click."""
        for cell in cells:
            self.cell(cell).click()
            self.wait()
        return self

    def wait(self) -> None:
        """Wait until only the request for news is open."""
        self.page.wait_for_selector("#cells:not([aria-busy='true'])", state="attached")

    def play(self, action: pdd.Action) -> None:
        match action:
            case pdd.PlaceTiles(a, b) | pdd.BuildBridge(a, b):
                self.click(b, a)
            case _:
                self.page.click(f"button[data-action='{pdd.format_action(action)}']")
                self.wait()

    def play_texts(self, *actions: str) -> None:
        """Play actions, given by their texts."""
        for action in actions:
            self.play(pdd.parse_action(action))

    def begin_by_an_island(self) -> None:
        """Begin a small game, and play until a tile on c3 would touch an island."""
        self.begin(SMALL)
        self.play_texts(*BY_AN_ISLAND)

    def menu(self, selector: str) -> None:
        """Click on something in the menu."""
        self.page.click("#show-menu")
        self.page.click(f"#menu {selector}")
        if self.page.is_visible("#menu"):
            self.page.click("#close-menu")

    def shows(self, game: pdd.Game, catalog: Catalog = ENGLISH) -> None:
        """Wait until the page says what has happened last in a game."""
        self.waits_for("state" if game.ending is None else "reason", said(game, catalog))

    def text(self, what: str) -> str:
        """Return the text of a part of the page, such as ``state`` or ``refusal``."""
        return self.page.inner_text(f"#{what}").strip()

    def waits_for(self, what: str, text: str) -> None:
        """Wait until a part of the page has a text."""
        # Playwright could wait by a function, but the page forbids evaluating text as code.
        from playwright.sync_api import expect  # noqa: PLC0415 - may not be there

        expect(self.page.locator(f"#{what}")).to_have_text(text, timeout=PATIENCE)


def said(game: pdd.Game, catalog: Catalog = ENGLISH) -> str:
    """Return the sentence on the result or the last action of a game, or on its opening."""
    if game.ending is not None:
        return pdd.messages.result(game, catalog)
    last = game.actions[-1] if game.actions else None
    value = pdd.json.snapshot(game.state, last=last, catalog=catalog)["value"]
    assert isinstance(value, dict)
    sentences = value["sentences"]
    assert isinstance(sentences, dict)
    return str(sentences["last"] or sentences["state"])


def middle(part: Locator) -> tuple[float, float]:
    """Return the coordinates of the middle of a part of the page."""
    box = part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def prefer_language(page: Page, language: str) -> None:
    """Choose a language before the page is loaded, so that nothing is loaded in two languages."""
    page.add_init_script(f"localStorage.setItem('ponte-language', '{language}')")


# The keyboard


def press(screen: Screen, *keys: str) -> None:
    for key in keys:
        screen.page.keyboard.press(key)
        screen.wait()


def walk(screen: Screen, cell: pdd.Cell) -> None:
    """Move to a cell with the arrow keys."""
    page = screen.page
    now = page.evaluate("document.activeElement.dataset.cell")
    if now is None:
        page.focus("#cells button[tabindex='0']")
        now = page.evaluate("document.activeElement.dataset.cell")
    here = pdd.parse_cell(now)
    across = cell.column - here.column
    up = cell.row - here.row
    press(screen, *["ArrowRight" if across > 0 else "ArrowLeft"] * abs(across))
    press(screen, *["ArrowUp" if up > 0 else "ArrowDown"] * abs(up))
    assert page.evaluate("document.activeElement.dataset.cell") == str(cell)


def on_board(screen: Screen) -> bool:
    """Return whether a cell has the keyboard focus."""
    found: bool = screen.page.evaluate("document.activeElement.matches('#cells button')")
    return found


def reach(screen: Screen, selector: str) -> None:
    """Move to an element with the Tab key."""
    for _ in range(30):
        press(screen, "Tab")
        if screen.page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"no way to {selector}")


# Accessibility


def violations(page: Page) -> list[Any]:
    """Return the violations of accessibility that axe finds."""
    sync = pytest.importorskip("axe_playwright_python.sync_playwright")
    found: list[Any] = sync.Axe().run(page).response["violations"]
    return found
