"""Two people in two browsers: what they ask each other, and what each of them is told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.messages import LANGUAGES
from support.http_client import SMALL
from support.screens import Screen, prefer_language, violations

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

SIZES = [(1280, 800), (375, 667)]
"""Sizes of windows: a desktop and a phone."""


def words(language: str) -> dict[str, str]:
    """Return the texts of the page, by their keys."""
    texts = ((str(key), text) for key, text in LANGUAGES[language].items())
    return {key.removeprefix("page."): text for key, text in texts}


ENGLISH = words("en")


def meet(
    screen: Screen,
    elsewhere: Screen,
    *actions: str,
    minutes: str = "",
    names: tuple[str, str] | None = None,
    language: str = "en",
) -> None:
    """Begin a game of two people in two browsers, and play actions.

    Args:
        screen: The page of player 1.
        elsewhere: The page of player 2.
        actions: The actions, in turn.
        minutes: The minutes of each player.
        names: The names of both; without them, nobody enters a name.
        language: The language of both pages.
    """
    for each in (screen, elsewhere):
        prefer_language(each.page, language)
    if names:
        screen.page.add_init_script(f"localStorage.setItem('ponte-name', '{names[0]}')")
    screen.begin(SMALL, seat="first", minutes=minutes)
    elsewhere.page.goto(screen.page.url)
    if names:
        elsewhere.page.fill("#visitor", names[1])
    elsewhere.page.click("button[data-seat='second']")
    screen.page.wait_for_selector("#invitation", state="hidden")
    play_in_turn(screen, elsewhere, *actions)


def play_in_turn(screen: Screen, elsewhere: Screen, *actions: str, before: int = 0) -> None:
    """Play actions of a game whose first *before* actions have been played."""
    played = before
    for text in actions:
        # White is player 2 after the choice of white, player 1 after that of red.
        for each in (elsewhere, screen):
            if each.page.title().startswith("●"):
                each.play(pdd.parse_action(text))
                break
        played += 1
        for each in (screen, elsewhere):
            each.page.wait_for_selector(f"#moves .moves li >> nth={played}", state="attached")


def resign(screen: Screen) -> None:
    screen.page.click("#resign")
    screen.page.click("#sure button[value='yes']")
    screen.page.wait_for_selector("#result")


def shown_buttons(page: Page, selector: str) -> list[str]:
    """Return the texts of the buttons that are shown in a part of the page."""
    return page.locator(f"{selector} button:visible").all_inner_texts()


def waits_for_text(page: Page, selector: str, text: str) -> None:
    """Wait until a part of the page contains a text."""
    from playwright.sync_api import expect  # noqa: PLC0415 - may not be there

    expect(page.locator(selector)).to_contain_text(text)


# Rematches


def ask_for_rematch(screen: Screen, elsewhere: Screen, language: str = "en") -> None:
    """Let player 1 resign, and player 2 ask for a rematch."""
    meet(screen, elsewhere, language=language)
    resign(screen)
    elsewhere.page.click("#rematch")
    screen.page.wait_for_selector("#decline-rematch")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", SIZES)
def test_a_declined_rematch_leads_nobody_to_a_dead_game(
    screen: Screen, elsewhere: Screen, size: Any, language: str, keep: Path
) -> None:
    """The player who asked reads the answer; nobody is sent to a game without an opponent."""
    texts = words(language)
    elsewhere.page.set_viewport_size({"width": size[0], "height": size[1]})
    ask_for_rematch(screen, elsewhere, language)
    asker, other = elsewhere.page, screen.page
    address = asker.url
    waits_for_text(asker, "#reason", texts["rematch-waiting"])
    assert shown_buttons(asker, "#result") == [texts["withdraw"], texts["other-game"]]
    waits_for_text(other, "#reason", texts["rematch-asked"].format(name=texts["name-second"]))
    assert shown_buttons(other, "#result")[0] == texts["rematch-accept"]
    asker.screenshot(path=keep.with_stem(f"{keep.stem}-asked"))
    other.click("#decline-rematch")
    said = {
        asker: texts["rematch-declined"].format(name=texts["name-first"]),
        other: texts["rematch-you-declined"],
    }
    for page, declined in said.items():
        waits_for_text(page, "#reason", declined)
        assert page.url == address
    # The sentence is read out.
    assert asker.locator("[role=status] #reason").count() == 1
    # After a reload, too.
    for _ in range(2):
        assert shown_buttons(asker, "#result") == [texts["other-game"]]
        assert shown_buttons(other, "#result") == [texts["rematch"], texts["other-game"]]
        assert violations(asker) == []
        asker.screenshot(path=keep)
        for page, declined in said.items():
            page.reload()
            waits_for_text(page, "#reason", declined)
    # The one who has declined may think again.
    other.click("#rematch")
    asker.click(f"#rematch:text-is('{texts['rematch-accept']}')")
    for page in (asker, other):
        page.wait_for_selector("#result", state="hidden")
        assert page.url != address
    for page in (asker, other):
        page.click("h1 a")
        page.wait_for_selector("#my-games li >> nth=1")


def test_a_rematch_that_is_left_at_once_is_in_my_games(screen: Screen, elsewhere: Screen) -> None:
    """The player who asked returns to the start before the rematch has been loaded."""
    ask_for_rematch(screen, elsewhere)
    asker = elsewhere.page
    address = asker.url

    def lose(route: Route) -> None:
        """Never answer requests for the rematch."""
        if route.request.method != "GET":
            route.continue_()

    asker.route("**/games/*", lose)
    screen.page.click("#rematch")
    asker.wait_for_url(lambda url: url != address)
    asker.click("h1 a")
    asker.wait_for_selector("#my-games li >> nth=1")


def test_both_are_led_to_a_rematch(screen: Screen, elsewhere: Screen) -> None:
    ask_for_rematch(screen, elsewhere)
    old = screen.page.url
    screen.page.click("#rematch")
    for each, seat in ((screen, "2"), (elsewhere, "1")):
        waits_for_text(each.page, "#you", f"You are player {seat}.")
    assert screen.page.url == elsewhere.page.url != old
    # The old game still leads there.
    elsewhere.page.go_back()
    elsewhere.page.click(f"#rematch:text-is('{ENGLISH['rematch-begun']}')")
    screen.page.wait_for_url(elsewhere.page.url)


def test_a_rematch_that_is_accepted_later_is_among_my_games(
    screen: Screen, elsewhere: Screen
) -> None:
    """The player who asked may have left the game when the other one accepts."""
    ask_for_rematch(screen, elsewhere)
    elsewhere.page.click("#another")
    elsewhere.page.wait_for_selector("#my-games li")
    screen.page.click("#rematch")
    screen.page.wait_for_selector("#result", state="hidden")
    elsewhere.page.reload()
    card = elsewhere.page.locator("#my-games li:has(.pill)")
    card.locator("a").click()
    elsewhere.waits_for("headline", ENGLISH["your-turn"])
    assert elsewhere.page.url == screen.page.url
    # A game that was removed from the list does not come back.
    elsewhere.page.click("h1 a")
    card.locator("button").click()
    with elsewhere.page.expect_response("**/summaries?*"):
        elsewhere.page.reload()
    elsewhere.page.wait_for_selector("#my-games li:has-text('Won')")
    assert elsewhere.page.locator("#my-games li").count() == 1


# What one asks oneself


OWN = {"draw": "draw-waiting", "undo": "undo-waiting", "rematch": "rematch-waiting"}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("what", OWN)
@pytest.mark.parametrize("size", SIZES)
def test_what_one_asks_can_be_withdrawn(
    screen: Screen, elsewhere: Screen, what: str, size: Any, language: str, keep: Path
) -> None:
    texts = words(language)
    asker, other = screen.page, elsewhere.page
    asker.set_viewport_size({"width": size[0], "height": size[1]})
    meet(screen, elsewhere, "a1,b1", "white", language=language)
    where = "#result" if what == "rematch" else "#line"
    if what == "rematch":
        resign(elsewhere)
        asker.wait_for_selector("#result")
    tools = asker.eval_on_selector("#tools", "each => each.getBoundingClientRect().y")

    def ask() -> None:
        if what == "draw":
            screen.menu("#draw")
        else:
            asker.click(f"#{what}")

    ask()
    waits_for_text(asker, where, texts[OWN[what]])
    waits_for_text(
        other,
        where,
        texts[what + {"draw": "-offered", "undo": "-asked-more"}.get(what, "-asked")].format(
            name=texts["name-first"]
        ),
    )
    # It is as large as everything that the line says, and it is read out.
    if what != "rematch":
        assert screen.text("headline") == texts[OWN[what]]
        assert asker.locator("[role=status] > #headline").count() == 1
        moved = asker.eval_on_selector("#tools", "each => each.getBoundingClientRect().y")
        assert moved == tools
    assert violations(asker) == []
    asker.screenshot(path=keep)
    asker.reload()
    asker.click(f"{where} >> text={texts['withdraw']}")
    other.wait_for_selector(f"{where} >> text={texts['decline']}", state="hidden")
    waits_for_text(other, where, texts[f"{what}-withdrawn"].format(name=texts["name-first"]))
    assert texts[OWN[what]] not in asker.inner_text(where)
    # Nothing is asked again at once.
    if what == "rematch":
        assert asker.is_hidden("#rematch")
        return
    assert_says_later(asker, what, texts)


def assert_says_later(page: Page, what: str, texts: dict[str, str]) -> None:
    """Assert that a button is disabled, and says when the reader can ask again."""
    button = page.locator(f"#{what}")
    assert button.is_disabled()
    assert button.get_attribute("title") == texts["ask-again"]


def test_an_undo_needs_the_consent_of_the_other_player(screen: Screen, elsewhere: Screen) -> None:
    """A player who has got a reply asks; the other one declines, and allows it a turn later."""
    meet(screen, elsewhere, "a1,b1", "white", "d4,e4")
    asker, other = elsewhere, screen
    button = asker.page.locator("#undo")
    assert button.get_attribute("aria-label") == "Ask to undo"
    button.click()
    other.waits_for("headline", ENGLISH["undo-asked-more"].format(name="Player 2"))
    assert asker.text("headline") == "You have asked to undo"
    assert button.is_disabled()
    assert violations(other.page) == []
    other.page.click("[data-command=decline]")
    asker.page.wait_for_selector("text=Player 1 does not allow the undo.")
    assert asker.page.locator("#board .tile:visible").count() == 4
    assert_says_later(asker.page, "undo", ENGLISH)
    play_in_turn(screen, elsewhere, "a4,b4", "f1,f2", before=3)
    assert button.get_attribute("title") == ENGLISH["ask-undo"]
    button.click()
    other.page.click("[data-command=accept]")
    for each in (asker, other):
        each.page.wait_for_selector("#moves .moves li >> nth=4", state="detached")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("minutes", ["", "5"])
@pytest.mark.parametrize("size", SIZES)
def test_an_undo_says_what_it_takes_back(
    screen: Screen, elsewhere: Screen, size: Any, minutes: str, language: str, keep: Path
) -> None:
    """Player 1 asks after the reply of player 2; after that, player 2 asks for the last turn."""
    texts = words(language)
    elsewhere.page.set_viewport_size({"width": size[0], "height": size[1]})
    actions = ("a1,b1", "white", "d4,e4", "a4,b4")
    meet(screen, elsewhere, *actions, minutes=minutes, names=("Ada", "Bo"), language=language)
    screen.page.click("#undo")
    elsewhere.waits_for("headline", texts["undo-asked-more"].format(name="Ada"))
    assert violations(elsewhere.page) == []
    elsewhere.page.screenshot(path=keep)
    elsewhere.page.click("[data-command=accept]")
    screen.page.wait_for_selector("#moves .moves li >> nth=3", state="detached")
    screen.waits_for("headline", texts["your-turn"])
    waits_for_text(screen.page, "#state", texts["undo-allowed"].format(name="Bo"))
    waits_for_text(elsewhere.page, "#state", texts["undone"].format(name="Ada"))
    # The next action ends the news.
    play_in_turn(screen, elsewhere, "d4,e4", before=2)
    for each in (screen, elsewhere):
        assert texts["undone"].format(name="Ada") not in each.text("state")
    screen.page.click("#undo")
    if minutes:
        elsewhere.waits_for("headline", texts["undo-asked"].format(name="Ada"))
        elsewhere.page.click("[data-command=accept]")
    elsewhere.waits_for("headline", texts["turn-of"].format(name="Ada"))
    waits_for_text(elsewhere.page, "#state", texts["undone"].format(name="Ada"))


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("answer", ["accept", "withdraw"])
@pytest.mark.parametrize("size", SIZES)
def test_an_offer_is_answered_in_the_past(
    screen: Screen, elsewhere: Screen, size: Any, answer: str, language: str, keep: Path
) -> None:
    texts = words(language)
    page = screen.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    meet(screen, elsewhere, "a1,b1", "white", language=language)
    page.keyboard.press("Comma")
    screen.waits_for("headline", texts["earlier"].format(turn=1, last=1))
    tools = page.eval_on_selector("#tools", "each => each.getBoundingClientRect().y")
    elsewhere.menu("#draw")
    screen.waits_for("headline", texts["draw-offered"].format(name=texts["name-second"]))
    assert set(shown_buttons(page, "#line")) == {texts["decline"], texts["accept"]}
    assert page.is_visible("#tools [data-do=last]")
    moved = page.eval_on_selector("#tools", "each => each.getBoundingClientRect().y")
    assert moved == tools
    assert violations(page) == []
    page.screenshot(path=keep)
    if answer == "withdraw":
        elsewhere.page.click("#line [data-command=withdraw]")
        withdrawn = texts["draw-withdrawn"].format(name=texts["name-second"])
        waits_for_text(page, "#state", withdrawn)
        assert shown_buttons(page, "#line") == [texts["back"]]
    else:
        page.click("#line [data-command=accept]")
        page.wait_for_selector("#result")


# Refusals end with what they say


def test_a_refusal_from_before_joining_ends_with_joining(
    screen: Screen, elsewhere: Screen, keep: Path
) -> None:
    screen.begin(SMALL, seat="first")
    elsewhere.page.goto(screen.page.url)
    elsewhere.click("a1")
    elsewhere.waits_for("refusal", LANGUAGES["en"]["no-seat"])
    elsewhere.page.click("button[data-seat='second']")
    elsewhere.page.wait_for_selector("#invited", state="hidden")
    elsewhere.waits_for("refusal", "")
    assert elsewhere.text("headline") == ENGLISH["turn-of"].format(name="Player 1")
    elsewhere.page.screenshot(path=keep)


def test_a_refusal_ends_when_others_change_its_reason(screen: Screen, elsewhere: Screen) -> None:
    """Somebody joins, or changes a name: the version stays, and the refusal does not."""
    screen.begin(SMALL, seat="first")
    screen.click("a1", "b1")
    screen.click("c1")
    screen.waits_for("refusal", LANGUAGES["en"]["not-your-turn"])
    elsewhere.page.goto(screen.page.url)
    elsewhere.page.click("button[data-seat='second']")
    screen.waits_for("refusal", "")
    screen.click("c1")
    screen.waits_for("refusal", LANGUAGES["en"]["not-your-turn"])
    elsewhere.menu("#rename")
    elsewhere.page.fill("#name-second", "Bo")
    elsewhere.page.click("#people button[value=save]")
    screen.waits_for("refusal", "")


def test_a_refused_name_ends_with_a_better_one(screen: Screen) -> None:
    screen.begin(SMALL, seat="first")
    for name, refusal in (("\u200b", LANGUAGES["en"]["invisible-name"]), ("Ada", "")):
        screen.menu("#rename")
        screen.page.fill("#name-first", name)
        screen.page.click("#people button[value=save]")
        screen.waits_for("refusal", refusal)


@pytest.mark.parametrize("button", ["#menu .give-time", "#resign", "[data-do=previous]"])
def test_every_deed_of_the_reader_ends_a_refusal(
    screen: Screen, elsewhere: Screen, button: str
) -> None:
    meet(screen, elsewhere, "a1,b1", "red", minutes="5")
    screen.click("a1")
    screen.waits_for("refusal", LANGUAGES["en"]["not-your-turn"])
    if button.startswith("#menu"):
        screen.page.click("#show-menu")
    screen.page.click(button)
    screen.waits_for("refusal", "")


def test_a_lost_request_is_forgotten_when_the_server_responds(
    screen: Screen, elsewhere: Screen
) -> None:
    meet(screen, elsewhere, "a1,b1", "white", minutes="5")
    screen.page.route("**/draw?*", lambda route: route.abort(), times=1)
    screen.menu("#draw")
    screen.waits_for("refusal", ENGLISH["no-response"])
    # The first one is the response to a request that was sent before.
    for _ in range(2):
        elsewhere.menu(".give-time")
        elsewhere.wait()
    screen.waits_for("refusal", "")


def test_a_refusal_of_a_new_game_ends_with_the_next_wish(screen: Screen) -> None:
    page = screen.arrive().page
    page.click("#more summary")
    page.fill("#setup", "nonsense")
    page.click("#begin")
    screen.waits_for("start-refusal", LANGUAGES["en"]["unknown-start"])
    page.fill("#setup", "")
    screen.waits_for("start-refusal", "")
    assert page.get_attribute("#setup", "aria-invalid") is None
    page.fill("#setup", "nonsense")
    page.click("#begin")
    screen.waits_for("start-refusal", LANGUAGES["en"]["unknown-start"])
    page.select_option("#language", "de")
    screen.waits_for("start-refusal", "")


# News in the past


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", SIZES)
def test_the_line_tells_the_past_that_the_other_player_has_moved(
    screen: Screen, elsewhere: Screen, size: Any, language: str, keep: Path
) -> None:
    texts = words(language)
    page = screen.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    meet(screen, elsewhere, "a1,b1", "red", language=language)
    page.keyboard.press("Comma")
    earlier = texts["earlier"].format(turn=1, last=1)
    screen.waits_for("headline", earlier)
    tools = page.eval_on_selector("#tools", "each => each.getBoundingClientRect().y")
    elsewhere.play_texts("d4,e4")
    screen.waits_for("headline", texts["your-turn"])
    assert texts["moved"].format(name=texts["name-second"]) in screen.text("state")
    # The reader stays in the past, and sees where that is.
    assert screen.text("at") == "1/2"
    assert page.locator("#board .tile:visible").count() == 2
    assert "past" in (page.get_attribute("#board", "class") or "")
    assert page.locator("[role=status] > #headline").count() == 1
    # The notch points at the reader's card, as the headline does.
    assert page.locator("#line.of-right").count() == 0
    moved = page.eval_on_selector("#tools", "each => each.getBoundingClientRect().y")
    assert moved == tools
    assert violations(page) == []
    page.screenshot(path=keep)
    page.click("[data-command=now]")
    screen.waits_for("headline", texts["your-turn"])
    assert page.locator("#board .tile:visible").count() == 4
    # Somebody who looks back during their turn reads that it is theirs.
    page.keyboard.press("Comma")
    screen.waits_for("headline", texts["earlier"].format(turn=1, last=2))
    assert screen.text("state").endswith(f"{texts['your-turn']}.")


def test_an_end_is_told_in_the_past(screen: Screen, elsewhere: Screen) -> None:
    meet(screen, elsewhere, "a1,b1", "white")
    screen.page.keyboard.press("Comma")
    screen.waits_for("headline", ENGLISH["earlier"].format(turn=1, last=1))
    resign(elsewhere)
    screen.waits_for("headline", "Red wins by resignation.")
    screen.page.click("[data-command=now]")
    screen.page.wait_for_selector("#result")


# Names


@pytest.mark.parametrize("language", ["en", "de"])
def test_people_have_one_name_everywhere(
    screen: Screen, elsewhere: Screen, language: str, keep: Path
) -> None:
    texts = words(language)
    page = screen.page
    meet(screen, elsewhere, "a1,b1", "red", names=("Ada", "Zed"), language=language)
    generic = (texts["name-first"], texts["name-second"])

    def shows_no_seats(part: str) -> None:
        text = page.locator(part).inner_text()
        assert [name for name in generic if name.lower() in text.lower()] == []

    assert page.locator("#cards .name").all_inner_texts() == ["Ada", "Zed"]
    for moment in ("Comma", "Period"):
        page.keyboard.press(moment)
        shows_no_seats("#game .table")
        assert generic[1] not in page.inner_html("#moves")
    assert "Zed" in page.locator("#moves .choice").inner_text()
    page.screenshot(path=keep)
    # A new name is everywhere at once.
    elsewhere.menu("#rename")
    elsewhere.page.fill("#name-second", "Cy")
    elsewhere.page.click("#people button[value=save]")
    page.wait_for_selector("#cards .name:text-is('Cy')")
    assert "Cy" in screen.text("headline")
    assert "Cy" in page.locator("#moves .choice").inner_text()
    assert "Zed" not in page.locator("#game").inner_text()
    resign(elsewhere)
    screen.page.wait_for_selector("#result")
    elsewhere.page.click("#rematch")
    waits_for_text(page, "#reason", texts["rematch-asked"].format(name="Cy"))
    page.click("h1 a")
    page.wait_for_selector("#my-games a:text-is('Cy')")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_computer_has_one_name_everywhere(screen: Screen, language: str, keep: Path) -> None:
    texts = words(language)
    page = screen.page
    prefer_language(page, language)
    screen.begin(SMALL, "level-3", "first").click("a1", "b1")
    assert page.locator("#cards .name").all_inner_texts().count("Computer 3") == 1
    assert texts["level"] not in page.locator("#cards").inner_text()
    # The number is not cut off, on narrow screens either.
    for width in (1280, 1024, 375, 320):
        page.set_viewport_size({"width": width, "height": 800})
        name = page.locator("#cards .name.whole")
        assert name.evaluate("each => each.scrollWidth <= each.clientWidth")
    assert "Computer 3" in page.locator("#moves .choice").inner_text()
    page.keyboard.press("Comma")
    page.keyboard.press("Comma")
    for part in ("#game .table", "#side"):
        assert texts["name-second"] not in page.locator(part).inner_text()
    page.screenshot(path=keep)
    page.click("h1 a")
    page.wait_for_selector("#my-games a:text-is('Computer 3')")


def test_two_people_at_one_screen_resign_by_their_names(screen: Screen) -> None:
    screen.begin(SMALL)
    screen.menu("#rename")
    screen.page.fill("#name-first", "Ada")
    screen.page.click("#people button[value=save]")
    screen.page.wait_for_selector("#cards .name:text-is('Ada')")
    screen.page.click("#resign")
    assert shown_buttons(screen.page, "#sure") == [
        "Go on playing",
        "Ada resigns",
        "Player 2 resigns",
    ]
    screen.page.click("#sure button[value=second]")
    screen.waits_for("outcome", "Ada wins")
    screen.waits_for("reason", "Ada wins by resignation.")
    assert screen.page.title().startswith("Ada wins")


# Given time


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", SIZES)
def test_a_gift_of_time_is_told_to_all(
    screen: Screen, elsewhere: Screen, size: Any, language: str, keep: Path
) -> None:
    texts = words(language)
    page, other = screen.page, elsewhere.page
    other.set_viewport_size({"width": size[0], "height": size[1]})
    meet(screen, elsewhere, "a1,b1", "red", minutes="5", names=("Ada", "Bo"), language=language)
    watcher = elsewhere.page.context.browser
    assert watcher is not None
    elsewhere.click("f1")
    tools = other.eval_on_selector("#tools", "each => each.getBoundingClientRect().y")
    with watcher.new_context() as context:
        third = Screen(context.new_page(), screen.address)
        prefer_language(third.page, language)
        third.page.goto(page.url)
        third.page.wait_for_selector("#cards .card")
        for count in ("15", "30"):
            screen.menu(".give-time")
            for each, word, values in (
                (screen, "time-from-you", {"name": "Bo"}),
                (elsewhere, "time-to-you", {"giver": "Ada"}),
                (third, "time-given", {"giver": "Ada", "name": "Bo"}),
            ):
                waits_for_text(each.page, "#state", texts[word].format(count=count, **values))
                # It is read out, and so is what the reader has to do.
                assert each.page.locator("[role=status] > #state").count() == 1
    assert elsewhere.text("headline") == texts["second-tile"]
    moved = other.eval_on_selector("#tools", "each => each.getBoundingClientRect().y")
    assert moved == tools
    assert violations(page) == []
    page.screenshot(path=keep.with_stem(f"{keep.stem}-giver"))
    other.screenshot(path=keep)
    # A reload changes nothing; the next move ends it.
    other.reload()
    waits_for_text(other, "#state", texts["time-to-you"].format(giver="Ada", count="30"))
    elsewhere.play_texts("f1,f5")
    for each in (screen, elsewhere):
        each.page.wait_for_selector("#state:not(:has-text('30'))")


# Fingers


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_finger_taps_and_a_mouse_clicks(
    screen: Screen, phone: Screen, language: str, keep: Path
) -> None:
    texts = words(language)
    for each in (screen, phone):
        prefer_language(each.page, language)
        each.begin(SMALL)
    screen.click("c2")
    assert screen.text("state") == texts["second-tile-hint"].format(cell="c2")
    phone.cell("c2").tap()
    phone.waits_for("state", texts["second-tile-hint-touch"].format(cell="c2"))
    phone.page.screenshot(path=keep)
    # Nothing that a phone shows speaks of clicks.
    phone.page.tap("#show-menu")
    assert "lick" not in phone.page.locator("body").inner_text()
    phone.page.tap("#close-menu")
    # A keyboard at a phone clicks.
    phone.page.keyboard.press("Escape")
    phone.cell("c2").press("Enter")
    phone.waits_for("state", texts["second-tile-hint"].format(cell="c2"))
