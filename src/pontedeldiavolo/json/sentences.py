"""What a snapshot says in sentences: the state of play, and what was done last."""

from __future__ import annotations

from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.errors import PonteError
from pontedeldiavolo.json.texts import TEXTS
from pontedeldiavolo.messages import Catalog, sentence
from pontedeldiavolo.rules.actions import (
    Action,
    BuildBridge,
    ChooseColor,
    PlaceTile,
    PlaceTiles,
)
from pontedeldiavolo.state.state import HalfTurn, Node
from pontedeldiavolo.vocabulary import Color, Phase, Seat


def state_of_play(node: Node, catalog: Catalog) -> str:
    """Return the sentence on who is to do what."""
    player, color = node.seat_to_move, node.to_move
    if player is None:
        return sentence(catalog, "state-over")
    if color is None:
        return sentence(catalog, "state-color-choice", player=player)
    if isinstance(node, HalfTurn):
        cell = str(node.first)
        return sentence(catalog, "state-second-tile", color=color, player=player, cell=cell)
    if node.phase is Phase.LAST_TURN:
        code = "state-last-turn"
    elif not node.legal_actions.first_tiles:
        code = "state-no-pair"
    else:
        code = "state-opening" if node.phase is Phase.OPENING else "state-play"
    return sentence(catalog, code, color=color, player=player)


def last_done(node: Node, last: Action | PlaceTile, catalog: Catalog) -> str:
    """Return the sentence on what was done last.

    Raises:
        PonteError: If the node shows that it was not done.
    """
    color = _who_did(node, last)
    if color is None:
        text = TEXTS[type(last)].text(last)
        raise PonteError(f"this cannot have been done last: {text}")
    match last:
        case PlaceTiles(a, b):
            return sentence(catalog, "last-tiles", color=color, a=str(a), b=str(b))
        case PlaceTile(cell):
            return sentence(catalog, "last-tile", color=color, cell=str(cell))
        case BuildBridge(a, b):
            return sentence(catalog, "last-bridge", color=color, a=str(a), b=str(b))
        case ChooseColor(chosen):
            return sentence(catalog, "last-choice", player=Seat.SECOND, color=chosen)
    return sentence(catalog, "last-pass", color=color)


def _who_did(node: Node, last: Action | PlaceTile) -> Color | None:
    """Return whose action it was, ``None`` if it cannot have been."""
    match last:
        case PlaceTiles(a, b):
            return (
                _color_at(node, a) if a != b and _color_at(node, a) is _color_at(node, b) else None
            )
        case PlaceTile(cell):
            if isinstance(node, HalfTurn) and cell == node.first:
                return node.to_move
            return _color_at(node, cell)
        case BuildBridge(a, b):
            geometry = node._pieces.geometry
            number = geometry.bridge_number(geometry.index(a), geometry.index(b))
            stands = number >= 0 and node._pieces.bridges >> number & 1
            return _color_at(node, a) if stands else None
        case ChooseColor(color):
            return color if node.owner(color) is Seat.SECOND else None
    return _who_passed(node)


def _who_passed(node: Node) -> Color | None:
    """Return who passed last: white before red's last turn, or where it had no room to open."""
    if node.phase is Phase.OVER:
        return Color.RED
    opened = node.phase is Phase.COLOR_CHOICE and not node._pieces.occupied
    return Color.WHITE if opened or node.phase is Phase.LAST_TURN else None


def _color_at(node: Node, cell: Cell) -> Color | None:
    """Return the colour of the tile on a cell, ``None`` without one and off the board."""
    index = node._pieces.geometry.index(cell)
    if index < 0:
        return None
    return next((c for c in Color if node._pieces.sides[c.index].tiles >> index & 1), None)
