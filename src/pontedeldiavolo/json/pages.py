"""Snapshots: all that a board in a browser needs for its table and for its next click.

They are written only, and have no values of the package in them, so they need no converter.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import NoneType
from typing import get_args

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.enums import ISLAND_SIZE, Color, Seat
from pontedeldiavolo.base.errors import reason
from pontedeldiavolo.base.messages import Catalog, result
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.game.sentences import state_of_play
from pontedeldiavolo.json.document import FORMAT, SNAPSHOT, VERSION
from pontedeldiavolo.json.error import JsonError
from pontedeldiavolo.json.plain import JSON, MAX_NUMBER
from pontedeldiavolo.json.sentences import last_done
from pontedeldiavolo.json.texts import TEXTS
from pontedeldiavolo.position.networks import find_networks, points_for
from pontedeldiavolo.rules.actions import Action, PlaceTile
from pontedeldiavolo.rules.rules import Outcome, Score
from pontedeldiavolo.state.state import HalfTurn, Node


def snapshot(
    node: Node, *, last: Action | PlaceTile | None = None, catalog: Catalog = ENGLISH
) -> dict[str, JSON]:
    """Return a document of what a state or a half turn looks like, and of what may be done in it.

    It is for showing: a board in a browser needs nothing else until the next turn, but no document
    of this kind is ever read. It works without cattrs.

    Args:
        node: The state, or the half turn.
        last: What was done last, if it is to be shown.
        catalog: The language of the sentences.

    Raises:
        TypeError: If something is not of its type.
        PonteError: If the board shows that *last* was never done, or *catalog* lacks a word or a
            sentence.
        JsonError: If a supply is above 2⁵³ - 1.
    """
    require_type(node, Node, "node")
    require_type(last, (*get_args(Action), PlaceTile, NoneType), "last")
    require_type(catalog, Mapping, "catalog")
    geometry, outcome = node._pieces.geometry, node.outcome
    value: dict[str, JSON] = {
        "board": {"width": geometry.width, "height": geometry.height},
        "phase": node.phase.value,
        "turn": node.turn,
        "seat_to_move": _word(node.seat_to_move),
        "to_move": _word(node.to_move),
        "white": _side(node, Color.WHITE),
        "red": _side(node, Color.RED),
        "blocked": _cells(geometry, node._pieces.blocked),
        "bridges_left": _supply(node.bridges_left, "value.bridges_left"),
        **_next_clicks(node),
        "last": None if last is None else TEXTS[type(last)].text(last),
        "outcome": None if outcome is None else _outcome(outcome),
        "sentences": _sentences(node, last, catalog),
    }
    return {"format": FORMAT, "version": VERSION, "kind": SNAPSHOT, "value": value}


def _sentences(node: Node, last: Action | PlaceTile | None, catalog: Catalog) -> dict[str, JSON]:
    outcome = node.outcome
    return {
        "state": state_of_play(node, catalog),
        "last": None if last is None else last_done(node, last, catalog),
        "result": None if outcome is None else result(outcome, catalog),
    }


def _next_clicks(node: Node) -> dict[str, JSON]:
    """Return what may be done, one click after the other."""
    geometry = node._pieces.geometry
    if isinstance(node, HalfTurn):
        return {
            "first": str(node.first),
            "targets": _cells(geometry, node.second_tiles.bits),
            "conflicts": {},
            "buildable": [],
            "others": [],
        }
    legal = node.legal_actions
    targets, conflicts = legal.first_tiles.bits, legal.pairs.conflicts
    names = _names(geometry.width, geometry.height)
    others: list[JSON] = [color.value for color in Color] if legal.others.choosing else []
    return {
        "first": None,
        "targets": _cells(geometry, targets),
        # Cells that are in no pair at all are no targets, so nobody asks about them.
        "conflicts": {
            names[cell]: _cells(geometry, conflicts[cell] & targets)
            for cell in sorted(conflicts)
            if targets >> cell & 1 and conflicts[cell] & targets
        },
        "buildable": _bridges(geometry, legal.others.bridge_mask),
        "others": ["pass"] if legal.others.passing else others,
    }


def _side(node: Node, color: Color) -> dict[str, JSON]:
    """Return all about a colour."""
    geometry, side = node._pieces.geometry, node._pieces.sides[color.index]
    return {
        "owner": _word(node.owner(color)),
        "tiles": _cells(geometry, side.tiles),
        "bridges": _bridges(geometry, side.bridges),
        "networks": [
            _network(geometry, members, span)
            for members, span in find_networks(geometry, side.tiles, side.bridges)
        ],
        "score": _score(node.score(color)),
        "tiles_left": _supply(node.tiles_left(color), f"value.{color.value}.tiles_left"),
    }


def _network(geometry: Geometry, members: list[int], span: int) -> dict[str, JSON]:
    """Return a network of :func:`find_networks`."""
    islands: list[JSON] = []
    sandbanks: list[JSON] = []
    for group in members:
        is_island = group.bit_count() == ISLAND_SIZE
        (islands if is_island else sandbanks).append(_cells(geometry, group))
    return {
        "islands": islands,
        "sandbanks": sandbanks,
        "bridges": _bridges(geometry, span),
        "points": points_for(len(islands)),
    }


def _outcome(outcome: Outcome) -> dict[str, JSON]:
    return {
        "winner": _word(outcome.winner),
        "winning_seat": _word(outcome.winning_seat),
        "decided_by": outcome.decided_by.value,
        "white": _score(outcome.white),
        "red": _score(outcome.red),
    }


def _score(score: Score) -> dict[str, JSON]:
    return {"points": score.points, "islands": score.islands, "bridges": score.bridges}


def _word(member: Color | Seat | None) -> str | None:
    return None if member is None else member.value


def _supply(left: int | None, path: str) -> int | None:
    if left is not None and left > MAX_NUMBER:
        raise JsonError(path, reason("json-number-to", highest=MAX_NUMBER))
    return left


@lru_cache(maxsize=8)
def _names(width: int, height: int) -> tuple[str, ...]:
    """Return the names of all cells of a board, where most of the time would go."""
    return tuple(str(Cell(column, row)) for row in range(height) for column in range(width))


def _cells(geometry: Geometry, mask: int) -> list[JSON]:
    names = _names(geometry.width, geometry.height)
    return [names[index] for index in bits(mask)]


def _bridges(geometry: Geometry, mask: int) -> list[JSON]:
    names = _names(geometry.width, geometry.height)
    ends = map(geometry.ends.__getitem__, bits(mask))
    return [f"{names[a]}-{names[b]}" for a, b in ends]
