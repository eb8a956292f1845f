"""Abstract Play's reports and lists of moves become games, and games become reports."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, cast

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

import pontedeldiavolo as pdd
from pontedeldiavolo.records import abstract_play
from strategies import Player, play_out, share, tag_values

DATA = Path(__file__).parent / "data" / "abstract_play"
RULES = (
    pdd.presets.ABSTRACT_PLAY_8,
    pdd.presets.ABSTRACT_PLAY,
    pdd.presets.ABSTRACT_PLAY_12,
)
SCHEMA = json.loads((DATA / "report.schema.json").read_text("utf-8"))

Report = dict[str, Any]
Edit = Callable[[Report], object]


def new_report(*moves: str, results: tuple[object, object] = (0, 0)) -> Report:
    """Return a report as the site writes it, of a game of Ada, who began, and Bo."""
    rounds = [list(moves[place : place + 2]) for place in range(0, len(moves), 2)]
    players = [{"name": "Ada", "result": results[0]}, {"name": "Bo", "result": results[1]}]
    return {
        "header": {
            "game": {"name": "Ponte del Diavolo", "variants": ["10x10 board"]},
            "site": {"name": "Abstract Play"},
            "date-start": "2026-05-17T19:02:11.512Z",
            "date-end": "2026-05-28T07:45:00.003Z",
            "date-generated": "2026-05-28T07:45:01.120Z",
            "players": players,
        },
        "moves": rounds,
    }


def read(report: Report) -> pdd.Game:
    return abstract_play.loads(json.dumps(report))


def refused(text: str) -> pdd.RecordError:
    with pytest.raises(pdd.RecordError) as caught:
        abstract_play.loads(text)
    return caught.value


def names(game: pdd.Game) -> list[str]:
    return [pdd.format_action(action) for action in game.actions]


# Files


@pytest.mark.parametrize("name", ["pie-8x8.json", "archive.json", "moves.txt"])
def test_files_read_as_the_records_beside_them(name: str) -> None:
    path = DATA / name
    with path.open(encoding="utf-8") as file:
        games = list(abstract_play.iter_games(file, on_error="skip"))
    with path.with_suffix(".pdd").open(encoding="utf-8") as file:
        assert games == list(pdd.records.iter_games(file))


def test_a_bad_report_does_not_end_the_archive() -> None:
    with (DATA / "archive.json").open(encoding="utf-8") as file:
        results = list(abstract_play.iter_results(file))
    assert [isinstance(result, pdd.Game) for result in results] == [True, False, True, True]
    error = results[1]
    assert isinstance(error, pdd.RecordError)
    assert (error.number, error.line, error.expected) == (2, 48, "a game of Ponte del Diavolo")


def test_a_report_written_by_this_library() -> None:
    game = pdd.records.loads((DATA / "export.pdd").read_text("utf-8"))
    text = (DATA / "export.json").read_text("utf-8")
    assert abstract_play.dumps(game) == text
    assert abstract_play.loads(text) == game
    jsonschema.validate(json.loads(text), SCHEMA)


def test_the_reports_of_the_data_are_such_as_the_site_has_them() -> None:
    for name in ("pie-8x8.json", "archive.json"):
        value = json.loads((DATA / name).read_text("utf-8"))
        for report in value if isinstance(value, list) else [value]:
            jsonschema.validate(report, SCHEMA)


def test_load_and_dump() -> None:
    game = read(new_report("d4,g7", "c3,c5", "resign", results=(0, 1)))
    file = StringIO()
    abstract_play.dump(game, file)
    abstract_play.dump(game, file)
    file.seek(0)
    assert list(abstract_play.iter_games(file)) == [game, game]
    file.seek(0)
    with pytest.raises(pdd.RecordError, match="game 2, line 18, column 1: expected the end: one"):
        abstract_play.load(file)
    assert abstract_play.load([abstract_play.dumps(game)]) == game


# The pie


def test_without_the_pie_the_player_named_first_keeps_white() -> None:
    game = read(new_report("d4,g7", "c3,c5", "e2,e9"))
    assert (game.tags["First"], game.tags["Second"]) == ("Ada", "Bo")
    assert names(game) == ["d4,g7", "red", "c3,c5", "e2,e9"]
    assert [turn.seat.value for turn in game.turns] == ["first", "second", "second", "first"]


@pytest.mark.parametrize("flag", ["pie-invoked", "pied"])
def test_after_the_pie_the_player_named_first_sat_second_and_owns_white(flag: str) -> None:
    report = new_report("d4,g7", "c3,c5", "e2,e9")
    report["header"][flag] = True
    game = read(report)
    assert (game.tags["First"], game.tags["Second"]) == ("Bo", "Ada")
    assert names(game) == ["d4,g7", "white", "c3,c5", "e2,e9"]
    assert [turn.seat.value for turn in game.turns] == ["first", "second", "first", "second"]


@pytest.mark.parametrize(("pie", "winner"), [(False, "first"), (True, "second")])
def test_results_follow_the_order_of_the_players(*, pie: bool, winner: str) -> None:
    report = new_report("d4,g7", "c3,c5", "resign", results=(1, 0))
    report["header"]["pied"] = pie
    game = read(report)
    assert game.winning_seat is pdd.Seat(winner)
    assert (game.result, game.ending) == ("white", pdd.Ending.RESIGNATION)


@pytest.mark.parametrize(
    ("moves", "pie", "actions"),
    [
        ((), False, []),
        (("d4,g7",), False, ["d4,g7"]),
        (("d4,g7",), True, ["d4,g7", "white"]),
        (("d4,g7", "c3,c5"), False, ["d4,g7", "red", "c3,c5"]),
    ],
)
def test_red_is_chosen_when_something_follows(
    moves: tuple[str, ...], *, pie: bool, actions: list[str]
) -> None:
    report = new_report(*moves)
    report["header"]["pie-invoked"] = pie
    assert names(read(report)) == actions


# What a report says


@pytest.mark.parametrize(
    ("variants", "side"),
    [
        ([], 10),
        (["#board"], 10),
        (["10x10 board"], 10),
        (["size-8"], 8),
        (["8x8 board"], 8),
        (["8x8-Brett"], 8),
        (["Plateau 12x12"], 12),
        (["SIZE-12", "Unlimited tiles and bridges"], 12),
        (["\u0414\u043e\u0448\u043a\u0430 12\u044512"], 12),
        (["12×12"], 12),
    ],
)
def test_boards(variants: list[str], side: int) -> None:
    report = new_report("a1,b1")
    report["header"]["game"]["variants"] = variants
    assert read(report).rules.board == pdd.Board(side, side)


def test_header_becomes_tags() -> None:
    report = new_report("d4,g7")
    report["header"] |= {"event": "League\n2026", "round": "3", "unrated": True, "note": [1.5]}
    report["header"]["site"]["gameid"] = 1234
    report["header"]["players"][0] |= {"userid": "u-1", "is_ai": False, "score": 1.25}
    report["header"]["players"][1] |= {"userid": "u-2", "is_ai": True, "score": -1e3}
    assert read(report).tags == {
        "Event": "League 2026",
        "Round": "3",
        "Site": "Abstract Play",
        "GameId": "1234",
        "Rated": "no",
        "Date": "2026.05.17",
        "Started": "2026-05-17T19:02:11.512Z",
        "Ended": "2026-05-28T07:45:00.003Z",
        "Generated": "2026-05-28T07:45:01.120Z",
        "First": "Ada",
        "FirstId": "u-1",
        "FirstType": "human",
        "Second": "Bo",
        "SecondId": "u-2",
        "SecondType": "program",
    }


def test_what_a_report_can_do_without() -> None:
    report = {
        "header": {
            "game": {"name": "PONTEDD"},
            "event": None,
            "players": [{"name": ""}, {"name": "Bo", "result": None}],
        },
        "moves": [[None, {"move": "d4,g7", "sequence": 1, "result": [{"type": "place"}]}]],
    }
    game = read(report)
    assert game.tags == {"Second": "Bo"}
    assert names(game) == ["d4,g7"]
    assert game.ending is None


def test_capitals_blanks_and_the_order_of_clicks_do_not_matter() -> None:
    game = read(new_report(" G7 , d4", "C5,\tc3", "g5,d 6"))
    assert names(game) == ["d4,g7", "red", "c3,c5", "g5,d6"]


@pytest.mark.parametrize(
    ("word", "results", "ending", "winner"),
    [
        ("resign", (1, 0), pdd.Ending.RESIGNATION, pdd.Seat.FIRST),
        ("Resign", (0, 1), pdd.Ending.RESIGNATION, pdd.Seat.SECOND),
        ("timeout", (100, 3), pdd.Ending.TIME, pdd.Seat.FIRST),
        ("timeout", (0, 0), pdd.Ending.TIME, None),
        ("draw", (1, 1), pdd.Ending.AGREEMENT, None),
        ("draw", (None, None), pdd.Ending.AGREEMENT, None),
        ("abandoned", (0, 0), pdd.Ending.ADJUDICATION, None),
    ],
)
def test_words_in_place_of_the_last_move(
    word: str,
    results: tuple[int | None, int | None],
    ending: pdd.Ending,
    winner: pdd.Seat | None,
) -> None:
    for moves in ((), ("d4,g7",), ("d4,g7", "c3,c5")):
        game = read(new_report(*moves, word, results=results))
        assert (game.ending, game.winning_seat) == (ending, winner)


def test_results_of_an_unfinished_board_without_a_word() -> None:
    assert read(new_report("d4,g7", "c3,c5")).ending is None
    game = read(new_report("d4,g7", "c3,c5", results=(0, 1)))
    assert (game.ending, game.winning_seat) == (pdd.Ending.ADJUDICATION, pdd.Seat.SECOND)


# What is refused


def finished() -> Report:
    return cast("Report", json.loads((DATA / "pie-8x8.json").read_text("utf-8")))


def test_a_played_out_board_has_its_own_result() -> None:
    report = finished()
    assert read(report).result == "red"
    for player in report["header"]["players"]:
        player["result"] = 1 - player["result"]
    error = refused(json.dumps(report))
    assert error.expected == "the result 'red', as the board has it"
    for player in report["header"]["players"]:
        del player["result"]
    assert read(report).result == "red"
    report["moves"].append(["resign"])
    assert refused(json.dumps(report)).expected == "no word after the end of the game"


def drawn_with_a_winner(report: Report) -> None:
    report["moves"] = [["draw"]]
    report["header"]["players"][0]["result"] = 2


EDITS: list[tuple[str, Edit]] = [
    ("an object with 'header'", lambda report: report.pop("header")),
    ("'moves', an array of rounds", lambda report: report.pop("moves")),
    ("'moves', an array of rounds", lambda report: report.update(moves="d4,g7")),
    ("a round: an array of moves", lambda report: report.update(moves=["d4,g7"])),
    (
        "a move: a text, or an object with the text 'move'",
        lambda report: report.update(moves=[[1]]),
    ),
    (
        "a move: a text, or an object with the text 'move'",
        lambda report: report.update(moves=[[{"move": 1}]]),
    ),
    (
        "a move: here colours are told by the pie",
        lambda report: report.update(moves=[["d4,g7", "white"]]),
    ),
    ("the end after 'draw'", lambda report: report.update(moves=[["draw", "d4,g7"]])),
    ("',' or '-'", lambda report: report.update(moves=[["d4"]])),
    ("the end", lambda report: report.update(moves=[["a1-c1-e5"]])),
    (
        "a legal action: Already taken by a tile: d4.",
        lambda report: report.update(moves=[["d4,g7", "d4,d5"]]),
    ),
    ("an object", lambda report: report.update(header=[])),
    ("an object with 'game'", lambda report: report["header"].update(game=None)),
    ("a game of Ponte del Diavolo", lambda report: report["header"]["game"].update(name="Go")),
    ("a text", lambda report: report["header"]["game"].update(name=7)),
    ("an array", lambda report: report["header"]["game"].update(variants="size-8")),
    (
        "a board such as 'size-8', '10x10' or 'size-12'",
        lambda report: report["header"]["game"].update(variants=["size-9"]),
    ),
    (
        "one board only",
        lambda report: report["header"]["game"].update(variants=["size-8", "12x12 board"]),
    ),
    ("two players", lambda report: report["header"]["players"].pop()),
    ("a whole number", lambda report: report["header"]["players"][0].update(result=True)),
    ("a whole number", lambda report: report["header"]["players"][0].update(result=0.5)),
    ("true or false", lambda report: report["header"].update({"pie-invoked": 1})),
    (
        "a time such as '2007-10-23T20:15:00Z'",
        lambda report: report["header"].update({"date-start": "yesterday"}),
    ),
    (
        "a time such as '2007-10-23T20:15:00Z'",
        lambda report: report["header"].update({"date-start": "2007-13-01T00:00:00Z"}),
    ),
    ("an object", lambda report: report["header"].update({"pontedeldiavolo-tags": 1})),
    (
        "only tags that a user can set",
        lambda report: report["header"].update({"pontedeldiavolo-tags": {"Result": "white"}}),
    ),
    (
        "results that say who won, with 'resign'",
        lambda report: report.update(moves=[["d4,g7", "resign"]]),
    ),
    ("equal results, with 'draw'", drawn_with_a_winner),
    (
        "results that say who won, with 'timeout'",
        lambda report: (
            report.update(moves=[["timeout"]]),
            report["header"]["players"][0].update(result=None),
        ),
    ),
]


@pytest.mark.parametrize(("expected", "edit"), EDITS)
def test_reports_that_are_refused(expected: str, edit: Edit) -> None:
    report = new_report("d4,g7", "c3,c5")
    edit(report)
    error = refused(json.dumps(report))
    assert error.expected == expected
    assert error.__cause__ is not None


@pytest.mark.parametrize(
    ("text", "expected", "line", "column"),
    [
        ("", "a game", 1, 1),
        ("{", "a name in double quotes", 1, 2),
        ('{"header" 1}', "':'", 1, 11),
        ('{"header": }', "a value", 1, 12),
        ('{"header": 1 2}', "',' or '}'", 1, 14),
        ('{"header": [1 2]}', "',' or ']'", 1, 15),
        ('{"a": 1, "a": 2}', "no second value of the same name", 1, 10),
        ("[5]", "a game's report: an object with 'header' and 'moves'", 1, 2),
        ('{"a": tru}', "a value", 1, 7),
        (
            '{"a":\n "b\n"}',
            "'\"' to end the text that begins here, without control characters",
            2,
            2,
        ),
        ("[", "as many ']' as '['", 1, 2),
        ('[\n\n{"a":' + "[" * 60, "values at most 50 deep in each other", 3, 55),
    ],
)
def test_json_that_is_refused(text: str, expected: str, line: int, column: int) -> None:
    error = refused(text)
    assert (error.expected, error.line, error.column) == (expected, line, column)


def test_errors_point_at_the_move() -> None:
    text = (DATA / "pie-8x8.json").read_text("utf-8")
    error = refused(text.replace('"b3,b2"', '"b3,a5"'))
    assert isinstance(error.__cause__, pdd.IllegalActionError)
    assert (error.line, error.column) == (16, 15)
    assert text.splitlines()[15].index('"b3,b2"') == 14


def test_the_next_report_is_found_after_one_that_is_no_json() -> None:
    good = json.dumps(new_report("d4,g7"))
    text = f'{good}\n{{"header": {{"game": }}}}\n{good}\n{{"header": 1'
    results = list(abstract_play.iter_results(StringIO(text)))
    kinds = [type(result) for result in results]
    assert kinds == [pdd.Game, pdd.RecordError, pdd.Game, pdd.RecordError]
    assert [each.line for each in results if isinstance(each, pdd.RecordError)] == [2, 4]
    assert len(list(abstract_play.iter_games(StringIO(text), on_error="skip"))) == 2
    games = abstract_play.iter_games(StringIO(text))
    assert isinstance(next(games), pdd.Game)
    with pytest.raises(pdd.RecordError, match="expected a value"):
        next(games)


def test_an_archive_that_was_cut_off() -> None:
    good = json.dumps(new_report("d4,g7"))
    results = list(abstract_play.iter_results([f"[{good},\n"]))
    assert [type(result) for result in results] == [pdd.Game, pdd.RecordError]
    with pytest.raises(pdd.RecordError, match="as many"):
        abstract_play.loads(f"[{good},")
    assert len(list(abstract_play.iter_games([f"[{good},\n{good}]"]))) == 2


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError):
        abstract_play.loads(cast("str", b"{}"))
    with pytest.raises(TypeError):
        abstract_play.load("d4,g7")
    with pytest.raises(TypeError):
        abstract_play.iter_results(cast("list[str]", [b"{}"]))
    with pytest.raises(TypeError):
        abstract_play.iter_games("d4,g7")
    with pytest.raises(TypeError):
        abstract_play.dumps(cast("pdd.Game", None))
    with pytest.raises(TypeError):
        abstract_play.losses(cast("pdd.Game", None))
    with pytest.raises(pdd.PonteError, match="on_error"):
        abstract_play.iter_games([], on_error=cast("Any", "never"))


# Lists of moves


@pytest.mark.parametrize(
    "text",
    [
        "d4,g7 c3,c5 e2,e9",
        "\ufeffd4,g7\nc3,c5\r\ne2,e9\n",
        "d4,g7, c3,c5, e2,e9",
        "D4,G7;C3,C5;E2,E9;",
        "1. d4 , g7  c3,c5 2... e9,e2",
        "size-10 d4,g7 red c3,c5 e2,e9",
    ],
)
def test_layouts_of_lists(text: str) -> None:
    game = abstract_play.loads(text)
    assert names(game) == ["d4,g7", "red", "c3,c5", "e2,e9"]
    assert game.rules == pdd.presets.ABSTRACT_PLAY
    assert game.ending is None


def test_options_before_a_list() -> None:
    game = abstract_play.loads("size-12, PIED\nd4,g7 c3,l12")
    assert names(game) == ["d4,g7", "white", "c3,l12"]
    assert game.rules == pdd.presets.ABSTRACT_PLAY_12
    assert names(abstract_play.loads("pie-invoked size-8 d4,g7")) == ["d4,g7", "white"]
    assert names(abstract_play.loads("d4,g7 white")) == ["d4,g7", "white"]


@pytest.mark.parametrize(
    ("word", "ending", "winner"),
    [
        ("resign", pdd.Ending.RESIGNATION, pdd.Seat.SECOND),
        ("timeout", pdd.Ending.TIME, pdd.Seat.SECOND),
        ("DRAW", pdd.Ending.AGREEMENT, None),
        ("abandoned", pdd.Ending.ADJUDICATION, None),
    ],
)
def test_words_at_the_end_of_a_list(word: str, ending: pdd.Ending, winner: pdd.Seat | None) -> None:
    game = abstract_play.loads(f"d4,g7 c3,c5 {word}")
    assert (game.ending, game.winning_seat) == (ending, winner)


def test_an_empty_line_separates_lists() -> None:
    text = "d4,g7\nc3,c5\n \n\nd4\n\t\nsize-8 a1,b1"
    first, second, third = abstract_play.iter_results(StringIO(text))
    assert isinstance(first, pdd.Game)
    assert isinstance(second, pdd.RecordError)
    assert (second.number, second.line, second.column) == (2, 5, 3)
    assert isinstance(third, pdd.Game)
    assert third.rules == pdd.presets.ABSTRACT_PLAY_8


@pytest.mark.parametrize(
    ("text", "expected", "column"),
    [
        ("d4", "',' or '-'", 3),
        ("d4 g7", "',' or '-'", 4),
        ("a1-c1-e5", "a blank after the move", 6),
        ("d4,g7c3,c5", "a blank after the move", 6),
        ("d4,g7 draw c3,c5", "the end after 'draw'", 12),
        ("d4,g7 d4,d5", "a legal action: Already taken by a tile: d4.", 7),
        ("size-9 d4,g7", "a move, or one of resign, timeout, draw, abandoned", 1),
        ("size-8 size-12 d4,g7", "one board only", 8),
        ("d4,g7 pied", "a move, or one of resign, timeout, draw, abandoned", 7),
        ("\u00a0", "a cell, 'white', 'red' or 'pass'", 1),
    ],
)
def test_lists_that_are_refused(text: str, expected: str, column: int) -> None:
    error = refused(text)
    assert (error.expected, error.line, error.column) == (expected, 1, column)


def test_a_word_after_a_played_out_list() -> None:
    moves = [move for each in finished()["moves"] for move in each]
    text = "size-8 pied " + " ".join(moves)
    assert abstract_play.loads(text).result == "red"
    assert refused(f"{text} resign").expected == "no word after the end of the game"


# Writing


def losing(game: pdd.Game) -> list[str]:
    return list(abstract_play.losses(game))


def test_losses() -> None:
    game = pdd.Game.new(pdd.presets.ORIGINAL).play("d4,g7").play("red")
    assert losing(game) == [
        "the supply of tiles and bridges",
        "that the game is not finished",
        "the choice of red with nothing after it",
    ]
    game = game.with_comment("first", ()).with_glyphs([1], (0,)).with_variation((0,), ["a1,a2"])
    assert losing(game)[:3] == ["variations", "comments", "glyphs"]
    rules = pdd.Rules(pdd.Board(7, 5), tiebreaks=())
    game = pdd.Game.new(start=pdd.GameState.initial(rules).apply(pdd.parse_action("d4,g1")))
    assert losing(game) == [
        "the board of 7x5",
        "the tie-breaks",
        "the start",
        "that the game is not finished",
    ]
    game = pdd.Game.new().end(pdd.Ending.AGREEMENT, pdd.Seat.SECOND)
    assert losing(game) == ["that the winner was agreed on"]
    again = abstract_play.loads(abstract_play.dumps(game))
    assert (again.ending, again.winning_seat) == (pdd.Ending.ADJUDICATION, pdd.Seat.SECOND)


def test_games_that_cannot_be_written() -> None:
    started = pdd.GameState.initial().apply(pdd.parse_action("d4,g7"))
    short = pdd.Rules(pdd.Board(8, 8), tiles_per_color=2)
    out_of_tiles = pdd.Game.new(short)
    for action in ("a1,c1", "red", "a3,c3", "pass", "pass"):
        out_of_tiles = out_of_tiles.play(action)
    for game, message in (
        (pdd.Game.new(pdd.Rules(pdd.Board(8, 10))), "no board of Abstract Play: 8x10"),
        (pdd.Game.new(start=started), "starts from the empty board"),
        (pdd.Game.new(), "finished games only"),
        (out_of_tiles, "not a game under the other rules: Passing is not allowed"),
    ):
        with pytest.raises(pdd.PonteError, match=message):
            abstract_play.dumps(game)


def last_states(rules: pdd.Rules) -> list[pdd.Game]:
    """Return short games that are over under *rules*, by short supplies or odd tie-breaks."""
    games = []
    for seed in range(12):
        game = pdd.Game.new(rules)
        play = play_out(rules, Player(Random(seed), builder=True, settler=True))
        for action in play.actions:
            game = game.play(action)
        games.append(game)
    return games


def test_games_whose_end_depends_on_the_rules() -> None:
    # Without tie-breaks equal points draw; there the bridges would decide.
    messages = set()
    for tiebreaks in ((), (pdd.Tiebreak.BRIDGES, pdd.Tiebreak.ISLANDS)):
        for game in last_states(pdd.Rules(pdd.Board(8, 8), tiebreaks=tiebreaks)):
            try:
                assert abstract_play.loads(abstract_play.dumps(game)).result == game.result
            except pdd.PonteError as error:
                messages.add(str(error))
    assert messages == {"under the other rules the game would have another result"}


def test_a_supply_that_ends_the_game_early() -> None:
    rules = pdd.Rules(pdd.Board(8, 8), tiles_per_color=8)
    game = pdd.Game.new(rules).play("a1,c1").play("red")
    assert game.state.tiles_left(pdd.Color.WHITE) == 6
    longer = game.end(pdd.Ending.TIME, pdd.Seat.FIRST)
    assert abstract_play.loads(abstract_play.dumps(longer)).ending is pdd.Ending.TIME


def test_what_a_report_has_no_member_for_is_kept_beside() -> None:
    tags = {
        "First": "",
        "Site": "",
        "Date": "2026.??.??",
        "Started": "tomorrow",
        "Rated": "perhaps",
        "FirstType": "cat",
        "Event": "without a round",
        "Clock": "0:30",
    }
    game = pdd.Game.new(tags=tags).end(pdd.Ending.TIME, pdd.Seat.FIRST)
    report = json.loads(abstract_play.dumps(game))
    assert report["header"]["date-start"] == "2026-01-01T00:00:00Z"
    assert report["header"]["pontedeldiavolo-tags"] == dict(sorted(tags.items()))
    assert read(report) == game
    for text in ("2026-02-31T00:00:00Z", "2026-05-17T24:61:00Z", "2026-05-17"):
        odd = pdd.Game.new(tags={"Started": text, "Date": "2026.??.17"}).end(pdd.Ending.AGREEMENT)
        report = json.loads(abstract_play.dumps(odd))
        assert report["header"]["date-start"] == "0001-01-01T00:00:00Z"
        assert read(report) == odd
    odd = pdd.Game.new(tags={"Started": "2026-05-17T19:02:11Z"})
    report = json.loads(abstract_play.dumps(odd.end(pdd.Ending.AGREEMENT)))
    assert report["header"]["pontedeldiavolo-tags"] == {"Date": None}
    assert read(report).tags == odd.tags


# Properties


def moments() -> SearchStrategy[str]:
    return st.datetimes().map(lambda each: each.isoformat(timespec="milliseconds") + "Z")


def tags() -> SearchStrategy[dict[str, str]]:
    """Return tags, many of them those that a report has members for."""
    days = st.sampled_from(
        ["2026.05.17", "2026.05.??", "????.??.??", "2026.02.31", "soon", "0001.01.01"]
    )
    known = st.fixed_dictionaries(
        {},
        optional={
            "Event": tag_values(),
            "Round": tag_values(),
            "Site": tag_values(),
            "Date": days | moments().map(lambda each: each[:10].replace("-", ".")),
            "First": tag_values(),
            "Second": tag_values(),
            "Started": moments() | st.just("2026-05-17T00:00:00Z") | tag_values(),
            "Ended": moments() | tag_values(),
            "Generated": moments() | tag_values(),
            "GameId": tag_values(),
            "FirstId": tag_values(),
            "SecondType": st.sampled_from(["human", "program", "cat"]),
            "Rated": st.sampled_from(["yes", "no", ""]),
        },
    )
    free = st.dictionaries(st.from_regex(r"[A-Z][a-z]{0,3}_", fullmatch=True), tag_values())
    return st.builds(lambda one, two: {**one, **two}, known, free)


@st.composite
def games(draw: DrawFn) -> pdd.Game:
    """Return finished games such as the site can have."""
    rules = RULES[draw(st.sampled_from([0, 0, 0, 1, 2]))]
    player = Player(Random(draw(st.integers(0, 10**6))), draw(st.booleans()), draw(st.booleans()))
    longest = draw(st.none() | st.integers(0, 12))
    game = pdd.Game.new(rules, draw(tags()))
    for action in play_out(rules, player, longest).actions:
        game = game.play(action)
    if game.actions[-1:] == (pdd.ChooseColor(pdd.Color.RED),):
        game = game.undo()
    if game.ending is not None:
        return game
    ending = draw(st.sampled_from([each for each in pdd.Ending if each is not pdd.Ending.SCORED]))
    seats = st.sampled_from(pdd.Seat)
    if ending is pdd.Ending.AGREEMENT:
        return game.end(ending)
    return game.end(ending, draw(seats if ending is pdd.Ending.RESIGNATION else st.none() | seats))


@given(games())
def test_reports_round_trip(game: pdd.Game) -> None:
    text = abstract_play.dumps(game)
    assert losing(game) == []
    assert abstract_play.loads(text) == game
    jsonschema.validate(json.loads(text), SCHEMA)


@share(0.5)
@given(st.data())
def test_any_text_gives_games_or_record_errors(data: st.DataObject) -> None:
    text = data.draw(st.text() | st.text('{}[]",:0-e \n') | st.text("a1,b2-c3 \n;psred.4"))
    for result in abstract_play.iter_results(StringIO(text)):
        assert isinstance(result, pdd.Game | pdd.RecordError)


GOLDEN = [(DATA / name).read_text("utf-8") for name in ("pie-8x8.json", "moves.txt")]


@given(st.sampled_from(GOLDEN), st.data())
def test_damaged_files_give_games_or_record_errors(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = min(len(text), start + data.draw(st.integers(0, 9)))
    damaged = text[:start] + data.draw(st.text('{}[]",:0w \n', max_size=3)) + text[end:]
    for result in abstract_play.iter_results(StringIO(damaged)):
        assert isinstance(result, pdd.Game | pdd.RecordError)
        if isinstance(result, pdd.RecordError):
            assert 1 <= result.line <= damaged.count("\n") + 1
            assert re.match(r"game \d+, line \d+, column \d+: expected ", str(result))


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("[" * 200_000, 0),
        ('{"header":' * 50_000, 0),
        ('{"header":"' * 50_000, 0),
        ('[{"header":[' * 50_000, 0),
        ('{"header":' + "1" * 100_000 + "}", 0),
        ('{"header":' + '"' + "\\" * 100_001, 0),
        ("a1,b2 " * 50_000, 0),
        ("a1,b2\n\n" * 5_000, 5000),
        ("1" * 100_000, 0),
        ("size-8 " * 30_000, 1),
    ],
)
def test_hostile_texts_take_no_long_time(text: str, games: int) -> None:
    results = list(abstract_play.iter_results(StringIO(text)))
    assert results
    assert sum(isinstance(result, pdd.Game) for result in results) == games
