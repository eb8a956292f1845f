"""Annotations in records, in SGF and in documents."""

from __future__ import annotations

import json as standard
import re
from time import process_time

import pytest
from hypothesis import given

import pontedeldiavolo as pdd
from pontedeldiavolo import json, records
from pontedeldiavolo.records import Format, abstract_play, sgf
from support.documents import VALIDATOR
from support.strategies import SMALL_RULES, games

SMALL = pdd.Rules(pdd.Board(5, 5))
GAME = pdd.Game.from_actions(SMALL, ["a1,b2", "red", "c3,d4"])
HEAD = f'[Rules "{pdd.format_rules(SMALL)}"]\n\n'
TREE = f"(;RU[{pdd.format_rules(SMALL)}];PD[a1,b2];PD[red];PD[c3,d4]"


def noted(**annotations: str) -> pdd.Game:
    return GAME.with_annotations(annotations)


# Records


def test_annotations_stand_in_front_of_the_comment() -> None:
    game = GAME.play("a3,e5", clock=598, elapsed=4.1).with_comment("Why [%not]?\n} \\")
    text = records.dumps(game)
    assert text.split("\n")[-3:-1] == [
        "1. a1,b2 red 2. c3,d4 3. a3,e5 {[%clk 0:09:58] [%emt 0:00:04.1] Why",
        r"\[%not]?\n\} \\} *",
    ]
    assert records.loads(text) == game
    assert records.dumps(noted(b="", a=" x  } \\ ")).endswith("{[%a x  \\} \\\\] [%b]} *\n")


@pytest.mark.parametrize(
    ("text", "annotations", "comment"),
    [
        ("{[%clk 0:01:02]}", {"clk": "0:01:02"}, ""),
        ("{so [%clk 0:01:02] what}", {"clk": "0:01:02"}, "so what"),
        ("{so[%clk 0:01:02]what}", {"clk": "0:01:02"}, "sowhat"),
        ("{[%clk\n  0:01:02] so}", {"clk": "0:01:02"}, "so"),
        ("{[%clk\t0:01:02]}", {"clk": "0:01:02"}, ""),
        ("{[%clk   a b  ]}", {"clk": "a b"}, ""),
        ("{[%x][%y ]}", {"x": "", "y": ""}, ""),
        ("{[%a 1]} $1 {[%b 2] so}", {"a": "1", "b": "2"}, "so"),
        ("{[%a 1] one} {[%a 2] two}", {"a": "1"}, "one\n[%a 2] two"),
        (r"{[%a [%b \} \\ \[%c]}", {"a": r"[%b } \ [%c"}, ""),
        (r"{[%a 1\n2]}", {}, "[%a 1\n2]"),
        (r"{\[%a 1] \\[%b 2]}", {"b": "2"}, "[%a 1] \\"),
        *(
            (f"{{{each}}}", {}, each)
            for each in ("[%A 1]", "[%a1 1]", "[% a]", "[%]", "[%a-b]", "[%a")
        ),
        ("; [%a 1]\n", {}, "[%a 1]"),
        ("{one} * {[%a 1] two}", {"a": "1"}, "one\ntwo"),
        ("{[%a 1]} * {[%a 2]} {[%b 3]}", {"a": "1", "b": "3"}, "[%a 2]"),
    ],
)
def test_reading_annotations(text: str, annotations: dict[str, str], comment: str) -> None:
    game = records.loads(f"{HEAD}1. a1,b2 {text}")
    move = game.line.moves[-1]
    assert (dict(move.annotations), move.comment) == (annotations, comment)
    assert records.loads(records.dumps(game)) == game


def test_only_moves_are_annotated() -> None:
    game = records.loads(HEAD + r"{[%a 1] \[%b 2]} 1. a1,b2 ({[%c 3]} 1. a1,c1 {[%d 4]}) * ")
    assert game.line.comment == "[%a 1] [%b 2]"
    variation = game.line_at((0, 0))
    assert (variation.comment, dict(variation.moves[0].annotations)) == ("[%c 3]", {"d": "4"})
    assert records.loads(records.dumps(game)) == game
    assert records.loads(HEAD + "* {[%a 1]}").line.comment == "[%a 1]"


@pytest.mark.parametrize("piece", ["[%a ", "[%a", "[%a x\\", "\\[%", "[%a \\n]", "]"])
def test_the_time_of_a_long_comment_is_in_proportion(piece: str) -> None:
    text = f"{HEAD}1. a1,b2 {{{piece * (500_000 // len(piece))} }}"
    start = process_time()
    records.loads(text)
    assert process_time() - start < 20


# SGF


def test_clocks_have_the_standard_property_of_their_colour() -> None:
    game = pdd.Game.new(SMALL).play("a1,b2", clock=60.5)
    game = game.play("red", clock=50).play("c3,d4", clock=60, elapsed=4)
    game = game.with_variation((2,), ["c3,c4"]).play("a3,e5", path=(2, 0), clock=1)
    assert sgf.dumps(game).split("\n")[2:-1] == [
        *(";PD[a1,b2]WL[60.5]", ";PD[red]PDANNOTATIONS[clk:0\\:00\\:50]"),
        *("(;PD[c3,d4]BL[60]PDANNOTATIONS[emt:0\\:00\\:04])", "(;PD[c3,c4]", ";PD[a3,e5]WL[1]))"),
    ]
    assert sgf.loads(sgf.dumps(game)) == game


@given(games(SMALL_RULES))
def test_the_mover_of_every_action(game: pdd.Game) -> None:
    for place in range(len(game.actions)):
        game = game.with_annotations({"clk": "0:00:01"}, (place,))
    found = re.findall(r"([WB]L|PDANNOTATIONS)\[(?:1|clk:0\\:00\\:01)\]", sgf.dumps(game))
    names = {pdd.Color.WHITE: "WL", pdd.Color.RED: "BL", None: "PDANNOTATIONS"}
    assert found == [names[turn.color] for turn in game.turns]


@pytest.mark.parametrize("text", ["0:1:2", "?", "0:00:01.50", "0:00:01.0005", "900000:00:00", ""])
def test_a_clock_that_is_no_number_is_kept_as_it_is(text: str) -> None:
    assert "BL" not in sgf.dumps(noted(clk=text))
    assert sgf.loads(sgf.dumps(noted(clk=text))) == noted(clk=text)


@pytest.mark.parametrize(
    ("properties", "annotations"),
    [
        ("BL[59.25]", {"clk": "0:00:59.25"}),
        ("BL[ 0060 ]", {"clk": "0:01:00"}),
        *((each, {}) for each in ("WL[60]", "BL[-1]", "BL[soon]", "BL[9999999999]")),
        ("BL[60]PDANNOTATIONS[clk:?][x:]", {"clk": "?", "x": ""}),
        ("BL[60];PDANNOTATIONS[x:1]C[so]", {"clk": "0:01:00", "x": "1"}),
    ],
)
def test_clocks_of_other_programs(properties: str, annotations: dict[str, str]) -> None:
    assert sgf.loads(f"{TREE}{properties})").line.moves[-1].annotations == annotations


# Elsewhere


def test_annotations_in_a_document() -> None:
    game = noted(emt="?", clk="0:00:01")
    document = standard.loads(json.dumps(game))
    assert list(document["value"]["line"]["moves"][2]["annotations"]) == ["clk", "emt"]
    assert document["version"] == 1
    VALIDATOR.validate(document)
    assert json.from_json(document) == game
    moves = standard.loads(json.dumps(GAME))["value"]["line"]["moves"]
    assert moves == [{"action": "a1,b2"}, {"action": "red"}, {"action": "c3,d4"}]


def test_a_format_without_annotations_says_so() -> None:
    assert "annotations" in abstract_play.losses(noted(clk="0:00:01"))
    assert "annotations" not in abstract_play.losses(GAME)
    assert sgf.losses(noted(x="1")) == records.losses(noted(x="1"), Format.PDD) == ()
