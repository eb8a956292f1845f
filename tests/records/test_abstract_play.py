"""Abstract Play's reports become games."""

from __future__ import annotations

import json
from io import StringIO

import jsonschema
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.records import abstract_play
from support.abstract_play import REPORTS, SCHEMA, Edit, Report, finished, new_report, read, refused
from support.games import actions_of

# Files


def test_a_bad_report_does_not_end_the_archive() -> None:
    with (REPORTS / "archive.json").open(encoding="utf-8") as file:
        results = list(abstract_play.iter_results(file))
    assert [isinstance(result, pdd.Game) for result in results] == [True, False, True, True]
    error = results[1]
    assert isinstance(error, pdd.RecordError)
    assert (error.number, error.line, error.expected) == (2, 48, "a game of Ponte del Diavolo")


def test_a_report_written_by_this_library() -> None:
    game = pdd.records.loads((REPORTS / "export.pdd").read_text("utf-8"))
    text = (REPORTS / "export.json").read_text("utf-8")
    assert abstract_play.dumps(game) == text
    assert abstract_play.loads(text) == game
    jsonschema.validate(json.loads(text), SCHEMA)


def test_the_reports_of_the_data_are_such_as_the_site_has_them() -> None:
    for name in ("pie-8x8.json", "archive.json"):
        value = json.loads((REPORTS / name).read_text("utf-8"))
        for report in value if isinstance(value, list) else [value]:
            jsonschema.validate(report, SCHEMA)


# The pie


def test_without_the_pie_the_player_named_first_keeps_white() -> None:
    game = read(new_report("d4,g7", "c3,c5", "e2,e9"))
    assert (game.tags["First"], game.tags["Second"]) == ("Ada", "Bo")
    assert actions_of(game) == ["d4,g7", "red", "c3,c5", "e2,e9"]
    assert [turn.seat.value for turn in game.turns] == ["first", "second", "second", "first"]


@pytest.mark.parametrize("flag", ["pie-invoked", "pied"])
def test_after_the_pie_the_player_named_first_sat_second_and_owns_white(flag: str) -> None:
    report = new_report("d4,g7", "c3,c5", "e2,e9")
    report["header"][flag] = True
    game = read(report)
    assert (game.tags["First"], game.tags["Second"]) == ("Bo", "Ada")
    assert actions_of(game) == ["d4,g7", "white", "c3,c5", "e2,e9"]
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
    assert actions_of(read(report)) == actions


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
    assert actions_of(game) == ["d4,g7"]
    assert game.ending is None


def test_capitals_blanks_and_the_order_of_clicks_do_not_matter() -> None:
    game = read(new_report(" G7 , d4", "C5,\tc3", "g5,d 6"))
    assert actions_of(game) == ["d4,g7", "red", "c3,c5", "g5,d6"]


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
    text = (REPORTS / "pie-8x8.json").read_text("utf-8")
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
