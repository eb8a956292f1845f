"""Files of native records: where each ends, lenient reading, parsing without replay."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import TextIO, cast

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Ending, Game, PlaceTiles, Seat, records
from pontedeldiavolo.records import Record
from support.diagrams import cells
from support.oracle_row import MANY, ROW_TAGS, ROW_TEXT, row_game


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


@pytest.mark.parametrize(
    "line",
    [
        "1. a1,b2 {hello}",
        "1. a1,b2{hello}",
        "1. a1,b2 ; hello",
        "1. a1,b2 {hello} {again}",
        "1. a1,b2 {hello} red {there}",
        "1. a1,b2 {hello} red",
        "{hello} 1. a1,b2 {again}",
        "1. a1,b2 {hello\nagain}",
        "1. a1,b2 {hello}\nred {there}\n2. c1,d2 {again}",
    ],
)
def test_a_record_whose_lines_end_with_comments_ends_before_the_next_tag(line: str) -> None:
    text = f'{line}\n[Event "y"]\n1. c1,d2\n'
    one, other = records.iter_games(StringIO(text))
    assert one == records.loads(line)
    assert other == records.loads('[Event "y"]\n1. c1,d2')
    assert len(one.actions) == line.count(",") + line.count("red")
    first_lines = [header.line for header in records.iter_headers(StringIO(text))]
    assert first_lines == [1, line.count("\n") + 2]


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


def test_a_record_begins_with_its_tags() -> None:
    text = "*\n\n*\n"
    with pytest.raises(pdd.RecordError, match="the end"):
        records.loads(text)
    assert len(list(records.iter_records(StringIO('[x "1"]\n\n[y "2"]\n*')))) == 1


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


def test_a_bad_comment_behind_good_rules_is_left_out_by_a_lenient_reader() -> None:
    errors: list[pdd.RecordError] = []
    text = '[Rules "10x10 tiles=40 bridges=15 tiebreaks=islands"]\n{bad\x01}\n1. a1,b2 *\n'
    assert len(pdd.records.loads(text, errors).actions) == 1
    assert [error.line for error in errors] == [2]


def test_results_of_records() -> None:
    text = '1. a1,b1 *\n[Event "b"]\n1. a1,b1 red 2. a1,c1 *\n[Event "c"]\n1. a1 *\n'
    good, illegal, unread = pdd.records.iter_results(StringIO(text))
    assert isinstance(good, pdd.Game)
    assert isinstance(illegal, pdd.RecordError)
    assert isinstance(illegal.__cause__, pdd.IllegalActionError)
    assert isinstance(unread, pdd.RecordError)
    assert [illegal.number, unread.number] == [2, 3]
    errors: list[pdd.RecordError] = []
    results = list(pdd.records.iter_results(StringIO(text), errors))
    assert [type(each) for each in results] == [pdd.Game] * 3
    assert [each.number for each in errors] == [2, 3]
    # Without rules nothing can be read, even leniently.
    (hopeless,) = pdd.records.iter_results(['[Rules "1x1" x]'], errors)
    assert isinstance(hopeless, pdd.RecordError)
    with pytest.raises(TypeError, match="errors must be list"):
        pdd.records.iter_results([], errors=())  # type: ignore[arg-type]  # the point of the test


def test_a_bad_header_does_not_end_the_stream() -> None:
    lines = ['[First "Al]\n', "1. a1,b1 *\n", '[First "Bo"]\n', "*\n", "[First]\n", "*\n"]
    bad, good, worse = pdd.records.iter_headers([*lines])
    assert isinstance(bad, pdd.RecordError)
    assert isinstance(good, pdd.records.Header)
    assert isinstance(worse, pdd.RecordError)
    assert (bad.number, good.number, worse.number) == (1, 2, 3)
    assert good.tags == {"First": "Bo"}
