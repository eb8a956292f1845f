"""Detecting formats, and what is special to some of them when any is read."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.records import Format, abstract_play, detect, read, sgf, write
from pontedeldiavolo.records.text_io import DETECTION_CHARACTERS
from support.samples import BAD, BOARDSPACE, GAMES, SUFFIXES, WRITTEN, page
from support.sources import Bare, Pipe


def test_a_file_that_moves_to_disk() -> None:
    for size in (1, 1 << 20):
        with tempfile.SpooledTemporaryFile(max_size=size) as file:
            write(GAMES, cast("Any", file), Format.SGF)
            file.seek(0)
            assert detect(cast("Any", file)) is Format.SGF
            assert list(read(cast("Any", file))) == GAMES


@pytest.mark.parametrize("form", WRITTEN)
def test_a_path_is_read_and_its_file_closed(form: Format, tmp_path: Path) -> None:
    path = tmp_path / f"games{SUFFIXES[form]}"
    write(GAMES, path, form)
    assert path.read_bytes() == page(form)
    assert detect(path) is form
    assert list(read(path)) == GAMES
    # A stream that nobody follows to its end leaves no open file: that would be a warning.
    assert next(iter(read(path))) == GAMES[0]


@pytest.mark.parametrize("form", Format)
def test_detecting_takes_nothing_away(form: Format) -> None:
    octets = BOARDSPACE if form is Format.BOARDSPACE else page(form)
    text = octets.decode()
    assert detect(octets) is form
    assert detect(text) is form
    assert detect(text.splitlines()) is form
    for file in (io.BytesIO(b"before" + octets), io.StringIO("before" + text)):
        file.seek(6)
        assert detect(file) is form
        assert file.tell() == 6
        assert file.read() in (octets, text)


def test_only_the_beginning_is_looked_at() -> None:
    assert detect(" " * (DETECTION_CHARACTERS - 2) + "(;FF[4])") is Format.SGF
    assert detect(" " * (DETECTION_CHARACTERS - 1) + "(;FF[4])") is None
    assert detect([" " * (DETECTION_CHARACTERS - 1) + "(;FF[4])"]) is None
    sources: tuple[Any, ...] = (b"", "", [], b"\x00\xff", "words")
    for nothing in sources:
        assert detect(nothing) is None


def test_a_failure_while_detecting_is_put_back_as_well() -> None:
    class Torn(io.BytesIO):
        def read1(self, _size: int | None = -1, /) -> bytes:
            super().read(3)
            raise OSError("torn")

    file = Torn(b"(;FF[4])")
    with pytest.raises(OSError, match="torn"):
        detect(file)
    assert file.tell() == 0


def test_what_cannot_be_put_back_is_refused() -> None:
    for pipe in (Pipe(b"(;FF[4])"), io.BufferedReader(Pipe(b"(;FF[4])"))):
        with pytest.raises(pdd.PonteError, match="a file that cannot seek"):
            detect(cast("Any", pipe))
        assert pipe.read() == b"(;FF[4])"
    lines = iter(["(;FF[4])"])
    with pytest.raises(pdd.PonteError, match="an iterator cannot be put back"):
        detect(lines)
    assert next(lines) == "(;FF[4])"
    with pytest.raises(pdd.PonteError, match="cannot seek"):
        detect(cast("Any", Bare(b"(;FF[4])")))


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.PDD", "(;FF[4]", Format.PDD),
        ("a.json", "", Format.JSON),
        ("a.json", '{"moves": []}', Format.ABSTRACT_PLAY),
        ("a.txt", "d4,g7", Format.MOVES),
        ("a.txt", '[Event "x"]', Format.PDD),
        ("a.sgf", "(;GM[PonteDelDiavolo]", Format.BOARDSPACE),
        ("a.xyz", "(;FF[4]", Format.SGF),
        ("a.xyz", "d4,g7", None),
        ("a", "", None),
    ],
)
def test_a_suffix_counts_first(
    tmp_path: Path, name: str, content: str, expected: Format | None
) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert detect(path) is expected
    with os.scandir(tmp_path) as entries:
        assert [detect(entry) for entry in entries] == [expected]


def test_what_cannot_be_told_is_read_as_a_record() -> None:
    (error,) = read("what is this")
    assert isinstance(error, pdd.RecordError)
    assert (error.line, error.column, error.number) == (1, 1, 1)
    for nothing in ("", b"\n\n", [], ["\n"]):
        assert list(read(nothing)) == []


def test_the_rest_of_a_line_that_is_too_long_begins_no_record() -> None:
    # Behind the first million characters there is something that looks like another record.
    text = "1. a1,b1 ;" + " " * 999_991 + '[Event "no"]\n\n[Event "yes"]\n1. a1,b1 *\n'
    bad, good = read(text.encode(), format=Format.PDD)
    assert isinstance(bad, pdd.RecordError)
    assert isinstance(good, pdd.Game)
    assert good.tags == {"Event": "yes"}


@pytest.mark.parametrize(
    "text",
    [
        "1. a1,b1 red 2.\n",
        "1. a1,b1 red 2.\n\n",
        "1. a1,b1 red 2.",
        '1. a1,b1 red 2.\n[Event "x"]\n*\n',
        '1. a1,b1 {x\n\n[Event "x"]\n*',
    ],
)
@pytest.mark.parametrize("characters", [None, *range(14, 18)])
def test_a_record_that_breaks_off_does_so_in_the_same_place_without_line_ends(
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
    one, two = read(["d4,g7", "red c3,c5", "e2,e9", "", "a1,b1"], format=Format.MOVES)
    assert isinstance(one, pdd.Game)
    assert isinstance(two, pdd.Game)
    assert (len(one.actions), len(two.actions)) == (4, 1)
    (bad,) = read(["", "d4,g7", "red", "c3,c3"], format=Format.MOVES)
    assert isinstance(bad, pdd.RecordError)
    assert (bad.line, bad.column) == (4, 1)


def test_empty_lines_in_front_count_for_nothing() -> None:
    for form in BAD:
        text = f"\n \n\n{page(form).decode()}"
        assert list(read(text)) == list(read(text.splitlines())) == GAMES


def test_a_list_that_is_cut_off_is_said() -> None:
    for form in (Format.JSON, Format.ABSTRACT_PLAY):
        text = page(form, GAMES[:1]).decode()
        good, error = read(f"[{text},", format=form)
        assert good == GAMES[0]
        assert isinstance(error, pdd.RecordError)
        assert (error.expected, error.number) == ("as many ']' as '['", 2)


def test_errors_say_where_a_document_is_wrong() -> None:
    text = page(Format.JSON, GAMES[:1]).decode()
    _, bad, path = read(f'{text}{{"format":\n  oops}} {text.replace("d4,g7", "d4,d4")}')
    assert isinstance(bad, pdd.RecordError)
    assert (bad.line, bad.column, bad.expected) == (3, 3, "JSON (Expecting value)")
    assert isinstance(path, pdd.RecordError)
    assert (path.line, path.column, path.number) == (3, 9, 3)
    assert path.expected.endswith(" (value.line.moves[0].action)")


def test_trees_may_be_in_latin_1() -> None:
    text = "(;FF[4]PW[Zoë]\nPC[Köln])"
    for form in (None, Format.SGF):
        for octets in (text.encode(), text.encode("latin-1")):
            (found,) = read(octets, format=form)
            assert isinstance(found, pdd.Game)
            assert found.tags == {"Site": "Köln", "First": "Zoë"}
    # Line by line: another program may have added the second one.
    mixed = "(;FF[4]PW[Zoë]\n".encode() + "PC[Köln])".encode("latin-1")
    (found,) = read(mixed)
    assert isinstance(found, pdd.Game)
    assert found.tags == {"Site": "Köln", "First": "Zoë"}


def test_text_is_taken_as_it_is() -> None:
    # A lone surrogate is no fault of an encoding, and nothing that a record can have.
    for form in (Format.PDD, Format.SGF):
        (found,) = read(
            '[First "\udcff"]\n*' if form is Format.PDD else "(;PW[\udcff])", format=form
        )
        assert isinstance(found, pdd.RecordError) or found.tags == {"First": " "}


def test_what_is_public_and_when_it_is_loaded() -> None:
    program = (
        "import sys, pontedeldiavolo as pdd\n"
        "loaded = lambda: [each for each in sys.modules if each.startswith('pontedeldiavolo.')]\n"
        "assert not [each for each in loaded() if '.records' in each]\n"
        "assert dir(pdd.records) == pdd.records.__all__ == sorted(pdd.records.__all__)\n"
        "assert not [each for each in loaded() if '.sgf' in each or 'records.formats' in each]\n"
        "assert pdd.records.sgf.loads('(;)') == pdd.Game.new()\n"
        "assert not [each for each in loaded() if '.boardspace' in each or '.json' in each]\n"
        "assert pdd.records.Format('abstract-play') is pdd.records.Format.ABSTRACT_PLAY\n"
        "assert all(hasattr(pdd.records, each) for each in dir(pdd.records))\n"
        "assert dir(pdd.records) == pdd.records.__all__\n"
        "try: pdd.records.formats_\n"
        "except AttributeError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "PYTHONPATH": str(Path(pdd.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    expected = "module 'pontedeldiavolo.records' has no attribute 'formats_'\n"
    assert (done.stdout, done.stderr) == (expected, "")


def test_all_public_names_are_there() -> None:
    for name in pdd.records.__all__:
        assert getattr(pdd.records, name) is not None
    namespace: dict[str, object] = {}
    exec("from pontedeldiavolo.records import *", namespace)  # noqa: S102 - what users may do
    assert {*pdd.records.__all__} <= namespace.keys()


def test_what_is_no_tree_is_passed_over() -> None:
    good = sgf.dumps(GAMES[0])
    old = "(\n;\nPD[a1,b1])"
    for text in (
        f"Dear Bo :( how are you?\n{good}(see\nbelow) {good}",
        f"((({good}{good}",
        f"a (b (c\n{good}) {good}",
    ):
        assert list(sgf.iter_games(io.StringIO(text))) == [GAMES[0]] * 2
    (found,) = sgf.iter_games(io.StringIO(f"a :( b\n{old}"))
    assert found.actions == (pdd.parse_action("a1,b1"),)


def test_several_games_in_a_broken_piece_are_numbered_through() -> None:
    text = "(;FF[4];PD[a1,b1]\n" * 2 + sgf.dumps(GAMES[0])
    results = list(sgf.iter_results(io.StringIO(f"(;FF[4](;FF[4];PD[a1] {text}")))
    assert [each.number for each in results if isinstance(each, pdd.RecordError)] == [1, 2, 3, 4]
    assert results[-1] == GAMES[0]


def test_reports_and_lists_are_told_by_the_first_line_that_is_not_empty() -> None:
    report = abstract_play.dumps(GAMES[0])
    for text in (f"\n\n \n{report}", f" [\n{report},\n{report}]"):
        assert {*abstract_play.iter_games(io.StringIO(text))} == {GAMES[0]}
    (game,) = abstract_play.iter_games(io.StringIO("\n\n \nd4,g7\nc3,c5 \n\t\n"))
    assert game.actions[-1] == pdd.parse_action("c3,c5")
    one, two = abstract_play.iter_games(["d4,g7", "c3,c5", "", "", "e2,e9"])
    assert (len(one.actions), len(two.actions)) == (3, 1)
    # Where nothing but empty lines comes, it is looked for no longer than a game may be.
    assert list(abstract_play.iter_results([" " * 999 + "\n"] * 1_100)) == []
