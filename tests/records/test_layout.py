"""Records of games: how they are written, and how people may lay them out."""

from __future__ import annotations

from random import Random

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Game, Rules, records
from support.checks import wrong_type
from support.oracle_row import ACTIONS, ROW_TAGS, ROW_TEXT, RULES_TAG, row_game


def test_a_game_is_written_in_a_fixed_layout() -> None:
    game = row_game(**ROW_TAGS)
    assert records.dumps(game) == ROW_TEXT
    assert records.loads(ROW_TEXT) == game
    assert list(records.loads(ROW_TEXT).tags) == [
        "Event",
        "Date",
        "First",
        "Second",
        "Annotator",
        "Zebra",
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"{RULES_TAG}\n{ACTIONS}",
        f"\n\n \n{RULES_TAG}\n\n\n{ACTIONS}\n\n \n",
        f"\ufeff{RULES_TAG}\n{ACTIONS}",
        f"{RULES_TAG}\r\n\r\n{ACTIONS.replace(' ', chr(13) + chr(10))}\r\n",
        f"{RULES_TAG} {ACTIONS} draw",
        f"{RULES_TAG}{ACTIONS} draw",
        f'{RULES_TAG}[Result "draw"]\n{ACTIONS}',
        f'[Result "draw"]\n{RULES_TAG}\n[Termination "scored"]\n{ACTIONS} draw',
        f"{RULES_TAG}\n{ACTIONS.upper()} DRAW",
        f"  [  Rules\t{RULES_TAG[7:-1]}  ]\n\t{ACTIONS}",
        f"{RULES_TAG}\n1. a1,c1 1. white 2. e1,g1 a1-c1 4.e1-g1 5 . pass 6. pass".replace(
            " .", "."
        ),
        f"{RULES_TAG}\n1.a1,c1\n1...white\n2.\ne1,g1\n3. c1-a1 4.. g1 - e1\n\npass\n\npass\n",
        f"{RULES_TAG}\n1. c1 , a1 white 2. g1,\ne1 {ACTIONS[18:]}",
    ],
)
def test_games_in_a_lenient_layout(text: str) -> None:
    assert records.loads(text) == row_game()


def test_rules_by_name_and_by_default() -> None:
    assert records.loads("*") == Game.new()
    assert records.loads('[Rules "brettspielnetz"]\n*').rules == pdd.presets.BRETTSPIELNETZ
    assert records.loads('[Rules " Wikipedia "]').rules == pdd.presets.WIKIPEDIA


def test_tags_that_nobody_knows_are_kept() -> None:
    text = '[x "1"]\n[Event ""]\n[result "no"]\n[B_2 "]"]\n[A "\\\\\\""]\n*'
    game = records.loads(text)
    assert dict(game.tags) == {"x": "1", "Event": "", "result": "no", "B_2": "]", "A": '\\"'}
    assert records.dumps(game) == (
        '[Event ""]\n'
        '[Rules "10x10 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"]\n'
        '[Result "*"]\n'
        '[A "\\\\\\""]\n'
        '[B_2 "]"]\n'
        '[result "no"]\n'
        '[x "1"]\n'
        "\n*\n"
    )


def test_lines_of_actions_are_short() -> None:
    rng = Random(3)
    game = Game.new()
    while game.ending is None:
        game = game.play(game.state.legal_actions.sample(rng))
    text = records.dumps(game)
    lines = text.split("\n\n", 1)[1].splitlines()
    assert len(lines) > 4
    assert max(map(len, lines)) < 80
    assert min(map(len, lines[:-1])) > 60
    assert records.loads(text) == game


def test_wide_boards_are_written_likewise() -> None:
    rng = Random(1)
    game = Game.new(Rules(Board(64, 64)))
    for _ in range(30):
        game = game.play(game.state.legal_actions.sample(rng))
    text = records.dumps(game)
    assert max(map(len, text.splitlines())) < 80
    assert records.loads(text) == game


# Tags


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
