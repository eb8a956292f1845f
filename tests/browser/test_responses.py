"""Responses that come late: after newer news, or during a change of the language."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.web.site import Site
from support.http_client import SMALL, Guest
from support.late_requests import LateRequests
from support.screens import Screen, press

if TYPE_CHECKING:
    from playwright.sync_api import Route

ENGLISH = LANGUAGES["en"]
GERMAN = LANGUAGES["de"]


def opponent_of(screen: Screen, site: Site, minutes: str = "") -> Guest:
    """Begin a game on the page as red, and return white."""
    screen.begin(SMALL, seat="first", minutes=minutes)
    visitor = Guest(site, screen.page.url.partition("#")[2])
    white = visitor.at(visitor.post("seats", 201, seat="second", name="Cy"))
    screen.page.wait_for_selector("#invitation", state="hidden")
    screen.play_texts("a1,b1")
    white.play("white")
    screen.waits_for("headline", ENGLISH["page.your-turn"])
    return white


def change(guest: Guest, path: str, **fields: object) -> None:
    """Send a request about the newest version of a game."""
    guest.post(path, version=guest.get()["version"], **fields)


def play_late(screen: Screen) -> LateRequests:
    """Click on two cells, and keep the request with the action from the server."""
    actions = LateRequests(screen.page, "**/actions?*")
    screen.cell("a1").click()
    screen.cell("b1").click()
    actions.wait_for_one()
    return actions


def test_marks_go_with_the_sentence_about_them(screen: Screen, site: Site) -> None:
    white = opponent_of(screen, site)
    marks = screen.page.locator("#cells [data-roles]")
    screen.click("a1")
    screen.waits_for("refusal", ENGLISH["page.refused-occupied"])
    assert marks.count() > 0
    # An offer of a draw leaves the board as it is.
    change(white, "draw")
    screen.waits_for("headline", "Cy offers a draw")
    assert screen.text("refusal") == ""
    assert marks.count() == 0
    screen.click("a1")
    screen.waits_for("refusal", ENGLISH["page.refused-occupied"])
    assert marks.count() > 0
    # Buttons remove the sentence as well.
    screen.page.click("#resign")
    assert marks.count() == 0


def test_an_action_that_crosses_an_offer_is_played(screen: Screen, site: Site) -> None:
    white = opponent_of(screen, site)
    actions = LateRequests(screen.page, "**/actions?*")
    screen.cell("f1").click()
    screen.cell("f5").click()
    actions.wait_for_one()
    change(white, "draw")
    screen.waits_for("headline", "Cy offers a draw")
    actions.release()
    screen.waits_for("headline", str(ENGLISH["page.turn-of"]).format(name="Cy"))
    assert screen.text("refusal") == ""
    assert white.get()["draw_offer"] is None


@pytest.mark.parametrize("status", [0, 503])
def test_a_played_action_is_shown_although_its_view_was_lost(screen: Screen, status: int) -> None:
    page = screen.begin(SMALL).page
    # News would show the action as well.
    news = LateRequests(page, f"**/games/{page.url.partition('#')[2]}?*after=*")
    actions = play_late(screen)
    # In another language, the response is no change of the view that is shown: the page needs the
    # whole one.
    page.select_option("#language", "de")
    screen.waits_for("headline", GERMAN["page.second-tile"])
    whole = f"**/games/{page.url.partition('#')[2]}?lang=de"
    lost: list[Route] = []

    def lose(route: Route) -> None:
        lost.append(route)
        if status:
            route.fulfill(status=status, json={"error": ENGLISH["server-busy"]})
        else:
            route.abort()

    news.wait_for_one()
    page.route(whole, lose, times=1)
    actions.release()
    screen.shows(pdd.Game.new(pdd.parse_rules(SMALL)).play("a1,b1"), GERMAN)
    screen.wait()
    assert screen.text("refusal") == ""
    assert len(lost) == 1


def test_a_late_refusal_is_not_shown_on_another_board(screen: Screen, site: Site) -> None:
    page = screen.page
    white = opponent_of(screen, site)
    late: list[tuple[Route, str]] = []

    def hold(route: Route) -> None:
        late.append((route, route.fetch().text()))

    page.route("**/actions?*", hold)
    screen.cell("a1").click()
    while not late:
        page.wait_for_timeout(10)
    change(white, "resignation")
    screen.waits_for("outcome", "You win")
    [(route, text)] = late
    assert "refused" in json.loads(text)
    route.fulfill(body=text, content_type="application/json")
    screen.wait()
    assert screen.text("refusal") == ""
    assert page.locator("#cells [data-roles]").count() == 0


def test_a_late_response_does_not_hide_newer_news(screen: Screen, site: Site) -> None:
    page = screen.begin(SMALL, seat="first").page
    game = page.url.partition("#")[2]
    token = page.evaluate("(id) => localStorage.getItem(`ponte-${id}`)", game)
    late: list[tuple[Route, str]] = []

    def hold(route: Route) -> None:
        late.append((route, route.fetch().text()))

    page.route("**/actions?*", hold)
    screen.cell("a1").click()
    screen.wait()
    screen.cell("b1").click()
    # The server has played the action, and news of it comes before the response.
    page.wait_for_selector("#moves li >> nth=1", state="attached")
    # Then somebody joins: this is news of the same version.
    Guest(site, game, token).looking_on().post("seats", 201, seat="second", name="Cy")
    page.wait_for_selector("#cards >> text=Cy")
    [(route, text)] = late
    assert "Cy" not in text
    assert json.loads(text)["version"] == Guest(site, game, token).get()["version"]
    route.fulfill(body=text, content_type="application/json")
    screen.wait()
    # The page shows the newer view still, and not only after the next look for news.
    assert "Cy" in screen.text("cards")


def test_a_click_during_a_change_of_the_language_counts(screen: Screen) -> None:
    page = screen.begin(SMALL).page
    game = pdd.Game.new(pdd.parse_rules(SMALL)).play("a1,b1")
    screen.click("a1")
    words = LateRequests(page, "**/words?*")
    page.select_option("#language", "de")
    words.wait_for_one()
    # The first click stays, and the second one is carried out in the new language.
    screen.cell("b1").click()
    words.release()
    screen.shows(game, GERMAN)


def test_a_first_click_during_another_request_counts(screen: Screen, site: Site) -> None:
    opponent_of(screen, site, minutes="2")
    requests = LateRequests(screen.page, "**/time?*")
    screen.menu(".give-time")
    requests.wait_for_one()
    screen.cell("c3").click()
    requests.release()
    screen.waits_for("headline", ENGLISH["page.second-tile"])
    assert screen.cell("c3").get_attribute("aria-pressed") == "true"


def test_a_double_click_on_an_earlier_moment_chooses_no_cell(screen: Screen) -> None:
    page = screen.begin(SMALL).page
    screen.click("a1", "b1")
    screen.play_texts("white")
    for _ in range(2):
        press(screen, "Comma")
        page.wait_for_selector("#board.past")
        screen.cell("e4").dblclick()
        page.wait_for_selector("#board:not(.past)")
        screen.wait()
        assert page.locator("#cells [aria-pressed=true]").count() == 0
    screen.click("e4")
    screen.waits_for("headline", ENGLISH["page.second-tile"])


def test_a_server_in_trouble_is_not_a_lost_connection(screen: Screen, site: Site) -> None:
    page = screen.page
    opponent_of(screen, site, minutes="2")
    sentence = str(ENGLISH["internal-error"])

    def fail(route: Route) -> None:
        route.fulfill(status=503, json={"error": sentence, "code": "internal-error"})

    news = "**/games/*?*lang=en*"
    page.route(news, fail)
    # The request that is waiting ends with this action; the next ones fail.
    screen.play_texts("f1,f5")
    screen.waits_for("headline", sentence)
    clock = page.locator(".clock.running")
    stood = clock.inner_text()
    page.wait_for_timeout(1500)
    assert clock.inner_text() != stood
    page.unroute(news)
    screen.waits_for("headline", str(ENGLISH["page.turn-of"]).format(name="Cy"))


def test_a_removed_game_is_asked_for_once(screen: Screen, site: Site) -> None:
    page = screen.begin(SMALL).page
    requests: list[str] = []

    def count(route: Route) -> None:
        requests.append(route.request.url)
        route.continue_()

    screen.click("a1")
    page.route("**/games/*", count)
    site.store.remove(page.url.partition("#")[2])
    screen.waits_for("refusal", ENGLISH["page.game-gone"])
    page.wait_for_timeout(2500)
    assert len(requests) <= 1


def test_a_first_click_stays_in_another_language(screen: Screen) -> None:
    page = screen.begin(SMALL).page
    screen.click("a1")
    assert screen.text("headline") == ENGLISH["page.second-tile"]
    page.select_option("#language", "de")
    screen.waits_for("headline", GERMAN["page.second-tile"])
    screen.click("b1")
    screen.shows(pdd.Game.new(pdd.parse_rules(SMALL)).play("a1,b1"), GERMAN)


def test_an_action_that_is_under_way_is_shown_in_the_new_language(screen: Screen) -> None:
    page = screen.begin(SMALL).page
    actions = play_late(screen)
    page.select_option("#language", "de")
    page.wait_for_function("() => document.documentElement.lang === 'de'")
    actions.release()
    screen.shows(pdd.Game.new(pdd.parse_rules(SMALL)).play("a1,b1"), GERMAN)
