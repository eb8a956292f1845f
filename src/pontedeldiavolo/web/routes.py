"""The routes of the site, and the handlers for a game that is being played.

They need attrs alone. :mod:`pontedeldiavolo.web.http` serves them over HTTP, and
:func:`dispatch` serves them in a web worker in the user's browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, final

from attrs import evolve, frozen

from pontedeldiavolo import presets, records
from pontedeldiavolo.base.enums import Color, Ending
from pontedeldiavolo.base.messages import LANGUAGES
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import parse_action, parse_cell, parse_on
from pontedeldiavolo.rules.actions import BuildBridge, PlaceTile, PlaceTiles
from pontedeldiavolo.state.state import GameState

from . import analyses, new_games, rules_page, summaries
from .requests import Fields, Request, Response, SiteError, page_texts
from .site import Handler, Site
from .store import BOTH_SEATS, StoredGame
from .thinkers import LEVELS
from .views import problem, refusal


@final
@frozen
class Route:
    """A route: the HTTP method, the template of the path, and the handler."""

    method: str
    path: str
    handler: Handler


def dispatch(site: Site, method: str, path: str, request: Request) -> Response:
    """Respond without HTTP, as in a web worker."""
    for route in ROUTES:
        found = re.fullmatch(route.path.replace("{game}", "(?P<game>[^/]+)"), path)
        if found and method != route.method:
            return refusal(SiteError("no-such-method", 405, method=method), request.language)
        if found:
            asked = evolve(request, game=found.groupdict().get("game", ""))
            return site.respond(route.handler, asked)
    return refusal(SiteError("no-such-page", 404), request.language)


# Texts


def _words(site: Site, request: Request) -> Response:
    """Return the texts of the page, the presets of rules and the levels of play."""
    failure = None
    if site.thinkers is not None:
        site.thinkers.warm_up()
        failure = site.thinkers.failure
    return Response(
        {
            "failure": failure and problem(failure, request.language),
            "levels": {name: level.is_available for name, level in LEVELS.items()},
            "words": page_texts(request.language),
            "languages": {code: each.name for code, each in LANGUAGES.items()},
            "rules": [*presets.names()],
        }
    )


# A game


def _show(site: Site, request: Request) -> Response:
    """Return a game to anybody; nothing (204) if it has not changed since the last request."""
    stored = site.load(request.game)
    # After a restart of the server, no thread is thinking about the game.
    site.think(stored, request.client)
    site.presence.note(stored.id, stored.seats_of(request.token))
    failure = site.failure(stored)
    version = str(stored.version)
    taken = str(len(stored.seats))
    failed = "" if failure is None else str(failure.number)
    query = request.query
    # A client that does not say which failure it knows gets the failure at the end of its wait. If
    # it got it immediately, it would immediately ask again.
    known = query.get("failed", failed if request.is_waiting else "")
    people = site.presence.stamp(stored)
    asked = (query.get("after"), query.get("taken", taken), known, query.get("people", people))
    if asked == (version, taken, failed, people):
        return Response(status=204)
    return Response(site.view(request, stored))


def _record(site: Site, request: Request) -> Response:
    """Return the record of a game as a file."""
    stored = site.store.load(request.game)
    headers = {"Content-Disposition": f'attachment; filename="{stored.id}.pdd"'}
    return Response(records.dumps(stored.game), headers=headers)


def _act(site: Site, request: Request) -> Response:
    """Play an action, which is given by its text or by the cells that were clicked.

    The first click of a turn plays nothing: the response has the cells for the second click. An
    action or a click that is not legal is refused, with the rules that it breaks.
    """
    stored, own = site.load_version(request)
    _require_unfinished(stored)
    state = stored.game.state
    board = state.rules.board
    if state.seat_to_move not in own:
        raise SiteError("not-your-turn", 403)
    fields = request.fields
    if "cells" not in fields:
        action = parse_on(board, parse_action, fields.require("action", str))
    else:
        first, *others = _clicked_cells(fields, board)
        if not others:
            return Response({"second": [str(cell) for cell in _second_cells(state, first)]})
        has_tile = any(first in state.position.tiles(color) for color in Color)
        action = BuildBridge(first, others[0]) if has_tile else PlaceTiles(first, others[0])
    return Response(site.view(request, site.play(stored, action, request.client)))


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


def _undo(site: Site, request: Request) -> Response:
    """Undo the last action of the player, and those of the computer after it."""
    stored, own = site.load_version(request)
    count = stored.undo_count(own)
    if count is None:
        raise SiteError("nothing-to-undo", 409)
    return _changed(site, request, stored, stored.game.undo(count))


def _resign(site: Site, request: Request) -> Response:
    """Resign at any time; a person with both seats must name the seat that resigns."""
    stored, own = site.load_version(request)
    fields = request.fields
    _require_unfinished(stored)
    if "seat" not in fields and len(own) > 1:
        raise SiteError("bad-field", 400, name="seat")
    seat = fields.choice("seat", new_games.SEATS) if "seat" in fields else next(iter(own))
    if seat not in own:
        raise SiteError("not-your-seat", 403)
    return _changed(site, request, stored, stored.game.resign(seat))


def _offer_draw(site: Site, request: Request) -> Response:
    """Offer a draw, or accept the other seat's offer; with both seats, the draw is agreed."""
    stored, own = site.load_version(request)
    _require_unfinished(stored)
    if stored.computer:
        raise SiteError("no-draw-with-computer", 403)
    if own | {stored.draw_offer} >= BOTH_SEATS:
        return _changed(site, request, stored, stored.game.end(Ending.AGREEMENT))
    [seat] = own
    # A new version would cause the other player's next request to be refused.
    if stored.draw_offer is not seat:
        unchanged = stored.with_change(stored.game, site.seconds_used(stored))
        stored = site.store_next(evolve(unchanged, draw_offer=seat))
    return Response(site.view(request, stored))


def _answer(site: Site, request: Request) -> Response:
    """Let a player of this library try again to choose, or let one of another level choose."""
    stored, own = site.load_version(request)
    fields = request.fields
    _require_unfinished(stored)
    if not stored.is_thinking:
        raise SiteError("not-computers-turn", 409)
    if "opponent" in fields:
        computer = new_games.computer_of(fields, stored.game.state, own)
        names = new_games.names_of_levels(computer)
        game = stored.game.with_tags({**stored.game.tags, **names})
        game = site.answered(game, computer, request.client)
        return _changed(site, request, evolve(stored, computer=computer), game)
    if site.answers is not None:
        site.answers.retry(stored, request.client)
    return Response(site.view(request, site.store.load(stored.id)))


def _changed(site: Site, request: Request, old: StoredGame, game: Game) -> Response:
    """Store the next version of a game, and return it."""
    stored = site.change_and_think(old, game, request.client)
    return Response(site.view(request, stored))


def _require_unfinished(stored: StoredGame) -> None:
    if stored.game.ending is not None:
        raise SiteError("game-ended", 409)


ROUTES: Final = (
    Route("GET", "/words", _words),
    Route("GET", "/rules", rules_page.show),
    Route("GET", "/summaries", summaries.show),
    Route("POST", "/games", new_games.create),
    Route("POST", "/games/{game}/seats", new_games.take_seat),
    Route("POST", "/games/{game}/name", new_games.rename),
    Route("GET", "/games/{game}", _show),
    Route("GET", "/games/{game}/record", _record),
    Route("GET", "/games/{game}/picture", summaries.show_picture),
    Route("POST", "/games/{game}/actions", _act),
    Route("POST", "/games/{game}/undo", _undo),
    Route("POST", "/games/{game}/resignation", _resign),
    Route("POST", "/games/{game}/draw", _offer_draw),
    Route("POST", "/games/{game}/answer", _answer),
    Route("POST", "/games/{game}/rematch", new_games.rematch),
    Route("POST", "/games/{game}/analyses", analyses.start),
    Route("GET", "/games/{game}/analysis", analyses.show),
)
