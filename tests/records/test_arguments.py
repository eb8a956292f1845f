"""What the functions for records do not take."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Game, records
from support.checks import wrong_type
from support.row_game import ROW_TEXT

# Wrong types


def everything(file: Iterable[str]) -> list[object]:
    """Read all records of a file."""
    return list(records.iter_records(file))


@pytest.mark.parametrize("text", [None, 1, b"a1,b1", ["a1,b1"], StringIO("*")])
def test_loads_takes_a_string(text: object) -> None:
    with wrong_type("text"):
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
    said = "^a line of the file must be str" if isinstance(file, list) else "object is not iterable"
    if isinstance(file, bytes):
        said = "^a text file is needed, not bytes"
    with pytest.raises(TypeError, match=said):
        read(file)


def test_binary_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.pdd"
    path.write_text(ROW_TEXT, encoding="utf-8")
    said = "^a text file is needed, not bytes"
    with path.open("rb") as file, pytest.raises(TypeError, match=said):
        records.load(file)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", [None, "1. a1,b1", pdd.GameState.initial()])
def test_only_games_are_written(game: object) -> None:
    with wrong_type("game"):
        records.dumps(game)  # type: ignore[arg-type]
    with wrong_type("game"):
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
    name = "tags"
    if isinstance(tags, dict):
        name = "the tag Event" if "Event" in tags else "a tag's name"
    with wrong_type(name):
        Game.new(tags=tags)  # type: ignore[arg-type]


def test_every_printable_value_survives() -> None:
    tags = {"A" * 255: "\u00e9\u0301\U0001f309 \ufeff\u200b\u00a0'%{}[];\\\"\\\\ \\n"}
    game = Game.new(tags=tags)
    assert records.loads(records.dumps(game)).tags == tags
