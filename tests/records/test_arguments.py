"""What the functions for records do not take."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Game, records
from pontedeldiavolo.records.text_io import Source
from support.checks import wrong_type

# Wrong types


def everything(file: Source) -> list[object]:
    """Read all records of a file."""
    return list(records.iter_records(file))


@pytest.mark.parametrize(
    "text", [None, 1, bytearray(b"a1,b1"), ["a1,b1"], StringIO("*"), Path("game.pdd")]
)
def test_loads_takes_a_string_or_bytes(text: object) -> None:
    with wrong_type("text"):
        records.loads(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("file", [[b"a1,b1"], [None], ["*\n", 5], bytearray(b"*")])
@pytest.mark.parametrize("read", [records.load, everything])
def test_lines_are_text(read: Callable[[object], object], file: object) -> None:
    with pytest.raises(TypeError, match=r"^a line of the file must be str"):
        read(file)


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
