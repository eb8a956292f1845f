"""Files of the library's own records: where each record ends, and lenient reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO, cast

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Game, records
from pontedeldiavolo.records import Header, Record
from support.checks import refused, told, wrong_type
from support.games import actions_of
from support.oracle_row import MANY, ROW_TEXT, row_game

Errors = list[pdd.RecordError]


def places(errors: Iterable[pdd.RecordError]) -> list[tuple[int, int]]:
    return [(error.line, error.column) for error in errors]


def leniently(text: str) -> tuple[Game, list[tuple[int, int]]]:
    """Return the game of a text, and where it has errors."""
    errors: Errors = []
    game = records.loads(text, errors)
    # The rest is a game that can be written and read.
    assert records.loads(records.dumps(game)) == game
    return game, places(errors)


# Where records begin and end


def test_a_bad_record_does_not_end_the_stream() -> None:
    one, two, three, four, five, six = records.iter_records(MANY)
    assert told(two) == (2, 5, 3, "',' or '-'")
    assert told(five)[:3] == (5, 16, 6)
    for record, event in ((one, "one"), (three, "three"), (four, "four"), (six, "six")):
        assert isinstance(record, Record)
        assert record.tags["Event"] == event
    assert [each.number for each in (one, three, four, six)] == [1, 3, 4, 6]
    assert isinstance(three, Record)
    with pytest.raises(pdd.RecordError, match=r"^game 3, line 9, column 1: "):
        three.game()
    assert isinstance(four, Record)
    assert four.game() == row_game(Event="four")
    games = list(records.iter_results(MANY))
    assert [getattr(each, "number", 0) for each in games] == [0, 2, 3, 0, 5, 0]
    assert isinstance(cast("pdd.RecordError", games[2]).__cause__, pdd.IllegalActionError)


@pytest.mark.parametrize(
    "line",
    [
        *("1. a1,b2 {hello}", "1. a1,b2{hello}", "1. a1,b2 ; hello", "1. a1,b2 {hello} {again}"),
        *("1. a1,b2 {hello} red {there}", "1. a1,b2 {hello} red", "{hello} 1. a1,b2 {again}"),
        *("1. a1,b2 {hello\nagain}", "1. a1,b2 {hello}\nred {there}\n2. c1,d2 {again}"),
    ],
)
def test_a_record_whose_lines_end_with_comments_ends_before_the_next_tag(line: str) -> None:
    text = f'{line}\n[Event "y"]\n1. c1,d2\n'
    expected = [records.loads(line), records.loads('[Event "y"]\n1. c1,d2')]
    assert list(records.iter_games(text)) == list(records.iter_games(text.splitlines())) == expected
    one, _ = expected
    assert len(one.actions) == line.count(",") + line.count("red")
    first_lines = [header.line for header in records.iter_headers(text)]
    assert first_lines == [1, line.count("\n") + 2]


def test_a_record_may_have_tags_in_several_blocks() -> None:
    assert len(list(records.iter_records('[x "1"]\n\n[y "2"]\n*'))) == 1


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('[Event "one"]\n1. a1,b2 {oops\n*\n\n', 2, 10),
        ('[Rules "1x1" x]\n*\n', 1, 14),
        ("[First]\n*\n", 1, 7),
        ('[First "Al]\n1. a1,b1 *\n', 1, 12),
        ("[Event nothing]\n*\n", 1, 8),
        ("1. a1,b1 {\n" + "much to say\n" * 100_000 + "}\n", 83_334, 6),
    ],
)
def test_a_record_that_cannot_be_read_ends_at_the_next_tag(
    text: str, line: int, column: int
) -> None:
    bad, good = records.iter_records(text + '[Event "two"]\n1. a1,b1 {fine\n\n} *\n')
    assert told(bad)[:3] == (1, line, column)
    assert isinstance(good, Record)
    assert good.tags == {"Event": "two"}
    assert good.line.moves[0].comment == "fine"


TAG_VALUES = ("Anna", "Ada", 'a \\"quoted\\" n', "\\\\n")


@pytest.mark.parametrize("name", TAG_VALUES)
def test_records_may_have_one_line_each(name: str) -> None:
    text = f'[First "{name}"] 1. d4,g7 *\n' * 2
    assert [len(each.actions) for each in records.iter_games(text)] == [1, 1]


@pytest.mark.parametrize("name", TAG_VALUES)
def test_an_open_comment_ends_before_tags(name: str) -> None:
    text = f'1. d4,g7 {{open\n\n[First "{name}"]\n1. a1,b1 *\n'
    bad, good = records.iter_results(text)
    assert isinstance(bad, pdd.RecordError)
    assert isinstance(good, Game)


def test_headers_of_bad_records() -> None:
    text = '[Event "one"]\n1. nonsense\n\n[Event nothing]\n*\n[Event "three"]\n*'
    text += '\n[First "Al]\n1. a1,b1 *\n[First "Bo"]\n*\n[First]\n*\n[Rules "1x1" x]\n*\n'
    found = list(records.iter_headers(text))
    assert [isinstance(each, Header) for each in found] == [1, 0, 1, 0, 1, 0, 0]
    assert [each.number for each in found] == [1, 2, 3, 4, 5, 6, 7]
    assert [each.line for each in found] == [1, 4, 6, 8, 10, 12, 14]
    one, _, three, _, five, *_ = found
    assert isinstance(three, Header)
    assert isinstance(five, Header)
    assert (three.tags["Event"], dict(five.tags)) == ("three", {"First": "Bo"})
    assert isinstance(one, Header)
    with pytest.raises(pdd.RecordError, match=r"^game 1, line 2, column 4: "):
        one.record()
    errors: Errors = []
    assert one.record(errors).actions == ()
    assert places(errors) == [(2, 4)]


# Files that fail


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
        lambda _: records.dump(Game.new(), cast(TextIO, broken)),
    ]
    for read in reads:
        with pytest.raises(OSError, match="disk fails"):
            read(broken)


# Lenient reading


LENIENT = """\
[Event "good"]
[Bad tag]
[Event "again"]
[Result "won"]
[Termination "boredom"]

1. a1,b2 7. red 2. c3,d4 (2. nonsense (2. c4,d4 {deep) brace}) and more) 3. e5,f6 {so
far} 4. z9,a1 5. a6,b6 white-wins trailing
"""


def test_lenient_reading() -> None:
    game, errors = leniently(LENIENT)
    assert game.tags == {"Event": "good"}
    assert actions_of(game) == ["a1,b2", "red", "c3,d4", "e5,f6"]
    assert game.line.moves[2].variations == ()
    assert game.line.moves[3].comment == "so far"
    assert errors == [
        (2, 6),  # a tag without quotes
        (3, 2),  # a second tag of the same name
        (5, 15),  # no such termination
        (7, 10),  # a wrong number, which costs nothing
        (7, 30),  # nonsense, which costs its variation
        (8, 35),  # something after the result
        (4, 10),  # no such result
        (8, 9),  # an illegal action, which costs the rest
        (4, 10),  # a result that the board does not bear out
    ]


@pytest.mark.parametrize(
    ("text", "count", "columns"),
    [
        # Illegal actions
        ("1. a1,b2 red 2. c3,d4 (2. a1,a2 3. e5,e6) 3. c3,e5 4. a9,b9 white-wins", 3, [27, 46, 61]),
        # What hangs on an illegal action is not judged.
        ("1. a1,b1 red 2. a1,c1 (2. c1,d1) 3. e1,f1 (3. a1-c1 (3. z9,z9)) 4. e1,f1 *", 2, [17]),
        # What cannot be read
        ("1. a1,b1 () red ; a draw :)\n2. what ; a draw (\n 3. c1,d1 *", 2, [11, 32]),
        (
            '[Rules "10x10 tiles=40 bridges=15 tiebreaks=islands"]\n{bad\x01}\n1. a1,b2 *\n',
            *(1, [55]),
        ),
    ],
)
def test_errors_that_a_lenient_reader_notes(text: str, count: int, columns: list[int]) -> None:
    game, errors = leniently(text)
    assert len(game.actions) == count
    flat = text.split("\n")
    assert [sum(len(each) + 1 for each in flat[: line - 1]) + at for line, at in errors] == columns


def test_lenient_streams() -> None:
    text = '1. a1,b1 *\n[Event "b"]\n1. a1,b1 red 2. a1,c1 *\n[Event "c"]\n1. a1 *\n'
    errors: Errors = []
    results = list(records.iter_results(text, errors))
    assert [type(each) for each in results] == [Game] * 3
    assert [each.number for each in errors] == [2, 3]
    # Without rules nothing can be read, even leniently.
    (hopeless,) = records.iter_results(['[Rules "1x1" x]'], errors)
    assert isinstance(hopeless, pdd.RecordError)
    for bad in ('[Rules "chess"]\n1. a1,b1', "[Rules 8x8]\n*", "", '[A "1"]\n*\n[A "2"]\n*'):
        refused(records.loads, bad, [])


def test_errors_go_on_a_list() -> None:
    (record,) = records.iter_records(["1. a1,b1"])
    (header,) = records.iter_headers(["1. a1,b1"])
    assert isinstance(record, Record)
    assert isinstance(header, Header)
    for read in (record.game, header.record, lambda errors: records.iter_records(["*"], errors)):
        with wrong_type("errors"):
            cast("Callable[[object], object]", read)(())
