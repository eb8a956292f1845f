"""Boards and games as expressions of Python, for failed tests and interactive sessions."""

from __future__ import annotations

from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.setups import format_setup
from pontedeldiavolo.notation.states import format_state
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.state.state import GameState, HalfTurn

from .native_writer import dumps


def expression_of(value: GameState | HalfTurn | Position | Setup | Game) -> str:
    """Return an expression that recreates a board or a game, where ``pdd`` is the package."""
    match value:
        case GameState():
            return f"pdd.parse_state({format_state(value)!r})"
        case HalfTurn():
            return f"pdd.parse_node({format_state(value)!r})"
        case Position():
            return f"{expression_of(value.setup())}.position()"
        case Setup():
            return f'pdd.parse_setup("""\n{format_setup(value)}\n""")'
        case Game():
            return f"pdd.records.loads({dumps(value)!r})"
