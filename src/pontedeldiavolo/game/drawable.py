"""The type of everything that can be drawn."""

from __future__ import annotations

from typing import TypeAlias

from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.state.state import GameState, HalfTurn

Drawable: TypeAlias = GameState | HalfTurn | Position | Setup | Game
"""Everything that shows a board, for the signatures of what draws one."""
