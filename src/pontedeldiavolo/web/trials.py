"""Handlers for moves that a reader tries on a board beside the game, which stays as it is."""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from attrs import evolve

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Move
from pontedeldiavolo.notation.actions import format_action, parse_action, parse_on
from pontedeldiavolo.rules.actions import Action

from .actions import clicked_action, refused_action, second_click
from .names import player_name
from .requests import Request, Response, SiteError
from .site import Site
from .store import StoredGame, hash_token, name_tag
from .views import ShownGame, SiteFacts, page_view

MAX_TRIED: Final = 400
"""The maximum number of actions that are tried one after another."""
MAX_KEPT: Final = 100
"""The maximum number of variations of a game to which another one can be added."""


def show(site: Site, request: Request) -> Response:
    """Return the board after *ply* actions of the game, the tried actions, and one more.

    The site stores nothing of it: the request has all that was tried before. The last action is
    given by its text or by the cells that were clicked, as in the game; without it, the response
    has the board after the others.
    """
    stored = site.load(request.game)
    if not site.can_try(stored, request):
        raise SiteError("no-trial", 403)
    ply = _ply(request, stored.game)
    tried = _tried(request, stored.game)
    game = _played(stored.game, ply, tried)
    try:
        return _answer(request, stored, game, ply)
    except PonteError as error:
        return refused_action(error, request.language)


def _answer(request: Request, stored: StoredGame, game: Game, ply: int) -> Response:
    """Return the board after one more action, or the cells for the second click."""
    fields = request.fields
    if "cells" in fields or "action" in fields:
        if game.ending is not None:
            raise SiteError("game-ended", 409)
        action = clicked_action(fields, game.state)
        if action is None:
            return second_click(fields, game.state)
        game = game.play(action)
    return Response(_view(request, stored, game, ply))


def _view(request: Request, stored: StoredGame, game: Game, ply: int) -> dict[str, object]:
    """Return the view of the tried actions: that of a game in which the sender has both seats."""
    language = request.language
    tags = {name_tag(seat): player_name(stored, seat, language) for seat in Seat}
    beside = StoredGame(
        stored.id,
        stored.version,
        game.with_tags(tags),
        token_hashes=dict.fromkeys(Seat, hash_token(request.token)),
    )
    facts = SiteFacts(
        names={seat: stored.name_of(seat) for seat in Seat},
        rematch_request=stored.rematch_request,
        can_try=True,
    )
    view = page_view(beside, ShownGame(game, language), request, facts)
    # A game that is played to its end on this board is no game that was won.
    view["ending"] = None
    view["ply"] = ply
    view["tried"] = [format_action(action) for action in game.actions[ply:]]
    return view


def keep(site: Site, request: Request) -> Response:
    """Add tried actions to the record of the game, as a variation."""
    stored, _ = site.load_for_change(request)
    if not site.can_try(stored, request):
        raise SiteError("no-trial", 403)
    game = stored.game
    ply = _ply(request, game)
    tried = _tried(request, game)
    place, actions = _branch(game, _played(game, ply, tried))
    if not actions:
        raise SiteError("nothing-to-keep", 422)
    varied = _varied(game, place, actions)
    if varied is game:
        return Response(site.view(request, stored, stored.version))
    if sum(len(move.variations) for move in game.line.moves) >= MAX_KEPT:
        raise SiteError("too-many-variations", 422, max=MAX_KEPT)
    # Offers and the turn stay.
    new = evolve(stored, version=stored.version + 1, game=varied)
    kept = site.store_next(stored, new)
    site.think(kept, request.client)
    return Response(site.view(request, kept, stored.version))


def share(site: Site, request: Request, stored: StoredGame, ply: int) -> tuple[Game, Game]:
    """Return the tried actions of a query after *ply* actions of the game: alone, and in the game.

    In the second game they are a variation. Nothing is stored.
    """
    if not site.can_try(stored, request):
        raise SiteError("no-trial", 403)
    game = stored.game
    played = _played(game, ply, _parsed(request.query["tried"].split(), game))
    place, actions = _branch(game, played)
    return played, _varied(game, place, actions) if actions else game


def _branch(game: Game, played: Game) -> tuple[int, tuple[Action, ...]]:
    """Return the move at which a played game leaves a game, and what it plays from there on.

    There are no such actions if it follows the game.
    """
    line = played.actions
    pairs = zip(line, game.actions, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    if same == len(line) or not game.actions:
        return 0, ()
    # No move follows the last one, so the variation repeats it.
    place = min(same, len(game.actions) - 1)
    return place, line[place:]


def _varied(game: Game, place: int, actions: tuple[Action, ...]) -> Game:
    """Return a game with a variation of a move; one that is there may go on, or be the same."""
    for number, each in enumerate(game.line.moves[place].variations):
        if each.actions == actions:
            return game
        is_plain = all(move == Move(move.action) for move in each.moves)
        if is_plain and each.actions == actions[: len(each.moves)]:
            # It goes on; what somebody has said of its moves would be lost.
            return game.without((place, number)).with_variation((place,), actions, each.comment)
    return game.with_variation((place,), actions)


def _ply(request: Request, game: Game) -> int:
    """Return the number of actions of the game after which the tried ones begin."""
    ply = request.fields.require("ply", int)
    if not 0 <= ply <= len(game.actions):
        raise SiteError("bad-field", 400, name="ply")
    return ply


def _tried(request: Request, game: Game) -> list[Action]:
    """Return the actions that were tried before."""
    texts = request.fields.get("tried")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise SiteError("bad-field", 400, name="tried")
    return _parsed(texts, game)


def _parsed(texts: list[str], game: Game) -> list[Action]:
    """Return actions that are given by their texts."""
    if len(texts) > MAX_TRIED:
        raise SiteError("bad-field", 400, name="tried")
    return [parse_on(game.rules.board, parse_action, text) for text in texts]


def _played(game: Game, ply: int, tried: list[Action]) -> Game:
    """Return the game after *ply* actions, and after the tried ones.

    Raises:
        IllegalActionError: If one of them breaks a rule.
        SiteError: If one of them follows the end of the game.
    """
    found = game.undo(len(game.actions) - ply)
    for action in tried:
        if found.ending is not None:
            raise SiteError("game-ended", 409)
        found = found.play(action)
    return found
