"""Sentences on the state of play and on the last action."""

from __future__ import annotations

from pontedeldiavolo.base.enums import Color, Phase, Seat
from pontedeldiavolo.base.messages import Catalog, filled, sentence, word
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.rules.actions import (
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    PlaceTile,
    PlaceTiles,
)
from pontedeldiavolo.state.state import HalfTurn, Node


def state_of_play(node: Node, catalog: Catalog) -> str:
    """Return the sentence on the player to move and the kind of turn."""
    player = node.seat_to_move
    color = node.to_move
    if player is None:
        return sentence(catalog, "state-over")
    if color is None:
        return sentence(catalog, "state-color-choice", player=player)
    if isinstance(node, HalfTurn):
        cell = str(node.placed_tile)
        return sentence(catalog, "state-second-tile", color=color, player=player, cell=cell)
    if node.phase is Phase.LAST_TURN:
        code = "state-last-turn"
    elif not node.legal_actions.first_tiles:
        code = "state-no-pair"
    else:
        code = "state-opening" if node.phase is Phase.OPENING else "state-play"
    return sentence(catalog, code, color=color, player=player)


def action_sentence(last: Action | PlaceTile, color: Color, catalog: Catalog) -> str:
    """Return the sentence on a colour's action; colours are chosen by the second player."""
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


def score_sentence(white: int, red: int, catalog: Catalog) -> str:
    """Return the sentence on the points of both colours."""
    return sentence(
        catalog,
        "page-score",
        white=white,
        red=red,
        white_word=word(Color.WHITE, catalog),
        red_word=word(Color.RED, catalog),
    )


def action_text(action: Action, catalog: Catalog) -> str:
    """Return the notation of an action; colours and passes are words of the language."""
    match action:
        case ChooseColor(color):
            return word(color, catalog)
        case Pass():
            return filled(catalog, "action-pass", {})
    return format_action(action)


def value_text(value: float, catalog: Catalog) -> str:
    """Return a value from -1 to 1 with its sign and two digits, as the language writes it."""
    rounded = round(value, 2)
    sign = "\N{MINUS SIGN}" if rounded < 0 else "+"
    return sign + f"{abs(rounded):.2f}".replace(".", filled(catalog, "decimal-mark", {}))
