"""The menu "Share": links, pictures, replay pages, animations and records."""

from __future__ import annotations

import io
import re
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.web import sharing
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore
from support.http_client import BY_AN_ISLAND, SMALL, fixed_seed
from support.screens import PATIENCE, Screen, prefer_language, press, reach, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WORDS = dict(LANGUAGES)


@pytest.fixture
def site() -> Site:
    """Return a site on a known day, which stands in records."""
    return Site(MemoryStore(), fixed_seed, today=lambda: date(2026, 2, 3))


@pytest.fixture
def screen(page: Page, address: str) -> Screen:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    return Screen(page, address)


def speak(screen: Screen, language: str) -> None:
    screen.page.select_option("#language", language)
    screen.page.wait_for_function("code => document.documentElement.lang === code", arg=language)


def open_share(screen: Screen) -> None:
    screen.page.click("#show-menu")
    screen.page.click("#open-share")
    screen.page.wait_for_selector("#share[open]")


def saved(screen: Screen, button: str) -> tuple[str, bytes]:
    """Return the name and the content of the file that a button saves."""
    with screen.page.expect_download() as found:
        screen.page.click(button)
    return found.value.suggested_filename, Path(found.value.path()).read_bytes()


def copied(screen: Screen) -> str:
    return str(screen.page.evaluate("navigator.clipboard.readText()"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_can_be_saved(screen: Screen, language: str, keep: Path) -> None:
    page = screen.page
    screen.begin_by_an_island()
    speak(screen, language)
    open_share(screen)
    words = WORDS[language]
    players = [pdd.messages.word(seat, words) for seat in pdd.Seat]
    stem = "-".join(["ponte", *(name.replace(" ", "-") for name in players), "2026-02-03"])
    name, record = saved(screen, "#share-record")
    assert name == f"{stem.lower()}.pdd"
    game = pdd.records.loads(record.decode())
    assert game.tags == {"Date": "2026.02.03"}
    assert game.actions == tuple(map(pdd.parse_action, BY_AN_ISLAND))
    name, picture = saved(screen, "#share-svg")
    assert name == f"{stem.lower()}-{game.state.turn}.svg"
    options: Any = {"last": game.actions[-1], "size": sharing.PICTURE_SIZE, "catalog": language}
    assert picture.decode() == pdd.svg.render(game.state, **options).text
    name, pixels = saved(screen, "#share-png")
    assert name == f"{stem.lower()}-{game.state.turn}.png"
    require_same_picture(pixels, game, options)
    name, replay = saved(screen, "#share-page")
    assert name == f"{stem.lower()}.html"
    assert f'<html lang="{language}">' in replay.decode()
    page.evaluate("document.querySelector('#share-preview').decode()")
    page.screenshot(path=keep)
    assert violations(page) == []


def require_same_picture(octets: bytes, game: pdd.Game, options: Any) -> None:
    """Fail if the browser has not drawn the same picture as the library."""
    image = pytest.importorskip("PIL.Image", reason="not installed: extra png")
    pytest.importorskip("resvg_py", reason="not installed: extra png")
    with image.open(io.BytesIO(octets)) as found:
        assert found.format == "PNG"
        assert max(found.size) == sharing.PICTURE_SIZE
        expected = image.open(io.BytesIO(pdd.raster.png(game.state, **options)))
        small = [each.convert("RGB").resize((40, 40)) for each in (found, expected)]
    pairs = zip(*(each.tobytes() for each in small), strict=True)
    assert sum(abs(a - b) for a, b in pairs) / (3 * 40 * 40) < 4


def test_a_gif_is_saved_where_its_packages_are_installed(screen: Screen) -> None:
    pytest.importorskip("resvg_py", reason="not installed: extra png")
    screen.begin_by_an_island()
    open_share(screen)
    name, animation = saved(screen, "#share-gif")
    assert name == "ponte-player-1-player-2-2026-02-03.gif"
    assert animation.startswith(b"GIF89a")
    screen.waits_for("share-note", "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_else_a_sentence_says_what_to_install(
    screen: Screen, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "find_spec", lambda _name: None)
    screen.begin_by_an_island()
    speak(screen, language)
    open_share(screen)
    assert not screen.page.is_visible("#share-gif")
    sentence = screen.text("share-obstacle")
    assert "[png]" in sentence
    obstacle = sharing.animation_obstacle()
    assert obstacle is not None
    assert sentence.startswith(pdd.messages.explain(obstacle, language).partition(":")[0])


def test_a_failed_animation_is_told(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resvg_py", reason="not installed: extra png")
    monkeypatch.setattr(sharing, "MAX_ANIMATED_ACTIONS", 1)
    screen.begin_by_an_island()
    open_share(screen)
    screen.page.click("#share-gif")
    screen.waits_for("share-note", "An animation has at most 1 action here.")


def test_a_link_leads_to_the_moment(screen: Screen, elsewhere: Screen) -> None:
    page = screen.page
    screen.begin_by_an_island()
    page.click("[data-do='previous']")
    page.click("[data-do='previous']")
    open_share(screen)
    link = page.input_value("#share-link")
    assert re.fullmatch(re.escape(screen.address) + r"/#[0-9a-f]{32}/3", link)
    page.click("#share-copy")
    screen.waits_for("share-note", "Copied.")
    assert copied(screen) == link
    _, picture = saved(screen, "#share-svg")
    assert picture.count(b'class="tile ') == 4
    other = elsewhere
    other.page.goto(link)
    other.waits_for("at", "2/4")
    assert other.page.locator("#board.past").count() == 1
    # It is the same game: the reader sees how it went on, and every other moment.
    other.page.click("#back")
    other.waits_for("at", "4")
    other.page.evaluate("location.hash = location.hash.replace('/3', '/1')")
    other.waits_for("at", "1/4")
    other.page.evaluate("location.hash = location.hash.replace('/1', '/999')")
    other.waits_for("at", "4")


def test_the_link_of_the_present_is_that_of_the_game(screen: Screen) -> None:
    screen.begin_by_an_island()
    open_share(screen)
    assert screen.page.input_value("#share-link") == screen.page.url
    assert screen.page.is_visible("#share-local")


def test_an_invitation_never_names_a_moment(screen: Screen) -> None:
    page = screen.page
    screen.arrive()
    screen.choose(seat="first")
    page.click("#begin")
    page.wait_for_selector("#link")
    address = page.url
    page.evaluate("location.hash += '/0'")
    page.reload()
    page.wait_for_selector("#link")
    assert page.input_value("#link") == address


def test_the_record_is_copied(screen: Screen) -> None:
    screen.begin_by_an_island()
    open_share(screen)
    screen.page.click("#copy-record")
    screen.waits_for("share-note", "Copied.")
    game = pdd.records.loads(copied(screen))
    assert game.actions == tuple(map(pdd.parse_action, BY_AN_ISLAND))


def variation_of(record: bytes) -> None:
    """Fail if a record has not exactly the tried move as a variation."""
    [variation] = pdd.records.loads(record.decode()).line.moves[3].variations
    assert variation.actions == (pdd.parse_action("c4,d4"),)


@pytest.mark.parametrize("language", LANGUAGES)
def test_moves_beside_the_game_lead_to_where_they_begin(
    screen: Screen, language: str, keep: Path
) -> None:
    """The link is one of the game, the rest has the moves beside it, and each part says so."""
    page = screen.page
    prefer_language(page, language)
    screen.begin_by_an_island()
    words = WORDS[language]
    link = str(words["page.share-link-about"]).format(turn=2)
    page.click("[data-do='previous']")
    page.click("[data-do='previous']")
    page.click("#show-menu")
    page.click("#menu-try")
    page.wait_for_selector("#board.trial")
    open_share(screen)
    # Nothing has been tried yet: the board shows a moment of the game.
    screen.waits_for("share-moment", str(words["page.earlier"]).format(turn=2, last=4))
    screen.waits_for("share-link-about", "")
    address = page.input_value("#share-link")
    assert address.endswith("/3")
    press(screen, "Escape")
    screen.click("c4", "d4")
    open_share(screen)
    screen.waits_for("share-moment", str(words["page.share-tried"]))
    screen.waits_for("share-link-about", link)
    assert page.input_value("#share-link") == address
    # What is saved has the own moves, although the game has not.
    variation_of(saved(screen, "#share-record")[1])
    game = pdd.Game.from_actions(pdd.parse_rules(SMALL), (*BY_AN_ISLAND[:3], "c4,d4"))
    _, picture = saved(screen, "#share-svg")
    options: Any = {"size": sharing.PICTURE_SIZE, "catalog": language}
    assert picture.decode() == pdd.svg.render(game.state, last=game.actions[-1], **options).text
    assert b"c4 d4" in saved(screen, "#share-page")[1]
    page.evaluate("document.querySelector('#share-preview').decode()")
    page.screenshot(path=keep)
    assert violations(page) == []
    press(screen, "Escape")
    page.click("[data-command='keep']")
    screen.waits_for("state", str(words["page.trial-kept"]))
    page.click("[data-command='leave']")
    page.click("#moves .variation a")
    open_share(screen)
    screen.waits_for("share-moment", str(words["page.share-variation"]).format(turn=2))
    screen.waits_for("share-link-about", link)
    assert page.input_value("#share-link") == address
    variation_of(saved(screen, "#share-record")[1])


def test_without_a_clipboard_the_text_is_copied_from_a_field(screen: Screen) -> None:
    page = screen.page
    # Over HTTP in a local network, browsers have no clipboard for pages.
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    screen.begin_by_an_island()
    open_share(screen)
    page.evaluate(
        "document.addEventListener('copy', () => (window.copied = getSelection().toString() ||"
        " document.activeElement.value))"
    )
    page.focus("#copy-record")
    press(screen, "Enter")
    screen.waits_for("share-note", "Copied.")
    assert pdd.records.loads(page.evaluate("window.copied")).actions
    assert page.evaluate("document.activeElement.id") == "copy-record"


def test_it_can_be_done_with_the_keyboard(screen: Screen) -> None:
    page = screen.page
    screen.begin_by_an_island()
    page.focus("#show-menu")
    press(screen, "Enter")
    reach(screen, "#open-share")
    press(screen, "Enter")
    page.wait_for_selector("#share[open]")
    reach(screen, "#share-record")
    with page.expect_download() as found:
        press(screen, "Enter")
    assert found.value.suggested_filename.endswith(".pdd")
    press(screen, "Escape")
    assert not page.is_visible("#share")
    assert page.evaluate("document.activeElement.id") == "show-menu"


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_can_be_done_with_a_finger(
    browser: Browser, address: str, language: str, keep: Path
) -> None:
    context = browser.new_context(
        viewport={"width": 320, "height": 568}, has_touch=True, is_mobile=True
    )
    context.set_default_timeout(PATIENCE)
    screen = Screen(context.new_page(), address)
    screen.begin_by_an_island()
    page = screen.page
    speak(screen, language)
    page.tap("#show-menu")
    page.tap("#open-share")
    page.wait_for_selector("#share[open]")
    page.evaluate("document.querySelector('#share-preview').decode()")
    page.screenshot(path=keep)
    assert page.evaluate("document.querySelector('#share').scrollWidth") <= 320
    with page.expect_download() as found:
        page.tap("#share-png")
    assert found.value.suggested_filename.endswith(".png")
    assert violations(page) == []
    context.close()
