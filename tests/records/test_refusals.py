"""Texts that every reader refuses: each case has the expectation and texts with a mark ‸.

The mark is at the fault. Three dots end an expectation of which only the beginning is given.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import records
from pontedeldiavolo.records import Format, abstract_play, boardspace, sgf
from pontedeldiavolo.rules.limits import MAX_DEPTH
from support.boardspace_writer import OPENING, record
from support.checks import marked, refused
from support.documents import DELETED, changed
from support.oracle_row import ACTIONS, OPENED, RULES_TAG, WON, WON_ACTIONS
from support.paths import STORED
from support.samples import MODULES, REPORTS, finished, new_report

NAME = "a tag's name: a letter, then letters, digits or '_'"
QUOTE_END = "'\"' to end the text, or one of the escapes \\\" and \\\\"
RESULTS = "one of 'white', 'red', 'first', 'second', 'draw', '*'"
ENDINGS = "one of 'scored', 'resignation', 'time', 'agreement', 'adjudication'"
CELL = "a cell such as 'c4'"
ACTION = "a cell, 'white', 'red' or 'pass'"
NAG = "a NAG from 0 to 255"
DRAWN = "the result 'draw', as the board has it"
UNFINISHED = "the result '*' of an unfinished board, or a Termination tag"
NO_RESULT = "a result that goes with the Termination tag, not '*'"
NOT_PLAYED_OUT = "another termination: the game is not played out"
PLAYED_OUT = "no termination but 'scored': the game is played out"
NO_COLORS = "'first' or 'second': no colours were chosen"
TIME = '[Termination "time"]'
RESIGNED = '[Termination "resignation"]'
START = "5x5 tiles=unlimited bridges=unlimited tiebreaks=none rows=5/5/w4/5/5 built=- phase=play"
TINY = '[Rules "2x2 tiles=9 bridges=9 tiebreaks=none"]\n'
TOO_DEEP = f"variations at most {MAX_DEPTH} deep in each other"
GAME = "(;GM[PonteDelDiavolo]"
NO_TAG = "the name of a tag, ':' and its value"

REFUSED: dict[Format, list[tuple[str, ...]]] = {
    Format.PDD: [
        # Tags
        ("a game", "‸", "‸ \n\t\r\n", "‸\ufeff"),
        (NAME, "[‸]", '[‸"Event" "x"]', '[‸1st "x"]', '[‸\xdc "x"]', "[‸" + "A" * 256 + ' "x"]'),
        ("a blank and then a text in double quotes", "[Event‸]", '[E‸-vent "x"]'),
        ("a text in double quotes", "\n\n[Event ‸x]", "[Event ‸'x']"),
        (QUOTE_END, '[Event "x‸', '[Event "x‸\ny"]', '[Event "a‸\\n"]'),
        ("a text without control characters", '[Event ‸"a\tb"]', '[Event ‸"a\u2028"]'),
        ("a text without control characters", '[Event ‸"\ud800"]'),
        ("']'", '[Event "x"‸\n*', '[Event "x" ‸y]'),
        ("no second tag Event", '[Event "x"]\n[‸Event "y"]'),
        ("no second tag Rules", f"{RULES_TAG}\n [‸{RULES_TAG[1:]}"),
        ("a width from 1 to 64", '[Rules "‸65x1"]'),
        ("a blank and then 'tiles='", '[x "y"]\n[Rules "10x10‸,"]'),
        ("'tiles='", '[Rules "10x10 ‸\\"tiles\\""]'),
        (RESULTS, '[Result "‸1-0"]', '[Result "‸White"]'),
        (ENDINGS, '[Termination "‸boredom"]'),
        ("one of 'white', 'red', '-'", f'[Start "{START} to-move=‸blue white=first"]'),
        ("a state that the rules allow…", f'[Start "‸{START} to-move=- white=first"]'),
        (
            "a state with the rules of the Rules tag",
            f'[Rules "original"]\n[Start "‸{START} to-move=red white=first"]',
        ),
        # Actions and their numbers
        (ACTION, "‸?", 'a1,b1 ‸[Event "x"]', "1. ‸", "a1,b1 ‸drawn", "‸\x00", "a1,b1 ‸\U0001f309"),
        (ACTION, "1. a1,b1\n‸\ufeffred"),
        ("a game: a tag, an action or a result", "‸{good}"),
        ("',' or '-'", "a1 ‸white"),
        ("a column from a to bl", "a1,\n\n‸white"),
        ("a row from 1 to 64", "a1,b‸0", "a‸\uff11,b1"),
        ("a blank after the action", "a1,b1‸c1,d1", "a1,b1‸*", "1. a1,b1‸red"),
        ("a blank after the action", "1. a1,b1!!‸?", "1. a1,b1??‸?", "1. a1,b1?!‸?!"),
        ("turn number 1", "‸2. a1,b1", "1. a1,b1 ‸2. white", "‸0. a1,b1", "‸99999999999. a1,b1"),
        ("turn number 2", "1. a1,b1 white ‸3. c1,d1"),
        ("turn number 2", f'[Start "{START} to-move=red white=first"]\n‸1. a1,b1'),
        ("a turn's number without a leading zero", "‸01. a1,b1"),
        ("a turn's number", "‸" + "9" * 1000 + ". a1,b1"),
        ("'.'", "1‸ a1,b1"),
        ("a legal action: Already taken by a tile: b1.", "1. a1,b1 red\n2. ‸c1,b1"),
        ("a legal action: Off the 10×10 board: k1.", "‸k1,a1"),
        ("a legal action: This cannot be done at this point of the game.", "a1,b1 ‸c1,d1"),
        ("a legal action: Passing is not allowed while a legal pair…", "a1,b1 red\n‸pass"),
        ("a legal action: The game is over.", f"{RULES_TAG}\n{ACTIONS}\n‸pass"),
        ("the end: no…", f"{TINY}{'a1,b1 ' * 8}‸{'a1,b1 ' * 4}"),
        # NAGs, comments and variations
        ("an action first", "‸$1 1. a1,b1", "‸(1. a1,b1)"),
        (NAG, "1. a1,b1 $‸256", "1. a1,b1 $‸x"),
        ("')'", "1. a1,b1 (1. c1,d1 ‸*)"),
        ("an action in the variation", "1. a1,b1 (‸)"),
        ("a comment that ends with '}'", "1. a1,b1 ‸{never"),
        ("a comment without control characters", "1. a1,b1 ‸{\x07}"),
        ("a comment without control characters…", "1. a1,b1 ‸{[%clk 0:01\x07:02]}"),
        (
            "a legal action…",
            "1. a1,b1 red (1. ‸c1,d1)",
            "1. a1,b1 red 2. c1,d1\n (2. e1,f1 3. ‸e1,e1)",
        ),
        (TOO_DEEP, "1. a1,b1 " + "(1. c1,d1 " * MAX_DEPTH + "‸(1. c1,d1 "),
        # Endings and results
        ("the end", "a1,b1 * ‸white", "1. a1,b1 * {but} ‸more", "1. a1,b1 ‸)", "*\n\n‸*\n"),
        ("the end: one game was asked for", '*\n\n‸[Event "x"]\n*'),
        ("'white-wins', as the Result tag has it", '[Result "white"]\na1,b1 ‸draw'),
        (DRAWN, f'[Result "‸white"]{RULES_TAG}\n{ACTIONS}', f"{RULES_TAG}\n{ACTIONS}\n‸red-wins"),
        (DRAWN, f"{RULES_TAG}\n{ACTIONS} ‸*"),
        ("the result 'white', as the board has it", f"{WON}{WON_ACTIONS} ‸second-wins"),
        (UNFINISHED, f"{OPENED} ‸white-wins", f'[Result "‸draw"]\n{OPENED}'),
        (NOT_PLAYED_OUT, f'[Event "x"]\n[Termination "‸scored"]\n{OPENED}'),
        (PLAYED_OUT, f'{RULES_TAG}\n[Termination "‸time"]\n{ACTIONS}'),
        (NO_RESULT, f'[Termination "‸time"]\n{OPENED}', f"{TIME}\n{OPENED} ‸*"),
        (NO_COLORS, f"{RESIGNED}\na1,b1 ‸white-wins", f'{RESIGNED}[Result "‸red"]'),
        ("another result: a resignation has a winner", f"{RESIGNED}\n{OPENED} ‸draw"),
    ],
    Format.SGF: [
        ("a game", "‸", "‸ \n\t\r\n", "‸\ufeff"),
        ("a game tree", "‸no game", "\n ‸no\ngame"),
        ("a value in brackets", "(;C[a]C‸"),
        ("']' to end the value", "(;C‸[a"),
        ("';', '(' or ')'", "(;C[a]‸", "(;C[a]x[b]‸!)"),
        ("';'", "(;(‸"),
        ("'(' or ')'", "(;(;)‸;)"),
        ("')': here another game begins", "(;C[a]‸(;FF[4])"),
        ("no GM: Ponte del Diavolo has no number", "(;GM[‸3])"),
        ("an action in PD, not B", "(;GM[1];B[‸dd])"),
        ("an action in PD, not W", "(;W[‸dd])"),
        ("a board size…", "(;RU[‸Japanese])"),
        ("a blank and then 'bridges='", "(;RU[8x8 tiles=1‸])"),
        ("a blank and then 'tiles='", "(;PDSTART[8x8‸])"),
        ("one value of PD", "(;PD[a1,b1][‸a2,b2])", "(;PD[a1,b1]PD[‸a2,b2])"),
        ("one value of EV", "(;EV[a][‸b])"),
        ("one value of WL", "(;PD[a1,b2]WL[1][‸2])"),
        (CELL, "(;PD[a1,‸])"),
        ("a legal action: A pair needs two different cells…", "(;PD[‸a1,a1])"),
        ("a legal action: This cannot…", "(;PD[a1,b1](;PD[red])(;PD[‸a1,b1]))"),
        (NAG, *(f"(;PD[a1,b1]PDNAGS[‸{each}])" for each in ("256", "", "\u0661"))),
        (
            "the name of an annotation, ':' and its value",
            *(
                f"(;PD[a1,b2]PDANNOTATIONS[‸{each}])"
                for each in ("clk", "Clk:1", ":1", "clk:1\\]", "x:\x07")
            ),
        ),
        ("a result such as 'W+3', 'B+R', '0' or '?'", "(;RE[‸White won])"),
        (
            "an action first",
            *(
                "(;PDNAGS[‸1])",
                "(;C[a];PDNAGS[‸1];PD[a1,b1])",
                "(;PDANNOTATIONS[‸clk:0\\:01\\:00])",
            ),
        ),
        ("no PDTAGS outside the root", "(;;PD[a1,b1]PDTAGS[‸A:b])", "(;;PDTAGS[‸A:b];PD[a1,b1])"),
        ("no PDENDING outside the root", "(;PD[a1,b1](;PD[red]PDENDING[‸time]))"),
        ("no PDSTART outside the root", "(;PD[a1,b1](;PD[red])(;PDSTART[‸x]))"),
        ("how it ended, as in 'W+R', or PDENDING", "(;RE[‸W+3])"),
        ("a result in RE, to go with PDENDING", "(;PDENDING[‸time])"),
        (ENDINGS, "(;PDENDING[‸boredom])"),
        ("another result: a resignation has a winner", "(;RE[‸0]PDENDING[resignation])"),
        ("another result: a game is scored…", "(;RE[‸W+]PDENDING[scored])"),
        (NO_TAG, *(f"(;PDTAGS[‸{each}])" for each in ("Event", ":x", "Rules:x"))),
        ("no second tag A", "(;PDTAGS[A:x][‸A:y])"),
        ("the end: no game on this board has over 104…", f"({';PD[a1,b1]' * 104};PD[‸a1,b1])"),
    ],
    Format.BOARDSPACE: [
        ("a game", "‸"),
        ("GM[PonteDelDiavolo]", "(‸;)", "(;GM[‸1])"),
        ("the set-up 'ponte'", f"{GAME}SU[‸hive 1 2])", f"{GAME}SU[‸])"),
        ("version 1 or 2", f"{GAME}VV[‸3])"),
        ("'Start P0' or 'Start P1'", f"{GAME};P0[1 ‸Pick W])"),
        ("']' to end the value", "(;GM‸[PonteDelDiavolo"),
        ("a row from 1 to 10", record("0 Pick W", "0 Dropb A ‸11")),
    ],
    Format.ABSTRACT_PLAY: [
        ("a game", "‸"),
        ("JSON (…", "{‸", '{"header" ‸1}', '{"header": ‸}', '{"a": ‸tru}', '{"header": [1 ‸2]}'),
        ("JSON (…", '{"header": 1 ‸2}', '{"a":\n "b‸\n"}', '{"a": ‸"b', '{"a": "b‸\\x"}'),
        ("every field once (a)", '‸{"a": 1, "a": 2}'),
        ("every field once (b[1].a)", '\n‸{"b": [0, {"a": 1, "c": 2, "a": 3}]}'),
        ("a number of JSON, not NaN (header.a)", '‸{"header": {"a": NaN}}'),
        ("a number of JSON, not -Infinity ([an empty text][0])", '‸{"": [-Infinity]}'),
        ("a game's report: an object with 'header' and 'moves'", "[‸5]"),
        ("as many ']' as '['", "[‸"),
        (
            "lists and objects at most 50 deep in each other",
            '[\n\n{"a":' + "[" * 49 + "‸" + "[" * 11,
        ),
        (
            "a legal action: Already taken by a tile: a5. (moves[1][1])",
            "\n ‸" + (REPORTS / "pie-8x8.json").read_text("utf-8").replace('"b3,b2"', '"b3,a5"'),
        ),
    ],
    Format.MOVES: [
        ("',' or '-'", "d4‸", "d4 ‸g7"),
        ("a blank after the move", "a1-c1‸-e5", "d4,g7‸c3,c5"),
        ("the end after 'draw'", "d4,g7 draw ‸c3,c5"),
        ("a legal action: Already taken by a tile: d4.", "d4,g7 ‸d4,d5"),
        (
            "a move, or one of 'resign', 'timeout', 'draw', 'abandoned'",
            *("‸size-9 d4,g7", "d4,g7 ‸pied"),
        ),
        ("one board only", "size-8 ‸size-12 d4,g7"),
        (ACTION, "‸\xa0"),
        ("a move, or the size of the board…", "‸,", "‸;", "‸ , ;", "‸resign", "‸timeout", "‸pied"),
        ("a move, or the size of the board…", "‸pied resign"),
    ],
}


@pytest.mark.parametrize(
    ("form", "expected", "texts"),
    [(form, row[0], row[1:]) for form, rows in REFUSED.items() for row in rows],
)
def test_refused_texts(form: Format, expected: str, texts: tuple[str, ...]) -> None:
    for each in texts:
        text, offset = marked(each)
        error = refused(MODULES[form].loads, text)
        if expected[-1] == "…":
            assert error.expected.startswith(expected[:-1])
        else:
            assert error.expected == expected
        place = (text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))
        assert (error.line, error.column) == place
        assert error.number == (2 if "one game was asked for" in expected else 1)
        if "legal action" in expected and form is not Format.BOARDSPACE:
            assert isinstance(error.__cause__, pdd.IllegalActionError)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        *(("a1;b1", pdd.NotationError), ("[]", pdd.NotationError)),
        *(('[Rules "chess"]', pdd.NotationError), ("a1,a1", pdd.IllegalActionError)),
        (f"{RESIGNED}\ndraw", pdd.PonteError),
    ],
)
def test_a_refusal_has_its_cause(text: str, cause: type[Exception]) -> None:
    assert isinstance(refused(records.loads, text).__cause__, cause)


def test_starts_that_sgf_refuses() -> None:
    text = (STORED / "sgf" / "last-turns.sgf").read_text("utf-8")
    error = refused(sgf.loads, text.replace("phase=play", "phase=opening"))
    assert error.expected.startswith("a state that the rules allow: ")
    assert isinstance(error.__cause__, pdd.NotationError)
    rules = r"\nRU\[[^]]*\]"
    other = pdd.format_rules(pdd.presets.ABSTRACT_PLAY_8)
    error = refused(sgf.loads, re.sub(rules, f"\nRU[{other}]", text))
    assert error.expected == "a state with the rules that RU has"
    assert sgf.loads(re.sub(rules, "", text)) == sgf.loads(text)


PIECE = "a piece such as 'W', 'Red_Chip_Pool', 'X_30' or 'Bridge_30'"
SECOND = "a second tile, or the piece in hand put down"
COMPLETE = "'Done': the turn is complete"
PLACED = "; ".join(OPENING[:-1])
ROBOT_BRIDGE = "0 Bridge Bridge_30 E 5"
TOKENS = [
    ("what a player does, such as 'Pick', 'Dropb' or 'Done'", "0 Fly A 1", "0  "),
    (PIECE, "0 Pick", "0 Pick X_31", "0 Tile X_30 A 1", "0 Bridge W A 1"),
    ("a column from A to J", "0 Pick W; 0 Dropb", "0 Pick W; 0 Dropb K 1"),
    ("a row from 1 to 10", "0 Pick W; 0 Dropb A 0", "0 Pick W; 0 Dropb A 11"),
    ("'P0' or 'P1'", "0 Start P2"),
    ("the player whose turn it is", "0 Start P1"),
    ("something that P0 does", "1 Pick W", "1 Done"),
    ("a tile of the player's own colour", "0 Pick R", "0 Tile Red_Chip_Pool A 1"),
    ("the piece in hand put down first", "0 Pick W; 0 Pick W"),
    ("a piece picked first", "0 Drop W", "0 Dropb A 1"),
    ("a cell where this turn has put a piece", "0 Pickb A 1", "0 Pick W; 0 Pickb A 1"),
    ("the upper end of a legal bridge", "0 Pick X_30; 0 Dropb E 5"),
    ("the other end of the bridge just put down", "0 BridgeEnd E 5"),
    ("no 'Swap' but after the first turn", "0 Swap"),
    (SECOND, "0 Pick W; 0 Done", "0 Pick W; 0 Dropb A 1; 0 Done"),
    (COMPLETE, f"{PLACED}; 0 Pick W; 0 Dropb A 1", f"{PLACED}; 0 Pass"),
    (COMPLETE, *(f"{PLACED[:21]}; {each}" for each in ("0 Pick X_30; 0 Dropb E 5", ROBOT_BRIDGE))),
    ("a legal action: Passing is not allowed while a legal pair of tiles exists.", "0 Done"),
    ("'Start': this position is set up by hand, not played", "0 Edit; 0 Pick W"),
    ("a bridge with both ends on the board", f"{PLACED}; 0 Done; 1 Bridge Bridge_30 A 1"),
]


@pytest.mark.parametrize(("expected", "texts"), [(row[0], row[1:]) for row in TOKENS])
def test_refused_tokens(expected: str, texts: tuple[str, ...]) -> None:
    for text in texts:
        error = refused(boardspace.loads, record(text))
        assert (error.expected, error.line) == (expected, 3 + text.count("; "))
        assert error.__cause__ is not None


def test_an_index_without_a_verb_is_refused_where_it_is() -> None:
    text = record("0 ")
    error = refused(boardspace.loads, text)
    assert text.splitlines()[error.line - 1][error.column - 1 :] == "1 ]"


MOVE = "a move: a text, or an object with the text 'move'"
ROUNDS = "'moves', an array of rounds"
A_BOARD = "a board such as 'size-8', '10x10' or 'size-12'"
TAGS = "pontedeldiavolo-tags"
A_TIME = "a time such as '2007-10-23T20:15:00Z'"
Part = tuple[tuple[str | int, ...], Any]


def moves(*texts: object) -> Part:
    return ("moves",), [[*texts]]


def header(*keys: str | int, to: object = DELETED) -> Part:
    return ("header", *keys), to


REPORTED: list[tuple[str, str, *tuple[Part, ...]]] = [
    ("an object with 'header'", "", header()),
    (ROUNDS, "", (("moves",), DELETED)),
    (ROUNDS, "moves", (("moves",), "d4,g7")),
    ("a round: an array of moves", "moves[0]", (("moves",), ["d4,g7"])),
    (MOVE, "moves[0][0]", moves(1)),
    (MOVE, "moves[0][0].move", moves({"move": 1})),
    (MOVE, "moves[0][1]", moves("d4,g7", {"Move": "c3,c5"})),
    ("a move: the pie determines the colours here", "moves[0][1]", moves("d4,g7", "white")),
    ("the end after 'draw'", "moves[0][1]", moves("draw", "d4,g7")),
    ("',' or '-'", "moves[0][0]", moves("d4")),
    ("the end", "moves[0][0]", moves("a1-c1-e5")),
    ("a legal action: Already taken by a tile: d4.", "moves[0][1]", moves("d4,g7", "d4,d5")),
    ("a legal action: Already taken by a tile: d4.", "moves[0][2]", moves("d4,g7", None, "d4,d5")),
    ("an object", "header", header(to=[])),
    ("an object with 'game'", "header", header("game", to=None)),
    ("a game of Ponte del Diavolo", "header.game.name", header("game", "name", to="Go")),
    ("a text", "header.game.name", header("game", "name", to=7)),
    ("a list", "header.game.variants", header("game", "variants", to="size-8")),
    (A_BOARD, "header.game.variants[0]", header("game", "variants", to=["size-9"])),
    (
        *("one board only", "header.game.variants"),
        header("game", "variants", to=["size-8", "12x12 board"]),
    ),
    ("two players", "header.players", header("players", 1)),
    ("a whole number", "header.players[0].result", header("players", 0, "result", to=True)),
    ("a whole number", "header.players[0].result", header("players", 0, "result", to=0.5)),
    ("true or false", "header.pie-invoked", header("pie-invoked", to=1)),
    (A_TIME, "header.date-start", header("date-start", to="yesterday")),
    (A_TIME, "header.date-start", header("date-start", to="2007-13-01T00:00:00Z")),
    ("an object", f"header.{TAGS}", header(TAGS, to=1)),
    ("a text", f"header.{TAGS}.A", header(TAGS, to={"A": 1})),
    ("only tags that a user can set", f"header.{TAGS}", header(TAGS, to={"Result": "white"})),
    ("results that say who won, with 'resign'", "header.players", moves("d4,g7", "resign")),
    (
        *("equal results, with 'draw'", "header.players"),
        *(moves("draw"), header("players", 0, "result", to=2)),
    ),
    (
        *("results that say who won, with 'timeout'", "header.players"),
        *(moves("timeout"), header("players", 0, "result", to=None)),
    ),
]


@pytest.mark.parametrize("row", REPORTED)
def test_refused_reports(row: tuple[str, str, *tuple[Part, ...]]) -> None:
    expected, path, *parts = row
    report: object = new_report("d4,g7", "c3,c5")
    for keys, part in parts:
        report = changed(report, keys, part)
    error = refused(abstract_play.loads, f"\n {json.dumps(report, indent=1)}")
    assert error.expected == (f"{expected} ({path})" if path else expected)
    assert (error.line, error.column, error.values.get("path", "")) == (2, 2, path)
    assert error.__cause__ is not None


def test_a_played_out_report_or_list_has_its_own_result() -> None:
    report = finished()
    words = "size-8 pied " + " ".join(move for each in report["moves"] for move in each)
    text = json.dumps(report)
    players = report["header"]["players"]
    for player in players:
        player["result"] = 1 - player["result"]
    error = refused(abstract_play.loads, json.dumps(report))
    assert error.expected == "the result 'red', as the board has it (header.players)"
    for player in players:
        del player["result"]
    for each in (words, text, json.dumps(report)):
        assert abstract_play.loads(each).result == "red"
    report["moves"].append(["resign"])
    no_word = "no word after the end of the game"
    path = f" (moves[{len(report['moves']) - 1}][0])"
    assert refused(abstract_play.loads, json.dumps(report)).expected == no_word + path
    assert refused(abstract_play.loads, f"{words} resign").expected == no_word
