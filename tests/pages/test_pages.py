"""Replay pages contain whole games: every turn of every line, in pictures and words."""

from __future__ import annotations

import re
import tracemalloc
from base64 import b64decode, b64encode
from hashlib import sha256
from html import unescape
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import html, messages
from pontedeldiavolo.testing.strategies import positions
from support.diagrams import draw
from support.games import random_game
from support.pages import Element, Shown, key_of, lines_of, long_game, position_of, read, sections
from support.pictures import EXAMPLE, example_game
from support.strategies import SMALL_RULES, Player, play_out, share
from support.trees import annotated_games


def check_steps(game: pdd.Game, shown: Shown) -> None:
    """Check that every step of every line shows the state of the game."""
    paths = lines_of(game)
    assert [*shown.lists] == [*range(len(paths))]
    for line, path in enumerate(paths):
        course = shown.course(line)
        about = shown.lists[line].attributes
        if about.get("data-gone"):
            before = shown.parts(int(about["data-base"]), int(about["data-kept"]) - 1)
            gone = {each.split(" ", 1)[1] for each in about["data-gone"].split(";")}
            assert gone <= {*map(key_of, before)}
        for at, (state, (_, item)) in enumerate(zip(game.states(path), course, strict=True)):
            parts = shown.parts(line, at)
            position = state.position
            assert position_of(parts, game.rules.board) == position
            blocked = [each.attributes["data-cell"] for each in parts if "blocked" in each.kinds]
            assert sorted(blocked) == sorted(map(str, position.blocked))
            for color in pdd.Color:
                word = color.value
                lands = [each for each in parts if {"land", word} <= each.kinds]
                groups = {" ".join(map(str, each.cells)) for each in position.groups(color)}
                assert {each.attributes["data-cells"] for each in lands} == groups
                assert len(lands) == len(groups)
                worth = sorted(each.points for each in position.networks(color) if each.points)
                numbers = [each for each in parts if {"points", word} <= each.kinds]
                assert sorted(int(each.attributes["data-points"]) for each in numbers) == worth
                networks = [each for each in parts if {"network", word} <= each.kinds]
                tints = {each.attributes["stroke"] for each in networks}
                assert len(tints) == len(networks) or len(networks) > 8
                points, _, sums = item.attributes[f"data-{word}"].partition(" ")
                assert int(points) == state.score(color).points == sum(worth)
                assert sorted(map(int, sums.split("+") if sums else [])) == worth


@given(annotated_games())
@share(0.5)
def test_every_turn_of_every_line_can_be_seen(game: pdd.Game) -> None:
    (section,) = sections(read(html.replay(game)))
    check_steps(game, Shown(section))


@given(positions(SMALL_RULES), st.integers(0, 2**32 - 1))
@share(0.2)
def test_games_from_odd_starts(position: pdd.Position, seed: int) -> None:
    rng = Random(seed)
    state = pdd.GameState.from_position(position, to_move=rng.choice([*pdd.Color]))
    game = pdd.Game.new(start=state)
    while game.ending is None and len(game.actions) < 6:
        game = game.play(game.state.legal_actions.sample(rng))
    (section,) = sections(read(html.replay(game)))
    check_steps(game, Shown(section))


@pytest.mark.parametrize("size", [(1, 1), (1, 26), (26, 1), (26, 26), (27, 2), (64, 64)])
def test_boards_of_every_size(size: tuple[int, int]) -> None:
    rules = pdd.Rules(pdd.Board(*size))
    game = play_out(rules, Player(Random(3), builder=True), 12)
    (section,) = sections(read(html.replay(game)))
    check_steps(game, Shown(section))
    assert len(section.the("table", kind="cells-in-words").find("td")) == size[0] * size[1] + 1


def test_a_cell_under_two_bridges_of_two_lines() -> None:
    empty = "".join(f"{row} . . . . . .\n" for row in (6, 5, 4))
    board = draw(f"{empty}3 . . w . . .\n2 w . w . . .\n1 w . . . . r")
    start = pdd.GameState.from_position(board, to_move=pdd.Color.WHITE)
    game = pdd.Game.new(start=start).play("a1-c2").play("f3,f5").play("e6,c6")
    game = game.with_variation((2,), ["a2-c3"])
    assert {*map(str, game.state_at((2, 0)).position.blocked)} == {"b1", "b2", "b3"}
    (section,) = sections(read(html.replay(game)))
    check_steps(game, Shown(section))


def test_a_page_shows_the_end_without_a_script() -> None:
    game = example_game().with_variation((3,), ["b2,c1"])
    (section,) = sections(read(html.replay(game)))
    picture = section.the("svg", kind="pontedeldiavolo")
    hidden = [each for each in picture.all() if "display" in each.attributes]
    for element in hidden:
        assert element.attributes["display"] == "none"
        assert "data-line" in element.attributes or "last" in element.kinds
    # The style sheet hides what has gone by the end.
    assert "html:not(.scripted) [data-until]{display:none}" in html.replay(game).text
    lines = [each for each in hidden if "data-line" in each.attributes]
    assert lines
    assert {each.attributes["data-line"] for each in lines} == {"1"}
    assert section.the(kind="controls").attributes["hidden"] == ""
    cards = section.find(kind="card")
    assert [each.the(kind="points").text for each in cards] == ["1", "0"]
    rows = [[row.text for row in each.the(kind="nets").elements] for each in cards]
    assert rows == [["1 island 1"], []]
    assert section.the(kind="result").the("h3").text == "White wins"
    assert section.the(kind="reason").text == "White wins by points, 1 to 0."
    assert section.the(kind="nums").text == "1–0"
    assert section.the(kind="announcement").text == (
        "Red built a bridge from b1 to d1. White wins by points, 1 to 0."
    )


def test_the_list_says_what_was_done() -> None:
    game = example_game()
    game = game.with_comment("Before.", ()).with_comment("After\ntwo lines.", (0,))
    game = game.with_nags([1, 6, 14, 200], (2,))
    game = game.with_annotations({"clk": "0:09:58.5", "emt": "0:00:04", "eval": "3"}, (2,))
    (section,) = sections(read(html.replay(game)))
    start, *items = (item for _, item in Shown(section).course(0))
    assert start.text == "StartBefore."
    assert [item.text for item in items] == [
        "1. White c2 d3 0–0After\ntwo lines.",
        "<Cy> takes red 0–0",
        "2. Red a2 a3 ! ?! ⩲ $200 0–0",
        "3. White b2 d2 1–0",
        "4. Red b1 d1 1–0",
        "5. White pass 1–0",
        "6. Red b1–d1 1–0",
    ]
    assert items[2].attributes["data-clock-second"] == "9:59"
    assert items[2].attributes["data-took"] == "4 s"
    assert [item.attributes["data-announcement"] for item in items][:3] == [
        "White placed tiles on c2 and d3. <Cy> chooses a colour.",
        "<Cy> chose red. Red to move (<Cy>).",
        "Red placed tiles on a2 and a3. White to move (Ada & Bo).",
    ]
    labels = [each.attributes.get("aria-label") for each in items[2].find(kind="nag")]
    assert labels == ["good move", "doubtful move", "white is slightly better", None]
    names = [item.attributes["id"] for item in (start, *items)]
    assert names == [f"game-1-turn-{turn}" for turn in (0, 1, "1-choice", *range(2, 7))]


def test_variations_stand_where_they_branch_off() -> None:
    game = example_game().with_variation((2,), ["a1,a3", "b2,d2"], "Rather this.")
    game = game.with_variation((2, 0, 1), ["b2,c1"])
    (section,) = sections(read(html.replay(game)))
    item = Shown(section).course(0)[3][1]
    assert item.attributes["id"] == "game-1-turn-2"
    outer = item.the("ol", **{"data-line": "1"})
    assert outer.attributes["data-kept"] == "3"
    assert outer.attributes["data-base"] == "0"
    inner = outer.the("ol", **{"data-line": "2"})
    assert (inner.attributes["data-base"], inner.attributes["data-kept"]) == ("1", "4")
    assert "Rather this." in item.text
    announcement = outer.elements[0].attributes["data-announcement"]
    assert announcement.startswith("Variation 1. Red placed tiles on a1 and a3. White to move")
    assert outer.elements[0].attributes["id"] == "game-1-variation-1-turn-2"


def test_lines_that_end_the_game_say_so() -> None:
    game = example_game()
    longer = game.with_variation((6,), [game.state_before((6,)).legal_actions[0]])
    for ended, line, announcement in (
        (game.undo().end(pdd.Ending.TIME, pdd.Seat.FIRST), 0, "White wins on time."),
        (longer, 1, "is a draw with equal points (1)."),
        (pdd.Game.new().resign(pdd.Seat.FIRST), 0, "Player 2 wins by resignation."),
    ):
        (section,) = sections(read(html.replay(ended)))
        assert announcement in Shown(section).course(line)[-1][1].attributes["data-announcement"]


def test_the_board_as_a_table() -> None:
    game = pdd.Game.new(start=pdd.GameState.from_position(EXAMPLE, to_move=pdd.Color.WHITE))
    (section,) = sections(read(html.replay(game)))
    table = section.the("table", kind="cells-in-words")
    assert [each.text for each in table.find("th", scope="col")] == [*"abcdef"]
    assert [each.text for each in table.find("th", scope="row")] == [*"654321"]
    rows = [row.elements for row in table.the("tbody").elements]
    cells = {
        f"{column}{row[0].text}": each.text
        for row in rows
        for column, each in zip("abcdef", row[1:], strict=True)
    }
    assert len(cells) == 36
    assert cells.items() >= {
        *(("a5", "white, island"), ("b5", "white, island, bridge to d4"), ("b1", "blocked")),
        *(("d4", "white, bridge to b5"), ("b2", "water"), ("e1", "red, island")),
    }


def test_what_is_known_about_a_game() -> None:
    game = long_game(turns=3)
    root = read(html.replay(game.with_tags({**game.tags, "Clock": "10+5"})))
    facts = root.the(kind="about").the("dl")
    names = [each.text for each in facts.find("dt")]
    assert names == ["Result", "Rules", "Event", "Date", "Player 1", "Player 2", "Clock"]
    values = [each.text for each in facts.find("dd")]
    supplies = "tiles of each colour: unlimited; bridges for both: unlimited"
    rules = f"10×10 cells; {supplies}; with equal points: islands, bridges"
    assert values[:2] == ["The game goes on.", rules]
    assert values[4:6] == ["Ada", "Bo"]
    # White's player comes first.
    assert game.state.color_of(pdd.Seat.FIRST) is pdd.Color.RED
    assert root.the("h2").text == "Bo – Ada, Tea"
    assert root.the("title").text == "Ponte del Diavolo: Bo – Ada, Tea"


def test_facts_have_the_order_of_a_record() -> None:
    tags = {"Clock": "10+5", "Second": "Bo", "Date": "2026.02.03", "First": "Ada"}
    facts = read(html.replay(pdd.Game.new(tags=tags))).the(kind="about").the("dl")
    assert [each.text for each in facts.find("dt")][2:] == ["Date", "Player 1", "Player 2", "Clock"]


def test_several_games_have_an_index() -> None:
    games = [example_game(), random_game(seed=2), long_game(turns=2, variations=1)]
    root = read(html.replay(iter(games)))
    links = root.the("nav").find("a")
    assert [each.attributes["href"] for each in links] == ["#game-1", "#game-2", "#game-3"]
    assert [each.text for each in links] == ["Ada & Bo – <Cy>, Tea", "Game 2", "Bo – Ada, Tea"]
    results = [each.text for each in root.the("nav").find(kind="ending")]
    assert results == [messages.result(game) for game in games]
    assert [each.attributes["id"] for each in sections(root)] == ["game-1", "game-2", "game-3"]
    for game, section in zip(games, sections(root), strict=True):
        check_steps(game, Shown(section))
    assert root.the("title").text == "Ponte del Diavolo: 3 games"
    assert not read(html.replay(games[:1])).find("nav")


def test_pages_in_german() -> None:
    root = read(html.replay([long_game(turns=6), example_game()], catalog="de"))
    assert root.attributes["lang"] == "de"
    text = root.the("body").text
    assert "Partien" in root.the("nav").attributes["aria-label"]
    assert "1. Weiß c2 d3" in text
    english, german = (
        {value for key, value in catalog.items() if str(key).startswith("page-")}
        for catalog in (messages.LANGUAGES["en"], messages.LANGUAGES["de"])
    )
    pairs = [pair for each in root.all() for pair in each.attributes.items()]
    labels = {text for name, text in pairs if name.startswith(("aria-label", "title", "data-"))}
    labels |= {each.text for each in root.all() if not each.elements}
    assert not labels & {each for each in english - german if each and "{" not in each}


def test_every_word_of_pages_is_used() -> None:
    game = example_game().with_variation((2,), ["a1,a3"])
    game = game.with_tags(dict.fromkeys(("Event", "Site", "Date", "Round", "First", "Second"), "x"))
    times = {"clk": "0:00:01", "emt": "0:00:01", "eval": "-1.5"}
    games = [
        game.with_nags([*range(1, 24), 146], (0,)).with_annotations(times, (0,)),
        pdd.Game.new(pdd.presets.WIKIPEDIA).end(pdd.Ending.AGREEMENT),
    ]
    for key in (key for key in messages.LANGUAGES["en"] if str(key).startswith(("page-", "nag-"))):
        catalog = {each: text for each, text in messages.LANGUAGES["en"].items() if each != key}
        with pytest.raises(pdd.PonteError, match=f"cannot explain {key}"):
            html.replay(games, catalog=catalog)


@pytest.mark.parametrize("seed", range(5))
def test_a_game_of_fifty_turns_is_a_small_file(seed: int) -> None:
    game = long_game(seed)
    assert game.state.turn == 50 or game.ending is not None
    assert len(html.replay(game).text.encode()) < 120_000
    longer = long_game(seed, variations=10)
    assert len(html.replay(longer).text.encode()) < 150_000


def hostile(moves: int, variations: int) -> pdd.Game:
    """Return a game on the largest board, with many variations at its last move."""
    rules = pdd.Rules(pdd.Board(64, 64))
    rng = Random(1)
    game = pdd.Game.new(rules)
    legal = game.state.legal_actions
    while len(game.actions) < moves:
        legal = game.state.legal_actions
        game = game.play(legal.sample(rng))
    body, _, end = pdd.records.dumps(game).rstrip().rpartition(" ")
    others = " ".join(f"({pdd.format_action(each)})" for each in legal[:variations])
    return pdd.records.loads(f"{body} {others} {end}\n")


@pytest.mark.parametrize(
    ("moves", "variations"), [(100, 200), pytest.param(769, 4_000, marks=pytest.mark.slow)]
)
def test_a_page_takes_what_it_shows(moves: int, variations: int) -> None:
    game = hostile(moves, variations)
    tracemalloc.start()
    try:
        if variations < 4_000:
            assert len(html.replay(game).text.encode()) < 2_000_000
        else:
            with pytest.raises(pdd.PonteError, match="at most 1000000 characters") as caught:
                html.replay(game)
            assert (caught.value.code, caught.value.values) == ("oversized-page", {"max": 10**6})
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()


def test_the_limit_of_a_page_can_be_changed() -> None:
    game = example_game()
    for most in (None, 100_000):
        assert html.replay(game, max_characters=most) == html.replay(game)
    with pytest.raises(pdd.PonteError, match="at most 1000 characters for the moves of a game"):
        html.replay(game, max_characters=1_000)
    # Comments are not shortened.
    told = game.with_comment("x" * 200_000, (0,))
    assert len(html.replay(told, max_characters=100_000).text) > 200_000


def test_names_are_unique() -> None:
    root = read(html.replay([long_game(variations=9), long_game(variations=9)]))
    names = [each.attributes["id"] for each in root.all() if "id" in each.attributes]
    assert len({*names}) == len(names)
    for link in root.find("a"):
        # Those to steps are for the script, which knows their names.
        assert link.attributes.get("href", "#game-1").removeprefix("#") in names


def test_notebooks_show_it_in_a_frame() -> None:
    page = html.replay(example_game())
    frame = page._repr_html_()
    begin = '<iframe title="Ponte del Diavolo" sandbox="allow-scripts"'
    found = re.search(rf'{begin} [^<>]* srcdoc="([^"<>]*)"></iframe>', frame)
    assert found is not None
    # Where frames are removed, the title remains.
    title = re.search("<title>(.*)</title>", page.text)
    assert title is not None
    assert re.sub("<[^>]*>", "", frame) == title[1]
    signs = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&"}
    assert re.sub("&(lt|gt|quot|amp);", lambda each: signs[each[0]], found[1]) == page.text


def test_a_notebook_shows_a_game_with_its_result_and_a_replay_page() -> None:
    game = long_game().resign(pdd.Seat.FIRST).with_tags({"First": "Ada <b>", "Second": '"Bob"'})
    bundle = game._repr_mimebundle_(include=None, exclude=None)
    assert [*bundle] == ["text/html"]
    shown = bundle["text/html"]
    said = f"&quot;Bob&quot; – Ada &lt;b&gt;: {messages.result(game)}"
    assert f'<p dir="auto">{said}</p><img alt="{said}" width="480" src="' in shown
    source = re.search('src="data:image/svg[+]xml;base64,([^"]*)"', shown)
    assert source is not None
    last = game.actions[-1]
    assert b64decode(source[1]).decode() == pdd.svg.render(game, last=last, size=480).text
    frame = re.search(
        '<iframe [^>]* sandbox="allow-scripts" [^>]*srcdoc="([^"]*)"></iframe>', shown
    )
    assert frame is not None
    assert unescape(frame[1]) == html.replay(game).text
    # Without frames, scripts and styles, the text and the picture remain.
    assert "<script" not in shown.replace(frame[0], "")


def test_the_frame_of_a_notebook_is_left_out_of_long_games() -> None:
    game = long_game().with_comment("x" * 300_000, (0,))
    shown = game._repr_mimebundle_()["text/html"]
    assert "<iframe" not in shown
    assert "<img " in shown
    assert len(shown) < 200_000
    large = long_game(turns=300, variations=40)
    assert len(large._repr_mimebundle_()["text/html"]) < 800_000


def test_a_page_has_a_game() -> None:
    with pytest.raises(pdd.PonteError, match="a page has at least one game"):
        html.replay([])


# Texts stay texts; the browser would not run them as scripts either

HOSTILE = [
    "</script><script>document.title = 'taken'</script>",
    "</style></title></head><img src=x onerror=alert(1)>",
    '" onfocus="alert(1)" autofocus tabindex="1',
    "' onmouseover='alert(1)",
    "<!-- <![CDATA[ ]]> --> <?xml?>",
    "&lt;b&gt; &amp;amp; &#60;script&#62; &NewLine;",
    "javascript:alert(1)",
    "\u202eright to left\u2066",
    "<svg/onload=alert(1)>",
    "{white} {0} %s ${alert(1)} `",
    "\ufeff\ufffe\U0001f309",
]


LOADING = {"link", "iframe", "object", "embed", "img", "image", "use", "base"}
"""Elements that load a file."""


def game_with(text: str) -> pdd.Game:
    """Return a game with a text in every possible place."""
    tags = dict.fromkeys(("Event", "Site", "Date", "Round", "First", "Second", "Other"), text)
    game = example_game().with_tags(tags).with_variation((2,), ["a1,a3"], text)
    for path in [(), (0,), (2, 0, 0)]:
        game = game.with_comment(text, path)
    return game.with_annotations(dict.fromkeys(("clk", "evil"), text.replace("]", "")), (0,))


def shape(root: Element) -> list[tuple[str, tuple[str, ...]]]:
    """Return all elements with the names of their attributes."""
    return [(each.tag, (*each.attributes,)) for each in root.all()]


HARMLESS = shape(read(html.replay([game_with("text")] * 2, title="text")))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_stay_texts(text: str) -> None:
    root = read(html.replay([game_with(text)] * 2, title=text))
    assert shape(root) == HARMLESS
    shown = text.replace("\ufffe", "\ufffd")
    assert root.the("title").text == root.the("h1").text == shown
    assert {each.text for each in root.find(kind="comment")} == {shown.strip()}
    assert [each.text for each in root.find("dd")[2:9]] == [shown] * 7
    assert root.find("h2")[0].text == f"{shown} – {shown}, {shown}"
    # The text cannot change the direction of the text after it.
    for each in [*root.find(kind="comment"), *root.find("h2"), *root.find("dd"), root.the("h1")]:
        assert each.attributes["dir"] == "auto"


@given(st.text(max_size=40))
@share(0.3)
def test_any_title(title: str) -> None:
    root = read(html.replay([game_with("text")] * 2, title=title))
    assert shape(root) == HARMLESS


@pytest.mark.parametrize("title", ["a\u2028b\u2029c", "\x00\x1f\x7f", "\ud800", "\r\n\t"])
def test_titles_with_what_no_tag_has(title: str) -> None:
    page = html.replay(example_game(), title=title)
    assert page.text.encode()
    assert "\x00" not in page.text
    assert len(read(page).find("h1")) == 1


def test_only_what_belongs_to_the_page_may_run() -> None:
    root = read(html.replay([game_with(HOSTILE[0])] * 2))
    (meta,) = root.find("meta", **{"http-equiv": "Content-Security-Policy"})
    policy = dict(part.split(" ", 1) for part in meta.attributes["content"].split("; "))
    for tag in ("script", "style"):
        digest = b64encode(sha256(root.the(tag).text.encode()).digest()).decode()
        assert policy.pop(f"{tag}-src") == f"'sha256-{digest}'"
    nothing = dict.fromkeys(("default-src", "base-uri", "form-action"), "'none'")
    assert policy == {**nothing, "img-src": "data:"}
    # The policy comes first in the page.
    head = root.the("head").elements
    assert [each.tag for each in head[:2]] == ["meta", "meta"]
    assert head[1] is meta


def test_nothing_is_asked_of_a_network() -> None:
    page = html.replay([game_with("text")] * 2)
    root = read(page)
    assert {*re.findall(r"[a-z]+://[^\s\"']+", page.text)} == {"http://www.w3.org/2000/svg"}
    assert "url(" not in page.text
    assert "@import" not in page.text
    for element in root.all():
        assert element.tag not in LOADING
        for name, value in element.attributes.items():
            assert not name.startswith("on")
            assert name not in {"src", "srcset", "style", "action"}
            assert name != "href" or value.startswith("#game-")


def test_a_catalogue_is_not_trusted_either() -> None:
    text = '"><script>alert(1)</script>'
    catalog = {key: f"{text}{value}" for key, value in pdd.messages.LANGUAGES["en"].items()}
    root = read(html.replay([game_with("text")] * 2, title="text", catalog=catalog))
    # The letters of pictures lack this sign, too.
    harmless = {key: f"☃{value}" for key, value in pdd.messages.LANGUAGES["en"].items()}
    other = read(html.replay([game_with("text")] * 2, title="text", catalog=harmless))
    assert shape(root) == shape(other)
