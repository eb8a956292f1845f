"""Records of games: what is read, however it is laid out, what is refused, and what is written."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from io import StringIO
from itertools import islice
from pathlib import Path
from random import Random
from typing import TextIO, cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from diagrams import cells
from pontedeldiavolo import (
    Board,
    Color,
    Ending,
    Game,
    PlaceTiles,
    Rules,
    Seat,
    records,
)
from pontedeldiavolo.records import Record

# One game, as it is written and as people might write it

ROW_RULES = Rules(Board(7, 1), tiles_per_color=3, bridges=2)
ROW_ACTIONS = ("a1,c1", "white", "e1,g1", "a1-c1", "e1-g1", "pass", "pass")
ROW_TAGS = {
    "Zebra": "striped",
    "Second": "Bob",
    "Annotator": 'Zoë "Z." \\o/',
    "First": "Alice",
    "Date": "2026.11.??",
    "Event": "Cup of [Venice]; {1}",
}


def row_game(**tags: str) -> Game:
    """Return a short game that was played out, drawn."""
    game = Game.new(ROW_RULES, tags)
    for text in ROW_ACTIONS:
        game = game.play(text)
    return game


ROW_TEXT = """\
[Event "Cup of [Venice]; {1}"]
[Date "2026.11.??"]
[First "Alice"]
[Second "Bob"]
[Rules "7x1 tiles=3 bridges=2 tiebreaks=islands,bridges"]
[Result "draw"]
[Annotator "Zoë \\"Z.\\" \\\\o/"]
[Zebra "striped"]

1. a1,c1 white 2. e1,g1 3. a1-c1 4. e1-g1 5. pass 6. pass draw
"""


def test_a_game_is_written_in_a_fixed_layout() -> None:
    game = row_game(**ROW_TAGS)
    assert records.dumps(game) == ROW_TEXT
    assert records.loads(ROW_TEXT) == game
    assert list(records.loads(ROW_TEXT).tags) == [
        "Event",
        "Date",
        "First",
        "Second",
        "Annotator",
        "Zebra",
    ]


RULES_TAG = '[Rules "7x1 tiles=3 bridges=2 tiebreaks=islands,bridges"]'
ACTIONS = "a1,c1 white e1,g1 a1-c1 e1-g1 pass pass"


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
        f"{RULES_TAG}\n1. a1,c1 1. white 2. e1,g1 a1-c1 4.e1-g1 5 . pass 6. pass".replace(
            " .", "."
        ),
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


def test_tags_that_nobody_knows_are_kept() -> None:
    text = '[x "1"]\n[Event ""]\n[result "no"]\n[B_2 "]"]\n[A "\\\\\\""]\n*'
    game = records.loads(text)
    assert dict(game.tags) == {"x": "1", "Event": "", "result": "no", "B_2": "]", "A": '\\"'}
    assert records.dumps(game) == (
        '[Event ""]\n'
        '[Rules "10x10 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"]\n'
        '[Result "*"]\n'
        '[A "\\\\\\""]\n'
        '[B_2 "]"]\n'
        '[result "no"]\n'
        '[x "1"]\n'
        "\n*\n"
    )


def test_lines_of_actions_are_short() -> None:
    rng = Random(3)
    game = Game.new()
    while game.ending is None:
        game = game.play(game.state.legal_actions.sample(rng))
    text = records.dumps(game)
    lines = text.split("\n\n", 1)[1].splitlines()
    assert len(lines) > 4
    assert max(map(len, lines)) < 80
    assert min(map(len, lines[:-1])) > 60
    assert records.loads(text) == game


def test_wide_boards_are_written_likewise() -> None:
    rng = Random(1)
    game = Game.new(Rules(Board(64, 64)))
    for _ in range(30):
        game = game.play(game.state.legal_actions.sample(rng))
    text = records.dumps(game)
    assert max(map(len, text.splitlines())) < 80
    assert records.loads(text) == game


# Endings

OPENED = "a1,c1 red e1,g1"


@pytest.mark.parametrize(
    ("tags", "actions", "ending", "winner", "result"),
    [
        ('[Result "*"]', OPENED, None, None, "*"),
        ("", OPENED + " *", None, None, "*"),
        ("", OPENED, None, None, "*"),
        ('[Termination "time"][Result "white"]', OPENED, Ending.TIME, Seat.FIRST, "white"),
        ('[Termination "time"]', OPENED + " red-wins", Ending.TIME, Seat.SECOND, "red"),
        (
            '[Result "first"][Termination "resignation"]',
            OPENED + " first-wins",
            Ending.RESIGNATION,
            Seat.FIRST,
            "white",
        ),
        (
            '[Result "second"][Termination "adjudication"]',
            OPENED,
            Ending.ADJUDICATION,
            Seat.SECOND,
            "red",
        ),
        ('[Termination "agreement"]', OPENED + " draw", Ending.AGREEMENT, None, "draw"),
        ('[Termination "time"][Result "draw"]', "", Ending.TIME, None, "draw"),
        ('[Termination "resignation"]', "first-wins", Ending.RESIGNATION, Seat.FIRST, "first"),
        (
            '[Termination "resignation"]',
            "1. a1,c1 second-wins",
            Ending.RESIGNATION,
            Seat.SECOND,
            "second",
        ),
    ],
)
def test_games_that_ended_or_did_not(
    tags: str, actions: str, ending: Ending | None, winner: Seat | None, result: str
) -> None:
    game = records.loads(f"{tags}\n{actions}")
    assert (game.ending, game.winning_seat, game.result) == (ending, winner, result)
    text = records.dumps(game)
    assert f'[Result "{result}"]' in text
    assert ("Termination" in text) is (ending is not None)
    assert records.loads(text) == game


WON = '[Rules "5x2 tiles=4 bridges=0 tiebreaks=none"]\n'
WON_ACTIONS = "a1,b1 red a2,e2 c1,d1 c2,e1 pass pass"


@pytest.mark.parametrize("result", ["white", "first"])
def test_a_played_out_game_may_name_its_winner_by_seat(result: str) -> None:
    game = records.loads(f'{WON}[Result "{result}"]\n{WON_ACTIONS} {result}-wins')
    assert (game.ending, game.result, game.winning_seat) == (Ending.SCORED, "white", Seat.FIRST)
    assert '[Result "white"]' in records.dumps(game)


# Refusals

NAME = "a tag's name: a letter, then letters, digits or '_'"
QUOTE_END = "'\"' to end the text, or one of the escapes \\\" and \\\\"
RESULTS = "one of 'white', 'red', 'first', 'second', 'draw', '*'"
ENDINGS = "one of 'scored', 'resignation', 'time', 'agreement', 'adjudication'"
CELL = "a cell such as 'c4'"
ACTION = "a cell, 'white', 'red' or 'pass'"

REFUSED: dict[str, tuple[str, int, int, str]] = {
    "nothing": ("", 1, 1, "a game"),
    "blanks": (" \n\t\r\n", 1, 1, "a game"),
    "only a byte order mark": ("\ufeff", 1, 1, "a game"),
    "a tag without a name": ("[]", 1, 2, NAME),
    "a tag with a name in quotes": ('["Event" "x"]', 1, 2, NAME),
    "a tag that begins with a digit": ('[1st "x"]', 1, 2, NAME),
    "a tag with an umlaut": ('[\u00dc "x"]', 1, 2, NAME),
    "a tag with a very long name": ("[" + "A" * 256 + ' "x"]', 1, 2, NAME),
    "a tag without a value": ("[Event]", 1, 7, "a blank and then a text in double quotes"),
    "a tag with a hyphen": ('[E-vent "x"]', 1, 3, "a blank and then a text in double quotes"),
    "a tag without quotes": ("\n\n[Event x]", 3, 8, "a text in double quotes"),
    "a tag in single quotes": ("[Event 'x']", 1, 8, "a text in double quotes"),
    "a tag that does not end": ('[Event "x', 1, 10, QUOTE_END),
    "a tag over two lines": ('[Event "x\ny"]', 1, 10, QUOTE_END),
    "an unknown escape": ('[Event "a\\n"]', 1, 10, QUOTE_END),
    "a control character": ('[Event "a\tb"]', 1, 8, "a text without control characters"),
    "a line separator": ('[Event "a\u2028"]', 1, 8, "a text without control characters"),
    "a lone surrogate": ('[Event "\ud800"]', 1, 8, "a text without control characters"),
    "a tag without a bracket": ('[Event "x"\n*', 1, 11, "']'"),
    "text after a value": ('[Event "x" y]', 1, 12, "']'"),
    "a tag twice": ('[Event "x"]\n[Event "y"]', 2, 2, "no second tag Event"),
    "rules twice": (f"{RULES_TAG}\n {RULES_TAG}", 2, 3, "no second tag Rules"),
    "rules with a side too long": ('[Rules "65x1"]', 1, 9, "a width from 1 to 64"),
    "rules that end too soon": ('[x "y"]\n[Rules "10x10"]', 2, 14, "a blank and then 'tiles='"),
    "an unknown result": ('[Result "1-0"]', 1, 10, RESULTS),
    "a result in capitals": ('[Result "White"]', 1, 10, RESULTS),
    "an unknown termination": ('[Termination "boredom"]', 1, 15, ENDINGS),
    "no action": ("?", 1, 1, ACTION),
    "nothing but a comment": ("{good}", 1, 1, "a game: a tag, an action or a result"),
    "half a pair": ("a1 white", 1, 4, "',' or '-'"),
    "a pair in the making": ("a1,\n\nwhite", 3, 1, "a column from a to bl"),
    "a row that is none": ("a1,b0", 1, 5, "a row from 1 to 64"),
    "actions without a blank": ("a1,b1c1,d1", 1, 6, "a blank after the action"),
    "a result without a blank": ("a1,b1*", 1, 6, "a blank after the action"),
    "a tag after an action": ('a1,b1 [Event "x"]', 1, 7, ACTION),
    "a turn number from 2": ("2. a1,b1", 1, 1, "turn number 1"),
    "a turn number left out": ("1. a1,b1 white 3. c1,d1", 1, 16, "turn number 2"),
    "a turn number for the choice": ("1. a1,b1 2. white", 1, 10, "turn number 1"),
    "turn number 0": ("0. a1,b1", 1, 1, "turn number 1"),
    "a turn number with a zero": (
        "01. a1,b1",
        1,
        1,
        "a turn's number without a leading zero",
    ),
    "a turn number out of order": ("99999999999. a1,b1", 1, 1, "turn number 1"),
    "a huge turn number": ("9" * 1000 + ". a1,b1", 1, 1, "a turn's number"),
    "a turn number without a dot": ("1 a1,b1", 1, 2, "'.'"),
    "a turn number alone": ("1. ", 1, 4, ACTION),
    "text after the result": ("a1,b1 * white", 1, 9, "the end"),
    "a longer word than the result": ("a1,b1 drawn", 1, 7, ACTION),
    "another result than the tag's": (
        '[Result "white"]\na1,b1 draw',
        2,
        7,
        "'white-wins', as the Result tag has it",
    ),
    "a nul": ("\x00", 1, 1, ACTION),
    "an emoji": ("a1,b1 \U0001f309", 1, 7, ACTION),
    "a byte order mark in the second line": ("\n\ufeffa1,b1", 2, 1, ACTION),
    "full-width digits": ("a\uff11,b1", 1, 2, "a row from 1 to 64"),
    "an illegal pair": (
        "1. a1,b1 red\n2. c1,b1",
        2,
        4,
        "a legal action: Already taken by a tile: b1.",
    ),
    "a cell off the board": ("k1,a1", 1, 1, "a legal action: Off the 10×10 board: k1."),
    "no choice": (
        "a1,b1 c1,d1",
        1,
        7,
        "a legal action: This cannot be done at this point of the game.",
    ),
    "a pass too early": (
        "a1,b1 red\npass",
        2,
        1,
        "a legal action: Passing is not allowed while a legal pair of tiles exists.",
    ),
    "an action after the end": (
        f"{RULES_TAG}\n{ACTIONS}\npass",
        3,
        1,
        "a legal action: The game is over.",
    ),
    "a wrong result of a finished board": (
        f'[Result "white"]{RULES_TAG}\n{ACTIONS}',
        1,
        10,
        "the result 'draw', as the board has it",
    ),
    "a wrong mark at the end of a finished board": (
        f"{RULES_TAG}\n{ACTIONS}\nred-wins",
        3,
        1,
        "the result 'draw', as the board has it",
    ),
    "a finished board as unfinished": (
        f"{RULES_TAG}\n{ACTIONS} *",
        2,
        41,
        "the result 'draw', as the board has it",
    ),
    "the losing seat as the winner": (
        f"{WON}{WON_ACTIONS} second-wins",
        2,
        39,
        "the result 'white', as the board has it",
    ),
    "a winner on an unfinished board": (
        f"{OPENED} white-wins",
        1,
        17,
        "the result '*' of an unfinished board, or a Termination tag",
    ),
    "a draw on an unfinished board": (
        f'[Result "draw"]\n{OPENED}',
        1,
        10,
        "the result '*' of an unfinished board, or a Termination tag",
    ),
    "scored, and not played out": (
        f'[Event "x"]\n[Termination "scored"]\n{OPENED}',
        2,
        15,
        "another termination: the game is not played out",
    ),
    "ended early, and played out": (
        f'{RULES_TAG}\n[Termination "time"]\n{ACTIONS}',
        2,
        15,
        "no termination but 'scored': the game is played out",
    ),
    "ended early without a result": (
        f'[Termination "time"]\n{OPENED}',
        1,
        15,
        "a result that goes with the Termination tag, not '*'",
    ),
    "ended early, and going on": (
        f'[Termination "time"]\n{OPENED} *',
        2,
        17,
        "a result that goes with the Termination tag, not '*'",
    ),
    "a colour before the choice": (
        '[Termination "resignation"]\na1,b1 white-wins',
        2,
        7,
        "'first' or 'second': no colours were chosen",
    ),
    "a colour before the first action": (
        '[Termination "resignation"][Result "red"]',
        1,
        37,
        "'first' or 'second': no colours were chosen",
    ),
    "a resignation that nobody wins": (
        f'[Termination "resignation"]\n{OPENED} draw',
        2,
        17,
        "another result: a resignation has a winner",
    ),
    "two games": ('*\n\n[Event "x"]\n*', 3, 1, "the end: one game was asked for"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_texts_that_are_no_game(name: str) -> None:
    text, line, column, expected = REFUSED[name]
    with pytest.raises(pdd.RecordError) as caught:
        records.loads(text)
    error = caught.value
    assert (error.line, error.column, error.expected) == (line, column, expected)
    assert error.number == (2 if name == "two games" else 1)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("a1;b1", pdd.NotationError),
        ("[]", pdd.NotationError),
        ('[Rules "chess"]', pdd.NotationError),
        ("a1,a1", pdd.IllegalActionError),
        ('[Termination "resignation"]\ndraw', pdd.PonteError),
    ],
)
def test_the_cause_of_a_refusal_is_chained(text: str, cause: type[Exception]) -> None:
    with pytest.raises(pdd.RecordError) as caught:
        records.loads(text)
    assert isinstance(caught.value.__cause__, cause)


def test_rules_of_a_tag_with_an_escape_are_refused_like_others() -> None:
    with pytest.raises(pdd.RecordError) as caught:
        records.loads('[Rules "10x10 \\"tiles\\""]')
    assert (caught.value.line, caught.value.column) == (1, 15)


# Many records

MANY = f"""\
[Event "one"]
a1,b1 red

[Event "two"]
a1;b1 red

[Event "three"]
a1,b1 red
a1,b1

{RULES_TAG}
[Event "four"]
{ACTIONS}
[Event "five"]

[Oops
*
[Event "six"]
"""


def test_a_bad_record_does_not_end_the_stream() -> None:
    found = list(records.iter_records(StringIO(MANY)))
    assert [type(each).__name__ for each in found] == [
        "Record",
        "RecordError",
        "Record",
        "Record",
        "RecordError",
        "Record",
    ]
    two, five = found[1], found[4]
    assert isinstance(two, pdd.RecordError)
    assert (two.number, two.line, two.column, two.expected) == (2, 5, 3, "',' or '-'")
    assert isinstance(five, pdd.RecordError)
    assert (five.number, five.line, five.column) == (5, 16, 6)
    kept = [each for each in found if isinstance(each, Record)]
    assert [(each.number, each.tags["Event"]) for each in kept] == [
        (1, "one"),
        (3, "three"),
        (4, "four"),
        (6, "six"),
    ]
    three = kept[1]
    with pytest.raises(pdd.RecordError) as caught:
        three.game()
    assert (caught.value.number, caught.value.line, caught.value.column) == (3, 9, 1)
    assert kept[2].game() == row_game(Event="four")


def test_a_record_is_parsed_and_not_replayed() -> None:
    text = '[Rules "wikipedia"]\n[Event "x"]\n[Result "first"]\n[Termination "time"]\na1,a1 pass'
    (record,) = records.iter_records([text])
    assert isinstance(record, Record)
    assert record.rules == pdd.presets.WIKIPEDIA
    assert dict(record.tags) == {"Event": "x"}
    assert record.actions == (PlaceTiles(*cells("a1 a1")), pdd.Pass())
    assert (record.result, record.termination, record.number) == ("first", Ending.TIME, 1)
    (other,) = records.iter_records(["\n\n", text.replace(" pass", "\n\npass")])
    assert other == record


def test_records_can_be_made_by_hand() -> None:
    (read,) = records.iter_records(["1. a1,b1 red *"])
    assert isinstance(read, Record)
    made = Record(read.start, read.tags, read.line)
    assert made == read
    assert made.game() == read.game()


def test_games_one_after_another() -> None:
    games = records.iter_games(StringIO(MANY))
    assert next(games).tags["Event"] == "one"
    with pytest.raises(pdd.RecordError) as caught:
        next(games)
    assert caught.value.number == 2


def test_bad_games_can_be_skipped() -> None:
    games = list(records.iter_games(StringIO(MANY), on_error="skip"))
    assert [game.tags["Event"] for game in games] == ["one", "four", "six"]
    assert list(records.iter_games([], on_error="skip")) == []


@pytest.mark.parametrize("on_error", ["ignore", "", None, "SKIP"])
def test_errors_are_raised_or_skipped(on_error: str) -> None:
    with pytest.raises(pdd.PonteError, match="on_error"):
        records.iter_games(StringIO(MANY), on_error)  # type: ignore[arg-type]


def test_streams_are_read_as_far_as_needed() -> None:
    def endless() -> Iterator[str]:
        while True:
            yield '[Event "x"]\n'
            yield "*\n"

    first = list(islice(records.iter_records(endless()), 3))
    assert [each.number for each in first] == [1, 2, 3]
    with pytest.raises(pdd.RecordError, match="one game was asked for"):
        records.load(endless())


def test_a_record_begins_with_its_tags() -> None:
    text = "*\n\n*\n"
    with pytest.raises(pdd.RecordError, match="the end"):
        records.loads(text)
    assert len(list(records.iter_records(StringIO('[x "1"]\n\n[y "2"]\n*')))) == 1


# Files


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "games.pdd"
    games = [row_game(**ROW_TAGS), Game.new(), row_game().undo(2).end(Ending.TIME, Seat.FIRST)]
    with path.open("w", encoding="utf-8") as file:
        for game in games:
            records.dump(game, file)
    with path.open(encoding="utf-8") as file:
        assert list(records.iter_games(file)) == games
    text = path.read_text(encoding="utf-8")
    assert text == "\n".join(map(records.dumps, games)) + "\n"


@pytest.mark.parametrize(
    ("newline", "encoding"), [("\r\n", "utf-8"), ("\r", "utf-8"), ("\n", "utf-16")]
)
def test_files_with_other_line_ends_and_encodings(
    tmp_path: Path, newline: str, encoding: str
) -> None:
    path = tmp_path / "game.pdd"
    with path.open("w", encoding=encoding, newline=newline) as file:
        records.dump(row_game(**ROW_TAGS), file)
    with path.open(encoding=encoding) as file:
        assert records.load(file) == row_game(**ROW_TAGS)
    if newline == "\r\n":
        with path.open(encoding=encoding, newline="") as file:
            assert records.load(file) == row_game(**ROW_TAGS)


def test_a_file_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "game.pdd"
    path.write_text(ROW_TEXT, encoding="utf-8-sig")
    with path.open(encoding="utf-8") as file:
        assert records.load(file) == row_game(**ROW_TAGS)


def test_a_file_in_another_encoding_fails_as_files_do(tmp_path: Path) -> None:
    path = tmp_path / "game.pdd"
    path.write_text(ROW_TEXT, encoding="latin-1")
    for read in (records.load, lambda file: list(records.iter_records(file))):
        with path.open(encoding="utf-8") as file, pytest.raises(UnicodeDecodeError):
            read(file)


class Broken:
    """A file on a disk that fails."""

    def __iter__(self) -> Iterator[str]:
        yield '[Event "x"]\n'
        raise OSError("the disk fails")

    def write(self, text: str) -> int:
        raise OSError(f"the disk fails before {len(text)} characters")


def test_a_failing_disk_is_told_as_such() -> None:
    broken = Broken()
    reads: list[Callable[[Iterable[str]], object]] = [
        records.load,
        lambda file: list(records.iter_records(file)),
        lambda file: list(records.iter_games(file, "skip")),
    ]
    for read in reads:
        with pytest.raises(OSError, match="disk fails"):
            read(broken)
    with pytest.raises(OSError, match="disk fails"):
        records.dump(Game.new(), cast(TextIO, broken))


def test_a_missing_file_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), (tmp_path / "no.pdd").open() as file:
        records.load(file)


# Wrong types


def everything(file: Iterable[str]) -> list[object]:
    """Read all records of a file."""
    return list(records.iter_records(file))


@pytest.mark.parametrize("text", [None, 1, b"a1,b1", ["a1,b1"], StringIO("*")])
def test_loads_takes_a_string(text: object) -> None:
    with pytest.raises(TypeError):
        records.loads(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("read", [records.load, everything, records.iter_records])
def test_a_string_is_no_file(read: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match="use loads"):
        read("1. a1,b1")


def test_a_string_is_no_file_of_games() -> None:
    with pytest.raises(TypeError, match="use loads"):
        records.iter_games("1. a1,b1")


@pytest.mark.parametrize("read", [records.load, everything])
@pytest.mark.parametrize("file", [None, 1, b"a1,b1", [b"a1,b1"], [None]])
def test_a_file_gives_lines_of_text(read: Callable[[object], object], file: object) -> None:
    with pytest.raises(TypeError):
        read(file)


def test_binary_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.pdd"
    path.write_text(ROW_TEXT, encoding="utf-8")
    with path.open("rb") as file, pytest.raises(TypeError):
        records.load(file)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", [None, "1. a1,b1", pdd.GameState.initial()])
def test_only_games_are_written(game: object) -> None:
    with pytest.raises(TypeError):
        records.dumps(game)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        records.dump(game, StringIO())  # type: ignore[arg-type]


# Tags that cannot be set


@pytest.mark.parametrize("name", ["Rules", "Result", "Termination"])
def test_tags_that_follow_from_the_game_are_refused(name: str) -> None:
    for refuse in (Game.new().with_tags, lambda tags: Game.new(tags=tags)):
        with pytest.raises(pdd.PonteError, match=f"the tag {name} follows from the game"):
            refuse({name: "x"})


@pytest.mark.parametrize("name", ["", "1st", "a-b", "a b", "\u00dc", "A" * 256, "_x"])
def test_names_of_tags_are_plain(name: str) -> None:
    with pytest.raises(pdd.NotationError, match="a tag's name"):
        Game.new(tags={name: "x"})


@pytest.mark.parametrize("value", ["a\nb", "a\rb", "a\x00b", "a\x85b", "a\u2028b", "a\ud800b"])
def test_values_of_tags_fit_in_one_line(value: str) -> None:
    with pytest.raises(pdd.NotationError) as caught:
        Game.new(tags={"Event": value})
    assert (caught.value.text, caught.value.offset) == (value, 1)


@pytest.mark.parametrize("tags", [["Event"], "Event", 1, {"Event": 1}, {1: "x"}, {"Event": None}])
def test_tags_are_a_mapping_of_strings(tags: object) -> None:
    with pytest.raises(TypeError):
        Game.new(tags=tags)  # type: ignore[arg-type]


def test_every_printable_value_survives() -> None:
    tags = {"A" * 255: "\u00e9\u0301\U0001f309 \ufeff\u200b\u00a0'%{}[];\\\"\\\\ \\n"}
    game = Game.new(tags=tags)
    assert records.loads(records.dumps(game)).tags == tags


# Games, as far as records need them


@pytest.mark.parametrize(
    "game",
    [row_game(), Game.new().end(Ending.TIME), row_game().undo(1).end(Ending.AGREEMENT)],
)
def test_games_that_ended_take_no_more(game: Game) -> None:
    more: list[Callable[[], object]] = [
        lambda: game.play("pass"),
        lambda: game.end(Ending.TIME),
    ]
    for each in more:
        with pytest.raises(pdd.IllegalActionError) as caught:
            each()
        assert [fault.rule for fault in caught.value.violations] == [pdd.Rule.GAME_OVER]
    assert game.undo(0).actions == game.actions


def test_how_a_game_cannot_end() -> None:
    with pytest.raises(pdd.PonteError, match="scored"):
        Game.new().end(Ending.SCORED)
    with pytest.raises(pdd.PonteError, match="winner"):
        Game.new().end(Ending.RESIGNATION)
    for wrong in ("time", None):
        with pytest.raises(TypeError):
            Game.new().end(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Game.new().end(Ending.TIME, Color.WHITE)  # type: ignore[arg-type]
    for count in (-1, 1):
        with pytest.raises(pdd.PonteError, match="take back"):
            Game.new().undo(count)
    with pytest.raises(TypeError):
        Game.new().undo(True)  # noqa: FBT003
    for action in (None, 1, pdd.PlaceTile(pdd.Cell(0, 0))):
        with pytest.raises(TypeError):
            Game.new().play(action)  # type: ignore[arg-type]


def test_the_turns_of_a_game() -> None:
    game = row_game()
    assert [(turn.number, turn.seat, turn.color) for turn in game.turns] == [
        (1, Seat.FIRST, Color.WHITE),
        (1, Seat.SECOND, None),
        (2, Seat.FIRST, Color.RED),
        (3, Seat.SECOND, Color.WHITE),
        (4, Seat.FIRST, Color.RED),
        (5, Seat.SECOND, Color.WHITE),
        (6, Seat.FIRST, Color.RED),
    ]
    assert [state.turn for state in game.states()] == [0, 1, 1, 2, 3, 4, 5, 6]
    assert list(game.states())[-1] == game.state


# Hostile texts

MEGA = 1_000_000

HOSTILE: dict[str, Callable[[], str]] = {
    "letters": lambda: "a" * 10 * MEGA,
    "digits": lambda: "1" * 10 * MEGA,
    "dots": lambda: "1" + "." * 200_000,
    "brackets": lambda: "[" * 10 * MEGA,
    "brackets in lines": lambda: "[\n" * 200_000,
    "a name": lambda: "[" + "A" * 10 * MEGA,
    "a value": lambda: '[Event "' + "a" * MEGA,
    "escapes": lambda: '[Event "' + "\\\\" * 200_000,
    "quotes": lambda: '[Event "' + '"' * 10 * MEGA,
    "tags": lambda: "".join(f'[T{number} "x"]\n' for number in range(20_000)) + "?",
    "blanks": lambda: " " * 10 * MEGA,
    "lines": lambda: "\n" * 200_000,
    "lines and then a word": lambda: "\n" * 200_000 + "?",
    "results": lambda: "* " * 5 * MEGA,
    "nul": lambda: "\x00" * 10 * MEGA,
    "half actions": lambda: "a1,\n" * 200_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_long_texts_are_refused_in_reasonable_time(name: str) -> None:
    text = HOSTILE[name]()
    started = time.perf_counter()
    with pytest.raises(pdd.RecordError) as caught:
        records.loads(text)
    assert len(str(caught.value)) < 1000
    assert time.perf_counter() - started < 60


def test_many_bad_games_are_skipped_in_reasonable_time() -> None:
    started = time.perf_counter()
    assert list(records.iter_games(StringIO('[Event "x"]\n?\n' * 5_000), "skip")) == []
    assert time.perf_counter() - started < 60


# Any text at all

PIECES = [
    RULES_TAG,
    ACTIONS,
    ROW_TEXT,
    MANY,
    OPENED,
    '[Event "x"]',
    '[Result "draw"]',
    '[Result "white"]',
    '[Termination "time"]',
    "\n",
    "\r\n",
    " ",
    "*",
    "draw",
    "white-wins",
    "first-wins",
    "pass",
    "white",
    "1.",
    "2...",
    "[",
    "]",
    '"',
    "\\",
    "\ufeff",
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Return records put together from pieces, some of them broken."""
    text = "".join(draw(st.lists(st.sampled_from(PIECES), max_size=8)))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        stop = min(len(text), start + draw(st.integers(0, 6)))
        piece = draw(st.sampled_from(PIECES) | st.text(max_size=2) | st.just(""))
        text = text[:start] + piece + text[stop:]
    return text


def read(text: str) -> Game | pdd.RecordError:
    """Return the game of a text, or the error that refuses it."""
    try:
        return records.loads(text)
    except pdd.RecordError as error:
        return error


@given(text=st.text() | mutated())
@example(text="\ufeff\ufeff")
@example(text="[")
@example(text="\r")
def test_any_text_is_a_game_or_refused(text: str) -> None:
    lines = text.split("\n")
    match read(text):
        case pdd.RecordError() as error:
            assert 1 <= error.line <= len(lines)
            assert 1 <= error.column <= len(lines[error.line - 1]) + 1
            assert error.expected
            assert error.number in (1, 2)
        case game:
            assert records.loads(records.dumps(game)) == game


@given(text=st.text() | mutated())
def test_any_stream_is_read_to_its_end(text: str) -> None:
    found = list(records.iter_records(StringIO(text)))
    assert [each.number for each in found] == list(range(1, len(found) + 1))
    games = list(records.iter_games(StringIO(text), "skip"))
    assert len(games) <= len(found)


def test_the_result_of_a_record_made_by_hand_is_held_against_the_board() -> None:
    start = pdd.GameState.initial(pdd.Rules(pdd.Board(1, 1)))
    tags, unfinished = Game.new().tags, pdd.Line()
    played_out = Game.new(start=start).play("pass").play("red").play("pass").line
    assert Record(start, tags, unfinished).game().result == "*"
    assert Record(start, tags, played_out).game().result == "draw"
    assert Record(start, tags, played_out, "draw").game().result == "draw"
    with pytest.raises(pdd.RecordError, match=r"the result '\*' of an unfinished board"):
        Record(start, tags, unfinished, "white").game()
    with pytest.raises(pdd.RecordError, match="the result 'draw', as the board has it"):
        Record(start, tags, played_out, "white").game()


def test_what_a_record_is_not_made_of() -> None:
    start, tags, line = pdd.GameState.initial(), pdd.Game.new().tags, pdd.Line()
    assert Record(start, tags, line).game() == Game.new()
    with pytest.raises(pdd.PonteError):
        Record(start, tags, line, "lost")
    for wrong in (("x", tags, line), (start, None, line), (start, tags, ())):
        with pytest.raises(TypeError):
            Record(*wrong)
    with pytest.raises(TypeError):
        Record(start, tags, line, None)  # type: ignore[arg-type]
