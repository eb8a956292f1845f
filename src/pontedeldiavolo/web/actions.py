"""The route that takes actions: it plays them, or explains why they cannot be played.

An action comes as a text, or as the cells that were clicked. Moves that are tried beside a game
(``trials.py``) come in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pontedeldiavolo.base.catalogs import LanguageCatalog
from pontedeldiavolo.base.enums import Color, Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.notation.actions import parse_action, parse_cell, parse_on
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.violations import IllegalActionError
from pontedeldiavolo.state.state import GameState

from .requests import Fields, Request, Response, SiteError
from .site import Site
from .store import StoredGame
from .views import error_response

REFUSALS: Final = ("not-your-turn", "game-ended", "no-bridge")
"""The codes of refused actions, besides those that break a rule."""


def play(site: Site, request: Request) -> Response:
    """Play an action, or explain why it cannot be played.

    A refused action is not an error of the request: the response says which rules it breaks, or
    that it is another player's turn.
    """
    try:
        return site.respond_in_turn(request, _played)
    except PonteError as error:
        return refused_action_response(error, request.language)


def _played(site: Site, request: Request, stored: StoredGame, own: frozenset[Seat]) -> Response:
    """Play an action, which is given by its text or by the cells that were clicked.

    A request with one cell plays nothing: its response has the cells for a second click. Other
    clients use it; the page sends one only to learn why no action begins there.

    Raises:
        IllegalActionError: If the action or the click breaks a rule.
        SiteError: If it is not the player's turn, or the game has ended.
    """
    stored.require_unfinished()
    state = stored.game.state
    if state.seat_to_move not in own:
        raise SiteError("not-your-turn", 403)
    action = clicked_action(request.fields, state)
    if action is None:
        return second_click(request.fields, state)
    played = site.play(stored, action, request.client)
    return Response(site.view(request, played, request.version))


def refused_action_response(error: PonteError, language: LanguageCatalog) -> Response:
    """Return the response that says why an action is refused.

    A refused action is not an error of the request, so its response has the status 200.

    Raises:
        PonteError: The given error, if it is of another kind.
    """
    if not isinstance(error, IllegalActionError) and error.code not in REFUSALS:
        raise error
    return Response({"refused": error_response(error, language).content})


def clicked_action(fields: Fields, state: GameState) -> Action | None:
    """Return the action of a request: by its text, or by two cells.

    Return ``None`` for one cell, the first click of a turn, which plays nothing.
    """
    board = state.rules.board
    if "cells" not in fields:
        return parse_on(board, parse_action, fields.require("action", str))
    first, *others = _clicked_cells(fields, board)
    if not others:
        return None
    has_tile = any(first in state.position.tiles(color) for color in Color)
    return BuildBridge(first, others[0]) if has_tile else PlaceTiles(first, others[0])


def second_click(fields: Fields, state: GameState) -> Response:
    """Return the cells for the second click, after the first one of a request.

    Raises:
        IllegalActionError: If no action begins with that cell.
        SiteError: If it has a tile of the player, from which no bridge can be built.
    """
    [first] = _clicked_cells(fields, state.rules.board)
    return Response({"second": [str(cell) for cell in _second_cells(state, first)]})


def _clicked_cells(fields: Fields, board: Board) -> list[Cell]:
    """Return the cells that were clicked: one or two."""
    names = fields["cells"]
    if not isinstance(names, list) or len(names) not in (1, 2):
        raise SiteError("bad-field", 400, name="cells")
    if not all(isinstance(name, str) for name in names):
        raise SiteError("bad-field", 400, name="cells")
    return [parse_on(board, parse_cell, name) for name in names]


def _second_cells(state: GameState, cell: Cell) -> Iterable[Cell]:
    """Return the cells for a second click, after a first one on a tile or on water.

    Raises:
        IllegalActionError: If no action begins with the cell.
        SiteError: If it has a tile of the player, from which no bridge can be built.
    """
    if bridges := state.legal_actions.bridges_from(cell):
        return [each.b if each.a == cell else each.a for each in bridges]
    if state.to_move is not None and cell in state.position.tiles(state.to_move):
        raise SiteError("no-bridge", 422, cell=str(cell))
    return state.step(PlaceTile(cell)).second_tiles
