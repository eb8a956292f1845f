"""Native records: their layouts and annotations."""

from __future__ import annotations

import io
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Ending, Game, Rules, Seat, records
from pontedeldiavolo.notation.actions import scan_action
from pontedeldiavolo.notation.scanner import Scanner
from pontedeldiavolo.records import Record, sgf
from pontedeldiavolo.records.reading import plain_action
from support.checks import refused, wrong_type
from support.games import actions_of
from support.oracle_row import (
    ACTIONS,
    GOLDEN,
    OPENED,
    ROW_TAGS,
    ROW_TEXT,
    RULES_TAG,
    WON,
    WON_ACTIONS,
    row_game,
)
from support.strategies import SMALL_RULES, Player, games, play_out
from support.trees import annotated_games


def record_of(*lines: str) -> Record:
    (record,) = records.iter_records(lines)
    assert isinstance(record, Record)
    return record


def test_a_game_is_written_in_a_fixed_layout() -> None:
    game = row_game(**ROW_TAGS)
    assert records.dumps(game) == ROW_TEXT
    assert records.loads(ROW_TEXT) == game
    names = ["Event", "Date", "First", "Second", "Annotator", "Zebra"]
    assert list(records.loads(ROW_TEXT).tags) == names


@pytest.mark.parametrize(
    "text",
    [
        f"{RULES_TAG}\n{ACTIONS}",
        f"\n\n \n{RULES_TAG}\n\n\n{ACTIONS}\n\n \n",
        f"\ufeff{RULES_TAG}\n{ACTIONS}",
        f"{RULES_TAG}\r\n\r\n{ACTIONS.replace(' ', chr(13) + chr(10))}\r\n",
        f"{RULES_TAG} {ACTIONS} draw",
        f"{RULES_TAG}{ACTIONS} draw",
        f'{RULES_TAG}[Result "draw"]\n{ACTIONS}',
        f'[Result "draw"]\n{RULES_TAG}\n[Termination "scored"]\n{ACTIONS} draw',
        f"{RULES_TAG}\n{ACTIONS.upper()} DRAW",
        f"  [  Rules\t{RULES_TAG[7:-1]}  ]\n\t{ACTIONS}",
        f"{RULES_TAG}\n1. a1,c1 1. white 2. e1,g1 a1-c1 4.e1-g1 5. pass 6. pass",
        f"{RULES_TAG}\n1.a1,c1\n1...white\n2.\ne1,g1\n3. c1-a1 4.. g1 - e1\n\npass\n\npass\n",
        f"{RULES_TAG}\n1. c1 , a1 white 2. g1,\ne1 {ACTIONS[18:]}",
    ],
)
def test_games_in_a_lenient_layout(text: str) -> None:
    assert records.loads(text) == row_game()


def test_rules_by_name_and_by_default() -> None:
    assert records.loads("*") == Game.new()
    assert records.loads('[Rules "brettspielnetz"]\n*').rules == pdd.presets.BRETTSPIELNETZ
    assert records.loads('[Rules " Wikipedia "]').rules == pdd.presets.WIKIPEDIA


def test_unknown_tags_are_kept() -> None:
    text = '[x "1"]\n[Event ""]\n[result "no"]\n[B_2 "]"]\n[A "\\\\\\""]\n*'
    game = records.loads(text)
    assert dict(game.tags) == {"x": "1", "Event": "", "result": "no", "B_2": "]", "A": '\\"'}
    assert records.dumps(game) == (
        f'[Event ""]\n[Rules "{pdd.format_rules(Rules())}"]\n[Result "*"]\n'
        '[A "\\\\\\""]\n[B_2 "]"]\n[result "no"]\n[x "1"]\n\n*\n'
    )


def test_every_printable_value_of_a_tag_survives() -> None:
    tags = {"A" * 255: "\u00e9\u0301\U0001f309 \ufeff\u200b\u00a0'%{}[];\\\"\\\\ \\n"}
    game = Game.new(tags=tags)
    assert records.loads(records.dumps(game)).tags == tags


def test_lines_are_short_on_boards_of_any_size() -> None:
    for rules, longest in ((Rules(), None), (Rules(Board(64, 64)), 30)):
        game = play_out(rules, Player(Random(3)), longest)
        text = records.dumps(game)
        lines = text.split("\n\n", 1)[1].splitlines()
        assert len(lines) > 4
        assert max(map(len, text.splitlines())) < 80
        assert min(map(len, lines[:-1])) > 60
        assert records.loads(text) == game


# The short way to read an action of two cells, and the long one

PIECES = st.sampled_from(("a1", "c4", "z9", "bl64", "bm1", "a65", "a100", "A1", ",", "-", "1", " "))


@given(st.text("ab19,- ") | st.lists(PIECES, max_size=5).map("".join), st.integers(0, 3))
def test_the_short_way_reads_the_same_action(text: str, offset: int) -> None:
    found = plain_action(text, offset)
    if found is not None:
        scanner = Scanner(text)
        scanner.offset = offset
        assert (scan_action(scanner), scanner.offset) == found


def test_plain_actions() -> None:
    for text, length in (
        ("a1,b2", 5),
        ("c4-a1 ", 5),
        ("bl64,a1!", 7),
        ("a1,a1", 5),
        ("b2,a1b", 5),
        ("red", 3),
        ("pass!", 4),
    ):
        assert plain_action(text) == (pdd.parse_action(text[:length]), length)
    others = (
        "",
        "redd",
        "Red",
        "red1",
        "a1",
        "a1, b2",
        "A1,b2",
        "a1,b100",
        "a1,b65",
        "a01,b2",
        "bm1,a1",
        "a1;b2",
    )
    assert [plain_action(text) for text in others] == [None] * len(others)


def test_golden_text() -> None:
    game = records.loads(GOLDEN)
    assert records.dumps(game) == GOLDEN
    assert game.line.comment == "Start of it"
    assert game.line.moves[0].nags == (1, 14)
    assert game.line.moves[2].comment == "after"
    assert game.line_at((2, 0)).comment == "before"
    assert game.move_at((2, 0, 1, 0, 0)).comment == "inner"
    assert game.line.moves[-1].comment.startswith("A } and a \\ in a comment\nof two")


@given(annotated_games())
def test_a_written_game_is_read_back(game: Game) -> None:
    text = records.dumps(game)
    errors: list[pdd.RecordError] = []
    for again in (records.loads(text), records.loads(text, errors)):
        assert again == game
        assert again.state == game.state
        assert records.dumps(again) == text
    assert errors == []
    assert all(len(line) < 80 or " " not in line for line in text.split("\n\n", 1)[1].splitlines())


@given(st.lists(annotated_games(), max_size=4))
def test_files_of_several_games(games: list[Game]) -> None:
    file = io.StringIO()
    for game in games:
        records.dump(game, file)
    text = file.getvalue()
    assert text == "\n".join(f"{records.dumps(game)}" for game in games) + "\n" * bool(games)
    assert list(records.iter_games(text)) == games
    headers = list(records.iter_headers(text))
    assert len(headers) == len(games)
    for number, (header, game) in enumerate(zip(headers, games, strict=True), 1):
        assert isinstance(header, records.Header)
        assert header.number == number
        assert header.tags["Result"] == game.result
        assert {name: header.tags[name] for name in game.tags} == game.tags
        assert text.splitlines()[header.line - 1].startswith("[")
        assert header.record().game() == game


FREE = """\
\ufeff; a line for people
% a line for programs [and brackets
[Event "A {brace in a tag"] {a comment [over
[two lines] with brackets} ; and more
[First "Ada"] [Second "Bob"]

1... a1,b2!! ; to the end of the line
red?! 2. c3 , d4 $5 ( 2. c4,d4!? ; another
   ) {and} {more} 3. e5 , f6 draw

[Event "next"]
1. a1,b2
"""


def test_free_layout() -> None:
    first, second = records.iter_records(FREE)
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    comment = "a line for people\na comment [over [two lines] with brackets\nand more"
    assert first.line.comment == comment
    assert first.tags == {"Event": "A {brace in a tag", "First": "Ada", "Second": "Bob"}
    moves = first.line.moves
    assert [move.nags for move in moves] == [(3,), (6,), (5,), ()]
    assert [move.comment for move in moves] == ["to the end of the line", "", "and\nmore", ""]
    other = moves[2].variations[0].moves[0]
    assert (other.nags, other.comment, first.result) == ((5,), "another", "draw")
    assert (second.number, second.actions) == (2, (pdd.parse_action("a1,b2"),))


def test_comments_behind_the_result_and_at_once() -> None:
    assert records.loads("1. a1,b1 {a} * {b} ; c").line.moves[0].comment == "a\nb\nc"
    assert records.loads("* {nothing yet}").line.comment == "nothing yet"
    assert actions_of(records.loads("1. a1,b1{}red")) == ["a1,b1", "red"]


def test_variations_may_be_left_out() -> None:
    text = "1. a1,b1 (1. c1,d1 (1. a1,a1) white) red (white 2. d4,d4) 2. {} *"
    record = record_of(text.format("c3,c5"))
    assert refused(record.game).column == 24
    assert record.game(variations=False) == records.loads("1. a1,b1 red 2. c3,c5 *")
    record = record_of(text.format("a1,c3 (2. a1,a1)"))
    errors: list[pdd.RecordError] = []
    assert len(record.game(errors, variations=False).actions) == 2
    assert [error.column for error in errors] == [text.index("2. {}") + 4]


def ended(kind: str, result: str = "") -> str:
    return f'[Termination "{kind}"]' + (f'[Result "{result}"]' if result else "")


RESIGNED = ended("resignation")
RESIGNATION = Ending.RESIGNATION


@pytest.mark.parametrize(
    ("text", "ending", "winner", "result"),
    [
        (f'[Result "*"]\n{OPENED}', None, None, "*"),
        (f"{OPENED} *", None, None, "*"),
        (OPENED, None, None, "*"),
        (f"{ended('time', 'white')}\n{OPENED}", Ending.TIME, Seat.FIRST, "white"),
        (f"{ended('time')}\n{OPENED} red-wins", Ending.TIME, Seat.SECOND, "red"),
        (f'{RESIGNED}[Result "first"]\n{OPENED} first-wins', RESIGNATION, Seat.FIRST, "white"),
        (f"{ended('agreement')}\n{OPENED} draw", Ending.AGREEMENT, None, "draw"),
        (ended("time", "draw"), Ending.TIME, None, "draw"),
        (f"{RESIGNED}\nfirst-wins", RESIGNATION, Seat.FIRST, "first"),
        (f"{RESIGNED}\n1. a1,c1 second-wins", RESIGNATION, Seat.SECOND, "second"),
        # The result of a scored game may name the winner by colour or by seat.
        (f'{WON}[Result "white"]\n{WON_ACTIONS} white-wins', Ending.SCORED, Seat.FIRST, "white"),
        (f'{WON}[Result "first"]\n{WON_ACTIONS} first-wins', Ending.SCORED, Seat.FIRST, "white"),
    ],
)
def test_games_that_ended_or_did_not(
    text: str, ending: Ending | None, winner: Seat | None, result: str
) -> None:
    game = records.loads(text)
    assert (game.ending, game.winning_seat, game.result) == (ending, winner, result)
    written = records.dumps(game)
    assert f'[Result "{result}"]' in written
    assert ("Termination" in written) is (ending not in (None, Ending.SCORED))
    assert records.loads(written) == game


def test_a_record_is_parsed_and_not_replayed() -> None:
    text = '[Rules "wikipedia"]\n[Event "x"]\n[Result "first"]\n[Termination "time"]\na1,a1 pass'
    record = record_of(text)
    assert (record.rules, dict(record.tags)) == (pdd.presets.WIKIPEDIA, {"Event": "x"})
    assert record.actions == (pdd.parse_action("a1,a1"), pdd.Pass())
    assert (record.result, record.ending, record.number) == ("first", Ending.TIME, 1)
    assert record_of("\n\n", text.replace(" pass", "\n\npass")) == record
    read = record_of("1. a1,b1 red *")
    made = Record(read.start, read.tags, read.line)
    assert made == read
    assert made.game() == read.game()


def test_the_result_of_a_record_made_by_hand_is_held_against_the_board() -> None:
    start = pdd.GameState.initial(Rules(Board(1, 1)))
    tags = Game.new().tags
    unfinished = pdd.Line()
    played_out = Game.new(start=start).play("pass").play("red").play("pass").line
    assert Record(start, tags, unfinished, "*").game().result == "*"
    for result in ("*", "draw"):
        assert Record(start, tags, played_out, result).game().result == "draw"
    for line, expected in (
        (unfinished, "the result '*' of an unfinished board"),
        (played_out, "the result 'draw', as the board has it"),
    ):
        error = refused(Record(start, tags, line, "white").game)
        assert error.expected.startswith(expected)


def test_parts_of_a_record_are_checked() -> None:
    start = pdd.GameState.initial()
    tags = Game.new().tags
    line = pdd.Line()
    assert Record(start, tags, line).game() == Game.new()
    with pytest.raises(pdd.PonteError):
        Record(start, tags, line, "lost")
    right: dict[str, Any] = {"start": start, "tags": tags, "line": line, "result": "*"}
    for name, wrong in {"start": "x", "tags": None, "line": (), "result": None}.items():
        with wrong_type(name):
            Record(**{**right, name: wrong})
    with wrong_type("variations"):
        Record(start, tags, line).game(variations=None)  # type: ignore[arg-type]  # as above


def test_tags_are_plain_text() -> None:
    class Liar(str):
        __slots__ = ()

        def replace(self, *_: object) -> str:
            return "lie"

    game = Game.new(tags={"First": Liar('"Ada"')})
    assert type(game.tags["First"]) is str
    assert records.loads(records.dumps(game)) == game


SMALL = pdd.Rules(pdd.Board(5, 5))
GAME = pdd.Game.from_actions(SMALL, ["a1,b2", "red", "c3,d4"])
HEAD = f'[Rules "{pdd.format_rules(SMALL)}"]\n\n'
TREE = f"(;RU[{pdd.format_rules(SMALL)}];PD[a1,b2];PD[red];PD[c3,d4]"


def noted(**annotations: str) -> pdd.Game:
    return GAME.with_annotations(annotations)


def test_annotations_stand_in_front_of_the_comment() -> None:
    game = GAME.play("a3,e5", clock=598, elapsed=4.1).with_comment("Why [%not]?\n} \\")
    text = records.dumps(game)
    assert text.split("\n")[-3:-1] == [
        "1. a1,b2 red 2. c3,d4 3. a3,e5 {[%clk 0:09:58] [%emt 0:00:04.1] Why",
        r"\[%not]?\n\} \\} *",
    ]
    assert records.loads(text) == game
    assert records.dumps(noted(b="", a=" x  } \\ ")).endswith("{[%a x  \\} \\\\] [%b]} *\n")


@pytest.mark.parametrize(
    ("text", "annotations", "comment"),
    [
        ("{[%clk 0:01:02]}", {"clk": "0:01:02"}, ""),
        ("{so [%clk 0:01:02] what}", {"clk": "0:01:02"}, "so what"),
        ("{so[%clk 0:01:02]what}", {"clk": "0:01:02"}, "sowhat"),
        ("{[%clk\n  0:01:02] so}", {"clk": "0:01:02"}, "so"),
        ("{[%clk\t0:01:02]}", {"clk": "0:01:02"}, ""),
        ("{[%clk   a b  ]}", {"clk": "a b"}, ""),
        ("{[%x][%y ]}", {"x": "", "y": ""}, ""),
        ("{[%a 1]} $1 {[%b 2] so}", {"a": "1", "b": "2"}, "so"),
        ("{[%a 1] one} {[%a 2] two}", {"a": "1"}, "one\n[%a 2] two"),
        (r"{[%a [%b \} \\ \[%c]}", {"a": r"[%b } \ [%c"}, ""),
        (r"{[%a 1\n2]}", {}, "[%a 1\n2]"),
        (r"{\[%a 1] \\[%b 2]}", {"b": "2"}, "[%a 1] \\"),
        *(
            (f"{{{each}}}", {}, each)
            for each in ("[%A 1]", "[%a1 1]", "[% a]", "[%]", "[%a-b]", "[%a")
        ),
        ("; [%a 1]\n", {}, "[%a 1]"),
        ("{one} * {[%a 1] two}", {"a": "1"}, "one\ntwo"),
        ("{[%a 1]} * {[%a 2]} {[%b 3]}", {"a": "1", "b": "3"}, "[%a 2]"),
    ],
)
def test_reading_annotations(text: str, annotations: dict[str, str], comment: str) -> None:
    game = records.loads(f"{HEAD}1. a1,b2 {text}")
    move = game.line.moves[-1]
    assert (dict(move.annotations), move.comment) == (annotations, comment)
    assert records.loads(records.dumps(game)) == game


def test_only_moves_are_annotated() -> None:
    game = records.loads(HEAD + r"{[%a 1] \[%b 2]} 1. a1,b2 ({[%c 3]} 1. a1,c1 {[%d 4]}) * ")
    assert game.line.comment == "[%a 1] [%b 2]"
    variation = game.line_at((0, 0))
    assert (variation.comment, dict(variation.moves[0].annotations)) == ("[%c 3]", {"d": "4"})
    assert records.loads(records.dumps(game)) == game
    assert records.loads(HEAD + "* {[%a 1]}").line.comment == "[%a 1]"


def test_clocks_have_the_standard_property_of_their_colour() -> None:
    game = pdd.Game.new(SMALL).play("a1,b2", clock=60.5)
    game = game.play("red", clock=50).play("c3,d4", clock=60, elapsed=4)
    game = game.with_variation((2,), ["c3,c4"]).play("a3,e5", path=(2, 0), clock=1)
    assert sgf.dumps(game).split("\n")[2:-1] == [
        *(";PD[a1,b2]WL[60.5]", ";PD[red]PDANNOTATIONS[clk:0\\:00\\:50]"),
        *("(;PD[c3,d4]BL[60]PDANNOTATIONS[emt:0\\:00\\:04])", "(;PD[c3,c4]", ";PD[a3,e5]WL[1]))"),
    ]
    assert sgf.loads(sgf.dumps(game)) == game


@given(games(SMALL_RULES))
def test_the_mover_of_every_action(game: pdd.Game) -> None:
    for place in range(len(game.actions)):
        game = game.with_annotations({"clk": "0:00:01"}, (place,))
    found = re.findall(r"([WB]L|PDANNOTATIONS)\[(?:1|clk:0\\:00\\:01)\]", sgf.dumps(game))
    names = {pdd.Color.WHITE: "WL", pdd.Color.RED: "BL", None: "PDANNOTATIONS"}
    assert found == [names[ply.color] for ply in game.plies]


@pytest.mark.parametrize("text", ["0:1:2", "?", "0:00:01.50", "0:00:01.0005", "900000:00:00", ""])
def test_an_invalid_clock_is_kept_as_text(text: str) -> None:
    assert "BL" not in sgf.dumps(noted(clk=text))
    assert sgf.loads(sgf.dumps(noted(clk=text))) == noted(clk=text)


@pytest.mark.parametrize(
    ("properties", "annotations"),
    [
        ("BL[59.25]", {"clk": "0:00:59.25"}),
        ("BL[ 0060 ]", {"clk": "0:01:00"}),
        *((each, {}) for each in ("WL[60]", "BL[-1]", "BL[soon]", "BL[9999999999]")),
        ("BL[60]PDANNOTATIONS[clk:?][x:]", {"clk": "?", "x": ""}),
        ("BL[60];PDANNOTATIONS[x:1]C[so]", {"clk": "0:01:00", "x": "1"}),
    ],
)
def test_clocks_of_other_programs(properties: str, annotations: dict[str, str]) -> None:
    assert sgf.loads(f"{TREE}{properties})").line.moves[-1].annotations == annotations
