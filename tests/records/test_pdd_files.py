"""Files of native records: the places of records, and lenient reading."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TextIO, cast

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Game, records
from pontedeldiavolo.records import Header, Record
from support.checks import refused, told, wrong_type
from support.games import actions_of
from support.sources import Bare
from support.strategies import games
from support.strategies import tags as some_tags

Errors = list[pdd.RecordError]


def places(errors: Iterable[pdd.RecordError]) -> list[tuple[int, int]]:
    return [(error.line, error.column) for error in errors]


def leniently(text: str) -> tuple[Game, list[tuple[int, int]]]:
    """Return the game of a text and the places of its errors."""
    errors: Errors = []
    game = records.loads(text, errors)
    # The remaining game can be written and read.
    assert records.loads(records.dumps(game)) == game
    return game, places(errors)


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


def test_only_tags_at_the_start_of_a_line_are_not_actions() -> None:
    tags = '[First "A"]{}[Second "B"]\n'
    for between, count in (("", 1), (" ", 1), ("\n", 1), ("\n{c}\n", 1), (" {c} ", 2)):
        text = tags.format(between) + '[Event "E"]\n1. a1,b1 *\n'
        headers = headers_of(text)
        assert len(headers) == count
        names = [name for header in headers for name in header.tags]
        assert names == ["First", "Second", "Event"]


TAG_VALUES = ("Anna", "Ada", 'a \\"quoted\\" n', "\\\\n")


@pytest.mark.parametrize("name", TAG_VALUES)
def test_tags_begin_records_of_one_line_and_end_open_comments(name: str) -> None:
    text = f'[First "{name}"] 1. d4,g7 *\n' * 2
    assert [len(each.actions) for each in records.iter_games(text)] == [1, 1]
    found = records.iter_games(f'1. d4,g7 {{open\n\n[First "{name}"]\n1. a1,b1 *\n', "yield")
    assert [type(each) for each in found] == [pdd.RecordError, Game]


def test_headers_of_bad_records() -> None:
    text = '[Event "one"]\n1. nonsense\n\n[Event nothing]\n*\n[Event "three"]\n*'
    text += '\n[First "Al]\n1. a1,b1 *\n[First "Bo"]\n*\n[First]\n*\n[Rules "1x1" x]\n*\n'
    found = list(records.iter_headers(text))
    assert [isinstance(each, Header) for each in found] == [1, 0, 1, 0, 1, 0, 0]
    assert [each.number for each in found] == [1, 2, 3, 4, 5, 6, 7]
    assert [each.line for each in found] == [1, 4, 6, 8, 10, 12, 14]
    one, three, five = (each for each in found if isinstance(each, Header))
    assert (three.tags["Event"], dict(five.tags)) == ("three", {"First": "Bo"})
    assert told(refused(one.record))[:3] == (1, 2, 4)
    errors: Errors = []
    assert one.record(errors).actions == ()
    assert places(errors) == [(2, 4)]


class Broken:
    """A file on a failing disk."""

    def __iter__(self) -> Iterator[str]:
        yield '[Event "x"]\n'
        raise OSError("the disk fails")

    def write(self, text: str) -> int:
        raise OSError(f"the disk fails before {len(text)} characters")


def test_a_failing_disk_is_reported_as_such() -> None:
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
        (5, 15),  # unknown termination
        (7, 10),  # a wrong number, after which nothing is lost
        (7, 30),  # nonsense, with which its variation is lost
        (8, 35),  # text after the result
        (4, 10),  # unknown result
        (8, 9),  # an illegal action, after which the rest is lost
    ]


@pytest.mark.parametrize(
    ("text", "count", "columns"),
    [
        # Illegal actions
        ("1. a1,b2 red 2. c3,d4 (2. a1,a2 3. e5,e6) 3. c3,e5 4. a9,b9 white-wins", 3, [27, 46, 61]),
        # Variations after an illegal action are not checked.
        ("1. a1,b1 red 2. a1,c1 (2. c1,d1) 3. e1,f1 (3. a1-c1 (3. z9,z9)) 4. e1,f1 *", 2, [17]),
        # Unreadable text
        ("1. a1,b1 () red ; a draw :)\n2. what ; a draw (\n 3. c1,d1 *", 2, [11, 32]),
        ("1. a1,b1 (1. wh;at) red 2. c1,d1 *", 3, [14]),
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
    results = list(records.iter_games(text, "yield", errors))
    assert [type(each) for each in results] == [Game] * 3
    assert [each.number for each in errors] == [2, 3]
    # Without rules, even a lenient reader cannot read a game.
    (hopeless,) = records.iter_games(['[Rules "1x1" x]'], "yield", errors)
    assert isinstance(hopeless, pdd.RecordError)
    for bad in ('[Rules "chess"]\n1. a1,b1', "[Rules 8x8]\n*", "", '[A "1"]\n*\n[A "2"]\n*'):
        refused(records.loads, bad, [])


@pytest.mark.parametrize(
    ("text", "first", "others"),
    [
        *(("x", (1, 2), []), ("?", (1, 1), []), ("[b\nx", (1, 3), [(2, 2)])),
        *(("{good}", (1, 1), []), ("\n\n{good}\n y", (4, 3), []), ("[", (1, 2), [])),
        ("[b\n[c\n)", (1, 3), [(2, 3), (3, 1)]),
    ],
)
def test_the_error_of_a_record_without_content_is_its_first_fault(
    text: str, first: tuple[int, int], others: list[tuple[int, int]]
) -> None:
    strict = refused(records.loads, text)
    before = "[b]\n1. a1,b1 *\n\n" if text[0] == "[" else ""
    for count in (0, 1, 3):
        start = before * count
        number = start.count("[") + 1
        errors: Errors = []
        *_, last = records.iter_games(start + text, "yield", errors)
        lines = start.count("\n")
        assert told(last) == (number, first[0] + lines, first[1], strict.expected)
        places_of_game = [(line - lines, column) for line, column in places(errors)[number - 1 :]]
        assert places_of_game == others
    assert places([strict, refused(records.loads, text, [])]) == [first] * 2


@given(st.text("[]{}()\n ax1,;$*", max_size=8))
def test_a_lenient_reader_raises_what_a_strict_one_raises(text: str) -> None:
    errors: Errors = []
    for result in records.iter_games([text], "yield", errors):
        if isinstance(result, pdd.RecordError) and result.number == 1:
            assert told(result) == told(next(records.iter_games([text], "yield")))
            assert told(result) not in map(told, errors)


PAIR = pdd.PlaceTiles(pdd.Cell(0, 0), pdd.Cell(1, 0))


def illegal(count: int) -> pdd.Line:
    """Return a line with this number of illegal variations."""
    first = pdd.parse_action("a1,a1")
    return pdd.Line([pdd.Move(PAIR, variations=[pdd.Line([pdd.Move(first)])] * count)])


@pytest.mark.parametrize(("result", "more"), [("*", []), ("white", ["unfinished-or-termination"])])
def test_a_record_that_a_caller_made_has_all_its_errors(result: str, more: list[str]) -> None:
    record = Record(pdd.GameState.initial(), {}, illegal(3), result)
    # In a document, all moves of such a record have the same place.
    for each in (record, pdd.json.loads(pdd.json.dumps(record), Record)):
        errors: Errors = []
        assert each.game(errors).actions == (PAIR,)
        assert [error.code for error in errors] == ["legal-action"] * 3 + more
        assert {*places(errors)} == {(1, 1)}


def test_moves_that_are_added_to_a_record_have_no_places() -> None:
    (record,) = records.iter_records("1. a1,b1 (a1,a1) *")
    assert isinstance(record, Record)
    errors: Errors = []
    evolve(record, line=illegal(4)).game(errors)
    assert places(errors) == [(1, 11)] + [(1, 1)] * 3


def test_errors_must_be_a_list() -> None:
    (header,) = headers_of("1. a1,b1")
    for read in (header.record, header.record().game, partial(records.iter_records, ["*"])):
        with wrong_type("errors"):
            cast("Callable[[object], object]", read)(())


MARK = "\ufeff"
TEXT = """
\t
[First "Zoë \U0001f309"]
{one}

1. d4,g7 * ; over



   [First "Bo"]
[Second "山田"]

% ignored
1. d4,g7
red *
; a last word"""


def headers_of(source: Any) -> list[Header]:
    found = list(records.iter_headers(source))
    headers = [each for each in found if isinstance(each, Header)]
    assert headers == found
    return headers


def plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def assert_cut_out(text: str) -> None:
    """Check places and texts of headers in every kind of source."""
    headers = headers_of(text)
    for header in headers:
        assert plain(text[header.offset :]).startswith(header.text)
        assert plain(text[: header.offset]).count("\n") + 1 == header.line
        assert header.end_line == header.line + header.text.removesuffix("\n").count("\n")
        assert header.text.strip(" \t\n") == header.text.strip(" \t\n\r\ufeff")
    octets = text.encode()
    of_bytes = headers_of(octets)
    assert [each.text for each in of_bytes] == [each.text for each in headers]
    for header in of_bytes:
        assert plain(octets[header.offset :].decode()).startswith(header.text)
    # Only blanks, line ends and marks separate records.
    ends = [*(each.offset for each in of_bytes), len(octets)][1:]
    for header, end in zip(of_bytes, ends, strict=True):
        cut = plain(octets[header.offset : end].decode())
        assert cut[: len(header.text)] == header.text
        assert not cut[len(header.text) :].strip(" \t\n" + MARK)
    before = octets[: of_bytes[0].offset] if of_bytes else b""
    assert not plain(before.decode()).strip(" \t\n" + MARK)


def assert_same(one: Header, other: Header) -> None:
    """Check that two headers from any sources belong to the same record."""
    assert one.tags == other.tags
    assert one.text.rstrip() == other.text.rstrip()
    assert evolve(one.record(), number=1) == evolve(other.record(), number=1)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", MARK, MARK + "\n", "\n\n"])
@pytest.mark.parametrize("last", ["", "\n", "\n\n \n"])
def test_a_record_is_where_it_says(end: str, start: str, last: str) -> None:
    text = (start + TEXT + last).replace("\n", end)
    assert_cut_out(text)
    one, two = headers_of(text)
    assert one.text == '[First "Zoë \U0001f309"]\n{one}\n\n1. d4,g7 * ; over\n'
    shift = start.count("\n")
    assert (one.line, one.end_line) == (3 + shift, 6 + shift)
    assert (two.line, two.end_line) == (10 + shift, 16 + shift)
    assert text[two.offset :].startswith('   [First "Bo"]')
    assert text.encode()[headers_of(text.encode())[1].offset :].startswith(b'   [First "Bo"]')


@given(st.lists(st.tuples(games(), some_tags()), max_size=4), st.data())
def test_texts_can_be_cut_out(played: Sequence[tuple[pdd.Game, Any]], data: st.DataObject) -> None:
    texts = [records.dumps(game.with_tags(tags)) for game, tags in played]
    gaps = st.sampled_from(["", "\n", "\n\n", " \n\t\n", MARK, "\n" + MARK])
    text = data.draw(gaps) + "".join(each + data.draw(gaps) for each in texts)
    text = text.replace("\n", data.draw(st.sampled_from(["\n", "\r\n", "\r"])))
    assert_cut_out(text)
    headers = headers_of(text)
    assert [header.text for header in headers] == texts
    for header, (game, tags) in zip(headers, played, strict=True):
        assert records.loads(header.text) == game.with_tags(tags)
        (alone,) = headers_of(header.text)
        assert_same(alone, header)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_file_can_be_read_from_each_record_on(end: str, mark: bytes, tmp_path: Path) -> None:
    path = tmp_path / "games.pdd"
    one = mark + TEXT.replace("\n", end).encode() + end.encode() * 2
    path.write_bytes(one * 3)
    headers = headers_of(path)
    assert [header.number for header in headers] == [1, 2, 3, 4, 5, 6]
    with path.open("rb") as file:
        for number, header in enumerate(headers):
            file.seek(header.offset)
            rest = headers_of(file)
            assert len(rest) == 6 - number
            assert_same(rest[0], header)
            # Offsets in a file count from its beginning, not from the start of reading.
            assert [each.offset for each in rest] == [each.offset for each in headers[number:]]
        file.seek(headers[-1].offset)
        assert records.load(file) == headers[-1].record().game()
    # In other sources offsets count from the start of reading.
    with path.open(encoding="utf-8", newline="") as text:
        whole = text.read()
        text.seek(0)
        for header in headers_of(text):
            assert plain(whole[header.offset :]).startswith(header.text)
    assert [each.offset for each in headers_of(Bare(one))] == [each.offset for each in headers[:2]]


@pytest.mark.parametrize("place", [None, 5.0, "5"])
def test_a_file_may_have_no_position(place: Any) -> None:
    class Odd(io.BytesIO):
        def tell(self) -> Any:
            if place is None:
                raise OSError("illegal seek")
            return place

    assert [each.offset for each in headers_of(Odd(b"\n*\n"))] == [1]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_offsets_in_other_encodings(encoding: str) -> None:
    octets = (MARK + TEXT).encode(encoding)
    for header in headers_of(octets):
        assert octets[header.offset :].decode(encoding).startswith(header.text)


def test_offsets_in_lines() -> None:
    lines = TEXT.splitlines()
    offsets = [each.offset for each in headers_of(TEXT)]
    for source in (lines, TEXT.splitlines(keepends=True), [TEXT], iter(lines)):
        assert [each.offset for each in headers_of(source)] == offsets


def test_headers_are_values() -> None:
    one, other = headers_of(TEXT)
    assert pickle.loads(pickle.dumps(one)) == one
    assert pickle.loads(pickle.dumps(other)).offset == other.offset
    assert one != other
    assert hash(one) == hash(headers_of(TEXT)[0])
