"""Summaries of games for the list on the start page: the players, the turn, a small picture."""

from __future__ import annotations

from typing import Final

from pontedeldiavolo.base.catalogs import LanguageCatalog
from pontedeldiavolo.base.enums import Color, Seat

from .names import player_name
from .requests import Request, Response, SiteError
from .site import Site
from .store import StoredGame

MAX_GAMES: Final = 50
"""The maximum number of games that one request may ask about."""


def show(site: Site, request: Request) -> Response:
    """Return summaries of the games whose IDs the query names, without those that do not exist.

    A game that cannot be read has only its ID.
    """
    game_ids = request.query.get("games", "").split(",")
    if len(game_ids) > MAX_GAMES:
        raise SiteError("bad-field", 400, name="games")
    found: list[dict[str, object]] = []
    for game_id in game_ids:
        try:
            found.append(_summary(site, site.store.load(game_id), request.language))
        except SiteError as error:
            # One game says nothing about the others.
            if error.code != "no-such-game":
                found.append({"id": game_id})
    return Response({"games": found})


def _summary(site: Site, stored: StoredGame, language: LanguageCatalog) -> dict[str, object]:
    """Return a summary; white's player comes first, and before the choice player 1.

    A game in which a player's time is up has ended, although it is stored only when somebody
    looks at the game itself: the list of many games writes nothing.
    """
    game = stored.game
    late = site.seat_out_of_time(stored)
    if late is not None:
        game = game.lose_on_time(late)
    state = game.state
    owners = [state.owner(color) for color in Color]
    has_colors = None not in owners
    seats = [seat for seat in owners if seat is not None] if has_colors else [*Seat]
    to_move = state.seat_to_move if game.ending is None else None
    winner = game.winning_seat if game.ending is not None else None
    return {
        "id": stored.id,
        "version": stored.version,
        "seats": [seat.value for seat in seats],
        "names": [player_name(stored, seat, language) for seat in seats],
        "points": [state.score(color).points for color in Color] if has_colors else None,
        "turn": state.turn,
        "seat_to_move": to_move and to_move.value,
        "ending": game.ending and game.ending.value,
        "winner": winner and winner.value,
        "rematch_id": site.rematch_id(stored),
    }
