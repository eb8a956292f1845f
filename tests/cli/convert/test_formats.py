"""The formats behind ``convert``: how they are told, and read piece by piece."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Ending, Game
from pontedeldiavolo.cli.arguments import MAX_CHARACTERS, Input, suffix_of
from pontedeldiavolo.records import Format, parsing, sgf
from pontedeldiavolo.records.formats import detect_format
from support.commands import ROUND_TRIPS, complaints, convert, invoke
from support.games import game_of
from support.trees import annotated_games

# What a format is


REPORT = '{"header": {"game": {"name": "Ponte del Diavolo"}}}'


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.pdd", "(;FF[4]", "pdd"),
        ("a.PDD", REPORT, "pdd"),
        ("a.json", "", "json"),
        ("a.json", '{"kind": "game"}', "json"),
        ("a.json", '{"value": 1}', "json"),
        ("a.json", REPORT, "abstract-play"),
        ("a.JSON", f" [\n  {REPORT}]", "abstract-play"),
        ("a.jsonl", '{ "moves" : []}', "abstract-play"),
        ("a.json", '[Event "x"]', "pdd"),
        ("a.txt", "d4,g7 c3,c5", "moves"),
        ("a.txt", "1. d4,g7 red 2. c3,c5", "pdd"),
        ("a.txt", '\n[Event "x"]\n', "pdd"),
        ("a.sgf", "some words (;GM[1]FF[4]", "sgf"),
        ("a.sgf", "(;FF[4]GM[PonteDelDiavolo]", "boardspace"),
        ("a.sgf", "mail\n(\n;\n GM[ pontedeldiavolo ]", "boardspace"),
        ("a.sgf", "(;C[(a)]GM[PonteDelDiavolo]", "sgf"),
        ("-", "", "pdd"),
        ("-", "1. a1,b1 a1,b1", "pdd"),
        ("-", "(;FF[4]", "sgf"),
        ("-", "(;GM[PonteDelDiavolo]", "boardspace"),
        ("-", REPORT, "abstract-play"),
        ("-", '{"format": "pontedeldiavolo"', "json"),
        ("-", "{a comment}", "pdd"),
        ("-", "size-8 pied d4,g7", "moves"),
        ("a.xyz", "Pie-Invoked d4,g7", "moves"),
        ("a.xyz", "\x00\x01", "pdd"),
    ],
)
def test_formats_are_recognised(name: str, content: str, expected: str) -> None:
    lines = Input(StringIO(content), None)
    found = detect_format(lines.start(), suffix_of(name)) or Format.PDD
    assert found.value == expected
    # And nothing is taken away by it.
    assert "".join(lines) == content


def test_looking_ahead_takes_nothing_away() -> None:
    text = "a\u2028b\x0bc\n" * 1000 + "the end"
    lines = Input(StringIO(text), None)
    assert lines.start() == text[:4096]
    assert list(lines) == list(StringIO(text))


# Files of any length


@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_all_formats_are_read_game_by_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    page = convert(
        "-", "--to", name, keys=pdd.records.dumps(game_of("d4,g7").end(Ending.AGREEMENT))
    )
    path = tmp_path / f"games{ROUND_TRIPS[name]}"
    # A list in one line has no line ends to go by.
    text = (
        f"[{','.join([page.replace(chr(10), ' ')] * 50)}]" if name == "abstract-play" else page * 50
    )
    path.write_text(text, encoding="utf-8")
    # Far more than one game may have, in a file that is fine all the same.
    monkeypatch.setattr("pontedeldiavolo.cli.arguments.MAX_CHARACTERS", len(page) + 150)
    monkeypatch.setattr("pontedeldiavolo.records.text_io.DETECTION_CHARACTERS", 100)
    monkeypatch.setattr("pontedeldiavolo.records.parsing.CHUNK_CHARACTERS", 100)
    assert invoke("validate", path).stdout.splitlines()[-1].startswith("50 good games, 0 bad")
    monkeypatch.setattr("pontedeldiavolo.cli.arguments.MAX_CHARACTERS", len(page) - 10)
    (message,) = complaints("convert", path, "--to", "pdd", status=2)
    assert message.startswith(f"Error: {path}:")
    assert message.endswith(" characters without an end of the record")


@pytest.mark.parametrize("suffix", [".pdd", ".json", ".sgf", ".txt"])
@pytest.mark.parametrize("begins", ["", '{"', "(;FF[4]C[", "{", "x"])
def test_files_without_end(tmp_path: Path, suffix: str, begins: str) -> None:
    path = tmp_path / f"huge{suffix}"
    with path.open("wb") as file:
        file.write(begins.encode())
        # Bytes that take no room on most disks, and are not read to the end.
        file.truncate(1 << 28)
    if (suffix, begins) == (".sgf", '{"'):
        # What begins like this has no trees, and nobody looks for one.
        done = invoke("validate", "-q", path)
        assert done.exit_code == 1
        assert done.output.splitlines()[0] == f"{path}:1:1: game 1: expected a game tree"
        return
    message = f"{path}:1: more than {MAX_CHARACTERS:,} characters without an end of the record"
    assert complaints("validate", "-q", path, status=2) == [f"Error: {message}"]


@settings(max_examples=10)
@given(st.lists(annotated_games(), min_size=1, max_size=3), st.sampled_from((1, 2, 7, 1 << 16)))
def test_pieces_do_not_depend_on_how_they_are_read(games: list[Game], longest: int) -> None:
    pages = {
        "sgf": (parsing.SGF, "\n".join(map(sgf.dumps, games))),
        "json": (parsing.JSON, f"[{','.join(map(pdd.json.dumps, games))}]"),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parsing, "CHUNK_CHARACTERS", longest)
        for brackets, page in pages.values():
            pieces = list(parsing.split_games(Input(StringIO(page), None), brackets))
            assert len(pieces) == len(games)
            for piece in pieces:
                assert piece.fault is None
                lines = page.split("\n")[piece.line - 1 :]
                assert "\n".join(lines)[piece.column - 1 :].startswith(piece.text)
        found = [
            sgf.loads(piece.text)
            for piece in parsing.split_games(Input(StringIO(pages["sgf"][1]), None), parsing.SGF)
        ]
    assert found == games
