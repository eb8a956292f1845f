"""The types of games and of what reads and writes text, as type checkers see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_type

import pontedeldiavolo as pdd

PATH = tuple[int, ...]

# Text

cell = pdd.parse_cell("c4")
assert_type(cell, pdd.Cell)
assert_type(pdd.format_cell(cell), str)
assert_type(pdd.parse_action("a1,b2"), pdd.Action)
assert_type(pdd.format_action(pdd.Pass()), str)
assert_type(pdd.parse_rules("boardspace"), pdd.Rules)
assert_type(pdd.format_rules(pdd.Rules()), str)
state = pdd.parse_state(pdd.format_state(pdd.GameState.initial()))
assert_type(state, pdd.GameState)
assert_type(pdd.format_state(state), str)
setup = pdd.parse_setup("w . r")
assert_type(setup, pdd.Setup)
assert_type(pdd.format_setup(setup), str)

# Limits

limits = pdd.Limits(26, characters=None, games=5)
assert_type(limits, pdd.Limits)
assert_type(pdd.Limits.NONE, pdd.Limits)
assert_type(limits.side, int | None)
assert_type(limits.characters, int | None)
assert_type(limits.games, int | None)
assert_type(limits.errors, int | None)
assert_type(limits.depth, int | None)

# Games

game = pdd.Game.new(pdd.Rules(), {"Event": "A test"}, start=None)
assert_type(pdd.Game.new(), pdd.Game)
assert_type(game, pdd.Game)
game = game.play("d4,g7").play(pdd.ChooseColor(pdd.Color.RED), path=[])
opening: list[pdd.Action | str] = ["d4,g7", pdd.ChooseColor(pdd.Color.RED)]
assert_type(pdd.Game.from_actions(None, opening, tags={}, start=state), pdd.Game)
assert_type(pdd.Game.from_actions(pdd.Rules(), ["d4,g7"]), pdd.Game)
assert_type(game.play("a1,b1"), pdd.Game)
assert_type(game.play("a1,b1", clock=598, elapsed=4.1), pdd.Game)
assert_type(game.rules, pdd.Rules)
assert_type(game.start, pdd.GameState)
assert_type(game.state, pdd.GameState)
assert_type(game.tags["Event"], str)
tags: Mapping[str, str] = game.tags
assert_type(game.line, pdd.Line)
assert_type(game.actions, tuple[pdd.Action, ...])
assert_type(game.turns, tuple[pdd.Turn, ...])
assert_type(game.result, str)
assert_type(game.ending, pdd.Ending | None)
assert_type(game.winning_seat, pdd.Seat | None)
assert_type(game.states(), Iterator[pdd.GameState])
assert_type(game.walk(), Iterator[tuple[PATH, pdd.Move]])
assert_type(game.line_at(()), pdd.Line)
assert_type(game.move_at([0]), pdd.Move)
assert_type(game.state_at((0,)), pdd.GameState)
assert_type(game.state_before((0,)), pdd.GameState)
assert_type(game.with_tags({"Site": "Here"}), pdd.Game)
assert_type(game.with_comment("well done"), pdd.Game)
assert_type(game.with_glyphs([1], (0,)), pdd.Game)
assert_type(game.with_annotations({"clk": "0:09:58"}, path=[0]), pdd.Game)
varied = game.with_variation((0,), ["a1,b1", pdd.ChooseColor(pdd.Color.WHITE)], "or so")
assert_type(varied, pdd.Game)
assert_type(varied.promote((0, 0)), pdd.Game)
assert_type(varied.without((0, 0)), pdd.Game)
assert_type(game.take_back(), pdd.Game)
assert_type(game.undo(1), pdd.Game)
assert_type(game.end(pdd.Ending.TIME, winner=pdd.Seat.FIRST), pdd.Game)
assert_type(game.end(pdd.Ending.AGREEMENT), pdd.Game)
assert_type(game.resign(pdd.Seat.FIRST), pdd.Game)
assert_type(game.flag(pdd.Seat.SECOND), pdd.Game)

turn = game.turns[0]
assert_type(turn.number, int)
assert_type(turn.seat, pdd.Seat)
assert_type(turn.color, pdd.Color | None)
assert_type(turn.action, pdd.Action)

move = varied.move_at((0,))
assert_type(move.action, pdd.Action)
assert_type(move.glyphs, tuple[int, ...])
assert_type(move.comment, str)
assert_type(move.variations, tuple[pdd.Line, ...])
assert_type(move.annotations.get("clk"), str | None)
assert_type(move.clock, float | None)
assert_type(move.elapsed, float | None)
assert_type(move.depth, int)
line = pdd.Line([pdd.Move(pdd.Pass(), glyphs=[1], comment="so", variations=[game.line])], "before")
assert_type(line.moves, tuple[pdd.Move, ...])
assert_type(line.comment, str)
assert_type(line.depth, int)
assert_type(line.actions, tuple[pdd.Action, ...])
assert_type(line.walk(), Iterator[tuple[PATH, pdd.Move]])
assert_type(line.at((0, 0)), pdd.Line | pdd.Move)
assert_type(line.replaced((0,), move), pdd.Line)


def scenes_are_all_that_shows_a_board(
    state: pdd.GameState, half: pdd.HalfTurn, position: pdd.Position, setup: pdd.Setup
) -> list[pdd.Drawable]:
    return [state, half, position, setup, game]
