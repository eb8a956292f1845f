"""The routes of the site, and the handlers for a game that is being played.

They need attrs alone. :mod:`pontedeldiavolo.web.http` serves them over HTTP, and
:func:`dispatch` serves them in a web worker in the user's browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, cast, final

from attrs import evolve, frozen

from pontedeldiavolo import presets, records
from pontedeldiavolo.base.enums import Color, Ending, Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.base.messages import LANGUAGES
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import parse_action, parse_cell, parse_on
from pontedeldiavolo.rules.actions import BuildBridge, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.violations import IllegalActionError
from pontedeldiavolo.state.state import GameState

from . import analyses, new_games, rules_page, summaries
from .requests import Fields, Request, Response, SiteError, page_texts
from .site import Handler, Site
from .store import BOTH_SEATS, Declined, StoredGame
from .thinkers import LEVELS
from .views import problem, refusal

VERSION: Final = re.compile(r"[1-9][0-9]{0,8}")
"""The form of the number of a version in a query."""
REFUSALS: Final = ("not-your-turn", "game-ended", "no-bridge")
"""The codes of refused actions, besides those that break a rule."""


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
    after = query.get("after", "")
    base = int(after) if VERSION.fullmatch(after) else None
    return Response(site.view(request, stored, base))


def _record(site: Site, request: Request) -> Response:
    """Return the record of a game as a file."""
    stored = site.store.load(request.game)
    headers = {"Content-Disposition": f'attachment; filename="{stored.id}.pdd"'}
    return Response(records.dumps(stored.game), headers=headers)


def _act(site: Site, request: Request) -> Response:
    """Play an action, or explain why it cannot be played.

    A refused action is not an error of the request: the response says which rules it breaks, or
    that it is another player's turn.
    """
    stored, own = site.load_version(request)
    try:
        return _played(site, request, stored, own)
    except PonteError as error:
        if not isinstance(error, IllegalActionError) and error.code not in REFUSALS:
            raise
        return Response({"refused": refusal(error, request.language).content})


def _played(site: Site, request: Request, stored: StoredGame, own: frozenset[Seat]) -> Response:
    """Play an action, which is given by its text or by the cells that were clicked.

    The first click of a turn plays nothing: the response has the cells for the second click.

    Raises:
        IllegalActionError: If the action or the click breaks a rule.
        SiteError: If it is not the player's turn, or the game has ended.
    """
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
    played = site.play(stored, action, request.client)
    return Response(site.view(request, played, stored.version))


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
    """Undo the last action of the player, and those of the computer after it.

    With the field ``answer``, two people agree on it: ``ask`` asks the other player, who says
    ``accept`` or ``decline``.
    """
    stored, own = site.load_version(request)
    answer = _answer_of(request, ("ask", "accept", "decline"))
    if answer is not None:
        return _agree_on_undo(site, request, stored, own, answer)
    count = stored.undo_count(own)
    if count is None:
        raise SiteError("nothing-to-undo", 409)
    response = _changed(site, request, stored, stored.game.undo(count))
    if stored.next_id is not None:
        # The game goes on, so its rematch is dropped.
        site.store.remove(stored.next_id)
    return response


def _agree_on_undo(
    site: Site, request: Request, stored: StoredGame, own: frozenset[Seat], answer: str
) -> Response:
    """Ask the other player to undo the last action of the sender, or answer such a request."""
    if len(own) > 1:
        raise SiteError("nothing-to-undo", 409)
    [seat] = own
    if answer == "ask":
        if stored.request_count(seat) is None:
            raise SiteError("nothing-to-undo", 409)
        # Somebody who asks twice must not make the other player's next request outdated.
        if stored.undo_request is seat:
            return Response(site.view(request, stored, stored.version))
        return _announced(site, request, stored, undo_request=seat)
    asking = stored.undo_request
    if asking is None or asking is seat:
        raise SiteError("nothing-offered", 409)
    if answer == "decline":
        return _announced(site, request, stored, declined=Declined("undo", seat))
    count = cast(int, stored.request_count(asking))
    return _changed(site, request, stored, stored.game.undo(count))


def _answer_of(request: Request, answers: Iterable[str]) -> str | None:
    """Return the answer to an offer or a request; ``None`` if the request has none."""
    fields = request.fields
    choices = {answer: answer for answer in answers}
    return fields.choice("answer", choices) if "answer" in fields else None


def _announced(
    site: Site,
    request: Request,
    old: StoredGame,
    *,
    draw_offer: Seat | None = None,
    undo_request: Seat | None = None,
    declined: Declined | None = None,
) -> Response:
    """Store a version that informs both players and changes nothing else."""
    unchanged = old.with_change(old.game, site.seconds_used(old))
    told = evolve(
        unchanged,
        draw_offer=draw_offer,
        undo_request=undo_request,
        declined=declined,
        next_id=old.next_id,
        rematch_request=old.rematch_request,
    )
    stored = site.store_next(old, told)
    site.think(stored, request.client)
    return Response(site.view(request, stored, old.version))


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
    """Offer a draw, or accept the other seat's offer; with both seats, the draw is agreed.

    With the field ``answer`` the offer is declined. The computer answers an offer at once, on the
    person's turn only, and gives the same answer until the game has changed.
    """
    stored, own = site.load_version(request)
    _require_unfinished(stored)
    if _answer_of(request, ("decline",)) is not None:
        return _decline_draw(site, request, stored, own)
    if stored.computer:
        return _ask_computer_for_draw(site, request, stored)
    if own | {stored.draw_offer} >= BOTH_SEATS:
        return _changed(site, request, stored, stored.game.end(Ending.AGREEMENT))
    [seat] = own
    # A new version would cause the other player's next request to be refused.
    if stored.draw_offer is seat:
        return Response(site.view(request, stored, stored.version))
    return _announced(site, request, stored, draw_offer=seat)


def _ask_computer_for_draw(site: Site, request: Request, stored: StoredGame) -> Response:
    """Offer the computer a draw, and return its answer.

    Raises:
        SiteError: If it is the computer's turn.
    """
    if stored.is_thinking:
        raise SiteError("not-your-turn", 403)
    [computer] = stored.computer
    declined = Declined("draw", computer)
    if stored.declined == declined:
        return Response(site.view(request, stored, stored.version))
    if not site.accepts_draw(stored):
        return _announced(site, request, stored, declined=declined)
    return _changed(site, request, stored, stored.game.end(Ending.AGREEMENT))


def _decline_draw(
    site: Site, request: Request, stored: StoredGame, own: frozenset[Seat]
) -> Response:
    """Decline the other player's offer of a draw."""
    offering = stored.draw_offer
    if offering is None or offering in own:
        raise SiteError("nothing-offered", 409)
    [seat] = own
    return _announced(site, request, stored, declined=Declined("draw", seat))


def _give_time(site: Site, request: Request) -> Response:
    """Give the other player some seconds, in a game with clocks.

    The version stays, and with it every offer and request.
    """
    stored, own = site.load_version(request)
    _require_unfinished(stored)
    if not stored.can_give_time(own):
        raise SiteError("no-clock", 409)
    given = site.store.give_time(stored, own)
    return Response(site.view(request, given, given.version))


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
    return Response(site.view(request, site.store.load(stored.id), stored.version))


def _changed(site: Site, request: Request, old: StoredGame, game: Game) -> Response:
    """Store the next version of a game, and return its changes."""
    stored = site.change_and_think(old, game, request.client)
    return Response(site.view(request, stored, old.version))


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
    Route("POST", "/games/{game}/time", _give_time),
    Route("POST", "/games/{game}/answer", _answer),
    Route("POST", "/games/{game}/rematch", new_games.rematch),
    Route("POST", "/games/{game}/analyses", analyses.start),
    Route("GET", "/games/{game}/analysis", analyses.show),
)
