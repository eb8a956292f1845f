"""Replay pages in a browser: actions of a reader, and the visible parts after them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import html
from support.pages import lines_of, long_game
from support.pictures import EXAMPLE, example_game
from support.screens import middle

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Page

    Opened = Callable[..., Page]

SEEN = """
() => {
  const section = [...document.querySelectorAll("section.game")].find((each) => !each.hidden);
  const seen = (name) => [...section.querySelectorAll(`svg ${name}`)]
    .filter((each) => each.getClientRects().length && getComputedStyle(each).display !== "none");
  const names = (name, key) => seen(name).map((each) => each.dataset[key]).sort();
  return {
    white: names(".tile.white", "cell"),
    red: names(".tile.red", "cell"),
    bridges: names(".bridge", "bridge"),
    blocked: names(".blocked", "cell"),
    lands: names(".land", "cells"),
    points: seen(".points").map((each) => Number(each.dataset.points)).sort(),
    scores: [...section.querySelectorAll(".card .points")].map((each) => Number(each.textContent)),
    marks: seen(".last").length,
    announcement: section.querySelector(".announcement").textContent,
    table: Object.fromEntries(
      [...section.querySelectorAll(".cells-in-words tbody tr")].flatMap((row) =>
        [...row.cells].slice(1).map((each, x) =>
          [section.querySelectorAll(".cells-in-words thead th")[x].textContent
            + row.cells[0].textContent, each.textContent]))),
    hash: location.hash,
  };
}
"""
"""A script that returns the visible parts of the game."""


@pytest.fixture
def show(page: Page, tmp_path: Path) -> Opened:
    """Return a function that opens a page from a file."""

    def opened(made: html.Html, fragment: str = "") -> Page:
        path = tmp_path / "page.html"
        path.write_text(made.text, "utf-8")
        page.goto("about:blank")
        page.goto(f"{path.as_uri()}{fragment}")
        return page

    return opened


def check(page: Page, state: pdd.GameState, action: pdd.Action | None = None) -> dict[str, Any]:
    """Check that the visible parts show a state, and return it."""
    seen: dict[str, Any] = page.evaluate(SEEN)
    position = state.position
    white, red = ([*map(str, position.tiles(color))] for color in pdd.Color)
    assert seen["white"] == sorted(white)
    assert seen["red"] == sorted(red)
    bridges = [str(each) for color in pdd.Color for each in position.bridges(color)]
    assert seen["bridges"] == sorted(bridges)
    assert seen["blocked"] == sorted(map(str, position.blocked))
    groups = [each for color in pdd.Color for each in position.groups(color)]
    assert seen["lands"] == sorted(" ".join(map(str, each.cells)) for each in groups)
    networks = [each for color in pdd.Color for each in position.networks(color)]
    assert seen["points"] == sorted(each.points for each in networks if each.points)
    assert seen["scores"] == [state.score(color).points for color in pdd.Color]
    moved = isinstance(action, pdd.PlaceTiles | pdd.BuildBridge)
    assert action is None or seen["marks"] == 2 * moved
    assert seen["table"] == words_of(position)
    return seen


def words_of(position: pdd.Position) -> dict[str, str]:
    """Return the words of the table for every cell."""
    found: dict[str, str] = {}
    for cell in position.board:
        color = position.color_at(cell)
        said = [color.value] if color else []
        if any(cell in each.cells for c in pdd.Color for each in position.islands(c)):
            said.append("island")
        for bridge in (each for c in pdd.Color for each in position.bridges(c)):
            if cell in bridge.ends:
                (other,) = {*bridge.ends} - {cell}
                said.append(f"bridge to {other}")
        if cell in position.blocked:
            said.append("blocked")
        found[str(cell)] = ", ".join(said) or "water"
    return found


GAME = long_game(4, turns=30, variations=6)
STATES = [*GAME.states()]
ACTIONS = [None, *GAME.actions]


def test_keys_go_through_every_turn(show: Opened) -> None:
    page = show(html.replay(GAME))
    check(page, STATES[-1], ACTIONS[-1])
    page.keyboard.press("Home")
    for state, action in zip(STATES, ACTIONS, strict=True):
        seen = check(page, state, action)
        choice = "-choice" if isinstance(action, pdd.ChooseColor) else ""
        assert seen["hash"] == f"#game-1-turn-{state.turn}{choice}"
        page.keyboard.press("ArrowRight")
    check(page, STATES[-1], ACTIONS[-1])
    for state, action in reversed([*zip(STATES, ACTIONS, strict=True)]):
        check(page, state, action)
        page.keyboard.press("ArrowLeft")
    check(page, STATES[0])
    page.keyboard.press("End")
    check(page, STATES[-1], ACTIONS[-1])
    page.keyboard.press("Control+ArrowLeft")
    page.keyboard.press("x")
    check(page, STATES[-1], ACTIONS[-1])


def test_buttons_by_mouse_and_by_keys(show: Opened) -> None:
    page = show(html.replay(GAME))
    at = {"First turn": 0, "One turn on": 1, "Last turn": -1}
    for name, place in at.items():
        page.get_by_role("button", name=name).click()
        check(page, STATES[place])
    page.get_by_role("button", name="One turn back").click()
    check(page, STATES[-2])
    for name, key in (("First turn", "Space"), ("One turn on", "Enter")):
        page.get_by_role("button", name=name).focus()
        page.keyboard.press(key)
        check(page, STATES[at[name]])
        assert page.locator("[data-do=play]").get_attribute("aria-label") == "Play"


def test_the_list_scrolls_with_the_game(show: Opened) -> None:
    page = show(html.replay(GAME))
    inside = """() => {
      const box = document.querySelector(".moves").getBoundingClientRect();
      const link = document.querySelector("[aria-current=step]").getBoundingClientRect();
      return box.top <= link.top + 1 && link.bottom <= box.bottom + 1;
    }"""
    for key in ("Home", *["ArrowRight"] * 12, "End", *["ArrowLeft"] * 12):
        page.keyboard.press(key)
        assert page.evaluate(inside), key
    assert page.evaluate("scrollY") == 0


def test_the_slider_by_keys_and_by_mouse(show: Opened) -> None:
    page = show(html.replay(GAME))
    slider = page.get_by_role("slider", name="Turn shown")
    slider.focus()
    for place, key in enumerate(("Home", "ArrowRight", "ArrowUp")):
        page.keyboard.press(key)
        check(page, STATES[place])
    slider.fill("17")
    seen = check(page, STATES[17], ACTIONS[17])
    assert slider.get_attribute("aria-valuetext") == seen["announcement"]
    page.mouse.click(*middle(slider))
    at = int(slider.input_value())
    assert abs(at - len(STATES) / 2) <= 2
    check(page, STATES[at], ACTIONS[at])


@pytest.mark.parametrize(
    ("fragment", "at"),
    [
        *(("#game-1-turn-0", 0), ("#game-1-turn-1", 1), ("#game-1-turn-1-choice", 2)),
        *(("#game-1-turn-17", 18), ("#game-1", -1), ("#no%such", -1), ("#game-1-name", -1)),
    ],
)
def test_links_to_turns(show: Opened, fragment: str, at: int) -> None:
    page = show(html.replay(GAME), fragment)
    page.wait_for_load_state()
    check(page, STATES[at])
    page.evaluate("location.hash = '#game-1-turn-5'")
    page.wait_for_selector("#game-1-turn-5 > [aria-current]")
    check(page, STATES[6])
    page.keyboard.press("ArrowRight")
    check(page, STATES[7])


def test_the_board_is_in_sight_where_a_link_leads(show: Opened) -> None:
    page = show(html.replay(GAME), "#game-1-turn-29")
    page.wait_for_function(
        """() => {
          const top = (name) => document.querySelector(name).getBoundingClientRect().top;
          const link = top("#game-1-turn-29 > a");
          return top("svg") >= 0 && link >= 0 && link < 800;
        }"""
    )


def test_clicking_a_move_shows_it(show: Opened) -> None:
    page = show(html.replay(GAME))
    page.locator("#game-1-turn-9 > a").click()
    seen = check(page, STATES[10], ACTIONS[10])
    assert seen["hash"] == "#game-1-turn-9"
    assert page.locator("[aria-current=step]").count() == 1
    assert page.locator("#game-1-turn-9 > a").get_attribute("aria-current") == "step"
    remark = page.locator(".remark").inner_text()
    assert remark == page.locator("#game-1-turn-9 > .comment").inner_text()


def deep_game() -> pdd.Game:
    """Return a long game with variations, one of them within another."""
    path = lines_of(GAME)[2]
    after = GAME.state_before((*path, 0))
    action = next(each for each in after.legal_actions if each != GAME.move_at((*path, 0)).action)
    return GAME.with_variation((*path, 0), [action])


def scored_game() -> pdd.Game:
    """Return a game whose variations join networks that have points already."""
    start = pdd.GameState.from_position(EXAMPLE, to_move=pdd.Color.WHITE)
    game = pdd.Game.new(start=start).play("c2,e4")
    game = game.play(game.state.legal_actions[0]).play("b6-d6")
    red = start.apply(pdd.parse_action("a3-a5")).legal_actions[0]
    game = game.with_variation((0,), ["a3-a5", red, "b6-d6"])
    return game.with_variation((2,), ["b3-a5"]).with_variation((0, 0, 2), ["b3-d3"])


@pytest.mark.parametrize("game", [deep_game(), scored_game()], ids=["deep", "scored"])
def test_every_step_of_every_variation(show: Opened, game: pdd.Game) -> None:
    page = show(html.replay(game), "#game-1-turn-4")
    for line, path in enumerate(lines_of(game)):
        states = [*game.states(path)]
        page.locator(f"[data-line='{line}'] > li > a").last.click()
        check(page, states[-1])
        for state in reversed(states[:-1]):
            page.keyboard.press("ArrowLeft")
            check(page, state)
        page.keyboard.press("End")
        seen = check(page, states[-1])
        assert seen["announcement"].startswith(f"Variation {line}. ") == bool(line)


def test_the_curve_marks_the_move_and_leads_to_others(show: Opened, keep: Path) -> None:
    game = example_game()
    count = len(game.actions)
    for ply in range(0, count, 2):
        game = game.with_annotations({"eval": f"{(ply % 9 - 4) / 4:.2f}"}, (ply,))
    game = game.with_annotations({"eval": "#3"}, (1,))
    page = show(html.replay(game), "#game-1-turn-4")
    page.screenshot(path=keep)
    now = page.locator(".curve .now")
    curve = page.locator(".curve")
    box = curve.bounding_box()
    assert box is not None
    for part in (0, 3 / 7, 1):
        curve.click(position={"x": 1 + part * (box["width"] - 5), "y": 20})
        at = int(page.input_value(".controls input"))
        assert at == round(part * count)
        assert now.get_attribute("transform") == f"translate({at},0)"
    path = curve.locator("path:nth-child(2)").get_attribute("d") or ""
    assert path.startswith("M1 1.00L3 0.50L5 -0.00")
    assert path.count("L") == (count + 1) // 2 - 1


def test_it_plays_by_itself(show: Opened) -> None:
    page = show(html.replay(example_game()))
    # The clock stands still but for the steps of this test.
    page.clock.install(time=0)
    page.reload()
    page.clock.pause_at(60)
    states = [*example_game().states()]
    page.keyboard.press("Space")
    button = page.locator("[data-do=play]")
    for state in states[:-1]:
        assert button.get_attribute("aria-label") == "Pause"
        check(page, state)
        page.clock.run_for(1500)
    check(page, states[-1])
    assert button.get_attribute("aria-label") == "Play"
    page.clock.run_for(10_000)
    check(page, states[-1])
    button.click()
    check(page, states[0])
    button.click()
    page.clock.run_for(10_000)
    check(page, states[0])
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    at = check(page, states[2])
    page.clock.run_for(10_000)
    assert check(page, states[2]) == at


def test_several_games(show: Opened) -> None:
    games = [example_game(), GAME, example_game()]
    page = show(html.replay(games), "#game-2-turn-4")
    check(page, STATES[5])
    assert page.locator("section.game:visible").count() == 1
    page.locator("nav a").nth(2).click()
    check(page, games[2].state)
    page.keyboard.press("ArrowLeft")
    seen = check(page, [*games[2].states()][-2])
    assert seen["hash"] == "#game-3-turn-5"
    assert page.locator("nav [aria-current]").inner_text() == "Ada & Bo – <Cy>, Tea"
    page.locator("nav a").nth(1).click()
    check(page, STATES[5])


def test_another_game_ends_what_plays_by_itself(show: Opened) -> None:
    games = [example_game(), example_game()]
    page = show(html.replay(games))
    page.clock.install()
    page.reload()
    page.keyboard.press("Space")
    page.locator("nav a").nth(1).click()
    page.clock.run_for(5_000)
    assert check(page, games[1].state)["hash"] == "#game-2"
    page.locator("nav a").first.click()
    check(page, games[0].start)


def test_without_scripts(context: BrowserContext, tmp_path: Path, keep: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(html.replay(GAME).text, "utf-8")
    window = context.browser.new_context(java_script_enabled=False)  # type: ignore[union-attr]  # a test has started it
    page = window.new_page()
    page.goto(path.as_uri())
    assert page.locator(".controls").is_hidden()
    assert page.locator("ol[data-line='0'] > li").count() == len(STATES)
    assert page.locator("#game-1-turn-7 > .comment").is_visible()
    position = GAME.state.position
    for color in pdd.Color:
        tiles = page.locator(f".tile.{color.value}:visible")
        assert tiles.count() == len(position.tiles(color))
    page.screenshot(path=keep, full_page=True)
    window.close()


def test_words_are_announced(show: Opened) -> None:
    page = show(html.replay(GAME, catalog="de"))
    status = page.get_by_role("status")
    page.keyboard.press("Home")
    opening = "Zug 0 von 30 Ada eröffnet die Partie mit zwei weißen Steinen. Weiß 0, Rot 0."
    assert " ".join(status.inner_text().split()) == opening
    page.keyboard.press("ArrowRight")
    said = " ".join(status.inner_text().split())
    assert re.match(r"Zug 1 von 30 Guter Zug\. Weiß hat Steine auf \w+ und \w+ gelegt\. ", said)
    assert page.get_by_role("button", name="Ein Zug weiter").count() == 1
    assert page.get_by_role("table", name="Brett").get_by_role("row").count() == 11


def test_hostile_texts_do_nothing(show: Opened) -> None:
    text = "</script><script>window.taken=1</script><img src=x onerror=window.taken=1>\u202eabc"
    game = example_game().with_tags({"First": text}).with_comment(text, (0,))
    page = show(html.replay(game, title=text), "#game-1-turn-1")
    page.on("dialog", lambda _: pytest.fail("a dialog"))
    assert page.locator(".remark").inner_text() == text
    assert page.evaluate("window.taken") is None
    # A script that got into the page would not run either.
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.taken = 2";
          document.body.append(script);
          document.body.insertAdjacentHTML("beforeend", "<b onclick='window.taken = 3'>x</b>");
          document.body.lastElementChild.click();
        }"""
    )
    assert page.evaluate("window.taken") is None
    isolated = "getComputedStyle(document.querySelector('.remark')).unicodeBidi"
    assert page.evaluate(isolated) == "isolate"


def test_in_the_frame_of_a_notebook(page: Page) -> None:
    page.set_content(f"<p>before</p>{html.replay(GAME)._repr_html_()}<p>after</p>")
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="First turn").click()
    assert frame.locator(".tile:visible").count() == 0
    frame.get_by_role("button", name="One turn on").click()
    assert frame.locator(".tile:visible").count() == 2
    frame.locator("#game-1-turn-9 > a").click()
    assert frame.locator("#game-1-turn-9 > a[aria-current]").count() == 1


def test_a_game_in_a_notebook(page: Page, keep: Path) -> None:
    game = GAME.resign(pdd.Seat.FIRST)
    shown = game._repr_mimebundle_()["text/html"]
    page.set_content(shown)
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="First turn").click()
    frame.get_by_role("button", name="Last turn").click()
    page.screenshot(path=keep)
    # The frame covers the picture and the text.
    box = page.locator("iframe").bounding_box()
    picture = page.locator("img").bounding_box()
    assert box is not None
    assert picture is not None
    assert box["y"] <= picture["y"]
    assert picture["y"] + picture["height"] <= box["y"] + box["height"]
    assert box["x"] <= picture["x"]
    assert picture["x"] + picture["width"] <= box["x"] + box["width"]
    place = {"x": picture["x"] + 9, "y": picture["y"] + 9}
    assert page.evaluate("place => document.elementFromPoint(place.x, place.y).tagName", place) == (
        "IFRAME"
    )
    # A notebook that is not trusted has no frame, and no gap instead of it.
    page.set_content(re.sub("(?s)<iframe.*</iframe>", "", shown))
    below = page.locator("body > div").bounding_box()
    assert below is not None
    assert below["height"] < picture["height"] + 60
    # The rest of it, on a site that removes frames and styles.
    page.set_content(re.sub('(?s)<iframe.*</iframe>| style="[^"]*"', "", shown))
    assert page.get_by_text(pdd.messages.result(game)).is_visible()
    assert page.get_by_role("img", name="Ada").evaluate("each => each.naturalWidth") > 400


@pytest.mark.parametrize("size", [(1280, 800), (1280, 700), (900, 700)])
def test_what_matters_is_in_the_window(show: Opened, page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    show(html.replay(GAME.resign(pdd.Seat.FIRST)))
    parts = ("h2", "svg.pontedeldiavolo", ".cards", ".result", ".controls input", "[aria-current]")
    boxes = {name: page.locator(name).first.bounding_box() for name in parts}
    for name, box in boxes.items():
        assert box is not None
        assert box["y"] + box["height"] <= size[1], name
    # Board, cards, result, controls and moves come in this order, the board on the left.
    tops = [box["y"] for box in boxes.values() if box is not None]
    assert tops[2:] == sorted(tops[2:])
    board, cards = boxes["svg.pontedeldiavolo"], boxes[".cards"]
    assert board is not None
    assert cards is not None
    assert board["x"] + board["width"] <= cards["x"]


def test_an_index_leaves_the_game_in_the_window(show: Opened, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 700})
    show(html.replay([GAME.resign(pdd.Seat.FIRST)] * 20))
    for name in (".index", "h2:visible", "svg.pontedeldiavolo:visible", ".controls input:visible"):
        box = page.locator(name).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 700, name
    page.locator(".index a").last.click()
    assert page.locator("#game-20 h2").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1000, 360])
def test_it_is_accessible(show: Opened, page: Page, keep: Path, scheme: Any, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page.set_viewport_size({"width": width, "height": 640})
    page.emulate_media(color_scheme=scheme)
    show(html.replay([GAME, GAME]), "#game-1-turn-20")
    page.keyboard.press("Tab")
    page.screenshot(path=keep, full_page=width < 500)
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    background = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    theme = {"light": pdd.svg.LIGHT, "dark": pdd.svg.DARK}[scheme]
    # It is that of the page for playing.
    assert background == rgb({"light": "#f6f1e6", "dark": "#11161a"}[scheme])
    for name, of in (("tile.white", theme.white), ("tile.red", theme.red)):
        fill = page.evaluate(f"getComputedStyle(document.querySelector('.{name}')).fill")
        assert fill == rgb(of)
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def rgb(color: str) -> str:
    numbers = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgb({', '.join(map(str, numbers))})"


@pytest.mark.parametrize("size", [(1, 1), (26, 26), (64, 2)])
def test_nothing_scrolls_sideways(show: Opened, page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    words = "x" * 500
    game = pdd.Game.new(pdd.Rules(pdd.Board(*size)), {"First": words, "Long_name" * 9: words})
    show(html.replay([game.with_comment(words, ()), GAME], title=words))
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    page.locator("nav a").nth(1).click()
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_the_deepest_variations_fit_on_a_phone(show: Opened, page: Page, keep: Path) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    game = pdd.Game.new(pdd.Rules(pdd.Board(8, 8))).play("a1,c1")
    path: tuple[int, ...] = (0,)
    for _ in range(50):
        game = game.with_variation(path, ["a1,c3"], "And deeper.")
        path = (*path, 0, 0)
    show(html.replay(game), "#game-1-variation-50-turn-1")
    assert page.locator(".announcement").inner_text().startswith("Variation 50. White placed tiles")
    link = page.locator("#game-1-variation-50-turn-1 > a").bounding_box()
    assert link is not None
    assert link["width"] > 80
    assert link["height"] < 40
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    page.screenshot(path=keep, full_page=True)


def test_on_paper_are_all_turns_of_all_games(show: Opened, page: Page, keep: Path) -> None:
    page.emulate_media(media="print", color_scheme="dark")
    show(html.replay([example_game(), GAME]), "#game-1-turn-2")
    page.screenshot(path=keep, full_page=True)
    assert page.locator("section.game:visible").count() == 2
    moves = page.locator(".moves > ol > li")
    assert moves.count() == len(STATES) + 8
    for place in range(moves.count()):
        item = moves.nth(place)
        assert item.is_visible()
        assert item.evaluate(
            "(each) => each.getBoundingClientRect().bottom"
            " <= each.closest('.moves').getBoundingClientRect().bottom + 1"
        )
    assert page.locator(".controls:visible").count() == 0
    paper = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert paper == rgb(pdd.svg.PRINT.paper)
    fill = page.evaluate("getComputedStyle(document.querySelector('.tile.red')).fill")
    assert fill == rgb(pdd.svg.PRINT.red)


def test_focus_can_be_seen(show: Opened, page: Page) -> None:
    show(html.replay(GAME))
    for _ in range(6):
        page.keyboard.press("Tab")
        style = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert style != "none"


def test_the_page_has_no_motion() -> None:
    text = html.replay(GAME).text
    assert not re.search(r"transition|animation|scroll-behavior", text)
