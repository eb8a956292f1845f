"""The routes of the site, and the handlers for a game that is shown, undone, resigned or drawn.

They need attrs alone. :mod:`pontedeldiavolo.web.http` serves them over HTTP, and
:func:`dispatch` serves them in a web worker in the user's browser.
"""

from __future__ import annotations

import re
from typing import Final, cast, final

from attrs import evolve, frozen

from pontedeldiavolo import presets
from pontedeldiavolo.base.enums import Ending, Seat
from pontedeldiavolo.base.messages import LANGUAGES
from pontedeldiavolo.game.game import Game

from . import actions, analyses, new_games, offers, rules_page, sharing, summaries, trials
from .offers import answer_of
from .requests import Request, Response, SiteError, page_texts
from .site import Handler, Site
from .store import BOTH_SEATS, VERSION_NUMBER, Declined, StoredGame
from .thinkers import LEVELS
from .views import error_content, error_response


@final
@frozen
class Route:
    """A route: the HTTP method, the template of the path, and the handler."""

    method: str
    path: str
    handler: Handler


def dispatch(site: Site, method: str, path: str, request: Request) -> Response:
    """Respond without HTTP, as in a web worker."""
    is_path_known = False
    for route in ROUTES:
        found = re.fullmatch(route.path.replace("{game}", "(?P<game>[^/]+)"), path)
        if found is None:
            continue
        # A further route may have the same path.
        is_path_known = True
        if method == route.method:
            addressed = evolve(request, game=found.groupdict().get("game", ""))
            return site.respond(route.handler, addressed)
    if is_path_known:
        return error_response(SiteError("no-such-method", 405, method=method), request.language)
    return error_response(SiteError("no-such-page", 404), request.language)


# Texts


def _words(site: Site, request: Request) -> Response:
    """Return the texts of the page, the presets of rules and the levels of play."""
    failure = None
    if site.thinkers is not None:
        site.thinkers.warm_up()
        failure = site.thinkers.failure
    obstacle = sharing.animation_obstacle()
    return Response(
        {
            "failure": failure and error_content(failure, request.language),
            "levels": {name: level.is_available for name, level in LEVELS.items()},
            "no_animation": obstacle and error_content(obstacle, request.language),
            "words": page_texts(request.language),
            "languages": {code: each["language-name"] for code, each in LANGUAGES.items()},
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
    seats_taken = str(len(stored.token_hashes))
    failed = "" if failure is None else str(failure.number)
    query = request.query
    # A client that does not say which failure it knows gets the failure at the end of its wait:
    # told of it at once, such a client would ask again at once, and so on.
    failure_known = query.get("failure_seen", failed if request.is_waiting else "")
    people_stamp = site.people_stamp(stored)
    known_to_client = (
        query.get("after"),
        query.get("seats_taken", seats_taken),
        failure_known,
        query.get("people_stamp", people_stamp),
    )
    if known_to_client == (version, seats_taken, failed, people_stamp):
        return Response(status=204)
    after = query.get("after", "")
    base_version = int(after) if VERSION_NUMBER.fullmatch(after) else None
    return Response(site.view(request, stored, base_version))


def _undo(site: Site, request: Request) -> Response:
    """Undo the last action of the player, and those of the computer after it.

    With the field ``answer``, two people agree on it: ``ask`` asks the other player, who says
    ``accept`` or ``decline``; ``withdraw`` takes the request back.
    """
    answer = answer_of(request, ("ask", "accept", "decline", "withdraw"))
    if answer is not None:
        return _agree_on_undo(site, request, *site.load_for_change(request), answer)
    return site.respond_in_turn(request, _undo_alone)


def _undo_alone(site: Site, request: Request, stored: StoredGame, own: frozenset[Seat]) -> Response:
    """Undo what the owner of seats may undo without consent."""
    count = stored.undo_count(own)
    if count is None:
        raise SiteError("nothing-to-undo", 409)
    response = _store_and_show(site, request, stored, stored.game.undo(count))
    if stored.next_id is not None:
        # The game goes on, so its rematch is dropped.
        site.remove(stored.next_id)
    return response


def _agree_on_undo(
    site: Site, request: Request, stored: StoredGame, own: frozenset[Seat], answer: str
) -> Response:
    """Ask the other player to undo the last action of the sender, or answer such a request."""
    if len(own) > 1:
        raise SiteError("nothing-to-undo", 409)
    [seat] = own
    asking = stored.undo_request
    if answer == "ask":
        return _ask_to_undo(site, request, stored, seat)
    if answer != "accept":
        return offers.end(site, request, stored, own, what="undo", asking=asking, answer=answer)
    if asking is None or asking is seat:
        raise SiteError("nothing-offered", 409)
    count = cast(int, stored.requested_undo_count(asking))
    return _store_and_show(site, request, stored, stored.game.undo(count))


def _ask_to_undo(site: Site, request: Request, stored: StoredGame, seat: Seat) -> Response:
    """Ask the other player to undo the last action of a seat."""
    if stored.requested_undo_count(seat) is None:
        raise SiteError("nothing-to-undo", 409)
    # Somebody who asks twice must not make the other player's next request outdated.
    if stored.undo_request is seat:
        return Response(site.view(request, stored, stored.version))
    offers.require_may_ask(stored, seat, "undo")
    # A version has one offer or request: this declines the other player's, and withdraws one's own.
    declined = None
    if stored.draw_offer is seat.opponent:
        declined = Declined("draw", seat)
    elif stored.undo_request is seat.opponent:
        declined = Declined("undo", seat)
    withdrawn = (seat, "draw") if stored.draw_offer is seat else None
    return offers.announce(
        site, request, stored, undo_request=seat, declined=declined, withdrawn=withdrawn
    )


def _resign(site: Site, request: Request) -> Response:
    """Resign at any time; a person with both seats must name the seat that resigns."""
    return site.respond_in_turn(request, _resigned)


def _resigned(site: Site, request: Request, stored: StoredGame, own: frozenset[Seat]) -> Response:
    """Resign for a seat of the sender."""
    fields = request.fields
    stored.require_unfinished()
    if "seat" not in fields and len(own) > 1:
        raise SiteError("bad-field", 400, name="seat")
    seat = fields.choice("seat", new_games.SEATS) if "seat" in fields else next(iter(own))
    if seat not in own:
        raise SiteError("not-your-seat", 403)
    return _store_and_show(site, request, stored, stored.game.resign(seat))


def _abort(site: Site, request: Request) -> Response:
    """End a game of two people without any result: it is removed.

    Nobody has joined it yet, or fewer than two actions were played.
    """
    site.abort(*site.load_for_turn(request))
    return Response(status=204)


def _offer_draw(site: Site, request: Request) -> Response:
    """Offer a draw, or accept the other seat's offer; with both seats, the draw is agreed.

    With ``answer: decline``, the offer of the other seat is declined, and with ``answer: withdraw``
    the sender's own one is withdrawn. The computer answers an offer at once, on the person's turn
    only, and gives the same answer until the game has changed.
    """
    stored, own = site.load_for_change(request)
    stored.require_unfinished()
    answer = answer_of(request, ("decline", "withdraw"))
    if answer is not None:
        asking = stored.draw_offer
        return offers.end(site, request, stored, own, what="draw", asking=asking, answer=answer)
    if stored.levels:
        return _ask_computer_for_draw(site, request, stored)
    if own | {stored.draw_offer} >= BOTH_SEATS:
        return _store_and_show(site, request, stored, stored.game.end(Ending.AGREEMENT))
    [seat] = own
    # A new version would cause the other player's next request to be refused.
    if stored.draw_offer is seat:
        return Response(site.view(request, stored, stored.version))
    offers.require_may_ask(stored, seat, "draw")
    # A version has one offer or request: this declines the other player's, and withdraws one's own.
    declined = Declined("undo", seat) if stored.undo_request is seat.opponent else None
    withdrawn = (seat, "undo") if stored.undo_request is seat else None
    return offers.announce(
        site, request, stored, draw_offer=seat, declined=declined, withdrawn=withdrawn
    )


def _ask_computer_for_draw(site: Site, request: Request, stored: StoredGame) -> Response:
    """Offer the computer a draw, and return its answer.

    Raises:
        SiteError: If it is the computer's turn.
    """
    if stored.is_computers_turn:
        raise SiteError("not-your-turn", 403)
    [computer] = stored.levels
    declined = Declined("draw", computer)
    if stored.declined == declined:
        return Response(site.view(request, stored, stored.version))
    if not site.accepts_draw(stored):
        return offers.announce(site, request, stored, declined=declined)
    return _store_and_show(site, request, stored, stored.game.end(Ending.AGREEMENT))


def _give_time(site: Site, request: Request) -> Response:
    """Give the other player a few seconds, in a game with clocks.

    The version stays, and with it every offer and request.
    """
    return site.respond_in_turn(request, _given_time)


def _given_time(site: Site, request: Request, stored: StoredGame, own: frozenset[Seat]) -> Response:
    """Give the other player of the owner of seats a few seconds."""
    stored.require_unfinished()
    if not stored.can_give_time(own):
        raise SiteError("no-clock", 409)
    given = site.store.give_time(stored, own)
    return Response(site.view(request, given, request.version))


def _choose_again(site: Site, request: Request) -> Response:
    """Let a player of this library try again to choose, or let one of another level choose."""
    stored, own = site.load_for_change(request)
    fields = request.fields
    stored.require_unfinished()
    if not stored.is_computers_turn:
        raise SiteError("not-computers-turn", 409)
    if "opponent" in fields:
        levels = new_games.levels_of(fields, stored.game.state, own)
        names = new_games.names_of_levels(levels)
        game = stored.game.with_tags({**stored.game.tags, **names})
        game = site.with_immediate_answers(game, levels, request.client)
        return _store_and_show(site, request, evolve(stored, levels=levels), game)
    if site.computer_moves is not None:
        site.computer_moves.retry(stored, request.client)
    return Response(site.view(request, site.store.load(stored.id), stored.version))


def _store_and_show(site: Site, request: Request, old: StoredGame, game: Game) -> Response:
    """Store the next version of a game, and return the response that shows its changes."""
    stored = site.store_change_and_think(old, game, request.client)
    return Response(site.view(request, stored, request.version))


ROUTES: Final = (
    Route("GET", "/words", _words),
    Route("GET", "/rules", rules_page.show),
    Route("GET", "/summaries", summaries.show),
    Route("POST", "/games", new_games.create),
    Route("POST", "/games/{game}/seats", new_games.take_seat),
    Route("POST", "/games/{game}/name", new_games.rename),
    Route("GET", "/games/{game}", _show),
    Route("GET", "/games/{game}/record", sharing.show_record),
    Route("GET", "/games/{game}/picture", sharing.show_picture),
    Route("GET", "/games/{game}/replay", sharing.show_replay),
    Route("GET", "/games/{game}/animation", sharing.show_animation),
    Route("POST", "/games/{game}/actions", actions.play),
    Route("POST", "/games/{game}/trial", trials.show),
    Route("POST", "/games/{game}/variations", trials.keep),
    Route("POST", "/games/{game}/variations/removal", trials.remove),
    Route("POST", "/games/{game}/undo", _undo),
    Route("POST", "/games/{game}/resignation", _resign),
    Route("POST", "/games/{game}/abort", _abort),
    Route("POST", "/games/{game}/draw", _offer_draw),
    Route("POST", "/games/{game}/time", _give_time),
    Route("POST", "/games/{game}/answer", _choose_again),
    Route("POST", "/games/{game}/rematch", new_games.rematch),
    Route("POST", "/games/{game}/analyses", analyses.start),
    Route("GET", "/games/{game}/analysis", analyses.show),
)
