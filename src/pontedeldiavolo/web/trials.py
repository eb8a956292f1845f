"""Handlers for moves that a reader tries on a board beside the game, which stays as it is."""

from __future__ import annotations

from itertools import takewhile
from typing import Final, TypeAlias

from attrs import evolve

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.game import line as tree
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import format_action, parse_action, parse_on
from pontedeldiavolo.rules.actions import Action

from .actions import clicked_action, refused_action_response, second_click
from .names import player_name
from .requests import Request, Response, SiteError
from .site import Site
from .store import StoredGame, hash_token, name_tag
from .views import ShownGame, SiteFacts, page_view

Line: TypeAlias = tuple[Action, ...]
"""Actions one after another."""

MAX_TRIED: Final = 400
"""The maximum number of actions that are tried one after another."""
MAX_OTHERS: Final = 100
"""The maximum number of other lines of tried actions."""
MAX_KEPT: Final = 100
"""The maximum number of variations of a game to which another one can be added."""


def show(site: Site, request: Request) -> Response:
    """Return the board after *ply* actions of the game, the tried actions, and one more.

    The site stores nothing of it: the request has all that was tried before. The last action is
    given by its text or by the cells that were clicked, as in the game; without it, the response
    has the board after the others. Other lines that were tried are shown as variations.
    """
    stored = site.load(request.game)
    if not site.can_try(stored, request):
        raise SiteError("no-trial", 403)
    ply = _ply(request, stored.game)
    tried = _tried(request, stored.game)
    others = _others(request, stored.game)
    game = _played(stored.game, ply, tried)
    try:
        return _answer(request, stored, game, ply, others)
    except PonteError as error:
        return refused_action_response(error, request.language)


def _answer(
    request: Request, stored: StoredGame, game: Game, ply: int, others: list[Line]
) -> Response:
    """Return the board after one more action, or the cells for the second click."""
    fields = request.fields
    if "cells" in fields or "action" in fields:
        if game.ending is not None:
            raise SiteError("game-ended", 409)
        action = clicked_action(fields, game.state)
        if action is None:
            return second_click(fields, game.state)
        game = game.play(action)
    return Response(_view(request, stored, game, ply, others))


def _view(
    request: Request, stored: StoredGame, game: Game, ply: int, others: list[Line]
) -> dict[str, object]:
    """Return the view of the tried actions: that of a game in which the sender has both seats."""
    game, left = _with_others(game, others)
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
    view["others"] = [[format_action(action) for action in line] for line in left]
    return view


def _with_others(game: Game, others: list[Line]) -> tuple[Game, list[Line]]:
    """Return a game with other lines as variations, and those of them that it did not have.

    A line that goes on after the last action of the game, where no variation can begin, repeats
    that action; it is left for later if the game has none.
    """
    left = []
    main = game.actions
    for line in others:
        longer = (each for each in (main, *others) if len(each) > len(line))
        if line == main or any(each[: len(line)] == line for each in longer):
            continue
        place, actions = _branch(game, line)
        varied = _varied(game, place, actions) if actions else game
        if varied is game and actions:
            continue
        game = varied
        left.append(line)
    return game, left


def keep(site: Site, request: Request) -> Response:
    """Add tried actions, and other lines that were tried, to the record as variations."""
    stored, _ = site.load_for_change(request)
    if not site.can_try(stored, request):
        raise SiteError("no-trial", 403)
    game = stored.game
    ply = _ply(request, game)
    tried = _tried(request, game)
    lines = [_played(game, ply, tried).actions, *_others(request, game)]
    branches = [_branch(game, line) for line in lines]
    if not any(actions for _, actions in branches):
        raise SiteError("nothing-to-keep", 422)
    varied = game
    for place, actions in branches:
        if actions:
            varied = _varied(varied, place, actions)
    if varied is game:
        return Response(site.view(request, stored, stored.version))
    if sum(len(move.variations) for move in varied.line.moves) > MAX_KEPT:
        raise SiteError("too-many-variations", 422, max=MAX_KEPT)
    return _stored(site, request, stored, varied)


def remove(site: Site, request: Request) -> Response:
    """Remove a variation from the record of the game: the one that ends after given actions."""
    stored, _ = site.load_for_change(request)
    if not site.can_try(stored, request):
        raise SiteError("no-trial", 403)
    game = stored.game
    path = _path_of(game.line, _line(request.fields.get("line"), game, "line"))
    if path is None:
        raise SiteError("no-such-variation", 404)
    return _stored(site, request, stored, game.without(path))


def _stored(site: Site, request: Request, old: StoredGame, game: Game) -> Response:
    """Store a game with other variations; offers and the turn stay."""
    stored = site.store_version(old, evolve(old, version=old.version + 1, game=game))
    site.think(stored, request.client)
    return Response(site.view(request, stored, old.version))


def _path_of(line: tree.Line, actions: Line) -> tuple[int, ...] | None:
    """Return the path of the variation that ends after these actions; ``None`` if none does.

    Args:
        line: The line in which the variation may be, at any depth.
        actions: The actions since the beginning of the line.
    """
    for place, move in enumerate(line.moves):
        rest = actions[place:]
        for number, variation in enumerate(move.variations):
            if variation.actions == rest:
                return place, number
            inner = _path_of(variation, rest)
            if inner is not None:
                return (place, number, *inner)
        if rest[:1] != (move.action,):
            return None
    return None


def share(site: Site, request: Request, stored: StoredGame, ply: int) -> tuple[Game, Game]:
    """Return the tried actions of a query after *ply* actions of the game: alone, and in the game.

    In the second game they are a variation. Nothing is stored.
    """
    if not site.can_try(stored, request):
        raise SiteError("no-trial", 403)
    game = stored.game
    played = _played(game, ply, _parsed(request.query["tried"].split(), game))
    place, actions = _branch(game, played.actions)
    return played, _varied(game, place, actions) if actions else game


def _branch(game: Game, line: Line) -> tuple[int, Line]:
    """Return the move at which a line leaves a game, and what it plays from there on.

    There are no such actions if it follows the game.
    """
    pairs = zip(line, game.actions, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    if same == len(line) or not game.actions:
        return 0, ()
    # No move follows the last one, so the variation repeats it.
    place = min(same, len(game.actions) - 1)
    return place, line[place:]


def _varied(game: Game, place: int, actions: Line) -> Game:
    """Return a game with a variation of a move; one that is there may go on, or be the same."""
    for number, each in enumerate(game.line.moves[place].variations):
        if each.actions == actions:
            return game
        is_plain = all(move == tree.Move(move.action) for move in each.moves)
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
    return [*_line(request.fields.get("tried"), game, "tried")]


def _others(request: Request, game: Game) -> list[Line]:
    """Return the other lines that were tried, each once, from the start of the game."""
    lines = request.fields.get("others", [])
    if not isinstance(lines, list) or len(lines) > MAX_OTHERS:
        raise SiteError("bad-field", 400, name="others")
    return [*dict.fromkeys(_line(line, game, "others") for line in lines)]


def _line(texts: object, game: Game, name: str) -> Line:
    """Return actions that a field has in a list of texts."""
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise SiteError("bad-field", 400, name=name)
    return tuple(_parsed(texts, game))


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
