"""The files of each format in the hands of all other readers: none takes them for its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Ending, Seat
from pontedeldiavolo.records import (
    Format,
    abstract_play,
    boardspace,
    detect,
    read,
    sgf,
    write,
)
from pontedeldiavolo.records import pdd as native
from support.oracle_row import MANY, ROW_TEXT
from support.samples import DATA, GAMES, SUFFIXES, WRITTEN, page

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"
ENDINGS: list[tuple[Ending, Seat | None]] = [
    (Ending.RESIGNATION, Seat.FIRST),
    (Ending.TIME, Seat.SECOND),
    (Ending.AGREEMENT, None),
    (Ending.ADJUDICATION, None),
]
ALIKE = {(Format.MOVES, Format.ABSTRACT_PLAY)}
"""Abstract Play's reader takes lists of moves as well as reports."""


AGREED = b'[Termination "agreement"]\n'


def made() -> list[pdd.Game]:
    """Return games that have something of everything, on all of Abstract Play's boards."""
    found = []
    for rules in map(pdd.presets.by_name, ("abstract-play", "abstract-play-8", "abstract-play-12")):
        for choice in ("red", "white"):
            for ending, winner in ENDINGS:
                game = pdd.Game.from_actions(rules, ["d4,g7", choice, "c3,c5", "e1,e3"])
                found.append(game.end(ending, winner))
    return found


def annotated(game: pdd.Game) -> pdd.Game:
    """Return a game with all that hangs on moves."""
    game = game.with_tags({"First": "Ada", "Event": "[x] (;y) {z}"}).with_glyphs([1], (0,))
    game = game.with_comment("size-8 d4,g7\n\n1. a1,b1 draw\n\nd4,g7\n\n", (2,)).with_comment(
        "(;FF[4])"
    )
    return game.with_variation((2,), ["a1,b1"], '{"header": 1}')


def as_list(game: pdd.Game, choice: str) -> bytes:
    """Return a list of moves that begins at once."""
    words = [pdd.format_action(each) for each in game.actions if "," in pdd.format_action(each)]
    return " ".join([*words[:1], choice, *words[1:], "resign\n\n"]).encode()


def samples() -> dict[str, tuple[Format, bytes]]:
    """Return files by name: the format of each, and its bytes."""
    found: dict[str, tuple[Format, bytes]] = {}
    found |= {f"{form.value}, made": (form, page(form)) for form in WRITTEN}
    for form in WRITTEN:
        found[f"{form.value}, of all kinds"] = (form, page(form, made()))
        if form in (Format.PDD, Format.SGF, Format.JSON):
            games = [annotated(game) for game in made()]
            found[f"{form.value}, with all that hangs on moves"] = (form, page(form, games))
    folders: dict[str, dict[str, Format]] = {
        "sgf": {".sgf": Format.SGF},
        "boardspace": {".sgf": Format.BOARDSPACE},
        "abstract_play": {".json": Format.ABSTRACT_PLAY, ".txt": Format.MOVES},
    }
    for folder, formats in folders.items():
        for path in sorted((DATA / folder).iterdir()):
            told = {".pdd": Format.PDD, **formats}.get(path.suffix)
            if told is not None and path.name != "report.schema.json":
                found[f"{folder}/{path.name}"] = (told, path.read_bytes())
    for path in sorted(EXAMPLES.glob("*.pdd")):
        found[path.name] = (Format.PDD, path.read_bytes())
    for name in ("game", "record", "line", "cell"):
        found[f"{name}.json"] = (Format.JSON, (DATA / "json" / f"{name}.json").read_bytes())
    found["a record in rows"] = (Format.PDD, ROW_TEXT.encode())
    found["many records"] = (Format.PDD, MANY.encode())
    found["a comment between"] = (Format.PDD, AGREED + b"\n\n{c}\n\n1. a1,b1 red draw\n\n")
    found["tags and actions at once"] = (Format.PDD, AGREED + b"1. a1,b1\n\nred 2. c1,d1 draw\n")
    found["a list that begins at once"] = (Format.MOVES, as_list(made()[0], ""))
    return found


SAMPLES = samples()
every_sample = pytest.mark.parametrize("name", SAMPLES)
OTHERS: dict[Format, ModuleType] = {
    Format.PDD: native,
    Format.SGF: sgf,
    Format.BOARDSPACE: boardspace,
    Format.ABSTRACT_PLAY: abstract_play,
}


@every_sample
@pytest.mark.parametrize("other", Format)
def test_a_foreign_file_is_never_read_as_games(name: str, other: Format) -> None:
    form, octets = SAMPLES[name]
    results = list(read(octets, format=other))
    games = [each for each in results if isinstance(each, pdd.Game)]
    if other is form or (form, other) in ALIKE:
        assert games or name in ("line.json", "cell.json", "record.json")
        return
    assert games == []
    if other in OTHERS:
        assert list(OTHERS[other].iter_games(octets, on_error="skip")) == []
        for source in (octets, octets.decode()):
            with pytest.raises(pdd.RecordError):
                OTHERS[other].loads(source)


@every_sample
def test_its_format_is_told(name: str) -> None:
    form, octets = SAMPLES[name]
    text = octets.decode()
    begins_at_once = form is Format.MOVES and text[:5] != "size-"
    sources: list[Any] = [octets, text, text.splitlines(), b"\xef\xbb\xbf" + octets]
    sources += [text.encode("utf-16"), text.encode("utf-32"), octets.replace(b"\n", b"\r\n")]
    for source in sources:
        assert detect(source) is (None if begins_at_once else form)


@pytest.mark.parametrize("suffix", sorted({*SUFFIXES.values(), ".json", ".txt"}))
@pytest.mark.parametrize("form", WRITTEN)
def test_a_suffix_that_lies_gives_no_games(form: Format, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"games{suffix}"
    path.write_bytes(page(form))
    games = [each for each in read(path) if isinstance(each, pdd.Game)]
    told = detect(path)
    assert games == (GAMES if told is form else [])
    # Records may lie in a .txt file as well.
    assert told is form or suffix != ".txt" or form is not Format.PDD


NOTHING: dict[str, Callable[[], Any]] = {
    "a game of chess": lambda: '[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n',
    "a game of Go": lambda: "(;GM[1]FF[4]SZ[19];B[aa];W[bb])",
    "a game of another site": lambda: "(;GM[Hive]P0[id x];P0[0 Start P0])",
    "JSON": lambda: '{"a": [1, 2, {"b": "c"}]}',
    "a list of JSON": lambda: "[1, 2]",
    "HTML": lambda: "<!DOCTYPE html>\n<html><body>(see [1]; {x})</body></html>",
    "CSV": lambda: "a,b,c\nd4,g7,red\n",
    "words": lambda: "Dear Bo,\n\nd4 was a mistake (really).\n",
    "octets": lambda: bytes(range(128)) * 8,
    "a picture": lambda: b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "an archive": lambda: b"PK\x03\x04\x14\x00\x00\x00\x08\x00",
}


@pytest.mark.parametrize("name", NOTHING)
@pytest.mark.parametrize("form", Format)
def test_what_is_no_game_is_none(name: str, form: Format) -> None:
    source = NOTHING[name]()
    try:
        results = list(read(source, format=form))
    except UnicodeDecodeError:
        assert isinstance(source, bytes)
        assert not source.isascii()
        return
    assert [each for each in results if isinstance(each, pdd.Game)] == []


def test_what_stands_below_tags_is_said_to_be_no_list() -> None:
    text = 'd4,g7\n\n[Event "x"]\n\n1. d4,g7 draw\n\n[Site "y"]\n\n\n2. c3,c5\n'
    game, *errors = read(text, format=Format.MOVES)
    assert isinstance(game, pdd.Game)
    found = [(each.number, each.line) for each in errors if isinstance(each, pdd.RecordError)]
    assert found == [(2, 3), (3, 5), (4, 7), (5, 10)]
    assert [str(each).partition("expected ")[2] for each in errors][1::2] == [
        "a list of moves, not a part of something else"
    ] * 2
    long = f'[Event "x"]\n\n{"a1,b1 " * 10}\n\nd4,g7\n'
    results = list(read(long, format=Format.MOVES, limits=pdd.Limits(characters=30)))
    assert [type(each) for each in results] == [pdd.RecordError] * 3
    assert "at most 30 characters" in str(results[1])


def test_what_is_written_is_read_by_its_own_reader_alone(tmp_path: Path) -> None:
    for form in WRITTEN:
        path = tmp_path / f"games{SUFFIXES[form]}"
        write(made(), path, form)
        assert len([each for each in read(path) if isinstance(each, pdd.Game)]) == len(made())
