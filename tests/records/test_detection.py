"""Detect the formats of files, and write games in every format."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Ending, Seat
from pontedeldiavolo.records import Format, abstract_play, detect, read, unsupported, write
from pontedeldiavolo.records.reading import DETECTION_CHARACTERS
from support.checks import refused, told, wrong_type
from support.oracle_row import MANY, ROW_TEXT
from support.paths import DATA, ROOT, STORED
from support.samples import BAD, BOARDSPACE, FILES, GAMES, MODULES, SUFFIXES, WRITTEN, page
from support.sources import Bare, Pipe
from support.trees import annotated_games

ENDINGS: list[tuple[Ending, Seat | None]] = [
    *((Ending.RESIGNATION, Seat.FIRST), (Ending.TIME, Seat.SECOND)),
    *((Ending.AGREEMENT, None), (Ending.ADJUDICATION, None)),
]
LOSSLESS = (Format.PDD, Format.SGF, Format.JSON)
KEPT = ("game", "record", "line", "cell")
ALIKE = {(Format.MOVES, Format.ABSTRACT_PLAY)}
"""Abstract Play's reader accepts lists of moves and reports."""
AGREED = b'[Termination "agreement"]\n'
MADE = [
    pdd.Game.from_actions(rules, ["d4,g7", choice, "c3,c5", "e1,e3"]).end(ending, winner)
    for rules in map(pdd.presets.by_name, ("abstract-play", "abstract-play-8", "abstract-play-12"))
    for choice in ("red", "white")
    for ending, winner in ENDINGS
]
"""Games with all features, on all boards of Abstract Play."""


def annotated(game: pdd.Game) -> pdd.Game:
    """Return a game whose tags, comments and variation look like records of other formats."""
    game = game.with_tags({"First": "Ada", "Event": "[x] (;y) {z}"}).with_nags([1], (0,))
    game = game.with_comment("size-8 d4,g7\n\n1. a1,b1 draw\n\nd4,g7\n\n", (2,))
    return game.with_comment("(;FF[4])").with_variation((2,), ["a1,b1"], '{"header": 1}')


SAMPLES: dict[str, tuple[Format, bytes]] = {
    **{f"{form.value}, short": (form, page(form)) for form in WRITTEN},
    **{f"{form.value}, of all kinds": (form, page(form, MADE)) for form in WRITTEN},
    **{
        f"{form.value}, annotated": (form, page(form, [*map(annotated, MADE)])) for form in LOSSLESS
    },
    **{
        f"{path.parent.name}/{path.name}": (form, path.read_bytes())
        for form, path in (
            *FILES,
            *((Format.PDD, path) for path in sorted((ROOT / "examples" / "games").glob("*.pdd"))),
            *((Format.PDD, path) for path in sorted(DATA.rglob("*.pdd"))),
            *((Format.JSON, STORED / "json" / f"{each}.json") for each in KEPT),
        )
    },
    "a record in rows": (Format.PDD, ROW_TEXT.encode()),
    "many records": (Format.PDD, MANY.encode()),
    "a comment between": (Format.PDD, AGREED + b"\n\n{c}\n\n1. a1,b1 red draw\n\n"),
    "tags and actions at once": (Format.PDD, AGREED + b"1. a1,b1\n\nred 2. c1,d1 draw\n"),
    "a list that begins at once": (Format.MOVES, b"d4,g7 c3,c5 e1,e3 resign\n\n"),
}
every_sample = pytest.mark.parametrize("name", SAMPLES)


@every_sample
def test_a_file_of_another_format_is_never_read_as_games(name: str) -> None:
    form, octets = SAMPLES[name]
    for other in Format:
        games = [each for each in read(octets, format=other) if isinstance(each, pdd.Game)]
        if other is form or (form, other) in ALIKE:
            assert games or name in ("json/line.json", "json/cell.json", "json/record.json"), other
            continue
        assert games == [], other
        if other in MODULES and other is not Format.MOVES:
            module = MODULES[other]
            found = module.iter_games(octets, on_error="yield")
            assert all(isinstance(each, pdd.RecordError) for each in found), other
            for source in (octets, octets.decode()):
                refused(module.loads, source)


@every_sample
def test_a_format_is_detected(name: str) -> None:
    form, octets = SAMPLES[name]
    text = octets.decode()
    begins_at_once = form is Format.MOVES and text[:5] != "size-"
    sources: list[Any] = [octets, text, text.splitlines(), b"\xef\xbb\xbf" + octets]
    sources += [text.encode("utf-16"), text.encode("utf-32"), octets.replace(b"\n", b"\r\n")]
    for source in sources:
        assert detect(source) is (None if begins_at_once else form)


@pytest.mark.parametrize("suffix", sorted({*SUFFIXES.values(), ".json", ".txt"}))
@pytest.mark.parametrize("form", WRITTEN)
def test_games_are_read_whatever_the_suffix(form: Format, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"games{suffix}"
    path.write_bytes(page(form))
    assert detect(path) is form
    assert list(read(path)) == GAMES
    # An unfinished stream must close its file; otherwise there would be a warning.
    next(iter(read(path)), None)


NOTHING: dict[str, str | bytes] = {
    "a game of chess": '[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n',
    "a game of Go": "(;GM[1]FF[4]SZ[19];B[aa];W[bb])",
    "a game of another site": "(;GM[Hive]P0[id x];P0[0 Start P0])",
    "JSON": '{"a": [1, 2, {"b": "c"}]}',
    "a list of JSON": "[1, 2]",
    "HTML": "<!DOCTYPE html>\n<html><body>(see [1]; {x})</body></html>",
    "CSV": "a,b,c\nd4,g7,red\n",
    "words": "Dear Bo,\n\nd4 was a mistake (really).\n",
    "octets": bytes(range(128)) * 8,
    "a picture": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "an archive": b"PK\x03\x04\x14\x00\x00\x00\x08\x00",
}


@pytest.mark.parametrize("name", NOTHING)
@pytest.mark.parametrize("form", Format)
def test_other_files_hold_no_games(name: str, form: Format) -> None:
    source = NOTHING[name]
    results: list[object] = []
    with suppress(UnicodeDecodeError) if not source.isascii() else nullcontext():
        results += read(source, format=form)
    assert not any(isinstance(each, pdd.Game) for each in results)


@pytest.mark.parametrize("form", Format)
def test_detection_does_not_consume_the_source(form: Format) -> None:
    octets = BOARDSPACE if form is Format.BOARDSPACE else page(form)
    for file in (io.BytesIO(b"before" + octets), io.StringIO("before" + octets.decode())):
        file.seek(6)
        assert detect(file) is form
        assert file.tell() == 6
        assert file.read() in (octets, octets.decode())


def test_only_the_beginning_is_looked_at() -> None:
    assert detect(" " * (DETECTION_CHARACTERS - 2) + "(;FF[4])") is Format.SGF
    assert detect(" " * (DETECTION_CHARACTERS - 1) + "(;FF[4])") is None
    assert detect([" " * (DETECTION_CHARACTERS - 1) + "(;FF[4])"]) is None
    sources: tuple[Any, ...] = (b"", "", [], b"\x00\xff", "words")
    for nothing in sources:
        assert detect(nothing) is None


def test_a_source_is_rewound_after_an_error_in_detection() -> None:
    class Torn(io.BytesIO):
        def read1(self, _size: int | None = -1, /) -> bytes:
            super().read(3)
            raise OSError("torn")

    file = Torn(b"(;FF[4])")
    with pytest.raises(OSError, match="torn"):
        detect(file)
    assert file.tell() == 0


def test_sources_that_cannot_be_put_back_are_refused() -> None:
    octets = b"(;FF[4])"
    lines = iter(["(;FF[4])"])
    pipes: tuple[Any, ...] = (Pipe(octets), io.BufferedReader(Pipe(octets)), Bare(octets))
    for pipe in pipes:
        with pytest.raises(pdd.PonteError, match="a file that cannot seek"):
            detect(pipe)
        assert pipe.read() == octets
    with pytest.raises(pdd.PonteError, match="an iterator cannot be put back"):
        detect(lines)
    assert next(lines) == "(;FF[4])"


REPORT = '{"header": {"game": {"name": "Ponte del Diavolo"}}}'


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.pdd", "(;FF[4]", Format.SGF),
        ("a.PDD", REPORT, Format.ABSTRACT_PLAY),
        ("a.pdd", "d4,g7 c3,c5", Format.PDD),
        ("a.pdd", '{"a comment"} d4,g7', Format.PDD),
        ("a.json", "", Format.JSON),
        ("a.json", '{"kind": "game"}', Format.JSON),
        ("a.json", '{"value": 1}', Format.JSON),
        ("a.json", REPORT, Format.ABSTRACT_PLAY),
        ("a.JSON", f" [\n  {REPORT}]", Format.ABSTRACT_PLAY),
        ("a.jsonl", '{ "moves" : []}', Format.ABSTRACT_PLAY),
        ("a.json", '[Event "x"]', Format.PDD),
        ("a.txt", "d4,g7 c3,c5", Format.MOVES),
        ("a.txt", "1. d4,g7 red 2. c3,c5", Format.PDD),
        ("a.txt", '\n[Event "x"]\n', Format.PDD),
        ("a.txt", "(;FF[4];PD[d4,g7])", Format.SGF),
        ("a.txt", "(;GM[PonteDelDiavolo]", Format.BOARDSPACE),
        ("a.txt", REPORT, Format.ABSTRACT_PLAY),
        ("a.json", "(;FF[4];PD[d4,g7])", Format.SGF),
        ("a.sgf", "size-8 d4,g7", Format.MOVES),
        ("a.sgf", "some words (;GM[1]FF[4]", Format.SGF),
        ("a.sgf", "(;FF[4]GM[PonteDelDiavolo]", Format.BOARDSPACE),
        ("a.sgf", "mail\n(\n;\n GM[ pontedeldiavolo ]", Format.BOARDSPACE),
        ("a.sgf", "(;C[(a)]GM[PonteDelDiavolo]", Format.SGF),
        ("a", "", None),
        ("a", "1. a1,b1 a1,b1", None),
        ("a", "(;FF[4]", Format.SGF),
        ("a", "(;GM[PonteDelDiavolo]", Format.BOARDSPACE),
        ("a", REPORT, Format.ABSTRACT_PLAY),
        ("a", '{"format": "pontedeldiavolo"', Format.JSON),
        ("a", "{a comment}", None),
        ("a", "size-8 pied d4,g7", Format.MOVES),
        ("a.xyz", "Pie-Invoked d4,g7", Format.MOVES),
        ("a.xyz", "\x00\x01", None),
    ],
)
def test_the_beginning_decides_and_else_the_suffix(
    tmp_path: Path, name: str, content: str, expected: Format | None
) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert detect(path) is expected
    with os.scandir(tmp_path) as entries:
        assert [detect(entry) for entry in entries] == [expected]


def test_an_unknown_format_is_read_as_a_record() -> None:
    (error,) = read("what is this")
    assert told(error)[:3] == (1, 1, 1)
    for nothing in ("", b"\n\n", [], ["\n"]):
        assert list(read(nothing)) == []


def test_text_below_tags_is_no_list() -> None:
    text = 'd4,g7\n\n[Event "x"]\n\n1. d4,g7 draw\n\n[Site "y"]\n\n\n2. c3,c5\n'
    game, *errors = read(text, format=Format.MOVES)
    assert isinstance(game, pdd.Game)
    assert [told(each)[:2] for each in errors] == [(2, 3), (3, 5), (4, 7), (5, 10)]
    expected = "a list of moves, not a part of something else"
    assert [told(each)[3] for each in errors[1::2]] == [expected] * 2
    long = f'[Event "x"]\n\n{"a1,b1 " * 10}\n\nd4,g7\n'
    results = list(read(long, format=Format.MOVES, limits=pdd.Limits(characters=30)))
    assert [type(each) for each in results] == [pdd.RecordError] * 3
    assert "at most 30 characters" in str(results[1])


def test_the_rest_of_a_line_that_is_too_long_begins_no_record() -> None:
    # After the first million characters, the text looks like another record.
    text = "1. a1,b1 ;" + " " * 999_991 + '[Event "no"]\n\n[Event "yes"]\n1. a1,b1 *\n'
    bad, good = read(text.encode(), format=Format.PDD)
    assert told(bad)[0] == 1
    assert good == pdd.Game.from_actions(None, ["a1,b1"], tags={"Event": "yes"})


@pytest.mark.parametrize(
    "text",
    [
        *("1. a1,b1 red 2.\n", "1. a1,b1 red 2.\n\n", "1. a1,b1 red 2."),
        *('1. a1,b1 red 2.\n[Event "x"]\n*\n', '1. a1,b1 {x\n\n[Event "x"]\n*'),
    ],
)
@pytest.mark.parametrize("characters", [None, *range(14, 18)])
def test_a_truncated_record_ends_in_the_same_place_without_line_ends(
    text: str, characters: int | None
) -> None:
    limits = pdd.Limits(characters=characters)
    with_ends, without = (
        [str(each) for each in read(source, format=Format.PDD, limits=limits)]
        for source in (text, text.split("\n"))
    )
    assert without == with_ends
    assert without[0].startswith("game 1, line ")


def test_lists_in_lines_without_ends() -> None:
    found = read(["d4,g7", "red c3,c5", "e2,e9", "", "a1,b1"], format=Format.MOVES)
    assert [len(each.actions) for each in found if isinstance(each, pdd.Game)] == [4, 1]
    (bad,) = read(["", "d4,g7", "red", "c3,c3"], format=Format.MOVES)
    assert told(bad)[:3] == (1, 4, 1)


def test_reports_and_lists_are_told_by_the_first_line_that_is_not_empty() -> None:
    for form in BAD:
        text = f"\n \n\n{page(form).decode()}"
        assert list(read(text)) == list(read(text.splitlines())) == GAMES
    report = abstract_play.dumps(GAMES[0])
    for text in (f"\n\n \n{report}", f" [\n{report},\n{report}]"):
        assert {*abstract_play.iter_games(text)} == {GAMES[0]}
    (game,) = abstract_play.iter_games(io.StringIO("\n\n \nd4,g7\nc3,c5 \n\t\n"))
    assert game.actions[-1] == pdd.parse_action("c3,c5")
    one, two = abstract_play.iter_games(["d4,g7", "c3,c5", "", "", "e2,e9"])
    assert (len(one.actions), len(two.actions)) == (3, 1)
    # Detection skips no more empty lines than a game may have characters.
    assert list(abstract_play.iter_games([" " * 999 + "\n"] * 1_100, "yield")) == []


def test_errors_in_lists_of_documents() -> None:
    for form in (Format.JSON, Format.ABSTRACT_PLAY):
        text = page(form, GAMES[:1]).decode()
        good, error = read(f"[{text},", format=form)
        assert good == GAMES[0]
        number, *_, expected = told(error)
        assert (number, expected) == (2, "as many ']' as '['")
    text = page(Format.JSON, GAMES[:1]).decode()
    _, bad, path = read(f'{text}{{"format":\n  oops}} {text.replace("d4,g7", "d4,d4")}')
    assert told(bad) == (2, 3, 3, "JSON (Expecting value)")
    assert told(path)[:3] == (3, 3, 9)
    assert told(path)[3].endswith(" (value.line.moves[0].action)")


def test_a_lone_surrogate_is_no_fault_of_an_encoding() -> None:
    (error,) = read('[First "\udcff"]\n*', format=Format.PDD)
    assert told(error)[:3] == (1, 1, 8)
    assert list(read("(;PW[\udcff])", format=Format.SGF)) == [pdd.Game.new(tags={"First": " "})]


@given(st.lists(annotated_games(), max_size=3), st.sampled_from(LOSSLESS))
def test_written_games_are_read_back(games: list[pdd.Game], form: Format) -> None:
    octets = page(form, games)
    assert list(read(octets, format=form)) == games
    text = io.StringIO()
    write(games, text, form)
    assert text.getvalue().encode() == octets


@pytest.mark.parametrize("form", WRITTEN)
@pytest.mark.parametrize("as_text", [True, False])
def test_targets(form: Format, tmp_path: Path, *, as_text: bool) -> None:
    path = tmp_path / "there" / f"games{SUFFIXES[form]}"
    with pytest.raises(FileNotFoundError):
        write(GAMES, path, form)
    path.parent.mkdir()
    write(iter(GAMES), str(path) if as_text else path, form)
    assert path.read_bytes() == page(form)
    mode, ends = ("w+", "") if as_text else ("w+b", None)
    with tempfile.TemporaryFile(mode, newline=ends) as file:
        write(GAMES, file, form)
        file.seek(0)
        assert file.read() in (page(form), page(form).decode())
    with gzip.open(tmp_path / "packed", "wt" if as_text else "wb") as packed:
        write(GAMES, cast("Any", packed), form)
    assert gzip.decompress((tmp_path / "packed").read_bytes()) == page(form)


def test_a_file_gets_its_name_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("precious")
    path.chmod(0o600)

    def failing(error: BaseException) -> Iterator[pdd.Game]:
        yield GAMES[0]
        assert len(list(tmp_path.iterdir())) == 2
        raise error

    for error in (OSError("torn"), KeyboardInterrupt(), ZeroDivisionError()):
        with pytest.raises(type(error)):
            write(failing(error), path, Format.SGF)
        assert path.read_text() == "precious"
        assert list(tmp_path.iterdir()) == [path]
    write(GAMES, path, Format.SGF)
    assert path.read_bytes() == page(Format.SGF)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


OTHER_BOARD = pdd.Game.new(pdd.Rules(pdd.Board(3, 4)))
FAULTY = page(Format.SGF, GAMES[:1]) + BAD[Format.SGF].encode()


@pytest.mark.parametrize(
    ("games", "form", "error", "message"),
    [
        ([GAMES[0], pdd.Game.new()], Format.ABSTRACT_PLAY, pdd.PonteError, "finished games only"),
        (GAMES, Format.JSON, pdd.PonteError, "a .json file holds one game"),
        ([OTHER_BOARD], Format.MOVES, pdd.PonteError, "no board of Abstract Play: 3x4"),
        (GAMES, Format.BOARDSPACE, pdd.PonteError, "nothing is written as boardspace"),
        (read(FAULTY), Format.PDD, pdd.RecordError, "game 2, "),
        *((games, Format.PDD, TypeError, "an iterable of Game") for games in (None, GAMES[0], 5)),
        (["*"], Format.PDD, TypeError, r"^games\[0\] must be Game or RecordError, not str"),
    ],
)
def test_games_that_cannot_be_written_leave_everything_as_it_was(
    games: Any, form: Format, error: type[Exception], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "games.json"
    path.write_text("precious")
    with pytest.raises(error, match=message):
        write(games, path, form)
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_only_files_are_replaced(tmp_path: Path) -> None:
    queue = tmp_path / "queue"
    link = tmp_path / "link"
    target = tmp_path / "target"
    os.mkfifo(queue)
    for path in (queue, tmp_path):
        with pytest.raises(FileExistsError, match="Not a file that could be replaced"):
            write(GAMES, path, Format.PDD)
    target.write_text("old")
    link.symlink_to(target)
    write(GAMES, link, Format.PDD)
    assert link.is_symlink()
    assert target.read_bytes() == page(Format.PDD)
    write([], target, Format.PDD)
    assert target.read_bytes() == b""


def test_reports_are_a_list_or_a_line_each(tmp_path: Path) -> None:
    array = tmp_path / "games.json"
    lines = tmp_path / "games.JSONL"
    write(GAMES, array, Format.ABSTRACT_PLAY)
    write(GAMES, lines, Format.ABSTRACT_PLAY)
    assert array.read_text("utf-8").startswith("[\n{\n")
    assert len(lines.read_text("utf-8").splitlines()) == len(GAMES)
    assert list(read(array)) == list(read(lines)) == GAMES
    write(GAMES[:1], tmp_path / "one.json", Format.JSON)
    assert list(read(tmp_path / "one.json")) == GAMES[:1]


def test_unsupported_parts_by_format() -> None:
    rich = pdd.Game.new(pdd.presets.ORIGINAL, {"First": "Ada"}).play("d4,g7").play("red")
    rich = rich.with_comment("so", (0,))
    for form in LOSSLESS:
        assert unsupported(rich, form) == ()
    red = "the choice of red with nothing after it"
    lost = ("comments", "the supply of tiles and bridges", "the tags", red)
    assert unsupported(rich, Format.MOVES) == lost
    # The list also names features that cannot be written at all.
    started = pdd.Game.new(start=pdd.GameState.initial().apply(pdd.parse_action("a1,b1")))
    assert unsupported(OTHER_BOARD, Format.MOVES) == ("the board of 3x4",)
    assert unsupported(started, Format.MOVES) == ("the start",)
    adjudicated = pdd.Game.new().end(pdd.Ending.ADJUDICATION, pdd.Seat.FIRST)
    assert unsupported(adjudicated, Format.MOVES) == ("how it ended",)
    with pytest.raises(pdd.PonteError, match="nothing is written as boardspace"):
        unsupported(rich, Format.BOARDSPACE)
    of_any: list[Any] = [partial(unsupported, format=form) for form in WRITTEN]
    for call in of_any:
        for wrong in (None, "d4,g7", rich.state):
            with wrong_type("game"):
                call(cast("pdd.Game", wrong))
