"""What a snapshot says in sentences: what was done last."""

from __future__ import annotations

from pontedeldiavolo.base.enums import Color, Phase, Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.game.sentences import done
from pontedeldiavolo.json.texts import TEXTS
from pontedeldiavolo.rules.actions import (
    Action,
    BuildBridge,
    ChooseColor,
    PlaceTile,
    PlaceTiles,
)
from pontedeldiavolo.state.state import HalfTurn, Node


def last_done(node: Node, last: Action | PlaceTile, catalog: Catalog) -> str:
    """Return the sentence on what was done last.

    Raises:
        PonteError: If the node shows that it was not done.
    """
    color = _who_did(node, last)
    if color is None:
        text = TEXTS[type(last)].text(last)
        raise PonteError(f"this cannot have been done last: {text}")
    return done(last, color, catalog)


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
