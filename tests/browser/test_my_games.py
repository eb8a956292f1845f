"""My games: cards with a small board, those that wait for the player first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.web.site import Site
from support.http_client import SMALL, Guest
from support.screens import Screen, violations

ENGLISH = LANGUAGES["en"]
GERMAN = LANGUAGES["de"]

if TYPE_CHECKING:
    from playwright.sync_api import Page

CATALOGS = {"en": ENGLISH, "de": GERMAN}
DAY = 86_400_000


def two_people(site: Site, *actions: str, name: str = "Bo") -> Guest:
    """Return player 1 of a game with another person after some actions."""
    first = Guest(site).seated(rules=SMALL, seat="first", name="Ada")
    token = first.looking_on().post("seats", 201, seat="second", name=name)["token"]
    players = {"first": first, "second": Guest(site, first.game, token)}
    for version, action in enumerate(actions, 1):
        mover = first.get()["snapshot"]["seat_to_move"]
        players[mover].post("actions", version=version, action=action)
    return first


def arrive(page: Page, address: str, *games: tuple[Guest, float], yours: str = "first") -> Screen:
    """Open the start page in a browser that has games that are a few days old."""
    kept = [
        f'{{"id": "{guest.game}", "yours": ["{yours}"], "version": 1,'
        f' "at": Date.now() - {int(days * DAY)}}}'
        for guest, days in games
    ]
    page.add_init_script(
        f"if (!localStorage.getItem('ponte-games'))"
        f" localStorage.setItem('ponte-games', JSON.stringify([{', '.join(kept)}]))"
    )
    return Screen(page, address).arrive()


def cards(page: Page) -> list[str]:
    """Return the texts of the cards, once the server has told of the games."""
    page.wait_for_selector("#my-games .saved a:not(:text-is('Game'))")
    return page.locator("#my-games .saved > div").all_inner_texts()


def test_games_that_wait_come_first_and_then_the_latest(
    page: Page, address: str, site: Site, keep: Path
) -> None:
    waiting = two_people(site, name="Cy")
    old = two_people(site, "a1,b1", "white", "d1,e3", name="Di")
    resigned = two_people(site, name="Eve")
    resigned.post("resignation", version=1)
    later = two_people(site, name="Flo")
    screen = arrive(page, address, (old, 0.05), (resigned, 40), (later, 2), (waiting, 3))
    page.wait_for_selector("#my-games .pill")
    page.click("#all-games")
    texts = cards(page)
    assert texts[:2] == ["Flo\n2 days ago", "Cy\n3 days ago"]
    assert texts[2] == "Di\nWaiting for Di · Turn 2 · 0–0 · 1 hour ago"
    assert texts[3].startswith("Eve\nLost · ")
    assert page.locator(".saved:has(.pill)").count() == 2
    images = page.locator("#my-games img")
    assert images.count() == 4
    for image in images.all():
        image.scroll_into_view_if_needed()
    page.wait_for_function(
        "() => [...document.querySelectorAll('#my-games img')].every((e) => e.naturalWidth > 0)"
    )
    page.screenshot(path=keep, full_page=True)
    assert violations(page) == []
    page.select_option("#language", "de")
    page.wait_for_selector("#my-games >> text=vor 3 Tagen")
    assert GERMAN["page.game-lost"] in screen.text("my-games")
    page.click("#my-games a >> nth=0")
    page.wait_for_selector("#game:not([hidden])")
    assert page.url.endswith(later.game)


def test_a_game_is_removed_from_the_list_and_not_from_the_server(
    page: Page, address: str, site: Site
) -> None:
    games = [two_people(site, name=name) for name in ("Cy", "Di")]
    arrive(page, address, (games[0], 1), (games[1], 2))
    assert len(cards(page)) == 2
    remove = page.locator("#my-games button").first
    assert remove.get_attribute("aria-label") == "Remove from the list: Cy"
    page.clock.install()
    remove.click()
    note = page.locator("#my-games .removed")
    assert note.inner_text().split("\n") == ["Removed: Cy", "Undo"]
    assert violations(page) == []
    # The note stays while it is used, and then the focus goes to the next card.
    page.clock.run_for(10_000)
    assert note.is_visible()
    page.mouse.move(0, 0)
    page.clock.run_for(1_000)
    assert note.count() == 0
    assert page.evaluate("document.activeElement.matches('#my-games button')")
    page.locator("#my-games button").click()
    page.mouse.move(0, 0)
    page.clock.run_for(6_000)
    page.wait_for_selector("#mine", state="hidden")
    assert page.evaluate("document.activeElement.matches('[name=way]')")
    page.reload()
    page.wait_for_selector("#begin:not(:empty)")
    assert not page.is_visible("#mine")
    assert games[0].get()["id"] == games[0].game


@pytest.mark.parametrize("language", CATALOGS)
def test_a_removed_game_is_brought_back(
    page: Page, address: str, site: Site, keep: Path, language: str
) -> None:
    games = [two_people(site, name=name) for name in ("Cy", "Di", "Eve")]
    screen = arrive(page, address, *((game, days) for days, game in enumerate(games, 1)))
    page.click("#all-games")
    assert len(cards(page)) == 3
    page.select_option("#language", language)
    page.wait_for_function(f"() => document.documentElement.lang === '{language}'")
    kept = "localStorage.getItem('ponte-games')"
    stored = json.loads(page.evaluate(kept))
    page.locator("#my-games button >> nth=1").focus()
    press_enter(screen)
    removed = CATALOGS[language]["page.removed-game"].format(names="Di")
    assert page.locator("#my-games li >> nth=1").inner_text().startswith(removed)
    assert len(json.loads(page.evaluate(kept))) == 2
    page.screenshot(path=keep)
    # The focus is on the button that brings the game back, to its place.
    press_enter(screen)
    assert page.locator("#my-games .removed").count() == 0
    assert sorted(map(str, json.loads(page.evaluate(kept)))) == sorted(map(str, stored))
    assert page.locator("#my-games a").all_inner_texts() == ["Cy", "Di", "Eve"]


def test_a_game_keeps_its_names_if_the_server_tells_of_the_others_meanwhile(
    page: Page, address: str, site: Site
) -> None:
    games = [two_people(site, name=name) for name in ("Cy", "Di")]
    arrive(page, address, *((game, days) for days, game in enumerate(games, 1)))
    assert len(cards(page)) == 2
    page.locator("#my-games button >> nth=1").click()
    with page.expect_response("**/summaries?*") as told:
        page.select_option("#language", "de")
    assert len(told.value.json()["games"]) == 1
    page.click("#my-games .removed button")
    assert page.locator("#my-games a").all_inner_texts() == ["Cy", "Di"]


@pytest.mark.parametrize(
    ("yours", "expected"),
    [("first", "Bo\nTurn 3 · 0–1 · "), ("second", "Ada\nWaiting for Ada · Turn 3 · 1–0 · ")],
)
def test_the_points_of_the_player_come_first(
    page: Page, address: str, site: Site, yours: str, expected: str
) -> None:
    # White, which has an island, is player 2.
    game = two_people(site, "a1,b1", "white", "f1,f5", "a2,b2")
    arrive(page, address, (game, 1), yours=yours)
    assert cards(page)[0].startswith(expected)


def press_enter(screen: Screen) -> None:
    screen.page.keyboard.press("Enter")


def test_a_game_that_is_gone_is_forgotten(page: Page, address: str, site: Site) -> None:
    known = two_people(site)
    arrive(page, address, (Guest(site, "0" * 32), 1), (known, 2))
    assert len(cards(page)) == 1
    kept = json.loads(page.evaluate("localStorage.getItem('ponte-games')"))
    assert [each["id"] for each in kept] == [known.game]


def test_many_games_are_shown_on_request(page: Page, address: str, site: Site) -> None:
    games = [(two_people(site, name=f"Bo {place}"), place) for place in range(7)]
    screen = arrive(page, address, *games)
    assert len(cards(page)) == 2
    assert screen.text("all-games") == "All 7 games"
    page.focus("#all-games")
    press_enter(screen)
    assert len(cards(page)) == 7
    assert not page.is_visible("#all-games")
    assert page.evaluate("document.activeElement.textContent") == "Bo 2"


def test_on_phones_games_that_wait_come_before_the_form(
    page: Page, address: str, site: Site, keep: Path
) -> None:
    page.set_viewport_size({"width": 375, "height": 667})
    arrive(page, address, (two_people(site), 1))
    page.wait_for_selector("#my-games .pill")
    page.screenshot(path=keep)
    assert not page.is_visible(".hero")
    mine = page.locator("#mine").bounding_box()
    form = page.locator("#start").bounding_box()
    assert mine is not None
    assert form is not None
    assert mine["y"] < form["y"]
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert violations(page) == []


def test_on_phones_other_games_come_after_the_form(page: Page, address: str, site: Site) -> None:
    page.set_viewport_size({"width": 375, "height": 667})
    arrive(page, address, (two_people(site, "a1,b1"), 1))
    assert len(cards(page)) == 1
    assert page.is_visible(".hero")


def test_a_game_that_is_played_is_in_the_list(page: Page, address: str) -> None:
    screen = Screen(page, address).begin(SMALL)
    screen.click("a1", "b1")
    page.click("h1 a")
    assert cards(page) == ["Player 1 – Player 2\nTurn 1 · now"]
    # Who plays both seats waits for nobody.
    assert page.locator(".pill").count() == 0


def test_lists_of_an_older_page_are_read(page: Page, address: str, site: Site) -> None:
    game = two_people(site)
    entry = f'[{{"id": "{game.game}", "text": "Ada – Bo", "at": 0}}]'
    page.add_init_script(f"localStorage.setItem('ponte-games', '{entry}')")
    Screen(page, address).arrive()
    assert cards(page)[0].startswith("Ada – Bo\n")
