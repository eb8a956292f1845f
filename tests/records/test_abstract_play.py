"""Abstract Play's reports and lists of moves become games, and games become reports."""

from __future__ import annotations

import json
from functools import partial
from io import StringIO
from random import Random
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

import pontedeldiavolo as pdd
from pontedeldiavolo import Ending, Seat
from pontedeldiavolo.records import Format, abstract_play, unsupported
from support.checks import told
from support.games import actions_of
from support.samples import REPORTS, Report, new_report
from support.strategies import Player, play_out, tag_values

RULES = (pdd.presets.ABSTRACT_PLAY, pdd.presets.ABSTRACT_PLAY_8, pdd.presets.ABSTRACT_PLAY_12)
SCHEMA = json.loads((REPORTS / "report.schema.json").read_text("utf-8"))


def read(report: Report) -> pdd.Game:
    return abstract_play.loads(json.dumps(report))


def written(game: pdd.Game) -> Report:
    """Return the report of a game, which must be valid under the site's schema."""
    report: Report = json.loads(abstract_play.dumps(game))
    jsonschema.validate(report, SCHEMA)
    return report


def test_the_next_report_is_found_after_one_that_is_no_json() -> None:
    good = json.dumps(new_report("d4,g7"))
    text = f'{good}\n{{"header": {{"game": }}}}\n{good}\n{{"header": 1'
    results = list(abstract_play.iter_games(text, "yield"))
    kinds = [type(result) for result in results]
    assert kinds == [pdd.Game, pdd.RecordError, pdd.Game, pdd.RecordError]
    assert [each.line for each in results if isinstance(each, pdd.RecordError)] == [2, 4]


def test_a_report_written_by_this_library() -> None:
    game = pdd.records.loads((REPORTS / "export.pdd").read_text("utf-8"))
    text = (REPORTS / "export.json").read_text("utf-8")
    assert abstract_play.dumps(game) == text


@pytest.mark.parametrize("flag", [None, "pie-invoked", "pied"])
def test_after_a_swap_the_first_player_has_the_second_seat(flag: str | None) -> None:
    report = new_report("d4,g7", "c3,c5", "e2,e9", "resign", results=(1, 0))
    if flag is not None:
        report["header"][flag] = True
    game = read(report)
    names = ("Ada", "Bo")
    choice = "red"
    winner = Seat.FIRST
    seats = ["first", "second", "second", "first"]
    if flag is not None:
        names = ("Bo", "Ada")
        choice = "white"
        winner = Seat.SECOND
        seats = ["first", "second", "first", "second"]
    assert (game.tags["First"], game.tags["Second"]) == names
    assert actions_of(game) == ["d4,g7", choice, "c3,c5", "e2,e9"]
    assert [ply.seat.value for ply in game.plies] == seats
    # The first result belongs to the first player, who owns white.
    assert (game.winning_seat, game.result, game.ending) == (winner, "white", Ending.RESIGNATION)


@pytest.mark.parametrize(
    ("moves", "pie", "actions"),
    [
        ((), False, []),
        (("d4,g7",), False, ["d4,g7"]),
        (("d4,g7",), True, ["d4,g7", "white"]),
        (("d4,g7", "c3,c5"), False, ["d4,g7", "red", "c3,c5"]),
        ((" G7 , d4", "C5,\tc3", "g5,d 6"), False, ["d4,g7", "red", "c3,c5", "g5,d6"]),
    ],
)
def test_red_is_chosen_when_a_move_follows(
    moves: tuple[str, ...], *, pie: bool, actions: list[str]
) -> None:
    report = new_report(*moves)
    report["header"]["pie-invoked"] = pie
    assert actions_of(read(report)) == actions


@pytest.mark.parametrize(
    ("side", "variants"),
    [
        (10, ([], ["#board"], ["10x10 board"], ["size-10"])),
        (8, (["size-8"], ["8x8 board"], ["8x8-Brett"])),
        (12, (["Plateau 12x12"], ["SIZE-12", "Unlimited tiles and bridges"], ["12×12"])),
        (12, (["\u0414\u043e\u0448\u043a\u0430 12\u044512"],)),
    ],
)
def test_boards(side: int, variants: tuple[list[str], ...]) -> None:
    for each in variants:
        report = new_report("a1,b1")
        report["header"]["game"]["variants"] = each
        assert read(report).rules.board == pdd.Board(side, side)


def test_header_becomes_tags() -> None:
    report = new_report("d4,g7")
    header = report["header"]
    header |= {"event": "League\n2026", "round": "3", "unrated": True, "note": [1.5]}
    header["site"]["gameid"] = 1234
    header["players"][0] |= {"userid": "u-1", "is_ai": False, "score": 1.25}
    header["players"][1] |= {"userid": "u-2", "is_ai": True, "score": -1e3}
    tags = {"Event": "League 2026", "Round": "3", "Site": "Abstract Play", "GameId": "1234"}
    tags |= {"Rated": "no", "Date": "2026.05.17", "Started": "2026-05-17T19:02:11.512Z"}
    tags |= {"Ended": "2026-05-28T07:45:00.003Z", "Generated": "2026-05-28T07:45:01.120Z"}
    tags |= {"First": "Ada", "FirstId": "u-1", "FirstType": "human"}
    tags |= {"Second": "Bo", "SecondId": "u-2", "SecondType": "program"}
    assert read(report).tags == tags


def test_a_report_needs_little() -> None:
    players: list[dict[str, Any]] = [{"name": ""}, {"name": "Bo", "result": None}]
    move = {"move": "d4,g7", "sequence": 1, "result": [{"type": "place"}]}
    header = {"game": {"name": "PONTEDD"}, "event": None, "players": players}
    game = read({"header": header, "moves": [[None, move]]})
    assert (dict(game.tags), actions_of(game), game.ending) == ({"Second": "Bo"}, ["d4,g7"], None)


@pytest.mark.parametrize(
    ("word", "results", "ending", "winner"),
    [
        ("resign", (1, 0), Ending.RESIGNATION, Seat.FIRST),
        ("Resign", (0, 1), Ending.RESIGNATION, Seat.SECOND),
        ("timeout", (10**17, 3), Ending.TIME, Seat.FIRST),
        ("timeout", (0, 0), Ending.TIME, None),
        ("draw", (1, 1), Ending.AGREEMENT, None),
        ("draw", (None, None), Ending.AGREEMENT, None),
        ("abandoned", (0, 0), Ending.ADJUDICATION, None),
    ],
)
def test_words_in_place_of_the_last_move(
    word: str, results: tuple[int | None, int | None], ending: Ending, winner: Seat | None
) -> None:
    for moves in ((), ("d4,g7",), ("d4,g7", "c3,c5")):
        game = read(new_report(*moves, word, results=results))
        assert (game.ending, game.winning_seat) == (ending, winner)


def test_results_of_an_unfinished_board_without_a_word() -> None:
    assert read(new_report("d4,g7", "c3,c5")).ending is None
    game = read(new_report("d4,g7", "c3,c5", results=(0, 1)))
    assert (game.ending, game.winning_seat) == (Ending.ADJUDICATION, Seat.SECOND)


@pytest.mark.parametrize(
    "text",
    [
        *("d4,g7 c3,c5 e2,e9", "\ufeffd4,g7\nc3,c5\r\ne2,e9\n", "d4,g7, c3,c5, e2,e9"),
        *("D4,G7;C3,C5;E2,E9;", "1. d4 , g7  c3,c5 2... e9,e2", "size-10 d4,g7 red c3,c5 e2,e9"),
    ],
)
def test_layouts_of_lists(text: str) -> None:
    game = abstract_play.loads(text)
    assert actions_of(game) == ["d4,g7", "red", "c3,c5", "e2,e9"]
    assert (game.rules, game.ending) == (pdd.presets.ABSTRACT_PLAY, None)


@pytest.mark.parametrize(
    ("text", "side", "actions", "ending", "winner"),
    [
        ("size-12, PIED\nd4,g7 c3,l12", 12, ["d4,g7", "white", "c3,l12"], None, None),
        ("pie-invoked size-8 d4,g7", 8, ["d4,g7", "white"], None, None),
        ("d4,g7 white", 10, ["d4,g7", "white"], None, None),
        ("size-10", 10, [], None, None),
        ("size-8 resign", 8, [], Ending.RESIGNATION, Seat.SECOND),
        ("d4,g7 resign", 10, ["d4,g7"], Ending.RESIGNATION, Seat.FIRST),
        ("d4,g7 timeout", 10, ["d4,g7"], Ending.TIME, Seat.FIRST),
        ("d4,g7 white DRAW", 10, ["d4,g7", "white"], Ending.AGREEMENT, None),
        ("d4,g7 abandoned", 10, ["d4,g7"], Ending.ADJUDICATION, None),
    ],
)
def test_words_of_lists(
    text: str, side: int, actions: list[str], ending: Ending | None, winner: Seat | None
) -> None:
    game = abstract_play.loads(text)
    assert game.rules == next(each for each in RULES if each.board.width == side)
    assert (actions_of(game), game.ending, game.winning_seat) == (actions, ending, winner)


def test_an_empty_line_separates_lists() -> None:
    text = "d4,g7\nc3,c5 resign\n \n\nd4\n\t\nsize-8 a1,b1"
    first, second, third = abstract_play.iter_games(StringIO(text), "yield")
    assert isinstance(first, pdd.Game)
    assert (first.ending, first.winning_seat) == (Ending.RESIGNATION, Seat.SECOND)
    assert told(second) == (2, 5, 3, "',' or '-'")
    assert isinstance(third, pdd.Game)
    assert third.rules == pdd.presets.ABSTRACT_PLAY_8


NOT_FINISHED = "that the game is not finished"
STARTED = pdd.GameState.initial().apply(pdd.parse_action("d4,g7"))


def test_parts_that_a_report_cannot_hold() -> None:
    unsupported_in = partial(unsupported, format=Format.ABSTRACT_PLAY)
    game = pdd.Game.new(pdd.presets.ORIGINAL).play("d4,g7").play("red")
    red = "the choice of red with nothing after it"
    lost = ("the supply of tiles and bridges", NOT_FINISHED, red)
    assert unsupported_in(game) == lost
    game = game.with_comment("first", ()).with_nags([1], (0,)).with_variation((0,), ["a1,a2"])
    game = game.with_annotations({"clk": "0:00:01"}, (0,))
    assert unsupported_in(game) == ("variations", "comments", "NAGs", "annotations", *lost)
    bridges = pdd.Game.new(pdd.Rules(bridges=0)).end(Ending.AGREEMENT, None)
    assert unsupported_in(bridges) == ("the supply of tiles and bridges",)
    rules = pdd.Rules(pdd.Board(7, 5), tiebreaks=())
    game = pdd.Game.new(start=pdd.GameState.initial(rules).apply(pdd.parse_action("d4,g1")))
    other = ("the board of 7x5", "the tie-breaks", "the start", NOT_FINISHED)
    assert unsupported_in(game) == other
    game = pdd.Game.new().end(Ending.AGREEMENT, Seat.SECOND)
    assert unsupported_in(game) == ("that the winner was agreed on",)
    again = read(written(game))
    assert (again.ending, again.winning_seat) == (Ending.ADJUDICATION, Seat.SECOND)


SHORT = pdd.Game.from_actions(
    pdd.Rules(pdd.Board(8, 8), tiles_per_color=2), ["a1,c1", "red", "a3,c3", "pass", "pass"]
)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (pdd.Game.new(pdd.Rules(pdd.Board(8, 10))), "no board of Abstract Play: 8x10"),
        (pdd.Game.new(start=STARTED), "starts from the empty board"),
        (pdd.Game.new(), "finished games only"),
        (SHORT, "not a game under the other rules: Passing is not allowed"),
    ],
)
def test_games_that_cannot_be_written(game: pdd.Game, message: str) -> None:
    with pytest.raises(pdd.PonteError, match=message):
        abstract_play.dumps(game)


def test_games_whose_end_depends_on_the_rules() -> None:
    # Without tie-breaks equal points are a draw; on the site the bridges would decide.
    messages = set()
    for tiebreaks in ((), (pdd.Tiebreak.BRIDGES, pdd.Tiebreak.ISLANDS)):
        rules = pdd.Rules(pdd.Board(8, 8), tiebreaks=tiebreaks)
        for seed in range(12):
            game = play_out(rules, Player(Random(seed), builder=True, settler=True))
            try:
                assert read(written(game)).result == game.result
            except pdd.PonteError as error:
                messages.add(str(error))
    assert messages == {"under the other rules the game would have another result"}


def test_a_supply_that_ends_the_game_early() -> None:
    game = pdd.Game.from_actions(pdd.Rules(pdd.Board(8, 8), tiles_per_color=8), ["a1,c1", "red"])
    assert read(written(game.lose_on_time(Seat.SECOND))).ending is Ending.TIME


def test_tags_without_a_member_are_kept_beside_the_others() -> None:
    tags = {"First": "", "Site": "", "Date": "2026.??.??", "Started": "tomorrow"}
    tags |= {"Rated": "perhaps", "FirstType": "cat", "Event": "no round", "Clock": "0:30"}
    game = pdd.Game.new(tags=tags).end(Ending.TIME, Seat.FIRST)
    report = written(game)
    assert report["header"]["date-start"] == "2026-01-01T00:00:00Z"
    assert report["header"]["pontedeldiavolo-tags"] == dict(sorted(tags.items()))
    assert read(report) == game
    for text in ("2026-02-31T00:00:00Z", "2026-05-17T24:61:00Z", "2026-05-17"):
        odd = pdd.Game.new(tags={"Started": text, "Date": "2026.??.17"}).end(Ending.AGREEMENT)
        report = written(odd)
        assert report["header"]["date-start"] == "0001-01-01T00:00:00Z"
        assert read(report) == odd
    odd = pdd.Game.new(tags={"Started": "2026-05-17T19:02:11Z"}).end(Ending.AGREEMENT)
    assert written(odd)["header"]["pontedeldiavolo-tags"] == {"Date": None}
    assert read(written(odd)) == odd


def tags() -> SearchStrategy[dict[str, str]]:
    """Return tags, many of which correspond to members of a report."""
    moments = st.datetimes().map(lambda each: each.isoformat(timespec="milliseconds") + "Z")
    day = moments.map(lambda each: each[:10].replace("-", "."))
    odd_day = st.sampled_from(["2026.05.??", "????.??.??", "2026.02.31", "soon", "0001.01.01"])
    values: dict[str, SearchStrategy[str]] = dict.fromkeys(
        ("Event", "Round", "Site", "First", "Second", "GameId", "FirstId"), tag_values()
    )
    values |= dict.fromkeys(("Ended", "Generated"), moments | tag_values())
    values |= {
        "Date": day | odd_day,
        "Started": moments | st.just("2026-05-17T00:00:00Z") | tag_values(),
        "SecondType": st.sampled_from(["human", "program", "cat"]),
        "Rated": st.sampled_from(["yes", "no", ""]),
    }
    free = st.dictionaries(st.from_regex(r"[A-Z][a-z]{0,3}_", fullmatch=True), tag_values())
    known = st.fixed_dictionaries({}, optional=values)
    return st.builds(lambda one, two: {**one, **two}, known, free)


@st.composite
def games(draw: DrawFn) -> pdd.Game:
    """Return finished games that the site can represent."""
    rules = RULES[draw(st.sampled_from([1, 1, 1, 0, 2]))]
    player = Player(Random(draw(st.integers(0, 10**6))), draw(st.booleans()), draw(st.booleans()))
    longest = draw(st.none() | st.integers(0, 12))
    game = play_out(rules, player, longest).with_tags(draw(tags()))
    if game.actions[-1:] == (pdd.ChooseColor(pdd.Color.RED),):
        game = game.undo()
    if game.ending is not None:
        return game
    ending = draw(st.sampled_from([each for each in Ending if each is not Ending.SCORED]))
    seats = st.sampled_from(Seat)
    if ending is Ending.AGREEMENT:
        return game.end(ending)
    return game.end(ending, draw(seats if ending is Ending.RESIGNATION else st.none() | seats))


@given(games())
def test_reports_round_trip(game: pdd.Game) -> None:
    assert unsupported(game, Format.ABSTRACT_PLAY) == ()
    assert read(written(game)) == abstract_play.loads(abstract_play.dumps(game)) == game
