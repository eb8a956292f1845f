"""Which actions lead from one state to a later one."""

from __future__ import annotations

from typing import cast

from pontedeldiavolo.rules.actions import Action, BuildBridge, ChooseColor, Pass, PlaceTiles
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.vocabulary import TILES_PER_TURN, Color, Phase, Seat


def actions_between(
    before: GameState, chosen: Action | None, after: GameState
) -> list[Action] | None:
    """Return what was played between two states: what was chosen, and one more action at most.

    ``None`` if nothing like that leads from one to the other.
    """
    known = [] if chosen is None else [chosen]
    state = before if chosen is None else before.apply_unchecked(chosen)
    if state == after:
        return known
    action = _guess(state, after)
    if action is None or not state.is_legal(action) or state.apply_unchecked(action) != after:
        return None
    return [*known, action]


def _guess(before: GameState, after: GameState) -> Action | None:
    """Return the only action that could, if any."""
    if before.rules != after.rules or before.is_over:
        return None
    if before.phase is Phase.COLOR_CHOICE:
        color = after.color_of(Seat.SECOND)
        return None if color is None else ChooseColor(color)
    color = cast(Color, before.to_move)
    old, new = before.position, after.position
    tiles = [*(new.tiles(color) - old.tiles(color))]
    bridges = {*new.bridges(color)} - {*old.bridges(color)}
    if len(tiles) == TILES_PER_TURN and not bridges:
        return PlaceTiles(*tiles)
    if len(bridges) == 1 and not tiles:
        return BuildBridge(*bridges.pop().ends)
    return None if tiles or bridges else Pass()
