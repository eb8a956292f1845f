"""Every reader refuses the name of a file in place of text, and says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import records
from pontedeldiavolo.base.file_formats import FILE_FORMATS, is_file_name
from pontedeldiavolo.records import Format, boardspace
from pontedeldiavolo.records.formats import FORMATS
from support.checks import error_of
from support.samples import FILES, MODULES, WRITTEN, page

CODE = "text-not-path"
SENTENCE = (
    "the text itself, not the name of a file: read the file first, or pass a pathlib.Path to a"
    " function that reads files"
)
NAMES = [
    *("game.pdd", "game.sgf", "game.json", "games.jsonl", "moves.txt", "GAME.SGF", " game.sgf\n"),
    *("/home/ada/my games/game (2).sgf", "C:\\Games\\Ponte del Diavolo.PDD", "../Spiele/Köln.json"),
    *("1. a1,b1.txt", "(1).sgf", "-.pdd", "\udcff.sgf"),
]


def readers() -> Iterator[Callable[[str], object]]:
    """Yield all readers of texts of games, in each of their modes."""
    yield records.detect
    for on_error in ("raise", "skip", "yield"):
        for form in (None, *Format):
            yield partial(records.read, on_error=on_error, format=form)
        for module in (records, *{*MODULES.values()}):
            yield partial(module.iter_games, on_error=on_error)
        yield partial(records.iter_games, on_error=on_error, errors=[])
    for module in (records, *{*MODULES.values()}):
        yield module.loads
        yield module.load
    yield partial(records.loads, errors=[])
    yield records.iter_headers
    yield records.iter_records


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_file_is_no_game(name: str) -> None:
    for reader in readers():
        error = error_of(pdd.RecordError, reader, name)
        assert (error.code, error.expected, error.number) == (CODE, SENTENCE, 1)
    other = error_of(pdd.json.JsonError, pdd.json.loads, name)
    assert (other.code, other.expected) == (CODE, SENTENCE)


def test_the_error_is_told_in_german() -> None:
    error = error_of(pdd.RecordError, records.read, "game.sgf")
    assert "nicht der Name einer Datei" in pdd.messages.explain(error, "de")


def test_every_format_has_a_row_with_its_suffixes() -> None:
    assert list(FILE_FORMATS) == [each.value for each in FORMATS]
    assert {*FORMATS} == {*Format}
    for form, spec in FORMATS.items():
        assert spec.files is FILE_FORMATS[form.value]
        for suffix in spec.suffixes:
            assert is_file_name(f"game{suffix}")
            assert not is_file_name(f"game{suffix}x")
            assert not is_file_name(f"game{suffix[1:]}")


def test_games_are_no_names_of_files() -> None:
    game = "1. a1,b1 * ; see game.sgf"
    assert records.loads(game).actions == (pdd.parse_action("a1,b1"),)
    assert records.loads("1. a1,b1 {game.sgf} *").line.moves[0].comment == "game.sgf"
    assert records.detect("(;FF[4]C[game.sgf])") is Format.SGF
    for form in WRITTEN:
        assert not is_file_name(page(form).decode())
    for _, path in FILES:
        assert not is_file_name(path.read_text("utf-8", "replace"))


def test_other_sources_have_their_content(tmp_path: Path) -> None:
    """Only a string can be meant as a path."""
    assert error_of(pdd.RecordError, records.loads, b"game.sgf").code != CODE
    assert error_of(pdd.RecordError, records.load, ["game.sgf"]).code != CODE
    path = tmp_path / "game.sgf"
    path.write_text("(;FF[4];PD[a1,b1])", "utf-8")
    assert records.sgf.load(path).actions == (pdd.parse_action("a1,b1"),)
    assert records.detect(path) is Format.SGF
    with pytest.raises(FileNotFoundError):
        boardspace.load(tmp_path / "none.sgf")
