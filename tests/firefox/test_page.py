"""The page for playing, in Firefox: a game by mouse and by keys, and all that is beside a game."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.web.folder import FolderStore
from pontedeldiavolo.web.site import Site
from support.firefox import Firefox
from support.http_client import AT_THE_ISLAND, BY_AN_ISLAND, SMALL, fixed_seed
from support.http_server import in_thread
from support.screens import TINY

pytestmark = pytest.mark.nightly

ENGLISH = LANGUAGES["en"]
GERMAN = LANGUAGES["de"]
TARGET = "#cells button.target"


def begin(fox: Firefox, address: str, rules: str = SMALL, way: str = "both", **more: str) -> None:
    """Begin a game on the start page."""
    fox.goes("about:blank")
    fox.goes(f"{address}/")
    # The lists of levels and of rules come from the server.
    fox.waits(lambda: fox.all("#rules option[value='']") and fox.all("#level-chips [value]"))
    fox.clicks(f"label[for='way-{way}']")
    if level := more.get("level"):
        fox.clicks(f"#level-chips label:has([value='{level}'])")
    if seat := more.get("seat"):
        fox.clicks(f"#begins-chips label:has([value='{seat}'])")
    fox.clicks("#more summary")
    fox.chooses("#rules", "")
    fox.fills("#rules-text", rules)
    if minutes := more.get("minutes"):
        fox.fills("#minutes", minutes)
    fox.clicks("#begin")
    fox.waits_for("#board")


def plies(fox: Firefox) -> int:
    """Return the number of actions in the list, which begins with the start."""
    return len(fox.all("#moves li")) - 1


def settled(fox: Firefox) -> bool:
    """Return whether no answer is awaited."""
    return not fox.all("#cells[aria-busy=true]")


def click_cells(fox: Firefox, *cells: str) -> None:
    for cell in cells:
        fox.clicks(f"#cells button[data-cell='{cell}']")
        fox.waits(lambda: settled(fox))


def tap(fox: Firefox, *cells: str) -> None:
    """Touch cells with a finger."""
    for cell in cells:
        [button] = fox.all(f"#cells button[data-cell='{cell}']")
        fox.driver.actions.sequence("pointer", "finger", {"pointerType": "touch"}).pointer_move(
            0, 0, origin=button
        ).pointer_down().pointer_up().perform()
        fox.waits(lambda: settled(fox))


def play(fox: Firefox, *actions: str) -> None:
    """Play actions in a game that begins, by clicks, and wait for each."""
    for number, action in enumerate(actions, plies(fox) + 1):
        if action in ("white", "red", "pass"):
            fox.clicks(f"[data-action='{action}']")
        else:
            click_cells(fox, *re.split("[,-]", action))
        fox.waits(partial(has_plies, fox, number))


def has_plies(fox: Firefox, number: int) -> bool:
    return plies(fox) == number


def is_mine(fox: Firefox) -> bool:
    """Return whether this player must act, or the game has ended."""
    return settled(fox) and any(
        fox.sees(each) for each in (TARGET, "#choices [data-action]", "#result")
    )


def play_to_the_end(fox: Firefox) -> int:
    """Play the first possible action by mouse until the end; return the number of clicks."""
    clicks = 0
    while True:
        fox.waits(lambda: is_mine(fox))
        if fox.sees("#result"):
            return clicks
        before = said(fox)
        fox.clicks("#choices [data-action]" if fox.sees("#choices [data-action]") else TARGET)
        clicks += 1
        assert clicks < 200
        fox.waits(partial(says_anything_but, fox, before))


def said(fox: Firefox) -> str:
    """Return the last sentence of the line, displayed or not."""
    return str(fox.script("return document.getElementById('state').textContent"))


def says_anything_but(fox: Firefox, before: str) -> bool:
    return said(fox) != before


def test_a_game_against_the_computer_by_mouse(fox: Firefox, address: str, keep: Path) -> None:
    fox.goes(f"{address}/")
    fox.waits_for("#begin")
    fox.look(keep.with_stem(f"{keep.stem}-start"))
    begin(fox, address, TINY, "computer", level="level-1", seat="first")
    assert play_to_the_end(fox) > 4
    assert fox.text("#outcome") in {
        str(ENGLISH[f"page.{key}"]) for key in ("result-won", "result-lost", "result-drawn")
    }
    fox.look(keep)
    # The record in a file is the game on the screen.
    fox.clicks("#show-menu")
    fox.clicks("#open-share")
    game = pdd.records.loads(fox.downloads("#share-record").read_text("utf-8"))
    assert game.ending is not None
    reason = fox.script("return document.getElementById('reason').textContent")
    assert reason == pdd.messages.result(game)


def test_a_refusal_is_said_and_explained(fox: Firefox, address: str, keep: Path) -> None:
    begin(fox, address)
    play(fox, *BY_AN_ISLAND)
    click_cells(fox, "c3")
    fox.waits_for_text("#refusal", str(ENGLISH["page.refused-island-touched"]))
    assert len(fox.all("#cells [data-roles~=island]")) == 4
    fox.look(keep)
    fox.clicks("#why")
    fox.waits_for_text("#refusal", AT_THE_ISLAND["en"])


def test_an_action_is_undone(fox: Firefox, address: str) -> None:
    begin(fox, address)
    play(fox, *BY_AN_ISLAND)
    click_cells(fox, "d1")
    fox.waits_for_text("#headline", str(ENGLISH["page.second-tile"]))
    fox.presses("ESCAPE")
    fox.waits_for_text("#headline", str(ENGLISH["page.turn-white"]))
    fox.clicks("#undo")
    fox.waits(partial(has_plies, fox, len(BY_AN_ISLAND) - 1))


def test_two_windows_and_offers(fox: Firefox, address: str, keep: Path) -> None:
    begin(fox, address, way="link", seat="first")
    link = fox.script("return document.getElementById('link').value")
    with fox.elsewhere() as (here, there):
        fox.turns_to(there)
        fox.goes(link)
        fox.waits_for("#invited")
        fox.fills("#visitor", "Bo")
        fox.clicks("#invited [data-seat=second]")
        fox.turns_to(here)
        fox.waits_without("#invitation")
        fox.waits_for_text("#cards", "Bo")
        play(fox, "a1,b1")
        fox.turns_to(there)
        fox.waits_for("[data-action=red]")
        fox.clicks("[data-action=red]")
        fox.waits_for_text("#moves", str(ENGLISH["page.red"]))
        fox.clicks("#show-menu")
        fox.clicks("#draw")
        if fox.sees("#menu"):
            fox.clicks("#close-menu")
        fox.turns_to(here)
        fox.waits_for_text("#headline", "Bo offers a draw")
        fox.look(keep)
        fox.clicks("[data-command=decline]")
        fox.turns_to(there)
        fox.waits_for_text("#line", "has declined the draw")
        fox.clicks("#resign")
        fox.clicks("#sure button[value=yes]")
        fox.waits_for_text("#outcome", str(ENGLISH["page.result-lost"]))
        fox.turns_to(here)
        fox.waits_for_text("#outcome", str(ENGLISH["page.result-won"]))
        fox.look(keep.with_stem(f"{keep.stem}-end"))


def test_keys_alone_play_a_turn_and_step(fox: Firefox, address: str) -> None:
    begin(fox, address)
    # The game has the focus as soon as it begins.
    fox.waits(lambda: fox.script("return document.activeElement.matches('#cells button')"))
    fox.presses("HOME", "PAGE_DOWN", "ENTER", "ARROW_RIGHT", "SPACE")
    fox.waits_for("[data-action=red]")
    assert plies(fox) == 1
    fox.clicks("[data-action=red]")
    fox.waits(partial(has_plies, fox, 2))
    fox.presses(",")
    fox.waits_for("#board.past")
    fox.presses(".")
    fox.waits_without("#board.past")
    # Without a focus the arrows step through the game.
    fox.script("document.activeElement.blur()")
    fox.presses("ARROW_LEFT")
    fox.waits_for("#board.past")
    fox.presses("ARROW_RIGHT")
    fox.waits_without("#board.past")


def test_dialogs_open_and_close_by_keys(fox: Firefox, address: str, keep: Path) -> None:
    begin(fox, address)
    for button, dialog in (("#show-rules", "#how"), ("#show-menu", "#menu")):
        fox.clicks(button)
        fox.waits_for(dialog)
        fox.look(keep.with_stem(f"{keep.stem}-{dialog[1:]}"))
        fox.presses("ESCAPE")
        fox.waits_without(dialog)
        assert fox.script("return document.activeElement.matches(arguments[0])", button)


def test_the_language_is_kept(fox: Firefox, address: str, keep: Path) -> None:
    begin(fox, address)
    fox.chooses("#language", "de")
    fox.waits_for_text("#headline", str(GERMAN["page.turn-white"]))
    fox.driver.refresh()
    fox.waits_for_text("#headline", str(GERMAN["page.turn-white"]))
    assert fox.script("return document.documentElement.lang") == "de"
    fox.look(keep)


def test_my_games_are_found_again(fox: Firefox, address: str, keep: Path) -> None:
    begin(fox, address)
    play(fox, "a1,b1")
    here = fox.driver.get_url()
    fox.clicks("h1 a")
    fox.waits_for("#my-games .saved img")
    fox.waits(lambda: fox.script("return document.querySelector('#my-games img').naturalWidth") > 0)
    fox.look(keep)
    fox.clicks("#my-games .saved a")
    fox.waits_for("#board")
    assert fox.driver.get_url() == here
    fox.driver.go_back()
    fox.waits_for("#start")
    fox.clicks("#my-games .saved button")
    fox.waits_for_text("#my-games", "Removed: Player 1 – Player 2")


def test_a_game_is_reviewed_and_a_moment_analysed(
    fox: Firefox, address: str, keep: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.ANALYSIS_PLAYER", "mcts:simulations=200")
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.REVIEW_PLAYER", "mcts:simulations=50")
    begin(fox, address)
    play(fox, *BY_AN_ISLAND)
    fox.clicks("#resign")
    fox.clicks("#sure button[value=first]")
    fox.waits_for("#result")
    fox.clicks("#look-back")
    fox.waits_for("#reviewed", 90)
    fox.look(keep)
    fox.presses(",")
    fox.clicks("#analyse")
    fox.waits_for("#lines [aria-pressed=true]", 90)
    assert fox.all("#expected .line.shown .tile")
    fox.look(keep.with_stem(f"{keep.stem}-analysis"))


def test_pictures_and_pages_are_saved(fox: Firefox, address: str) -> None:
    begin(fox, address)
    play(fox, *BY_AN_ISLAND)
    fox.clicks("#show-menu")
    fox.clicks("#open-share")
    fox.waits_for("#share")
    assert fox.downloads("#share-png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert fox.downloads("#share-svg").read_text("utf-8").startswith("<svg")
    replay = fox.downloads("#share-page")
    fox.goes(replay.as_uri())
    fox.waits_for("svg")
    fox.presses("END")


def test_the_link_is_copied(fox: Firefox, address: str) -> None:
    begin(fox, address, way="link", seat="first")
    fox.clicks("#copy")
    fox.waits_for_text("#copy", str(ENGLISH["page.copied"]))


def test_sounds_do_not_fail(fox: Firefox, address: str) -> None:
    begin(fox, address)
    fox.clicks("#show-menu")
    fox.clicks("#sounds")
    fox.clicks("#close-menu")
    play(fox, *BY_AN_ISLAND)
    click_cells(fox, "c3")
    assert fox.script("return document.getElementById('sounds').checked")


def test_a_stopped_server_is_found_again(fox: Firefox, tmp_path: Path) -> None:
    def site() -> Site:
        return Site(FolderStore(tmp_path), fixed_seed)

    with in_thread(site()) as address:
        begin(fox, address, minutes="5")
        play(fox, "a1,b1", "red")
        click_cells(fox, "f1")
    fox.waits_for_text("#headline", str(ENGLISH["page.no-connection"]))
    with in_thread(site(), urlsplit(address).port or 0):
        fox.waits_for_text("#headline", str(ENGLISH["page.second-tile"]))
        click_cells(fox, "f5")
        fox.waits(partial(has_plies, fox, 3))
    fox.goes("about:blank")


def test_a_trial_beside_the_game(fox: Firefox, address: str, keep: Path) -> None:
    begin(fox, address)
    play(fox, *BY_AN_ISLAND)
    fox.clicks("#show-menu")
    fox.clicks("#menu-try")
    fox.waits_for("#trial")
    click_cells(fox, "d1", "e3")
    fox.look(keep)
    fox.clicks("[data-command=leave]")
    fox.waits_without("#trial")
    assert plies(fox) == len(BY_AN_ISLAND)


def test_the_dark_theme(fox: Firefox, address: str, keep: Path) -> None:
    with fox.prefers(**{"layout__css__prefers-color-scheme__content-override": 0}):
        begin(fox, address)
        play(fox, *BY_AN_ISLAND)
        background = "return getComputedStyle(document.body).backgroundColor"
        assert fox.script(background) == "rgb(17, 22, 26)"
        sea = "return getComputedStyle(document.querySelector('#picture .sea')).fill"
        water = bytes.fromhex(pdd.svg.DARK.water[1:])
        assert fox.script(sea) == f"rgb({', '.join(map(str, water))})"
        fox.look(keep)


def test_a_small_touch_screen_asks_before_a_move(fox: Firefox, address: str, keep: Path) -> None:
    touch = {"ui__primaryPointerCapabilities": 1, "ui__allPointerCapabilities": 1}
    before = fox.driver.window_rect
    with fox.prefers(**touch):
        # No window of Firefox is narrower than 450 pixels.
        fox.driver.set_window_rect(width=450, height=800)
        begin(fox, address, "16x16 tiles=unlimited bridges=unlimited tiebreaks=none")
        tap(fox, "a1", "b1")
        fox.waits_for("[data-command=place]")
        assert plies(fox) == 0
        fox.look(keep)
        fox.clicks("[data-command=place]")
        fox.waits(partial(has_plies, fox, 1))
        assert fox.script("return document.scrollingElement.scrollWidth <= innerWidth")
    fox.driver.set_window_rect(width=before["width"], height=before["height"])


def test_axe_finds_nothing(fox: Firefox, address: str) -> None:
    package = pytest.importorskip("axe_playwright_python")
    axe = (Path(package.__file__).parent / "axe.min.js").read_text("utf-8")

    def violations() -> list[str]:
        fox.driver.execute_script(axe, new_sandbox=False)
        found: list[str] = fox.driver.execute_async_script(
            "const [done] = arguments; window.axe.run(document)"
            ".then((all) => done(all.violations.map((each) => each.id)));",
            new_sandbox=False,
        )
        return found

    fox.goes(f"{address}/")
    fox.waits_for("#begin")
    assert violations() == []
    begin(fox, address)
    play(fox, *BY_AN_ISLAND)
    click_cells(fox, "c3")
    assert violations() == []
    fox.clicks("#show-rules")
    assert violations() == []
